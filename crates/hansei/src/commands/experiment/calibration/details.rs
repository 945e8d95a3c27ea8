//! What P1 tells beyond its figure.

use hansei_stats::calibration::Bin;
use hansei_stats::risk_coverage::Curve;
use serde::Serialize;

use super::figures::Figures;
use super::intake::{By, Refused};
use super::{chart, page};
use crate::commands::experiment::output::Details;
use crate::commands::experiment::page::Page;

/// What P1 tells beyond its figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CalibrationDetails {
    /// A confidence from here on is high.
    pub high: f64,
    /// The figures of all answers.
    #[serde(flatten)]
    pub figures: Figures,
    /// The reliability diagram: ten bins of equal width.
    pub reliability: Vec<ReliabilityBin>,
    /// The same over bins of equal mass.
    pub reliability_equal_mass: Vec<ReliabilityBin>,
    /// What goes wrong if only the most confident answers are relied on.
    pub risk_coverage: Option<RiskCoverage>,
    /// By what answers were grouped.
    pub by: Option<By>,
    /// Each group, the largest first.
    pub groups: Vec<Group>,
    /// Rows that were left out.
    pub refused: Refused,
    /// What to keep in mind.
    pub warnings: Vec<String>,
}

/// One group of answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common; none for those that do not say.
    pub name: Option<String>,
    /// How many they are.
    pub n: u64,
    /// Their figures.
    #[serde(flatten)]
    pub figures: Figures,
}

/// One bin of the reliability diagram.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReliabilityBin {
    /// Where it begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// How many answers it holds.
    pub n: u64,
    /// Their mean confidence.
    pub confidence: Option<f64>,
    /// The share of them that was right.
    pub share_right: Option<f64>,
    /// Wilson's interval of that share.
    pub interval: Option<[f64; 2]>,
}

impl From<&Bin> for ReliabilityBin {
    fn from(bin: &Bin) -> Self {
        let interval = bin.interval();
        Self {
            low: bin.low,
            high: bin.high,
            n: bin.count,
            confidence: bin.mean(),
            share_right: bin.share(),
            interval: (bin.count > 0).then_some([interval.low, interval.high]),
        }
    }
}

/// The risk–coverage curve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskCoverage {
    /// Its area.
    pub area: f64,
    /// Some of its points.
    pub points: Vec<RiskPoint>,
}

/// Relying on every answer from a confidence on.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RiskPoint {
    /// The lowest confidence that is relied on.
    pub confidence: f64,
    /// The share of answers that is relied on.
    pub coverage: f64,
    /// The share of those that is wrong.
    pub risk: f64,
}

impl From<Curve> for RiskCoverage {
    fn from(curve: Curve) -> Self {
        let points = curve.points.into_iter().map(|point| RiskPoint {
            confidence: point.score,
            coverage: point.coverage,
            risk: point.risk,
        });
        Self { area: curve.area, points: points.collect() }
    }
}

impl Details for CalibrationDetails {
    fn page(&self) -> Page {
        page::page(self)
    }

    fn chart(&self) -> String {
        chart::chart(self)
    }
}
