//! Whether a probability means what it says: the Brier score, bins of probabilities beside what came true, and how far
//! the two are apart.

use crate::normal::mean_size;
use crate::number;
use crate::proportion::{Interval, wilson_of_many};
use crate::scores::{Ranked, Tie};
use crate::undefined::Undefined;

/// How many bins probabilities are put into.
pub const BINS: u64 = 10;

/// Probabilities near one another, and what came of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bin {
    /// Where it begins: an edge of bins of equal width, the lowest probability in one of equal mass.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How many there are.
    pub count: u64,
    /// How many of them came true.
    pub positives: u64,
    /// The sum of the probabilities.
    sum: f64,
}

impl Bin {
    fn empty(low: f64, high: f64) -> Self {
        Self { low, high, count: 0, positives: 0, sum: 0.0 }
    }

    fn add(&mut self, tie: &Tie) {
        self.count += tie.count();
        self.positives += tie.positives;
        self.sum += tie.score * number(tie.count());
    }

    /// The mean probability; none in an empty bin.
    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / number(self.count))
    }

    /// The share that came true; none in an empty bin.
    pub fn share(&self) -> Option<f64> {
        (self.count > 0).then(|| number(self.positives) / number(self.count))
    }

    /// The interval of that share.
    pub fn interval(&self) -> Interval {
        wilson_of_many(self.positives, self.count)
    }

    /// By how much the mean probability is above the share that came true, as part of `all`.
    fn weighted_gap(&self, all: u64) -> f64 {
        (self.sum - number(self.positives)) / number(all)
    }
}

/// Ten bins of equal width. Each holds its lower edge and not its upper one, but for the last, which holds 1.
pub fn equal_width(ranked: Ranked<'_>) -> Result<Vec<Bin>, Undefined> {
    let width = number(BINS);
    let mut bins: Vec<Bin> =
        (0..BINS).map(|bin| Bin::empty(number(bin) / width, number(bin + 1) / width)).collect();
    for tie in ranked.probabilities()?.ties() {
        if let Some(bin) = bins.get_mut(tenth(tie.score)) {
            bin.add(&tie);
        }
    }
    if ranked.count() == 0 { Err(Undefined::Empty) } else { Ok(bins) }
}

/// At most ten bins of equal mass. Equal probabilities stay together, in the tenth where the first of them stands; a tenth
/// in which none begins has no bin.
pub fn equal_mass(ranked: Ranked<'_>) -> Result<Vec<Bin>, Undefined> {
    let all = ranked.count();
    let mut bins: Vec<Bin> = Vec::new();
    let (mut before, mut current) = (0, None);
    for tie in ranked.probabilities()?.ties() {
        let tenth = BINS * before / all;
        if current != Some(tenth) {
            bins.push(Bin::empty(tie.score, tie.score));
            current = Some(tenth);
        }
        if let Some(bin) = bins.last_mut() {
            bin.high = tie.score;
            bin.add(&tie);
        }
        before += tie.count();
    }
    if bins.is_empty() { Err(Undefined::Empty) } else { Ok(bins) }
}

/// The expected calibration error: by how much, on average, a probability is off the share that came true among those in
/// its bin. Without a bin that holds anything, 0.
pub fn expected_error(bins: &[Bin]) -> f64 {
    let all = count(bins);
    bins.iter().filter(|bin| bin.count > 0).map(|bin| bin.weighted_gap(all).abs()).sum()
}

/// By how much [`expected_error`] overstates, because a share of few is off by chance and an error has no sign.
///
/// It is the bias of the plug-in estimate if each bin's gap were normal around the observed one with the variance of its
/// share, as Kumar, Liang and Ma (2019) draw it; here its mean is taken in closed form (a folded normal) and not by lot.
/// Subtracted from the plug-in it gives their debiased estimate. In a bin where all or none came true that variance is 0,
/// and so is the correction.
pub fn bias(bins: &[Bin]) -> f64 {
    let all = count(bins);
    let overstated = |bin: &Bin| {
        let share = bin.share()?;
        let deviation = (share * (1.0 - share) / number(bin.count)).sqrt() * number(bin.count) / number(all);
        let gap = bin.weighted_gap(all);
        Some(mean_size(gap, deviation) - gap.abs())
    };
    bins.iter().filter_map(overstated).sum()
}

/// The Brier score: the mean squared distance of a probability from what came of it, 1 or 0.
pub fn brier(ranked: Ranked<'_>) -> Result<f64, Undefined> {
    let squares = |tie: Tie| {
        number(tie.positives) * (1.0 - tie.score).powi(2) + number(tie.negatives) * tie.score.powi(2)
    };
    mean(ranked, squares)
}

