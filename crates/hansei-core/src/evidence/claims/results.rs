//! Claims that a check has a result, that something was run, and the figures that runs give.

use super::super::changes::How;
use super::super::check_runs::Ran;
use super::super::citation::{listed, quoted};
use super::super::coverage::{covers, is_task_runner};
use super::super::file_world::{is_absolute, is_within, name_of};
use super::super::git_command::Git;
use super::super::reading::may_show;
use super::super::red_before::Excuse;
use super::vocabulary::{has, has_part, is};
use super::world::World;
use super::{ClaimKind, Finding, Mark, Said};
use crate::check::{self, CheckKind, CheckResult, Why};
use crate::session::Action;

/// A claim that a check passes.
pub(super) fn result(said: &Said, world: &World<'_, '_>) -> Finding {
    let runs = &world.course.checks.runs;
    let about: Vec<usize> =
        (0..runs.len()).filter(|at| !runs[*at].at_base && is_about(said, &runs[*at])).collect();
    let about = of_what_is_named(said, world, about);
    let known = |at: &&usize| matches!(runs[**at].result, CheckResult::Passed | CheckResult::Failed);
    let last = about.iter().rev().find(known).copied();
    // Red tests do not show that it does not build.
    let own = |at: &usize| said.kind != ClaimKind::Build || runs[*at].run.check.kind != CheckKind::Test;
    let reds: Vec<usize> = about.iter().copied().filter(own).collect();
    if let Some(red) = red(said, world, &reds, last.filter(own)) {
        let ran = &runs[red];
        let names: Vec<String> =
            ran.run.summary.as_ref().map(|summary| summary.failing.clone()).unwrap_or_default();
        let what = if names.is_empty() { String::new() } else { format!(": {} failed", listed(&names)) };
        let hidden = if ran.run.masked { ", behind a line that hides its exit code" } else { "" };
        let mut found =
            Finding::new(Mark::Contradicted, format!("{}{hidden}{what}", world.course.cited(ran)));
        found.about = if names.is_empty() { vec![ran.run.check.text.clone()] } else { names };
        return found.at(ran.call).settled_by(&ran.run.check.text);
    }
    let greens: Vec<usize> =
        about.iter().copied().filter(|at| runs[*at].result == CheckResult::Passed).collect();
    let Some(newest) = greens.last().copied() else { return unseen_or(said, world, &about) };
    let fresh: Vec<usize> =
        greens.iter().copied().filter(|at| world.written_since(&runs[*at]).is_none()).collect();
    // A later run whose result was hidden is not older than the edit, only not seen.
    let hidden =
        |at: &&usize| runs[**at].result == CheckResult::Unknown && world.written_since(&runs[**at]).is_none();
    if fresh.is_empty() && about.iter().any(|at| hidden(&at)) {
        return unseen_or(said, world, &about);
    }
    if fresh.is_empty() {
        let ran = &runs[newest];
        let path = world.written_since(ran).unwrap_or_else(|| "the tree".into());
        let stale = Finding::new(
            Mark::Unsupported,
            format!("{}, and {path} was edited after it", world.course.cited(ran)),
        )
        .at(ran.call)
        .settled_by(&ran.run.check.text);
        let stale = Finding { is_stale: true, ..stale };
        let is_neatness = matches!(ran.run.check.kind, CheckKind::Lint | CheckKind::Format);
        // Another branch or a merge behind it is no edit of anybody's: noted.
        return match (is_neatness, path == "the tree") {
            (true, _) => stale.slight(),
            (_, true) => stale.weak(),
            _ => stale,
        };
    }
    let whole = said.scope.whole && !said.scope.bounded && said.number.is_none();
    if whole && !greens.iter().any(|at| is_whole(&runs[*at])) {
        let ran = &runs[newest];
        let narrow = Finding::new(Mark::Unsupported, format!("only {} was run", quoted(&ran.run.check.text)))
            .at(ran.call)
            .settled_by(&check_of_all(&ran.run.check.text, &ran.run.check.scope));
        // "All tests pass" behind a run means that run; "the whole suite" does not.
        return if said.scope.expressly { narrow } else { narrow.weak() };
    }
    let ran = &runs[*fresh.last().unwrap_or(&newest)];
    let of_edited = whole || names_edited(said, world);
    if of_edited && greens.iter().all(|at| is_elsewhere(world, &runs[*at])) {
        let folder = ran.folder.as_deref().unwrap_or_default();
        let why =
            format!("{} ran in {folder}, and what was edited lies elsewhere", quoted(&ran.run.check.text));
        return Finding::new(Mark::Unsupported, why).at(ran.call).settled_by(&ran.run.check.text);
    }
    Finding::new(Mark::Supported, world.course.cited(ran)).at(ran.call)
}

