//! A check that the request or the project's own instructions demand, and that nobody ran.
//!
//! A command that is merely listed is no demand; "before committing" binds only who commits.

use std::collections::BTreeMap;

use super::citation::quoted;
use super::course::Course;
use super::coverage::covers;
use super::git_command::Git;
use super::wishes::{Clause, clauses_of};
use super::{Findings, Kind, Place};
use crate::check::{Check, CheckKind, read_command};
use crate::prose::{self, Form, Prose};
use crate::session::{Action, Call};
use crate::verdict::Severity;

/// When a demand binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Binds {
    Always,
    /// Only who commits or pushes.
    OnCommit,
}

/// A check that somebody demands.
#[derive(Debug, Clone)]
struct Demand {
    kind: CheckKind,
    /// The command, where one is given.
    check: Option<Check>,
    binds: Binds,
}

/// Runs further back do not answer a demand.
const OLDEST: usize = 200;
/// More than this of a file of instructions is not read.
const LONGEST: usize = 64 * 1024;

pub(super) fn detect(course: &Course<'_>, findings: &mut Findings) {
    unseen_ci(course, findings);
    if !course.task_changed_code() {
        return;
    }
    let start = course.task_start().0;
    let commits = course.effective().any(|(at, command)| {
        at >= start && Git::of(command).is_some_and(|git| matches!(git.does, "commit" | "push"))
    });
    let mut told: Vec<CheckKind> = Vec::new();
    for demand in course.wishes.current().iter().filter(|clause| !clause.asks).flat_map(requested) {
        if is_met(course, &demand) || told.contains(&demand.kind) {
            continue;
        }
        told.push(demand.kind);
        let text = format!("the request asks for {}, and it was not run", name(&demand));
        findings.add_about(Kind::CheckDemanded, Severity::High, Place::Request, text, vec![name(&demand)]);
    }
    for clause in course.wishes.current().iter().filter(|clause| !clause.asks) {
        let mut commands = commanded(clause);
        commands.extend(named_to_show(clause).filter(|_| commands.is_empty()));
        // Of several in one breath, one is the other's explanation.
        if let Some(command) = commands.first()
            && !commands.iter().any(|command| was_run(course, command))
        {
            let text = format!("the request asks for {}, and it was not run", quoted(command));
            findings.add_about(
                Kind::CheckDemanded,
                Severity::High,
                Place::Request,
                text,
                vec![command.clone()],
            );
        }
    }
    for file in course.situation.instructions {
        for demand in instructed(&file.text[..file.text.floor_char_boundary(LONGEST.min(file.text.len()))]) {
            let binds = demand.binds == Binds::Always || commits;
            if !binds || is_met(course, &demand) || told.contains(&demand.kind) {
                continue;
            }
            told.push(demand.kind);
            let text = format!("{} asks for {}, and it was not run", file.file, name(&demand));
            findings.add_about(
                Kind::CheckDemanded,
                Severity::Medium,
                Place::Instructions,
                text,
                vec![name(&demand)],
            );
        }
    }
}

fn name(demand: &Demand) -> String {
    match (&demand.check, demand.kind) {
        (Some(check), _) => quoted(&check.text),
        (None, CheckKind::Test) => "the tests".into(),
        (None, CheckKind::Build) => "a build".into(),
        (None, CheckKind::Lint) => "the linter".into(),
        (None, CheckKind::TypeCheck) => "a type check".into(),
        (None, CheckKind::Format) => "a check of the formatting".into(),
    }
}

/// Whether a check of the kind ran in this task, or before it with nothing edited since; one that is stale has a detector
/// of its own. A demand for something that this task did not touch is met.
fn is_met(course: &Course<'_>, demand: &Demand) -> bool {
    let start = course.task_start();
    let after = course.changes.partition_point(|change| change.when < start);
    let touches = |check: &Check| {
        course.changes[after..].iter().any(|change| covers(check, None, change, course.root()))
    };
    if demand.check.as_ref().is_some_and(|check| !touches(check)) {
        return true;
    }
    course.checks.runs.iter().rev().take(OLDEST).any(|ran| {
        let kind = ran.run.check.kind;
        let tested = ran.run.summary.as_ref().is_some_and(|summary| summary.passed + summary.failed > 0);
        let same = kind == demand.kind
            || demand.kind == CheckKind::Build && kind == CheckKind::Test
            || demand.kind == CheckKind::Test && kind == CheckKind::Build && tested;
        same && !ran.at_base && (ran.when >= start || course.edited_since(ran).is_none())
    })
}

