//! Hooks in a TOML file, as Codex reads them: tables appended at the end of the file, and taken out again.
//!
//! The whole of an appended text is recorded and looked for again; TOML has no separators that would have to go with it.

use std::ops::Range;

use toml_edit::{Document, Item, TableLike};

use super::{EditError, Edited, Insertion, newline_of};
use crate::hook_command::recognise;
use crate::hooks_file::{Found, Wanted};

const HOOKS: &str = "hooks";
/// What Codex itself remembers of hooks, beside the hooks.
const STATE: &str = "state";

/// The document, or where it is none.
pub(crate) fn parse(text: &str) -> Result<Document<&str>, EditError> {
    Document::parse(text).map_err(|error| {
        let offset = error.span().map_or(0, |span| span.start);
        EditError::at(text, offset, error.message().trim().replace('\n', ", "))
    })
}

/// Whether the file holds hooks of anybody.
pub fn holds_hooks(text: &str) -> Result<bool, EditError> {
    let document = parse(text)?;
    let hooks = document.get(HOOKS).and_then(Item::as_table_like);
    Ok(hooks.is_some_and(|hooks| hooks.iter().any(|(key, _)| key != STATE)))
}

/// Appends the wanted hooks where they are missing; changes those in place that name another mode or program.
pub fn install(text: &str, agent: &str, wanted: &[Wanted]) -> Result<Edited, EditError> {
    let at = parse(text)?.get(HOOKS).and_then(Item::span).map_or(0, |span| span.start);
    // A list that is written as a value, `Stop = […]`, cannot be gone on with tables, and behind `[[hooks]]` ours would be
    // read as part of its last table: only what is found again may be written.
    let is_found = |edited: &Edited| {
        let there = found(&edited.text, agent).unwrap_or_default();
        wanted.iter().all(|hook| there.iter().any(|found| found.event == hook.event))
    };
    put_in(text, agent, wanted)
        .ok()
        .filter(is_found)
        .ok_or_else(|| EditError::at(text, at, "the hooks here are written in a way that cannot be added to"))
}

fn put_in(text: &str, agent: &str, wanted: &[Wanted]) -> Result<Edited, EditError> {
    let mut edited = Edited { text: text.to_owned(), insertions: Vec::new(), changed: Vec::new() };
    for hook in wanted {
        let literal = serde_json::Value::from(hook.command.as_str()).to_string();
        let there: Vec<Found> =
            found(&edited.text, agent)?.into_iter().filter(|found| found.event == hook.event).collect();
        for found in there.iter().rev().filter(|found| found.command != hook.command) {
            let old = edited.text[found.range.clone()].to_owned();
            edited.text.replace_range(found.range.clone(), &literal);
            edited.changed.push((old, literal.clone()));
        }
        if there.is_empty() {
            let event = hook.event;
            let lines = [
                &format!("[[hooks.{event}]]"),
                &format!("[[hooks.{event}.hooks]]"),
                "type = \"command\"",
                &format!("command = {literal}"),
                &format!("timeout = {}", hook.seconds),
            ];
            append(&mut edited, vec![HOOKS.to_owned(), event.to_owned()], &lines.join("\n"));
        }
    }
    Ok(edited)
}

/// Puts `lines` behind everything else, and records them under the keys that lead to them.
pub(crate) fn append(edited: &mut Edited, inside: Vec<String>, lines: &str) {
    let newline = newline_of(&edited.text);
    let item = lines.replace('\n', newline);
    let ended = edited.text.is_empty() || edited.text.ends_with('\n');
    let lead = if ended { newline.to_owned() } else { newline.repeat(2) };
    edited.text = format!("{}{lead}{item}{newline}", edited.text);
    edited.insertions.push(Insertion {
        inside: Some(inside),
        key: None,
        lead,
        item,
        tail: newline.to_owned(),
    });
}

