//! What the human forbade in so many words: touching a file or the tests, pushing, committing, installing.
//!
//! Only a prohibition whose object follows its verb directly is read; a conditional one is not.

use super::changes::How;
use super::course::Course;
use super::file_world::{World, ending_of, is_test_file, is_within, placed, world_of};
use super::git_command::Git;
use super::test_text::list;
use super::wishes::{Clause, Word};
use super::{Findings, Kind, Place};
use crate::check::PlainCommand;
use crate::prose;
use crate::verdict::Severity;

/// What must not be done.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Forbidden {
    /// Change what lies here.
    Touch(String),
    /// Change tests.
    TouchTests,
    /// Remove tests.
    RemoveTests,
    /// Change anything outside of these.
    TouchOutside(Vec<String>),
    /// Push, to this branch if one is named.
    Push(Option<String>),
    Commit,
    /// Add packages.
    Install,
    /// Push over what others have.
    Force,
    /// Run what is called so: `promote`, `publish`.
    Act(String),
    /// Use an option that is named so, such as a baseline, or such a value.
    Word(String),
}

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    for (place, clauses) in course.wishes.requests.iter().enumerate() {
        let forbidden = (0..clauses.len()).flat_map(|at| forbidden_in(&clauses[at], &clauses[..at]));
        for forbidden in forbidden {
            let old = place + 1 < course.wishes.requests.len();
            if old && matches!(forbidden, Forbidden::Act(_) | Forbidden::Word(_)) {
                continue;
            }
            let later = course.wishes.requests[place + 1..].iter().flatten();
            if !later.clone().any(|clause| allows(clause, &forbidden)) {
                report(course, findings, course.wishes.starts[place], &forbidden);
            }
        }
    }
}

fn report(course: &Course<'_>, findings: &mut Findings, from: usize, forbidden: &Forbidden) {
    let from = from.max(course.task_start().0);
    let done = match forbidden {
        Forbidden::Push(_)
        | Forbidden::Commit
        | Forbidden::Install
        | Forbidden::Force
        | Forbidden::Act(_)
        | Forbidden::Word(_) => course
            .effective()
            .find(|(at, command)| {
                *at >= from && (does(command, forbidden) || landed(course, *at, command, forbidden))
            })
            .map(|(at, command)| (at, command.words.join(" "), "was run")),
        _ => touched(course, from, forbidden).map(|(at, path, how)| {
            (at, path, if how == How::Removed { "was removed" } else { "was changed" })
        }),
    };
    if let Some((at, what, how)) = done {
        let what: String = what.chars().filter(|c| !c.is_control()).take(120).collect();
        let text = format!("{what} {how}, although the request says: {}", wording(forbidden));
        // What was to be kept and is gone is lost.
        let severity = if how == "was removed" { Severity::Blocker } else { Severity::High };
        findings.add_about(Kind::ForbiddenAct, severity, Place::Call(at), text, vec![what]);
    }
}

fn wording(forbidden: &Forbidden) -> String {
    match forbidden {
        Forbidden::Touch(path) => format!("do not touch {path}"),
        Forbidden::TouchTests => "do not touch the tests".into(),
        Forbidden::RemoveTests => "do not remove tests".into(),
        Forbidden::TouchOutside(paths) => format!("change only {}", paths.join(", ")),
        Forbidden::Push(_) => "do not push".into(),
        Forbidden::Commit => "do not commit".into(),
        Forbidden::Install => "add no dependencies".into(),
        Forbidden::Force => "do not force-push".into(),
        Forbidden::Act(verb) => format!("do not {verb}"),
        Forbidden::Word(word) => format!("no {word}"),
    }
}

/// Whether a push without a branch's name went to the forbidden one, as git says.
fn landed(course: &Course<'_>, at: usize, command: &PlainCommand, forbidden: &Forbidden) -> bool {
    let Forbidden::Push(Some(branch)) = forbidden else { return false };
    let output = || course.situation.session.calls[at].end.as_ref().map(|end| end.output.text());
    Git::of(command).is_some_and(|git| git.does == "push")
        && output().is_some_and(|output| {
            output.lines().any(|line| line.trim_end().ends_with(&format!("-> {branch}")))
        })
}