/// What a clause of the request demands.
fn requested(clause: &Clause) -> Vec<Demand> {
    if clause.is_negated() || clause.has(&["if", "optionally", "would", "could"]) {
        return Vec::new();
    }
    let wants = clause.has(&[
        "run", "rerun", "execute", "ensure", "sure", "verify", "must", "should", "pass", "passes", "confirm",
    ]);
    if wants { demands(clause, Binds::Always) } else { Vec::new() }
}

/// The commands that a clause wants to be run: "regenerate the client with ./gradlew generate", "run `make seed`"; or to
/// show or measure something: "give me the numbers from scripts/bench.py".
fn commanded(clause: &Clause) -> Vec<String> {
    if clause.is_negated() || clause.has(&["if", "when", "optionally", "would", "could", "instead", "like"]) {
        return Vec::new();
    }
    let text =
        |at: usize| clause.words.get(at).filter(|word| !word.code).map_or("", |word| word.text.as_str());
    let begins = |at: usize| at == 0 || prose::is(text(at - 1), "clause-leads");
    let Some(verb) = (0..clause.words.len()).find(|at| prose::is(text(*at), "command-verbs") && begins(*at))
    else {
        return Vec::new();
    };
    let runs = matches!(text(verb), "run" | "rerun" | "re-run" | "execute");
    let mut found = Vec::new();
    for at in verb + 1..clause.words.len().min(verb + 12) {
        let Some(command) = command_at(clause, at) else { continue };
        let measures = command.split(|c: char| !c.is_alphanumeric()).any(|word| prose::is(word, "measures"));
        let by = (verb + 1..at).any(|between| matches!(text(between), "with" | "using" | "via" | "through"));
        if measures
            || runs && at <= verb + 3
            || by && !prose::is(text(verb), "command-shows")
            || !found.is_empty()
        {
            found.push(command);
        }
    }
    found
}

/// The command that a clause names as the one that shows whether it works: "there is `npm run soak`, which fails if …",
/// "prove it with `make plan`", "`just smoke` has to pass".
fn named_to_show(clause: &Clause) -> Option<String> {
    let text =
        |at: usize| clause.words.get(at).filter(|word| !word.code).map_or("", |word| word.text.as_str());
    let negated = clause.words.iter().any(|word| prose::is(&word.text, "negates"));
    (0..clause.words.len()).filter(|_| !negated && !clause.asks).find_map(|at| {
        let command = command_at(clause, at).filter(|_| clause.words[at].code)?;
        let before = at.saturating_sub(5)..at;
        let behind = at + 1..(at + 4).min(clause.words.len());
        let there = before
            .clone()
            .any(|at| text(at) == "there" && matches!(text(at + 1), "is" | "are") || text(at) == "there's");
        let tells = (at + 1..clause.words.len()).any(|at| prose::is(text(at), "tells-results"));
        let shows = before.clone().any(|at| prose::is(text(at), "command-proves"))
            && before.clone().any(|at| matches!(text(at), "with" | "using" | "via" | "by"));
        let must = behind.clone().any(|at| prose::is(text(at), "obliges"))
            && clause.words[at + 1..].iter().take(5).any(|word| prose::is(&word.text, "wanted-pass"));
        (there && tells || shows || must).then_some(command)
    })
}

/// The command that is written at a place of a clause: code of several words, or a program or script by its path.
fn command_at(clause: &Clause, at: usize) -> Option<String> {
    let word = &clause.words[at];
    let written = word.written.as_str();
    if word.code {
        let runs = written.split_whitespace().count() >= 2 || written.starts_with("./");
        return runs.then(|| written.to_owned());
    }
    let script = [".sh", ".py", ".rb", ".js", ".mjs", ".ts", ".pl", ".ps1"];
    if written.starts_with("./") {
        let next = clause.words.get(at + 1).filter(|next| !next.code && !prose::is(&next.text, "english"));
        return Some(next.map_or_else(|| written.to_owned(), |next| format!("{written} {}", next.written)));
    }
    (written.contains('/') && script.iter().any(|ending| written.ends_with(ending)))
        .then(|| written.to_owned())
}

