//! The shares of the gates as a drawing: a bar each, with its interval.

use hansei_core::experiment::git_history::Tallied;

use crate::chart::bars::{self, Bar, Bars};
use crate::chart::svg::Svg;

/// The drawing, in SVG. `near_empty` is what the third share is held against.
pub(super) fn drawn(tally: &[Tallied], near_empty: f64) -> String {
    let bar = |tallied: &Tallied| Bar {
        label: tallied.gate.name().to_owned(),
        share: tallied.share,
        interval: tallied.interval,
        note: format!("{} signals", tallied.signals),
    };
    let bars = Bars {
        title: "Failures by the gate that would have caught them",
        rows: tally.iter().map(bar).collect(),
        threshold: (near_empty, "as good as empty below"),
    };
    let mut svg = Svg::new(bars::WIDTH, bars.height(), bars.title);
    bars.draw(&mut svg, 0.0);
    svg.file()
}
