//! The shares of the gates as a drawing: a bar each, with its interval.

use std::fmt::Write as _;

use hansei_core::experiment::git_history::Tallied;

const WIDTH: f64 = 400.0;
const LEFT: f64 = 170.0;
const ROW: f64 = 40.0;

/// The drawing, in SVG.
#[allow(clippy::cast_precision_loss, reason = "three rows")]
pub(super) fn drawn(tally: &[Tallied]) -> String {
    let height = ROW * tally.len() as f64 + 30.0;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<title>Failures by the gate that would have caught them</title>\n",
        LEFT + WIDTH + 90.0
    );
    for (row, tallied) in tally.iter().enumerate() {
        let top = ROW * row as f64 + 10.0;
        let middle = top + 12.0;
        let share = tallied.share.unwrap_or_default();
        let [low, high] = tallied.interval.unwrap_or_default();
        // Writing to a String cannot fail.
        let _ = write!(
            svg,
            "<text x=\"{x:.0}\" y=\"{text:.1}\" text-anchor=\"end\">{name}</text>\n\
             <rect x=\"{LEFT:.0}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"24\" fill=\"#7aa6c2\"/>\n\
             <path d=\"M{from:.1} {middle:.1}H{to:.1}M{from:.1} {a:.1}V{b:.1}M{to:.1} {a:.1}V{b:.1}\" \
             stroke=\"#222\" fill=\"none\"/>\n\
             <text x=\"{label:.1}\" y=\"{text:.1}\">{percent:.1} % ({count})</text>\n",
            x = LEFT - 8.0,
            text = middle + 4.0,
            name = tallied.gate.name(),
            width = share * WIDTH,
            from = LEFT + low * WIDTH,
            to = LEFT + high * WIDTH,
            a = middle - 5.0,
            b = middle + 5.0,
            label = LEFT + high * WIDTH + 6.0,
            percent = share * 100.0,
            count = tallied.signals,
        );
    }
    svg.push_str("</svg>\n");
    svg
}