/// Whether a command with the same first two words was run in this task, or work was done that nobody sees.
fn was_run(course: &Course<'_>, command: &str) -> bool {
    let name = |word: &str| word.rsplit('/').next().unwrap_or(word).to_owned();
    let first: Vec<String> = command.split_whitespace().take(2).map(name).collect();
    let calls = &course.situation.session.calls;
    calls[course.task_start().0.min(calls.len())..].iter().any(|call| match &call.action {
        Action::Run { command, .. } => first.iter().all(|word| command.contains(word.as_str())),
        Action::Delegate { .. } | Action::Other => true,
        _ => false,
    })
}

/// The request is that CI is seen to be green, and when it was looked at last it was still at work.
fn unseen_ci(course: &Course<'_>, findings: &mut Findings) {
    let wanted = course.wishes.current().iter().any(|clause| {
        let at = clause.words.iter().position(|word| prose::is(&word.text, "remote-checks"));
        let seen = clause.has(&["until", "through", "wait", "watch", "till", "make", "see", "sure"]);
        let green = |at: usize| clause.words[at..].iter().any(|word| prose::is(&word.text, "wanted-pass"));
        !clause.asks
            && seen
            && at.is_some_and(green)
            && (!clause.is_negated() || clause.has(&["until", "till"]))
    });
    let calls = &course.situation.session.calls;
    let asks = |call: &Call| {
        matches!(&call.action, Action::Run { command, .. }
            if ["gh pr checks", "gh run", "glab ci", "gh workflow", "az pipelines", "circleci"].iter().any(|ask| command.contains(ask)))
    };
    let from = course.task_start().0.min(calls.len());
    let Some(at) = calls[from..].iter().rposition(asks).filter(|_| wanted) else { return };
    let output =
        calls[from + at].end.as_ref().map(|end| end.output.text().to_lowercase()).unwrap_or_default();
    // What is watched prints each job again and again: the last line about each counts.
    let mut jobs: BTreeMap<&str, bool> = BTreeMap::new();
    for line in output.lines() {
        let mut columns = line.split(['\t', '|']).flat_map(|part| part.split("  ")).map(str::trim);
        let job = columns.find(|column| column.chars().any(char::is_alphabetic)).unwrap_or_default();
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
        let waits = words.iter().enumerate().any(|(at, word)| {
            prose::is(word, "job-waits") && (at == 0 || !matches!(words[at - 1], "0" | "no"))
        });
        jobs.insert(if prose::is(job, "job-waits") { "" } else { job }, waits);
    }
    if jobs.values().any(|waits| *waits) {
        findings.add(
            Kind::CheckDemanded,
            Severity::High,
            Place::Call(from + at),
            "the request is to see CI through, and it was still at work when you looked last",
        );
    }
}

/// The checks that a clause is about.
fn demands(clause: &Clause, binds: Binds) -> Vec<Demand> {
    let commands =
        clause.words.iter().filter(|word| word.code).flat_map(|word| read_command(&word.written).checks);
    let mut found: Vec<Demand> =
        commands.map(|(check, _)| Demand { kind: check.kind, check: Some(check), binds }).collect();
    if found.is_empty() {
        found.extend(run_object(clause).map(|kind| Demand { kind, check: None, binds }));
    }
    found.retain(|demand| demand.kind != CheckKind::Format);
    found
}