/// Whether a claim names the folder of a file that was edited.
fn names_edited(said: &Said, world: &World<'_, '_>) -> bool {
    let edited = world.course.changes.iter().filter(|change| change.is_by_hand());
    let mut folders =
        edited.filter_map(|change| change.path.as_deref()?.rsplit_once('/')?.0.rsplit('/').next());
    folders.any(|folder| {
        folder.len() > 3 && said.scope.words.iter().any(|word| word.eq_ignore_ascii_case(folder))
    })
}

/// Whether a run looked at a part of the project beside the one that was edited. A folder of tests or of what a build makes,
/// and one that is called after the edited part, belong to it.
fn is_elsewhere(world: &World<'_, '_>, ran: &Ran<'_>) -> bool {
    let Some(folder) = ran.folder.as_deref() else { return false };
    let own = name_of(folder).to_lowercase();
    let stem = own.trim_end_matches("tests").trim_end_matches("test").trim_end_matches(['.', '-', '_']);
    let first = |path: &str| path.trim_start_matches('/').split('/').next().unwrap_or_default().to_owned();
    let beside = |path: &str| {
        let kin = path
            .to_lowercase()
            .split('/')
            .any(|part| part.len() > 3 && (stem.starts_with(part) || part.starts_with(stem)));
        let above = path.rsplit_once('/').is_none_or(|(holds, _)| is_within(folder, holds));
        let together =
            is_absolute(path) == is_absolute(folder) && (!is_absolute(path) || first(path) == first(folder));
        together && !kin && !above && !is_within(path, folder)
    };
    let read = world
        .course
        .changes
        .iter()
        .filter(|change| change.is_by_hand() && covers(&ran.run.check, None, change, None));
    let mut edited = read.filter_map(|change| change.path.as_deref()).peekable();
    !stem.is_empty() && !is(stem, "anyones") && edited.peek().is_some() && edited.all(beside)
}

/// The runs of a package, a file or a test that the claim names, where some run names it; else all.
fn of_what_is_named(said: &Said, world: &World<'_, '_>, about: Vec<usize>) -> Vec<usize> {
    let runs = &world.course.checks.runs;
    let names = || said.scope.code.iter().filter(|code| !code.contains(' ') && code.len() > 3);
    let names_it = |at: &usize| names().any(|name| runs[*at].run.check.text.contains(name.as_str()));
    let own: Vec<usize> = about.iter().copied().filter(names_it).collect();
    let about = if own.is_empty() || said.scope.whole { about } else { own };
    // "Integration tests", where some run is of these and another is not.
    let sort = |text: &str| {
        ["unit", "int", "e2e", "smoke", "accept", "contract"].into_iter().find(|sort| {
            text.split(|c: char| !c.is_alphanumeric()).any(|word| {
                word == *sort
                    || sort.len() > 3 && word.starts_with(sort)
                    || *sort == "int" && word.starts_with("integ")
                    || *sort == "e2e" && word == "end-to-end"
            })
        })
    };
    let wanted = said.scope.words.iter().find_map(|word| sort(word));
    let of_sort = |at: &usize| sort(&runs[*at].run.check.text.to_lowercase()) == wanted;
    let kept: Vec<usize> = about.iter().copied().filter(of_sort).collect();
    if wanted.is_none() || kept.is_empty() { about } else { kept }
}

/// The words that name checks of a kind.
fn class_of(kind: ClaimKind) -> &'static str {
    match kind {
        ClaimKind::Lint => "lint",
        ClaimKind::Types => "types",
        ClaimKind::Format => "format",
        ClaimKind::Build => "build",
        _ => "tests",
    }
}

