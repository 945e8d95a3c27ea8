//! What stands behind a check's name: a task of `package.json`, a target of a `Makefile`, a script. Whether the session
//! rewrote it into something that checks nothing.

use super::changes::{Change, Moment};
use super::file_world::{name_of, placed};
use crate::check::{Check, PlainCommand, hides_failure, read_command};
use crate::session::{Action, Call, Session};

/// Runners of tasks, with the files that say what their tasks do.
const FILES: &[(&[&str], &[&str])] = &[
    (&["make"], &["Makefile", "makefile", "GNUmakefile"]),
    (
        &["npm run", "npm test", "yarn", "pnpm", "bun run", "turbo", "lerna", "nx", "deno task"],
        &["package.json", "deno.json", "turbo.json"],
    ),
    (&["just"], &["justfile", "Justfile", ".justfile"]),
    (&["task"], &["Taskfile.yml", "Taskfile.yaml"]),
    (&["mise"], &["mise.toml", ".mise.toml"]),
    (&["tox"], &["tox.ini"]),
    (&["nox"], &["noxfile.py"]),
    (&["rake"], &["Rakefile"]),
    (&["composer"], &["composer.json"]),
];

/// A rewriting of a file by the session.
#[derive(Debug)]
struct Rewritten {
    when: Moment,
    path: String,
    /// What was written, as far as the call says.
    text: String,
}

/// What the session read in and wrote into files that stand behind checks.
#[derive(Debug)]
pub(super) struct Definitions {
    written: Vec<Rewritten>,
    /// What commands printed of such files.
    read: Vec<(Moment, String)>,
}

impl Definitions {
    /// Reads them from the session's changes.
    pub(super) fn of(session: &Session, commands: &[Vec<PlainCommand>], changes: &[Change]) -> Self {
        let rewritten = changes.iter().filter(|change| change.is_by_hand()).filter_map(|change| {
            let path = change.path.clone()?;
            let call = &session.calls[change.when.0];
            let text = match (&call.action, &call.wrote) {
                (Action::Edit { .. }, Some(wrote)) => wrote.added.clone(),
                _ => commands[change.when.0]
                    .iter()
                    .flat_map(|command| command.words.iter().chain(&command.fed))
                    .fold(String::new(), |text, word| {
                        text + &word.replace("\\n", "\n").replace("\\t", "\t") + "\n"
                    }),
            };
            Some(Rewritten { when: change.when, path, text })
        });
        let names = |command: &PlainCommand| {
            let known = |word: &String| FILES.iter().any(|(_, files)| files.contains(&name_of(word)));
            command.arguments().iter().any(known)
        };
        let calls = session.calls.iter().enumerate();
        let read = calls
            .filter(|(at, _)| commands[*at].iter().any(names))
            .filter_map(|(at, call)| Some((Moment(at, 0), call.end.as_ref()?.output.text())));
        Self { written: rewritten.collect(), read: read.collect() }
    }

    /// The checks that the task of `check` stands for: as its runner says when it begins, else as its definition was last
    /// read or written before `when`.
    pub(super) fn stands_for(&self, check: &Check, call: &Call, when: Moment) -> Vec<Check> {
        let Some((_, files)) = FILES.iter().find(|(runners, _)| runners.contains(&check.runner)) else {
            return Vec::new();
        };
        let head = call.end.as_ref().map(|end| end.output.head.as_str()).unwrap_or_default();
        let said = head.lines().take(6).find_map(|line| {
            let line = line.trim_start_matches(['>', '$', ' ']);
            let line =
                line.split_once("] $ ").or_else(|| line.split_once("] ")).map_or(line, |(_, line)| line);
            let found = checks_in(line);
            (!found.is_empty() && found.iter().all(|found| found.text != check.text)).then_some(found)
        });
        let written = self.written.iter().filter(|one| files.contains(&name_of(&one.path)));
        let texts = written
            .map(|one| (one.when, &one.text))
            .chain(self.read.iter().map(|(when, text)| (*when, text)));
        let task = check.text.split_whitespace().rfind(|word| !word.starts_with('-')).unwrap_or_default();
        let mut defined: Vec<(Moment, Vec<Check>)> = texts
            .filter(|(at, _)| *at < when)
            .filter_map(|(at, text)| Some((at, checks_in(&definition(text, task)?))))
            .collect();
        defined.sort_by_key(|(at, _)| *at);
        said.or_else(|| defined.pop().map(|(_, checks)| checks)).unwrap_or_default()
    }

    /// Whether what `check`, run in `folder`, stands for was rewritten between two moments, and what was written checks
    /// nothing by itself.
    pub(super) fn emptied(&self, check: &Check, folder: Option<&str>, from: Moment, to: Moment) -> bool {
        let files =
            FILES.iter().find(|(runners, _)| runners.contains(&check.runner)).map(|(_, files)| *files);
        let script = (check.runner == "script")
            .then(|| check.text.split_whitespace().find(|word| word.contains(['/', '.'])))
            .flatten()
            .map(|path| placed(path, folder, None));
        let behind = |path: &str| {
            files.is_some_and(|files| files.contains(&name_of(path)))
                || script.as_deref().is_some_and(|script| path == script || script.ends_with(path))
        };
        let between = self.written.iter().filter(|one| from < one.when && one.when < to && behind(&one.path));
        between.into_iter().any(|one| {
            let task = check.text.split_whitespace().last().unwrap_or_default();
            let names_it = script.is_some() || files.is_some_and(|files| files[0] != "package.json");
            (names_it || speaks_of_tasks(&one.text, task)) && !still_checks(&one.text)
        })
    }
}

