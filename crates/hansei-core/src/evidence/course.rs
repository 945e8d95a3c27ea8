//! The course of a session as detectors of what was executed see it: its commands, its changes, its checks. Built once for
//! all of them.

use super::base_tree::stash;
use super::bearing::is_whole;
use super::changes::{Change, How, Moment, changes, took_effect};
use super::check_runs::{CheckRuns, Ran};
use super::coverage::{covers, is_about};
use super::file_world::{is_code, placed};
use super::wishes::Wishes;
use super::{Findings, Situation, Touched};
use crate::check::{CheckResult, PlainCommand, commands};
use crate::session::{Action, Call};
use crate::timestamp::Timestamp;

/// How far the clocks of an agent and of a file system may be apart, in nanoseconds.
const CLOCKS: u64 = 2_000_000_000;

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
        let (changes, scratch) = changes(session, &commands);
        let checks = CheckRuns::of(session, &commands, &changes, &scratch);
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

    /// A file that `ran` covers and that the tree shows to have been written after it, in this task, whatever wrote it: unless a
    /// tool that changes no meaning ran since, or a stash was taken out again, which writes files as they were.
    pub(super) fn touched_since(&self, ran: &Ran<'_>) -> Option<&'a Touched> {
        let session = self.situation.session;
        let ended = session.calls[ran.call].end.as_ref()?.at.as_ref()?.unix_nanos()?;
        let begun = self.situation.task()?.at.as_ref().and_then(Timestamp::unix_nanos).unwrap_or_default();
        let after = self.changes.partition_point(|change| change.when <= ran.when);
        let stashed = self.commands[ran.call..].iter().flatten().any(|command| stash(command).is_some());
        if stashed || self.changes[after..].iter().any(|change| !change.is_by_hand()) {
            return None;
        }
        let covered = |touched: &&Touched| {
            let path = Some(placed(&touched.path, None, self.root()));
            self.covers(ran, &Change { when: ran.when, path, how: How::Edited })
        };
        let later = |touched: &&Touched| {
            touched.at.unix_nanos().is_some_and(|at| at > ended.max(begun).saturating_add(CLOCKS))
        };
        self.situation.touched.iter().filter(later).find(covered)
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

    /// The newest green run of everything before the narrower one at `place`, if whatever was edited since, and it covers,
    /// passed in narrower runs about those very files: it counts as if it were green now.
    pub(super) fn still_whole(&self, place: usize) -> Option<&Ran<'a>> {
        let runs = &self.checks.runs;
        let same = |ran: &&Ran<'_>| {
            CheckRuns::same(ran, &runs[place]) && ran.folder == runs[place].folder && !ran.at_base
        };
        let at = runs[..place].iter().rposition(|ran| same(&ran) && is_whole(&ran.run.check))?;
        let since = || runs[at + 1..=place].iter().filter(same);
        let shown = |change: &Change| {
            let path = change.path.as_deref();
            since().any(|ran| {
                ran.when > change.when
                    && ran.result == CheckResult::Passed
                    && path.is_some_and(|path| is_about(&ran.run.check, ran.folder.as_deref(), path))
            })
        };
        let whole = &runs[at];
        let after = self.changes.partition_point(|change| change.when <= whole.when);
        let mut edits =
            self.changes[after..].iter().filter(|change| change.is_by_hand() && self.covers(whole, change));
        let green =
            whole.result == CheckResult::Passed && !since().any(|ran| ran.result == CheckResult::Failed);
        (green && !is_whole(&runs[place].run.check) && edits.all(shown)).then_some(whole)
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
