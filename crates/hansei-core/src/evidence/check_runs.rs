//! All checks that ran in a session, in order: which are the same check, and which later run makes an earlier one moot.
//!
//! A failure stays open until a later run covers it. A run that is narrower mends only the tests it names; one whose
//! bearing on the failure nobody can tell leaves it in doubt, and in doubt nobody is accused of a failing check.

use std::collections::{BTreeMap, BTreeSet};

use super::base_tree::Base;
use super::bearing::{Bearing, bearing};
use super::changes::{Change, How, Moment};
use super::check_definitions::Definitions;
use super::coverage::{is_task_runner, is_unknown, looks_like_path, plain};
use super::file_world::{World, ending_of, is_aside, placed, world_of};
use crate::check::{Check, CheckKind, CheckResult, PlainCommand, bears};
use crate::session::{Call, CheckRun, Session};

/// More open failures, or different checks, than anybody runs: older ones are forgotten.
const MOST: usize = 64;

/// A check that ran.
#[derive(Debug)]
pub(super) struct Ran<'a> {
    /// The place of its call.
    pub(super) call: usize,
    pub(super) when: Moment,
    pub(super) run: &'a CheckRun,
    /// What it is, whatever it was told to look at.
    class: String,
    /// The folder it ran in, seen from the session's.
    pub(super) folder: Option<String>,
    /// Whether it ran on the tree as it was before the session's edits.
    pub(super) at_base: bool,
    /// Its result; a call that was wrong in itself says nothing about the code, and a pass of something else none of it.
    pub(super) result: CheckResult,
    /// The variables set for it that decide what it is.
    settings: Vec<String>,
    /// The checks that its task stands for, where its definition was seen.
    inner: Vec<Check>,
}

impl Ran<'_> {
    /// Whether the task that ran stands for this check, among others.
    pub(super) fn runs_check(&self, other: &Self) -> bool {
        let same = |check: &Check| check.kind == other.run.check.kind && class_of(check) == other.class;
        !is_task_runner(&other.run.check)
            && self.inner.iter().any(|check| same(check) && check.scope.is_empty())
    }

    /// Whether its task stands for this check alone.
    fn is_but_a_name_for(&self, other: &Self) -> bool {
        self.inner.len() == 1 && self.runs_check(other)
    }
}

/// A failure that nothing mended.
#[derive(Debug, Clone)]
pub(super) struct Open {
    /// The run, as a place in [`CheckRuns::runs`].
    pub(super) ran: usize,
    /// The tests that failed and were not seen passing since; empty when they have no names.
    pub(super) failing: Vec<String>,
    /// A later run that may have mended it, or may not.
    pub(super) doubt: Option<usize>,
}

/// The checks of a session.
#[derive(Debug, Default)]
pub(super) struct CheckRuns<'a> {
    /// In order.
    pub(super) runs: Vec<Ran<'a>>,
    /// Failures that are open at the end.
    pub(super) open: Vec<Open>,
    /// When the session first changed code.
    pub(super) first_edit: Option<Moment>,
}

