//! Our MCP server in an agent's own settings: `hansei` under the key that the agent keeps its servers under, put in and taken
//! out without touching any other byte.
//!
//! What is there is told by what it starts, not by how it is written: agents write these files anew, and users add to them.

mod json;
#[cfg(test)]
mod tests;
mod toml;

use std::ops::Range;
use std::path::Path;

use crate::settings_edit::{EditError, Edited, Insertion};
use crate::setup::Servers;

/// What the server is called in every agent's settings.
pub const NAME: &str = "hansei";
/// The command of our program that serves.
const COMMAND: &str = "mcp";

/// What stands in an agent's settings under our name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Registered {
    /// Nothing.
    Nobody,
    /// Our server.
    Ours {
        /// The program that is started.
        program: String,
        /// Where its text stands, quotes included.
        range: Range<usize>,
    },
    /// Something that starts another program.
    Others {
        /// Where it stands.
        at: usize,
    },
}

/// What a server's words (its program and arguments) make of it.
fn recognised(words: Vec<(String, Range<usize>)>, at: usize) -> Registered {
    let is_ours = |program: &str| {
        Path::new(program).file_name().is_some_and(|name| name.to_string_lossy().contains(NAME))
    };
    let serves = words.get(1).is_some_and(|(word, _)| word == COMMAND);
    match words.into_iter().next() {
        Some((program, range)) if serves && is_ours(&program) => Registered::Ours { program, range },
        _ => Registered::Others { at },
    }
}

fn is_toml(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// Who is registered under our name in the text of `file`.
pub fn registered(file: &Path, text: &str, servers: &Servers) -> Result<Registered, EditError> {
    if is_toml(file) { toml::registered(text, servers.key) } else { json::registered(text, servers.key) }
}

/// Puts our server in, started with `program`; one of ours that names another program is changed in place.
pub fn install(file: &Path, text: &str, servers: &Servers, program: &str) -> Result<Edited, EditError> {
    let mut edited = Edited { text: text.to_owned(), insertions: Vec::new(), changed: Vec::new() };
    let literal = serde_json::Value::from(program).to_string();
    match registered(file, text, servers)? {
        Registered::Ours { program: known, .. } if known == program => {}
        Registered::Ours { range, .. } => {
            let old = text[range.clone()].to_owned();
            edited.text.replace_range(range, &literal);
            edited.changed.push((old, literal));
        }
        Registered::Others { at } => {
            let message = format!("a server called {NAME:?} is there and starts another program");
            return Err(EditError::at(text, at, message));
        }
        Registered::Nobody => {
            let entry = (servers.entry)(&literal);
            let insert = if is_toml(file) { toml::insert } else { json::insert };
            insert(&mut edited, servers.key, &entry)?;
        }
    }
    Ok(edited)
}

/// Takes our server out, and then whatever else `insertions` put in and nobody uses.
pub fn uninstall(
    file: &Path,
    text: &str,
    servers: &Servers,
    insertions: &[Insertion],
) -> Result<String, EditError> {
    if !matches!(registered(file, text, servers)?, Registered::Ours { .. }) {
        return Ok(text.to_owned());
    }
    let remove = if is_toml(file) { toml::remove } else { json::remove };
    remove(text, servers.key, insertions)
}

/// Whether an insertion was made for our server.
pub fn is_for_server(insertion: &Insertion, servers: &Servers) -> bool {
    match (&insertion.inside, &insertion.key) {
        (Some(inside), _) if !inside.is_empty() => inside[0] == servers.key,
        (_, Some(key)) => key == servers.key,
        _ => false,
    }
}