/// Takes out what was appended; a text that somebody changed stays.
fn take_out(text: &str, insertion: &Insertion) -> String {
    let appended = format!("{}{}", insertion.item, insertion.tail);
    let Some(start) = text.rfind(&appended) else { return text.to_owned() };
    let range = start..start + appended.len();
    if goes_on(&text[range.end..]) {
        return text.to_owned();
    }
    cut(text, range, &insertion.lead)
}

/// Whether `rest`, what follows a table of ours, begins with a key: that was put into our table, and without it would fall to
/// the table before.
fn goes_on(rest: &str) -> bool {
    let said = rest.lines().map(str::trim_start).find(|line| !line.is_empty() && !line.starts_with('#'));
    said.is_some_and(|line| !line.starts_with('['))
}

/// The text without the whole lines at `range`, and without the `lead` that was put before them.
pub(crate) fn cut(text: &str, range: Range<usize>, lead: &str) -> String {
    let (before, after) = (&text[..range.start], &text[range.end..]);
    // A lead of one line break is an empty line; of two, the first ended the last line of somebody else.
    let ended_theirs = lead.matches('\n').count() > 1;
    let is_lead = |head: &&str| ended_theirs || head.is_empty() || head.ends_with('\n');
    let head = before.strip_suffix(lead).filter(is_lead).unwrap_or(before);
    let unended = !head.is_empty() && !head.ends_with('\n');
    let newline = if unended && !after.is_empty() { newline_of(text) } else { "" };
    [head, newline, after].concat()
}

/// Our hooks for `agent`.
pub fn found(text: &str, agent: &str) -> Result<Vec<Found>, EditError> {
    let document = parse(text)?;
    let Some(events) = document.get(HOOKS).and_then(Item::as_table_like) else {
        return Ok(Vec::new());
    };
    let mut all = Vec::new();
    for (event, groups) in events.iter().filter(|(event, _)| *event != STATE) {
        for (group, table) in tables(groups).into_iter().enumerate() {
            let handlers = table.get(HOOKS).map(tables).unwrap_or_default();
            for (handler, table) in handlers.into_iter().enumerate() {
                let Some(command) = table.get("command") else { continue };
                let (Some(name), Some(range)) = (command.as_str(), command.span()) else { continue };
                let Some(mode) = recognise(name, agent) else { continue };
                let timeout = table.get("timeout").and_then(Item::as_integer);
                all.push(Found {
                    event: event.to_owned(),
                    command: name.to_owned(),
                    timeout: timeout.and_then(|timeout| timeout.try_into().ok()),
                    mode,
                    group,
                    handler,
                    range,
                });
            }
        }
    }
    Ok(all)
}

/// The tables of a list, however it is written.
fn tables(item: &Item) -> Vec<&dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table as &dyn TableLike).collect(),
        Item::Value(toml_edit::Value::Array(values)) => {
            values.iter().filter_map(|value| Some(value.as_inline_table()? as &dyn TableLike)).collect()
        }
        _ => Vec::new(),
    }
}

/// The text without those of `insertions` that were put inside `key`, the last first.
pub(crate) fn without(text: &str, key: &str, insertions: &[Insertion]) -> String {
    let inside_it = |insertion: &&Insertion| {
        insertion.inside.as_ref().is_some_and(|inside| inside.first().is_some_and(|first| first == key))
    };
    let ours = insertions.iter().rev().filter(inside_it);
    ours.fold(text.to_owned(), |text, insertion| take_out(&text, insertion))
}

