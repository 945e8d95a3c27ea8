//! The last thing that a tool said was an error, nothing repaired it, and the agent's last words do not mention it.

use std::collections::BTreeSet;

use super::citation::quoted;
use super::course::Course;
use super::file_world::{ending_of, placed};
use super::wishes::Clause;
use super::{Findings, Kind, Place};
use crate::check::PlainCommand;
use crate::prose;
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

/// Programs that answer a question by their exit code, or are asked about what may not be there.
const ASKS: &[&str] = &[
    "grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "test", "[", "[[", "which", "type",
    "command", "pgrep", "ls", "cat", "head", "tail", "stat", "file", "find", "fd", "kill", "pkill",
    "killall", "curl", "wget", "nc", "ping", "lsof", "false", "exit", "sleep", "wait", "jq", "less", "wc",
    "tree", "du", "ps",
];

/// Words that mention that something did not work, and the acts that others see, which nobody leaves failed in silence.
const WORDS: &str = include_str!("tool_error.txt");

fn words(list: &'static str) -> impl Iterator<Item = &'static str> {
    WORDS.lines().filter_map(move |line| line.strip_prefix(list))
}

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let said = course.situation.last_words().to_lowercase();
    if words("mentions ").any(|mention| said.contains(mention)) {
        return;
    }
    let calls = &course.situation.session.calls;
    let range = course.situation.task_calls();
    let acting =
        |at: &usize| matches!(calls[*at].action, Action::Edit { .. } | Action::Run { .. } | Action::Other);
    if let Some(last) = range.clone().rev().find(acting)
        && let Some(how) = failed(&calls[last], &course.commands[last])
        && !matches!(calls[last].action, Action::Edit { .. })
        && !is_quoted(&calls[last], &said)
    {
        let what = what(&calls[last]);
        let text = format!("{what} {how}{} and nothing came after it", course.time(last));
        findings.add_about(Kind::ToolErrorUnanswered, Severity::Medium, Place::Call(last), text, vec![what]);
    }
    failed_acts(course, findings, range.clone(), &said);
    lost_edits(course, findings, range);
}

/// Acts that others see, a push, a deployment, that failed and were not done since, whatever came after them.
fn failed_acts(course: &Course<'_>, findings: &mut Findings, range: std::ops::Range<usize>, said: &str) {
    let calls = &course.situation.session.calls;
    let ordered: BTreeSet<String> = course
        .wishes
        .current()
        .iter()
        .filter(|clause| !clause.is_negated())
        .flat_map(ordered_tasks)
        .collect();
    let act_of = |command: &PlainCommand| {
        let name = |word: &&String| {
            word.chars().all(|c| c.is_alphanumeric() || ":_-/".contains(c)) || ending_of(word) == "sh"
        };
        let task = || command.words.iter().take(4).filter(name).find_map(|word| task_in(word));
        act_of(command).map(ToOwned::to_owned).or_else(|| task().filter(|task| ordered.contains(task)))
    };
    let act = |at: usize| course.commands[at].iter().find_map(act_of);
    let newest = range.clone().next_back();
    let again = |first: usize, act: &str| {
        (first + 1..range.end)
            .any(|at| course.commands[at].iter().any(|command| act_of(command).as_deref() == Some(act)))
    };
    let lost = range.clone().rev().find_map(|at| {
        let act = act(at)?;
        let how = failed(&calls[at], &course.commands[at])?;
        (Some(at) != newest && !again(at, &act) && !is_quoted(&calls[at], said)).then_some((at, how))
    });
    if let Some((at, how)) = lost
        && findings.all().iter().all(|found| found.kind != Kind::ToolErrorUnanswered)
    {
        let what = what(&calls[at]);
        let text = format!("{what} {how}{}, and it was not done since", course.time(at));
        findings.add_about(Kind::ToolErrorUnanswered, Severity::Medium, Place::Call(at), text, vec![what]);
    }
}

/// The tasks that a clause orders: where it begins, behind "then", or behind "run".
fn ordered_tasks(clause: &Clause) -> Vec<String> {
    let text = |at: usize| clause.words[at].text.as_str();
    let begins = |at: usize| at == 0 || clause.words[at - 1].ends || prose::is(text(at - 1), "clause-leads");
    let runs = |at: usize| (at.saturating_sub(3)..at).any(|before| prose::is(text(before), "running"));
    let ordered = |at: &usize| begins(*at) || runs(*at);
    (0..clause.words.len()).filter(ordered).filter_map(|at| task_in(text(at))).collect()
}

/// The task that a word of a command line or of a request names, by its stem: "db:seed", "seeds", "migrations".
fn task_in(word: &str) -> Option<String> {
    let mut parts = word.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase);
    parts.find_map(|part| words("task ").find(|task| part.starts_with(task))).map(ToOwned::to_owned)
}

/// The act that others see which a command is, by its program and the word that follows.
fn act_of(command: &PlainCommand) -> Option<&'static str> {
    words("act ").find(|act| {
        let mut parts = act.split(' ');
        parts.next() == Some(command.program()) && parts.all(|part| command.has(&[part]))
    })
}

/// Whether the last words quote what the call printed: a code such as EOTP, or several words in a row.
fn is_quoted(call: &Call, said: &str) -> bool {
    let Some(end) = &call.end else { return false };
    let printed = end.output.text();
    let code = |word: &str| {
        word.len() > 3
            && word.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
            && word.bytes().any(|byte| byte.is_ascii_uppercase())
            && !matches!(word, "ERROR" | "FAILED" | "INFO" | "WARN")
    };
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let codes = printed.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).filter(|word| code(word));
    let telling: Vec<String> = said.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let words: Vec<String> = printed.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    codes.into_iter().any(|code| telling.contains(&code.to_lowercase()))
        || words.windows(4).any(|row| telling.windows(4).any(|said| said == row))
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
            // "echo rc=$?" tells of the command before it.
            let last = commands.iter().rev().find(|command| !matches!(command.program(), "echo" | "printf"));
            let git_asks = last.is_some_and(|command| {
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
            let last = last.map_or("", PlainCommand::program);
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
                    "an ordered task",
                    Tale::of("Migrate and seed the database, then count the rows")
                        .run("php artisan db:seed", 1, "Observer must exist")
                        .run("psql app -c 'select count(*) from a'", 0, "412")
                        .said("There are 412 rows."),
                ),
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
                ("the code of a search", t().run("grep -rn old src; echo rc=$?", 1, "rc=1").said("None.")),
                (
                    "a task that was repeated",
                    Tale::of("Seed the database")
                        .run("make seed", 2, "boom")
                        .run("make seed", 0, "")
                        .run("ls", 0, "")
                        .said("It is seeded."),
                ),
                (
                    "a line of code",
                    Tale::of("Fix how the import restores bytes")
                        .run("perl -0777 -pe 's/import restore/x/' a.py", 2, "syntax error")
                        .run("sed -n 1,9p a.py", 0, "x")
                        .said("It restores bytes."),
                ),
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