fn checks_in(line: &str) -> Vec<Check> {
    read_command(line).checks.into_iter().map(|(check, _)| check).collect()
}

/// The commands of a task, as its definition in `text` says: `"test": "jest"`, a target with its recipe, `test = "…"`.
fn definition(text: &str, task: &str) -> Option<String> {
    // An environment of tox is no task of that name: its commands are listed.
    let environment = text.find("[testenv").map(|start| &text[start..]);
    if let Some((_, commands)) = environment.and_then(|text| text.split_once("\ncommands")) {
        let commands = commands.trim_start().trim_start_matches('=');
        let (first, rest) = commands.split_once('\n').unwrap_or((commands, ""));
        let rest = rest.lines().take_while(|line| line.starts_with([' ', '\t']));
        return Some(std::iter::once(first).chain(rest).map(str::trim).collect::<Vec<_>>().join("\n"));
    }
    let mut lines = text.lines().map(str::trim_end).skip_while(|line| {
        let line = line.trim_start();
        let after = line.strip_prefix('"').unwrap_or(line).strip_prefix(task).unwrap_or_default();
        let after = after.strip_prefix('"').unwrap_or(after).trim_start();
        !after.starts_with([':', '=']) && line != format!("[tasks.{task}]")
    });
    let first = lines.next()?;
    if let Some((_, value)) = first.split_once("\": \"").or_else(|| first.split_once(" = \"")) {
        return value.split_once('"').map(|(value, _)| value.to_owned());
    }
    let recipe = |line: &&str| line.starts_with(['\t', ' ']) || line.starts_with("run = ");
    let plain = |line: &str| {
        line.trim_start_matches("run = ").trim().trim_matches('"').trim_start_matches(['@', '-']).to_owned()
    };
    Some(lines.take_while(recipe).map(plain).collect::<Vec<_>>().join("\n"))
}

/// Whether a change of `package.json` is about its tasks, and not about what it depends on.
fn speaks_of_tasks(text: &str, task: &str) -> bool {
    text.contains("\"scripts\"") || text.contains("scripts.") || text.contains(&format!("\"{task}\""))
}