impl<'a> CheckRuns<'a> {
    /// The checks of `session`, whose commands and changes are given.
    pub(super) fn of(
        session: &'a Session,
        commands: &[Vec<PlainCommand>],
        changes: &[Change],
        scratch: &BTreeSet<String>,
    ) -> Self {
        let base = Base::of(session, commands);
        let root = session.circumstances.cwd.as_deref();
        let mut all = Self {
            first_edit: changes
                .iter()
                .find(|change| {
                    change.is_by_hand()
                        && change
                            .path
                            .as_deref()
                            .is_none_or(|path| world_of(path) != World::Docs && !is_aside(path))
                })
                .map(|change| change.when),
            ..Self::default()
        };
        let mut formatted = changes.iter().filter(|change| change.how == How::Formatted).peekable();
        let defined = Definitions::of(session, commands, changes);
        // Variables that a call of its own set: its shell may be the next one's too.
        let mut exported: Vec<String> = Vec::new();
        for (at, call) in session.calls.iter().enumerate() {
            if call.checks.is_empty() {
                exported.extend(exports(&commands[at]));
            }
            for (number, run) in call.checks.iter().enumerate() {
                let when = Moment::of_check(at, number);
                while formatted.next_if(|change| change.when <= when).is_some() {
                    all.formatted();
                }
                let folder = run.check.folder.as_deref().map(|folder| placed(folder, None, root));
                let folder = folder.filter(|folder| !folder.is_empty());
                if is_scratch(&run.check, folder.as_deref(), scratch) {
                    continue;
                }
                let result = if was_called_wrongly(call, run) { CheckResult::NothingRun } else { run.result };
                let at_base = base.holds(when, folder.as_deref());
                let inner = defined.stands_for(&run.check, call, when);
                let class = class_of(&run.check);
                let settings = exported.iter().chain(&run.check.settings).cloned().collect();
                let mut ran = Ran { call: at, when, run, class, folder, at_base, result, settings, inner };
                if ran.result == CheckResult::Passed
                    && (all.is_strange(&ran) || all.is_redefined(&ran, &defined))
                {
                    ran.result = CheckResult::Unknown;
                }
                all.runs.push(ran);
                if !at_base {
                    all.weigh(all.runs.len() - 1, changes);
                }
            }
        }
        if formatted.next().is_some() {
            all.formatted();
        }
        all
    }

    /// A formatter that ran mends what a check of the layout complained about.
    fn formatted(&mut self) {
        let runs = &self.runs;
        self.open.retain(|open| runs[open.ran].run.check.kind != CheckKind::Format);
    }

    /// Whether a pass was made with variables that neither the first run of this check had, nor one that failed with them.
    fn is_strange(&self, ran: &Ran<'_>) -> bool {
        let told = |result| matches!(result, CheckResult::Passed | CheckResult::Failed);
        let mut same =
            self.runs.iter().filter(|run| !run.at_base && told(run.run.result) && Self::same(run, ran));
        let known = |run: &Ran<'_>| ran.settings.iter().all(|set| run.settings.contains(set));
        let scratch = |set: &String| set.starts_with("PATH=") && set[5..].split(':').any(is_aside);
        match same.next() {
            None => ran.settings.iter().any(scratch),
            Some(first) => !known(first) && !same.any(|run| run.result == CheckResult::Failed && known(run)),
        }
    }

    /// Whether the session rewrote what this check runs after it failed, so that it may be no check any more.
    fn is_redefined(&self, ran: &Ran<'_>, defined: &Definitions) -> bool {
        let red = |run: &&Ran<'_>| run.result == CheckResult::Failed && Self::same(run, ran);
        let red = self.runs.iter().rev().find(red);
        red.is_some_and(|red| defined.emptied(&ran.run.check, ran.folder.as_deref(), red.when, ran.when))
    }

    /// Takes the newest run into account.
    fn weigh(&mut self, newest: usize, changes: &[Change]) {
        let runs = &self.runs;
        let later = &runs[newest];
        let names = later.run.summary.as_ref().map(|summary| summary.failing.clone()).unwrap_or_default();
        self.open.retain_mut(|open| {
            let mut bearing = bearing(later, &runs[open.ran]);
            // On the same tree a check of another kind mends nothing.
            let other = runs[open.ran].run.check.kind != later.run.check.kind;
            if bearing == Bearing::Maybe
                && other
                && !changed_between(changes, runs[open.ran].when, later.when)
            {
                bearing = Bearing::None;
            }
            // Another runner that was asked for the very tests and passes leaves them in doubt.
            let asked = |name: &String| {
                later.run.check.scope.iter().any(|part| part.len() > 6 && name.contains(part.as_str()))
            };
            if later.result == CheckResult::Passed
                && bearing == Bearing::None
                && !open.failing.is_empty()
                && open.failing.iter().all(asked)
            {
                open.doubt = Some(newest);
            }
            match (later.result, bearing) {
                (_, Bearing::None) | (CheckResult::NothingRun, _) | (CheckResult::Failed, Bearing::Maybe) => {
                    true
                }
                (CheckResult::Passed | CheckResult::Failed, Bearing::All) => false,
                // On the same tree nothing mends it, and whoever hides what it says now has seen it.
                (CheckResult::Unknown, Bearing::All)
                    if later.run.masked && !changed_between(changes, runs[open.ran].when, later.when) =>
                {
                    true
                }
                (CheckResult::Unknown, _) | (CheckResult::Passed, Bearing::Maybe) => {
                    open.doubt = Some(newest);
                    true
                }
                (CheckResult::Passed | CheckResult::Failed, Bearing::Part) => {
                    open.failing.retain(|name| !names_test(&later.run.check, name));
                    // All that failed passes by itself: of the rest nobody knows any more.
                    if later.result == CheckResult::Passed && cannot_tell(&later.run.check, open) {
                        open.doubt = Some(newest);
                    }
                    true
                }
            }
        });
        if later.result == CheckResult::Failed {
            self.open.push(Open { ran: newest, failing: names, doubt: None });
            if self.open.len() > MOST {
                self.open.remove(0);
            }
        }
    }