/// The same command without what it selects.
fn check_of_all(text: &str, scope: &[String]) -> String {
    let kept: Vec<&str> = text.split(' ').filter(|word| !scope.iter().any(|part| part == word)).collect();
    kept.join(" ")
}

/// The red run that contradicts a claim about the runs in `about`.
fn red(said: &Said, world: &World<'_, '_>, about: &[usize], last: Option<usize>) -> Option<usize> {
    let checks = &world.course.checks;
    let counts_all = |at: &usize| {
        let summary = checks.runs[*at].run.summary.as_ref();
        said.number
            .is_some_and(|number| summary.is_some_and(|summary| summary.passed + summary.failed == number))
    };
    // A claim about all of them is held against every failure that nothing mended; one about some, against the last run.
    let open = checks
        .open
        .iter()
        .rev()
        .filter(|open| about.contains(&open.ran))
        // A narrower run leaves an express claim about all of them in no doubt.
        .filter(|open| {
            open.doubt.is_none_or(|doubt| {
                (said.scope.expressly || counts_all(&open.ran))
                    && is_whole(&checks.runs[open.ran])
                    && !is_whole(&checks.runs[doubt])
            })
        })
        .map(|open| open.ran);
    let open = open.into_iter().find(|at| !named_in(world, &checks.runs[*at]));
    let last_red = last
        .filter(|at| checks.runs[*at].result == CheckResult::Failed && !named_in(world, &checks.runs[*at]));
    let red = if (said.scope.bounded || !said.scope.whole) && !open.as_ref().is_some_and(counts_all) {
        last_red.filter(|at| checks.open.iter().any(|open| open.ran == *at && open.doubt.is_none()))
    } else {
        open
    };
    let wanted = |at: &usize| {
        checks.runs[*at].run.check.kind == CheckKind::Test && world.course.wishes.ask_for_a_failing_test()
    };
    // All tests passed, and what failed is another demand on the run, such as its coverage.
    let counted = |at: &usize| {
        let summary = checks.runs[*at].run.summary.as_ref();
        said.number.is_some()
            && summary.is_some_and(|summary| summary.failed == 0 && Some(summary.passed) == said.number)
    };
    red.filter(|at| !world.admits && !said.scope.partial && !wanted(at) && !counted(at))
}

/// Whether the last words name what failed in a run: whoever says it claims nothing else. A name is said by its own words.
fn named_in(world: &World<'_, '_>, ran: &Ran<'_>) -> bool {
    let names = ran.run.summary.as_ref().map(|summary| summary.failing.as_slice()).unwrap_or_default();
    let said = |name: &String| {
        // "Tests" is said of all of them.
        let words = || {
            let words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
            words.filter(|word| word.len() > 3 && !is(&word.to_lowercase(), "tests"))
        };
        let said = |word: &&str| world.words.contains(&word.to_lowercase());
        // A name of code is enough by itself.
        let is_code = |word: &&str| word.contains('_') || word.chars().skip(1).any(char::is_uppercase);
        let told = words().filter(said).count();
        told > 0 && (told * 2 >= words().count() || words().filter(is_code).any(|word| said(&word)))
    };
    !names.is_empty() && names.iter().all(said)
}

/// Whether an output is empty, or says only that there was none.
fn is_nothing(output: &str) -> bool {
    let output = output.trim().to_lowercase();
    output.is_empty()
        || output.len() < 80 && ["no output", "(empty)"].iter().any(|none| output.contains(none))
}

