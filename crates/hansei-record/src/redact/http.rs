//! HTTP: authorization headers and cookies.

use super::Finding;
use super::name::{self};
use super::parse::blanks;
use super::segment::Class;
use super::value::{Shape, placeholder, random};
use super::words;

/// Bytes of a credential in a header.
const CREDENTIAL: Class = Class::of("0-9a-zA-Z+/=_.~:!@#$%^&*|-");
/// Longest credential read.
const LONGEST: usize = 16_384;

fn run(text: &[u8], p: usize) -> usize {
    p + text[p.min(text.len())..].iter().take(LONGEST).take_while(|b| CREDENTIAL.has(**b)).count()
}

/// What follows the name of an `Authorization` header.
pub fn authorization(text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    if at > 0 && (text[at - 1].is_ascii_alphanumeric() || text[at - 1] == b':') {
        return;
    }
    let mut p = end;
    let mut signs = 0;
    while p - end < 12 {
        match text.get(p) {
            Some(b':' | b'=' | b'>' | b',') => signs += 1,
            Some(b'"' | b'\'' | b'`' | b' ' | b'\t' | b'\\' | b']' | b')' | b'f' | b'b') => {}
            _ => break,
        }
        p += 1;
    }
    if signs == 0 || signs > 2 {
        return;
    }
    // A scheme, if there is one.
    let n = text[p..].iter().take(24).take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let mut from = p;
    if n > 1 && text.get(p + n) == Some(&b' ') && Shape::of(&text[p..p + n]).digit < 3 {
        from = blanks(text, p + n);
        if text[from..].starts_with(b"token=") {
            from += 6;
        }
        if matches!(text.get(from), Some(b'"' | b'\'')) {
            from += 1;
        }
    }
    let to = run(text, from);
    let v = text[from..to].trim_ascii_end();
    let basic = text[p..from].trim_ascii().eq_ignore_ascii_case(b"basic");
    if good(v, if basic { 6 } else { 8 }, basic || from > p) {
        out.push(Finding { rule: "authorization-header", start: from, end: to });
    }
}

/// Whether `v` may be a credential.
fn good(v: &[u8], min: usize, schemed: bool) -> bool {
    if v.len() < min || placeholder(v) {
        return false;
    }
    let s = Shape::of(v);
    if super::value::is_path(v) {
        return false;
    }
    if schemed
        && v.len() >= 8
        && !s.wordy()
        && (s.digit > 0 || (s.upper > 1 && s.lower > 1))
        && !v.contains(&b'(')
    {
        return !v.contains(&b'.') || random(v, 8);
    }
    random(v, min.max(10))
}

/// What follows `Bearer` or `Basic`.
pub fn scheme(text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    if at > 0 && (text[at - 1].is_ascii_alphanumeric() || text[at - 1] == b'_') {
        return;
    }
    let from = blanks(text, end);
    let to = run(text, from);
    let v = &text[from..to];
    if text[at] | 0x20 == b'b' && text[at + 1] | 0x20 == b'a' {
        if v.len() >= 8 && !placeholder(v) && decodes_to_pair(v) {
            out.push(Finding { rule: "basic-auth", start: from, end: to });
        }
    } else if random(v, 14) && !placeholder(v) && !super::value::is_path(v) && !v.contains(&b'$') {
        out.push(Finding { rule: "bearer-token", start: from, end: to });
    }
}

/// Whether base64 text decodes to `user:password`.
pub fn decodes_to_pair(v: &[u8]) -> bool {
    let (mut acc, mut bits, mut colon) = (0u32, 0, false);
    for &b in v.iter().take(200) {
        let d = match b {
            b'A'..=b'Z' => b - b'A',
            b'a'..=b'z' => b - b'a' + 26,
            b'0'..=b'9' => b - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ => return false,
        };
        acc = acc << 6 | u32::from(d);
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            let c = (acc >> bits & 255) as u8;
            if !(b' '..=b'~').contains(&c) {
                return false;
            }
            colon |= c == b':';
        }
    }
    colon
}

/// Cookie names that never hold a secret.
const HARMLESS: &[&str] =
    &["path", "domain", "expires", "max-age", "samesite", "lang", "locale", "theme", "version", "priority"];
/// Words of cookie names that hold one.
const TELLING: &[&str] = &[
    "session", "sess", "sid", "token", "auth", "jwt", "csrf", "xsrf", "remember", "id", "sessionid",
    "connect", "phpsessid", "jsessionid", "login", "secret", "user", "access", "refresh", "identity",
];

/// The values of a cookie header; how far it was read.
pub fn cookie(text: &[u8], end: usize, out: &mut Vec<Finding>) -> usize {
    let mut p = end;
    let mut sign = false;
    while p - end < 8 {
        match text.get(p) {
            Some(b':' | b'=') => sign = true,
            Some(b'"' | b'\'' | b'`' | b' ' | b'\\') => {}
            Some(b'b') if text.get(p + 1) == Some(&b' ') && text.get(p - 1) == Some(&b'-') => {}
            _ => break,
        }
        p += 1;
    }
    if !sign {
        return p;
    }
    for _ in 0..32 {
        p = blanks(text, p);
        let n = text[p..].iter().take(80).take_while(|b| name::in_name(**b) || **b == b':').count();
        if n == 0 || text.get(p + n) != Some(&b'=') {
            return p;
        }
        let key = &text[p..p + n];
        let from = p + n + 1;
        let to = from
            + text[from..]
                .iter()
                .take(8192)
                .take_while(|b| !matches!(**b, 0..=b' ' | b';' | b'"' | b'\'' | b'`' | b'\\' | 127..))
                .count();
        let v = &text[from..to];
        let told = name::split(key).any(|w| {
            words::has(TELLING, w)
                || w.len() > 5
                    && (w.to_ascii_lowercase().ends_with(b"sessid")
                        || w.to_ascii_lowercase().ends_with(b"token")
                        || w.to_ascii_lowercase().ends_with(b"sessionid"))
        });
        if !words::has(HARMLESS, key) && !placeholder(v) && random(v, if told { 8 } else { 20 }) {
            out.push(Finding { rule: "cookie-value", start: from, end: to });
        }
        p = to;
        if text.get(p) != Some(&b';') {
            return p;
        }
        p += 1;
    }
    p
}
