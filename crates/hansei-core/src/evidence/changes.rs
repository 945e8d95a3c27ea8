//! What a session changed in the tree: by its editing tools, and by commands whose line shows it.
//!
//! Nothing is guessed from output. A command that may change any file, such as `git apply`, is a change without a path.

use std::collections::BTreeSet;

use super::file_world::{ending_of, is_aside, is_test_file, name_of, placed};
use super::git_command::Git;
use super::stream_edits::{How as Does, in_place, writes};
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

/// Everything that changed, in order, and the session's own scratch files, whose changes are left out: it made them, at the
/// top or among the tests, and ran them as programs or took them away again, and nobody had asked for them.
pub(super) fn changes(session: &Session, commands: &[Vec<PlainCommand>]) -> (Vec<Change>, BTreeSet<String>) {
    let root = session.circumstances.cwd.as_deref();
    let mut all: Vec<Change> = Vec::new();
    // Files of the session's own: taking them away again changes nothing.
    let mut own: BTreeSet<String> = BTreeSet::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    let mut gone: BTreeSet<String> = BTreeSet::new();
    let mut committed = false;
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
                used.extend(programs(command).map(|path| placed(path, command.folder.as_deref(), root)));
                committed |= Git::of(command).is_some_and(|git| git.does == "commit");
                if switches(command) && !committed && !says(call, "Already on") {
                    all.push(Change { when, path: None, how: How::Restored });
                }
                for (path, how) in changed_by(command) {
                    let path = path.map(|path| placed(&path, command.folder.as_deref(), root));
                    match (&path, how) {
                        (Some(path), How::Removed) if is_same(&own, path) || is_aside(path) => {
                            gone.extend(own.iter().filter(|own| names_same(own, path)).cloned());
                            continue;
                        }
                        (Some(path), How::Edited) => {
                            let first = seen.insert(path.clone());
                            if !command.writes.is_empty() && first {
                                own.insert(path.clone());
                            }
                        }
                        _ => {}
                    }
                    all.push(Change { when, path, how });
                }
            }
        }
    }
    let asked = |path: &String| {
        let mut requests = session.tasks.iter().filter_map(|task| task.request.as_ref());
        requests.any(|request| request.head.contains(name_of(path)))
    };
    let scratch = |path: &String| used.contains(path) && (!path.contains('/') || is_test_file(path));
    own.retain(|path| gone.contains(path) || scratch(path) && !asked(path));
    // Where the session's folder is not known, one tool says a path from it and another from the root.
    let is_own = |path: &String| {
        own.contains(path)
            || root.is_none()
                && path.starts_with('/')
                && own
                    .iter()
                    .any(|own| path.strip_suffix(own.as_str()).is_some_and(|rest| rest.ends_with('/')))
    };
    all.retain(|change| change.path.as_ref().is_none_or(|path| !is_own(path)));
    // A script that a shell is fed stands before the shell.
    all.sort_by_key(|change| change.when);
    (all, own)
}

/// Whether two paths name one file, where one of them may be seen from a folder that is not known.
fn names_same(own: &str, path: &str) -> bool {
    own == path || own.starts_with('/') && own.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'))
}

fn is_same(own: &BTreeSet<String>, path: &str) -> bool {
    own.iter().any(|own| names_same(own, path))
}

/// The files that a command runs as programs, or makes programs of.
fn programs(command: &PlainCommand) -> impl Iterator<Item = &str> {
    const RUN: &[&str] = &[
        "python", "node", "ruby", "perl", "php", "bash", "sh", "zsh", "deno", "tsx", "ts-node", "bun", "go",
        "java", "javac", "kotlinc", "gcc", "g++", "cc", "clang", "clang++", "rustc", "ghc", "lua", "Rscript",
        "julia", "swift",
    ];
    let name = command.program().trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    let reach = if RUN.contains(&name) { command.words.len() } else { 1 };
    command.words[..reach.min(command.words.len())]
        .iter()
        .map(String::as_str)
        .filter(|word| word.contains('.'))
}

/// Whether the command puts another state of the tree in place of this one: another branch, or a stash that stays away.
fn switches(command: &PlainCommand) -> bool {
    const NEW: &[&str] = &["--create", "--force-create", "--orphan", "--detach"];
    let makes = |git: &Git<'_>| git.has(NEW) || "bBcC".chars().any(|letter| git.has_letter(letter, &[]));
    Git::of(command).is_some_and(|git| git.changes_to().is_some() && !makes(&git))
}

/// Whether the end of a call holds these words.
fn says(call: &Call, words: &str) -> bool {
    call.end.as_ref().is_some_and(|end| end.output.head.contains(words) || end.output.tail.contains(words))
}

/// The files that a command changes, as its words say.
fn changed_by(command: &PlainCommand) -> Vec<(Option<String>, How)> {
    // What is put back in a folder may be any file in it; `find … -exec sed -i … {}` does not say which.
    let named = |path: String, how: How| {
        let file =
            how != How::Restored || !ending_of(&path).is_empty() && !path.ends_with('/') && path != ".";
        ((file && !path.contains("{}")).then_some(path), how)
    };
    let mut changed = Vec::new();
    for write in writes(command, "", "") {
        let (how, to) = match write.how {
            Does::Removes => (How::Removed, None),
            Does::Restores(_) => (How::Restored, None),
            Does::Moves(to) => (How::Edited, Some(to)),
            _ => (How::Edited, None),
        };
        changed.extend([Some(write.path), to].into_iter().flatten().map(|path| named(path, how)));
    }
    let any = match command.program() {
        "sed" | "gsed" | "perl" | "ruby" if changed.is_empty() && in_place(command) => Some(How::Edited),
        "patch" if changed.is_empty() => Some(How::Edited),
        "git" if changed.is_empty() => changes_any(command),
        "npm" if command.word(1) == "pkg" && command.word(2) == "set" => {
            return vec![(Some("package.json".into()), How::Edited)];
        }
        _ => None,
    };
    changed.extend(any.map(|how| (None, how)));
    changed.extend(changed_by_tool(command));
    changed
}

/// How a git command changes files that its words do not name.
fn changes_any(command: &PlainCommand) -> Option<How> {
    let git = Git::of(command)?;
    match git.does {
        "apply" | "am" | "cherry-pick" | "merge" | "pull" | "rebase" | "revert" => {
            (!git.has(&["--abort", "--check", "--stat"])).then_some(How::Edited)
        }
        "reset" => git.has(&["--hard", "--keep", "--merge"]).then_some(How::Restored),
        _ => None,
    }
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
