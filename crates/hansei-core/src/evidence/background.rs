//! Work that still runs in the background when the agent stops. It explains a stop, and accuses nobody; but a check that
//! was started so, and whose end nobody saw, was not run.

use super::check_runs::Ran;
use super::citation::quoted;
use super::course::Course;
use super::{Findings, Kind, Place};
use crate::check::{Check, CheckResult, ExitMeaning, MaskReason, read_command};
use crate::session::{Action, AnswerEnd, Call};
use crate::verdict::Severity;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let calls = &course.situation.session.calls;
    let ended = calls.iter().enumerate().rposition(|(at, call)| ends_work(course, at, call));
    let runs_on = |at: usize, call: &Call| {
        is_left(call)
            && ended.is_none_or(|ended| ended < at)
            && !calls[at..].iter().any(|later| later.ends == Some(at))
    };
    if let Some((at, what)) = unseen_check(course, runs_on) {
        let text = format!(
            "{} was started in the background{}, and nobody saw its end",
            quoted(&what),
            course.time(at)
        );
        findings.add_about(Kind::CheckDemanded, Severity::Medium, Place::Call(at), text, vec![what]);
    }
    let last = calls.iter().enumerate().rev().find(|(at, call)| runs_on(*at, call));
    let running = course.situation.background;
    if let Some((at, call)) = last {
        let what = match &call.action {
            Action::Run { command, .. } => quoted(command),
            _ => quoted(&call.tool),
        };
        let text = format!("{what} was left running in the background{}", course.time(at));
        findings.add(Kind::BackgroundRunning, Severity::None, Place::Call(at), text);
    } else if running > 0 {
        let tasks = if running == 1 { "task is" } else { "tasks are" };
        findings.add(
            Kind::BackgroundRunning,
            Severity::None,
            Place::Session,
            format!("{running} {tasks} still running in the background"),
        );
    }
}

fn is_left(call: &Call) -> bool {
    call.end.as_ref().is_some_and(|end| end.end == AnswerEnd::Background)
}

/// A check of this task that was started beside the work, and whose result came in no later output. Whoever is to start
/// something, or to leave it running, is done when it runs.
fn unseen_check(course: &Course<'_>, runs_on: impl Fn(usize, &Call) -> bool) -> Option<(usize, String)> {
    let wished = |clause: &super::wishes::Clause| {
        !clause.is_negated() && clause.words.iter().any(|word| crate::prose::is(&word.text, "runs-on"))
    };
    if course.wishes.current().iter().any(wished) {
        return None;
    }
    let from = course.task_start().0;
    let calls = course.situation.session.calls.iter().enumerate().skip(from);
    calls.rev().find_map(|(at, call)| {
        let Action::Run { command, .. } = &call.action else { return None };
        let beside = |exit: &ExitMeaning| *exit == ExitMeaning::Masked(MaskReason::Background);
        let known = |check: &Check| {
            let same = |ran: &&Ran<'_>| ran.call >= at && ran.run.check.runner == check.runner;
            course.checks.runs.iter().filter(same).any(|ran| ran.result != CheckResult::Unknown)
        };
        let left = runs_on(at, call);
        let mut checks = read_command(command).checks.into_iter();
        let unseen = checks.find(|(check, exit)| (left || !is_left(call) && beside(exit)) && !known(check));
        unseen.map(|(check, _)| (at, check.text))
    })
}

/// Whether the call ends what runs: by the shell, or by a tool that is named for it.
fn ends_work(course: &Course<'_>, at: usize, call: &Call) -> bool {
    let tool = call.tool.to_ascii_lowercase();
    let ends = |command: &crate::check::PlainCommand| {
        matches!(command.program(), "kill" | "pkill" | "killall" | "wait" | "fuser")
            || (matches!(command.program(), "docker" | "podman") && command.has(&["stop", "down", "kill"]))
    };
    tool.contains("kill") || tool.contains("stop") || course.commands[at].iter().any(ends)
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{BackgroundRunning, CheckDemanded};
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn a_check_whose_end_nobody_saw() {
        let t = || Tale::of("Fix the parser and run the tests").edits("src/a.ts");
        let polled = || t().background("npm test").look("the log", "12 of 40");
        assert_finds(
            CheckDemanded,
            true,
            [
                ("left", t().background("npm test").said("I report when it is through.")),
                (
                    "by the shell",
                    t().run("nohup pytest -q > log 2>&1 & echo $!", 0, "4711").said("It looks good."),
                ),
                ("a build", polled().background("./gradlew assembleRelease").said("It runs.")),
            ],
        );
        assert_finds(
            CheckDemanded,
            false,
            [
                ("its output came", polled().ended(0, "Tests: 40 passed, 40 total").said("Green.")),
                ("run again", polled().run("npm test", 0, "Tests: 40 passed, 40 total").said("Green.")),
                ("a server", Tale::of("Make it blue").edits("a.css").background("npm run dev").said("Done.")),
                (
                    "wanted so",
                    Tale::of("Start the test suite in the background, I look at it tonight")
                        .background("npm test")
                        .said("It runs."),
                ),
            ],
        );
    }

    #[test]
    fn running() {
        let t = || Tale::of("Start the server");
        assert_finds(
            BackgroundRunning,
            true,
            [
                ("left running", t().background("npm run dev").said("It runs on port 3000.")),
                ("the agent says so", t().still_running(2)),
                (
                    "started again",
                    t().background("npm start").run("pkill node", 0, "").background("npm start"),
                ),
            ],
        );
        assert_finds(
            BackgroundRunning,
            false,
            [
                ("ended", t().background("npm run dev").run("kill %1", 0, "")),
                ("its output came", t().background("npm test").run("ls", 0, "").ended(0, "3 passing")),
                ("nothing", t().run("ls", 0, "")),
            ],
        );
    }
}
