//! The sign between a name and its value: `=`, `:`, a comma, a tag, or the
//! words of a sentence.

use super::nested;
use super::parse::{Sep, blanks, callee, quote};

/// Reads the sign behind the name ending at `p`, with `gap` behind the blanks
/// there: its kind, and where the value may start.
pub fn sign(text: &[u8], p: usize, gap: usize, quoted: bool, tagged: bool) -> Option<(Sep, usize)> {
    let b = *text.get(gap)?;
    let next = text.get(gap + 1).copied().unwrap_or(b'\n');
    match b {
        b':' if next == b':' => None,
        b':' if next == b'=' => Some((Sep::Spaced, gap + 2)),
        b':' => Some(typed(text, gap + 1, true).map_or((Sep::Colon, gap + 1), |at| (Sep::Spaced, at))),
        b'=' if next == b'>' => Some((Sep::Spaced, gap + 2)),
        b'=' if next == b'=' => {
            let more = usize::from(text.get(gap + 2) == Some(&b'='));
            Some((Sep::Compare, gap + 2 + more))
        }
        b'=' if next == b'~' => None,
        b'=' => {
            let tight = gap == p && !matches!(next, b' ' | b'\t');
            Some((if tight { Sep::Tight } else { Sep::Spaced }, gap + 1))
        }
        b'!' | b'?' | b'|' | b'+' | b'<' if next == b'=' || (b == b'<' && next == b'-') => {
            Some((Sep::Compare, gap + 2))
        }
        b'%' if text[gap..].starts_with(b"%3D") || text[gap..].starts_with(b"%3d") => {
            Some((Sep::Tight, gap + 3))
        }
        b',' => {
            let held = paired(text, gap + 1).or_else(|| {
                (quoted && member_follows(text, gap + 1)).then(|| nested::holder_after(text, gap + 1))?
            });
            Some(held.map_or((Sep::Argument, gap + 1), |at| (Sep::Colon, at)))
        }
        b'(' => Some((Sep::Argument, gap + 1)),
        b'<' if text[gap..].starts_with(b"</key>") => property(text, gap + 6),
        b'<' if text[gap..].starts_with(b"</name>") => property(text, gap + 7),
        b'{' if quoted => nested::holder_after(text, gap + 1).map(|at| (Sep::Spaced, at)),
        b'.' if quoted => typed_into(text, gap + 1).map(|at| (Sep::Spaced, at)),
        b'|' if gap > p && next == b' ' => Some((Sep::Prose, gap + 1)),
        b'-' if gap > p && next == b'>' => Some((Sep::Prose, gap + 2)),
        b'-' if gap > p && next == b' ' => Some((Sep::Prose, gap + 2)),
        b'.' if text[gap..].starts_with(b"...") => {
            let dots = text[gap..].iter().take(40).take_while(|b| **b == b'.').count();
            Some((Sep::Prose, gap + dots))
        }
        b'>' if tagged || quoted => Some((Sep::Tag, gap + 1)),
        b'\n' | b'\r' => {
            paired(text, gap).or_else(|| nested::holder_after(text, gap)).map(|at| (Sep::Colon, at))
        }
        b'"' | b'\'' if gap > p => Some((Sep::Blank, gap)),
        _ if gap > p => {
            if (quoted || matches!(b, b'v' | b'V'))
                && let Some(at) = paired(text, gap)
            {
                return Some((Sep::Colon, at));
            }
            if quoted && let Some(at) = nested::holder_after(text, gap) {
                return Some((Sep::Colon, at));
            }
            if let Some(at) = typed(text, gap, false) {
                return Some((Sep::Spaced, at));
            }
            // `secret 0 value`, `password 7 value` of network gear.
            if b.is_ascii_digit() && next == b' ' {
                return Some((Sep::Prose, gap + 2));
            }
            if let Some(at) = told_later(text, gap) {
                return Some((Sep::Prose, at));
            }
            for word in [&b"is "[..], b"was ", b"is: ", b"set to ", b"to "] {
                if text[gap..].starts_with(word) {
                    return Some((Sep::Prose, gap + word.len()));
                }
            }
            Some((Sep::Blank, gap))
        }
        _ => None,
    }
}

