//! One history, from commits to signals: commits go in oldest first, then the lines of those that are asked for, and
//! signals come out.

use super::book::{Book, Place};
use super::gate::{Case, Failed, gate, span};
use super::landing::Landings;
use super::reason::{Reason, reason};
use super::same_lines::SameLines;
use super::{Kind, Signal};
use crate::experiment::registration::GitHistory;
use crate::history::message::{self, Message, Named, Purpose, Repaired};
use crate::history::patch::Patch;
use crate::history::{Commit, CommitId};

/// The most signals that one commit can be: who takes back more is clearing up, and says so once.
const MOST_A_COMMIT: usize = 100;

/// A history that is being read.
#[derive(Debug)]
pub struct Survey {
    book: Book,
    since: i64,
    fix_within_days: u32,
    drafts: Vec<Draft>,
    reasons: std::collections::BTreeMap<Place, Reason>,
    landings: Landings,
    lines: SameLines,
    in_window: u64,
}

/// A signal whose gate is not known yet.
#[derive(Debug)]
struct Draft {
    place: Place,
    kind: Kind,
    /// What the commit takes back.
    reverts: Option<CommitId>,
    /// What had failed.
    failed: Option<CommitId>,
}

impl Survey {
    /// A survey of a history that has the commits `ancestors`, for signals from `since` on.
    pub fn new(ancestors: Vec<CommitId>, since: Option<i64>, registered: &GitHistory) -> Self {
        Self {
            book: Book::of(ancestors),
            since: since.unwrap_or(i64::MIN),
            fix_within_days: registered.fix_within_days,
            drafts: Vec::new(),
            reasons: std::collections::BTreeMap::new(),
            landings: Landings::default(),
            lines: SameLines::default(),
            in_window: 0,
        }
    }

    /// Takes the next commit: parents come before children.
    pub fn take(&mut self, commit: &Commit) {
        let message = message::read(&commit.subject, &commit.body);
        let place = self.book.enter(commit, &message);
        if commit.committer_time < self.since {
            return;
        }
        self.in_window += 1;
        let before = self.drafts.len();
        self.draft(&message, place);
        if self.drafts.len() > before || matches!(message.purpose, Purpose::Fix(_)) {
            self.reasons.insert(place, reason(&message, &commit.body));
        }
    }

    fn draft(&mut self, message: &Message, place: Place) {
        let mut taken_back = self.book.resolve(&message.takes_back, place);
        taken_back.truncate(MOST_A_COMMIT);
        let brought_back = self.book.resolve(&message.brings_back, place);
        for reverted in &taken_back {
            let (kind, failed) = self.kind_of(message, *reverted);
            self.drafts.push(Draft { place, kind, reverts: Some(*reverted), failed: Some(failed) });
        }
        if !taken_back.is_empty() {
            return;
        }
        let (kind, failed) = match message.purpose {
            Purpose::Reland => (Kind::Reland, brought_back.first().copied()),
            _ if !brought_back.is_empty() => (Kind::Reland, brought_back.first().copied()),
            Purpose::Revert => (Kind::Revert, None),
            Purpose::Rollback => (Kind::Rollback, None),
            Purpose::Fix(_) | Purpose::Other => return,
        };
        self.drafts.push(Draft { place, kind, reverts: None, failed });
    }

    /// Who takes back what was made to take something back brings that back, and who takes that back takes it out again.
    fn kind_of(&self, message: &Message, reverted: CommitId) -> (Kind, CommitId) {
        let place = self.book.place(&reverted);
        let undone = self.drafts.iter().rev().find(|draft| Some(draft.place) == place);
        let first = undone.and_then(|draft| draft.failed).unwrap_or(reverted);
        let kind = match message.purpose {
            Purpose::Rollback => Kind::Rollback,
            _ => Kind::Revert,
        };
        if undone.is_some_and(|draft| draft.kind == Kind::Reland) {
            return (kind, first);
        }
        let takes_back = |purpose: Purpose| matches!(purpose, Purpose::Revert | Purpose::Rollback);
        let of_record = place.and_then(|place| self.book.record(place)).map(|record| record.purpose);
        // Of what is too far back to be in the book, the quoted title tells.
        if of_record.map_or_else(|| quotes_a_revert(message), takes_back) {
            return (Kind::Reland, first);
        }
        if message.purpose == Purpose::Reland && of_record != Some(Purpose::Reland) {
            return (Kind::Reland, reverted);
        }
        (kind, reverted)
    }

    /// After the last commit: the commits whose lines are to be told, in this order.
    pub fn lines_wanted(&mut self) -> Vec<CommitId> {
        self.landings = Landings::of(&self.book);
        self.lines = SameLines::of(&self.book, &self.landings, self.since, self.fix_within_days);
        self.lines.wanted(&self.book)
    }

    /// Takes the lines of one of them.
    pub fn take_lines(&mut self, patch: &Patch) {
        self.lines.take(&self.book, &self.landings, patch);
    }

    /// How many commits were taken of the time that was asked about.
    pub fn commits(&self) -> u64 {
        self.in_window
    }

