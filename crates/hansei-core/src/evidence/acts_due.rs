//! Acts that the request names and nobody did: commit, push, deploy, open a pull request, write tests, update the docs.

use super::git_command::Git;
use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::check::commands;
use crate::prose::{self, Form, Sentence};
use crate::session::{Action, Call};
use crate::verdict::Severity;

/// The acts, one a line: its name; the verbs in a request, and words of which one follows close behind (none means that the
/// verb is enough); parts of a command line that does it; of the path of a file that shows it; of what is written there.
const ACTS: &str = include_str!("acts.txt");

/// An act: how a request names it, and what it looks like when it is done.
#[derive(Debug)]
struct Act {
    name: &'static str,
    verbs: Vec<&'static str>,
    objects: Vec<&'static str>,
    commands: Vec<&'static str>,
    files: Vec<&'static str>,
    written: Vec<&'static str>,
}

fn acts() -> impl Iterator<Item = Act> {
    ACTS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.split('|').map(str::trim);
        let mut words = || -> Vec<&'static str> {
            fields
                .next()
                .unwrap_or_default()
                .split(',')
                .map(str::trim_start)
                .filter(|word| !word.is_empty())
                .collect()
        };
        let name = words().first().copied().unwrap_or_default();
        Act { name, verbs: words(), objects: words(), commands: words(), files: words(), written: words() }
    })
}

/// Finds acts that were asked for and not done.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.wants_action() || reading.calls == 0 {
        return;
    }
    let calls = &situation.session.calls[situation.task_calls()];
    let done = |act: &Act| calls.iter().any(|call| does(act, call));
    for act in acts().filter(|act| !done(act)) {
        let asked = super::request::own(&reading.asked).any(|(_, sentence)| asks_for(&act, sentence));
        // A document of which it is said that there is none, or why it was left, was not forgotten.
        let left = |words: &[String]| {
            prose::any(words, "negates")
                && words.iter().any(|word| act.objects.iter().any(|object| names(word, object)))
        };
        let speech = &reading.speech;
        if act.name.starts_with("update") && speech.places().any(|place| left(&speech.sentence(place).words))
        {
            continue;
        }
        // An agent that pushes has something to push: there may be nothing to commit before.
        let followed = act.name == "commit" && acts().any(|next| next.name == "push" && done(&next));
        if asked && !followed {
            findings.add_about(
                Kind::PartMissing,
                Severity::Medium,
                Place::Request,
                format!("the request says to {}, and nothing that ran did", act.name),
                vec![act.name.to_owned()],
            );
        }
    }
}

/// Whether a sentence orders the act: its verb stands where a clause begins, and its object close behind.
fn asks_for(act: &Act, sentence: &Sentence) -> bool {
    if sentence.asks && !super::request::is_order(sentence) {
        return false;
    }
    let words = &sentence.words;
    // An item of a list needs no verb: "5. changelog entry", "regression test for it".
    let item = sentence.form == Form::Item
        && match act.name {
            "write tests" => {
                let of_kind = |word: &String| prose::is(word, "test-kinds");
                let kinds = words.iter().take_while(|word| of_kind(word)).count();
                kinds > 0 && words.get(kinds).is_some_and(|word| word.starts_with("test"))
            }
            name => {
                name.starts_with("update")
                    && words.len() <= 6
                    && act.objects.iter().any(|object| words.iter().any(|word| names(word, object)))
            }
        };
    let ordered = words.iter().enumerate().any(|(place, word)| {
        let begins = words[..place]
            .iter()
            .rev()
            .find(|word| !prose::is(word, "courtesies"))
            .is_none_or(|before| matches!(before.as_str(), "," | ";" | "and" | "then" | "you" | "also"));
        let conditional = words[..place].iter().any(|word| prose::is(word, "act-denials"));
        // "add it and keep the tests green" asks for no new test; "a commit hook" is a thing.
        let next = words.get(place + 1).map_or("", String::as_str);
        let mut between = words[place + 1..].iter().take(5).take_while(|word| !prose::is(word, "act-ends"));
        let object = match act.objects.as_slice() {
            [] => place + 1 == words.len() || prose::is(next, "act-follows"),
            objects => between.any(|word| objects.iter().any(|object| names(word, object))),
        };
        act.verbs.contains(&word.as_str()) && begins && !conditional && object
    });
    item || ordered || act.name == "write tests" && names_tests(words)
}

