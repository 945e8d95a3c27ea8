//! Placeholders in what was written: code that stands in for code.

use super::file_world::{World, world_of};
use super::reading::Reading;
use super::test_text::found;
use super::{Findings, Kind, Place, Situation};
use crate::session::Action;
use crate::verdict::Severity;

/// What a comment says that stands in for code, in lower case.
const MARKS: &str = include_str!("placeholders.txt");
/// Code that stands in for code.
const CODE: &[&str] = &["todo!(", "unimplemented!(", "todo(\"", "todo()", "notimplementedexception("];

/// Finds placeholders that this task's edits added and no later edit took out.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.wants_action() || mentions(&situation.request()) {
        return;
    }
    let range = situation.task_calls();
    for (call, place) in situation.session.calls[range.clone()].iter().zip(range) {
        let (Action::Edit { paths }, Some(wrote)) = (&call.action, &call.wrote) else { continue };
        let Some(path) = paths.first() else { continue };
        if !matches!(world_of(path), World::Of(_)) || is_test(path) || is_own_script(situation, path) {
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
    let comments = MARKS.lines().filter(|mark| in_comment(&added, mark) && !removed.contains(mark));
    let code = CODE.iter().copied().filter(|mark| stands_alone(&added, mark) && !removed.contains(mark));
    let stubs = Some("raise notimplementederror").filter(|mark| is_stub(&added) && !removed.contains(mark));
    let empty = Some("todo").filter(|_| leaves_empty(&added) && !leaves_empty(&removed));
    comments.chain(code).chain(stubs).chain(empty).next()
}

fn in_comment(text: &str, mark: &str) -> bool {
    text.match_indices(mark).any(|(place, _)| {
        let line_start = text[..place].rfind('\n').map_or(0, |end| end + 1);
        let line = &text[line_start..place];
        let inside =
            line.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '='));
        // A sentence may go on about something else: "the rest of the chain".
        !inside && ["//", "#", "/*", "--", "<!--", "* ", "\"\"\""].iter().any(|mark| line.contains(mark))
    })
}

fn stands_alone(text: &str, mark: &str) -> bool {
    text.match_indices(mark).any(|(place, _)| {
        let line = &text[text[..place].rfind('\n').map_or(0, |end| end + 1)..place];
        let inside =
            line.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
        !inside && !line.contains("//") && !line.contains('"')
    })
}

/// Whether the whole body of a new function is that it is not implemented, and nobody is meant to override it.
fn is_stub(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let meant =
        ["abstract", "subclass", "override", "interface", "protocol"].iter().any(|word| text.contains(word));
    !meant
        && lines.windows(2).any(|pair| {
            pair[0].starts_with("def ")
                && pair[0].ends_with(':')
                && pair[1].starts_with("raise notimplementederror")
        })
}

/// Whether nothing follows a "todo" but an empty body.
fn leaves_empty(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.windows(2).any(|pair| {
        let marked = ["# todo", "// todo", "//todo", "#todo"].iter().any(|mark| pair[0].starts_with(mark));
        marked
            && matches!(
                pair[1].trim_end_matches(';'),
                "pass"
                    | "..."
                    | "return"
                    | "return none"
                    | "return null"
                    | "return nil"
                    | "}"
                    | "return {}"
                    | "return []"
            )
    })
}

/// Whether the session made a file and ran it: a script to try something, and no part of the work.
pub(super) fn is_own_script(situation: &Situation<'_>, path: &str) -> bool {
    let calls = &situation.session.calls;
    let name = path.rsplit('/').next().unwrap_or(path);
    let first = calls.iter().find_map(|call| match (&call.action, &call.wrote) {
        (Action::Edit { paths }, Some(wrote)) if paths.iter().any(|edited| edited == path) => Some(wrote),
        _ => None,
    });
    let runs = |command: &str| {
        command.split(['&', ';', '|', '\n']).any(|part| {
            let mut words = part.split_whitespace();
            let program = words.next().unwrap_or_default();
            let interpreter = [
                "python", "python3", "node", "ruby", "bash", "sh", "php", "perl", "javac", "java", "go",
                "npx", "tsx",
            ];
            interpreter.contains(&program) && words.any(|word| word.rsplit('/').next() == Some(name))
                || program.trim_start_matches("./") == name
        })
    };
    first.is_some_and(|wrote| wrote.removed.trim().is_empty())
        && calls.iter().any(|call| matches!(&call.action, Action::Run { command, .. } if runs(command)))
}

/// Whether the request wants something that stands in for code.
pub(super) fn mentions(request: &str) -> bool {
    found("asks for what stands in for code", &request.to_lowercase()).is_some()
}

fn is_test(path: &str) -> bool {
    let path = path.to_lowercase();
    ["test", "spec", "fixture", "mock"].iter().any(|word| path.contains(word))
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::Placeholder;
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn what_stands_in_for_code() {
        let wrote = |path: &str, text: &str| Tale::of("Add the export").edit(path, "x", text).said("Done.");
        assert_finds(
            Placeholder,
            true,
            [
                ("comment", wrote("src/a.py", "def f():\n    # TODO: implement\n    return 1")),
                ("empty body", wrote("src/a.py", "def f():\n    # TODO handle dates\n    pass")),
                ("macro", wrote("src/a.rs", "fn f() { todo!() }")),
                ("stub", wrote("src/a.py", "def f():\n    raise NotImplementedError")),
                ("rest", wrote("src/a.ts", "// ... rest of the code")),
                ("stand-in", wrote("src/a.py", "# Placeholder for the real value\nx = 1")),
            ],
        );
        assert_finds(
            Placeholder,
            false,
            [
                (
                    "a note for later",
                    wrote("src/a.go", "// TODO(X-1): warn about stale sessions\nif ok {\n run()\n}"),
                ),
                ("a sentence", wrote("src/a.go", "// walks the rest of the chain\nwalk()")),
                (
                    "another platform",
                    wrote("src/a.go", "// No-op: not implemented for this platform\nreturn"),
                ),
                ("a plan", wrote("docs/plan.md", "implement this plan")),
                (
                    "abstract",
                    wrote("src/a.py", "@abstractmethod\ndef f(self):\n    raise NotImplementedError"),
                ),
                ("an attribute", wrote("src/a.html", "<input placeholder=\"name\">")),
                ("a form's word", wrote("src/a.tsx", "const placeholder = 'Name';")),
                ("caught", wrote("src/a.py", "except NotImplementedError:\n    return 1")),
                (
                    "a script to try",
                    Tale::of("Fix it")
                        .write("try.py", "# placeholder for data\nx = 1")
                        .run("python try.py", 0, "")
                        .said("Done."),
                ),
                (
                    "mended later",
                    wrote("src/a.py", "# TODO: implement\n").edit("src/a.py", "# TODO: implement\n", "y = 1"),
                ),
                (
                    "asked for",
                    Tale::of("Add a stub for export")
                        .edit("src/a.rs", "x", "fn f() { todo!() }")
                        .said("Done."),
                ),
            ],
        );
    }
}
