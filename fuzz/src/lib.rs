//! Every parser of Hansei against any bytes.
//!
//! A target takes bytes and panics where something does not hold: nothing more than the parser's own panic where no
//! property is cheap, and more where one is. The same targets run on the committed corpus in the tests, on mutations of
//! it with a fixed seed, and under libFuzzer (`scripts/fuzz`).
//!
//! Adding a target is a file in `targets/`, a row in [`TARGETS`] and at least one file in `corpus/<target>/`.
#![allow(clippy::expect_used, clippy::unwrap_used, clippy::panic, reason = "a target tells by a panic")]

pub mod corpus;
mod scratch;
mod session_holds;
mod targets;

/// Something that takes any bytes.
#[derive(Debug)]
pub struct Target {
    /// Its name, which is also that of its folder in the corpus.
    pub name: &'static str,
    /// Takes the bytes; panics where something does not hold.
    pub run: fn(&[u8]),
    /// Ordinary inputs to begin from, read where they lie in the repository.
    pub samples: fn() -> Vec<Vec<u8>>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    targets::claude_code::TARGET,
    targets::codex::TARGET,
    targets::gemini::TARGET,
    targets::opencode::RECORDS,
    targets::opencode::DATABASE,
    targets::session_event::TARGET,
    targets::atif::TARGET,
    targets::messages::TARGET,
    targets::patch::TARGET,
    targets::payload::TARGET,
    targets::settings_json::TARGET,
    targets::settings_toml::TARGET,
    targets::trust::TARGET,
    targets::shell_line::TARGET,
    targets::runner_output::TARGET,
    targets::event_log::TARGET,
    targets::records::TARGET,
    targets::receipt::TARGET,
    targets::redact::TARGET,
    targets::hansei_toml::TARGET,
    targets::git::TARGET,
    targets::history::TARGET,
    targets::package_manifest::TARGET,
    targets::names::TARGET,
    targets::script::TARGET,
    targets::wire_request::TARGET,
    targets::eval_file::TARGET,
    targets::told_calls::TARGET,
    targets::words::TARGET,
    targets::escalation::TARGET,
    targets::decisions::TARGET,
    targets::verification::TARGET,
    targets::labelled_answer::TARGET,
    targets::text_edit::TARGET,
    targets::tool_input::TARGET,
    targets::probe::TARGET,
    targets::run::LOG,
    targets::run::SPEC,
    targets::run::TEAM,
];

/// The target called `name`.
pub fn target_named(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}