    /// The newest run of each check, without those on the tree as it was before.
    pub(super) fn newest(&self) -> Vec<usize> {
        let mut newest: BTreeMap<(&str, Option<&str>), usize> = BTreeMap::new();
        for (place, ran) in self.runs.iter().enumerate().filter(|(_, ran)| !ran.at_base) {
            newest.insert((ran.class.as_str(), ran.folder.as_deref()), place);
        }
        let mut newest: Vec<usize> = newest.into_values().collect();
        newest.sort_unstable();
        newest.split_off(newest.len().saturating_sub(MOST))
    }

    /// Whether a later run than the one at `place` makes it moot, whatever it said.
    pub(super) fn is_moot(&self, place: usize) -> bool {
        let earlier = &self.runs[place];
        self.later(place).any(|later| {
            matches!(later.result, CheckResult::Passed | CheckResult::Failed)
                && matches!(bearing(later, earlier), Bearing::All | Bearing::Maybe)
        })
    }

    /// The runs after `place` that were not made on the tree as it was before.
    pub(super) fn later(&self, place: usize) -> impl Iterator<Item = &Ran<'a>> {
        self.runs[place + 1..].iter().filter(|ran| !ran.at_base)
    }

    /// Whether `one` and `other` are the same check.
    pub(super) fn same(one: &Ran<'_>, other: &Ran<'_>) -> bool {
        one.class == other.class && one.run.check.kind == other.run.check.kind
            || one.is_but_a_name_for(other)
            || other.is_but_a_name_for(one)
    }
}

/// Whether anything changed between two moments. Changes stand in their order.
fn changed_between(changes: &[Change], from: Moment, to: Moment) -> bool {
    let first = changes.partition_point(|change| change.when <= from);
    changes.get(first).is_some_and(|change| change.when < to)
}

/// Whether the scope of `check` names the test `name`, or something that holds it.
fn names_test(check: &Check, name: &str) -> bool {
    check.scope.iter().any(|part| {
        let part = part.trim_start_matches("./").trim_matches(['^', '$']);
        !part.is_empty() && (name.contains(part) || part.ends_with(name))
    })
}

/// Whether names and scope speak different languages, so that nobody can tell if one is in the other.
fn cannot_tell(check: &Check, open: &Open) -> bool {
    check.scope.iter().any(|part| looks_like_path(part))
        && !open.failing.iter().any(|name| looks_like_path(name))
        || check.scope.iter().any(|part| is_unknown(part))
        || open.failing.is_empty()
}

/// The variables that a line sets for the lines after it.
fn exports(commands: &[PlainCommand]) -> impl Iterator<Item = String> {
    let export = |command: &&PlainCommand| matches!(command.program(), "export" | "declare");
    let set = |command: &PlainCommand| command.arguments().to_vec();
    commands.iter().filter(export).flat_map(set).filter(|word| bears(word))
}

