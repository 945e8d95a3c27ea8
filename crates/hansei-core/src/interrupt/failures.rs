//! What an agent may be sent back for: which evidence counts, how one set of failures is told from another, and whether
//! there was progress between two of them.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use super::Rules;
use crate::evidence::{Class, Evidence, Kind, may_act};
use crate::verdict::{Autonomy, DecidedBy, Verdict};

/// A set of failures, as far as it can be compared with another.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failures {
    /// Everything the agent is sent back for, each with its kind.
    pub all: BTreeSet<String>,
    /// What failed when it was executed: tests and checks.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub failing: BTreeSet<String>,
    /// Checks that pass.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub passing: BTreeSet<String>,
}

impl Failures {
    /// The set that `grounds` stand for; what passes is taken from all the evidence.
    pub fn of(grounds: &[&Evidence], evidence: &[Evidence], verdict: &Verdict) -> Self {
        let mut failures = Self::default();
        // The same failing tests are the same failures, whatever is said about them this time.
        let executed = grounds.iter().any(|ground| is_act(ground.kind));
        for ground in grounds.iter().filter(|ground| !executed || is_act(ground.kind)) {
            let about = if ground.about.is_empty() { vec![subject(ground)] } else { ground.about.clone() };
            failures.all.extend(about.iter().map(|about| format!("{}:{about}", kind_name(ground.kind))));
            if is_failed_check(ground.kind) {
                failures.failing.extend(ground.about.iter().cloned());
            }
        }
        if grounds.is_empty() {
            failures.all.extend(verdict.missing.iter().map(|missing| format!("model:{missing}")));
        }
        let passed = evidence.iter().filter(|evidence| evidence.kind == Kind::CheckPassed);
        failures.passing.extend(passed.flat_map(|evidence| evidence.about.iter().cloned()));
        failures
    }

    /// The kinds of evidence in it.
    pub fn kinds(&self) -> Vec<Kind> {
        let named = self.all.iter().filter_map(|failure| kind_named(failure.split(':').next()?));
        named.collect::<BTreeSet<Kind>>().into_iter().collect()
    }

    /// Whether this set shows progress since `earlier`: a check that newly passes, or strictly fewer failures.
    pub fn is_progress_since(&self, earlier: &Self) -> bool {
        let newly_passing = self
            .passing
            .iter()
            .any(|check| !earlier.passing.contains(check) && earlier.failing.contains(check));
        let fewer = self.failing.len() < earlier.failing.len() && self.failing.is_subset(&earlier.failing);
        newly_passing || fewer
    }
}

/// The name of a kind in records.
pub fn kind_name(kind: Kind) -> String {
    match serde_json::to_value(kind) {
        Ok(serde_json::Value::String(name)) => name,
        _ => String::new(),
    }
}

/// The kind called `name`.
pub fn kind_named(name: &str) -> Option<Kind> {
    serde_json::from_value(serde_json::Value::from(name)).ok()
}

fn is_failed_check(kind: Kind) -> bool {
    matches!(kind, Kind::CheckFailed | Kind::CheckFailedHidden)
}

/// Whether it was executed and stands by itself: a contradicted claim only says how something else was seen.
fn is_act(kind: Kind) -> bool {
    kind.class() == Class::Executed && kind != Kind::ClaimContradicted
}

/// What a claim is about that names no failure: the command that would settle it, or what speaks against it. In other words
/// it stays the same claim.
fn subject(ground: &Evidence) -> String {
    if !matches!(ground.kind, Kind::ClaimContradicted | Kind::ClaimUnsupported) {
        return String::new();
    }
    let because = || ground.text.rsplit_once("”, but ").map(|(_, because)| because.to_owned());
    ground.settle.clone().or_else(because).unwrap_or_default()
}

/// The evidence without what the user marked wrong in this workspace.
pub fn admissible(evidence: Vec<Evidence>, muted: &BTreeSet<Kind>) -> Vec<Evidence> {
    evidence.into_iter().filter(|evidence| !muted.contains(&evidence.kind)).collect()
}

/// The evidence that the agent may be sent back for, the worst first.
pub(super) fn grounds<'e>(evidence: &'e [Evidence], rules: &Rules) -> Vec<&'e Evidence> {
    let red_before: BTreeSet<&str> = evidence
        .iter()
        .filter(|evidence| evidence.kind == Kind::RedBefore)
        .flat_map(|evidence| evidence.about.iter().map(String::as_str))
        .collect();
    let was_red = |evidence: &Evidence| {
        is_failed_check(evidence.kind)
            && !evidence.about.is_empty()
            && evidence.about.iter().all(|about| red_before.contains(about.as_str()))
    };
    let asks = rules.policy.autonomy == Autonomy::Ask;
    let counts = |evidence: &&Evidence| {
        // What a user marked wrong about a check is not said again by way of a claim about it.
        let by_check = evidence.kind == Kind::ClaimContradicted && !evidence.about.is_empty();
        let left_alone = rules.muted.contains(&evidence.kind)
            || by_check && rules.muted.iter().any(|kind| is_failed_check(*kind))
            || was_red(evidence)
            || asks && evidence.kind == Kind::PermissionSought;
        !left_alone && may_act(evidence, rules.policy.attended)
    };
    let mut grounds: Vec<&Evidence> = evidence.iter().filter(counts).collect();
    grounds.sort_by_key(|ground| std::cmp::Reverse(ground.severity));
    grounds
}

/// Whether a model's opinion alone may send the agent back.
pub(super) fn model_may(verdict: &Verdict, rules: &Rules) -> bool {
    verdict.decided_by == DecidedBy::Model && !rules.policy.attended && !verdict.missing.is_empty()
}
