//! Credentials handed to a call by their place: `login("bob", "…")`,
//! `auth=("id", "…")`, `jwt.sign(payload, "…")`.

use super::Finding;
use super::judge::{password_in_place, strong, token_in_place};
use super::parse::{blanks, closing, quote};
use super::words;

/// Which argument of a call is a credential.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// A user and then a password, which may be weak.
    Pair,
    /// One password, which may be weak.
    Password,
    /// Host, user, password.
    Connection,
    /// A key or token: it must look random.
    Random,
    /// Perhaps a key or token: it must say so by itself.
    Strong,
}

/// Ends of callee names, in lower case and without underscores; the first
/// that fits decides.
#[rustfmt::skip]
const CALLEES: &[(&str, Takes)] = &[
    ("basicauth", Takes::Pair), ("httpauth", Takes::Pair), ("digestauth", Takes::Pair),
    ("proxyauth", Takes::Pair), ("networkcredential", Takes::Pair), ("passwordauthentication", Takes::Pair),
    ("passwordcredentials", Takes::Pair), ("credentials.basic", Takes::Pair), ("login", Takes::Pair),
    ("loginas", Takes::Pair), ("loginuser", Takes::Pair), ("authenticate", Takes::Pair), ("signin", Takes::Pair),
    ("redis.auth", Takes::Password), ("client.auth", Takes::Password), ("db.auth", Takes::Pair),
    ("securestring", Takes::Password), ("auth", Takes::Pair),
    ("getconnection", Takes::Connection), ("mysqli", Takes::Connection), ("pdo", Takes::Connection),
    ("mysqliconnect", Takes::Connection), ("sql.connect", Takes::Connection), ("mysqlconnect", Takes::Connection),
    ("credentials", Takes::Random), ("credential", Takes::Random), ("oauthhandler", Takes::Random),
    ("settoken", Takes::Random), ("accesstoken", Takes::Random), ("jwt.sign", Takes::Random),
    ("jwt.encode", Takes::Random), ("jwt.verify", Takes::Random), ("jwt.decode", Takes::Random),
    ("createhmac", Takes::Random), ("hmac.new", Takes::Random), ("cipheriv", Takes::Random),
    ("fernet", Takes::Random), ("totp", Takes::Random), ("bot.run", Takes::Random), ("client.run", Takes::Random),
    ("telebot", Takes::Random), ("telegraf", Takes::Random), ("twilio", Takes::Random),
    ("client", Takes::Strong), ("github", Takes::Strong), ("openai", Takes::Strong), ("bot", Takes::Strong),
];

/// Longest argument list read.
const LONGEST: usize = 400;
/// Most arguments read.
const MOST: usize = 6;

/// Reads the call whose opening bracket stands at `end - 1`.
pub fn find(text: &[u8], end: usize, out: &mut Vec<Finding>) {
    let Some(limit) = literal_ahead(text, end) else { return };
    let Some(takes) = callee(text, end - 1) else { return };
    let mut place = 0;
    let mut at = end;
    while place < MOST {
        let (literal, next) = argument(text, at, limit);
        if let Some((start, stop)) = literal
            && is_secret(takes, place, text, start, stop, next.is_none())
        {
            out.push(Finding { rule: "call-credential", start, end: stop });
        }
        let Some(next) = next else { return };
        at = next;
        place += 1;
    }
}

/// How far to read, if there is a string within the first arguments at all.
fn literal_ahead(text: &[u8], from: usize) -> Option<usize> {
    let limit = text.len().min(from + LONGEST);
    let near = &text[from..limit.min(from + 80)];
    let stop = memchr::memchr3(b'"', b'\'', b')', near)?;
    (near[stop] != b')').then_some(limit)
}

/// What the call whose bracket stands at `open` takes.
fn callee(text: &[u8], open: usize) -> Option<Takes> {
    let mut name = [0u8; 40];
    let mut at = name.len();
    let before = text[..open].trim_ascii_end();
    let before = before.strip_suffix(b"=").unwrap_or(before).trim_ascii_end();
    for &byte in before.iter().rev() {
        if at == 0 || !(byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.')) {
            break;
        }
        if byte != b'_' {
            at -= 1;
            name[at] = byte.to_ascii_lowercase();
        }
    }
    let name = &name[at..];
    CALLEES.iter().find(|(end, _)| name.ends_with(end.as_bytes())).map(|(_, takes)| *takes)
}

/// The next argument: its text if it is one string, and where the argument
/// after it starts.
fn argument(text: &[u8], from: usize, limit: usize) -> (Option<(usize, usize)>, Option<usize>) {
    let mut at = from;
    let mut depth = 0;
    let mut literal = None;
    let mut parts = 0;
    while at < limit {
        match text[at] {
            b'"' | b'\'' | b'`' => {
                let Some((mark, slashes, inner)) = quote(text, at) else { return (None, None) };
                let Some(end) = closing(text, inner, mark, slashes) else { return (None, None) };
                if depth == 0 {
                    literal = Some((inner, end));
                    parts += 1;
                }
                at = end;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth > 0 => depth -= 1,
            b')' | b']' | b'}' => return (literal.filter(|_| parts == 1), None),
            b',' if depth == 0 => return (literal.filter(|_| parts == 1), Some(at + 1)),
            _ => {}
        }
        at += 1;
    }
    (literal.filter(|_| parts == 1), None)
}

fn is_secret(takes: Takes, place: usize, text: &[u8], start: usize, end: usize, last: bool) -> bool {
    let value = &text[start..end];
    let random = |min| token_in_place(value, min);
    let telling = value.iter().any(|b| b.is_ascii_digit() || b"!@#$%^&*?+~".contains(b)) || value.len() >= 16;
    let password = || telling && !words::contains(value, b"@") && password_in_place(text, start, end);
    let marked_password = || telling && password_in_place(text, start, end);
    match takes {
        Takes::Pair => (place > 0 && last && marked_password()) || (place < 2 && random(20)),
        Takes::Password => place == 0 && password(),
        Takes::Connection => place == 2 && marked_password(),
        Takes::Random => random(16),
        Takes::Strong => strong(value) || (value.len() >= 32 && random(32)),
    }
}

/// Reads the text behind `SecureString`: `ConvertTo-SecureString "…"`.
pub fn secure_string(text: &[u8], end: usize, out: &mut Vec<Finding>) {
    let mut at = blanks(text, end);
    if text[at..].len() >= 8 && text[at..at + 8].eq_ignore_ascii_case(b"-string ") {
        at = blanks(text, at + 8);
    }
    let Some((mark, slashes, inner)) = quote(text, at) else { return };
    let Some(stop) = closing(text, inner, mark, slashes) else { return };
    if at > end && password_in_place(text, inner, stop) {
        out.push(Finding { rule: "call-credential", start: inner, end: stop });
    }
}