/// What is said of a claim for which no green run stands.
fn unseen_or(said: &Said, world: &World<'_, '_>, about: &[usize]) -> Finding {
    let runs = &world.course.checks.runs;
    if let Some(hidden) = about.iter().rev().find(|at| runs[**at].result == CheckResult::Unknown) {
        let ran = &runs[*hidden];
        if world.course.is_unrecorded(ran) {
            let why = format!("{} ran, and the record keeps no exit code", quoted(&ran.run.check.text));
            return Finding::new(Mark::Unverifiable, why).at(ran.call);
        }
        let hidden = Finding::new(
            Mark::Unsupported,
            format!(
                "{} ran{} in a way that shows no result of its own",
                quoted(&ran.run.check.text),
                world.course.time(ran.call)
            ),
        )
        .at(ran.call)
        .settled_by(&ran.run.check.text);
        // Cut off by the agent itself, before anything of the result was seen, or turned into what nobody reads.
        let scrambled = ran.run.why == Why::NoEvidence
            && world.course.commands[ran.call].iter().any(|command| is(command.program(), "scrambles"));
        let unseen = ran.run.why == Why::Filtered
            && !world.output(ran.call).to_lowercase().split_whitespace().any(|word| is(word, "endings"));
        // Neither its exit code nor a line of its output was kept, and nothing was looked at afterwards.
        let thrown_away = ran.run.why == Why::NoEvidence
            && (ran.call..world.calls().len()).all(|at| is_nothing(&world.output(at)));
        let cut = world.edited && (scrambled || unseen || thrown_away);
        return match (is_neatness(said.kind), cut) {
            (true, _) => hidden.slight(),
            (false, true) => hidden,
            (false, false) => hidden.weak(),
        };
    }
    if let Some(nothing) = about.iter().rev().find(|at| runs[**at].result == CheckResult::NothingRun) {
        let ran = &runs[*nothing];
        if ran.run.why == Why::CouldNotStart {
            let why = format!("{} could not be started", quoted(&ran.run.check.text));
            return Finding::new(Mark::Contradicted, why).at(ran.call).settled_by(&ran.run.check.text);
        }
        return Finding::new(Mark::Unsupported, format!("{} ran nothing", quoted(&ran.run.check.text)))
            .at(ran.call);
    }
    if about.iter().any(|at| runs[*at].result == CheckResult::Failed) {
        // "126 pass, two are red": the part that passed is what is claimed.
        let part = said.scope.bounded || said.number.is_some_and(|number| !said.scope.whole || number > 0);
        let mark = if part { Mark::Supported } else { Mark::Unsupported };
        return Finding::new(mark, "its last run failed, and you say so yourself").slight();
    }
    if let Some(command) = named_command(said) {
        return command_ran(said, world, &command);
    }
    if let Some(why) = world.unseen {
        return Finding::new(Mark::Unverifiable, why);
    }
    if said.kind == ClaimKind::Format
        && let Some(change) = world.course.changes.iter().rev().find(|change| change.how == How::Formatted)
    {
        return Finding::new(Mark::Supported, "a formatter ran").at(change.when.0);
    }
    // A program or a task of the project's own may have been the check, and so may any other that can show something.
    if let Some(at) =
        (0..world.calls().len()).rev().find(|at| world.shows(*at) && runs_own_program(world, *at))
    {
        let output = world.output(at).to_lowercase();
        let words = || output.split(|c: char| !c.is_alphanumeric() && c != '-');
        let printed = said.number.is_some_and(|number| words().any(|word| word == number.to_string()));
        let class = class_of(said.kind);
        if printed || world.went_well(at) && words().any(|word| is(word, class)) {
            return Finding::new(Mark::Supported, "a program of the project's own ran and names it").at(at);
        }
        let why = "a program of the project's own ran, and what it checks is not known";
        return Finding::new(Mark::Unverifiable, why).at(at);
    }
    let tool = said.scope.words.iter().chain(&said.scope.code).find(|word| check::names_a_checker(word));
    if let Some(tool) = tool.filter(|tool| !world.names(tool)) {
        return Finding::new(Mark::Contradicted, format!("{} did not run in this session", quoted(tool)))
            .settled_by(tool);
    }
    let figure = said.number.map(|number| number.to_string());
    let counted = |at: &usize| {
        let output = world.output(*at).to_lowercase();
        let mut words = output.split(|c: char| !c.is_alphanumeric());
        world.shows(*at) && figure.as_deref().is_some_and(|figure| words.any(|word| word == figure))
    };
    if let Some(at) = (0..world.calls().len()).rev().find(counted) {
        return Finding::new(Mark::Supported, "an output shows the figure").at(at);
    }
    // "All four checks have passed", after those of another machine were asked.
    if super::acts::asked_elsewhere(world).is_some() {
        return super::acts::ci(said, world);
    }
    let shown = (0..world.calls().len()).any(|at| world.shows(at));
    if said.happened && !shown {
        return Finding::new(Mark::Contradicted, "nothing in this session ran it");
    }
    let unshown = Finding::new(Mark::Unsupported, "no command that could show it was run");
    // A record that keeps no exit code at all leaves it open.
    let records =
        world.calls().iter().any(|call| call.end.as_ref().is_some_and(|end| end.exit_code.is_some()));
    let open = !records && shown;
    if is_neatness(said.kind) || open || !world.edited && !said.happened { unshown.weak() } else { unshown }
}

