//! Specs on disk: `.hansei/specs/<id>.yaml`, for people to read and edit. The log is the truth.

use std::io;

use hansei_core::run::spec::Spec;
use hansei_record::folder::Folder;
use hansei_record::redact::redact;

/// How far a Spec is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    InReview,
    Confirmed,
    Rejected,
    Parked,
}

/// Writes a Spec with how far it is.
pub(super) fn write(folder: &Folder, id: &str, spec: &Spec, status: Status) -> io::Result<()> {
    let status = match status {
        Status::InReview => "in_review",
        Status::Confirmed => "confirmed",
        Status::Rejected => "rejected",
        Status::Parked => "parked",
    };
    let text = format!("spec_id: {id}\nstatus: {status}\n{}", spec.yaml());
    folder.write_atomically(&format!("{id}.yaml"), redact(&text).as_bytes())
}
