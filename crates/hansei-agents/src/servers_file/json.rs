//! Servers in a JSON file: `{"<key>": {"hansei": {"command": …}}}`, the command one text beside `args`, or one list.

use std::ops::Range;

use super::{NAME, Registered, recognised};
use crate::settings_edit::json::{
    insert_member, insert_root, remove_item, remove_member_if_empty, remove_root,
};
use crate::settings_edit::json_document::{Document, Kind, Node};
use crate::settings_edit::{EditError, Edited, Insertion};

pub(super) fn registered(text: &str, key: &str) -> Result<Registered, EditError> {
    let document = Document::parse(text)?;
    let Some(root) = document.root() else { return Ok(Registered::Nobody) };
    let is_object = |node: &Node, what: &str| match node.kind {
        Kind::Object(_) => Ok(()),
        _ => Err(EditError::at(text, node.range.start, format!("{what} is not an object"))),
    };
    is_object(root, "the file's value")?;
    let Some(servers) = root.member(key) else { return Ok(Registered::Nobody) };
    is_object(&servers.value, &format!("{key:?}"))?;
    let Some(server) = servers.value.member(NAME) else { return Ok(Registered::Nobody) };
    let command = server.value.member("command").map(|member| &member.value);
    let arguments = server.value.member("args").map(|member| &member.value);
    let words = [command, arguments].into_iter().flatten().flat_map(words).collect();
    Ok(recognised(words, server.range.start))
}

/// A text, or the texts of a list.
fn words(node: &Node) -> Vec<(String, Range<usize>)> {
    let word = |node: &Node| match &node.kind {
        Kind::Text(text) => Some((text.clone(), node.range.clone())),
        _ => None,
    };
    word(node).into_iter().chain(node.elements().iter().filter_map(word)).collect()
}

pub(super) fn insert(edited: &mut Edited, key: &str, entry: &str) -> Result<(), EditError> {
    if Document::parse(&edited.text)?.root().is_none() {
        keep(edited, insert_root(&edited.text));
    }
    if Document::parse(&edited.text)?.get(&[key.to_owned()]).is_none() {
        keep(edited, insert_member(&edited.text, &[], key, "{}")?);
    }
    keep(edited, insert_member(&edited.text, &[key.to_owned()], NAME, entry)?);
    Ok(())
}

fn keep(edited: &mut Edited, (text, insertion): (String, Insertion)) {
    edited.text = text;
    edited.insertions.push(insertion);
}

pub(super) fn remove(text: &str, key: &str, insertions: &[Insertion]) -> Result<String, EditError> {
    let path = [key.to_owned()];
    let document = Document::parse(text)?;
    let place = match document.get(&path).map(|servers| &servers.kind) {
        Some(Kind::Object(members)) => members.iter().rposition(|member| member.key == NAME),
        _ => None,
    };
    let Some(place) = place else { return Ok(text.to_owned()) };
    let is_ours = |insertion: &&Insertion| {
        insertion.key.as_deref() == Some(NAME) && insertion.inside.as_deref() == Some(path.as_slice())
    };
    let recorded = insertions.iter().find(is_ours);
    let mut text = remove_item(text, &path, place, recorded)?;
    if recorded.is_none() {
        // Somebody else put it there: an object that it leaves empty goes with it.
        return remove_member_if_empty(&text, &[], key, None);
    }
    for insertion in insertions.iter().rev().filter(|insertion| !is_ours(insertion)) {
        text = match (&insertion.inside, &insertion.key) {
            (None, _) => remove_root(&text, insertion)?,
            (Some(inside), Some(key)) => remove_member_if_empty(&text, inside, key, Some(insertion))?,
            (Some(_), None) => text,
        };
    }
    Ok(text)
}
