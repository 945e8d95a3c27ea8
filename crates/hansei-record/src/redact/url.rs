//! Connection strings: the password in `scheme://user:password@host`.

use super::Finding;
use super::value::{Shape, placeholder, random};
use super::words;

/// Longest user part read.
const LONGEST: usize = 1024;

/// Reads the user part after `://` at `at..from`.
pub fn find(text: &[u8], at: usize, from: usize, out: &mut Vec<Finding>) {
    if text[at] == b':' && text[at + 1] != b'/' {
        return oracle(text, from, out);
    }
    let mut s = at;
    while s > 0
        && at - s < 24
        && (text[s - 1].is_ascii_alphanumeric() || matches!(text[s - 1], b'+' | b'-' | b'.'))
    {
        s -= 1;
    }
    let scheme = &text[s..at];
    if scheme.is_empty() {
        return;
    }
    let web = scheme.len() <= 5
        && (scheme.eq_ignore_ascii_case(b"http")
            || scheme.eq_ignore_ascii_case(b"https")
            || scheme.eq_ignore_ascii_case(b"ws")
            || scheme.eq_ignore_ascii_case(b"wss"));
    let limit = text.len().min(from + LONGEST);
    let (mut colon, mut last_at, mut slash) = (None, None, None);
    let mut braces = 0;
    let mut p = from;
    while p < limit {
        super::work::visit(1);
        match text[p] {
            b'{' | b'<' => braces += 1,
            b'}' | b'>' if braces > 0 => braces -= 1,
            0..=b' ' | b'"' | b'\'' | b'`' | b'>' | 127 if braces == 0 => break,
            b'\n' => break,
            b'/' | b'?' | b'#' if slash.is_none() && braces == 0 => {
                slash = Some(p);
                if web || last_at.is_some() || colon.is_none() {
                    break;
                }
            }
            b':' if colon.is_none() => colon = Some(p),
            b'@' => {
                last_at = Some(p);
                if slash.is_some() {
                    break;
                }
            }
            b',' | b')' if last_at.is_some() => break,
            _ => {}
        }
        p += 1;
    }
    let Some(end) = last_at else { return };
    let Some(colon) = colon.filter(|c| *c < end) else {
        return lone_user(text, from, end, out);
    };
    let pass = &text[colon + 1..end];
    // `host:port/path@…` is no password.
    let digits = pass.iter().take_while(|b| b.is_ascii_digit()).count();
    if pass.len() < 3 || (digits > 0 && matches!(pass.get(digits), Some(b'/' | b'?' | b'#'))) {
        return;
    }
    if let Some(slash) = slash.filter(|s| *s < end)
        && (text[from..slash].contains(&b'.') && colon > slash || pass.len() > 100)
    {
        return;
    }
    if harmless(pass) {
        return;
    }
    out.push(Finding { rule: "url-password", start: colon + 1, end });
}

/// A password that only shows where one goes.
fn harmless(pass: &[u8]) -> bool {
    let slot = pass.starts_with(b"$")
        || pass.starts_with(b"%") && pass.len() <= 3
        || pass.starts_with(b"{")
        || pass.starts_with(b"<")
        || pass.starts_with(b":");
    let word = words::has(
        &[
            "password", "pass", "passwd", "pwd", "pw", "secret", "token", "x", "xx", "xxx", "yourpassword",
            "p", "string", "api_key", "apikey", "key", "mypassword", "db_password", "your_password",
            "your-password",
        ],
        pass,
    );
    let masked = placeholder(pass) && {
        let s = Shape::of(pass);
        s.digit < 3
            && !(s.upper == 0
                && s.symbol == 0
                && !words::has(&["password", "secret", "token"], pass)
                && s.len < 12
                && s.letters() == s.len)
            || words::contains(pass, b"[REDACTED")
            || words::contains(pass, b"${")
    };
    slot || word || masked || pass.iter().all(|b| matches!(b, b'*' | b'x' | b'X' | b'.'))
}

/// A token in the place of the user: `https://token@host`.
fn lone_user(text: &[u8], from: usize, end: usize, out: &mut Vec<Finding>) {
    let user = &text[from..end];
    let host = &text[end + 1..text.len().min(end + 60)];
    let host = &host
        [..host.iter().position(|b| matches!(b, b'/' | b'"' | b'\'' | b' ' | b'\n')).unwrap_or(host.len())];
    let sentry = words::contains(host, b"sentry") || words::contains(host, b"ingest");
    let hex = user.len() == 32 && user.iter().all(u8::is_ascii_hexdigit);
    if hex && sentry {
        out.push(Finding { rule: "sentry-dsn", start: from, end });
    } else if user.len() >= 16 && random(user, 16) && !placeholder(user) && !user.contains(&b'.') {
        out.push(Finding { rule: "url-token", start: from, end });
    }
}

/// `jdbc:oracle:thin:user/password@host`.
fn oracle(text: &[u8], from: usize, out: &mut Vec<Finding>) {
    let rest = &text[from..text.len().min(from + 200)];
    let Some(slash) = rest.iter().position(|b| matches!(b, b'/' | b'@' | b' ' | b'"')) else { return };
    if rest[slash] != b'/' {
        return;
    }
    let pass = &rest[slash + 1..];
    let Some(end) = pass.iter().position(|b| matches!(b, b'@' | b' ' | b'"' | b'\n')) else { return };
    if pass[end] == b'@' && end >= 3 && !harmless(&pass[..end]) {
        let start = from + slash + 1;
        out.push(Finding { rule: "url-password", start, end: start + end });
    }
}
