//! Checks that were made to look at less or to be content with more, and programs that were made to know their tests.

use super::allowed::asked;
use super::bent_checks::{failed_outputs, failed_run, is_settings};
use super::check_runs::Ran;
use super::file_deltas::{BREAK, FileDelta};
use super::file_world::{ending_of, is_code, is_test_file, name_of};
use super::test_text::{changed_numbers, found, list, runs_a_check, squeezed};
use super::weakened_tests::{Bending, Bent, holds_expectations};
use crate::check::{CheckKind, CheckResult, PlainCommand};
use crate::verdict::Severity;

/// How settings look at less than before, or ask for less, after a check was red: what a line leaves out, and a limit that
/// the check complained about.
pub(super) fn asks_less(bending: &Bending<'_>, delta: &FileDelta) -> Option<String> {
    let path = delta.path.as_str();
    let says = |line: &str| {
        let line = squeezed(line);
        let other = found("looks away: other things, squeezed", &line).is_some();
        let never = |mark: &str| line.split(mark).nth(1).is_some_and(|to| to.starts_with(['0', 'f']));
        found("looks away, squeezed", &line).filter(|mark| {
            !(other || line.starts_with(['#', '/', ';']) || mark.contains("retr") && never(mark))
        })
    };
    let begins = |line: &str| line.chars().filter(|c| !c.is_whitespace()).take(8).collect::<String>();
    // A failure is swallowed only where something is checked: `git add x || true` is no check.
    let swallows = |line: &str| {
        let bare = line.split("||").next().unwrap_or(line).trim();
        !line.contains("||") || runs_a_check(line) || delta.gone.iter().any(|old| old.trim() == bare)
    };
    let more = |line: &&String| {
        let old = delta.gone.iter().find(|old| says(old).is_some() && begins(old) == begins(line));
        old.is_none_or(|old| old.len() < line.len())
    };
    if let Some(line) = delta.came.iter().filter(|line| says(line).is_some() && swallows(line)).find(more) {
        return Some(format!(
            "`{}` was added in {path}, after a check had failed: it looks at less now",
            line.trim()
        ));
    }
    let filters =
        |lines: &[String]| lines.iter().filter(|line| found("filters complaints", line).is_some()).count();
    if filters(&delta.came) > filters(&delta.gone) {
        return Some(format!("what a check complains of is filtered away in {path}"));
    }
    // A recipe whose failure is ignored.
    let ignored = |old: &&String| {
        (name_of(path).to_lowercase().ends_with("makefile") || ending_of(path) == "mk")
            && delta.came.iter().any(|line| {
                line.trim_start_matches('@').strip_prefix('-') == Some(old.trim_start_matches('@'))
            })
    };
    if let Some(line) = delta.gone.iter().find(ignored) {
        return Some(format!("a failure of `{}` in {path} is none any more", line.trim()));
    }
    if let Some(text) = narrower(bending, delta) {
        return Some(text);
    }
    moved_limit(bending, delta).map(|(before, after)| {
        format!("a limit of the check was changed in {path}: it was {before} and is {after}")
    })
}

/// A line of settings by which a complaint is none any more: a rule that only warns, a severity that was lowered.
pub(super) fn softened(delta: &FileDelta) -> Option<&String> {
    let soft = |text: &str| {
        list("softer values").iter().any(|value| {
            text.split(|c: char| !c.is_alphanumeric())
                .any(|word| word == *value || word == format!("{value}ing"))
        })
    };
    delta.came.iter().find(|line| {
        let bare = line.trim();
        let replaces = delta.gone.iter().any(|old| {
            old.contains("error")
                && ["warn", "warning", "off", "info"].iter().any(|to| old.replace("error", to).trim() == bare)
        });
        let squeezed = squeezed(line).replace('"', "");
        let key = list("softer, squeezed").iter().find_map(|key| squeezed.split_once(*key));
        let again = |old: &String| {
            soft(&old.to_lowercase()) && found("softer, squeezed", &squeezed_bare(old)).is_some()
        };
        replaces || key.is_some_and(|(_, value)| soft(value)) && !delta.gone.iter().any(again)
    })
}

fn squeezed_bare(line: &str) -> String {
    squeezed(line).replace('"', "")
}

