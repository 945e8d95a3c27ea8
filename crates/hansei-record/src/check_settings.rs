//! Settings of a project's own checks.
//!
//! A repository may declare them, and declaring is all that it does until the user trusts that very file (`hansei trust`).
//! The GitHub Action runs those of the base branch, on a machine that is there for running the project's code.

use serde::{Deserialize, Serialize};

/// The project's checks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckSettings {
    /// Command lines, each of which passes when it exits with 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty", deserialize_with = "lines")]
    pub commands: Vec<String>,
}

/// Each command is one line: lists of them are passed on line by line.
fn lines<'de, D: serde::Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    let commands = Vec::<String>::deserialize(input)?;
    match commands.iter().find(|command| command.trim().is_empty() || command.contains(char::is_control)) {
        Some(bad) => Err(serde::de::Error::custom(format_args!("the check {bad:?} is not one line of text"))),
        None => Ok(commands),
    }
}
