//! The self-report that an agent leaves for its next stop.

use std::io;
use std::path::Path;
use std::time::SystemTime;

use hansei_core::self_report::SelfReport;

use crate::folder::{Folder, read_named_by_user};
use crate::places::SelfReportPlace;
use crate::redacted::Redacted;

const LARGEST: u64 = 1024 * 1024;

/// A self-report that was found, and when it was written.
#[derive(Debug)]
pub struct Found {
    /// What it says.
    pub report: SelfReport,
    /// Keys in it that nobody knows.
    pub unknown: Vec<String>,
    /// When it was last written.
    pub written: SystemTime,
}

/// Why there is no self-report.
#[derive(Debug, thiserror::Error)]
pub enum Missing {
    /// None was written.
    #[error("no self-report")]
    Absent,
    /// It cannot be read.
    #[error("the self-report cannot be read: {0}")]
    Unreadable(io::Error),
    /// It is not a valid `self-report.v1`.
    #[error("the self-report is not valid: {0}")]
    Invalid(serde_json::Error),
}

/// Reads the self-report at `place`.
pub fn read(place: &SelfReportPlace) -> Result<Found, Missing> {
    let (bytes, written) = match place {
        SelfReportPlace::Named(path) => {
            (read_named_by_user(path, LARGEST), path.metadata().and_then(|m| m.modified()))
        }
        SelfReportPlace::Usual(folder, name) => (folder.read(name, LARGEST), folder.modified(name)),
    };
    let bytes = bytes.map_err(|error| match error.kind() {
        io::ErrorKind::NotFound => Missing::Absent,
        _ => Missing::Unreadable(error),
    })?;
    let (report, unknown) = SelfReport::known_part(&bytes).map_err(Missing::Invalid)?;
    Ok(Found { report, unknown, written: written.map_err(Missing::Unreadable)? })
}

/// Renames the self-report at `place` away, so that no later stop takes it again.
pub fn put_away(place: &SelfReportPlace) -> io::Result<()> {
    match place {
        SelfReportPlace::Named(path) => {
            let mut merged = path.clone().into_os_string();
            merged.push(".merged");
            std::fs::rename(path, merged)
        }
        SelfReportPlace::Usual(folder, name) => folder.rename(name, &format!("{name}.merged")),
    }
}

/// Writes `report` to `place`.
pub fn write(place: &SelfReportPlace, report: &SelfReport) -> io::Result<()> {
    let text = Redacted::new(report)?.pretty();
    match place {
        SelfReportPlace::Usual(folder, name) => folder.write_atomically(name, &text),
        SelfReportPlace::Named(path) => {
            let (Some(parent), Some(name)) = (path.parent(), path.file_name().and_then(|name| name.to_str()))
            else {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidInput,
                    format!("{} names no file", path.display()),
                ));
            };
            let parent = if parent == Path::new("") { Path::new(".") } else { parent };
            Folder::named_by_user(parent)?.write_atomically(name, &text)
        }
    }
}