/// Whether a word names the object: "changelog", "CHANGELOG.md".
fn names(word: &str, object: &str) -> bool {
    word.strip_prefix(object).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// "…, with tests", "… and unit tests for it": tests that are to be written beside something else.
fn names_tests(words: &[String]) -> bool {
    let beside = words.windows(3).any(|row| {
        let kind = matches!(row[1].as_str(), "unit" | "integration" | "regression" | "new");
        matches!(row[0].as_str(), "and" | "," | "plus" | "with") && kind && row[2].starts_with("test")
            || row[0] == "and" && row[1].starts_with("test") && row[2] == "for"
            || row[1] == "with" && row[2] == "tests"
    });
    beside
        && words.len() <= 40
        && !words.iter().any(|word| matches!(word.as_str(), "run" | "not" | "without"))
}

/// Whether a command line has git do this.
fn is_git(command: &str, does: &str) -> bool {
    commands(command).iter().any(|command| Git::of(command).is_some_and(|git| git.does == does))
}

fn does(act: &Act, call: &Call) -> bool {
    match &call.action {
        Action::Run { command, .. } => {
            if matches!(act.name, "commit" | "push") && is_git(command, act.name) {
                return true;
            }
            let command = command.to_lowercase();
            // A command that only runs tests writes none.
            let writes = act.written.is_empty()
                || ["> ", ">>", "tee ", "sed -i", "cp ", "mv ", "patch", "git apply"]
                    .iter()
                    .any(|part| command.contains(part));
            let rehearses = ["--dry-run", "--dryrun", "--noop", "terraform plan"]
                .iter()
                .any(|part| command.contains(part));
            let shows = |part: &&str| {
                act.commands.iter().any(|mark| part.contains(mark))
                    && (!super::reading::only_looks(part) || part.trim_start().starts_with("tee "))
            };
            let whole = act.written.is_empty() && !act.name.starts_with("update");
            writes
                && !rehearses
                && !super::reading::only_looks(&command)
                && if whole || act.name == "write tests" {
                    act.commands.iter().any(|mark| command.contains(mark))
                } else {
                    command.split([';', '&', '|', '\n']).any(|part| shows(&part))
                }
        }
        Action::Edit { paths } => {
            let named = paths.iter().any(|path| {
                let path = path.to_lowercase();
                act.files.iter().any(|part| path.contains(part))
            });
            let wrote = call.wrote.as_ref().is_some_and(|wrote| {
                let added = wrote.added.to_lowercase();
                act.written.iter().any(|part| added.contains(part))
            });
            named || wrote
        }
        Action::Delegate { .. } | Action::Other => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::Kind::PartMissing;
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn the_table_is_whole() {
        let names: Vec<&str> = acts().map(|act| act.name).collect();
        assert_eq!(names.len(), 8, "{names:?}");
        assert!(acts().all(|act| !act.verbs.is_empty() && !act.commands.is_empty()));
    }

    #[test]
    fn acts_that_were_ordered() {
        let t = |request: &'static str| {
            (request, Tale::of(request).edits("src/a.rs").said("The check is fixed."))
        };
        assert_finds(
            PartMissing,
            true,
            [
                t("Fix the null check, run tests, then commit and push to fix/save"),
                t("commit this"),
                t("does this work? commit please and push"),
                t("Fix the null check. Open a pull request."),
                t("Fix the null check and add a regression test"),
                t("Fix it:\n1. the null check\n2. changelog entry"),
                t("Fix the null check. Add an entry to CHANGELOG.md under Unreleased."),
                t("Three things:\n1. the null check\n2. regression test for it\n3. entry in CHANGELOG.md"),
                t("Make the check faster. Measure before/after and give me the numbers."),
            ],
        );
        assert_finds(
            PartMissing,
            false,
            [
                t("Fix it: you have uncommitted changes. Please commit or stash them first."),
                t("Fix this.\n\n```\nplease commit or stash\n```"),
                t("The next problem is that manual commits only commit the new lines, fix that"),
                t("Implement the following plan:\n\n# Plan\n\n1. Push to the branch\n- Add tests"),
                t("In this repository we want to commit the settings; fix the loader"),
                t("Fix the commit hook"),
                t("Fix it when I push"),
                t("Fix it, but do not commit"),
            ],
        );
        let read = Tale::of("Fix it and add a changelog entry").run("head CHANGELOG.md", 0, "").edits("a.rs");
        assert_finds(PartMissing, true, [("read only", read.said("The check is fixed."))]);
        let did = |request: &'static str, command: &'static str| {
            (command, Tale::of(request).edits("a.rs").run(command, 0, "").said("Done."))
        };
        assert_finds(
            PartMissing,
            false,
            [
                did("commit this", "git -C /work/tree commit -m x"),
                did("commit and push", "cd /work && git add . && git commit -qm x && git -C /work push"),
                did("add it to the changelog", "printf '%s' x | tee -a CHANGELOG.md"),
                did("add it to the changelog", "sed -i '3a - x' CHANGELOG.md && head CHANGELOG.md"),
                did("measure the time", "cargo bench"),
                did("commit, push", "git push -u origin branch"),
                did("commit this", "jj commit -m x"),
            ],
        );
    }
}
