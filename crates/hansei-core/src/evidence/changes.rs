//! What a session changed in the tree: by its editing tools, and by commands whose line shows it.
//!
//! Nothing is guessed from output. A command that may change any file, such as `git apply`, is a change without a path.

use std::collections::BTreeSet;

use super::file_world::{World, ending_of, is_aside, placed, world_of};
use crate::check::PlainCommand;
use crate::session::{Action, AnswerEnd, Call, Session};

/// A moment in a session: the call, and the place within its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Moment(pub(super) usize, pub(super) usize);

impl Moment {
    /// When the check with this number in its line ran.
    pub(super) fn of_check(call: usize, number: usize) -> Self {
        Self(call, 2 * number + 1)
    }

    /// When a command that stands behind so many checks ran.
    pub(super) fn behind_checks(call: usize, checks: usize) -> Self {
        Self(call, 2 * checks)
    }
}

/// A change of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Change {
    pub(super) when: Moment,
    /// The file, seen from the session's folder; none when any may have changed.
    pub(super) path: Option<String>,
    pub(super) how: How,
}

/// How a file was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// By hand: what it says may be anything.
    Edited,
    /// It is gone.
    Removed,
    /// It was put back to what git knows.
    Restored,
    /// A tool repaired or generated it.
    Generated,
    /// A tool changed its layout only.
    Formatted,
}

impl Change {
    /// Whether somebody decided what the file says now.
    pub(super) fn is_by_hand(&self) -> bool {
        matches!(self.how, How::Edited | How::Removed | How::Restored)
    }
}

/// Whether a call did something, as far as its end tells.
pub(super) fn took_effect(call: &Call, commands: &[PlainCommand]) -> bool {
    let Some(end) = &call.end else { return false };
    match end.end {
        AnswerEnd::Done | AnswerEnd::Background => {
            end.exit_code.is_none_or(|code| code == 0) || commands.len() > 1
        }
        // Of several commands the failing one need not be this one.
        AnswerEnd::Failed => commands.len() > 1,
        AnswerEnd::Denied | AnswerEnd::Interrupted => false,
    }
}

/// Everything that changed, in order.
pub(super) fn changes(session: &Session, commands: &[Vec<PlainCommand>]) -> Vec<Change> {
    let root = session.circumstances.cwd.as_deref();
    let mut all: Vec<Change> = Vec::new();
    // Files of the session's own: taking them away again changes nothing.
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (at, call) in session.calls.iter().enumerate() {
        let commands = commands.get(at).map_or(&[][..], Vec::as_slice);
        if let Action::Edit { paths } = &call.action {
            if call.end.as_ref().is_none_or(|end| end.end != AnswerEnd::Done) {
                continue;
            }
            for path in paths {
                let path = placed(path, None, root);
                let first = seen.insert(path.clone());
                if first && call.wrote.as_ref().is_some_and(|wrote| wrote.whole) {
                    own.insert(path.clone());
                }
                all.push(Change { when: Moment(at, 0), path: Some(path), how: How::Edited });
            }
        } else if took_effect(call, commands) {
            for command in commands {
                let when = Moment::behind_checks(at, command.checks_before);
                for (path, how) in changed_by(command) {
                    let path = path.map(|path| placed(&path, command.folder.as_deref(), root));
                    match (&path, how) {
                        (Some(path), How::Removed) if own.contains(path) || is_aside(path) => continue,
                        (Some(path), How::Edited) if !command.writes.is_empty() => {
                            own.insert(path.clone());
                        }
                        _ => {}
                    }
                    all.push(Change { when, path, how });
                }
            }
        }
    }
    // A script that a shell is fed stands before the shell.
    all.sort_by_key(|change| change.when);
    all
}

