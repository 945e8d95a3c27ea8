//! From answers to the figures of P1 and what follows from them.

use hansei_core::experiment::Measured;
use hansei_core::experiment::calibration::{Confident, decide};
use hansei_core::experiment::registration::Registration;
use hansei_stats::calibration::{equal_mass, equal_width};
use hansei_stats::risk_coverage;

use super::details::{CalibrationDetails, Group, ReliabilityBin, RiskCoverage};
use super::figures::Figures;
use super::intake::Intake;
use super::warnings;

/// About how many points of the risk–coverage curve are told.
const MOST_POINTS: u32 = 100;

/// Measures the answers of `intake`, and decides by the registered thresholds.
pub fn measure(intake: Intake, registration: &Registration) -> (Measured, CalibrationDetails) {
    let thresholds = &registration.thresholds.calibration;
    let sorted = intake.all.sorted();
    let all = sorted.ranked();
    let figures = Figures::of(all, thresholds.high);
    let confident = Confident {
        right: figures.right_high,
        wrong: figures.wrong_high,
        auc: figures.auc_high,
        interval: figures.auc_high_interval,
    };
    let mut groups: Vec<Group> = intake
        .groups
        .into_iter()
        .map(|(name, scores)| {
            let sorted = scores.sorted();
            let figures = Figures::of(sorted.ranked(), thresholds.high);
            Group { name, n: sorted.ranked().count(), figures }
        })
        .collect();
    // Stable: groups of one size stay in the order of their names.
    groups.sort_by_key(|group| std::cmp::Reverse(group.n));
    let mut said = warnings::of_rows(&intake.refused, intake.in_no_group);
    said.extend(warnings::of_answers(all, thresholds));
    said.extend(warnings::of_groups(groups.len()));
    let bins = |bins: Vec<hansei_stats::calibration::Bin>| bins.iter().map(ReliabilityBin::from).collect();
    let details = CalibrationDetails {
        high: thresholds.high,
        reliability: equal_width(all).map(bins).unwrap_or_default(),
        reliability_equal_mass: equal_mass(all).map(bins).unwrap_or_default(),
        risk_coverage: risk_coverage::curve(all, MOST_POINTS).ok().map(RiskCoverage::from),
        figures,
        by: intake.by,
        groups,
        refused: intake.refused,
        warnings: said,
    };
    (decide(&confident, all.count(), thresholds), details)
}
