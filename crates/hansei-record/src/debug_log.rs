//! What `REFLECTION_DEBUG` asks for: each step of a decision, in words, beside the session's log.
//!
//! A file and not standard error alone: agents show the standard error of a hook only when it fails, and ours never does.

use std::fmt::Write as _;
use std::io::{self, Write as _};

use hansei_core::session_name;

use crate::clock;
use crate::folder::Folder;
use crate::redact::redact;

/// Appends `steps` to the debug file of `session`, redacted.
pub fn append(folder: &Folder, session: &str, steps: &[String]) -> io::Result<()> {
    let mut text = String::new();
    for step in steps {
        let line = step.lines().collect::<Vec<_>>().join(" ");
        let _ = writeln!(text, "{} {}", clock::now(), redact(&line));
    }
    folder.open_to_append(&format!("debug-{}.txt", session_name::safe(session)))?.write_all(text.as_bytes())
}