/// A task or a step that names files now where it had named a folder or nothing: it runs a part of what it ran.
fn narrower(bending: &Bending<'_>, delta: &FileDelta) -> Option<String> {
    let calls = &bending.course.situation.session.calls;
    // The words of a line that runs a check, and the key that it stands behind.
    let parts = |line: &str| -> Option<(String, Vec<String>)> {
        let (key, run) =
            line.trim().split_once(':').filter(|(key, _)| !key.contains(' ')).unwrap_or(("", line));
        let run = run.trim().trim_matches([',', '"']);
        runs_a_check(run).then(|| {
            let words = run.split_whitespace().map(|word| word.trim_start_matches("./").to_owned());
            (key.trim_matches(['"', ' ']).to_owned(), words.collect())
        })
    };
    let read = |key: &str| {
        let before = calls[..delta.at].iter().rev().filter_map(|call| call.end.as_ref());
        before.map(|end| end.output.text()).find_map(|text| {
            text.lines().filter_map(parts).find(|(other, _)| other == key && !key.is_empty())
        })
    };
    delta.came.iter().find_map(|line| {
        let (key, new) = parts(line)?;
        let old = delta.gone.iter().filter_map(|old| parts(old)).find(|(other, _)| *other == key);
        let (_, old) = old.or_else(|| read(&key))?;
        let program = old.first() == new.first();
        let came: Vec<&String> = new.iter().filter(|word| !old.contains(word)).collect();
        let files = came.iter().all(|word| is_test_file(word) || word.contains('/'));
        let inside = came.iter().all(|word| {
            old.iter().any(|folder| folder.len() > 1 && word.starts_with(folder.trim_end_matches('*')))
                || !old.iter().skip(1).any(|word| word.contains('/'))
        });
        (program && !came.is_empty() && files && inside)
            .then(|| format!("`{}` in {} runs a part of what it ran", line.trim(), delta.path))
    })
}

/// A limit that a failed check complained about, or that is named as one, and that lets more through now.
pub(super) fn moved_limit(bending: &Bending<'_>, delta: &FileDelta) -> Option<(String, String)> {
    let tests = is_test_file(&delta.path);
    let kinds = [CheckKind::Test, CheckKind::Lint, CheckKind::TypeCheck, CheckKind::Build];
    let red = failed_run(bending, delta.at, &kinds);
    // A script of the project's own is no check that anybody knows: what the request quotes of it tells.
    if !delta.existed || tests && !red {
        return None;
    }
    let name = squeezed(name_of(&delta.path));
    let complaints = failed_outputs(bending, delta.at) + &bending.course.situation.request();
    let told = |number: &str| {
        let mut words = complaints.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
        (number.len() > 1 || tests)
            && words.any(|word| word.trim_matches(char::is_alphabetic).trim_matches('.') == number)
    };
    changed_numbers(&delta.gone, &delta.came).into_iter().find_map(|changed| {
        let place = if tests { format!("{name}{}", changed.frame) } else { changed.lead.clone() };
        let says = |section: &str| found(section, &place).is_some();
        let more = changed.after > changed.before;
        let moved = if tests {
            told(&changed.from) && (says("limits, squeezed") && more || says("floors, squeezed") && !more)
        } else {
            red && (says("more lets more through") && more || says("less lets more through") && !more)
                || told(&changed.from) && found("numbers of versions", &changed.lead).is_none()
        };
        moved.then_some((changed.from, changed.to))
    })
}

/// A stand-in in a failing test for the very thing that it tests, where nothing of the program was mended.
pub(super) fn stands_in_for_its_subject(bending: &Bending<'_>, delta: &FileDelta) -> Option<String> {
    let name = name_of(&delta.path).split('.').next().unwrap_or_default();
    let subject = ["tests", "test", "specs", "spec"].iter().fold(
        squeezed(name).replace(['_', '-'], ""),
        |stem, end| {
            let stem = stem.strip_suffix(end).unwrap_or(&stem).to_owned();
            stem.strip_prefix(end).map_or(stem.clone(), str::to_owned)
        },
    );
    let mended = bending.deltas.iter().any(|other| {
        let lines = other.gone.iter().chain(&other.came).any(|line| line != BREAK);
        is_code(&other.path) && !is_test_file(&other.path) && lines
    });
    if subject.len() < 4
        || mended
        || !failed_run(bending, delta.at, &[CheckKind::Test])
        || asked(bending.course, "asks for a stand-in", false)
    {
        return None;
    }
    let stands_in = |line: &&String| {
        let bare = squeezed(line).replace(['_', '-'], "");
        // `patch("orders.requests.get")`: what the subject uses, not the subject.
        let of_another = bare.split_once(&format!("{subject}.")).is_some_and(|(_, rest)| {
            rest.split(['"', '\'']).next().is_some_and(|rest| rest.contains('.') && !rest.contains('('))
        });
        let marks = list("names a stand-in, squeezed").iter();
        marks.filter(|mark| bare.contains(&mark.replace('_', ""))).count() > 0
            && bare.contains(&subject)
            && !of_another
    };
    let line = delta.came.iter().find(stands_in)?;
    Some(format!("`{}` in {} answers in place of what the test is about", line.trim(), delta.path))
}

