//! The course of a session as detectors of what was executed see it: its commands, its changes, its checks. Built once for
//! all of them.

use super::changes::{Change, Moment, changes, took_effect};
use super::check_runs::{CheckRuns, Ran};
use super::coverage::covers;
use super::file_world::is_code;
use super::wishes::Wishes;
use super::{Findings, Situation};
use crate::check::{PlainCommand, commands};
use crate::session::{Action, Call};

/// A session, read.
#[derive(Debug)]
pub(super) struct Course<'a> {
    pub(super) situation: &'a Situation<'a>,
    /// The commands of each call, at the call's place.
    pub(super) commands: Vec<Vec<PlainCommand>>,
    pub(super) changes: Vec<Change>,
    pub(super) checks: CheckRuns<'a>,
    pub(super) wishes: Wishes,
}

/// Finds facts of one subject in the course of a session.
pub(super) type CourseDetector = fn(&Course<'_>, &mut Findings);

impl<'a> Course<'a> {
    /// Reads a session.
    pub(super) fn of(situation: &'a Situation<'a>) -> Self {
        let session = situation.session;
        let commands: Vec<Vec<PlainCommand>> = session.calls.iter().map(commands_of).collect();
        let changes = changes(session, &commands);
        let checks = CheckRuns::of(session, &commands, &changes);
        Self { situation, commands, changes, checks, wishes: Wishes::of(session) }
    }

    /// Every command that did something, with the place of its call.
    pub(super) fn effective(&self) -> impl Iterator<Item = (usize, &PlainCommand)> {
        let calls = self.situation.session.calls.iter().zip(&self.commands).enumerate();
        calls
            .filter(|(_, (call, commands))| took_effect(call, commands))
            .flat_map(|(at, (_, commands))| commands.iter().map(move |command| (at, command)))
    }

    /// The folder that the session works in.
    pub(super) fn root(&self) -> Option<&'a str> {
        self.situation.session.circumstances.cwd.as_deref()
    }

    /// Whether `change` is one that `ran` would notice.
    pub(super) fn covers(&self, ran: &Ran<'_>, change: &Change) -> bool {
        covers(&ran.run.check, ran.folder.as_deref(), change, self.root())
    }

    /// The newest change by hand that `ran` covers and that came after it.
    pub(super) fn edited_since(&self, ran: &Ran<'_>) -> Option<&Change> {
        let after = self.changes.partition_point(|change| change.when <= ran.when);
        self.changes[after..].iter().rev().find(|change| change.is_by_hand() && self.covers(ran, change))
    }

    /// The newest change by hand that `ran` covers and that came before it.
    pub(super) fn edited_before(&self, ran: &Ran<'_>) -> Option<&Change> {
        let after = self.changes.partition_point(|change| change.when <= ran.when);
        // Beyond this many a name no longer tells anybody anything.
        self.changes[..after]
            .iter()
            .rev()
            .take(200)
            .find(|change| change.is_by_hand() && self.covers(ran, change))
    }

    /// Where the current task begins.
    pub(super) fn task_start(&self) -> Moment {
        Moment(self.situation.task_calls().start, 0)
    }

    /// Whether the current task changed code.
    pub(super) fn task_changed_code(&self) -> bool {
        let start = self.task_start();
        let after = self.changes.partition_point(|change| change.when < start);
        self.changes[after..]
            .iter()
            .any(|change| change.is_by_hand() && change.path.as_deref().is_none_or(is_code))
    }
}

fn commands_of(call: &Call) -> Vec<PlainCommand> {
    match &call.action {
        Action::Run { command, .. } => commands(command),
        _ => Vec::new(),
    }
}
