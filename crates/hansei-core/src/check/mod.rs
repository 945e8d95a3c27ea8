//! Checks: commands whose own result decides, such as `cargo test` or `tsc`.
//!
//! [`read_command`] finds the checks in a shell command line and says whether the line's exit code is theirs.
//! [`outcomes`] joins that with the code and the output. An exit code counts only when it is the check's own; otherwise the
//! runner's own summary decides, and without one nobody knows. Nothing run is never a pass.
//!
//! Every tool call of a transcript comes through here, so a line that cannot hold a check is turned away by comparing
//! words, before anything is parsed.

mod arguments;
pub(crate) mod environment;
mod hint;
mod known_checks;
mod line_state;
mod mask_reason;
mod masked_exit;
mod outcome;
mod read;
mod recognise;
mod shell_ends;
mod shell_line;
mod shell_words;
mod step;
mod summary;
mod task_names;
mod told;
mod variables;
mod windows;
mod words;
mod wrapper;

pub(crate) use known_checks::{knows_program, names_a_checker};
pub use outcome::{CheckOutcome, CheckResult, Why, outcome, outcomes};
pub use read::{CommandReading, PlainCommand, commands, hides_failure, read_command};
pub use summary::Summary;
pub use told::{names_check, sums_up, told};
pub(crate) use variables::bears;

use serde::{Deserialize, Serialize};

/// The lines of an output as a person sees them: its end, without colours.
pub(crate) fn clean_lines(output: &str) -> Vec<String> {
    summary::clean(output).text().lines().iter().map(|line| (*line).to_owned()).collect()
}

/// A check: a command whose own result decides.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// What it checks.
    pub kind: CheckKind,
    /// The world it belongs to.
    pub ecosystem: Ecosystem,
    /// The program that runs it, by the name people know: `cargo test`, `pytest`.
    pub runner: &'static str,
    /// The command itself, without wrappers, assignments and redirections.
    pub text: String,
    /// The paths, packages and test filters it names; empty means everything.
    pub scope: Vec<String>,
    /// The folder that the line changed to before it, as written.
    pub folder: Option<String>,
    /// The variables set for it that decide what it is or what it looks at, as `NAME=value`.
    pub settings: Vec<String>,
    /// Whether what it says goes into a file, or nowhere.
    pub into_file: bool,
}

impl Check {
    fn of(kind: CheckKind, ecosystem: Ecosystem, runner: &'static str, scope: Vec<String>) -> Self {
        let (text, folder, settings) = (String::new(), None, Vec::new());
        Self { kind, ecosystem, runner, text, scope, folder, settings, into_file: false }
    }
}

/// What a check checks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CheckKind {
    /// Runs tests, or everything at once.
    Test,
    /// Compiles or bundles.
    Build,
    /// Looks for mistakes without running the program.
    Lint,
    /// Checks types only.
    TypeCheck,
    /// Asks whether the code is formatted, without changing it.
    Format,
}

/// The world of tools that a check belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Ecosystem {
    Rust,
    Node,
    Deno,
    Python,
    Go,
    Java,
    DotNet,
    Ruby,
    Php,
    C,
    Swift,
    Elixir,
    Make,
    Shell,
    Other,
}

/// What the exit code of a whole command line tells about one check in it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ExitMeaning {
    /// It is the check's own.
    Own,
    /// Zero says that the check passed; anything else may be another command's.
    Shared,
    /// It tells nothing, but the line prints the check's own code after this text.
    Printed(String),
    /// It tells nothing, but after this text the line prints a code that is zero only where the check passed.
    PrintedShared(String),
    /// It tells nothing.
    Masked(MaskReason),
}

/// Why an exit code tells nothing about a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaskReason {
    /// Its output goes into another command, whose code counts.
    Pipe(View),
    /// Another command takes over when it fails: `|| true`.
    Fallback,
    /// It runs only when another command fails.
    Alternative,
    /// Another command comes after it: `; echo done`.
    FollowedBy,
    /// It runs in the background.
    Background,
    /// It runs inside `$(…)`.
    Substitution,
    /// It is the condition of an `if` or a loop.
    Condition,
    /// It runs in one branch only.
    Branch,
    /// It runs in a loop.
    Loop,
    /// It is part of a function that is only defined here.
    Function,
    /// `!` turns its code around.
    Negated,
    /// A command around it swallows the code.
    Wrapper,
    /// The line has more structure than anybody reads.
    Unread,
}

/// How much of a check's output is left behind a pipe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum View {
    /// All of it, or its end, where summaries stand.
    End,
    /// Chosen lines, among them those that would tell of a failure.
    Failures,
    /// Its beginning.
    Start,
    /// Lines chosen in a way that may leave failures out.
    Part,
}

#[cfg(test)]
mod tests;
