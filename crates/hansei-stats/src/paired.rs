//! McNemar's test: two ways to answer the same cases, of which only those that they answer differently say anything.

/// How many cases only one of the two got right.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Discordant {
    /// Right in the first alone.
    pub first: u32,
    /// Right in the second alone.
    pub second: u32,
}

impl Discordant {
    /// The chance of a split at least this uneven if the two were equally good: the exact two-sided binomial test.
    pub fn exact_p(self) -> f64 {
        (2.0 * lower_tail(self.smaller(), self.all())).min(1.0)
    }

    /// The same with half of the observed split's own chance taken off: the exact test is too cautious on few cases.
    pub fn mid_p(self) -> f64 {
        if self.all() == 0 {
            return 1.0;
        }
        if self.first == self.second {
            return 1.0 - 0.5 * chance(self.smaller(), self.all());
        }
        (2.0 * lower_tail(self.smaller(), self.all()) - chance(self.smaller(), self.all())).clamp(0.0, 1.0)
    }

    fn smaller(self) -> u32 {
        self.first.min(self.second)
    }

    fn all(self) -> u32 {
        self.first.saturating_add(self.second)
    }
}

/// The chance of at most `most` heads in `tosses` of a fair coin.
fn lower_tail(most: u32, tosses: u32) -> f64 {
    (0..=most).map(|heads| chance(heads, tosses)).sum()
}

/// The chance of exactly `heads` in `tosses` of a fair coin. Of many tosses in logarithms, because a half to the power of
/// two thousand and two thousand over a thousand are neither of them numbers that a float holds.
fn chance(heads: u32, tosses: u32) -> f64 {
    let steps = (1..=heads).map(|step| (f64::from(tosses - heads + step), f64::from(step)));
    match i32::try_from(tosses) {
        Ok(few @ 0..=1000) => steps.fold(0.5_f64.powi(few), |product, (up, down)| product * up / down),
        _ => {
            let ways: f64 = steps.map(|(up, down)| up.ln() - down.ln()).sum();
            (ways - f64::from(tosses) * std::f64::consts::LN_2).exp()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn p_agrees_with_integers_counted_one_by_one() {
        for (first, second, exact, mid) in [
            (0, 0, 1.000000000000, 1.000000000000),
            (1, 0, 1.000000000000, 0.500000000000),
            (5, 0, 0.062500000000, 0.031250000000),
            (6, 0, 0.031250000000, 0.015625000000),
            (3, 3, 1.000000000000, 0.843750000000),
            (1, 9, 0.021484375000, 0.011718750000),
            (10, 2, 0.038574218750, 0.022460937500),
            (25, 10, 0.016673847800, 0.011330984184),
            (40, 40, 1.000000000000, 0.955536060613),
            (600, 500, 0.002819544991, 0.002564772798),
            (1500, 1200, 0.000000008412, 0.000000007550),
        ] {
            let split = Discordant { first, second };
            assert!((split.exact_p() - exact).abs() < 1e-9, "{split:?}: {}", split.exact_p());
            assert!((split.mid_p() - mid).abs() < 1e-9, "{split:?}: {}", split.mid_p());
            let turned = Discordant { first: second, second: first };
            assert_eq!((split.exact_p(), split.mid_p()), (turned.exact_p(), turned.mid_p()));
        }
    }
}
