//! When and where the tree was as it had been before the session's edits, so that a check there tells about the past.

use super::changes::{Moment, took_effect};
use super::file_world::{is_within, placed};
use crate::check::PlainCommand;
use crate::session::Session;

/// When the tree was as it had been before the session's edits: while they were stashed, and in work trees beside it.
#[derive(Debug, Default)]
pub(super) struct Base {
    stashed: Vec<(Moment, Option<Moment>)>,
    trees: Vec<String>,
}

impl Base {
    /// Reads when.
    pub(super) fn of(session: &Session, commands: &[Vec<PlainCommand>]) -> Self {
        let mut base = Self::default();
        let root = session.circumstances.cwd.as_deref();
        for (at, (call, commands)) in session.calls.iter().zip(commands).enumerate() {
            for command in commands.iter().filter(|command| command.program() == "git") {
                if !took_effect(call, commands) {
                    break;
                }
                let when = Moment::behind_checks(at, command.checks_before);
                match (command.word(1), stash(command)) {
                    (_, Some(Stash::Away)) if base.stashed.last().is_none_or(|(_, end)| end.is_some()) => {
                        base.stashed.push((when, None));
                    }
                    (_, Some(Stash::Back)) => {
                        if let Some((_, end)) = base.stashed.last_mut() {
                            end.get_or_insert(when);
                        }
                    }
                    ("worktree", _) if command.word(2) == "add" => {
                        let path = command.words[3..].iter().find(|word| word.contains('/'));
                        base.trees.extend(path.map(|path| placed(path, command.folder.as_deref(), root)));
                    }
                    _ => {}
                }
            }
        }
        base
    }

    /// Whether a check that ran then and there ran on that tree.
    pub(super) fn holds(&self, when: Moment, folder: Option<&str>) -> bool {
        let before = self.stashed.partition_point(|(start, _)| *start <= when);
        let stashed = before > 0 && self.stashed[before - 1].1.is_none_or(|end| when < end);
        stashed || folder.is_some_and(|folder| self.trees.iter().any(|tree| is_within(folder, tree)))
    }
}

/// What `git stash` does with the edits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stash {
    Away,
    Back,
}

/// What `command` does, if it is `git stash`.
pub(super) fn stash(command: &PlainCommand) -> Option<Stash> {
    if command.program() != "git" || command.word(1) != "stash" {
        return None;
    }
    match command.word(2) {
        "pop" | "apply" | "branch" => Some(Stash::Back),
        "list" | "show" | "drop" | "clear" | "create" | "store" => None,
        _ => Some(Stash::Away),
    }
}
