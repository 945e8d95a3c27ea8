//! Names: what an identifier means, read word by word.

use super::keywords::Kind;
use super::words;

/// What a value must look like to be taken as a secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Need {
    /// A password: may be weak.
    Password,
    /// A secret: random, or as wild as a good password.
    Secret,
    /// A token or key: random.
    Token,
    /// The name says little: the value must say it all.
    Strong,
}

/// Splits an identifier of any style into its words.
pub fn split(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < name.len() && !name[at].is_ascii_alphanumeric() {
            at += 1;
        }
        if at >= name.len() {
            return None;
        }
        let from = at;
        at += 1;
        while at < name.len() && name[at].is_ascii_alphanumeric() {
            let (p, b) = (name[at - 1], name[at]);
            let next_lower = name.get(at + 1).is_some_and(u8::is_ascii_lowercase);
            if b.is_ascii_uppercase() && (p.is_ascii_lowercase() || (p.is_ascii_uppercase() && next_lower)) {
                break;
            }
            at += 1;
        }
        Some(&name[from..at])
    })
}

/// Whether `b` may be part of a name.
pub fn in_name(b: u8) -> bool {
    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'$') || b >= 0x80
}

/// Where the name around `at` starts (at most 80 bytes back).
pub fn start(text: &[u8], at: usize) -> usize {
    let low = at.saturating_sub(80);
    let mut s = at;
    while s > low && in_name(text[s - 1]) {
        s -= 1;
    }
    s
}

/// What a name whose secret word stands at `word..end` asks of its value.
/// `before` is the part of the name in front of the word.
pub fn judge(kind: Kind, before: &[u8], word: &[u8], suffix: &[u8]) -> Option<Need> {
    let after = judge_suffix(kind, word, suffix)?;
    let need = match kind {
        Kind::Password => Need::Password,
        Kind::Pass => {
            if !stands_alone(before, word) && !words::has(PASS_GLUE, glue(before)) {
                return None;
            }
            Need::Password
        }
        Kind::Secret => Need::Secret,
        Kind::Token => {
            let last = split(before).last().unwrap_or_default();
            if words::has(words::TOKEN_BAD, last)
                || split(before).any(|w| w.eq_ignore_ascii_case(b"public"))
                || split(before).any(|w| w.eq_ignore_ascii_case(b"next"))
            {
                return None;
            }
            Need::Token
        }
        Kind::Key => judge_key(before, word)?,
        Kind::Vague => {
            if !stands_alone(before, word) {
                return None;
            }
            Need::Token
        }
    };
    Some(match (after, need) {
        (true, need) => need,
        (false, Need::Password) => Need::Token,
        (false, _) => Need::Strong,
    })
}

/// Short words glued to `pass`.
const PASS_GLUE: &[&str] = &[
    "db", "user", "my", "smtp", "ftp", "root", "admin", "ssh", "mail", "email", "redis", "pg", "mysql",
    "sql", "ldap", "http", "proxy", "wifi", "rabbit", "mongo", "login", "imap", "vnc", "key", "key_store",
    "auth", "sudo", "zip", "cert", "bind", "store", "require",
];

/// The run of letters right before the word.
fn glue(before: &[u8]) -> &[u8] {
    let n = before.iter().rev().take_while(|b| b.is_ascii_alphabetic()).count();
    &before[before.len() - n..]
}

/// Whether the word does not continue another one.
fn stands_alone(before: &[u8], word: &[u8]) -> bool {
    let Some(&p) = before.last() else { return true };
    let w = word.first().copied().unwrap_or_default();
    !p.is_ascii_alphabetic() && p < 0x80 || (p.is_ascii_lowercase() && w.is_ascii_uppercase())
}

fn judge_key(before: &[u8], word: &[u8]) -> Option<Need> {
    let mut last = split(before).last().unwrap_or_default();
    if stands_alone(before, word) {
        if words::has(words::KEY_BAD, last) {
            return None;
        }
        // Vendor or service names: `STRIPE_KEY`; a version in between: `key`.
        if words::has(words::KEY_GOOD, last) {
            return Some(Need::Token);
        }
        return Some(Need::Strong);
    }
    last = glue(last);
    let low = last.to_ascii_lowercase();
    words::KEY_GOOD.iter().any(|g| g.len() > 1 && low.ends_with(g.as_bytes())).then_some(Need::Token)
}

/// Whether what follows the secret word leaves its meaning (`Some(true)`),
/// may change it (`Some(false)`) or takes it away.
fn judge_suffix(kind: Kind, head: &[u8], suffix: &[u8]) -> Option<bool> {
    if suffix.is_empty() {
        return Some(true);
    }
    let mut sure = true;
    for (i, word) in split(suffix).enumerate() {
        let first = suffix[0];
        let upper = head.last().is_some_and(u8::is_ascii_uppercase);
        if i == 0 && (first.is_ascii_lowercase() || (upper && first.is_ascii_uppercase())) {
            // The word goes on: only a plural, or the rest of a known word.
            let plural = word == b"s" || word == b"S";
            let rest: &[&str] = match kind {
                Kind::Password => &["ord", "d", "rd", "ort", "ords", "nia", "na"],
                Kind::Vague => &["ential", "entials", "s", "orization", "entication", "token"],
                _ => &[],
            };
            let stem = &word[..word.iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |i| i + 1)];
            if !plural && !words::has(rest, stem) {
                return None;
            }
            continue;
        }
        if word.iter().all(u8::is_ascii_digit) {
            continue;
        }
        if words::has(words::SUFFIX_BAD, word) || words::has(AGAIN, word) {
            return None;
        }
        sure &= words::has(words::SUFFIX_GOOD, word);
    }
    Some(sure)
}

/// Secret words: the later one in a name decides.
const AGAIN: &[&str] = &[
    "key", "keys", "token", "tokens", "secret", "secrets", "password", "passwd", "pwd", "pass", "passphrase",
];