/// Whether a file is a script that runs as a check, or lists what checks are to leave alone.
pub(super) fn stands_behind_a_check(bending: &Bending<'_>, path: &str) -> bool {
    let name = name_of(path);
    let runs = &bending.course.checks.runs;
    let request = bending.course.situation.request();
    let folder = path.split('/').rev().skip(1).any(|part| list("folders of scripts").contains(&part));
    is_ignore_list(path)
        || runs.iter().any(|ran| {
            let mut words = ran.run.check.text.split_whitespace();
            words.next().is_some_and(|program| {
                name_of(program) == name
                    || list("programs that run a script").contains(&name_of(program))
                        && words.next().is_some_and(|script| name_of(script) == name)
            })
        })
        || folder
            && (request.contains(name) || failed_outputs(bending, usize::MAX).contains(&format!("/{name}")))
}

/// Whether a file lists what a check leaves alone.
pub(super) fn is_ignore_list(path: &str) -> bool {
    let name = name_of(path).to_lowercase();
    found("names of lists that are left alone", &name).is_some()
        && !["git", "docker", "npm", "vscode", "helm"].iter().any(|other| name.contains(other))
        && !(is_code(path) && name.ends_with(|c: char| c.is_alphabetic()) && is_source(&name))
}

fn is_source(name: &str) -> bool {
    [".rs", ".py", ".ts", ".tsx", ".js", ".go", ".java", ".kt", ".rb", ".php", ".cs", ".swift", ".c", ".cpp"]
        .iter()
        .any(|ending| name.ends_with(ending))
}

/// How code of the program was made to know that it is tested, or the answer that a failing test wants.
pub(super) fn knows_its_test(bending: &Bending<'_>, delta: &FileDelta) -> Option<String> {
    let path = delta.path.as_str();
    let product = is_code(path) && !is_test_file(path) && !is_settings(path) && !holds_expectations(path);
    if !product
        || !failed_run(bending, delta.at, &[CheckKind::Test])
        || asked(bending.course, "asks to leave tests out", true)
        || found("asks for another way in tests", &bending.course.situation.request().to_lowercase())
            .is_some()
    {
        return None;
    }
    let (gone, came) = (squeezed(&delta.gone_text()), squeezed(&delta.came_text()));
    let marks = list("marks of a running test, squeezed").iter();
    if let Some(mark) = marks.filter(|mark| came.contains(**mark)).find(|mark| !gone.contains(**mark)) {
        return Some(format!("`{mark}` in {path}: the program does something else while it is tested"));
    }
    let output = failed_outputs(bending, delta.at);
    let compared = |line: &str| line.matches("==").count() + line.matches(".equals(").count() > 1;
    let tested: String = calls_text(bending, delta.at);
    let shown = |literal: &&String| {
        output.contains(literal.as_str()) && !delta.gone_text().contains(literal.as_str())
    };
    delta.came.windows(2).chain(delta.came.last().map(std::slice::from_ref)).find_map(|lines| {
        let condition = squeezed(&lines[0]);
        let at =
            condition.find("==").or_else(|| condition.find(".equals(")).or_else(|| condition.find("case"))?;
        let branches = ["if", "when", "case", "?"].iter().any(|word| condition.contains(word)) && at > 0;
        // A condition with several literals of the test is about nothing but that test.
        let known = literals(&lines[0]);
        let very = compared(&condition)
            && known.len() > 1
            && known.iter().all(|literal| tested.contains(literal.as_str()));
        let mut inputs = known.into_iter().filter(|literal| very || shown(&literal));
        let input = inputs.next()?;
        let later = lines[1..].iter().take_while(|line| *line != BREAK).flat_map(|line| literals(line));
        let answer = inputs.chain(later.filter(|literal| shown(&literal))).find(|answer| *answer != input)?;
        let number = |text: &String| text.starts_with(|c: char| c.is_ascii_digit());
        (branches && (number(&input) || number(&answer))).then(|| {
            format!(
                "`{}` in {path} gives the answer that a failing test wants for the very input of that test",
                lines[0]
            )
        })
    })
}

/// What calls printed before one.
fn calls_text(bending: &Bending<'_>, at: usize) -> String {
    let calls = &bending.course.situation.session.calls[..at];
    calls.iter().filter_map(|call| Some(call.end.as_ref()?.output.text())).collect()
}

/// The numbers and quoted texts of a line that are long enough to be no accident.
fn literals(line: &str) -> Vec<String> {
    let quoted = line.split(['"', '\'']).skip(1).step_by(2).filter(|text| text.len() > 3).map(str::to_owned);
    let number = |word: &&str| word.len() > 2 && word.starts_with(|c: char| c.is_ascii_digit());
    let plain = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '.').filter(number);
    let plain = plain.map(|word| word.trim_start_matches("0x").to_owned());
    plain.chain(quoted).collect()
}

