//! Whether a score puts what came true above what did not: the area under the ROC curve, and how sure one can be of it.

use crate::number;
use crate::proportion::{Interval, Z_95};
use crate::scores::{Ranked, Sorted};
use crate::undefined::Undefined;

/// The area under the ROC curve: how often a score of something true is above one of something false, equal scores
/// counting half.
pub fn auc(scored: impl IntoIterator<Item = (f64, bool)>) -> Result<f64, Undefined> {
    area(Sorted::of(scored)?.ranked())
}

/// [`auc`] of scores that are in order already. Won pairs are counted in integers, so that nothing is lost to rounding.
pub fn area(ranked: Ranked<'_>) -> Result<f64, Undefined> {
    let pairs = pairs(ranked)?;
    let mut below = 0_u64;
    let mut half_wins = 0_u128;
    for tie in ranked.ties() {
        half_wins += u128::from(tie.positives) * u128::from(2 * below + tie.negatives);
        below += tie.negatives;
    }
    #[allow(clippy::cast_precision_loss, reason = "one rounding at the end")]
    Ok(half_wins as f64 / 2.0 / pairs)
}

/// An area and its standard error after DeLong, DeLong and Clarke-Pearson (1988).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DeLong {
    /// The area under the curve.
    pub auc: f64,
    /// Its standard error.
    pub standard_error: f64,
}

impl DeLong {
    /// The area of `ranked` and its standard error, in one pass over the sorted scores: as Sun and Xu (2014) noted, the
    /// share of the other class that a member beats follows from its rank, and all members of a tie have the same.
    pub fn of(ranked: Ranked<'_>) -> Result<Self, Undefined> {
        let auc = area(ranked)?;
        let (positives, negatives) = (number(ranked.positives()), number(ranked.negatives()));
        if ranked.positives() < 2 || ranked.negatives() < 2 {
            return Err(Undefined::FewerThanTwo);
        }
        let (mut below, mut above) = (0.0, positives);
        let (mut of_positives, mut of_negatives) = (0.0, 0.0);
        for tie in ranked.ties() {
            let (true_here, false_here) = (number(tie.positives), number(tie.negatives));
            above -= true_here;
            let beaten = (below + false_here / 2.0) / negatives;
            let beaten_by = (above + true_here / 2.0) / positives;
            of_positives += true_here * (beaten - auc).powi(2);
            of_negatives += false_here * (beaten_by - auc).powi(2);
            below += false_here;
        }
        let variance =
            of_positives / (positives - 1.0) / positives + of_negatives / (negatives - 1.0) / negatives;
        Ok(Self { auc, standard_error: variance.sqrt() })
    }

    /// The interval of 95 %, cut off at 0 and 1. It has no width where the classes are apart altogether, and where all
    /// scores are the same.
    pub fn interval(self) -> Interval {
        let half = Z_95 * self.standard_error;
        Interval { low: (self.auc - half).max(0.0), high: (self.auc + half).min(1.0) }
    }
}

/// By how much more often `some` of `all` came true than all did.
pub fn lift(some: Ranked<'_>, all: Ranked<'_>) -> Result<f64, Undefined> {
    let base = all.share()?;
    if base == 0.0 {
        return Err(Undefined::OneClass);
    }
    Ok(some.share()? / base)
}

/// How many pairs of something true and something false there are.
fn pairs(ranked: Ranked<'_>) -> Result<f64, Undefined> {
    match (ranked.positives(), ranked.negatives()) {
        (0, 0) => Err(Undefined::Empty),
        (0, _) | (_, 0) => Err(Undefined::OneClass),
        (positives, negatives) => Ok(number(positives) * number(negatives)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_of_small_tables() {
        let inf = f64::INFINITY;
        for (scored, area) in [
            (&[(0.9, true), (0.1, false)][..], Ok(1.0)),
            (&[(0.1, true), (0.9, false)], Ok(0.0)),
            (&[(0.5, true), (0.5, false)], Ok(0.5)),
            (&[(0.8, true), (0.4, true), (0.6, false), (0.4, false)], Ok(0.625)),
            // A billionth apart is apart.
            (&[(0.5 + 1e-9, true), (0.5, false)], Ok(1.0)),
            (&[(inf, true), (1e308, false), (inf, false), (-inf, false)], Ok(2.5 / 3.0)),
            (&[(0.0, true), (-0.0, false)], Ok(0.5)),
            (&[(0.8, true)], Err(Undefined::OneClass)),
            (&[(0.8, false), (0.1, false)], Err(Undefined::OneClass)),
            (&[], Err(Undefined::Empty)),
            (&[(0.5, true), (f64::NAN, false)], Err(Undefined::NotANumber)),
        ] {
            assert_eq!(auc(scored.iter().copied()), area, "{scored:?}");
        }
    }

    /// Worked by hand from the definition. True: 3, 2, 1. False: 2, 0. A true score beats these shares of the false: 1, 3/4,
    /// 1/2, so the area is 3/4 and their sample variance 1/16. A false one is beaten by these shares of the true: 1/2 and 1,
    /// sample variance 1/8. Together (1/16) / 3 + (1/8) / 2 = 1/12.
    #[test]
    fn the_standard_error_follows_its_definition() {
        let sorted = Sorted::of([(3.0, true), (2.0, true), (1.0, true), (2.0, false), (0.0, false)]).unwrap();
        let found = DeLong::of(sorted.ranked()).unwrap();
        assert!((found.auc - 0.75).abs() < 1e-15);
        assert!((found.standard_error - (1.0_f64 / 12.0).sqrt()).abs() < 1e-15, "{found:?}");
        let interval = found.interval();
        assert!((interval.low - 0.184_207_133).abs() < 1e-9, "{interval:?}");
        assert!((interval.high - 1.0).abs() < 1e-15, "{interval:?}");
    }

    #[test]
    fn an_interval_has_no_width_at_the_extremes() {
        for (scored, auc) in [
            (&[(1.0, true), (0.9, true), (0.2, false), (0.1, false)][..], 1.0),
            (&[(0.5, true), (0.5, true), (0.5, false), (0.5, false)], 0.5),
        ] {
            let sorted = Sorted::of(scored.iter().copied()).unwrap();
            let interval = DeLong::of(sorted.ranked()).unwrap().interval();
            assert_eq!(interval, Interval { low: auc, high: auc });
        }
        let one = Sorted::of([(1.0, true), (0.9, false), (0.2, false)]).unwrap();
        assert_eq!(DeLong::of(one.ranked()), Err(Undefined::FewerThanTwo));
    }

    #[test]
    fn lift_is_a_ratio_of_shares() {
        let sorted = Sorted::of([(0.9, true), (0.85, true), (0.8, false), (0.1, false)]).unwrap();
        let all = sorted.ranked();
        let found = lift(all.at_least(0.8), all).unwrap();
        assert!((found - 4.0 / 3.0).abs() < 1e-15, "{found}");
        assert_eq!(lift(all.at_least(0.95), all), Err(Undefined::Empty));
        let wrong = Sorted::of([(0.9, false)]).unwrap();
        assert_eq!(lift(wrong.ranked(), wrong.ranked()), Err(Undefined::OneClass));
    }
}
