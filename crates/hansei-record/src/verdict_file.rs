//! Verdicts on disk: each as `<session>_<time>.json`, and the latest of a session as `verdict_<session>.json`, which other
//! programs watch.

use std::io;

use hansei_core::interrupt::VerdictRecord;
use hansei_core::report::account::RecordedVerdict;
use hansei_core::session_name;

use crate::folder::Folder;
use crate::redacted::Redacted;

const LARGEST: u64 = 16 * 1024 * 1024;

/// The latest verdict on the session of this name (as a part of a file name), if there is one that can be read.
pub fn latest(folder: &Folder, session: &str) -> Option<RecordedVerdict> {
    let bytes = folder.read(&format!("verdict_{session}.json"), LARGEST).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Writes `record`, redacted, under both names. Gives the first.
pub fn write(folder: &Folder, record: &VerdictRecord) -> io::Result<String> {
    let session = session_name::safe(&record.session_id);
    let name = format!("{session}_{}.json", record.timestamp.compact());
    let text = Redacted::new(record)?.pretty();
    folder.write_atomically(&name, &text)?;
    folder.write_atomically(&format!("verdict_{session}.json"), &text)?;
    Ok(name)
}