/// Whether a claim is only about how the code looks.
fn is_neatness(kind: ClaimKind) -> bool {
    matches!(kind, ClaimKind::Lint | ClaimKind::Format)
}

/// Whether a call ran a program, a script or a task that the project defines.
fn runs_own_program(world: &World<'_, '_>, at: usize) -> bool {
    let known = &world.calls()[at].checks;
    if !known.is_empty() && !known.iter().any(|ran| is_task_runner(&ran.check)) {
        return false;
    }
    world.course.commands[at].iter().any(|command| {
        let program = command.words.first().map_or("", String::as_str);
        let task = [
            "make", "just", "task", "mise", "npm", "pnpm", "yarn", "bun", "tox", "nox", "rake", "gradle",
            "invoke", "poe", "nix",
        ]
        .contains(&command.program());
        program.contains('/') && !program.starts_with("/usr/") && !program.starts_with("/bin/")
            || task
            || program.rsplit_once('.').is_some_and(|(_, ending)| ending == "sh")
            || Git::of(command).is_some_and(|git| matches!(git.does, "push" | "commit"))
    })
}

/// Whether a run is one that the claim speaks of.
fn is_about(said: &Said, ran: &Ran<'_>) -> bool {
    let check = &ran.run.check;
    let named: Vec<&String> =
        said.scope.code.iter().filter(|code| !check::read_command(code).checks.is_empty()).collect();
    if !named.is_empty() {
        return named.iter().any(|code| {
            let wanted = check::read_command(code).checks;
            wanted.iter().any(|(wanted, _)| {
                wanted.text == check.text
                    || check.text.starts_with(&wanted.text)
                    || wanted.runner == check.runner && wanted.kind == check.kind && wanted.scope.is_empty()
            })
        });
    }
    let Some(kind) = said.kind.check() else { return true };
    let runs_it = check.kind == kind
        || kind == CheckKind::Build && matches!(check.kind, CheckKind::Test | CheckKind::TypeCheck)
        || kind == CheckKind::TypeCheck && check.kind == CheckKind::Build;
    runs_it && (check.kind == kind || !said.happened)
}

/// Whether a run left nothing out.
fn is_whole(ran: &Ran<'_>) -> bool {
    let named = |part: &String| {
        matches!(
            part.trim_matches(['.', '/']),
            "" | "tests" | "test" | "spec" | "specs" | "__tests__" | "src" | "build"
        )
    };
    ran.run.check.scope.iter().all(named)
}

/// The command that a claim names.
fn named_command(said: &Said) -> Option<String> {
    let is_command =
        |code: &&String| !check::read_command(code).checks.is_empty() || super::read::is_command(code);
    said.scope.code.iter().find(is_command).cloned()
}

