//! Hooks in a JSON settings file of the shape that Claude Code, Codex and Gemini CLI share:
//! `{"hooks": {"<Event>": [{"hooks": [{"type": "command", "command": "…"}]}]}}`.

use std::ops::Range;

use hansei_core::reflection::Mode;

use crate::hook_command::recognise;
use crate::settings_edit::json::{
    append_element, insert_member, insert_root, remove_from, remove_item, remove_member_if_empty, remove_root,
};
use crate::settings_edit::json_document::{Document, Kind, Node};
use crate::settings_edit::{EditError, Edited, Insertion};

const HOOKS: &str = "hooks";

/// A hook that is to be there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Wanted {
    /// The agent's name of the event.
    pub event: &'static str,
    /// The command.
    pub command: String,
    /// The handler as JSON, command included.
    pub handler: String,
    /// Its time limit.
    pub seconds: u32,
}

/// One of our hooks that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// The agent's name of the event.
    pub event: String,
    /// The command.
    pub command: String,
    /// The handler's time limit, in the agent's unit.
    pub timeout: Option<u64>,
    /// The mode that the command names.
    pub mode: Mode,
    /// The place of its group among the event's groups.
    pub group: usize,
    /// Its place in the group.
    pub handler: usize,
    /// Where the command's text stands, quotes included.
    pub(crate) range: Range<usize>,
}

/// Puts the wanted hooks in: appended where they are missing, changed in place where they name another mode or program.
pub fn install(text: &str, agent: &str, wanted: &[Wanted]) -> Result<Edited, EditError> {
    let mut edited = Edited { text: text.to_owned(), insertions: Vec::new(), changed: Vec::new() };
    if Document::parse(&edited.text)?.root().is_none() {
        keep(&mut edited, insert_root(text));
    }
    for hook in wanted {
        let there: Vec<Found> =
            found(&edited.text, agent)?.into_iter().filter(|found| found.event == hook.event).collect();
        for found in there.iter().rev().filter(|found| found.command != hook.command) {
            let command = serde_json::Value::from(hook.command.as_str()).to_string();
            let old = edited.text[found.range.clone()].to_owned();
            edited.text.replace_range(found.range.clone(), &command);
            edited.changed.push((old, command));
        }
        if there.is_empty() {
            let event_path = ensure_list(&mut edited, hook.event)?;
            let group = format!(r#"{{ "hooks": [{}] }}"#, hook.handler);
            let appended = append_element(&edited.text, &event_path, &group)?;
            keep(&mut edited, appended);
        }
    }
    Ok(edited)
}

fn keep(edited: &mut Edited, (text, insertion): (String, Insertion)) {
    edited.text = text;
    edited.insertions.push(insertion);
}

/// Makes sure that there is a list for `event`, and gives its path.
fn ensure_list(edited: &mut Edited, event: &str) -> Result<Vec<String>, EditError> {
    let path = [HOOKS.to_owned(), event.to_owned()];
    for (depth, key) in path.iter().enumerate() {
        if Document::parse(&edited.text)?.get(&path[..=depth]).is_none() {
            let empty = if depth == 0 { "{}" } else { "[]" };
            let inserted = insert_member(&edited.text, &path[..depth], key, empty)?;
            keep(edited, inserted);
        }
    }
    Ok(path.to_vec())
}

/// Our hooks for `agent`. A file whose hooks have another shape than the agent reads is an error.
pub fn found(text: &str, agent: &str) -> Result<Vec<Found>, EditError> {
    let document = Document::parse(text)?;
    let Some(root) = document.root() else {
        return Ok(Vec::new());
    };
    let shaped = |node: &Node, what: &str, fits: bool| {
        if fits { Ok(()) } else { Err(EditError::at(text, node.range.start, what)) }
    };
    shaped(root, "the file does not hold an object", matches!(root.kind, Kind::Object(_)))?;
    let Some(hooks) = root.member(HOOKS) else {
        return Ok(Vec::new());
    };
    let Kind::Object(events) = &hooks.value.kind else {
        return Err(EditError::at(text, hooks.value.range.start, "\"hooks\" is not an object"));
    };
    let mut all = Vec::new();
    for event in events {
        let Kind::Array(groups) = &event.value.kind else {
            // Gemini CLI once kept switches such as `enabled` here: what is no list is nobody's hook.
            continue;
        };
        for (group, node) in groups.iter().enumerate() {
            let handlers = node.member(HOOKS).map_or(&[][..], |member| member.value.elements());
            for (handler, node) in handlers.iter().enumerate() {
                let Some(command) = node.member("command") else { continue };
                let Kind::Text(name) = &command.value.kind else { continue };
                let Some(mode) = recognise(name, agent) else { continue };
                let timeout =
                    node.member("timeout").and_then(|timeout| text[timeout.value.range.clone()].parse().ok());
                all.push(Found {
                    event: event.key.clone(),
                    command: name.clone(),
                    timeout,
                    mode,
                    group,
                    handler,
                    range: command.value.range.clone(),
                });
            }
        }
    }
    Ok(all)
}

/// Takes our hooks out, and then whatever else `insertions` put in and nobody uses.
///
/// Without a record of the insertions (somebody else installed them), a list or object that our hook leaves empty goes
/// with it.
pub fn uninstall(text: &str, agent: &str, insertions: &[Insertion]) -> Result<String, EditError> {
    let mut text = text.to_owned();
    let mut emptied = Vec::new();
    while let Some(hook) = found(&text, agent)?.pop() {
        let path = vec![HOOKS.to_owned(), hook.event.clone()];
        let recorded = insertions.iter().find(|insertion| {
            insertion.key.is_none() && insertion.inside.as_ref().is_some_and(|inside| *inside == path)
        });
        text = remove_hook(&text, &hook, &path, recorded)?;
        emptied.push(hook.event);
    }
    if insertions.is_empty() {
        for event in emptied {
            text = remove_member_if_empty(&text, &[HOOKS.to_owned()], &event, None)?;
        }
        return remove_member_if_empty(&text, &[], HOOKS, None);
    }
    for insertion in insertions.iter().rev() {
        text = match (&insertion.inside, &insertion.key) {
            (None, _) => remove_root(&text, insertion)?,
            (Some(inside), Some(key)) => remove_member_if_empty(&text, inside, key, Some(insertion))?,
            (Some(_), None) => text,
        };
    }
    Ok(text)
}

/// Takes out a hook with its group, or without it where others put theirs beside ours.
fn remove_hook(
    text: &str,
    hook: &Found,
    path: &[String],
    recorded: Option<&Insertion>,
) -> Result<String, EditError> {
    let document = Document::parse(text)?;
    let group = document.get(path).and_then(|list| list.elements().get(hook.group));
    let Some(handlers) = group.and_then(|group| group.member(HOOKS)) else {
        return Ok(text.to_owned());
    };
    if handlers.value.elements().len() == 1 {
        return remove_item(text, path, hook.group, recorded);
    }
    let items: Vec<Range<usize>> =
        handlers.value.elements().iter().map(|element| element.range.clone()).collect();
    Ok(remove_from(text, &document, &handlers.value, &items, hook.handler, None))
}

#[cfg(test)]
mod tests;