/// By how much probabilities are above what came true, on average over all: below 0 where they are too modest.
pub fn overconfidence(ranked: Ranked<'_>) -> Result<f64, Undefined> {
    mean(ranked, |tie| tie.score * number(tie.count()) - number(tie.positives))
}

fn mean(ranked: Ranked<'_>, part: impl Fn(Tie) -> f64) -> Result<f64, Undefined> {
    let sum: f64 = ranked.probabilities()?.ties().map(part).sum();
    if ranked.count() == 0 { Err(Undefined::Empty) } else { Ok(sum / number(ranked.count())) }
}

fn count(bins: &[Bin]) -> u64 {
    bins.iter().map(|bin| bin.count).sum()
}

/// The tenth of a probability.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a probability becomes its bin")]
fn tenth(probability: f64) -> usize {
    ((probability * number(BINS)) as usize).min(BINS as usize - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scores::Sorted;

    fn sorted(scored: &[(f64, bool)]) -> Sorted {
        Sorted::of(scored.iter().copied()).unwrap()
    }

    #[test]
    fn a_bin_is_off_by_what_its_share_differs() {
        for (predicted, error) in [
            (&[(1.0, true), (0.0, false)][..], 0.0),
            (&[(1.0, false), (0.0, true)], 1.0),
            // Two near 0.8, of which one came true: 0.3 off; one at 0.25 that did not: 0.25 off.
            (&[(0.8, true), (0.8, false), (0.25, false)], (0.6 + 0.25) / 3.0),
            // Within one bin, errors in opposite directions cancel.
            (&[(0.55, true), (0.55, false)], 0.05),
            // An edge belongs to the bin above it.
            (&[(0.3, false), (0.25, true)], 0.525),
        ] {
            let found = expected_error(&equal_width(sorted(predicted).ranked()).unwrap());
            assert!((found - error).abs() < 1e-12, "{predicted:?}: {found}");
        }
    }

    #[test]
    fn bins_of_equal_mass_keep_ties_together() {
        let scored: Vec<(f64, bool)> = (0..20).map(|i| (f64::from(i) / 20.0, i % 2 == 0)).collect();
        let bins = equal_mass(sorted(&scored).ranked()).unwrap();
        assert_eq!(bins.iter().map(|bin| (bin.count, bin.positives)).collect::<Vec<_>>(), [(2, 1); 10]);
        let tied: Vec<(f64, bool)> = (0..20).map(|i| (if i < 15 { 0.9 } else { 0.95 }, i != 0)).collect();
        let bins = equal_mass(sorted(&tied).ranked()).unwrap();
        assert_eq!(
            bins.iter().map(|bin| (bin.low, bin.high, bin.count)).collect::<Vec<_>>(),
            [(0.9, 0.9, 15), (0.95, 0.95, 5)]
        );
    }

    /// One bin of 100 at 0.5 of which 50 came true: the gap is 0, its deviation 0.05, and |N(0, 0.05)| is 0.0399 on average.
    #[test]
    fn a_perfect_bin_still_shows_an_error_by_chance() {
        let scored: Vec<(f64, bool)> = (0..100).map(|i| (0.5, i % 2 == 0)).collect();
        let bins = equal_width(sorted(&scored).ranked()).unwrap();
        assert!(expected_error(&bins).abs() < 1e-15);
        assert!((bias(&bins) - 0.05 * 0.797_884_560_802_865).abs() < 1e-12, "{}", bias(&bins));
    }

    #[test]
    fn scores_of_all_probabilities_together() {
        let scored = sorted(&[(0.9, true), (0.8, false), (0.3, false)]);
        assert!((brier(scored.ranked()).unwrap() - (0.01 + 0.64 + 0.09) / 3.0).abs() < 1e-15);
        assert!((overconfidence(scored.ranked()).unwrap() - 1.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn what_is_no_probability_has_no_calibration() {
        let none = sorted(&[]);
        let beyond = sorted(&[(0.5, true), (1.5, true)]);
        for (data, why) in [(&none, Undefined::Empty), (&beyond, Undefined::NotAProbability(1.5))] {
            assert_eq!(brier(data.ranked()), Err(why));
            assert_eq!(overconfidence(data.ranked()), Err(why));
            assert_eq!(equal_width(data.ranked()), Err(why));
            assert_eq!(equal_mass(data.ranked()), Err(why));
        }
        assert!(expected_error(&[]).abs() < 1e-15 && bias(&[]).abs() < 1e-15);
    }
}
