//! Acts that the request names and nobody did: commit, push, deploy, open a pull request, write tests, update the docs.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::prose::Form;
use crate::session::{Action, Call};
use crate::verdict::Severity;

/// An act: how a request names it, and what it looks like when it is done.
struct Act {
    name: &'static str,
    /// The verb in the request, and words of which one follows close behind; none means that the verb is enough.
    verbs: &'static [&'static str],
    objects: &'static [&'static str],
    /// Parts of a command line that does it.
    commands: &'static [&'static str],
    /// Parts of the path, or of what was written, of a file that shows it.
    files: &'static [&'static str],
    written: &'static [&'static str],
}

const ACTS: &[Act] = &[
    Act {
        name: "deploy",
        verbs: &["deploy", "redeploy"],
        objects: &[],
        commands: &[
            "deploy", "kubectl", "helm ", "terraform apply", "tofu apply", "pulumi up", "cdk ", "vercel",
            "netlify", "fly ", "ansible", "serverless", "docker", "rsync", "scp ", "git push", "heroku",
            "gcloud", "aws ", "az ",
        ],
        files: &[],
        written: &[],
    },
    Act {
        name: "commit",
        verbs: &["commit"],
        objects: &[],
        commands: &[
            "git commit", "jj commit", "jj describe", "hg commit", "git merge", "git rebase", "git revert",
            "git cherry-pick",
        ],
        files: &[],
        written: &[],
    },
    Act {
        name: "push",
        verbs: &["push"],
        objects: &[],
        commands: &["git push", "jj git push", "docker push", "podman push", "gh pr", "npm publish"],
        files: &[],
        written: &[],
    },
    Act {
        name: "open a pull request",
        verbs: &["open", "create", "raise", "submit", "make"],
        objects: &["pr", "pull", "mr"],
        commands: &["gh pr create", "gh api", "glab mr", "hub pull-request", "az repos pr", "git push"],
        files: &[],
        written: &[],
    },
    Act {
        name: "write tests",
        verbs: &["add", "write", "include", "create"],
        objects: &["tests", "unit-tests", "test"],
        commands: &["> test", ">test", "tests/", "_test", ".test.", ".spec."],
        files: &["test", "spec"],
        written: &[
            "#[test]", "def test_", "it(", "test(", "describe(", "@test", "func test", "[fact]", "testcase",
            "assert", "should ",
        ],
    },
    Act {
        name: "update the README",
        verbs: &["update", "document", "add", "mention", "edit", "extend", "write"],
        objects: &["readme"],
        commands: &["readme"],
        files: &["readme"],
        written: &[],
    },
    Act {
        name: "update the changelog",
        verbs: &["update", "add", "write", "edit"],
        objects: &["changelog"],
        commands: &["changelog", "changes.md", "history.md"],
        files: &["changelog", "changes", "history", "news"],
        written: &[],
    },
];

/// Finds acts that were asked for and not done.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !reading.wants_action() || reading.calls == 0 {
        return;
    }
    let calls = &situation.session.calls[situation.task_calls()];
    for act in ACTS {
        let asked = reading.asked.sentences.iter().any(|sentence| {
            // An item of a list needs no verb: "5. changelog entry".
            let item = sentence.form == Form::Item
                && act.objects.iter().any(|object| {
                    matches!(*object, "readme" | "changelog")
                        && sentence.words.iter().take(2).any(|word| word == object)
                });
            item || asks_for(act, &sentence.words)
        });
        if asked && !calls.iter().any(|call| does(act, call)) {
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

fn asks_for(act: &Act, words: &[String]) -> bool {
    words.iter().enumerate().any(|(place, word)| {
        let before = &words[place.saturating_sub(4)..place];
        let denied = before.iter().any(|word| {
            matches!(
                word.as_str(),
                "not"
                    | "no"
                    | "without"
                    | "never"
                    | "before"
                    | "existing"
                    | "last"
                    | "the"
                    | "a"
                    | "this"
                    | "when"
                    | "after"
                    | "if"
                    | "pre"
                    | "until"
                    | "each"
                    | "on"
            )
        });
        // "the commit", "a push": a thing and not an act; a list of acts is joined by commas and "and".
        let verb = act.verbs.contains(&word.as_str())
            && (!denied
                || !act.objects.is_empty()
                    && !before
                        .iter()
                        .any(|word| matches!(word.as_str(), "not" | "no" | "without" | "never")));
        // "add it and keep the tests green" asks for no new test.
        let between = words[place + 1..].iter().take(5).take_while(|word| {
            !matches!(
                word.as_str(),
                "run" | "keep" | "make" | "all" | "pass" | "existing" | "until" | "," | ";" | "fix"
            )
        });
        let object =
            act.objects.is_empty() || between.into_iter().any(|word| act.objects.contains(&word.as_str()));
        verb && object
    }) || act.name == "write tests"
        && words.windows(3).any(|row| {
            matches!(row[0].as_str(), "and" | "," | "plus" | "with")
                && matches!(row[1].as_str(), "unit" | "integration" | "regression" | "new")
                && row[2].starts_with("test")
                || row[0] == "and" && row[1].starts_with("test") && row[2] == "for"
                || row[1] == "with" && row[2] == "tests"
        })
        && !words.iter().any(|word| word == "run")
}

fn does(act: &Act, call: &Call) -> bool {
    match &call.action {
        Action::Run { command, .. } => {
            let command = command.to_lowercase();
            // A command that only runs tests writes none.
            let writes = act.written.is_empty()
                || ["> ", ">>", "tee ", "sed -i", "cp ", "mv ", "patch", "git apply"]
                    .iter()
                    .any(|part| command.contains(part));
            let rehearses = ["--dry-run", "--dryrun", "--noop", "terraform plan"]
                .iter()
                .any(|part| command.contains(part));
            writes
                && !rehearses
                && !super::reading::only_looks(&command)
                && act.commands.iter().any(|part| command.contains(part))
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
