//! Servers in a TOML file, as Codex keeps them: `[mcp_servers.hansei]`, appended at the end of the file.

use std::ops::Range;

use toml_edit::{Item, TableLike, Value};

use super::{NAME, Registered, recognised};
use crate::settings_edit::toml::{append, parse, without};
use crate::settings_edit::{EditError, Edited, Insertion};

pub(super) fn registered(text: &str, key: &str) -> Result<Registered, EditError> {
    let document = parse(text)?;
    let server = document.get(key).and_then(Item::as_table_like).and_then(|servers| servers.get(NAME));
    let Some(server) = server else { return Ok(Registered::Nobody) };
    let at = server.span().map_or(0, |span| span.start);
    let Some(table) = server.as_table_like() else { return Ok(Registered::Others { at }) };
    Ok(recognised(words(table), at))
}

fn words(server: &dyn TableLike) -> Vec<(String, Range<usize>)> {
    let word = |value: &Value| Some((value.as_str()?.to_owned(), value.span()?));
    let command = server.get("command").and_then(Item::as_value).and_then(word);
    let arguments = server.get("args").and_then(Item::as_array).into_iter().flatten().filter_map(word);
    command.into_iter().chain(arguments).collect()
}

pub(super) fn insert(edited: &mut Edited, key: &str, entry: &str) -> Result<(), EditError> {
    let lines = format!("[{key}.{NAME}]\n{entry}");
    append(edited, vec![key.to_owned(), NAME.to_owned()], &lines);
    // Servers that are written as one value, `mcp_servers = {…}`, cannot be gone on with tables.
    parse(&edited.text).map(|_| ()).map_err(|error| EditError {
        message: format!("the servers here are written in a way that cannot be added to ({})", error.message),
        ..error
    })
}

pub(super) fn remove(text: &str, key: &str, insertions: &[Insertion]) -> Result<String, EditError> {
    let left = without(text, key, insertions);
    match registered(&left, key)? {
        Registered::Nobody => Ok(left),
        Registered::Ours { range: Range { start: at, .. }, .. } | Registered::Others { at } => {
            Err(EditError::at(
                &left,
                at,
                format!("the server {NAME} was changed by somebody; take its tables out by hand"),
            ))
        }
    }
}
