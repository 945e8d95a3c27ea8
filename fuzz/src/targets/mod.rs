//! One file a subject.

pub(crate) mod atif;
pub(crate) mod claude_code;
pub(crate) mod codex;
pub(crate) mod eval_file;
pub(crate) mod event_log;
pub(crate) mod gemini;
pub(crate) mod git;
pub(crate) mod hansei_toml;
pub(crate) mod messages;
pub(crate) mod names;
pub(crate) mod opencode;
pub(crate) mod package_manifest;
pub(crate) mod patch;
pub(crate) mod payload;
pub(crate) mod receipt;
pub(crate) mod records;
pub(crate) mod redact;
pub(crate) mod runner_output;
pub(crate) mod script;
pub(crate) mod session_event;
pub(crate) mod settings_json;
pub(crate) mod settings_toml;
pub(crate) mod shell_line;
mod transcript;
pub(crate) mod trust;
mod wanted_hooks;
pub(crate) mod wire_request;
