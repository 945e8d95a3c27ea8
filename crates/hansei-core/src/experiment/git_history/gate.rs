//! Which gate would have caught a failure: the first, in the order in which a change meets them.
//!
//! The rules are asked in this order, and the first that holds decides.
//!
//! 1. The message that undoes it speaks of a failing check: CI.
//! 2. It never landed, because the request that it came with took it back: the reviewers of that request.
//! 3. What is repaired is a check (the build, a test, a linter's finding): CI.
//! 4. What failed changed nothing but tests or the build: CI runs exactly those.
//! 5. It was undone within half an hour: so soon only a machine, or who pushed it, can have seen it: CI.
//! 6. The message speaks of a judgement (the design, the interface, what was agreed, a mistake in merging): human review.
//! 7. It changed thirty files or more: its size was on the face of the diff: human review.
//! 8. The message speaks of what only showed in use (crashes, speed, data, users, other versions): only self-reflection.
//! 9. The repair brings the test that was missing, and what failed had brought none: no check covered it, and whoever
//!    made it knew: only self-reflection.
//! 10. Otherwise: human review. Nothing says that a reader of the diff could not have seen it, and the third bucket is
//!     not to grow by what is unknown.

use serde::Serialize;

use super::reason::Reason;

/// A gate that stands between a change and its users.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Gate {
    /// Checks that run by themselves.
    Ci,
    /// Somebody who reads the change.
    HumanReview,
    /// Nobody but whoever did the work, on looking back at it.
    OnlySelfReflection,
}

impl Gate {
    /// All of them, in the order in which a change meets them.
    pub const ALL: [Self; 3] = [Self::Ci, Self::HumanReview, Self::OnlySelfReflection];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ci => "ci",
            Self::HumanReview => "human_review",
            Self::OnlySelfReflection => "only_self_reflection",
        }
    }
}

/// So soon after landing, in seconds, that no person was involved but who pushed it.
pub(super) const AT_ONCE: i64 = 30 * 60;
/// So many files that a reader of the diff could have asked for less.
pub(super) const WIDE: u32 = 30;

/// What is known of a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Case<'a> {
    /// What the message says about why.
    pub(super) reason: &'a Reason,
    /// Whether what is repaired is a check.
    pub(super) repairs_a_check: bool,
    /// Whether the repair changes tests too.
    pub(super) repair_has_tests: bool,
    /// What failed, where it is known.
    pub(super) failed: Option<Failed>,
}

/// A change that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Failed {
    /// Whether it landed together with what undid it.
    pub(super) never_landed: bool,
    /// How many seconds after it landed it was undone.
    pub(super) after: i64,
    /// How many files it changed; none where that is unknown.
    pub(super) files: u32,
    /// Whether it changed nothing but tests and the build.
    pub(super) only_checks: bool,
    /// Whether it changed tests.
    pub(super) has_tests: bool,
}

/// The gate that would have caught it, and why.
pub(super) fn gate(case: &Case<'_>) -> (Gate, String) {
    let said = |what: &str, words: &str| format!("{what}: \"{words}\"");
    if let Some(words) = &case.reason.failing_check {
        return (Gate::Ci, said("the message speaks of a failing check", words));
    }
    if case.failed.is_some_and(|failed| failed.never_landed) {
        let evidence = "taken back by what it landed with, so the branch's own gates caught it";
        return (Gate::HumanReview, evidence.to_owned());
    }
    if case.repairs_a_check {
        return (Gate::Ci, "what is repaired is the build, a test or a linter's finding".to_owned());
    }
    if let Some(failed) = case.failed {
        if failed.only_checks {
            return (Gate::Ci, "what failed changed nothing but tests or the build".to_owned());
        }
        if (0..=AT_ONCE).contains(&failed.after) {
            return (Gate::Ci, format!("undone {} after it landed", span(failed.after)));
        }
    }
    if let Some(words) = &case.reason.judgement {
        return (Gate::HumanReview, said("the message speaks of a judgement", words));
    }
    if let Some(failed) = case.failed.filter(|failed| failed.files >= WIDE) {
        return (
            Gate::HumanReview,
            format!("what failed changed {} files: its size was plain to see", failed.files),
        );
    }
    if let Some(words) = &case.reason.in_use {
        return (Gate::OnlySelfReflection, said("the message speaks of what only showed in use", words));
    }
    if let Some(failed) = case.failed
        && case.repair_has_tests
        && failed.files > 0
        && !failed.has_tests
    {
        let evidence =
            format!("{} later the repair brought a test; what failed had brought none", span(failed.after));
        return (Gate::OnlySelfReflection, evidence);
    }
    (Gate::HumanReview, "nothing says that a reader of the diff could not have seen it".to_owned())
}

/// A number of seconds as a person says it.
pub(super) fn span(seconds: i64) -> String {
    let (number, unit) = match seconds.max(0) {
        seconds @ 0..120 => (seconds, "seconds"),
        seconds @ 120..7_200 => (seconds / 60, "minutes"),
        seconds @ 7_200..172_800 => (seconds / 3_600, "hours"),
        seconds => (seconds / 86_400, "days"),
    };
    format!("{number} {unit}")
}
