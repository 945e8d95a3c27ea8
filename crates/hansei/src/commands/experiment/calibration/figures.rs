//! What is computed from answers, be it from all of them or from one group.

use hansei_stats::calibration::{self, Bin};
use hansei_stats::proportion::Interval;
use hansei_stats::ranking::{self, DeLong};
use hansei_stats::scores::Ranked;
use serde::Serialize;

/// Figures of a set of answers; none where it is too small or too uniform for one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figures {
    /// How many were right.
    pub right: u64,
    /// How many were wrong.
    pub wrong: u64,
    /// How many had a high confidence.
    pub n_high: u64,
    /// How many of those were right.
    pub right_high: u64,
    /// How many of those were wrong.
    pub wrong_high: u64,
    /// How often a right answer had more confidence than a wrong one, equal confidence counting half.
    pub auc: Option<f64>,
    /// Its interval of 95 % after DeLong.
    pub auc_interval: Option<[f64; 2]>,
    /// The same among answers with a high confidence.
    pub auc_high: Option<f64>,
    /// Its interval of 95 % after DeLong.
    pub auc_high_interval: Option<[f64; 2]>,
    /// By how much more often answers with a high confidence were right than all were.
    pub lift: Option<f64>,
    /// The Brier score.
    pub brier: Option<f64>,
    /// The expected calibration error over ten bins of equal width.
    pub ece: Option<f64>,
    /// By how much that overstates, by chance.
    pub ece_bias: Option<f64>,
    /// The error less that, and not under 0.
    pub ece_debiased: Option<f64>,
    /// The expected calibration error over ten bins of equal mass.
    pub ece_equal_mass: Option<f64>,
    /// By how much that overstates, by chance.
    pub ece_equal_mass_bias: Option<f64>,
    /// The error less that, and not under 0.
    pub ece_equal_mass_debiased: Option<f64>,
    /// By how much confidence is above the share of right answers.
    pub overconfidence: Option<f64>,
}

impl Figures {
    /// The figures of `all`, where a confidence is high from `high` on.
    pub fn of(all: Ranked<'_>, high: f64) -> Self {
        let confident = all.at_least(high);
        let (equal_width, equal_mass) =
            (calibration::equal_width(all).ok(), calibration::equal_mass(all).ok());
        let error = |bins: &Option<Vec<Bin>>| bins.as_deref().map(calibration::expected_error);
        let bias = |bins: &Option<Vec<Bin>>| bins.as_deref().map(calibration::bias);
        let debiased = |bins: &Option<Vec<Bin>>| Some((error(bins)? - bias(bins)?).max(0.0));
        Self {
            right: all.positives(),
            wrong: all.negatives(),
            n_high: confident.count(),
            right_high: confident.positives(),
            wrong_high: confident.negatives(),
            auc: ranking::area(all).ok(),
            auc_interval: interval(all),
            auc_high: ranking::area(confident).ok(),
            auc_high_interval: interval(confident),
            lift: ranking::lift(confident, all).ok(),
            brier: calibration::brier(all).ok(),
            ece: error(&equal_width),
            ece_bias: bias(&equal_width),
            ece_debiased: debiased(&equal_width),
            ece_equal_mass: error(&equal_mass),
            ece_equal_mass_bias: bias(&equal_mass),
            ece_equal_mass_debiased: debiased(&equal_mass),
            overconfidence: calibration::overconfidence(all).ok(),
        }
    }
}

fn interval(ranked: Ranked<'_>) -> Option<[f64; 2]> {
    let Interval { low, high } = DeLong::of(ranked).ok()?.interval();
    Some([low, high])
}
