//! Whether a score puts what is true above what is not.

/// Scores closer than this are the same.
const SAME: f64 = 1e-9;

/// The area under the curve: how often a score of something true is above one of something false, equal scores
/// counting half. None without both kinds.
pub fn auc(scored: &[(f64, bool)]) -> Option<f64> {
    let of = |kind: bool| scored.iter().filter(move |(_, label)| *label == kind).map(|(score, _)| *score);
    let mut won = 0.0;
    let mut all = 0.0;
    for good in of(true) {
        for bad in of(false) {
            all += 1.0;
            won += if (good - bad).abs() < SAME { 0.5 } else { f64::from(u8::from(good > bad)) };
        }
    }
    (all > 0.0).then_some(won / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_compared_pair_by_pair() {
        for (scored, area) in [
            (&[(0.9, true), (0.1, false)][..], Some(1.0)),
            (&[(0.1, true), (0.9, false)], Some(0.0)),
            (&[(0.5, true), (0.5, false)], Some(0.5)),
            (&[(0.8, true), (0.4, true), (0.6, false), (0.4, false)], Some(0.625)),
            (&[(0.8, true)], None),
            (&[], None),
        ] {
            assert_eq!(auc(scored), area, "{scored:?}");
        }
    }
}
