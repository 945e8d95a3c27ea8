//! Where a payload stands in a text, and what of the text is form: byte-order marks, colours, quotations.

use std::borrow::Cow;

use super::payload_keys::known_key;

const OPENING: &str = "<escalation";
const CLOSING: &str = "</escalation>";

/// Where a payload stands in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// Its first byte, the tag's.
    pub start: usize,
    /// The first byte behind it.
    pub end: usize,
}

/// A text without what terminals and editors put into it.
pub(super) fn plain(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}');
    if !text.contains('\u{1b}') {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c != '\u{1b}' {
            plain.push(c);
        } else if rest.next() == Some('[') {
            while rest.next().is_some_and(|c| !matches!(c, '@'..='~')) {}
        }
    }
    Cow::Owned(plain)
}

/// Where the payloads of a text stand. One that is not closed ends with the text.
pub fn extents(text: &str) -> Vec<Extent> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<Extent> = Vec::new();
    let mut open: Option<usize> = None;
    let mut at = 0;
    for line in lower.split_inclusive('\n') {
        let end = at + line.len();
        if open.is_none()
            && let Some(tag) = line.find(OPENING).map(|tag| at + tag)
            && opens(&lower, at, tag)
        {
            match line.rfind(CLOSING) {
                Some(close) => found.push(Extent { start: tag, end: at + close + CLOSING.len() }),
                None => open = Some(tag),
            }
        } else if bare_line(line).chars().filter(|c| !c.is_whitespace()).eq(CLOSING.chars())
            && let Some(start) = open.take()
        {
            found.push(Extent { start, end });
        }
        at = end;
    }
    if let Some(start) = open {
        // Its closing tag may stand behind other words of a line.
        let close = lower[start..].rfind(CLOSING).map(|close| start + close + CLOSING.len());
        found.push(Extent { start, end: close.unwrap_or(text.len()) });
    }
    found
}

/// What stands between the tags of a payload.
pub(super) fn inside(payload: &str) -> &str {
    let from = payload.find('>').map_or(0, |at| at + 1);
    let to = payload.to_ascii_lowercase().rfind("</escalation").unwrap_or(payload.len()).max(from);
    payload[from..to].trim_start_matches('`')
}

/// Whether the tag at a place opens a payload. One that stands alone on its line does; one among words does where a field
/// follows it, and is otherwise only spoken of.
fn opens(lower: &str, line: usize, tag: usize) -> bool {
    let behind = &lower[tag + OPENING.len()..];
    let Some(end) = behind.find(['>', '\n']).filter(|end| behind[*end..].starts_with('>')) else {
        return false;
    };
    if !behind[..end].is_empty() && !behind.starts_with(char::is_whitespace) {
        return false;
    }
    let behind = &behind[end + 1..];
    let in_line = behind.lines().next().unwrap_or_default();
    let is_alone = marks_only(&lower[line..tag]) && marks_only(in_line);
    is_alone || is_field(behind)
}

/// Whether nothing but marks of quotations, lists and fences stands there.
fn marks_only(text: &str) -> bool {
    text.trim_matches(|c: char| matches!(c, '>' | '`' | '-' | '*' | '#' | '•') || c.is_whitespace())
        .is_empty()
}

/// Whether a text begins with a field of a payload.
fn is_field(text: &str) -> bool {
    let text =
        text.trim_start_matches(|c: char| matches!(c, '>' | '`' | '-' | '*' | '•') || c.is_whitespace());
    let text = text.strip_prefix("json").map_or(text, str::trim_start);
    let line = text.lines().next().unwrap_or_default();
    let key = line.split_once(':').map(|(key, _)| key.trim_matches(['*', '`', '_', '"', ' ']));
    text.starts_with('{') || key.and_then(known_key).is_some() || line.starts_with("[attempt")
}

/// A line without what quotes and fences put before it. An item of a list closes nothing.
fn bare_line(line: &str) -> &str {
    line.trim().trim_start_matches(['>', ' ', '\t']).trim_matches('`').trim()
}
