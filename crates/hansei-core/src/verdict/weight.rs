//! How much a piece of evidence speaks against a task being complete, and what to do about it: `kinds.tsv`. Evidence of one
//! kind counts once; independent kinds multiply.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::Severity;
use crate::evidence::{Evidence, Kind};
use crate::tables::named;

/// The share of tasks that are not complete although nothing speaks against it.
const UNSEEN: f64 = 0.06;

/// A row of the table.
struct Row {
    /// By a low, a medium and a high severity.
    weights: [f64; 3],
    /// Where another check passed, and where it was red before.
    beside_green: Option<f64>,
    beside_red: Option<f64>,
    about_code: bool,
    next: &'static str,
}

static KINDS: LazyLock<BTreeMap<Kind, Row>> = LazyLock::new(|| {
    include_str!("kinds.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

fn row(line: &'static str) -> Option<(Kind, Row)> {
    let [kind, low, medium, high, green, red, about, next] =
        line.split('\t').collect::<Vec<_>>().try_into().ok()?;
    let weights = [low.parse().ok()?, medium.parse().ok()?, high.parse().ok()?];
    let (beside_green, beside_red) = (green.parse().ok(), red.parse().ok());
    Some((named(kind)?, Row { weights, beside_green, beside_red, about_code: about == "code", next }))
}

/// The probability that a task is complete, given what was found.
pub(super) fn p_complete(evidence: &[Evidence]) -> f64 {
    let mut kinds: Vec<(Kind, f64)> = Vec::new();
    for found in evidence {
        let weight = weight(found, evidence);
        match kinds.iter_mut().find(|(kind, _)| *kind == found.kind) {
            Some((_, known)) => *known = known.max(weight),
            None => kinds.push((found.kind, weight)),
        }
    }
    kinds.iter().fold(1.0 - UNSEEN, |p, (_, weight)| p * (1.0 - weight))
}

/// How much `found` speaks against the task being complete, beside everything else that was found.
pub(super) fn weight(found: &Evidence, evidence: &[Evidence]) -> f64 {
    let has = |kind: Kind| evidence.iter().any(|other| other.kind == kind);
    let Some(row) = KINDS.get(&found.kind) else { return 0.0 };
    let [low, medium, high] = row.weights;
    let by_severity = match found.severity {
        Severity::None | Severity::Low => low,
        Severity::Medium => medium,
        Severity::High | Severity::Blocker => high,
    };
    let red = row.beside_red.filter(|_| has(Kind::RedBefore));
    let green = row.beside_green.filter(|_| has(Kind::CheckPassed));
    let own = red.or(green).unwrap_or(by_severity);
    // What was never tried is as undone where an answer is due as anywhere else.
    let untried = found.kind == Kind::NothingDone && found.severity >= Severity::High;
    if has(Kind::NoCodeDue) && row.about_code && !untried { own * 0.2 } else { own }
}

/// What to do about evidence of this kind.
pub(super) fn next(kind: Kind) -> Option<&'static str> {
    KINDS.get(&kind).map(|row| row.next).filter(|next| *next != "-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_a_row_and_every_row_is_read() {
        let lines = include_str!("kinds.tsv").lines().filter(|line| !line.starts_with('#'));
        assert_eq!(lines.count(), KINDS.len());
        for kind in Kind::ALL {
            assert!(KINDS.contains_key(kind), "{kind:?}");
        }
    }
}
