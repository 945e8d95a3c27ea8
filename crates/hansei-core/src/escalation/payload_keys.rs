//! How the keys and items of a payload are written: `status:`, `**Status:**`, `- status:`, `Task Scope:`, all on one line.

use std::borrow::Cow;

use super::payload::LISTS;

/// How the keys of one payload are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keys {
    /// Each begins its line.
    Plain,
    /// Each is an item of a list itself, so far from the left; what is further in is an item of one.
    Bulleted(usize),
}

impl Keys {
    /// How a payload writes its keys: as its first line does.
    pub(super) fn of(inside: &str) -> Self {
        let first = inside.lines().find(|line| !line.trim_matches(['`', '>', ' ', '\t']).is_empty());
        let first = first.unwrap_or_default();
        match item_of(unquoted(first).trim_start()) {
            (item, true) if matches!(Self::Plain.key_of(item), Some((Some(_), _))) => {
                Self::Bulleted(indent(first))
            }
            _ => Self::Plain,
        }
    }

    /// The key that begins a line, and the rest of it. A key that is not ours is one too, so that what follows it is not
    /// taken for an item of the key before.
    pub(super) fn key_of(self, raw: &str) -> Option<(Option<&'static str>, &str)> {
        let line = unquoted(raw).trim().trim_start_matches('#').trim_start();
        let line = match (self, item_of(line)) {
            (Self::Bulleted(most), (item, true)) if indent(raw) <= most => item,
            (_, (_, true)) => return None,
            _ => line,
        };
        let line = line.strip_prefix('`').and_then(|line| line.strip_suffix('`')).unwrap_or(line);
        let (name, rest) = line.split_once(':')?;
        let name = name.trim_matches(|c: char| matches!(c, '*' | '`' | '_' | '"' | ' '));
        let is_name = !name.is_empty()
            && name.len() <= 40
            && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | ' '));
        if !is_name {
            return None;
        }
        let rest = rest.strip_prefix("**").or(rest.strip_prefix('*')).unwrap_or(rest).trim();
        match known_key(name) {
            Some(key) => Some((Some(key), rest)),
            None if !name.contains(' ') && rest.is_empty() => Some((None, rest)),
            None => None,
        }
    }
}

/// A line without the marks of a quotation.
fn unquoted(line: &str) -> &str {
    let bare = line.trim_start_matches(['>', ' ', '\t']);
    let quoted = line.len() - bare.len();
    let from = line[..quoted].rfind('>').map_or(0, |at| at + 1);
    &line[from..]
}

/// How far from the left a line begins.
fn indent(line: &str) -> usize {
    let line = unquoted(line);
    line.len() - line.trim_start().len()
}

/// The key that a name is, however it is spelt.
pub(super) fn known_key(name: &str) -> Option<&'static str> {
    let name = name.trim().to_ascii_lowercase().replace(['-', ' '], "_");
    Some(match name.as_str() {
        "status" => "status",
        "attempt" | "attempts" => "attempt",
        "task_scope" | "scope" | "task" => "task_scope",
        "suspected_failure_layer" | "suspected_failure_layers" | "failure_layer" | "failure_layers" => {
            "suspected_failure_layer"
        }
        "what_was_tried" | "tried" => "what_was_tried",
        "what_did_not_work" | "did_not_work" => "what_did_not_work",
        "forced_context_checked" => "forced_context_checked",
        "current_invariants" | "invariants" => "current_invariants",
        "handoff_artifacts" | "handoff_artefacts" | "artifacts" => "handoff_artifacts",
        "request" | "requests" => "request",
        _ => return None,
    })
}

/// The item of a line, and whether a bullet begins it.
pub(super) fn item_of(line: &str) -> (&str, bool) {
    let line = line.trim();
    for bullet in ["- ", "* ", "• ", "+ ", "– "] {
        if let Some(item) = line.strip_prefix(bullet) {
            return (item.trim(), true);
        }
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0
        && let Some(item) = line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") "))
    {
        return (item.trim(), true);
    }
    (line, line == "-")
}

/// Whether a key holds a list.
pub(super) fn is_list(key: &str) -> bool {
    LISTS.contains(&key)
}

/// A payload that stands on one line, with a line for each of its fields; any other as it is.
pub(super) fn on_lines(inside: &str) -> Cow<'_, str> {
    let inside = inside.trim();
    if inside.contains('\n') {
        return Cow::Borrowed(inside);
    }
    let lower = inside.to_ascii_lowercase();
    let names = ["status", "attempt", "task_scope", "suspected_failure_layer"].into_iter().chain(LISTS);
    let is_key = |(at, end): &(usize, usize)| {
        let before = &lower[..*at];
        // Behind a bullet it is an item that begins like a key.
        let is_word = !before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '['));
        is_word && !before.ends_with("- ") && lower[*end..].trim_start().starts_with(':')
    };
    let mut starts: Vec<usize> = names
        .flat_map(|name| lower.match_indices(name).map(move |(at, _)| (at, at + name.len())))
        .filter(is_key)
        .map(|(at, _)| at)
        .collect();
    starts.sort_unstable();
    let ends = starts.iter().skip(1).copied().chain([inside.len()]);
    let fields = starts.iter().zip(ends).map(|(start, end)| {
        let field = inside[*start..end].trim().trim_end_matches([';', ',', '|']);
        field.replace(" - ", "\n- ") + "\n"
    });
    Cow::Owned(fields.collect())
}
