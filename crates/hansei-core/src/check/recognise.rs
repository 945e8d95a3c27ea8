//! Which check a simple command is, if it is one. Wrappers must have been taken off.

use super::arguments::{only_builds, operands, runs_nothing, scope};
use super::known_checks::{KNOWN, TASK_RUNNERS, Tasks};
use super::task_names;
use super::{Check, CheckKind, Ecosystem, words};

/// Longest text that is kept.
const TEXT: usize = 400;

/// The check that `words` are.
pub(super) fn check(words: &[&str]) -> Option<Check> {
    let program = program_name(words.first()?);
    let found = known(program, &words[1..])
        .or_else(|| through_interpreter(program, words))
        .or_else(|| package_binary(program, &words[1..]))
        .or_else(|| task(program, &words[1..]))
        .or_else(|| script(words[0]).filter(|_| !runs_nothing(program, &words[1..])))?;
    Some(Check { text: text(words), ..found })
}

/// The name of a program without its folder and without what Windows or PHP put behind it.
pub(super) fn program_name(word: &str) -> &str {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    [".exe", ".cmd", ".bat", ".ps1", ".phar", ".EXE", ".CMD", ".BAT"]
        .iter()
        .find_map(|end| name.strip_suffix(end).filter(|name| !name.is_empty()))
        .unwrap_or(name)
}

/// `python -m pytest`, `node node_modules/.bin/jest`, `php artisan test`, `bash scripts/test.sh`.
fn through_interpreter(program: &str, words: &[&str]) -> Option<Check> {
    let python = program.starts_with("python") || program == "py" || program.starts_with("pypy");
    if python && let Some(at) = words.iter().take(8).position(|word| *word == "-m") {
        let module = words.get(at + 1)?;
        let module = module.strip_suffix(".__main__").unwrap_or(module);
        return match module {
            // `python -m coverage run -m pytest`
            "coverage" => words[at + 1..].iter().position(|word| *word == "-m").and_then(|inner| {
                let inner = at + 1 + inner;
                known(words.get(inner + 1)?, words.get(inner + 2..)?)
            }),
            _ => known(module, &words[at + 2..]),
        };
    }
    if !(python || words::is(program, "interpreters")) {
        return None;
    }
    if let "julia" | "Rscript" = program {
        let tests = |word: &&str| words::of("package-tests").iter().any(|call| word.contains(call));
        let check = || Check::of(CheckKind::Test, Ecosystem::Other, "Pkg.test", Vec::new());
        return words.iter().any(tests).then(check);
    }
    let at = words.iter().skip(1).position(|word| !word.starts_with('-'))? + 1;
    let path = words[at];
    let test_of_ruby = path.ends_with("_test.rb") || path.rsplit('/').next()?.starts_with("test_");
    if program == "ruby" && test_of_ruby {
        return Some(Check::of(CheckKind::Test, Ecosystem::Ruby, "minitest", vec![path.to_owned()]));
    }
    let name = program_name(path);
    let stem = name
        .rsplit_once('.')
        .filter(|(_, end)| matches!(*end, "js" | "mjs" | "cjs" | "ts"))
        .map_or(name, |(stem, _)| stem);
    // A bare name after an interpreter is a file in the folder, not a program: only paths and known scripts count.
    if path.contains('/') || matches!(name, "manage.py" | "setup.py" | "artisan") {
        let inner = known(stem, &words[at + 1..]).or_else(|| task(stem, &words[at + 1..]));
        if inner.is_some() {
            return inner;
        }
    }
    if words.iter().any(|word| *word == "--test" || *word == "-n" || *word == "-l") {
        return None;
    }
    script_check(path, program)
}

fn known(program: &str, rest: &[&str]) -> Option<Check> {
    if !KNOWN.iter().any(|row| row.program == program) || runs_nothing(program, rest) {
        return None;
    }
    let operands = operands(program, rest);
    let row = KNOWN.iter().find(|row| row.fits(program, rest, &operands))?;
    let kind =
        if row.is == CheckKind::Test && only_builds(program, rest) { CheckKind::Build } else { row.is };
    let scope = scope(program, rest, &operands[row.words.len()..]);
    Some(Check::of(kind, row.ecosystem, row.runner, scope))
}

/// `yarn jest`, `pnpm vitest run`: the binary of a package, called by its name.
fn package_binary(program: &str, rest: &[&str]) -> Option<Check> {
    if !matches!(program, "yarn" | "pnpm" | "bun" | "mise" | "poetry") {
        return None;
    }
    let first = *operands(program, rest).iter().find(|word| **word != "run")?;
    let at = rest.iter().position(|word| *word == first)?;
    known(first, &rest[at + 1..])
}

