//! Shares side by side, each with its interval, and the threshold that they are held against.

use super::svg::{Anchor, FAINT, INK, MEASURED, Svg, THRESHOLD};

/// What a chart of bars takes up.
pub const WIDTH: f64 = 680.0;

const LEFT: f64 = 170.0;
const LENGTH: f64 = 340.0;
const TOP: f64 = 34.0;
const ROW: f64 = 26.0;
const LONGEST_LABEL: usize = 24;

/// A share from 0 to 1.
#[derive(Debug, Clone)]
pub struct Bar {
    /// What it is of.
    pub label: String,
    /// The share; none where it is not known.
    pub share: Option<f64>,
    /// Its interval.
    pub interval: Option<[f64; 2]>,
    /// What is said beside it, such as the number it rests on.
    pub note: String,
}

/// Bars under one title.
#[derive(Debug, Clone)]
pub struct Bars<'a> {
    /// What they show.
    pub title: &'a str,
    /// The bars.
    pub rows: Vec<Bar>,
    /// What they are held against, and what that is called.
    pub threshold: (f64, &'a str),
}

impl Bars<'_> {
    /// What they take up.
    pub fn height(&self) -> f64 {
        self.end() + 44.0
    }

    /// Draws them into the room that begins at the height `top`.
    pub fn draw(&self, svg: &mut Svg, top: f64) {
        let along = |share: f64| LEFT + share.clamp(0.0, 1.0) * LENGTH;
        let (first, end) = (top + TOP, top + self.end());
        svg.text([16.0, top + 20.0], self.title, Anchor::Start);
        for fifth in 0..=5_u8 {
            let share = f64::from(fifth) / 5.0;
            svg.line([along(share), first], [along(share), end], FAINT, 0.5);
            svg.text([along(share), end + 16.0], &format!("{share:.1}"), Anchor::Middle);
        }
        let mut middle = first + ROW / 2.0;
        for bar in &self.rows {
            svg.text([LEFT - 8.0, middle + 4.0], &shortened(&bar.label), Anchor::End);
            let mut told = bar.note.clone();
            if let Some(share) = bar.share {
                svg.rectangle([LEFT, middle - 7.0], [along(share) - LEFT, 14.0], MEASURED);
                told = format!("{share:.3}, {told}");
            }
            if let Some([low, high]) = bar.interval {
                svg.line([along(low), middle], [along(high), middle], INK, 1.5);
                for end in [low, high] {
                    svg.line([along(end), middle - 5.0], [along(end), middle + 5.0], INK, 1.5);
                }
            }
            svg.text([LEFT + LENGTH + 8.0, middle + 4.0], &told, Anchor::Start);
            middle += ROW;
        }
        let (threshold, name) = self.threshold;
        svg.line([along(threshold), first], [along(threshold), end], THRESHOLD, 1.5);
        svg.text([along(threshold), end + 32.0], name, Anchor::Middle);
    }

    /// Where the last bar ends.
    fn end(&self) -> f64 {
        self.rows.iter().fold(TOP, |height, _| height + ROW)
    }
}

fn shortened(label: &str) -> String {
    if label.chars().count() <= LONGEST_LABEL {
        return label.to_owned();
    }
    label.chars().take(LONGEST_LABEL - 1).chain(['…']).collect()
}
