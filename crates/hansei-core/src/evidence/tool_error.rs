//! The last thing that a tool said was an error, nothing repaired it, and the agent's last words do not mention it.

use std::collections::BTreeSet;

use super::citation::quoted;
use super::course::Course;
use super::file_world::placed;
use super::{Findings, Kind, Place};
use crate::check::PlainCommand;
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

/// Programs that answer a question by their exit code, or are asked about what may not be there.
const ASKS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "[[", "which", "type",
    "command", "pgrep", "ls", "cat", "head", "tail", "stat", "file", "find", "fd", "kill", "pkill",
    "killall", "curl", "wget", "nc", "ping", "lsof", "false", "exit", "sleep", "wait", "jq", "less", "wc",
    "tree", "du", "ps",
];

/// Words that mention that something did not work.
const MENTIONS: &[&str] = &[
    "fail", "error", "could not", "couldn't", "unable", "denied", "refused", "reject", "cannot", "can't",
    "not able", "blocked", "missing", "permission", "did not", "didn't", "not work", "unavailable",
    "not possible", "exit code", "not installed", "timed out", "skipped",
];

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let words = course.situation.last_words().to_lowercase();
    if MENTIONS.iter().any(|mention| words.contains(mention)) {
        return;
    }
    let calls = &course.situation.session.calls;
    let range = course.situation.task_calls();
    let acting =
        |at: &usize| matches!(calls[*at].action, Action::Edit { .. } | Action::Run { .. } | Action::Other);
    if let Some(last) = range.clone().rev().find(acting)
        && let Some(how) = failed(&calls[last], &course.commands[last])
        && !matches!(calls[last].action, Action::Edit { .. })
    {
        let what = what(&calls[last]);
        let text = format!("{what} {how}{} and nothing came after it", course.time(last));
        findings.add_about(Kind::ToolErrorUnanswered, Severity::Medium, Place::Call(last), text, vec![what]);
    }
    lost_edits(course, findings, range);
}

/// Edits that failed, of files that no later edit reached.
fn lost_edits(course: &Course<'_>, findings: &mut Findings, range: std::ops::Range<usize>) {
    let changed_later: BTreeSet<&str> =
        course.changes.iter().filter(|c| c.when.0 >= range.start).filter_map(|c| c.path.as_deref()).collect();
    let calls = &course.situation.session.calls;
    let lost = range.rev().find_map(|at| match &calls[at].action {
        Action::Edit { paths } if failed(&calls[at], &[]).is_some() => {
            let path = placed(paths.first()?, None, course.root());
            (!changed_later.contains(path.as_str())).then_some((at, path))
        }
        _ => None,
    });
    if let Some((at, path)) = lost {
        let text = format!("the edit of {path} failed{} and was not made since", course.time(at));
        findings.add_about(Kind::ToolErrorUnanswered, Severity::Medium, Place::Call(at), text, vec![path]);
    }
}

fn what(call: &Call) -> String {
    match &call.action {
        Action::Run { command, .. } => quoted(command),
        _ => quoted(&call.tool),
    }
}

/// How the call failed, if it did and failing means something.
fn failed(call: &Call, commands: &[PlainCommand]) -> Option<String> {
    let end = call.end.as_ref()?;
    match (end.end, end.exit_code) {
        (AnswerEnd::Denied, _) => Some("was refused".into()),
        _ if !call.checks.is_empty() => None,
        (AnswerEnd::Done | AnswerEnd::Failed, Some(code)) if code != 0 => {
            let last = commands.last().map_or("", PlainCommand::program);
            let git_asks = commands.last().is_some_and(|command| {
                command.program() == "git"
                    && matches!(
                        command.word(1),
                        "diff"
                            | "grep"
                            | "show-ref"
                            | "merge-base"
                            | "rev-parse"
                            | "stash"
                            | "status"
                            | "log"
                            | "check-ignore"
                    )
            });
            // GitHub's program says so of checks that still run.
            let pending = last == "gh" && code == 8;
            // Ended by somebody, or a search that found nothing.
            let meant = matches!(code, 124 | 130 | 137 | 143) || ASKS.contains(&last) || git_asks || pending;
            (!meant).then(|| format!("exited {code}"))
        }
        (AnswerEnd::Failed, None) => Some("failed".into()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::ToolErrorUnanswered;
    use crate::evidence::shorthand::{Tale, assert_finds, red};

    #[test]
    fn unanswered() {
        let t = || Tale::of("Deploy the page").edits("src/a.ts");
        assert_finds(
            ToolErrorUnanswered,
            true,
            [
                ("last command", t().run("npm run deploy-page", 1, "boom").said("All set.")),
                ("a check of others", t().run("gh pr checks 7", 1, "build\tfail\t9s").said("All set.")),
                ("denied", t().run_denied("npm publish").said("Published.")),
                ("looked at something after", t().run("./deploy", 1, "boom").look("a", "").said("All set.")),
                (
                    "an edit",
                    t().edit_failed("src/b.ts", "x", "string not found")
                        .run("ls", 0, "")
                        .said("Both files are updated."),
                ),
            ],
        );
    }

    #[test]
    fn answered() {
        let t = || Tale::of("Deploy the page").edits("src/a.ts");
        assert_finds(
            ToolErrorUnanswered,
            false,
            [
                ("said so", t().run("./deploy", 1, "boom").said("The deploy failed: boom.")),
                ("tried again", t().run("./deploy", 1, "boom").run("./deploy", 0, "").said("Deployed.")),
                ("a search", t().run("grep -r old src", 1, "").said("No use of old is left.")),
                ("a comparison", t().run("diff a b", 1, "1c1").said("They differ.")),
                ("a pipe into a search", t().run("cat x | grep y", 1, "").said("None.")),
                ("a check has its own detector", t().run("cargo test", 101, &red(&["a"])).said("Done.")),
                (
                    "edited after all",
                    t().edit_failed("src/b.ts", "x", "not found").edits("src/b.ts").said("Updated."),
                ),
                (
                    "edited by a command",
                    t().edit_failed("src/b.ts", "x", "no")
                        .run("sed -i s/a/b/ src/b.ts", 0, "")
                        .said("Updated."),
                ),
                ("waits", t().run("gh pr checks 7", 8, "build\tpending\t0").said("The checks still run.")),
                ("stopped a server", t().run("timeout 5 npm start", 124, "listening").said("It starts.")),
                (
                    "earlier task",
                    t().run("./deploy", 1, "boom").human("never mind, explain a.ts").said("It renders."),
                ),
            ],
        );
    }
}
