//! Servers in a TOML file, as Codex keeps them: `[mcp_servers.hansei]`, appended at the end of the file.

use std::ops::Range;

use toml_edit::{Item, Table, TableLike, Value};

use super::{NAME, Registered, recognised};
use crate::settings_edit::toml::{append, cut, parse};
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
    let before = edited.text.clone();
    append(edited, vec![key.to_owned(), NAME.to_owned()], &format!("[{key}.{NAME}]\n{entry}"));
    // Servers that are written as one value, `mcp_servers = {…}`, cannot be gone on with tables, and behind
    // `[[mcp_servers]]` ours would be read as part of the last one: only what is found again may be written.
    if matches!(registered(&edited.text, key), Ok(Registered::Ours { .. })) {
        return Ok(());
    }
    let at = parse(&before)?.get(key).and_then(Item::span).map_or(0, |span| span.start);
    let message = format!("{key:?} is written here in a way that cannot be added to; a table is needed");
    Err(EditError::at(&before, at, message))
}

/// Takes our table out as a whole, with whatever was put into it: a key that is left behind would fall to the table before.
/// A comment below its last key belongs to what comes next.
pub(super) fn remove(text: &str, key: &str, insertions: &[Insertion]) -> Result<String, EditError> {
    let lead = insertions.iter().find(|insertion| {
        insertion.inside.as_ref().is_some_and(|inside| inside.iter().map(String::as_str).eq([key, NAME]))
    });
    let lead = lead.map_or("", |insertion| insertion.lead.as_str());
    let left = match lines_of_table(text, key)? {
        Some(range) => cut(text, range, lead),
        None => text.to_owned(),
    };
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

/// The lines of our table, from its header to its last key; none where it is written otherwise.
fn lines_of_table(text: &str, key: &str) -> Result<Option<Range<usize>>, EditError> {
    let document = parse(text)?;
    let servers = document.get(key).and_then(Item::as_table);
    let table = servers.and_then(|servers| servers.get(NAME)).and_then(Item::as_table);
    let Some(table) = table.filter(|table| !table.is_implicit() && !table.is_dotted()) else {
        return Ok(None);
    };
    let Some(header) = table.span() else { return Ok(None) };
    let start = text[..header.start].rfind('\n').map_or(0, |newline| newline + 1);
    let last = end_of_values(table).map_or(header.end, |end| end.max(header.end));
    let end = text[last..].find('\n').map_or(text.len(), |newline| last + newline + 1);
    Ok(Some(start..end))
}

/// Where the last value under a table's own header ends.
fn end_of_values(table: &Table) -> Option<usize> {
    let end = |(_, item): (&str, &Item)| match item {
        Item::Value(value) => value.span().map(|span| span.end),
        Item::Table(table) if table.is_dotted() => end_of_values(table),
        _ => None,
    };
    table.iter().filter_map(end).max()
}
