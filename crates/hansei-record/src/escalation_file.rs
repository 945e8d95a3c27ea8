//! Escalations on disk: `<session>_<time>.md` is the payload, `<session>_<time>.task.md` the original task, and
//! `<session>_<time>.error.txt` what the failing command printed.

use std::io;

use hansei_core::interrupt::Handover;
use hansei_core::session_name;

use crate::clock;
use crate::folder::Folder;
use crate::redact::redact;

/// The names of the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// The payload.
    pub escalation: String,
    /// The original task.
    pub task: String,
    /// What the failing command printed, where one is known.
    pub error: Option<String>,
}

/// Writes what a session hands over, without its secrets.
pub fn write(folder: &Folder, session: &str, handover: &Handover) -> io::Result<Written> {
    let name = format!("{}_{}", session_name::safe(session), clock::now().compact());
    let written = Written {
        escalation: format!("{name}.md"),
        task: format!("{name}.task.md"),
        error: handover.error.as_ref().map(|_| format!("{name}.error.txt")),
    };
    if let (Some(file), Some(error)) = (&written.error, &handover.error) {
        folder.write_atomically(file, redact(error).as_bytes())?;
    }
    folder.write_atomically(&written.task, redact(&handover.task).as_bytes())?;
    folder.write_atomically(&written.escalation, redact(&handover.escalation.text()).as_bytes())?;
    Ok(written)
}