/// Takes out what `insertions` appended. A text that somebody changed is left, and named.
pub fn uninstall(text: &str, agent: &str, insertions: &[Insertion]) -> Result<String, EditError> {
    let text = without(text, HOOKS, insertions);
    match found(&text, agent)?.first() {
        Some(left) => Err(EditError::at(
            &text,
            left.range.start,
            format!("the {} hook was changed by somebody; take its tables out by hand", left.event),
        )),
        None => Ok(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(mode: &str) -> Vec<Wanted> {
        ["SessionStart", "Stop"]
            .map(|event| Wanted {
                event,
                command: format!("'/a \"b\"/hansei' hook codex {event} --mode {mode}"),
                handler: String::new(),
                seconds: 60,
            })
            .to_vec()
    }

    const THEIRS: &str = "model = \"x\" # mine\n\n[[hooks.Stop]]\n  [[hooks.Stop.hooks]]\n  type = 'command'\n  command = \"theirs\"\n";

    #[test]
    fn what_was_appended_goes_again_to_the_byte() {
        for text in
            [THEIRS.to_owned(), THEIRS.trim_end().to_owned(), THEIRS.replace('\n', "\r\n"), String::new()]
        {
            let edited = install(&text, "codex", &wanted("solo")).unwrap();
            assert!(edited.text.starts_with(&text), "appended, never prepended");
            let places: Vec<(String, usize)> =
                found(&edited.text, "codex").unwrap().into_iter().map(|f| (f.event, f.group)).collect();
            let stop = usize::from(!text.is_empty());
            assert!(places.contains(&("Stop".to_owned(), stop)), "{places:?}");
            assert_eq!(install(&edited.text, "codex", &wanted("solo")).unwrap().text, edited.text);
            assert_eq!(uninstall(&edited.text, "codex", &edited.insertions).unwrap(), text);
            // Codex writes what it trusts behind ours.
            let trusted = format!("{}\n[hooks.state.\"x\"]\ntrusted_hash = \"y\"\n", edited.text);
            let left = uninstall(&trusted, "codex", &edited.insertions).unwrap();
            assert!(
                parse(&left).is_ok() && left.starts_with(&text) && left.contains("trusted_hash"),
                "{left}"
            );
        }
    }

    #[test]
    fn the_mode_is_changed_in_place_and_recorded() {
        let first = install(THEIRS, "codex", &wanted("solo")).unwrap();
        let second = install(&first.text, "codex", &wanted("orchestrated")).unwrap();
        assert_eq!((second.insertions.len(), second.changed.len()), (0, 2));
        assert!(found(&second.text, "codex").unwrap().iter().all(|f| f.command.ends_with("orchestrated")));
        assert!(uninstall(&second.text, "codex", &first.insertions).unwrap_err().message.contains("by hand"));
    }

    #[test]
    fn a_key_that_was_put_into_ours_falls_to_nobody() {
        let edited = install(THEIRS, "codex", &wanted("solo")).unwrap();
        for added in ["async = true\n", "\n# mine\nasync = true\n", "  async = true\n[other]\n"] {
            let text = format!("{}{added}", edited.text);
            let error = uninstall(&text, "codex", &edited.insertions).unwrap_err();
            assert!(error.message.contains("by hand"), "{added:?}: {error}");
        }
        for added in ["# mine\n", "\n# mine\n\n[other]\nx = 1\n", "[[hooks.Stop]]\n"] {
            let text = format!("{}{added}", edited.text);
            let left = uninstall(&text, "codex", &edited.insertions).unwrap();
            assert_eq!(left, format!("{THEIRS}{added}"));
        }
    }

    #[test]
    fn hooks_are_told_from_their_state_and_mistakes_are_placed() {
        assert!(holds_hooks(THEIRS).unwrap());
        assert!(!holds_hooks("[hooks.state.x]\ntrusted_hash = 'y'\n").unwrap());
        assert_eq!(holds_hooks("a = 1\nb = = 2\n").unwrap_err().line, 2);
        for theirs in ["[hooks]\nStop = []\n", "[[hooks]]\nx = 1\n", "hooks = {}\n", "hooks = 1\n"] {
            let error = install(theirs, "codex", &wanted("solo")).unwrap_err();
            assert!(error.message.contains("cannot be added to"), "{theirs}: {error}");
        }
    }
}
