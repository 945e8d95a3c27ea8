//! Orders stops by how likely they are done: log-odds of a few features, each with its reason, in `ordering.tsv`. It orders
//! and promises nothing; how long a session was is none of them. What decides a verdict is the evidence alone.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::{Judgement, Pause, Standing};
use crate::evidence::{Evidence, Kind, Shape, may_act};

/// A row of the table: the coefficient, and what the feature is for an average run.
struct Row {
    coefficient: f64,
    centre: f64,
}

static TABLE: LazyLock<BTreeMap<&'static str, Row>> = LazyLock::new(|| {
    include_str!("ordering.tsv").lines().filter(|line| !line.starts_with('#')).filter_map(row).collect()
});

fn row(line: &'static str) -> Option<(&'static str, Row)> {
    let mut fields = line.split('\t');
    let name = fields.next()?;
    let mut figure = || fields.next()?.parse().ok();
    Some((name, Row { coefficient: figure()?, centre: figure()? }))
}

fn part(name: &str, value: f64) -> f64 {
    TABLE.get(name).map_or(0.0, |row| row.coefficient * (value - row.centre))
}

impl Judgement {
    /// The same judgement, with its place in the order. A shape that is not known moves nothing.
    #[must_use]
    pub fn ordered(mut self, evidence: &[Evidence], shape: Option<&Shape>) -> Self {
        let mut acting: Vec<Kind> =
            evidence.iter().filter(|found| may_act(found, false)).map(|found| found.kind).collect();
        acting.sort_unstable();
        acting.dedup();
        let mut odds = part("base", 1.0);
        if !acting.is_empty() {
            odds += part("first", 1.0);
        } else if matches!(self.standing, Standing::Paused(Pause::BlockedOnHuman | Pause::WaitingForUser)) {
            odds += part("waiting", 1.0);
        }
        if acting.len() > 1 {
            odds += part("further", 1.0);
        }
        for (name, value) in shape.iter().flat_map(|shape| shape.features()) {
            odds += part(name, value);
        }
        let p = 1.0 / (1.0 + (-odds).exp());
        self.p_complete = (p * 1000.0).round() / 1000.0;
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signs that sense forbids are no matter of figures.
    #[test]
    fn every_feature_is_in_the_table_and_points_where_sense_says() {
        let signs = [("base", 1.0), ("first", -1.0), ("further", -1.0), ("waiting", -1.0)];
        let of_shape = Shape::default()
            .features()
            .map(|(name, _)| (name, if matches!(name, "one_file" | "named") { 1.0 } else { -1.0 }));
        let all: Vec<(&str, f64)> = signs.into_iter().chain(of_shape).collect();
        for (name, sign) in &all {
            let row = TABLE.get(name).unwrap_or_else(|| panic!("{name}"));
            assert!(row.coefficient * sign >= 0.0, "{name}");
        }
        assert_eq!(TABLE.len(), all.len());
        for line in include_str!("ordering.tsv").lines().filter(|line| !line.starts_with('#')) {
            assert_eq!(line.split('\t').count(), 4, "{line}");
        }
    }
}
