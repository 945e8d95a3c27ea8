//! Scores of what came true and of what did not, in order: what every figure of ranking and calibration is read from.
//!
//! A score is kept as an integer of eight bytes that sorts as the number does, and the two classes lie apart, so that
//! nothing else is stored for a row. Scores tie where they are the same number, and nowhere else: a tolerance would not be
//! transitive, and no order could be made of it.

use crate::number;
use crate::undefined::Undefined;

/// Scores as they come in, in no order.
#[derive(Debug, Clone, Default)]
pub struct Scores {
    positives: Vec<Key>,
    negatives: Vec<Key>,
}

/// Scores in their order.
#[derive(Debug, Clone, Default)]
pub struct Sorted(Scores);

/// A stretch of sorted scores.
#[derive(Debug, Clone, Copy)]
pub struct Ranked<'a> {
    positives: &'a [Key],
    negatives: &'a [Key],
}

/// All that share one score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tie {
    /// The score.
    pub score: f64,
    /// How many of them came true.
    pub positives: u64,
    /// How many did not.
    pub negatives: u64,
}

impl Tie {
    /// How many they are.
    pub fn count(&self) -> u64 {
        self.positives + self.negatives
    }
}

/// A float's bits, turned so that they sort as the float does. Minus zero is zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key(u64);

const SIGN: u64 = 1 << 63;

impl Key {
    fn of(score: f64) -> Self {
        let bits = (score + 0.0).to_bits();
        Self(if bits & SIGN == 0 { bits | SIGN } else { !bits })
    }

    fn score(self) -> f64 {
        f64::from_bits(if self.0 & SIGN == 0 { !self.0 } else { self.0 & !SIGN })
    }
}

impl Scores {
    /// Adds a score and whether it came true. Infinities are scores; what is not a number is refused.
    pub fn push(&mut self, score: f64, positive: bool) -> Result<(), Undefined> {
        if score.is_nan() {
            return Err(Undefined::NotANumber);
        }
        let class = if positive { &mut self.positives } else { &mut self.negatives };
        class.push(Key::of(score));
        Ok(())
    }

    /// In their order.
    #[must_use]
    pub fn sorted(mut self) -> Sorted {
        self.positives.sort_unstable();
        self.negatives.sort_unstable();
        Sorted(self)
    }
}

impl Sorted {
    /// The scores of `scored`, each beside whether it came true.
    pub fn of(scored: impl IntoIterator<Item = (f64, bool)>) -> Result<Self, Undefined> {
        let mut all = Scores::default();
        for (score, positive) in scored {
            all.push(score, positive)?;
        }
        Ok(all.sorted())
    }

    /// All of them.
    pub fn ranked(&self) -> Ranked<'_> {
        Ranked { positives: &self.0.positives, negatives: &self.0.negatives }
    }
}

impl<'a> Ranked<'a> {
    /// How many came true.
    pub fn positives(self) -> u64 {
        self.positives.len() as u64
    }

    /// How many did not.
    pub fn negatives(self) -> u64 {
        self.negatives.len() as u64
    }

    /// How many there are.
    pub fn count(self) -> u64 {
        self.positives() + self.negatives()
    }

    /// The share that came true; none without data.
    pub fn share(self) -> Result<f64, Undefined> {
        if self.count() == 0 {
            return Err(Undefined::Empty);
        }
        Ok(number(self.positives()) / number(self.count()))
    }

    /// Those with a score of `threshold` or more. None, where that is not a number.
    #[must_use]
    pub fn at_least(self, threshold: f64) -> Self {
        if threshold.is_nan() {
            return Self { positives: &[], negatives: &[] };
        }
        let key = Key::of(threshold);
        let from = |class: &'a [Key]| &class[class.partition_point(|score| *score < key)..];
        Self { positives: from(self.positives), negatives: from(self.negatives) }
    }

    /// The scores from the lowest to the highest, each once.
    pub fn ties(self) -> Ties<'a> {
        Ties(self)
    }

    /// These, if every score is a probability.
    pub fn probabilities(self) -> Result<Self, Undefined> {
        let ends =
            [self.positives.first(), self.negatives.first(), self.positives.last(), self.negatives.last()];
        for score in ends.into_iter().flatten().map(|key| key.score()) {
            if !(0.0..=1.0).contains(&score) {
                return Err(Undefined::NotAProbability(score));
            }
        }
        Ok(self)
    }
}

/// The scores from the lowest to the highest, each once.
#[derive(Debug)]
pub struct Ties<'a>(Ranked<'a>);

impl Iterator for Ties<'_> {
    type Item = Tie;

    fn next(&mut self) -> Option<Tie> {
        let key = match (self.0.positives.first(), self.0.negatives.first()) {
            (Some(a), Some(b)) => *a.min(b),
            (Some(one), None) | (None, Some(one)) => *one,
            (None, None) => return None,
        };
        Some(Tie {
            score: key.score(),
            positives: take(&mut self.0.positives, key),
            negatives: take(&mut self.0.negatives, key),
        })
    }
}

/// Takes those that equal `key` off the front of `class`, and says how many they were.
fn take(class: &mut &[Key], key: Key) -> u64 {
    let equal = class.iter().take_while(|other| **other == key).count();
    *class = &class[equal..];
    equal as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_apart_and_put_in_order() {
        let scores =
            [0.5, -0.0, f64::INFINITY, 1e-300, 0.0, -3.0, f64::NEG_INFINITY, 0.5, f64::MIN_POSITIVE / 2.0];
        let sorted = Sorted::of(scores.into_iter().map(|score| (score, score >= 0.5))).unwrap();
        let ties: Vec<(f64, u64)> = sorted.ranked().ties().map(|tie| (tie.score, tie.count())).collect();
        let expected = [
            (f64::NEG_INFINITY, 1),
            (-3.0, 1),
            (0.0, 2),
            (f64::MIN_POSITIVE / 2.0, 1),
            (1e-300, 1),
            (0.5, 2),
            (f64::INFINITY, 1),
        ];
        assert_eq!(ties, expected);
        assert_eq!(sorted.ranked().at_least(0.5).count(), 3);
        assert_eq!(sorted.ranked().at_least(f64::NEG_INFINITY).count(), 9);
        assert_eq!(sorted.ranked().at_least(f64::NAN).count(), 0);
        assert_eq!(Sorted::of([(f64::NAN, true)]).unwrap_err(), Undefined::NotANumber);
    }

    #[test]
    fn a_probability_is_from_0_to_1() {
        for (score, is) in [(0.0, true), (-0.0, true), (1.0, true), (1.000_000_1, false), (-1e-9, false)] {
            let sorted = Sorted::of([(0.5, true), (score, false)]).unwrap();
            assert_eq!(sorted.ranked().probabilities().is_ok(), is, "{score}");
        }
        let sorted = Sorted::of([(f64::INFINITY, true)]).unwrap();
        let refused = sorted.ranked().probabilities().unwrap_err();
        assert_eq!(refused, Undefined::NotAProbability(f64::INFINITY));
    }
}