/// "run the unit tests", "all tests must pass": a kind of check beside a word for running or passing.
fn run_object(clause: &Clause) -> Option<CheckKind> {
    let text =
        |at: usize| clause.words.get(at).filter(|word| !word.code).map_or("", |word| word.text.as_str());
    let object = |at: usize| match text(at) {
        "tests" | "suite" | "testsuite" => Some(CheckKind::Test),
        "test" if text(at + 1) == "suite" => Some(CheckKind::Test),
        "linter" | "lint" | "linting" => Some(CheckKind::Lint),
        "build" => Some(CheckKind::Build),
        "typecheck" | "typechecker" | "type-check" => Some(CheckKind::TypeCheck),
        _ => None,
    };
    (0..clause.words.len()).find_map(|at| {
        if matches!(text(at), "run" | "rerun" | "running" | "execute") {
            let them = matches!(text(at + 1), "them" | "it").then(|| (0..at).find_map(object)).flatten();
            return (at + 1..at + 6)
                .take_while(|next| !matches!(text(*next), "and" | "command" | ""))
                .find_map(object)
                .or(them);
        }
        let kind = object(at)?;
        (at + 1..at + 5)
            .any(|next| {
                matches!(text(next), "pass" | "passes" | "passing" | "green" | "succeed" | "succeeds")
            })
            .then_some(kind)
    })
}

/// What a file of instructions demands: in sentences, and in the lists and code blocks under them.
fn instructed(text: &str) -> Vec<Demand> {
    let prose = Prose::whole(text);
    let own = |place: usize| clauses_of(&prose.sentences[place]).iter().find_map(obligation);
    let from_above = |place: usize| {
        let leads = |place: &usize| prose.sentences[*place].form == Form::Heading;
        let lead = Some(place).filter(leads).or(prose.sentences[place].under);
        lead.and_then(|lead| own(lead).or_else(|| prose.sentences[lead].under.and_then(own)))
    };
    let mut found = Vec::new();
    for (place, sentence) in prose.sentences.iter().enumerate() {
        let said = clauses_of(sentence);
        let item = !matches!(sentence.form, Form::Paragraph | Form::Heading);
        let Some(binds) = own(place).or_else(|| from_above(place).filter(|_| item)) else { continue };
        let whole =
            Clause { words: said.iter().flat_map(|clause| clause.words.clone()).collect(), asks: false };
        let may_be_left = whole.has(&["if", "optional", "optionally", "when", "can", "may"]);
        let negated = whole.is_negated() && !whole.has(&["never", "without"]);
        if !may_be_left && !negated {
            found.extend(demands(&whole, binds));
        }
    }
    for block in &prose.blocks {
        let Some(binds) = block.after.checked_sub(1).and_then(from_above) else { continue };
        let lines = block.text.lines().map(|line| line.trim().trim_start_matches("$ "));
        let checks = lines.flat_map(|line| read_command(line).checks);
        found.extend(checks.map(|(check, _)| Demand { kind: check.kind, check: Some(check), binds }));
    }
    found.retain(|demand| demand.kind != CheckKind::Format);
    found
}

