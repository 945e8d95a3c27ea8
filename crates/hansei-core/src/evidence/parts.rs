//! Parts of a request that nothing was said or done about.

use std::collections::BTreeSet;

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::session::Action;
use crate::verdict::Severity;

/// Words that say nothing about what a part is about.
const EMPTY: &[&str] = &[
    "the", "and", "for", "with", "that", "this", "from", "into", "should", "must", "have", "has", "are", "all", "any", "new", "add", "make", "use",
    "update", "write", "create", "fix", "implement", "when", "then", "also", "each", "every", "our", "its", "it", "them", "not", "but", "can", "you",
    "please", "code", "file", "files", "change", "sure", "ensure", "same", "one", "two", "a", "an", "to", "of", "in", "on", "is", "be", "by", "at", "as",
    "or", "so", "if", "we", "i", "set", "put", "get", "run", "show", "after", "before", "where", "which", "there", "via", "per", "up", "out", "only",
    "remove", "rename", "move", "replace", "both", "instead", "using", "under", "over", "without", "if", "proper", "properly", "simple",
];

/// Finds parts of a listed request that are mentioned nowhere.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let parts = &reading.request.parts;
    if parts.len() < 2 || !reading.wants_action() || !reading.speech.understood || reading.speech.is_empty() {
        return;
    }
    let mut said: BTreeSet<String> = BTreeSet::new();
    add(&mut said, &situation.last_words());
    for call in &situation.session.calls[situation.task_calls()] {
        match &call.action {
            Action::Run { command, .. } => add(&mut said, command),
            Action::Edit { paths } => paths.iter().for_each(|path| add(&mut said, path)),
            Action::Delegate { request } => add(&mut said, request),
            _ => {}
        }
        if let Some(wrote) = &call.wrote {
            add(&mut said, &wrote.added);
            add(&mut said, &wrote.removed);
        }
    }
    for part in parts {
        let mut own = BTreeSet::new();
        add(&mut own, part);
        let known = own.iter().filter(|word| said.contains(*word)).count();
        if own.len() >= 2 && known == 0 {
            let short: String = part.chars().take(120).collect();
            findings.add_about(
                Kind::PartMissing,
                Severity::Medium,
                Place::Request,
                format!("nothing was said or done about a part of the request: “{short}”"),
                vec![short],
            );
        }
    }
}

/// The telling words of `text`, cut to their stems.
fn add(words: &mut BTreeSet<String>, text: &str) {
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        for word in humps(word) {
            let word = word.to_lowercase();
            if word.chars().count() > 2 && !EMPTY.contains(&word.as_str()) {
                words.insert(stem(&word).to_owned());
            }
        }
    }
}

/// The words in a name such as `parseConfigFile`.
fn humps(word: &str) -> Vec<&str> {
    let mut humps = vec![word];
    let mut start = 0;
    let mut before = ' ';
    for (place, letter) in word.char_indices() {
        if letter.is_uppercase() && before.is_lowercase() {
            humps.push(&word[start..place]);
            start = place;
        }
        before = letter;
    }
    if start > 0 {
        humps.push(&word[start..]);
    }
    humps
}

fn stem(word: &str) -> &str {
    let cut = ["ations", "ation", "ings", "ing", "ments", "ment", "ers", "er", "ies", "ied", "ed", "es", "s", "ly", "y", "e"]
        .iter()
        .find_map(|ending| word.strip_suffix(ending).filter(|stem| stem.chars().count() >= 3));
    cut.unwrap_or(word)
}
