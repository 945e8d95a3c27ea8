//! A share of a small number of tries, and how sure one can be of it.

use crate::number;

/// The value that a normal variable exceeds in either direction with a probability of 5 %.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// A range of shares.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

/// Wilson's interval of 95 % for `successes` out of `tries`: it stays between 0 and 1, and keeps its width where
/// everything or nothing succeeded. Without a try nothing is known.
///
/// More successes than tries are as many as the tries.
pub fn wilson(successes: u32, tries: u32) -> Interval {
    wilson_of_many(successes.into(), tries.into())
}

/// [`wilson`] of counts that may be beyond what most people count.
pub fn wilson_of_many(successes: u64, tries: u64) -> Interval {
    if tries == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = number(tries);
    let share = number(successes.min(tries)) / n;
    let z2 = Z_95 * Z_95;
    let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = Z_95 / (1.0 + z2 / n) * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt();
    Interval {
        low: if successes == 0 { 0.0 } else { (middle - half).max(0.0) },
        high: if successes >= tries { 1.0 } else { (middle + half).min(1.0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_agree_with_the_two_roots_of_the_score_equation() {
        for (successes, tries, low, high) in [
            (0, 10, 0.0, 0.277_532_799_863),
            (1, 10, 0.017_876_213_095, 0.404_150_026_795),
            (5, 10, 0.236_593_090_513, 0.763_406_909_487),
            (10, 10, 0.722_467_200_137, 1.0),
            (57, 60, 0.862_994_835_237, 0.982_850_497_836),
            (60, 60, 0.939_828_147_858, 1.0),
            (133, 140, 0.900_392_692_704, 0.975_571_726_963),
            (1, 1, 0.206_549_314_377, 1.0),
            (0, 1, 0.0, 0.793_450_685_623),
            (9999, 10000, 0.999_433_731_103, 0.999_982_347_326),
        ] {
            let interval = wilson(successes, tries);
            assert!((interval.low - low).abs() < 1e-9, "{successes}/{tries}: {interval:?}");
            assert!((interval.high - high).abs() < 1e-9, "{successes}/{tries}: {interval:?}");
        }
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        assert_eq!(wilson(9, 5), wilson(5, 5));
    }
}