    /// The signals, oldest first.
    pub fn signals(mut self) -> Vec<Signal> {
        let drafts = std::mem::take(&mut self.drafts);
        let mut placed: Vec<(Place, Signal)> = Vec::new();
        for draft in &drafts {
            if let Some(mut signal) = self.decided(draft, &placed) {
                signal.repeats = self.repeated(draft, &placed);
                placed.push((draft.place, signal));
            }
        }
        let mut fixes: std::collections::BTreeMap<Place, CommitId> = std::collections::BTreeMap::new();
        for repair in std::mem::take(&mut self.lines.repairs) {
            if drafts.iter().any(|draft| draft.place == repair.fix) {
                continue;
            }
            let draft = Draft {
                place: repair.fix,
                kind: Kind::FixAfterMerge,
                reverts: None,
                failed: self.book.record(repair.change).map(|record| record.id),
            };
            if let Some(mut signal) = self.decided(&draft, &[]) {
                let copied = self.book.record(repair.fix).and_then(|record| record.copy_of);
                let original = copied.and_then(|original| fixes.get(&original).copied());
                signal.repeats = original;
                fixes.entry(copied.unwrap_or(repair.fix)).or_insert(signal.commit);
                let after = self.landings.time(&self.book, repair.fix)
                    - self.landings.time(&self.book, repair.change);
                let after = span(after);
                let touched = match repair.lines {
                    0 => format!("{after} after it landed, by a fix that names it"),
                    1 => format!(
                        "{after} after it landed, a line that it had added to {} changed",
                        repair.path
                    ),
                    lines => format!(
                        "{after} after it landed, {lines} lines that it had added to {} changed",
                        repair.path
                    ),
                };
                signal.evidence = format!("{}; {touched}", signal.evidence);
                placed.push((repair.fix, signal));
            }
        }
        placed.sort_by_key(|(place, _)| *place);
        placed.into_iter().map(|(_, signal)| signal).collect()
    }

    /// The signal that tells the same: the same was done to the same commit, with nothing in between that undid it; or it
    /// came in with this merge, which only speaks of it.
    fn repeated(&self, draft: &Draft, earlier: &[(Place, Signal)]) -> Option<CommitId> {
        let brings_back = |kind: Kind| kind == Kind::Reland;
        if draft.failed.is_some() {
            let last = earlier.iter().rev().find(|(_, signal)| signal.failed == draft.failed);
            return last
                .filter(|(_, signal)| brings_back(signal.kind) == brings_back(draft.kind))
                .map(|(_, signal)| signal.repeats.unwrap_or(signal.commit));
        }
        let is_merge = self.book.record(draft.place).is_some_and(|record| record.is_merge);
        let landed_with = earlier.iter().rev().filter(|_| is_merge).find(|(place, signal)| {
            *place != draft.place
                && self.landings.order(*place) == self.landings.order(draft.place)
                && brings_back(signal.kind) == brings_back(draft.kind)
        });
        landed_with.map(|(_, signal)| signal.repeats.unwrap_or(signal.commit))
    }

    fn decided(&self, draft: &Draft, earlier: &[(Place, Signal)]) -> Option<Signal> {
        let record = self.book.record(draft.place)?;
        let undone = earlier.iter().rev().find(|(_, signal)| {
            Some(signal.commit) == draft.reverts || (draft.reverts.is_none() && signal.failed == draft.failed)
        });
        let (gate, evidence) = match undone.filter(|_| draft.kind == Kind::Reland && draft.failed.is_some()) {
            // Why the first landing failed, the commit that took it back knew best.
            Some((_, revert)) => {
                (revert.gate, format!("as when {} took it back: {}", revert.commit, revert.evidence))
            }
            None => gate(&Case {
                reason: self.reasons.get(&draft.place).unwrap_or(&Reason::default()),
                repairs_a_check: record.purpose == Purpose::Fix(Repaired::Checks)
                    || (draft.kind == Kind::FixAfterMerge && record.shape.only_checks()),
                repair_has_tests: record.shape.tests > 0,
                failed: self.failed(draft),
            }),
        };
        Some(Signal {
            commit: record.id,
            kind: draft.kind,
            reverts: draft.reverts,
            failed: draft.failed,
            repeats: None,
            gate,
            evidence,
        })
    }

    fn failed(&self, draft: &Draft) -> Option<Failed> {
        let place = self.book.place(&draft.failed?)?;
        let shape = self.book.record(place)?.shape;
        Some(Failed {
            never_landed: self.landings.together(&self.book, place, draft.place),
            after: self.landings.time(&self.book, draft.place) - self.landings.time(&self.book, place),
            files: shape.files,
            only_checks: shape.only_checks(),
            has_tests: shape.tests > 0,
        })
    }
}

fn quotes_a_revert(message: &Message) -> bool {
    message.takes_back.iter().any(|named| match named {
        Named::Title(title) => message::read(title, "").purpose == Purpose::Revert,
        Named::Hash(_) | Named::PullRequest(_) | Named::Revision(_) => false,
    })
}
