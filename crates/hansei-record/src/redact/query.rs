//! Secrets in the path and the query of a URL, known by their place.

use super::Finding;
use super::judge::token_in_place;
use super::value::{Shape, is_uuid, placeholder};

/// Reads the value of a query parameter from `end` on.
pub fn parameter(text: &[u8], end: usize, least: usize, out: &mut Vec<Finding>) {
    let stop = end
        + text[end..]
            .iter()
            .take(2048)
            .take_while(|b| b.is_ascii_alphanumeric() || b"-_.~%+/=:|".contains(b))
            .count();
    let value = &text[end..stop];
    let shape = Shape::of(value);
    if (token_in_place(value, least) || (shape.len >= 20 && shape.digit >= 3 && shape.changes >= 6))
        && !placeholder(value)
    {
        out.push(Finding { rule: "url-parameter", start: end, end: stop });
    }
}

/// Reads the path segment from `end` on.
pub fn segment(text: &[u8], end: usize, out: &mut Vec<Finding>) {
    let stop = end
        + text[end..]
            .iter()
            .take(512)
            .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
            .count();
    let value = &text[end..stop];
    if (is_uuid(value) || token_in_place(value, 24)) && !placeholder(value) && in_url(text, end) {
        out.push(Finding { rule: "url-token", start: end, end: stop });
    }
}

/// Whether a URL leads up to `at`.
fn in_url(text: &[u8], at: usize) -> bool {
    let before = &text[at.saturating_sub(160)..at];
    let from = before.iter().rposition(|b| matches!(b, 0..=b' ' | b'"' | b'\'' | b'`')).map_or(0, |i| i + 1);
    memchr::memmem::find(&before[from..], b"://").is_some()
}
