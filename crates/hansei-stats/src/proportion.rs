//! A share of a small number of tries, and how sure one can be of it.

/// The value that a normal variable exceeds in either direction with a probability of 5 %.
const Z_95: f64 = 1.959_963_984_540_054;

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
    if tries == 0 {
        return Interval { low: 0.0, high: 1.0 };
    }
    let n = f64::from(tries);
    let share = f64::from(successes.min(tries)) / n;
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
            (0, 10, 0.000000000000, 0.277532799863),
            (1, 10, 0.017876213095, 0.404150026795),
            (5, 10, 0.236593090513, 0.763406909487),
            (10, 10, 0.722467200137, 1.000000000000),
            (57, 60, 0.862994835237, 0.982850497836),
            (60, 60, 0.939828147858, 1.000000000000),
            (133, 140, 0.900392692704, 0.975571726963),
            (1, 1, 0.206549314377, 1.000000000000),
            (0, 1, 0.000000000000, 0.793450685623),
            (9999, 10000, 0.999433731103, 0.999982347326),
        ] {
            let interval = wilson(successes, tries);
            assert!((interval.low - low).abs() < 1e-9, "{successes}/{tries}: {interval:?}");
            assert!((interval.high - high).abs() < 1e-9, "{successes}/{tries}: {interval:?}");
        }
        assert_eq!(wilson(0, 0), Interval { low: 0.0, high: 1.0 });
        assert_eq!(wilson(9, 5), wilson(5, 5));
    }
}