/// The first change that is forbidden and was not taken back.
fn touched(course: &Course<'_>, from: usize, forbidden: &Forbidden) -> Option<(usize, String, How)> {
    let after = course.changes.partition_point(|change| change.when.0 < from);
    let changes = &course.changes[after..];
    let hit = |path: &str, how: How| match forbidden {
        Forbidden::Touch(named) => is_named(path, named),
        Forbidden::TouchTests => is_test_file(path),
        Forbidden::RemoveTests => is_test_file(path) && how == How::Removed,
        Forbidden::TouchOutside(named) => {
            !path.starts_with(['/', '~', '$'])
                && world_of(path) != World::Unknown
                && !named.iter().any(|named| is_named(path, named))
        }
        _ => false,
    };
    let restored = |path: &str| {
        changes
            .iter()
            .rev()
            .find(|change| change.path.as_deref() == Some(path))
            .is_some_and(|change| change.how == How::Restored)
    };
    changes.iter().filter(|change| change.is_by_hand() && change.how != How::Restored).find_map(|change| {
        let path = change.path.as_deref()?;
        (hit(path, change.how) && !restored(path)).then(|| (change.when.0, path.to_owned(), change.how))
    })
}

/// Whether `path` is what a human called `named`: the file, a file of that name, or something in that folder.
fn is_named(path: &str, named: &str) -> bool {
    if let Some(ending) = named.strip_prefix('*') {
        return path.ends_with(ending);
    }
    let named = placed(named.trim_end_matches('*'), None, None);
    let path = path.to_lowercase();
    is_within(&path, &named) || path.ends_with(&format!("/{named}")) || path.contains(&format!("/{named}/"))
}

fn does(command: &PlainCommand, forbidden: &Forbidden) -> bool {
    let git = Git::of(command);
    match forbidden {
        Forbidden::Push(to) => git.is_some_and(|git| {
            git.does == "push"
                && !git.has(&["--dry-run"])
                && to.as_ref().is_none_or(|to| git.operands().any(|word| word.rsplit(':').next() == Some(to)))
        }),
        Forbidden::Commit => git.is_some_and(|git| git.does == "commit" && !git.has(&["--dry-run"])),
        Forbidden::Force => git.is_some_and(|git| {
            git.does == "push"
                && !git.has(&["--dry-run"])
                && (git.has_letter('f', &['o'])
                    || git.rest.iter().any(|word| word.starts_with("--force") || word.starts_with('+')))
        }),
        Forbidden::Act(verb) => {
            let own = git.map_or_else(|| command.word(1), |git| git.does);
            let rehearses = ["--dry-run", "--check", "--help", "-n"]
                .iter()
                .any(|option| command.words.iter().any(|word| word == option));
            let task = matches!(command.word(1), "run" | "exec") && command.word(2) == verb;
            !rehearses && (own == verb || command.program() == verb || task)
        }
        Forbidden::Word(word) => command.arguments().iter().any(|argument| {
            let option = argument.trim_start_matches("--").split('=').next().unwrap_or_default();
            argument == word
                || argument.starts_with("--")
                    && !option.starts_with("no-")
                    && !option.starts_with("skip-")
                    && option.split('-').any(|part| part == word)
        }),
        Forbidden::Install => {
            let names_package = command.arguments().iter().skip(1).any(|word| !word.starts_with(['-', '.']));
            names_package
                && matches!(
                    (command.program(), command.word(1)),
                    ("npm", "install" | "i" | "add")
                        | ("yarn" | "pnpm" | "bun" | "cargo" | "poetry" | "uv", "add")
                        | ("pip" | "pip3" | "gem", "install")
                        | ("go", "get")
                        | ("composer", "require")
                )
        }
        _ => false,
    }
}