/// The files that a command changes, as its words say.
fn changed_by(command: &PlainCommand) -> Vec<(Option<String>, How)> {
    let mut changed: Vec<(Option<String>, How)> = command
        .writes
        .iter()
        .filter(|path| !path.starts_with("/dev/"))
        .map(|path| (Some(path.clone()), How::Edited))
        .collect();
    let operands: Vec<&String> = command.arguments().iter().filter(|word| !word.starts_with('-')).collect();
    let mut each = |paths: &[&String], how: How| {
        // `find … -exec sed -i … {}` and `xargs sed -i …` do not say which.
        let unnamed = paths.is_empty() || paths.iter().any(|path| path.contains("{}"));
        if unnamed {
            changed.push((None, how));
        } else {
            changed.extend(paths.iter().map(|path| (Some((*path).clone()), how)));
        }
    };
    match command.program() {
        "sed" | "gsed" if edits_in_place(command) => {
            let script = usize::from(!command.has(&["-e", "-f", "--expression", "--file"]));
            each(operands.get(script..).unwrap_or_default(), How::Edited);
        }
        "perl" | "ruby" if edits_in_place(command) => {
            each(operands.get(1..).unwrap_or_default(), How::Edited);
        }
        "tee" | "truncate" | "sponge" if !operands.is_empty() => each(&operands, How::Edited),
        "mv" if operands.len() > 1 => each(&operands, How::Edited),
        "cp" | "install" if operands.len() > 1 => each(&operands[operands.len() - 1..], How::Edited),
        "rm" | "unlink" if !operands.is_empty() => each(&operands, How::Removed),
        "patch" => each(&[], How::Edited),
        "git" => changed.extend(changed_by_git(command)),
        "python" | "python3" | "node" | "ruby" | "perl" => changed.extend(changed_by_script(command)),
        _ => changed.extend(changed_by_tool(command)),
    }
    changed
}

fn edits_in_place(command: &PlainCommand) -> bool {
    command.arguments().iter().any(|word| {
        word == "--in-place"
            || word.starts_with("--in-place=")
            || (word.starts_with('-')
                && !word.starts_with("--")
                && !word.starts_with("-M")
                && word.contains('i'))
    })
}

fn changed_by_git(command: &PlainCommand) -> Vec<(Option<String>, How)> {
    let words = command.arguments();
    let Some(at) = words.iter().position(|word| !word.starts_with('-')) else { return Vec::new() };
    let rest = &words[at + 1..];
    let paths = || rest.iter().filter(|word| !word.starts_with('-')).cloned();
    let named = |how: How| paths().map(|path| (Some(path), how)).collect::<Vec<_>>();
    let any = |how: How| vec![(None, how)];
    match words[at].as_str() {
        "rm" => named(How::Removed),
        "mv" => named(How::Edited),
        "restore" if !rest.iter().any(|word| word == "--staged") => named(How::Restored),
        "checkout" => match rest.iter().position(|word| word == "--") {
            Some(at) => rest[at + 1..].iter().map(|path| (Some(path.clone()), How::Restored)).collect(),
            // A word with an ending is a file, one without a branch.
            None => paths()
                .filter(|word| word == "." || matches!(world_of(word), World::Of(_)))
                .map(|path| (Some(path), How::Restored))
                .collect(),
        },
        "apply" | "am" | "cherry-pick" | "merge" | "pull" | "rebase" | "revert"
            if !rest.iter().any(|word| matches!(word.as_str(), "--abort" | "--check" | "--stat")) =>
        {
            any(How::Edited)
        }
        "reset" if rest.iter().any(|word| word == "--hard") => any(How::Restored),
        _ => Vec::new(),
    }
}

/// A script that is handed to an interpreter and writes: the source files that stand in it by name.
fn changed_by_script(command: &PlainCommand) -> Vec<(Option<String>, How)> {
    let inline = command
        .arguments()
        .windows(2)
        .find(|pair| matches!(pair[0].as_str(), "-c" | "-e"))
        .map(|pair| &pair[1]);
    let Some(script) = command.fed.as_ref().or(inline) else { return Vec::new() };
    let writes = ["'w'", "\"w\"", "'a'", "\"a\"", "write_text", "writeFile", "File.write", "write_bytes"];
    if !writes.iter().any(|mark| script.contains(mark)) {
        return Vec::new();
    }
    script
        .split(['"', '\'', '`'])
        .skip(1)
        .step_by(2)
        .filter(|text| text.len() < 200 && !text.contains(char::is_whitespace))
        .filter(|text| matches!(world_of(text), World::Of(_)) && ending_of(text) != *text)
        .map(|path| (Some(path.to_owned()), How::Edited))
        .collect()
}

