//! The normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, PI};

/// The error function, to about 15 digits: its series with the exponential taken out, whose terms are all positive.
pub fn erf(x: f64) -> f64 {
    if x.is_nan() {
        return x;
    }
    // 1 − erf(6) is 2e-17, less than a float can tell from 0.
    if x.abs() >= 6.0 {
        return x.signum();
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term.abs() > sum.abs() * 1e-17 {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    FRAC_2_SQRT_PI * (-x * x).exp() * sum
}

/// The chance of a standard normal variable to be at most `z`.
pub fn cumulative(z: f64) -> f64 {
    0.5 * (1.0 + erf(z * FRAC_1_SQRT_2))
}

/// The value that a standard normal variable does not exceed with `probability`, for one from 0 to 1. By halving: it is
/// needed a few times in a run.
pub fn quantile(probability: f64) -> f64 {
    let (mut low, mut high) = (-9.0, 9.0);
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if cumulative(middle) < probability {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The mean size of a normal variable, whatever its sign.
pub fn mean_size(mean: f64, deviation: f64) -> f64 {
    if deviation == 0.0 {
        return mean.abs();
    }
    let z = mean / deviation;
    deviation * (2.0 / PI).sqrt() * (-z * z / 2.0).exp() + mean * erf(z * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_printed_tables() {
        for (z, chance) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_069),
            (-1.0, 0.158_655_253_931),
            (1.959_963_984_540, 0.975),
            (3.0, 0.998_650_101_968),
            (-5.0, 2.866_515_719e-7),
            (12.0, 1.0),
            (f64::NEG_INFINITY, 0.0),
        ] {
            assert!((cumulative(z) - chance).abs() < 1e-12, "{z}: {}", cumulative(z));
        }
        for (probability, z) in [(0.5, 0.0), (0.8, 0.841_621_233_573), (0.975, 1.959_963_984_540)] {
            assert!((quantile(probability) - z).abs() < 1e-11, "{probability}: {}", quantile(probability));
        }
        assert!(erf(f64::NAN).is_nan());
    }

    #[test]
    fn a_mean_size_is_never_under_the_size_of_the_mean() {
        for (mean, deviation, size) in
            [(0.0, 1.0, 0.797_884_560_803), (1.0, 1.0, 1.166_630_941_175), (-0.3, 0.0, 0.3), (5.0, 0.1, 5.0)]
        {
            let found = mean_size(mean, deviation);
            assert!((found - size).abs() < 1e-12, "{mean} {deviation}: {found}");
        }
    }
}