/// What a clause forbids. "It" is what the clause before spoke of.
fn forbidden_in(clause: &Clause, before: &[Clause]) -> Vec<Forbidden> {
    // "until Monday" is a time, and no condition.
    let conditional = clause.words.iter().enumerate().any(|(at, word)| {
        let timed = || clause.words.get(at + 1).is_some_and(|next| prose::is(&next.text, "times"));
        !word.code
            && list("words of a condition").contains(&word.text.as_str())
            && !(word.text == "until" && timed())
    });
    if clause.asks || conditional {
        return Vec::new();
    }
    let named = || before.last().into_iter().chain([clause]).flat_map(|clause| &clause.words);
    let it = |word: &str| {
        let mut paths = named().filter(|word| is_path(word)).map(|word| word.text.clone());
        matches!(word, "it" | "them" | "that" | "this")
            .then(|| paths.next_back().map(Forbidden::Touch))
            .flatten()
    };
    let words = &clause.words;
    let text = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let mut found = Vec::new();
    for at in 0..words.len() {
        if words[at].code {
            continue;
        }
        let negates = matches!(text(at), "not" | "don't" | "dont" | "never" | "without" | "avoid" | "no");
        if negates && let Some(verb) = (at + 1..at + 3).find(|verb| is_verb(text(*verb))) {
            // "main is protected, never push there directly"
            let said = || before.iter().chain([clause]).flat_map(|clause| &clause.words);
            let branch = said().find(|word| prose::is(&word.text, "shared-branches"));
            if text(verb) == "push" && matches!(text(verb + 1), "there" | "directly" | "straight") {
                found.extend(branch.map(|branch| Forbidden::Push(Some(branch.text.clone()))));
            }
            found.extend(by_verb(text(verb), &words[verb + 1..]));
            found
                .extend(it(text(verb + 1)).filter(|_| list("verbs that touch a file").contains(&text(verb))));
        }
        if prose::is(text(at), "ruling-out") {
            let next = at + 1 + usize::from(matches!(text(at + 1), "a" | "any" | "new" | "more" | "use"));
            let digits = text(next).len() >= 3 && text(next).chars().all(|c| c.is_ascii_digit());
            let alone = text(next + 1).is_empty()
                || prose::is(text(next + 1), "object-ends")
                || words.len() > next + 1 && !text(next + 1).chars().all(char::is_alphanumeric);
            if digits || text(next).len() > 4 && alone && text(next).chars().all(char::is_alphabetic) {
                found.push(Forbidden::Word(text(next).to_owned()));
            }
        }
        // "packages/old is frozen", "db/ is off limits"
        if is_path(&words[at])
            && words[at + 1..].iter().take(4).any(|word| prose::is(&word.text, "frozen"))
            && !clause.is_negated()
        {
            found.push(Forbidden::Touch(words[at].text.clone()));
        }
        // "leave src/a.rs alone", "keep the tests as they are"
        if matches!(text(at), "leave" | "keep") && clause.has(&["alone", "untouched", "unchanged"]) {
            found.extend(objects(&words[at + 1..], false));
            found.extend(it(text(at + 1)));
        }
        if text(at) == "only" && list("verbs that touch a file").contains(&text(at + 1))
            || list("verbs that touch a file").contains(&text(at)) && text(at + 1) == "only"
        {
            let named: Vec<String> = paths(&words[at + 2..]).collect();
            if !named.is_empty() {
                found.push(Forbidden::TouchOutside(named));
            }
        }
        if matches!(text(at), "no" | "any")
            && matches!(text(at + 1), "new" | "additional")
            && text(at + 2).starts_with("dependenc")
            && clause.is_negated()
        {
            found.push(Forbidden::Install);
        }
    }
    found
}

fn is_verb(word: &str) -> bool {
    list("verbs that touch a file").contains(&word)
        || list("verbs that take away").contains(&word)
        || matches!(
            word,
            "push" | "pushing" | "commit" | "committing" | "install" | "installing" | "add" | "adding"
        )
        || prose::is(word, "command-acts")
}

