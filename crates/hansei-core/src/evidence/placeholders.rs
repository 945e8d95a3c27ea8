//! Placeholders in what was written: code that stands in for code.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::risk::is_more_than_documentation;
use crate::session::Action;
use crate::verdict::Severity;

/// What stands in for code, in lower case. Each is code or a comment that says that something is missing here.
const MARKS: &[&str] = &[
    "todo: implement",
    "todo implement",
    "todo!(",
    "unimplemented!(",
    "notimplementederror",
    "not implemented",
    "notimplementedexception",
    "implement me",
    "implement this",
    "todo",
    "todo:",
    "placeholder",
    "fixme",
    "your code here",
    "rest of the",
    "rest of implementation",
    "... existing code",
    "stub",
    "todo(\"",
    "todo()",
    "add assertions",
    "repeat for",
    "similarly for",
    "same for the",
    "... rest",
    "... more",
    "... other",
    "... and so on",
    "add logic here",
    "actual implementation",
    "real implementation",
    "for now, return",
    "for now return",
    "coming soon",
];

/// Finds placeholders that this task's edits added and no later edit took out.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.wants_action() || mentions(&situation.request()) {
        return;
    }
    let range = situation.task_calls();
    for (call, place) in situation.session.calls[range.clone()].iter().zip(range) {
        let (Action::Edit { paths }, Some(wrote)) = (&call.action, &call.wrote) else { continue };
        let Some(path) = paths.first() else { continue };
        if !is_more_than_documentation(path) || is_test(path) {
            continue;
        }
        // Some tools take an edit with marks for what stays; they leave no mark in the file.
        let sketched = call.tool.ends_with("edit_file");
        let Some(mark) =
            fresh_mark(&wrote.added, &wrote.removed).filter(|mark| !(sketched && mark.starts_with("...")))
        else {
            continue;
        };
        let removed_later = situation.session.calls[place + 1..].iter().any(|later| {
            let same = matches!(&later.action, Action::Edit { paths } if paths.contains(path));
            same && later
                .wrote
                .as_ref()
                .is_some_and(|wrote| wrote.whole || wrote.removed.to_lowercase().contains(mark))
        });
        if !removed_later {
            let file = path.rsplit('/').next().unwrap_or(path);
            let text = format!("what you wrote into {file} holds a placeholder: “{mark}”");
            findings.add_about(
                Kind::Placeholder,
                Severity::Medium,
                Place::Call(place),
                text,
                vec![path.clone()],
            );
            return;
        }
    }
}

fn fresh_mark(added: &str, removed: &str) -> Option<&'static str> {
    let (added, removed) = (added.to_lowercase(), removed.to_lowercase());
    MARKS.iter().copied().find(|mark| word_found(&added, mark) && !word_found(&removed, mark))
}

/// Whether `mark` stands in `text` as words of its own, and not as an attribute or a name such as `placeholder="…"`.
fn word_found(text: &str, mark: &str) -> bool {
    text.match_indices(mark).any(|(place, found)| {
        let before = text[..place].chars().next_back();
        let after = text[place + found.len()..].chars().next();
        let inside = |letter: Option<char>| {
            letter.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '='))
        };
        let line_start = text[..place].rfind('\n').map_or(0, |end| end + 1);
        let line = &text[line_start..place];
        let commented =
            ["//", "#", "/*", "--", "<!--", "* ", "\"\"\""].iter().any(|mark| line.contains(mark));
        let code = mark.contains('(')
            || mark.ends_with("error")
            || mark.ends_with("exception")
            || *mark == *"not implemented";
        !inside(before) && (!inside(after) || code) && (commented || code)
    })
}

/// Whether the request wants something that stands in for code.
pub(super) fn mentions(request: &str) -> bool {
    let request = request.to_lowercase();
    [
        "placeholder", "stub", "skeleton", "scaffold", "todo", "mock", "an abstract", "an interface",
        "only the interface", "interfaces only", "base class",
    ]
    .iter()
    .any(|word| request.contains(word))
}

fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    ["test", "spec", "fixture", "mock"].iter().any(|word| path.contains(word))
}
