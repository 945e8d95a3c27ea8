//! An eval file as it is run: its prompts, its providers and its cases, checked before anything is asked.

mod assertion;
mod cases;
mod csv_cases;
mod keys;
mod prompts;
mod provider_entry;

pub use assertion::{Assertion, AssertionSet, Check, Given, Kind, Letters, Transform};
pub use cases::Case;
pub use prompts::Prompt;
pub use provider_entry::ProviderEntry;

use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use crate::files::{Files, read_text};
use crate::{Problem, yaml};

/// An eval file.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The file, as it was named.
    pub file: String,
    /// The folder that its providers' programs start in.
    pub folder: PathBuf,
    /// What it says it is about.
    pub description: Option<String>,
    /// Its prompts; every case is asked with each, unless it names some.
    pub prompts: Vec<Prompt>,
    /// Its own providers; empty where the caller brings others.
    pub providers: Vec<ProviderEntry>,
    /// Its cases, with the defaults merged in and lists of values unfolded.
    pub cases: Vec<Case>,
    /// How often each case is asked, where the file says so.
    pub repeat: Option<u32>,
}

/// Whether the file's own providers are wanted. Where they are not, nothing of them need be known or present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OwnProviders {
    /// They are asked.
    Wanted,
    /// Others are asked instead.
    Replaced,
}

impl Suite {
    /// Reads the eval file at `file`, seen from the folder `current`.
    pub fn load(file: &Path, current: &Path, own: OwnProviders) -> Result<Self, Problem> {
        let place = file.display().to_string();
        let text = read_text(&current.join(file))
            .map_err(|error| Problem::new(&place, format!("it cannot be read: {error}")))?;
        let Value::Object(written) = yaml::parse(&text, &place)? else {
            return Err(Problem::new(&place, "an eval file is a map with prompts, providers and tests"));
        };
        let files = Files::around(file, current);
        keys::check(&written, keys::FILE, &place, "")?;
        let providers = match own {
            OwnProviders::Wanted => provider_entry::list(&written, &place)?,
            OwnProviders::Replaced => Vec::new(),
        };
        let prompts = prompts::list(written.get("prompts"), &files, &place)?;
        let cases = cases::list(&written, &prompts, &files, &place)?;
        Ok(Self {
            description: written.get("description").and_then(Value::as_str).map(ToOwned::to_owned),
            folder: files.folder().to_owned(),
            repeat: repeat(&written, &place)?,
            file: place,
            prompts,
            providers,
            cases,
        })
    }
}

fn repeat(written: &Map<String, Value>, place: &str) -> Result<Option<u32>, Problem> {
    for (key, known) in [("evaluateOptions", keys::EVALUATE), ("commandLineOptions", keys::COMMAND_LINE)] {
        match written.get(key) {
            None | Some(Value::Null) => {}
            Some(Value::Object(options)) => keys::check(options, known, place, key)?,
            Some(_) => return Err(Problem::new(place, format!("{key} is a map"))),
        }
    }
    let given =
        ["evaluateOptions", "commandLineOptions"].iter().find_map(|key| written.get(*key)?.get("repeat"));
    given.map(|value| cases::count(value, place, "repeat")).transpose()
}

#[cfg(test)]
mod tests;