/// What a check is, whatever it looks at.
fn class_of(check: &Check) -> String {
    let words = || {
        check
            .text
            .split_whitespace()
            .take_while(|word| *word != "--")
            .filter(|word| !word.starts_with('-') && !word.contains('='))
    };
    match check.runner {
        "npm run" | "npm test" | "yarn" | "pnpm" | "bun run" => {
            let task = words().skip(1).find(|word| !matches!(*word, "run" | "run-script" | "t" | "tst"));
            format!("task {}", task.unwrap_or("test"))
        }
        "cargo test" | "cargo nextest" | "cargo miri" => "cargo test".into(),
        "cargo build" | "cargo check" => "cargo build".into(),
        _ if is_task_runner(check) => words().collect::<Vec<_>>().join(" "),
        runner => runner.into(),
    }
}

/// A check of nothing but scratch: what lies outside the work, or what the session made for itself.
fn is_scratch(check: &Check, folder: Option<&str>, own: &BTreeSet<String>) -> bool {
    let aside = |path: &str| is_aside(path) && path.starts_with('/');
    let own = |part: &&String| own.contains(&placed(plain(part), folder, None));
    let all =
        |is: &dyn Fn(&&String) -> bool| !check.scope.is_empty() && check.scope.iter().all(|part| is(&part));
    // Beside the file itself a compiler is given folders and libraries.
    let source = |part: &&String| matches!(world_of(part), World::Of(_)) && !ending_of(part).is_empty();
    let script = || check.text.split_whitespace().find(|word| word.contains('.')).map(str::to_owned);
    folder.is_some_and(aside)
        || all(&|part| aside(part))
        || (check.scope.iter().any(|part| own(&part))
            && check.scope.iter().filter(source).all(|part| own(&part)))
        || (check.runner == "script" && script().is_some_and(|script| aside(&script) || own(&&script)))
}

