//! The part of a Spec that verification needs: its commands.

use serde::Deserialize;

/// The most commands that a Spec may ask for.
const MOST: usize = 100;

/// A Spec that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct BadSpec(String);

#[derive(Deserialize)]
struct Spec {
    #[serde(default)]
    verification: Vec<Command>,
}

/// A command line, or one with a name beside it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Command {
    Line(String),
    Named { command: String },
}

/// The commands of a Spec, which is YAML with a list `verification`. Other keys are not looked at.
pub fn read(text: &str) -> Result<Vec<String>, BadSpec> {
    let options = serde_saphyr::options! {
        strict_booleans: true,
        with_snippet: false,
        budget: serde_saphyr::budget! { max_events: 100_000, max_aliases: 1_000, max_depth: 50 },
    };
    let spec: Spec = serde_saphyr::from_str_with_options(text, options)
        .map_err(|error| BadSpec(format!("not a Spec: {error}")))?;
    if spec.verification.len() > MOST {
        return Err(BadSpec(format!("more than {MOST} commands under `verification`")));
    }
    let line = |command| match command {
        Command::Line(line) | Command::Named { command: line } => line,
    };
    Ok(spec.verification.into_iter().map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_read() {
        let text = "goal: x\nverification:\n  - test -f a\n  - command: pytest\n    why: y\n";
        assert_eq!(read(text).unwrap(), ["test -f a", "pytest"]);
        assert_eq!(read("goal: x").unwrap(), [""; 0]);
        for bad in ["verification: 3", "verification:\n  - [a]", "- a", "a: ["] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
