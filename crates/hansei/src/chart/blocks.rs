//! Drawings of block characters, for a terminal.

/// How many characters a bar is long.
const LENGTH: u8 = 30;
const EIGHTHS: [char; 8] = [' ', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];
const HEIGHTS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A share as a bar, and beyond it a mark where `expected` lies.
pub fn bar(share: f64, expected: f64) -> String {
    let filled = places(share, LENGTH * 8);
    let marked = places(expected, LENGTH - 1);
    let character = |place: u8| {
        let here = filled.saturating_sub(place * 8);
        match EIGHTHS.get(usize::from(here)) {
            _ if place == marked => '│',
            Some(part) => *part,
            None => '█',
        }
    };
    (0..LENGTH).map(character).collect()
}

/// Shares as columns side by side.
pub fn columns(shares: impl IntoIterator<Item = f64>) -> String {
    shares.into_iter().map(|share| HEIGHTS[usize::from(places(share, 7)).min(7)]).collect()
}

/// The share of `all`, rounded.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped before")]
fn places(share: f64, all: u8) -> u8 {
    (share.clamp(0.0, 1.0) * f64::from(all)).round() as u8
}
