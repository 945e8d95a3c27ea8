//! A square of shares by shares, with its axes: both run from 0 to 1.

use super::svg::{Anchor, FAINT, INK, Svg};

/// The side of the square.
const SIDE: f64 = 260.0;
/// The room to the left of it.
const LEFT: f64 = 56.0;
/// The room above it.
const TOP: f64 = 46.0;

/// What a plane takes up altogether.
pub const WIDTH: f64 = LEFT + SIDE + 24.0;
/// What a plane takes up altogether.
pub const HEIGHT: f64 = TOP + SIDE + 48.0;

/// A square in a drawing.
#[derive(Debug, Clone, Copy)]
pub struct Plane {
    left: f64,
    top: f64,
}

impl Plane {
    /// Draws the axes of a plane whose room begins at `corner`.
    pub fn draw(svg: &mut Svg, corner: [f64; 2], title: &str, [x_axis, y_axis]: [&str; 2]) -> Self {
        let plane = Self { left: corner[0] + LEFT, top: corner[1] + TOP };
        svg.text([plane.left, corner[1] + 20.0], title, Anchor::Start);
        for fifth in 0..=5_u8 {
            let share = f64::from(fifth) / 5.0;
            svg.line(plane.at(share, 0.0), plane.at(share, 1.0), FAINT, 0.5);
            svg.line(plane.at(0.0, share), plane.at(1.0, share), FAINT, 0.5);
            let [x, y] = plane.at(share, 0.0);
            svg.text([x, y + 16.0], &format!("{share:.1}"), Anchor::Middle);
            let [x, y] = plane.at(0.0, share);
            svg.text([x - 6.0, y + 4.0], &format!("{share:.1}"), Anchor::End);
        }
        svg.line(plane.at(0.0, 0.0), plane.at(1.0, 0.0), INK, 1.0);
        svg.line(plane.at(0.0, 0.0), plane.at(0.0, 1.0), INK, 1.0);
        let [x, y] = plane.at(0.5, 0.0);
        svg.text([x, y + 34.0], x_axis, Anchor::Middle);
        let [_, y] = plane.at(0.0, 1.0);
        svg.text([plane.left - 6.0, y - 6.0], y_axis, Anchor::End);
        plane
    }

    /// Where a point of two shares lies in the drawing.
    pub fn at(&self, x: f64, y: f64) -> [f64; 2] {
        [self.left + x.clamp(0.0, 1.0) * SIDE, self.top + (1.0 - y.clamp(0.0, 1.0)) * SIDE]
    }
}