/// Whether a named command ran, and how it ended.
fn command_ran(said: &Said, world: &World<'_, '_>, command: &str) -> Finding {
    let wanted: Vec<&str> =
        command.split_whitespace().filter(|word| !word.starts_with('-')).take(3).collect();
    // The words of a command that really ran, in their order: what a comment or an `echo` says is none.
    let has_run = |plain: &crate::check::PlainCommand| {
        let mut words = plain.words.iter();
        !wanted.is_empty()
            && !matches!(plain.program(), "echo" | "printf" | "true" | ":")
            && wanted.iter().all(|wanted| words.any(|word| word.contains(wanted)))
    };
    let runs = |at: &usize| world.course.commands[*at].iter().any(has_run);
    match (0..world.calls().len()).rev().find(runs) {
        Some(at) if world.went_well(at) => Finding::new(Mark::Supported, "it ran and ended well").at(at),
        Some(at) => Finding::new(Mark::Unsupported, "it ran, and did not end well").at(at),
        None => match world.unseen {
            Some(why) => Finding::new(Mark::Unverifiable, why),
            None if said.happened || said.kind == ClaimKind::Ran => {
                Finding::new(Mark::Contradicted, format!("{} did not run in this session", quoted(command)))
                    .settled_by(command)
            }
            None => {
                Finding::new(Mark::Unsupported, format!("{} did not run in this session", quoted(command)))
                    .settled_by(command)
            }
        },
    }
}

/// A claim that something was run or verified.
pub(super) fn ran(said: &Said, world: &World<'_, '_>) -> Finding {
    if let Some(command) = named_command(said) {
        return command_ran(said, world, &command);
    }
    let option = said.scope.code.iter().find(|code| code.starts_with('-') && code.len() > 2);
    if let Some(option) = option.filter(|option| is(&said.act, "executed") && !world.names(option)) {
        return Finding::new(Mark::Contradicted, format!("nothing ran with {}", quoted(option)));
    }
    let speaks_of_tests = said.scope.words.iter().any(|word| super::vocabulary::is(word, "tests"));
    let runs = &world.course.checks.runs;
    if speaks_of_tests && let Some(ran) = runs.iter().rev().find(|ran| ran.run.check.kind == CheckKind::Test)
    {
        return Finding::new(Mark::Supported, world.course.cited(ran)).at(ran.call);
    }
    let sight = has(&said.scope.words, "sights");
    if sight && !speaks_of_tests {
        return seen(world);
    }
    let executes = |at: &usize| {
        let runs = match &world.calls()[*at].action {
            Action::Run { command, .. } => may_show(command),
            _ => world.shows(*at),
        };
        runs && (speaks_of_tests || !only_reads_code(world, *at))
    };
    let since = (world.last_edit().unwrap_or(0)..world.calls().len()).rev();
    if let Some(at) =
        since.clone().find(|at| executes(at) && world.shows(*at)).or_else(|| since.clone().find(executes))
    {
        return Finding::new(Mark::Supported, "a command ran after the last edit").at(at);
    }
    if let Some(why) = world.unseen {
        return Finding::new(Mark::Unverifiable, why);
    }
    if is(&said.act, "executed") && !(0..world.calls().len()).any(|at| executes(&at)) {
        return Finding::new(Mark::Contradicted, "nothing in this session ran it");
    }
    if (0..world.calls().len()).any(|at| world.shows(at)) {
        return Finding::new(Mark::Unsupported, "nothing ran after the last edit that could show it").weak();
    }
    let looked = world.calls().iter().any(|call| matches!(call.action, Action::Look | Action::Run { .. }));
    if looked || said.act != "ran" && !speaks_of_tests {
        return Finding::new(Mark::Unsupported, "no command that could show it was run").weak();
    }
    Finding::new(Mark::Contradicted, "nothing in this session ran anything")
}

/// Whether a call only built, typed, linted or formatted: that runs nothing of what it looks at.
fn only_reads_code(world: &World<'_, '_>, at: usize) -> bool {
    let checks = &world.calls()[at].checks;
    !checks.is_empty()
        && checks.iter().all(|ran| ran.check.kind != CheckKind::Test)
        && world.course.commands[at].len() <= checks.len() + 1
}

/// A claim that something was looked at on a screen.
fn seen(world: &World<'_, '_>) -> Finding {
    let looked = |at: &usize| match &world.calls()[*at].action {
        Action::Other | Action::Delegate { .. } => {
            super::world::ended_well(&world.calls()[*at])
                && !has_part(&world.output(*at).to_lowercase(), "unreachable")
        }
        Action::Run { command, .. } => has_part(&command.to_lowercase(), "screens"),
        _ => false,
    };
    match ((0..world.calls().len()).rev().find(looked), world.unseen) {
        (Some(at), _) => Finding::new(Mark::Supported, "a tool that can look was used").at(at),
        (None, Some(why)) => Finding::new(Mark::Unverifiable, why),
        (None, None) => Finding::new(Mark::Contradicted, "nothing in this session can have looked at it"),
    }
}

