//! Values that stand on another line, or in another member, than their name:
//! `password:` and then `default: …`, `{"value": "…", "name": "password"}`.

use super::parse::{blanks, quote};

/// How far a nested value may be from its name.
const REACH: usize = 320;
/// Members that hold the value of a named thing.
const HOLDERS: [&[u8]; 5] = [b"value", b"default", b"parametervalue", b"content", b"with"];

/// Behind the sign of the member that holds the value of the name ending at
/// `from`; the member stands deeper than the line of the name, or within the
/// brackets opened behind it.
pub fn holder_after(text: &[u8], from: usize) -> Option<usize> {
    let limit = text.len().min(from + REACH);
    let line = super::assign::line_start(text, from);
    let indent = indent_of(text, line);
    let mut at = from;
    let mut lines = 0;
    while at < limit {
        super::work::visit(1);
        match text[at] {
            b'}' | b')' => return None,
            b'\n' => {
                lines += 1;
                let next = at + 1;
                let deeper = indent_of(text, next);
                // An opened bracket or tag may close at the same depth only.
                if lines > 8 || text.get(next + deeper).is_none_or(|b| matches!(b, b'\n' | b'\r')) {
                    return None;
                }
                if deeper < indent || (deeper == indent && text[next + deeper] == b'-') {
                    return None;
                }
                at = next + deeper;
            }
            b if b.is_ascii_alphabetic() && !text[at - 1].is_ascii_alphanumeric() => {
                let n = text[at..limit].iter().take_while(|b| b.is_ascii_alphanumeric()).count();
                let word = &text[at..at + n];
                if is_holder(word) {
                    return sign_after(text, at + n);
                }
                if (word.eq_ignore_ascii_case(b"name") || word.eq_ignore_ascii_case(b"key"))
                    && sign_after(text, at + n).is_some()
                {
                    return None;
                }
                at += n;
            }
            _ => at += 1,
        }
    }
    None
}

fn is_holder(word: &[u8]) -> bool {
    HOLDERS.iter().any(|h| h.eq_ignore_ascii_case(word))
}

/// Behind the sign that follows a member's name.
fn sign_after(text: &[u8], end: usize) -> Option<usize> {
    let at = quote(text, end).map_or(end, |(_, _, after)| after);
    let at = blanks(text, at);
    matches!(text.get(at), Some(b':' | b'=' | b'>')).then_some(at + 1)
}

fn indent_of(text: &[u8], line: usize) -> usize {
    text[line..].iter().take(80).take_while(|b| matches!(b, b' ' | b'\t' | b'-')).count()
}

/// Behind the sign of the value that stands before its name: the name at
/// `start` is itself the value of a member `name` or `key`.
pub fn holder_before(text: &[u8], start: usize) -> Option<usize> {
    let low = start.saturating_sub(REACH);
    let lead = text[low..start].trim_ascii_end();
    let lead = lead.strip_suffix(b"\"").or_else(|| lead.strip_suffix(b"'")).unwrap_or(lead).trim_ascii_end();
    let lead = lead.strip_suffix(b":").or_else(|| lead.strip_suffix(b"="))?.trim_ascii_end();
    let lead = lead.strip_suffix(b"\"").or_else(|| lead.strip_suffix(b"'")).unwrap_or(lead);
    let named = [&b"name"[..], b"key", b"id"].into_iter().find(|word| {
        lead.len() >= word.len() && lead[lead.len() - word.len()..].eq_ignore_ascii_case(word)
    })?;
    let member = lead.len() - named.len();
    let opened = lead[..member].iter().rposition(|b| matches!(b, b'{' | b'<' | b'}' | b'>' | b';'));
    let listed = memchr::memmem::rfind(&lead[..member], b"- ");
    let from = opened.into_iter().chain(listed).max()?;
    let object = &lead[from..member];
    let at = (0..object.len()).find(|i| {
        (*i == 0 || !object[i - 1].is_ascii_alphanumeric())
            && object[*i..].len() > 5
            && object[*i..i + 5].eq_ignore_ascii_case(b"value")
    })?;
    sign_after(text, low + from + at + 5)
}

/// The value of a name whose own line ends after the sign: the first line
/// below it, if that is deeper and holds nothing but a value.
pub fn line_below(text: &[u8], from: usize) -> Option<usize> {
    let mut at = blanks(text, from);
    if text.get(at) == Some(&b'#') {
        at += memchr::memchr(b'\n', &text[at..text.len().min(at + 120)])?;
    }
    if text.get(at) == Some(&b'\\') {
        at += 1;
    }
    if text.get(at) == Some(&b'\r') {
        at += 1;
    }
    if text.get(at) != Some(&b'\n') {
        return None;
    }
    let line = super::assign::line_start(text, from.min(at));
    let indent = indent_of(text, line);
    let deeper = text[at + 1..].iter().take(80).take_while(|b| matches!(b, b' ' | b'\t')).count();
    let mut value = at + 1 + deeper;
    let item = text.get(value..value + 2) == Some(b"- ");
    if deeper < indent || (deeper == indent && !item) {
        return None;
    }
    if item {
        value = blanks(text, value + 2);
    }
    // Another member of a structure is no value.
    let end =
        memchr::memchr(b'\n', &text[value..text.len().min(value + 600)]).map_or(text.len(), |i| value + i);
    let rest = text[value..end].trim_ascii_end();
    let quoted = matches!(rest.first(), Some(b'"' | b'\'' | b'`'));
    (quoted || !rest.is_empty() && !rest.contains(&b' ') && !rest.ends_with(b":")).then_some(value)
}