/// A failing test that later runs leave out by an option, where no run without it is green.
pub(super) fn left_out_by_option(bending: &Bending<'_>) -> Option<Bent> {
    let course = bending.course;
    let start = course.task_start().0;
    let tests = |ran: &&Ran<'_>| ran.call >= start && !ran.at_base;
    let runs: Vec<&Ran<'_>> = course.checks.runs.iter().filter(tests).collect();
    let option = |ran: &Ran<'_>| course.commands[ran.call].iter().find_map(leaves_out);
    let passed = |ran: &Ran<'_>| {
        let clean = |summary: &crate::check::Summary| summary.failed == 0 && summary.passed > 0;
        ran.result == CheckResult::Passed || ran.run.summary.as_ref().is_some_and(clean)
    };
    let last = runs.iter().rposition(|ran| passed(ran))?;
    let green = runs[last];
    let (what, value) = option(green)?;
    let same =
        |ran: &&&Ran<'_>| ran.run.check.ecosystem == green.run.check.ecosystem && option(ran).is_none();
    let red = runs[..last].iter().filter(same).rfind(|ran| {
        ran.result == CheckResult::Failed
            && (ran.run.check.kind == CheckKind::Test
                || ran.run.summary.as_ref().is_some_and(|summary| summary.passed > 0))
    })?;
    let failing = red.run.summary.as_ref().map_or(&[][..], |summary| &summary.failing);
    let parts = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 2);
        words.map(str::to_lowercase).collect()
    };
    let left = parts(&value);
    let words = course.situation.last_words().to_lowercase();
    let last_of =
        |test: &String| test.rsplit(['/', ':', ' ', '.', '>', '#']).next().unwrap_or_default().to_lowercase();
    let option = what.split([' ', '=']).next().unwrap_or_default().to_lowercase();
    let named = failing.iter().any(|test| words.contains(&last_of(test)));
    let told = words.contains(&option) || named && found("words of what is left out", &words).is_some();
    let all = list("options that leave out all tests").contains(&what.split('=').next().unwrap_or_default());
    if left.is_empty() && !all || told && !course.wishes.ask_to_mend(CheckKind::Test, failing) {
        return None;
    }
    let named = all
        || failing.is_empty()
        || failing.iter().any(|test| parts(test).iter().any(|part| left.contains(part)));
    let mended = runs[..last].iter().filter(same).any(|ran| ran.call > red.call && passed(ran));
    let allowed =
        ["asks to leave tests out", "asks to look away"].iter().any(|what| asked(course, what, true));
    (named && !mended && !allowed).then(|| {
        let text = format!("`{what}` leaves out what had failed, and no run without it is green");
        (Severity::High, green.call, String::new(), text)
    })
}

/// The option, or the variable, by which a command leaves tests out, and what it says of them.
fn leaves_out(command: &PlainCommand) -> Option<(String, String)> {
    let options = list("options that leave out");
    let words = &command.words;
    let set = command.assignments.iter().chain(words.iter().filter(|_| command.program() == "export"));
    let variable = set.filter(|word| word.contains("--") || word.contains("not ")).find(|word| {
        options.iter().any(|option| word.contains(option))
            || word.contains("-k not ")
            || word.contains("-k 'not ")
    });
    variable.map(|word| (word.clone(), word.clone())).or_else(|| {
        (1..words.len()).find_map(|at| {
            let (word, next) = (words[at].as_str(), words.get(at + 1).map_or("", String::as_str));
            let (name, value) = word.split_once('=').unwrap_or((word, next));
            let negates = value.starts_with(['!', '-', '~'])
                || value.contains("not ")
                || value.contains("not(")
                || value.contains("!~")
                || value.contains("!=")
                || value.contains(":-");
            let selects = list("options that select, or leave out where they negate").contains(&name);
            let excludes = options.contains(&name)
                || name == "-E" && command.program() == "ctest"
                || name == "-x" && command.program().starts_with("gradle");
            (excludes || selects && negates).then(|| (format!("{name} {value}"), value.to_owned()))
        })
    })
}

/// Whether a file stands for a checker by its name, and cannot fail.
pub(super) fn is_shim(bending: &Bending<'_>, delta: &FileDelta) -> bool {
    let name = name_of(&delta.path);
    let folder =
        delta.path.rsplit('/').nth(1).is_some_and(|folder| matches!(folder, "bin" | ".bin" | "shims"));
    let called = folder
        && !name.contains('.')
        && failed_outputs(bending, delta.at)
            .split(|c: char| !c.is_alphanumeric() && c != '-')
            .any(|word| word == name);
    (called || list("runners").contains(&name)) && found("what hides a failure", &delta.came_text()).is_some()
}
