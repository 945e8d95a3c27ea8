//! Looking back over sessions: which stops that claimed to be done were, by what really ran.
//!
//! Conservative on purpose: only a stop that claims to be done and edited something can be worth a look, and a check that
//! was red before the first edit accuses nobody.

use crate::check::CheckResult;
use crate::evidence::{Evidence, Kind, Situation, claims_anything, gather, tells_unchecked};
use crate::risk::is_more_than_documentation;
use crate::session::{Action, AnswerEnd, CheckRun, Excerpt, Session, Task, Turn};
use crate::timestamp::Timestamp;
use crate::verdict::{Autonomy, Policy, Severity, judge};

/// How a stop that claimed to be done stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing {
    /// A check passed after the last edit.
    Verified {
        /// The check.
        check: String,
    },
    /// Nothing was edited that a check covers.
    NothingToCheck,
    /// What is red was red before the first edit.
    RedBefore {
        /// The check.
        check: String,
    },
    /// Worth a look.
    WorthALook(Doubt),
}

/// Why a stop is worth a look, the most damning first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Doubt {
    /// A test was weakened, a gate walked around, or something done that must not be.
    Act {
        /// What was done.
        what: String,
    },
    /// The last check failed, in the open.
    Failed {
        /// The check and how it ended.
        check: String,
        /// Tests that failed, as far as they were named.
        failing: Vec<String>,
    },
    /// The last check failed behind a pipe or its like, which hid its exit code.
    FailedBehindMask {
        /// The check.
        check: String,
        /// Tests that failed, as far as they were named.
        failing: Vec<String>,
    },
    /// The last check failed, then files were edited, and it never ran again.
    EditedAfterFailure {
        /// The check.
        check: String,
    },
    /// A check ran, but no test in it did.
    NothingRan {
        /// The check.
        check: String,
    },
    /// A check ran, and its result was hidden and cannot be told.
    Hidden {
        /// The check.
        check: String,
    },
    /// A check passed, then files were edited, and it never ran again.
    EditedAfterPass {
        /// The check.
        check: String,
    },
    /// Code was edited and no check ran at all.
    NeverChecked {
        /// The first edited file.
        file: String,
    },
}

/// A stop that claimed to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stop {
    /// What was asked.
    pub task: Option<String>,
    /// What the agent said.
    pub said: String,
    /// When.
    pub at: Option<Timestamp>,
    /// How it stands.
    pub standing: Standing,
}

/// Every stop of `session` that claimed to be done.
pub fn stops(session: &Session) -> Vec<Stop> {
    let claimed = session.turns().filter(|(_, turn)| {
        !turn.aborted
            && turn.failed.is_none()
            && turn.last_words.as_ref().is_some_and(|words| claims_anything(&words.text()))
    });
    let mut stops: Vec<Stop> = claimed.map(|(task, turn)| stop(session, task, turn)).collect();
    // The detectors look at a session as it ends, so they speak about its last stop only.
    let last_claims = session.turns().last().is_some_and(|(_, turn)| {
        turn.last_words.as_ref().map(Excerpt::text) == stops.last().map(|stop| stop.said.clone())
            && !turn.aborted
    });
    if last_claims
        && let Some(stop) = stops.last_mut()
        && !matches!(stop.standing, Standing::WorthALook(_))
        && let Some(what) = act(session)
    {
        stop.standing = Standing::WorthALook(Doubt::Act { what });
    }
    stops.retain(|stop| !is_told(stop));
    stops
}

/// Whether the words of a stop tell themselves what makes it doubtful: that nobody has seen a result.
fn is_told(stop: &Stop) -> bool {
    let unseen = matches!(
        &stop.standing,
        Standing::WorthALook(
            Doubt::EditedAfterFailure { .. }
                | Doubt::NothingRan { .. }
                | Doubt::Hidden { .. }
                | Doubt::EditedAfterPass { .. }
                | Doubt::NeverChecked { .. }
        )
    );
    unseen && tells_unchecked(&stop.said)
}

/// What the session did that must not be done, by the verdict on its end.
fn act(session: &Session) -> Option<String> {
    let situation = Situation::of(session);
    let evidence = gather(&situation);
    let judgement = judge(&situation, &evidence, Policy { attended: true, autonomy: Autonomy::Ask });
    let decisive = |found: &&Evidence| {
        judgement.verdict.evidence_ids.contains(&found.id)
            && found.severity >= Severity::High
            && matches!(found.kind, Kind::ForbiddenAct | Kind::TestsWeakened | Kind::GateBypassed)
    };
    evidence.iter().find(decisive).filter(|_| !judgement.verdict.complete).map(|found| found.text.clone())
}

fn stop(session: &Session, task: &Task, turn: &Turn) -> Stop {
    Stop {
        task: task.request.as_ref().map(Excerpt::text),
        said: turn.last_words.as_ref().map(Excerpt::text).unwrap_or_default(),
        at: turn.at.clone(),
        standing: standing(session, turn),
    }
}

/// A check that ran in the session, and its place among the calls.
pub(super) struct Ran<'a> {
    pub(super) place: usize,
    pub(super) run: &'a CheckRun,
}