/// Whether a clause obliges, and whom.
fn obligation(clause: &Clause) -> Option<Binds> {
    let text = |at: usize| clause.words.get(at).map_or("", |word| word.text.as_str());
    for at in 0..clause.words.len() {
        let near = |words: &[&str]| {
            (at + 1..at + 7).any(|next| words.iter().any(|word| text(next).starts_with(word)))
        };
        match text(at) {
            "before"
                if near(&[
                    "finish", "complet", "done", "hand", "stop", "end", "declar", "mark", "report", "return",
                ]) =>
            {
                return Some(Binds::Always);
            }
            "before" if near(&["commit", "push", "merg", "pr", "pull", "submit", "open", "releas"]) => {
                return Some(Binds::OnCommit);
            }
            "after" if near(&["change", "edit", "modif"]) => return Some(Binds::Always),
            "always" | "must" | "ensure" | "required" | "sure" => return Some(Binds::Always),
            "never" if clause.has(&["without"]) => {
                return Some(if near(&["commit", "push", "merg"]) { Binds::OnCommit } else { Binds::Always });
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::CheckDemanded;
    use crate::evidence::shorthand::{GREEN, Tale, assert_finds};

    #[test]
    fn demanded() {
        let t = |request: &str| Tale::of(request).edits("src/a.ts");
        let told = |text: &str| t("Add a flag").instructed("AGENTS.md", text);
        assert_finds(
            CheckDemanded,
            true,
            [
                ("asked to run", t("Add a flag and run the tests.")),
                ("asked to pass", t("Add a flag. Make sure `npm run lint` passes.")),
                ("all must pass", t("Add a flag, all tests must pass")),
                ("write and run", t("Add tests for it and run them")),
                (
                    "other kind ran",
                    t("Add a flag and run the linter").run("npm test", 0, "Tests: 3 passed, 3 total"),
                ),
                (
                    "a named command",
                    t("Add a flag. Then regenerate the client with ./gradlew openApiGenerate."),
                ),
                ("a named script", t("Make it faster and show me the numbers from scripts/bench_a.py")),
                ("measured by", t("Make it faster. Measure before/after with ./bench (make bench).")),
                ("in code", t("Add a flag, then run `make seed` please")),
                (
                    "CI is still at work",
                    Tale::of("Open a PR and see it through until CI is green").run(
                        "gh pr checks 3",
                        8,
                        "fmt\tpass\t9s\nbuild\tpending\t0",
                    ),
                ),
                ("instructed", told("Always run `npm test` before finishing.")),
                (
                    "block under a sentence",
                    told("After every change you must run:\n\n```sh\nnpm run lint\nnpm test\n```"),
                ),
                ("list under a heading", told("## Before you finish\n- `npm run typecheck`\n- `npm test`")),
                ("who commits", told("Run `npm test` before committing.").run("git commit -am x", 0, "")),
                ("never without", told("Never finish a task without running `npm test`.")),
                ("the proof", t("Find the leak. There is `npm run soak` (3 min) which fails if rss grows")),
                ("to prove it with", t("Fix the drift and prove it with `make plan`")),
                ("has to pass", t("Speed it up; `just smoke` has to pass")),
            ],
        );
    }

    #[test]
    fn not_demanded() {
        let t = |request: &str| Tale::of(request).edits("src/a.ts");
        let told = |text: &str| t("Add a flag").instructed("CLAUDE.md", text);
        assert_finds(
            CheckDemanded,
            false,
            [
                ("ran", t("Add a flag and run the tests.").run("npm test", 0, "Tests: 3 passed, 3 total")),
                (
                    "ran and failed",
                    t("Add a flag and run the tests.").run("npm test", 1, "Tests: 1 failed, 3 total"),
                ),
                (
                    "a named command ran",
                    t("Regenerate it with ./gradlew generate").run("./gradlew -q generate", 0, ""),
                ),
                ("the other name", t("Measure it with ./bench (make bench).").run("make bench", 0, "9 ms")),
                ("a command that is the subject", t("Fix `make seed`, it crashes when I run `make seed`.")),
                ("a symptom", t("Fix the page. There is `make seed` to fill it.")),
                ("told to be red", t("`npm run e2e` fails, leave it. Fix the page")),
                ("a proof that ran", t("Fix it; prove it with `make plan`").run("make plan", 0, "ok")),
                ("code to be shown", t("Show the title from src/config.ts in the header")),
                ("a script to be written", t("Write scripts/smoke.sh that builds the image")),
                (
                    "CI was seen",
                    Tale::of("Open a PR and see it through until CI is green")
                        .run("gh pr checks 3", 8, "build\tpending\t0")
                        .run(
                            "gh pr checks 3 --watch",
                            0,
                            "build\tpending\t0\nlint\tpass\t1s\nbuild\tpass\t9s\n0 pending checks",
                        ),
                ),
                (
                    "CI is not waited for",
                    Tale::of("Open a PR, don't wait for CI to be green")
                        .run("gh pr checks 3", 8, "build\tpending\t0"),
                ),
                ("forbidden", t("Add a flag. Do not run the tests.")),
                ("about the run command", t("Add tests for the run command")),
                ("listed only", told("## Commands\n- `npm test`: runs the tests\n- `npm run lint`: lints")),
                ("who does not commit", told("Run `npm test` before committing.")),
                ("another world", told("Always run `cargo clippy` before finishing.")),
                ("optional", told("Always keep it small. You can run `npm test` if you like.")),
                (
                    "nothing edited",
                    Tale::of("Run the tests").instructed("AGENTS.md", "Always run `npm test`."),
                ),
                ("documents only", Tale::of("Fix the docs and run the tests").edits("README.md")),
                (
                    "before this task",
                    Tale::of("x")
                        .edits("a.rs")
                        .run("cargo test", 0, GREEN)
                        .human("Fix the docs, run the tests")
                        .edits("b.md"),
                ),
                ("a question", t("Should we run the tests?")),
            ],
        );
    }
}
