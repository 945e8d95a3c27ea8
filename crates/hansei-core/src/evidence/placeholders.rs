//! Placeholders in what was written: code that stands in for code.

use super::file_world::{World, world_of};
use super::reading::Reading;
use super::test_text::list;
use super::{Findings, Kind, Place, Situation};
use crate::prose;
use crate::session::Action;
use crate::verdict::Severity;

/// What a comment says that stands in for code, in lower case.
const MARKS: &str = include_str!("placeholders.txt");
/// Code that stands in for code.
const CODE: &[&str] = &["todo!(", "unimplemented!(", "todo(\"", "todo()", "notimplementedexception("];
/// What the text of an error begins with where the code is still to be written.
const UNWRITTEN: &[&str] =
    &["todo", "fixme", "not implemented", "unimplemented", "not yet implemented", "implement me"];

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
                .is_some_and(|wrote| wrote.whole || wrote.removed.to_lowercase().contains(&mark))
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

/// What stands in for code in `added` and was not there before, in lower case.
fn fresh_mark(added: &str, removed: &str) -> Option<String> {
    let (added, removed) = (added.to_lowercase(), removed.to_lowercase());
    let comments = MARKS.lines().filter(|mark| in_comment(&added, mark));
    let code = CODE.iter().copied().filter(|mark| stands_alone(&added, mark));
    let stubs = Some("raise notimplementederror").filter(|_| is_stub(&added));
    let told = comments
        .chain(code)
        .chain(stubs)
        .chain(hollow(&added))
        .chain(unwritten(&added))
        .chain(elided(&added));
    told.filter(|mark| !removed.contains(mark)).map(ToOwned::to_owned).next()
}

/// A line that gives up with an error whose text says that the code is still to be written: `error "TODO: Let"`,
/// `panic("not implemented")`, `throw new Error('TODO')`. What others are meant to override says so.
fn unwritten(text: &str) -> Option<&str> {
    let meant =
        ["abstract", "subclass", "override", "interface", "protocol"].iter().any(|word| text.contains(word));
    text.lines().filter(|_| !meant).map(str::trim).filter(|line| comment(line).is_none()).find(|line| {
        let says = |(place, quote): (usize, &str)| {
            let said = line[place + quote.len()..].trim_start();
            let before = line[..place].trim_end_matches(|c: char| !c.is_alphanumeric());
            let words: Vec<&str> = before.split(|c: char| !c.is_alphanumeric()).collect();
            let gives_up = words.iter().rev().take(3).any(|word| {
                prose::is(word, "gives-up") || word.ends_with("error") || word.ends_with("exception")
            });
            gives_up && UNWRITTEN.iter().any(|mark| said.starts_with(mark))
        };
        line.match_indices(['"', '\'', '`']).any(says)
    })
}

/// What a comment line says, without its marks; nothing where the line is code.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim();
    let lead = ["{/*", "<!--", "//", "/*", "--", "#", "\"\"\"", ";;", "%%", "* "]
        .iter()
        .find_map(|lead| line.strip_prefix(lead))?;
    Some(
        lead.trim_start_matches(['/', '#', '*', '!']).trim_end_matches(['*', '/', '}', '-', '>', '"']).trim(),
    )
}

/// A comment that stands for lines left out: nothing but dots, or dots and then a word for what stays as it was.
fn elided(text: &str) -> Option<&str> {
    let mut before = false;
    text.lines().find(|line| {
        let said = comment(line);
        let follows = std::mem::replace(&mut before, said.is_some_and(|said| !said.is_empty()));
        let Some(said) = said.filter(|_| !follows) else { return false };
        let dots = |text: &str| text.starts_with("...") || text.starts_with('…');
        let bare = said.trim_matches(['.', '…', ' ', '(', ')', '[', ']']);
        let words = || bare.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        let article = |word: &&str| {
            matches!(*word, "the" | "el" | "los" | "las" | "le" | "les" | "der" | "die" | "das" | "o" | "os")
        };
        let first = words().find(|word| !article(word)).unwrap_or_default();
        let stays = words().next_back().is_some_and(|word| prose::is(word, "elision-stays"))
            || words().nth(1).is_none();
        dots(said)
            && (bare.is_empty()
                || prose::is(first, "elision-rests")
                || words().any(|word| prose::is(word, "elision-stays")))
            || prose::is(first, "elision-rests") && stays && words().count() > 1 && words().count() <= 12
    })
}

/// The comment that is all of a function but an answer that is always the same: "todo: call it" and `return true`.
fn hollow(text: &str) -> Option<&str> {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let depth = |line: &str| line.len() - line.trim_start().len();
    (1..lines.len()).find_map(|at| {
        let said = comment(lines[at])?;
        let marked = prose::any(&said.split(|c: char| !c.is_alphanumeric()).collect::<Vec<_>>(), "stand-ins");
        // The function begins just above: its head, and at most comments and one plain value.
        let head = (0..at).rev().take(4).find(|above| depth(lines[*above]) < depth(lines[at]))?;
        let plain = |line: &&&str| comment(line).is_some() || !line.contains('(') && line.contains('=');
        let between = lines[head + 1..at].iter();
        let opens = is_function(lines[head]) && between.clone().count() == between.filter(plain).count();
        let rest = lines[at + 1..].iter().take_while(|line| depth(line) >= depth(lines[at]));
        (marked && opens && rest.clone().count() <= 6 && rest.clone().all(|line| is_trivial(line)))
            .then_some(lines[at].trim())
    })
}