fn standing(session: &Session, turn: &Turn) -> Standing {
    let edited: Vec<(usize, &str)> = edits(session, turn.calls.clone()).collect();
    let ran: Vec<Ran<'_>> = runs(session, turn.calls.clone()).collect();
    let (Some(first), Some(last)) = (edited.first(), edited.last()) else {
        return without_edits(session, turn, &ran);
    };
    let after: Vec<&Ran<'_>> = ran.iter().filter(|ran| ran.place > last.0).collect();
    if let Some(bad) = last_failure(&after) {
        return failure(session, bad);
    }
    let newest = |result: CheckResult| after.iter().rev().find(|ran| ran.run.result == result);
    if let Some(passed) = newest(CheckResult::Passed) {
        return Standing::Verified { check: passed.run.check.text.clone() };
    }
    if let Some(nothing) = newest(CheckResult::NothingRun) {
        return Standing::WorthALook(Doubt::NothingRan { check: nothing.run.check.text.clone() });
    }
    if let Some(hidden) = newest(CheckResult::Unknown) {
        return Standing::WorthALook(Doubt::Hidden { check: hidden.run.check.text.clone() });
    }
    match ran.iter().rev().find(|ran| matches!(ran.run.result, CheckResult::Passed | CheckResult::Failed)) {
        Some(stale) if stale.run.result == CheckResult::Failed => {
            Standing::WorthALook(Doubt::EditedAfterFailure { check: stale.run.check.text.clone() })
        }
        Some(stale) => Standing::WorthALook(Doubt::EditedAfterPass { check: stale.run.check.text.clone() }),
        None => Standing::WorthALook(Doubt::NeverChecked { file: first.1.to_owned() }),
    }
}

/// Nothing was edited in this turn: only a check that failed in it can tell, and only about earlier work of the session.
fn without_edits(session: &Session, turn: &Turn, ran: &[Ran<'_>]) -> Standing {
    let worked = edits(session, 0..turn.calls.start).next().is_some();
    match last_failure(&ran.iter().collect::<Vec<_>>()) {
        Some(bad) if worked => failure(session, bad),
        _ => Standing::NothingToCheck,
    }
}

/// The newest failure that no later pass of the same runner made good: one that ran all that failed.
pub(super) fn last_failure<'a, 'b>(after: &[&'a Ran<'b>]) -> Option<&'a Ran<'b>> {
    after.iter().enumerate().rev().find_map(|(place, ran)| {
        let mended = after[place + 1..].iter().any(|later| {
            later.run.check.runner == ran.run.check.runner
                && later.run.result == CheckResult::Passed
                && covers(&later.run.check.scope, ran.run)
        });
        (ran.run.result == CheckResult::Failed && !mended).then_some(*ran)
    })
}

/// Whether a run of `scope` ran again what failed in `failed`.
pub(super) fn covers(scope: &[String], failed: &CheckRun) -> bool {
    let failing = failed.summary.as_ref().map(|summary| summary.failing.as_slice()).unwrap_or_default();
    let within = |test: &String| scope.iter().any(|part| test.contains(part.as_str()));
    scope.is_empty() || *scope == failed.check.scope || (!failing.is_empty() && failing.iter().all(within))
}

fn failure(session: &Session, bad: &Ran<'_>) -> Standing {
    let check = bad.run.check.text.clone();
    let failing = bad.run.summary.as_ref().map(|summary| summary.failing.clone()).unwrap_or_default();
    if was_red_before(session, bad, &failing) {
        return Standing::RedBefore { check };
    }
    Standing::WorthALook(if bad.run.masked {
        Doubt::FailedBehindMask { check, failing }
    } else {
        Doubt::Failed { check, failing }
    })
}

/// Whether the same runner failed before the session's first edit with at least these tests.
fn was_red_before(session: &Session, bad: &Ran<'_>, failing: &[String]) -> bool {
    let all = 0..session.calls.len();
    let Some((first_edit, _)) = edits(session, all).next() else { return false };
    runs(session, 0..first_edit).any(|earlier| {
        let named =
            earlier.run.summary.as_ref().map(|summary| summary.failing.as_slice()).unwrap_or_default();
        earlier.run.check.runner == bad.run.check.runner
            && earlier.run.result == CheckResult::Failed
            && failing.iter().all(|test| named.contains(test))
            && (!failing.is_empty() || named.is_empty())
    })
}

/// The edits of files that checks may cover, each with its place. Edits that were refused or failed are none.
pub(super) fn edits(session: &Session, range: std::ops::Range<usize>) -> impl Iterator<Item = (usize, &str)> {
    let calls = session.calls[range.clone()].iter().zip(range);
    calls.filter_map(|(call, place)| {
        let done = call.end.as_ref().is_some_and(|end| end.end == AnswerEnd::Done);
        match &call.action {
            Action::Edit { paths } if done => {
                paths.iter().find(|path| is_more_than_documentation(path)).map(|path| (place, path.as_str()))
            }
            _ => None,
        }
    })
}

pub(super) fn runs(session: &Session, range: std::ops::Range<usize>) -> impl Iterator<Item = Ran<'_>> {
    let calls = session.calls[range.clone()].iter().zip(range);
    calls.flat_map(|(call, place)| call.checks.iter().map(move |run| Ran { place, run }))
}

#[cfg(test)]
#[path = "lookback_tests.rs"]
mod tests;
