//! A user and a password in one value: `bob:…`, `neo4j/…`, `bob / …`.

use super::judge::wild;
use super::parse::{Sep, Value, blanks};
use super::value::{Shape, is_path, placeholder, random};
use super::words;

/// Users that say the pair is something else.
#[rustfmt::skip]
const NO_USERS: &[&str] = &[
    "http", "https", "sha256", "sha512", "sha1", "md5", "arn", "urn", "type", "token", "provider", "oauth2",
    "bearer", "basic", "image", "docker", "file", "env", "enc", "aws", "vault", "base64", "hex", "data", "key",
];

/// The span of the password, if `value` is a pair.
pub fn password(text: &[u8], value: &Value) -> Option<(usize, usize)> {
    let mut start = value.start;
    let mut end = value.end;
    if text[start..end].starts_with(b"static:") {
        start += 7;
    }
    // `credentials: admin / …` was cut off at its blank.
    if !value.quoted && text.get(end..end + 3) == Some(b" / ") {
        let from = blanks(text, end + 3);
        end = from + text[from..].iter().take(100).take_while(|b| b.is_ascii_graphic()).count();
        return is_password(&text[from..end]).then_some((from, end));
    }
    let user = text[start..end]
        .iter()
        .take(64)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'@' | b'-'))
        .count();
    let sign = *text[..end].get(start + user)?;
    if user < 2 || !matches!(sign, b':' | b'/') || words::has(NO_USERS, &text[start..start + user]) {
        return None;
    }
    let from = start + user + 1;
    is_password(&text[from..end]).then_some((from, end))
}

/// Whether a value that stands behind a user is a password: more than a
/// version, a port or a name with a number.
fn is_password(value: &[u8]) -> bool {
    let shape = Shape::of(value);
    let whole = Value { start: 0, end: value.len(), sep: Sep::Tight, quoted: true, named_in_quotes: false };
    let three = shape.lower > 0 && shape.upper > 0 && shape.digit > 0;
    shape.len >= 6
        && shape.blank == 0
        && !value.iter().any(|b| matches!(b, b':' | b'/' | b','))
        && shape.letters() >= 1
        && (random(value, 8) || wild(value, &whole) || (three && shape.changes >= 2))
        && (shape.changes >= 2 || shape.symbol > 0 || shape.len >= 16)
        && !value.starts_with(b"v1")
        && !placeholder(value)
        && !is_path(value)
        && !value.contains(&b'.')
}

/// A pair after `bundle config … host`, at the end of the line.
pub fn at_line_end(text: &[u8], from: usize) -> Option<(usize, usize)> {
    let limit = text.len().min(from + 200);
    let end = memchr::memchr(b'\n', &text[from..limit]).map_or(limit, |i| from + i);
    let line = text[from..end].trim_ascii_end();
    let start = from + line.iter().rposition(|b| *b == b' ').map_or(0, |i| i + 1);
    let value =
        Value { start, end: from + line.len(), sep: Sep::Blank, quoted: false, named_in_quotes: false };
    if value.end <= value.start {
        return None;
    }
    password(text, &value)
}