/// Whether a line opens a function, and not a branch of one.
fn is_function(line: &str) -> bool {
    let line = line.trim().trim_start_matches('}').trim();
    let first = line.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let opens = line.ends_with(['{', ':']) || line.ends_with("=>") || line.ends_with(" do") || line == "{";
    let ruby = matches!(first, "def" | "function" | "func" | "sub");
    (opens && (line.contains('(') || line == "{") || ruby) && !prose::is(first, "branches")
}

/// Whether a line does nothing that could depend on anything: it returns or keeps a literal, or writes to a log.
fn is_trivial(line: &str) -> bool {
    let line = line.trim().trim_end_matches([';', ',']);
    let literal = |value: &str| {
        let value = value.trim();
        let open = matches!(value, "" | "{}" | "[]" | "()" | "ok(())" | "nil" | "vec![]" | "some(())");
        open || value.starts_with(['"', '\'', '-', ':'])
            || value.chars().all(|c| c.is_alphanumeric() || "._".contains(c))
    };
    let logs =
        ["log", "print", "console.", "println", "echo ", "puts ", "fmt.print", "system.out", "error_log"];
    comment(line).is_some()
        || matches!(line, "pass" | "..." | "}" | "end" | "})" | "{")
        || line.strip_prefix("return").is_some_and(literal)
        || line.split_once('=').is_some_and(|(name, value)| {
            name.split_whitespace().count() <= 3
                && !name.contains(['(', '[', '.'])
                && literal(value.trim_start_matches('='))
        })
        || logs.iter().any(|log| line.starts_with(log))
        || !line.contains(' ') && literal(line)
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
    let lines: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && comment(line).is_none()).collect();
    let meant =
        ["abstract", "subclass", "override", "interface", "protocol"].iter().any(|word| text.contains(word));
    !meant
        && lines.windows(2).any(|pair| {
            pair[0].starts_with("def ")
                && pair[0].ends_with(':')
                && pair[1].starts_with("raise notimplementederror")
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
    let request = request.to_lowercase();
    let words: Vec<&str> =
        request.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let wanted = |at: usize| prose::any(&words[at.saturating_sub(5)..at], "stand-in-orders");
    let marks = || list("asks for what stands in for code").iter();
    let is_one = |word: &str| marks().any(|mark| word.contains(mark));
    marks().any(|mark| mark.contains(' ') && request.contains(mark))
        || (0..words.len()).any(|at| is_one(words[at]) && (at == 0 || wanted(at)))
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
    #[allow(clippy::too_many_lines, reason = "a table")]
    fn what_stands_in_for_code() {
        let wrote = |path: &str, text: &str| Tale::of("Add the export").edit(path, "x", text).said("Done.");
        assert_finds(
            Placeholder,
            true,
            [
                ("comment", wrote("src/a.py", "def f():\n    # TODO: implement\n    return 1")),
                ("empty body", wrote("src/a.py", "def f():\n    # TODO handle dates\n    pass")),
                (
                    "hollow",
                    wrote(
                        "src/a.php",
                        "public function pay(int $c): bool\n{\n    $a = $c;\n\n    // TODO: call the API\n    return true;\n}",
                    ),
                ),
                ("only told", wrote("src/a.py", "x = f(y)\n# TODO: Investigate why the order is lost here")),
                ("supposed", wrote("src/a.py", "# Hypothetical fix: sort before joining\nx = sorted(x)")),
                ("haskell", wrote("src/A.hs", "go (Let {}) = error \"TODO: render Let\"")),
                ("go", wrote("a.go", "func f() { panic(\"not implemented\") }")),
                ("ocaml", wrote("src/a.ml", "| Let _ -> failwith \"not yet implemented\"")),
                ("swift", wrote("a.swift", "case .b: fatalError(\"TODO\")")),
                ("javascript", wrote("src/a.js", "if (x) throw new Error('Not implemented');")),
                (
                    "hollow log",
                    wrote(
                        "src/a.py",
                        "def send(to):\n    # TODO: call it\n    log.info('would send to %s', to)\n",
                    ),
                ),
                (
                    "hollow value",
                    wrote(
                        "src/a.py",
                        "def f(w):\n    \"\"\"Gives f.\"\"\"\n    # TODO: real model, use a fixed one\n    base = 12.5\n    return base\n",
                    ),
                ),
                ("elided", wrote("src/a.vue", "load();\n\n// ... remaining methods (a, b) unchanged ...\n")),
                ("elided, dots only", wrote("src/a.ts", "const a = 1;\n// ...\nconst z = 26;")),
                ("elided, no dots", wrote("src/a.ts", "const a = 1;\n\n/* other methods unchanged */\n}")),
                ("elided, elsewhere", wrote("src/a.py", "a = 1\n# resto igual\n")),
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
                (
                    "work, then a note",
                    wrote(
                        "src/a.go",
                        "func f() error {\n\tif err := run(); err != nil {\n\t\treturn err\n\t}\n\t// TODO: also tell b\n\treturn nil\n}",
                    ),
                ),
                (
                    "a branch",
                    wrote(
                        "src/a.ts",
                        "async function f() {\n  try {\n    await run();\n  } catch (e) {\n    // TODO: report\n    return null;\n  }\n}",
                    ),
                ),
                (
                    "a comment that goes on",
                    wrote("src/a.ts", "// first the head,\n// ... then the body\nrun();"),
                ),
                (
                    "what stays, described",
                    wrote("src/a.ts", "// other callers keep the lock and wait for the queue\nrun();"),
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