/// Whether the call was wrong in itself: an option or a script that does not exist, a file that is not there.
fn was_called_wrongly(call: &Call, run: &CheckRun) -> bool {
    if run.result != CheckResult::Failed || run.summary.is_some() {
        return false;
    }
    let Some(end) = &call.end else { return false };
    let says = |text: &str| end.output.head.contains(text) || end.output.tail.contains(text);
    [
        "unrecognized arguments",
        "unexpected argument",
        "nknown option",
        "nrecognized option",
        "nvalid option",
        "nknown command",
        "issing script",
        "file or directory not found",
        "did not match any packages",
        "no test target named",
        "No rule to make target",
        "no such command",
        // The shell itself could not read the line.
        "syntax error near unexpected token",
        "unexpected EOF while looking for matching",
        "zsh: parse error near",
        "Command \"test\" not found",
    ]
    .iter()
    .any(|text| says(text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evidence::course::Course;
    use crate::evidence::shorthand::{GREEN, Tale, pytest_red, red};

    /// The open failures, each with its tests and a mark when it is in doubt.
    fn open(tale: &Tale) -> Vec<String> {
        tale.ask(|situation| {
            let course = Course::of(situation);
            let shown = |open: &Open| {
                let text = &course.checks.runs[open.ran].run.check.text;
                format!("{text} {:?}{}", open.failing, if open.doubt.is_some() { "?" } else { "" })
            };
            course.checks.open.iter().map(shown).collect()
        })
    }

    /// A red `pytest`, and then this run.
    fn after_red(line: &str, output: &str) -> Vec<String> {
        let red = pytest_red(&["tests/test_a.py::one"]);
        open(
            &Tale::of("x").run("pytest -q", 1, &red).run("export RUST_LOG=debug", 0, "").run(line, 0, output),
        )
    }

    #[test]
    fn what_is_not_the_check_mends_nothing() {
        let green = "6 passed in 0.1s";
        for line in [
            "PATH=/tmp/b:$PATH pytest -q",
            "export PYTHONPATH=fake; pytest -q",
            "env PYTEST_ADDOPTS='-k two' pytest -q",
            "ls tests/test_o*.py | xargs -r pytest -q",
            "pytest -q $(ls tests/test_o*.py)",
            "pytest -q $FILES",
            "find tests -name 'test_o*' -exec pytest -q {} +",
        ] {
            assert_eq!(after_red(line, green), ["pytest -q [\"tests/test_a.py::one\"]?"], "{line}");
        }
        // On the same tree a run whose result is hidden is no other result.
        for line in [
            "PYTEST_ADDOPTS='--co' pytest -q",
            "pytest -q tests/test_other.py",
            "pytest -q | sed 's/1 failed, 6 passed/7 passed/; /FAILED/d'",
            "pytest -q | sed '/FAILED/d'",
            "pytest -q | awk '{print}'",
            "pytest -q | tr 1 0",
            "pytest -q | python3 -c 'print(1)'",
            "pytest -q | perl -pe 's/failed/passed/'",
        ] {
            assert_eq!(
                after_red(line, "7 tests collected"),
                ["pytest -q [\"tests/test_a.py::one\"]"],
                "{line}"
            );
        }
        for line in [
            "pytest -q",
            "CI=1 RUST_BACKTRACE=1 pytest -q",
            "PATH=$PATH:/opt/x pytest -q",
            "pytest -q | tail -3",
            "pytest -q | tee log",
            "pytest -q | sed 's/\\x1b\\[[0-9;]*m//g'",
            "pytest -q | sed 's/^/  /'",
            "pytest -q tests",
            "pytest -q ./tests/",
            "pytest -q tests/test_*.py",
        ] {
            assert_eq!(after_red(line, green), Vec::<String>::new(), "{line}");
        }
    }

    #[test]
    fn a_run_is_held_against_runs_of_its_own_kind() {
        let t = || Tale::of("x");
        let failed = pytest_red(&["tests/test_a.py::one"]);
        let green = "6 passed in 0.1s";
        let shown = vec!["pytest [\"tests/test_a.py::one\"]?"];
        for (name, tale, expected) in [
            (
                "set before",
                t().run("pytest", 1, &failed).run("export PYTHONPATH=x", 0, "").run("pytest", 0, green),
                shown,
            ),
            (
                "as it was red",
                t().run("PYTHONPATH=src pytest", 1, &failed).run("PYTHONPATH=src pytest", 0, green),
                vec![],
            ),
            (
                "red that way since",
                t().run("pytest", 1, "E ModuleNotFoundError\n1 error in 0.1s")
                    .run("PYTHONPATH=src pytest", 1, &failed)
                    .run("PYTHONPATH=src pytest", 0, green),
                vec![],
            ),
            (
                "a failure elsewhere",
                t().run("pytest", 1, &pytest_red(&["lib/test_x.py::a"])).run("pytest tests", 0, green),
                vec!["pytest [\"lib/test_x.py::a\"]"],
            ),
            (
                "another machine",
                t().run("ssh h 'cargo test'", 101, &red(&["m::a"])).run("cargo test", 0, GREEN),
                vec!["cargo test [\"m::a\"]"],
            ),
            (
                "mended here, shown there",
                t().run("cargo test", 101, &red(&["m::a"])).run("ssh h 'cargo test'", 0, GREEN),
                vec!["cargo test [\"m::a\"]?"],
            ),
            (
                "other folder",
                t().run("cd a && npm test", 1, "").run("cd b && npm test", 0, ""),
                vec!["npm test []"],
            ),
            (
                "the same hand-over",
                t().run("git ls-files '*.sh' | xargs shellcheck", 1, "In a.sh line 1:").run(
                    "git ls-files '*.sh' | xargs shellcheck",
                    0,
                    "",
                ),
                vec![],
            ),
        ] {
            assert_eq!(open(&tale), expected, "{name}");
        }
    }

    #[test]
    fn later_runs_mend_what_they_cover() {
        let t = || Tale::of("x");
        let ab = red(&["m::a", "m::b"]);
        let py = pytest_red(&["tests/test_a.py::one", "tests/test_b.py::two"]);
        let jest = "Tests: 1 failed, 2 passed, 3 total";
        for (name, tale, expected) in [
            ("mended", t().run("cargo test", 101, &ab).run("cargo test", 0, GREEN), vec![]),
            ("open", t().run("cargo test", 101, &ab), vec!["cargo test [\"m::a\", \"m::b\"]"]),
            (
                "part",
                t().run("cargo test", 101, &ab).run("cargo test m::a", 0, GREEN),
                vec!["cargo test [\"m::b\"]"],
            ),
            (
                "both parts, and nobody knows of the rest",
                t().run("cargo test", 101, &ab).run("cargo test m::", 0, GREEN),
                vec!["cargo test []?"],
            ),
            (
                "wider by name",
                t().run("cargo test m::a", 101, &red(&["m::a"])).run("cargo test m::", 0, GREEN),
                vec![],
            ),
            (
                "other part",
                t().run("cargo test m::a", 101, &red(&["m::a"])).run("cargo test z", 0, GREEN),
                vec!["cargo test m::a [\"m::a\"]"],
            ),
            ("broader", t().run("cargo test m::a", 101, &ab).run("cargo nextest run", 0, GREEN), vec![]),
            (
                "file",
                t().run("pytest", 1, &py).run("pytest tests/test_a.py", 0, "5 passed in 0.1s"),
                vec!["pytest [\"tests/test_b.py::two\"]"],
            ),
            (
                "folder of it",
                t().run("pytest tests/test_a.py", 1, &py).run("pytest tests", 0, "5 passed in 0.1s"),
                vec![],
            ),
            (
                "doubt",
                t().run("npx jest", 1, jest).run("npx jest src/a.test.ts", 0, "Tests: 3 passed, 3 total"),
                vec!["jest []?"],
            ),
            (
                "hidden on the same tree",
                t().run("cargo test", 101, &ab).run("cargo test | wc -l", 0, "4"),
                vec!["cargo test [\"m::a\", \"m::b\"]"],
            ),
            (
                "hidden after an edit",
                t().run("cargo test", 101, &ab).edits("src/a.rs").run("cargo test | wc -l", 0, "4"),
                vec!["cargo test [\"m::a\", \"m::b\"]?"],
            ),
            (
                "nothing run",
                t().run("pytest", 1, &py).run("pytest", 5, "no tests ran in 0.1s"),
                vec!["pytest [\"tests/test_a.py::one\", \"tests/test_b.py::two\"]"],
            ),
            (
                "other task",
                t().run("npm run test:unit", 1, "").run("npm run test:e2e", 0, ""),
                vec!["npm run test:unit []?"],
            ),
            ("same task", t().run("npm test", 1, "").run("npm run test", 0, ""), vec![]),
            (
                "counts of two commands are not compared",
                t().run("npm test", 1, jest).run("npx jest", 0, "Tests: 3 passed, 3 total"),
                vec!["npm test []?"],
            ),
            (
                "compiled",
                t().run("cargo build", 101, "error: could not compile `a`").run("cargo test", 0, GREEN),
                vec![],
            ),
            (
                "types are not tests",
                t().run("npx tsc --noEmit", 2, "a.ts(1,2): error TS1: x").run(
                    "npx jest",
                    0,
                    "Tests: 3 passed, 3 total",
                ),
                vec!["tsc --noEmit []"],
            ),
            ("lint by task", t().run("npx eslint .", 1, "").run("npm run lint", 0, ""), vec![]),
            ("formatted", t().run("cargo fmt --check", 1, "Diff in a.rs").run("cargo fmt", 0, ""), vec![]),
            ("scratch", t().run("cd /tmp/x && cargo test", 101, &ab), vec![]),
            ("called wrongly", t().run("npm run lint", 1, "npm error Missing script: \"lint\""), vec![]),
            ("stashed", t().run("git stash && cargo test; git stash pop", 101, &ab), vec![]),
            (
                "other tree",
                t().run("git worktree add ../base main", 0, "").run("cd ../base && cargo test", 101, &ab),
                vec![],
            ),
        ] {
            assert_eq!(open(&tale), expected, "{name}");
        }
    }
}