/// Whether one of the commands in a definition is a check whose failure shows.
fn still_checks(text: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim().trim_end_matches(',').trim_start_matches(['@', '-', '+']);
        let value = line.split_once("\": \"").map_or(line, |(_, value)| value.trim_end_matches('"'));
        let value = value.split_once(" = \"").map_or(value, |(_, value)| value.trim_end_matches('"'));
        !read_command(value).checks.is_empty() && hides_failure(value).is_none()
    })
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::{CheckPassed, CheckStale};
    use crate::evidence::shorthand::{GREEN, Tale, red};

    #[test]
    fn a_task_stands_for_what_it_runs() {
        let jest = "Tests: 1 failed, 2 passed, 3 total";
        let green = "Tests: 3 passed, 3 total";
        let scripts = |text: &str| format!("{{\n  \"scripts\": {{\n    {text}\n  }}\n}}");
        let t = || Tale::of("x").edits("src/a.ts");
        let unit = scripts("\"test\": \"jest --ci\",");
        let all = scripts("\"verify\": \"tsc --noEmit && eslint . && jest\"");
        let make = "test:\n\tpytest -q\n\nlint:\n\truff check .\n";
        let red_py = "FAILED tests/test_a.py::one\n1 failed, 4 passed in 0.1s";
        let green_py = "5 passed in 0.1s";
        let py = || Tale::of("x").edits("a.py");
        let recipes = "check:\n    pytest -q\n\nfmt:\n    ruff format .\n";
        let mise = "[tasks.test]\nrun = \"pytest -q\"\n";
        let tox = "[tox]\nenvlist = py312\n\n[testenv]\ndeps = pytest\ncommands =\n    pytest -q\n";
        let taskfile = "version: '3'\ntasks:\n  test:\n    cmds:\n      - pytest -q\n";
        for (name, tale, mended) in [
            (
                "read",
                t().run("cat package.json", 0, &unit).run("npm test", 1, jest).run("npx jest", 0, green),
                true,
            ),
            ("not read", t().run("npm test", 1, jest).run("npx jest", 0, green), false),
            (
                "its runner says it",
                t().run("npm test", 1, &format!("> a@1.0.0 test\n> jest --ci\n\n{jest}"))
                    .run("npx jest", 0, green),
                true,
            ),
            (
                "written here",
                t().write("package.json", &unit).run("npm test", 1, jest).run("npx jest", 0, green),
                true,
            ),
            (
                "all in one",
                t().run("cat package.json", 0, &all)
                    .run("npx eslint .", 1, "")
                    .run("npm run verify", 0, green),
                true,
            ),
            (
                "not among them",
                t().run("cat package.json", 0, &all)
                    .run("npx prettier --check .", 1, "")
                    .run("npm run verify", 0, green),
                false,
            ),
            (
                "a target",
                Tale::of("x")
                    .edits("a.py")
                    .run("cat Makefile", 0, make)
                    .run("make test", 2, red_py)
                    .run("pytest", 0, "5 passed in 0.1s"),
                true,
            ),
            (
                "of just",
                py().run("cat justfile", 0, recipes).run("just check", 1, red_py).run("pytest", 0, green_py),
                true,
            ),
            (
                "of just, another",
                py().run("cat justfile", 0, recipes).run("just check", 1, red_py).run("ruff check .", 0, ""),
                false,
            ),
            (
                "of mise",
                py().run("cat mise.toml", 0, mise).run("mise run test", 1, red_py).run("pytest", 0, green_py),
                true,
            ),
            (
                "of tox",
                py().run("cat tox.ini", 0, tox).run("tox", 1, red_py).run("pytest", 0, green_py),
                true,
            ),
            (
                "of tox, another",
                py().run("cat tox.ini", 0, tox).run("tox", 1, red_py).run("ruff check .", 0, ""),
                false,
            ),
            (
                "of Taskfile",
                py().run("cat Taskfile.yml", 0, taskfile)
                    .run("task test", 1, red_py)
                    .run("pytest", 0, green_py),
                true,
            ),
            (
                "of composer",
                Tale::of("x")
                    .edits("src/a.php")
                    .run("cat composer.json", 0, &scripts("\"test\": \"phpunit\""))
                    .run("composer test", 1, "FAILURES!\nTests: 3, Assertions: 4, Failures: 1.")
                    .run("vendor/bin/phpunit", 0, "OK (3 tests, 4 assertions)"),
                true,
            ),
        ] {
            let open = tale.ask(|situation| crate::evidence::course::Course::of(situation).checks.open.len());
            assert_eq!(open == 0, mended, "{name}");
        }
    }

    #[test]
    fn a_rewritten_check_mends_nothing() {
        let t = || Tale::of("Add a flag").edits("src/a.rs").run("make test", 2, &red(&["m::a"]));
        let green = |t: Tale| t.run("make test", 0, "7 passed");
        let npm = || Tale::of("x").edits("src/a.ts").run("npm test", 1, "Tests: 1 failed, 2 passed, 3 total");
        let npm_green = |t: Tale| t.run("npm test", 0, "Tests: 3 passed, 3 total");
        let script = || Tale::of("x").edits("src/a.rs").run("./scripts/test", 1, &red(&["m::a"]));
        for (name, tale) in [
            ("printf", green(t().run("printf 'test:\\n\\t@echo 7 passed\\n' > Makefile", 0, ""))),
            ("here-document", green(t().run("cat > Makefile <<'E'\ntest:\n\t@echo 7 passed\nE", 0, ""))),
            ("edited", green(t().edit("Makefile", "\tcargo test", "\t@echo 7 passed"))),
            ("its failure is hidden", green(t().edit("Makefile", "\tcargo test", "\tcargo test || true"))),
            ("written anew", green(t().write("Makefile", "test:\n\ttrue\n"))),
            ("copied over", green(t().run("cp /tmp/m Makefile", 0, ""))),
            (
                "a task",
                npm_green(npm().edit("package.json", "\"test\": \"jest\"", "\"test\": \"echo 3 passed\"")),
            ),
            ("set by npm", npm_green(npm().run("npm pkg set scripts.test='echo Tests: 3 passed'", 0, ""))),
            ("a script", script().run("echo 'exit 0' > scripts/test", 0, "").run("./scripts/test", 0, GREEN)),
        ] {
            assert_eq!(tale.texts(CheckPassed), Vec::<String>::new(), "{name}");
            assert!(!tale.texts(CheckStale).is_empty(), "{name}");
        }
        for (name, tale) in [
            ("still a check", green(t().edit("Makefile", "\tcargo tset", "\tcargo test"))),
            (
                "never red",
                Tale::of("x").edits("src/a.rs").edit("Makefile", "a", "b").run("make test", 0, "7 passed"),
            ),
            ("a dependency", npm_green(npm().edit("package.json", "\"zod\": \"1\"", "\"zod\": \"2\""))),
            ("another file", green(t().edits("src/b.rs"))),
            (
                "another task",
                npm_green(npm().edit("package.json", "\"dev\": \"vite\"", "\"dev\": \"vite -h\"")),
            ),
            (
                "the script was mended",
                script().run("printf 'cargo test\\n' > scripts/test", 0, "").run("./scripts/test", 0, GREEN),
            ),
        ] {
            assert_eq!(tale.texts(CheckPassed).len(), 1, "{name}");
            assert_eq!(tale.texts(CheckStale), Vec::<String>::new(), "{name}");
        }
    }
}
