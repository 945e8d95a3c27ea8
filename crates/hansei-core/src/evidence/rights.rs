//! What each kind of evidence may do, and what that right rests on: the table `rights.tsv`, which `scripts/truth` fills with
//! figures and `hansei doctor --detectors` prints. The decision flow reads the same table, so code and figures cannot part.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use serde::Serialize;

use super::{Evidence, Kind};
use crate::verdict::Severity;

/// A row of the table.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Right {
    /// The kind of evidence.
    pub kind: Kind,
    /// From which severity on it sends an agent back while a person is at the terminal.
    pub attended: Option<Severity>,
    /// The same where nobody is there.
    pub unattended: Option<Severity>,
    /// What the right rests on.
    pub basis: Basis,
    /// The figures, as they stand in the table; empty where nothing was measured yet.
    pub figures: Vec<u32>,
}

/// What a right rests on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Figures on labelled runs and real stops.
    Measured,
    /// It fires too seldom to be measured there; cases written without sight of the rules speak for it.
    Rare,
    /// It has none.
    Note,
}

static TABLE: LazyLock<BTreeMap<Kind, Right>> = LazyLock::new(|| {
    include_str!("rights.tsv").lines().filter_map(row).map(|right| (right.kind, right)).collect()
});

fn row(line: &str) -> Option<Right> {
    let mut fields = line.split('\t').map(str::trim);
    let kind = crate::interrupt::kind_named(fields.next()?)?;
    let severity = |name: &str| serde_json::from_value(serde_json::Value::from(name.to_uppercase())).ok();
    let attended = severity(fields.next()?);
    let unattended = severity(fields.next()?);
    let basis = match fields.next()? {
        "measured" => Basis::Measured,
        "rare" => Basis::Rare,
        _ => Basis::Note,
    };
    Some(Right {
        kind,
        attended,
        unattended,
        basis,
        figures: fields.filter_map(|field| field.parse().ok()).collect(),
    })
}

/// All rows, in the order of the kinds.
pub fn rights() -> impl Iterator<Item = &'static Right> {
    TABLE.values()
}

/// Whether `evidence` may send an agent back.
pub fn may_act(evidence: &Evidence, attended: bool) -> bool {
    let least =
        TABLE.get(&evidence.kind).and_then(|right| if attended { right.attended } else { right.unattended });
    least.is_some_and(|least| evidence.severity >= least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The figures of the table, by name, in their order.
    const COLUMNS: usize = 12;

    #[test]
    fn every_kind_has_a_row_and_every_right_its_figures() {
        let lines = include_str!("rights.tsv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            let right = row(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(right.figures.len(), COLUMNS, "{line}");
            let acts = right.attended.or(right.unattended).is_some();
            assert_eq!(acts, right.basis != Basis::Note, "{line}");
            // Measured means ten firings or more on labelled runs.
            let fires = right.figures[0] + right.figures[2];
            assert_eq!(acts && fires >= 10, right.basis == Basis::Measured, "{line}");
            // Then it fires on one right run in a hundred at most, and three times as often on wrong ones.
            if right.basis == Basis::Measured {
                let [right, of_right, wrong, of_wrong] = right.figures[..4] else { panic!("{line}") };
                assert!(right * 100 <= of_right && wrong * of_right >= 3 * right * of_wrong, "{line}");
            }
        }
        for kind in Kind::ALL {
            assert!(TABLE.contains_key(kind), "{kind:?}");
        }
    }
}