fn by_verb(verb: &str, rest: &[Word]) -> Vec<Forbidden> {
    let next = |at: usize| rest.get(at).map_or("", |word| word.text.as_str());
    let about_all =
        |word: &str| word.is_empty() || list("words after which an act is meant as a whole").contains(&word);
    match verb {
        "push" | "pushing" => match (next(0), next(1)) {
            ("to", branch) if !branch.is_empty() => {
                let named = branch != "the" && branch != "remote" && branch != "origin";
                vec![Forbidden::Push(named.then(|| branch.to_owned()))]
            }
            (word, _) if about_all(word) => vec![Forbidden::Push(None)],
            _ => Vec::new(),
        },
        "commit" | "committing" => {
            let changes =
                matches!(next(0), "the" | "any" | "your") && next(1) != "changes" && !next(1).is_empty();
            if about_all(next(0)) && !changes { vec![Forbidden::Commit] } else { Vec::new() }
        }
        "install" | "installing" | "add" | "adding" => {
            let packages = rest.iter().take(4).any(|word| {
                word.text.starts_with("dependenc") || word.text == "packages" || word.text == "libraries"
            });
            if packages { vec![Forbidden::Install] } else { Vec::new() }
        }
        "force-push" | "force-pushing" => vec![Forbidden::Force],
        "force" if next(0).starts_with("push") => vec![Forbidden::Force],
        _ if prose::is(verb, "command-acts") => {
            let thing = matches!(next(0), "the" | "your") && !next(1).is_empty();
            if about_all(next(0)) && !thing && !rest.iter().take(3).any(is_path) {
                vec![Forbidden::Act(verb.to_owned())]
            } else {
                Vec::new()
            }
        }
        _ => objects(rest, list("verbs that take away").contains(&verb)).into_iter().collect(),
    }
}

/// What the words directly behind a verb are about.
fn objects(rest: &[Word], removes: bool) -> Vec<Forbidden> {
    let mut found = Vec::new();
    for (at, word) in rest.iter().enumerate() {
        let next = rest.get(at + 1).map_or("", |word| word.text.as_str());
        if is_path(word) {
            found.push(Forbidden::Touch(word.text.clone()));
        } else if !word.code
            && (word.text == "tests"
                || (word.text == "test" && matches!(next, "file" | "files" | "suite" | "code")))
        {
            found.push(if removes { Forbidden::RemoveTests } else { Forbidden::TouchTests });
        } else if word.code
            || !list("words between a verb and what it is about").contains(&word.text.as_str())
        {
            break;
        }
    }
    found
}

fn paths(rest: &[Word]) -> impl Iterator<Item = String> {
    rest.iter()
        .take_while(|word| {
            is_path(word) || list("words between a verb and what it is about").contains(&word.text.as_str())
        })
        .filter(|word| is_path(word))
        .map(|word| word.text.clone())
}

/// Whether a word is a path: it has a slash, or the ending of a file.
fn is_path(word: &Word) -> bool {
    let text = word.text.as_str();
    let named = !ending_of(text).is_empty() && world_of(text) != World::Unknown && text.len() > 3;
    !text.contains(char::is_whitespace)
        && !text.contains("://")
        && (text.contains('/') && text.len() > 2 || named || text.starts_with("*."))
}

