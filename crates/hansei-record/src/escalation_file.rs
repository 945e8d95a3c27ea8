//! Escalations on disk: `<session>_<time>.md` is the payload, and `<session>_<time>.task.md` the original task.

use std::io;

use hansei_core::interrupt::Handover;
use hansei_core::session_name;

use crate::clock;
use crate::folder::Folder;
use crate::redact::redact;

/// The names of the two files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The payload.
    pub escalation: String,
    /// The original task.
    pub task: String,
}

/// Writes what a session hands over, without its secrets.
pub fn write(folder: &Folder, session: &str, handover: &Handover) -> io::Result<Written> {
    let name = format!("{}_{}", session_name::safe(session), clock::now().compact());
    let written = Written { escalation: format!("{name}.md"), task: format!("{name}.task.md") };
    folder.write_atomically(&written.task, redact(&handover.task).as_bytes())?;
    folder.write_atomically(&written.escalation, redact(&handover.escalation.text()).as_bytes())?;
    Ok(written)
}
