//! Finds secrets in text and replaces them by `[REDACTED:rule]`.
//!
//! A constant keyword filter ([`filter`]) says where anything is looked at at
//! all. Token formats are data (`table_*`), read by a segment matcher
//! ([`segment`]); names with a secret word are read as assignments ([`assign`]),
//! with the meaning of the name ([`name`]) and the shape of the value
//! ([`value`]) deciding; blocks, headers, URLs and commands have readers of
//! their own. Only the value is replaced, never the name beside it.

mod assign;
mod blocks;
mod call;
mod command;
mod context;
mod filter;
mod http;
mod judge;
mod keywords;
mod login;
mod name;
mod nested;
mod pair;
mod parse;
mod query;
mod segment;
mod sign;
mod table_ai;
mod table_cloud;
mod table_code;
mod table_saas;
mod url;
mod value;
mod words;
mod work;

#[cfg(test)]
mod tests;

use filter::Keyword;
use keywords::Act;
use std::borrow::Cow;

/// A secret in the input.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Finding {
    /// The rule that found it.
    pub rule: &'static str,
    /// Byte offset of its first byte.
    pub start: usize,
    /// Byte offset behind its last byte.
    pub end: usize,
}

/// The secrets of `text`, sorted, none overlapping another.
#[must_use]
pub fn scan(text: &[u8]) -> Vec<Finding> {
    let mut out = Vec::new();
    let mut tokens = Vec::new();
    let mut token_end = 0;
    let mut secrets_done = 0;
    let mut line_done = 0;
    let mut object_done = 0;
    let mut cookie_done = 0;
    filter::each_hit(text, |at, keyword| match *keyword {
        Keyword::Token(rule, head) => {
            if at >= token_end
                && let Some((start, end)) = rule.find(head, text, at)
            {
                token_end = end;
                tokens.push(Finding { rule: rule.id, start, end });
            }
        }
        Keyword::Special(act, word) => {
            let end = at + word.len();
            match act {
                Act::Word(kind) => {
                    if out.last().is_none_or(|f: &Finding| at >= f.end) {
                        assign::find(kind, text, at, end, &mut out);
                    }
                }
                Act::Pem => blocks::pem(text, at, &mut out),
                Act::Putty => blocks::putty(text, at, &mut out),
                Act::Url => url::find(text, at, end, &mut out),
                Act::Authorization => http::authorization(text, at, end, &mut out),
                Act::Scheme => http::scheme(text, at, end, &mut out),
                Act::Cookie => {
                    if at >= cookie_done {
                        cookie_done = http::cookie(text, end, &mut out);
                    }
                }
                Act::Command(which) => command::find(which, text, at, end, &mut line_done, &mut out),
                Act::Kubernetes => blocks::kubernetes(text, at, &mut secrets_done, &mut out),
                Act::PgPass => command::pgpass(text, at, end, &mut out),
                Act::Sql => command::sql(text, at, end, &mut out),
                Act::Phrase => blocks::phrase(text, end, &mut out),
                Act::Jwk => blocks::jwk(text, at, &mut object_done, &mut out),
                Act::RsaXml => blocks::rsa_xml(text, at, &mut object_done, &mut out),
                Act::Call => call::find(text, end, &mut out),
                Act::SecureString => call::secure_string(text, end, &mut out),
                Act::Parameter(least) => query::parameter(text, end, usize::from(least), &mut out),
                Act::Segment => query::segment(text, end, &mut out),
                Act::Login(which) => login::find(which, text, at, end, &mut out),
                Act::Pair => {
                    if let Some((start, end)) = pair::at_line_end(text, end) {
                        out.push(Finding { rule: "credential-pair", start, end });
                    }
                }
                Act::Commented => assign::commented(text, at, &mut out),
            }
        }
    });
    if out.is_empty() && tokens.is_empty() {
        return out;
    }
    merge(text, tokens, out)
}

/// Joins overlapping findings; a token format lends its name to the whole.
fn merge(text: &[u8], tokens: Vec<Finding>, others: Vec<Finding>) -> Vec<Finding> {
    let mut all: Vec<(Finding, u8)> = tokens.into_iter().map(|f| (f, 0)).collect();
    all.extend(others.into_iter().map(|f| (f, if f.rule == judge::RULE { 2 } else { 1 })));
    all.sort_by_key(|(f, rank)| (f.start, *rank));
    let mut out: Vec<(Finding, u8)> = Vec::new();
    for (mut f, rank) in all {
        while f.start < f.end
            && text.get(f.start).is_some_and(|b| b & 0xC0 == 0x80)
            && f.start > 0
            && text[f.start - 1] >= 0x80
        {
            f.start -= 1;
        }
        if f.start >= f.end || f.end > text.len() {
            continue;
        }
        match out.last_mut() {
            Some((last, lank)) if f.start < last.end => {
                last.end = last.end.max(f.end);
                if rank < *lank {
                    last.rule = f.rule;
                    *lank = rank;
                }
            }
            _ => out.push((f, rank)),
        }
    }
    for (f, _) in &mut out {
        while f.end < text.len() && text[f.end] & 0xC0 == 0x80 && text[f.end - 1] >= 0x80 {
            f.end += 1;
        }
    }
    out.dedup_by(|b, a| {
        let overlap = b.0.start < a.0.end;
        if overlap {
            a.0.end = a.0.end.max(b.0.end);
        }
        overlap
    });
    out.into_iter().map(|(f, _)| f).collect()
}

/// How often a redacted text is looked at again: taking out one secret may
/// bare another.
const ROUNDS: usize = 8;

/// `text` with every secret replaced; borrowed when there is none.
#[must_use]
pub fn redact_bytes(text: &[u8]) -> Cow<'_, [u8]> {
    let mut out = Cow::Borrowed(text);
    for _ in 0..ROUNDS {
        let findings = scan(&out);
        if findings.is_empty() {
            break;
        }
        let next = replace(&out, &findings);
        if next == *out {
            break;
        }
        out = Cow::Owned(next);
    }
    out
}

fn replace(text: &[u8], findings: &[Finding]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    for f in findings {
        out.extend_from_slice(&text[at..f.start]);
        out.extend_from_slice(b"[REDACTED:");
        out.extend_from_slice(f.rule.as_bytes());
        out.push(b']');
        at = f.end;
    }
    out.extend_from_slice(&text[at..]);
    out
}

/// `text` with every secret replaced; borrowed when there is none.
#[must_use]
pub fn redact(text: &str) -> Cow<'_, str> {
    match redact_bytes(text.as_bytes()) {
        Cow::Borrowed(_) => Cow::Borrowed(text),
        Cow::Owned(bytes) => Cow::Owned(
            String::from_utf8(bytes).unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned()),
        ),
    }
}

/// The ids of all token formats, those known by a vendor's name included.
#[must_use]
pub fn formats() -> Vec<&'static str> {
    let tables = filter::TABLES.iter().flat_map(|t| t.iter().map(|r| r.id));
    tables.chain(context::CONTEXTS.iter().map(|c| c.id)).collect()
}