/// Formatters, repairs and generators.
fn changed_by_tool(command: &PlainCommand) -> Vec<(Option<String>, How)> {
    let program = command.program();
    let first = command.word(1);
    let checks_only = command.has(&[
        "--check", "--diff", "-c", "-l", "--list-different", "--dry-run", "--verify-no-changes", "-check",
        "--check-only", "--check-formatted", "-d", "--test",
    ]);
    let formats = match program {
        "prettier" => command.has(&["--write", "-w"]),
        "black" | "isort" | "rustfmt" | "gofmt" | "goimports" | "gofumpt" | "autopep8" | "yapf"
        | "clang-format" | "shfmt" | "pint" | "swiftformat" | "ktlint" | "stylua" | "dprint" | "taplo" => {
            true
        }
        "ruff" | "biome" | "dart" | "mix" | "dotnet" => first == "format",
        "cargo" | "deno" | "terraform" | "go" => first == "fmt",
        "npm" | "pnpm" | "yarn" | "bun" | "make" | "just" => {
            command.arguments().iter().any(|word| matches!(word.as_str(), "format" | "fmt" | "prettier"))
        }
        _ => false,
    };
    if formats {
        return if checks_only { Vec::new() } else { vec![(None, How::Formatted)] };
    }
    let repairs = command.has(&["--fix", "--write", "--apply", "--autocorrect", "--auto-correct"])
        && !matches!(program, "npm" | "git");
    let generates = match program {
        "go" | "prisma" | "buf" | "drizzle-kit" | "openapi-generator" | "alembic" => first.starts_with("gen"),
        "protoc" | "sqlc" | "graphql-codegen" => true,
        "npm" | "pnpm" | "yarn" | "make" | "just" => {
            command.arguments().iter().any(|word| matches!(word.as_str(), "codegen" | "generate" | "gen"))
        }
        _ => false,
    };
    if repairs || generates { vec![(None, How::Generated)] } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::commands;

    fn read(line: &str) -> Vec<(String, How)> {
        commands(line)
            .iter()
            .flat_map(changed_by)
            .map(|(path, how)| (path.unwrap_or_else(|| "*".into()), how))
            .collect()
    }

    #[test]
    fn lines_that_change_files() {
        for (line, path, how) in [
            ("sed -i 's/a/b/' src/a.rs", "src/a.rs", How::Edited),
            ("sed -i '' -e 's/a/b/' src/a.rs", "src/a.rs", How::Edited),
            ("perl -pi -e 's/a/b/' x.py", "x.py", How::Edited),
            ("echo hi > a.js", "a.js", How::Edited),
            ("cat > src/x.go <<'EOF'\npackage x\nEOF", "src/x.go", How::Edited),
            ("cat a | tee b.py", "b.py", How::Edited),
            ("mv a.py b.py", "a.py", How::Edited),
            ("sudo rm -f tests/a.py", "tests/a.py", How::Removed),
            ("git rm tests/a.py", "tests/a.py", How::Removed),
            ("git checkout -- src/a.rs", "src/a.rs", How::Restored),
            ("git checkout src/a.rs", "src/a.rs", How::Restored),
            ("git restore src/a.rs", "src/a.rs", How::Restored),
            ("git apply fix.patch", "*", How::Edited),
            ("grep -rl x src | xargs sed -i 's/x/y/'", "*", How::Edited),
            ("bash -c 'sed -i s/a/b/ q.rb'", "q.rb", How::Edited),
            ("python3 - <<'EOF'\np='src/a.rs'\nopen(p,'w').write('')\nEOF", "src/a.rs", How::Edited),
            ("npx prettier --write .", "*", How::Formatted),
            ("cargo fmt --all", "*", How::Formatted),
            ("npx eslint --fix src", "*", How::Generated),
            ("cargo clippy --fix --allow-dirty", "*", How::Generated),
            ("go generate ./...", "*", How::Generated),
        ] {
            assert!(read(line).contains(&(path.to_owned(), how)), "{line}: {:?}", read(line));
        }
    }

    #[test]
    fn lines_that_change_nothing() {
        for line in [
            "sed -n 1,5p a.rs",
            "cargo test > /dev/null 2>&1",
            "cargo fmt --check",
            "npx prettier --check .",
            "git checkout main",
            "git restore --staged a.rs",
            "git status",
            "python3 - <<'EOF'\nprint(open('a.py').read())\nEOF",
            "grep -i x a.rs",
            "ls -i",
            "git apply --check x.patch",
        ] {
            assert_eq!(read(line), [], "{line}");
        }
    }
}
