//! Sessions that are handed to a command, as trajectories or as chat messages: one JSON object a line, or one over several.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use hansei_agents::{atif, messages};
use hansei_core::session::SessionEvent;
use serde_json::Value;

use crate::failure::Failure;

/// The form that sessions come in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Atif,
    /// OpenAI's or Anthropic's chat messages.
    Messages,
}

// Where the sessions of a command come from. No doc comment: it would become the help of whoever takes these up.
#[derive(Debug, clap::Args)]
pub struct Source {
    /// The form of the sessions.
    #[arg(long, value_enum, default_value_t = Format::Atif)]
    format: Format,
    /// Files with sessions, `-` for standard input.
    #[arg(default_value = "-")]
    files: Vec<PathBuf>,
}

/// A session that was handed in.
#[derive(Debug)]
pub struct Given {
    /// What it is called, or its number.
    pub name: String,
    /// What happened in it, or why that cannot be read.
    pub events: Result<Vec<SessionEvent>, String>,
}

impl Source {
    /// Gives each session to `take`, in order.
    pub fn each(&self, mut take: impl FnMut(&Given)) -> Result<(), Failure> {
        for file in &self.files {
            let text = read(file)?;
            for (number, one) in split(&text).into_iter().enumerate() {
                take(&Given::of(one, number, self.format));
            }
        }
        Ok(())
    }
}

impl Given {
    fn of(text: &str, number: usize, format: Format) -> Self {
        let named: Value = serde_json::from_str(text).unwrap_or_default();
        let name = ["session", "session_id", "id"].iter().find_map(|key| named[key].as_str());
        let name = name.map_or_else(|| format!("{}", number + 1), ToOwned::to_owned);
        let events = match format {
            Format::Atif => atif::import(text.as_bytes()).map_err(|error| error.to_string()),
            Format::Messages => messages::import(text.as_bytes()).map_err(|error| error.to_string()),
        };
        Self { name, events }
    }
}

fn read(file: &Path) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    if file.as_os_str() == "-" {
        std::io::stdin().lock().read_to_end(&mut bytes)?;
    } else {
        let failed = |error| Failure::environment(format!("{} cannot be read: {error}", file.display()));
        std::fs::File::open(file).map_err(failed)?.read_to_end(&mut bytes).map_err(failed)?;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The sessions in a text: one a line, or the whole text where that is one JSON value over several lines.
fn split(text: &str) -> Vec<&str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let whole = lines.len() > 1
        && serde_json::from_str::<serde::de::IgnoredAny>(lines[0]).is_err()
        && serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    if whole { vec![text] } else { lines }
}
