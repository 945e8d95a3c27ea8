//! What Hansei keeps on disk: logs, sidecars, self-reports, settings and caches. The only crate that writes our files, and it
//! writes only what went through [`redact`]. It also writes agents' settings files, whose text is not ours to redact.

pub mod cache;
pub mod check_settings;
pub mod clock;
pub mod debug_log;
pub mod decided_files;
pub mod escalation_file;
pub mod eval_results;
pub mod folder;
pub mod foreign_time;
pub mod installed;
pub mod judge_settings;
pub mod log;
pub mod notify_settings;
pub mod opted_in;
pub mod places;
pub mod redact;
pub mod redacted;
pub mod run_log;
pub mod run_settings;
pub mod sandbox_settings;
pub mod self_report;
pub mod settings;
pub mod settings_file;
pub mod sidecar;
pub mod since;
pub mod stop_settings;
pub mod store_settings;
pub mod trusted;
pub mod verdict_file;
pub mod verify_settings;