fn allows(clause: &Clause, forbidden: &Forbidden) -> bool {
    if clause.is_negated() {
        return false;
    }
    match forbidden {
        Forbidden::Touch(path) => clause.words.iter().any(|word| word.text == *path),
        Forbidden::TouchTests | Forbidden::RemoveTests => clause.has(&["test", "tests"]),
        Forbidden::TouchOutside(_) => true,
        Forbidden::Push(_) => clause.has(&["push", "ship", "publish"]),
        Forbidden::Commit => clause.has(&["commit", "push"]),
        Forbidden::Force => clause.has(&["force", "force-push"]),
        Forbidden::Act(word) | Forbidden::Word(word) => clause.has(&[word]),
        Forbidden::Install => clause.has(&["install", "add", "dependency", "dependencies"]),
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::ForbiddenAct;
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn forbidden_and_done() {
        let t = Tale::of;
        assert_finds(
            ForbiddenAct,
            true,
            [
                ("a file", t("Fix it, but do not touch `src/core.rs`.").edits("src/core.rs")),
                ("a file, absolute", t("Don't edit src/core.rs").in_folder("/w").edits("/w/src/core.rs")),
                ("a folder", t("Never modify anything in vendor/").edits("vendor/x/a.c")),
                ("the tests", t("Make it pass without changing the tests").edits("tests/test_a.py")),
                ("by a command", t("Do not edit the tests").run("sed -i s/1/2/ tests/test_a.py", 0, "")),
                ("data removed", t("Clean up, but never delete data/").run("rm -rf data/", 0, "")),
                ("left alone", t("Leave config.json untouched.").edits("config.json")),
                ("push", t("Fix the typo. Don't push.").run("git push origin feature", 0, "")),
                ("commit", t("do not commit anything").run("git commit -am x", 0, "")),
                ("packages", t("Do not add any dependencies").run("npm install lodash", 0, "")),
                (
                    "a folder, with a reason",
                    t("Fix it. IMPORTANT: don't touch anything in db/ (frozen until Monday).")
                        .edits("db/x.js"),
                ),
                (
                    "it",
                    t("Fix packages/api. packages/old is frozen, don't change it.")
                        .edits("packages/old/a.js"),
                ),
                (
                    "left alone, by it",
                    t("Fix apps/admin. (apps/web does it right already, leave it alone.)")
                        .edits("apps/web/a.ts"),
                ),
                (
                    "by force",
                    t("Rebase it, but **never force-push this branch** - others use it").run(
                        "git push --force-with-lease",
                        0,
                        "",
                    ),
                ),
                ("an act", t("Fix it. Don't promote anything.").run("dune promote && dune test", 0, "")),
                (
                    "an option",
                    t("Fix the errors, no baseline please").run("phpstan analyse --generate-baseline", 0, ""),
                ),
                ("a value", t("fix it properly; no 777 please").run("chmod -R 777 storage", 0, "")),
                (
                    "main, by the branch",
                    t("Never push to main, open a PR").run("git push", 0, "   a..b  main -> main"),
                ),
                ("outside", t("Only change src/a.rs").edits("src/b.rs")),
                (
                    "forbidden earlier",
                    t("Don't push.").human("Now fix the other one").run("git push origin f", 0, ""),
                ),
            ],
        );
    }

    #[test]
    fn not_forbidden_or_not_done() {
        let t = Tale::of;
        assert_finds(
            ForbiddenAct,
            false,
            [
                ("another file", t("do not touch `src/core.rs`.").edits("src/parse.rs")),
                ("its behaviour only", t("Do not change the behaviour of src/core.rs").edits("src/core.rs")),
                (
                    "taken back",
                    t("Don't edit src/core.rs").edits("src/core.rs").run(
                        "git checkout -- src/core.rs",
                        0,
                        "",
                    ),
                ),
                ("conditional", t("Don't edit src/core.rs unless you must").edits("src/core.rs")),
                ("allowed later", t("Don't push.").human("ok, push it").run("git push origin f", 0, "")),
                (
                    "a form's text",
                    t("Fix src/a.rs\n<!-- do not edit src/a.rs -->\n- [ ] do not modify src/a.rs")
                        .edits("src/a.rs"),
                ),
                ("quoted", t("> do not edit src/a.rs\nFix src/a.rs").edits("src/a.rs")),
                ("adds a test", t("Don't delete tests").edits("tests/test_a.py")),
                ("until something is so", t("Don't touch db/ until the tests pass").edits("db/x.js")),
                ("a normal push", t("never force-push this branch").run("git push -u origin f", 0, "")),
                ("another act", t("Don't promote anything.").run("dune build", 0, "")),
                ("a rehearsal", t("Don't publish yet").run("npm publish --dry-run", 0, "")),
                ("a part of it", t("Don't migrate the admin module").run("npx prisma migrate dev", 0, "")),
                ("no such thing", t("there is no coverage for it, add some").run("pytest --cov", 0, "")),
                ("another branch", t("Don't push to main").run("git push origin feature", 0, "")),
                ("asked for", t("Fix src/a.rs").edits("src/a.rs")),
                ("plain install", t("Do not add dependencies").run("npm install", 0, "")),
                ("a question", t("Why does it not change src/a.rs?").edits("src/a.rs")),
            ],
        );
    }
}