fn task(program: &str, rest: &[&str]) -> Option<Check> {
    if !TASK_RUNNERS.iter().any(|row| row.program == program) || runs_nothing(program, rest) {
        return None;
    }
    let mut operands = operands(program, rest);
    if let Some(at) = operands.iter().position(|word| *word == "workspace") {
        operands.drain(at..(at + 2).min(operands.len()));
    }
    let row = TASK_RUNNERS.iter().find(|row| row.fits(program, rest, &operands))?;
    let after = &operands[row.words.len()..];
    let mut tasks: Vec<&str> = after.to_vec();
    // `npm test` is itself the name of the task.
    let named_itself = matches!(row.words.as_slice(), ["test" | "t" | "tst"]);
    if named_itself {
        tasks = vec!["test"];
    }
    if program == "nx" || program == "turbo" {
        tasks.extend(
            rest.iter().filter_map(|word| {
                word.strip_prefix("--target=").or_else(|| word.strip_prefix("--targets="))
            }),
        );
        tasks.extend(
            rest.windows(2)
                .filter(|pair| matches!(pair[0], "-t" | "--target" | "--targets"))
                .map(|pair| pair[1]),
        );
    }
    let named = match row.is {
        Tasks::One => &tasks[..tasks.len().min(1)],
        Tasks::All | Tasks::AllOrBuild => &tasks,
    };
    let kinds =
        named.iter().filter(|task| !is_assignment(task)).filter_map(|task| kind_of_task(program, task));
    let bare = row.is == Tasks::AllOrBuild && named.iter().all(|task| is_assignment(task) || *task == "all");
    // Of several tasks the tests say most.
    let kind = kinds.min().or(bare.then_some(CheckKind::Build))?;
    let kind = if kind == CheckKind::Test && only_builds(program, rest) { CheckKind::Build } else { kind };
    let arguments = match row.is {
        Tasks::One => &after[after.len().min(usize::from(!named_itself))..],
        Tasks::All | Tasks::AllOrBuild => &[],
    };
    Some(Check::of(kind, row.ecosystem, row.runner, scope(program, rest, arguments)))
}

fn kind_of_task(program: &str, task: &str) -> Option<CheckKind> {
    match (program, task) {
        // Installing, packing and publishing run a script of that name at most by the way.
        ("npm" | "yarn" | "pnpm", "ci" | "install" | "add" | "pack" | "audit" | "why" | "init")
        | ("composer", "validate" | "check-platform-reqs") => None,
        ("mvn" | "mvnw" | "mvnd", "install" | "test-compile") => Some(CheckKind::Build),
        _ => {
            // `:app:testDebugUnitTest`, `web:lint`; for npm the parts of `test:unit` belong together.
            let name = if matches!(program, "gradle" | "gradlew") {
                task.rsplit(':').next().unwrap_or(task)
            } else {
                task
            };
            // A variant that is built for debugging is not debugged, and one for release not released.
            task_names::kind_of(&name.replace("Debug", "").replace("Release", ""))
        }
    }
}

/// `./scripts/test`, `bin/ci`
fn script(path: &str) -> Option<Check> {
    let elsewhere = ["/tmp/", "/usr/", "/bin/"].iter().any(|folder| path.starts_with(folder));
    if path.contains('/') && !elsewhere { script_check(path, "") } else { None }
}

fn script_check(path: &str, interpreter: &str) -> Option<Check> {
    let name = program_name(path);
    let (stem, end) = name.split_once('.').unwrap_or((name, ""));
    let shell = matches!(interpreter, "" | "bash" | "sh" | "zsh" | "pwsh");
    let of_a_shell = end.is_empty() || words::is(end, "shell-scripts");
    if !(of_a_shell || words::is(end, "other-scripts")) || path.starts_with("/tmp/") {
        return None;
    }
    // `python test_parser.py` may be a scratch file that is meant to fail; `run_tests.py` is the project's own check.
    let sure = shell && of_a_shell || task_names::is_only_about_checks(stem);
    let kind = task_names::kind_of(stem).filter(|_| sure)?;
    Some(Check::of(kind, Ecosystem::Shell, "script", Vec::new()))
}

fn is_assignment(word: &str) -> bool {
    word.contains('=')
}

fn text(words: &[&str]) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        if word.is_empty() || word.contains([' ', '\t', '\n', '"', '\'', '&', '|', ';', '(', ')', '<', '>']) {
            text.push('\'');
            text.push_str(word);
            text.push('\'');
        } else {
            text.push_str(word);
        }
        if text.len() > TEXT {
            break;
        }
    }
    shortened(&text, TEXT)
}

pub(super) fn shortened(text: &str, most: usize) -> String {
    text[..text.floor_char_boundary(most.min(text.len()))].to_owned()
}