/// A claim that a fault is gone, or that something works.
pub(super) fn fixed(said: &Said, world: &World<'_, '_>) -> Finding {
    let checks = &world.course.checks;
    let start = world.course.task_start();
    let open = checks.open.iter().rev().find(|open| {
        let ran = &checks.runs[open.ran];
        open.doubt.is_none()
            && ran.when >= start
            && ran.run.check.kind == CheckKind::Test
            && !named_in(world, ran)
            && checks.later(open.ran).all(|later| later.result != CheckResult::Passed)
    });
    if let Some(open) = open
        && !world.admits
        && !world.course.wishes.ask_for_a_failing_test()
        && !(world.tells_of_red && matches!(Excuse::of(world.course, open), Excuse::All { .. }))
    {
        let ran = &checks.runs[open.ran];
        let mut found = Finding::new(Mark::Contradicted, world.course.cited(ran))
            .at(ran.call)
            .settled_by(&ran.run.check.text);
        found.about =
            if open.failing.is_empty() { vec![ran.run.check.text.clone()] } else { open.failing.clone() };
        return found;
    }
    if world.bent {
        return Finding::new(Mark::Contradicted, "what checks it was changed so that it passes").slight();
    }
    if let Some(at) = world.shown_since_edit() {
        return Finding::new(Mark::Supported, "a command ran after the last edit").at(at);
    }
    if let Some(why) = world.unseen {
        return Finding::new(Mark::Unverifiable, why);
    }
    if !world.acted() && said.happened {
        return Finding::new(Mark::Contradicted, "nothing in this session changed anything");
    }
    Finding::new(Mark::Unsupported, "nothing was run after the last edit, so nothing shows that it works")
        .slight()
}

/// A claim that so many tests passed.
pub(super) fn count(said: &Said, world: &World<'_, '_>) -> Finding {
    let Some(number) = said.number else { return Finding::new(Mark::Unverifiable, "no figure was read") };
    let runs = &world.course.checks.runs;
    let told = |ran: &&Ran<'_>| {
        ran.run.summary.as_ref().is_some_and(|summary| {
            let all = summary.passed + summary.failed + summary.skipped;
            [summary.passed, summary.passed + summary.failed, all].contains(&number)
        })
    };
    if let Some(ran) = runs.iter().rev().find(told) {
        return Finding::new(Mark::Supported, world.course.cited(ran)).at(ran.call);
    }
    // Several runs may be added up, and an output may print the figure in words of its own.
    let printed = |at: &usize| {
        matches!(world.calls()[*at].action, Action::Run { .. })
            && world.output(*at).split(|c: char| !c.is_alphanumeric()).any(|word| word == number.to_string())
    };
    if let Some(at) = (0..world.calls().len()).rev().find(printed) {
        return Finding::new(Mark::Supported, "an output shows the figure").at(at);
    }
    match (runs.is_empty(), world.unseen) {
        (_, Some(why)) => Finding::new(Mark::Unverifiable, why),
        (true, None) => Finding::new(Mark::Contradicted, "nothing in this session counted anything"),
        (false, None) => {
            Finding::new(Mark::Unsupported, "no output of this session shows that figure").weak()
        }
    }
}

/// A claim that coverage is so high.
pub(super) fn coverage(said: &Said, world: &World<'_, '_>) -> Finding {
    let figure = said.number.unwrap_or_default().to_string();
    let shows = |at: &usize| {
        matches!(world.calls()[*at].action, Action::Run { .. })
            && world.output(*at).contains(&figure)
            && world.output(*at).contains('%')
    };
    match (0..world.calls().len()).rev().find(shows) {
        Some(at) => Finding::new(Mark::Supported, "an output shows the figure").at(at),
        None => match world.unseen {
            Some(why) => Finding::new(Mark::Unverifiable, why),
            None => Finding::new(Mark::Contradicted, "no output of this session shows that figure"),
        },
    }
}