/// Behind the method that types a text into a field.
fn typed_into(text: &[u8], p: usize) -> Option<usize> {
    [&b"send_keys("[..], b"sendKeys(", b"fill(", b"type(", b"setValue(", b"set_value(", b"setText("]
        .iter()
        .find(|m| text[p..].starts_with(m))
        .map(|m| p + m.len())
}

/// Behind the end of a remark about the name: `for root@localhost: …`,
/// `for the server is …`.
fn told_later(text: &[u8], gap: usize) -> Option<usize> {
    let rest = &text[gap..text.len().min(gap + 80)];
    if ![&b"for "[..], b"is generated ", b"to proceed ", b"of ", b"has been "]
        .iter()
        .any(|w| rest.starts_with(w))
    {
        return None;
    }
    let rest = &rest[..memchr::memchr(b'\n', rest).map_or(rest.len(), |i| i + 1)];
    let ends = [&b": "[..], b":\n", b" is ", b" set to "];
    let (at, len) = ends
        .iter()
        .filter_map(|e| memchr::memmem::rfind(rest, e).map(|i| (i, e.len())))
        .filter(|(i, _)| *i > 4)
        .max()?;
    let end = gap + at + len;
    Some(end + text[end..].iter().take(4).take_while(|b| b.is_ascii_whitespace()).count())
}

/// A type and then `=` and a quote: `: &'static str = "`, ` string = "`.
fn typed(text: &[u8], p: usize, colon: bool) -> Option<usize> {
    let from = blanks(text, p);
    let mut q = from;
    while q - from < 48 {
        match text.get(q)? {
            b'<' | b'>' | b'|' | b'?' | b'&' | b':' if !colon => return None,
            b' ' if !colon && text.get(q + 1) != Some(&b'=') => return None,
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'_'
            | b'<'
            | b'>'
            | b'['
            | b']'
            | b'&'
            | b'.'
            | b':'
            | b'|'
            | b'?'
            | b' '
            | b'*' => q += 1,
            b'\'' if q > 0 && text[q - 1] == b'&' => q += 1,
            b'=' => break,
            _ => return None,
        }
    }
    if q == from || text.get(q) != Some(&b'=') || text.get(q + 1) == Some(&b'=') {
        return None;
    }
    let at = blanks(text, q + 1);
    (matches!(text.get(at), Some(b'"' | b'\'' | b'`')) || callee(text, at).is_some()).then_some(q + 1)
}

/// A `value` attribute or member after the name of a pair.
fn paired(text: &[u8], p: usize) -> Option<usize> {
    let mut q = p;
    while q - p < 80 && matches!(text.get(q), Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b'-')) {
        q += 1;
    }
    if let Some((_, _, after)) = quote(text, q) {
        q = after;
    }
    let word = text.get(q..q + 5)?;
    if word.eq_ignore_ascii_case(b"value") {
        q += 5;
    } else if text[q..].starts_with(b"with:") {
        q += 4;
    } else if text[q..].starts_with(b"ParameterValue") {
        q += 14;
    } else {
        return None;
    }
    if let Some((_, _, after)) = quote(text, q) {
        q = after;
    }
    q = blanks(text, q);
    matches!(text.get(q), Some(b':' | b'=')).then_some(q + 1)
}

/// Whether another member of the same object follows: `, "type":`.
fn member_follows(text: &[u8], p: usize) -> bool {
    let from = p + text[p..].iter().take(80).take_while(|b| b.is_ascii_whitespace()).count();
    let Some((_, _, inner)) = quote(text, from) else { return false };
    let end = inner
        + text[inner..].iter().take(40).take_while(|b| b.is_ascii_alphanumeric() || **b == b'_').count();
    quote(text, end).is_some_and(|(_, _, after)| text.get(blanks(text, after)) == Some(&b':'))
}

/// The string after the name in a property list.
fn property(text: &[u8], p: usize) -> Option<(Sep, usize)> {
    let mut q = p;
    while q - p < 80 && text.get(q).is_some_and(u8::is_ascii_whitespace) {
        q += 1;
    }
    [&b"<string>"[..], b"<value>"].iter().find(|t| text[q..].starts_with(t)).map(|t| (Sep::Tag, q + t.len()))
}
