//! What Hansei keeps on disk: logs, sidecars, self-reports and settings. The only crate that writes our files, and it
//! writes only what went through [`redact`].

pub mod clock;
pub mod folder;
pub mod log;
pub mod places;
pub mod redact;
pub mod redacted;
pub mod self_report;
pub mod settings;
pub mod sidecar;
