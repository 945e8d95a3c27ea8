//! P1 as a drawing: the reliability diagram, the risk–coverage curve, and the groups.

use super::details::{CalibrationDetails, Group};
use crate::chart::bars::{self, Bar, Bars};
use crate::chart::plane::{HEIGHT, Plane, WIDTH};
use crate::chart::svg::{FAINT, INK, MEASURED, Svg};

/// How many groups are drawn.
const MOST_GROUPS: usize = 20;

/// The drawing.
pub fn chart(details: &CalibrationDetails) -> String {
    let title = format!("AUC among answers with a confidence of {} or more", details.high);
    let groups = (!details.groups.is_empty()).then(|| Bars {
        title: &title,
        rows: details.groups.iter().take(MOST_GROUPS).map(bar).collect(),
        threshold: (0.5, "a coin"),
    });
    let width = bars::WIDTH.max(2.0 * WIDTH);
    let height = HEIGHT + groups.as_ref().map_or(0.0, Bars::height);
    let mut svg = Svg::new(width, height, "Calibration: reliability and risk by coverage");
    reliability(&mut svg, details);
    risk_coverage(&mut svg, details);
    if let Some(groups) = groups {
        groups.draw(&mut svg, HEIGHT);
    }
    svg.file()
}

fn bar(group: &Group) -> Bar {
    Bar {
        label: group.name.clone().unwrap_or_else(|| "not said".to_owned()),
        share: group.figures.auc_high,
        interval: group.figures.auc_high_interval,
        note: format!("n {}", group.figures.n_high),
    }
}

fn reliability(svg: &mut Svg, details: &CalibrationDetails) {
    let plane = Plane::draw(svg, [0.0, 0.0], "Reliability, bins of equal width", ["confidence", "right"]);
    svg.line(plane.at(0.0, 0.0), plane.at(1.0, 1.0), FAINT, 1.5);
    for bin in &details.reliability {
        let (Some(confidence), Some(share), Some([low, high])) =
            (bin.confidence, bin.share_right, bin.interval)
        else {
            continue;
        };
        svg.line(plane.at(confidence, low), plane.at(confidence, high), INK, 1.5);
        svg.dot(plane.at(confidence, share), MEASURED);
    }
}

fn risk_coverage(svg: &mut Svg, details: &CalibrationDetails) {
    let title = "Risk if only the most confident are relied on";
    let plane = Plane::draw(svg, [WIDTH, 0.0], title, ["coverage", "wrong"]);
    let Some(curve) = &details.risk_coverage else { return };
    let points: Vec<[f64; 2]> =
        curve.points.iter().map(|point| plane.at(point.coverage, point.risk)).collect();
    svg.path(&points, MEASURED);
    // A curve of one point has no length.
    if let [point] = points.as_slice() {
        svg.dot(*point, MEASURED);
    }
}
