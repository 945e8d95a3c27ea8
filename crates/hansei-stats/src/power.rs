//! How much data it takes to tell a ranking from a coin.
//!
//! After Hanley and McNeil (1982): the standard error of an area follows from the area itself and the sizes of the two
//! classes, if scores are roughly exponential; at one half it is the one of the rank-sum test. Ties are not accounted for:
//! with few distinct scores it takes somewhat more.

use crate::normal::quantile;
use crate::number;
use crate::proportion::Z_95;

/// The standard error of an area of `auc`, by so many of each class.
pub fn standard_error(auc: f64, positives: f64, negatives: f64) -> f64 {
    let square = auc * auc;
    let two_positives = auc / (2.0 - auc) - square;
    let two_negatives = 2.0 * square / (1.0 + auc) - square;
    let sum = auc * (1.0 - auc) + (positives - 1.0) * two_positives + (negatives - 1.0) * two_negatives;
    (sum / (positives * negatives)).max(0.0).sqrt()
}

/// The smallest area that so many of each class tell from a coin's with this `power`, by a two-sided test at 5 %. None
/// where even a perfect ranking would not be.
pub fn detectable(positives: u64, negatives: u64, power: f64) -> Option<f64> {
    let (positives, negatives) = (number(positives), number(negatives));
    if positives < 1.0 || negatives < 1.0 {
        return None;
    }
    let told = |auc: f64| is_told(auc, positives, negatives, power);
    if !told(1.0) {
        return None;
    }
    let (mut low, mut high) = (0.5, 1.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if told(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// How many it takes to tell an area of `auc` from a coin's with this `power`, if `share` of them are of the first class.
/// None for an area of one half or less, a share that leaves a class empty, or more than can be counted.
pub fn needed(auc: f64, share: f64, power: f64) -> Option<u64> {
    if !(auc > 0.5 && auc <= 1.0 && share > 0.0 && share < 1.0) {
        return None;
    }
    let told = |count: u64| {
        let (positives, negatives) = (number(count) * share, number(count) * (1.0 - share));
        positives >= 1.0 && negatives >= 1.0 && is_told(auc, positives, negatives, power)
    };
    let mut high = (1..50).map(|doublings| 1_u64 << doublings).find(|count| told(*count))?;
    let mut low = high / 2;
    while low + 1 < high {
        let middle = u64::midpoint(low, high);
        if told(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

fn is_told(auc: f64, positives: f64, negatives: f64, power: f64) -> bool {
    let by_chance = Z_95 * standard_error(0.5, positives, negatives);
    auc - 0.5 >= by_chance + quantile(power) * standard_error(auc, positives, negatives)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// At one half it is the rank-sum test's, at one there is none, and 0.893 from 51 and 58 was worked by hand.
    #[test]
    fn standard_errors_follow_from_the_area_and_the_sizes() {
        assert!((standard_error(0.893, 51.0, 58.0) - 0.032_511_581_8).abs() < 1e-9);
        assert!(standard_error(1.0, 51.0, 58.0).abs() < 1e-12);
        let (m, n) = (30.0, 12.0);
        let rank_sum = ((m + n + 1.0) / (12.0_f64 * m * n)).sqrt();
        assert!((standard_error(0.5, m, n) - rank_sum).abs() < 1e-12);
    }

    #[test]
    fn what_is_needed_suffices_and_one_less_does_not() {
        for (auc, share) in [(0.6, 0.5), (0.6, 0.9), (0.55, 0.7), (0.9, 0.5), (1.0, 0.3)] {
            let count = number(needed(auc, share, 0.8).unwrap());
            let told = |count: f64| is_told(auc, count * share, count * (1.0 - share), 0.8);
            assert!(told(count) && !told(count - 1.0), "{auc} {share}: {count}");
        }
        assert_eq!(needed(0.5, 0.5, 0.8), None);
        assert_eq!(needed(0.6, 1.0, 0.8), None);
    }

    #[test]
    fn more_data_tells_smaller_differences() {
        let areas: Vec<f64> =
            [(10, 10), (50, 50), (500, 500)].iter().map(|(m, n)| detectable(*m, *n, 0.8).unwrap()).collect();
        assert!(areas[0] > areas[1] && areas[1] > areas[2] && areas[2] > 0.5, "{areas:?}");
        assert_eq!(detectable(1, 1, 0.8), None);
        assert_eq!(detectable(0, 100, 0.8), None);
    }
}
