//! Assignments of a secret-looking value to a secret-looking name.

use super::judge::{RULE, decide, hopeful, strong, wild};
use super::keywords::Kind;
use super::name::{self, Need};
use super::parse::{self, Sep, Value};
use super::value::{Shape, random};
use super::{Finding, pair, words};

/// Reads an assignment at the secret word `at..end`.
pub fn find(kind: Kind, text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    let Some(&next) = text.get(end) else { return };
    if next.is_ascii_lowercase() && text[end - 1] != b'=' {
        let goes_on = match kind {
            Kind::Password => true,
            Kind::Vague => matches!(next, b'e' | b's' | b'o'),
            _ => next == b's',
        };
        if !goes_on {
            return;
        }
    }
    let mut stop = end;
    while stop - end < 48 && text.get(stop).is_some_and(|b| name::in_name(*b) && *b != b'.') {
        stop += 1;
    }
    while stop > end && matches!(text[stop - 1], b'-' | b'$') {
        stop -= 1;
    }
    // `pw=` and the like carry their sign.
    let (word_end, stop) = match text[end - 1] {
        b'=' | b':' | b' ' | b'"' => (end - 1, end - 1),
        _ => (end, stop),
    };
    // A sign must follow soon, or this is no assignment.
    if !matches!(
        text.get(stop),
        Some(
            b'=' | b':'
                | b' '
                | b'\t'
                | b'"'
                | b'\''
                | b'`'
                | b']'
                | b')'
                | b'>'
                | b'<'
                | b','
                | b'('
                | b'\\'
                | b'%'
                | b'\n'
                | b'\r'
                | b'!'
                | b'*'
        )
    ) {
        return;
    }
    if !sign_follows(kind, text, stop) {
        return;
    }
    let tagged = text.get(stop) == Some(&b'>') && {
        let start = name::start(text, at);
        start > 0 && text[start - 1] == b'<'
    };
    let Some(v) = parse::value(text, stop, tagged).filter(|v| v.end - v.start >= 4).or_else(|| {
        let ends = matches!(text[stop], b'"' | b'\'' | b'\n' | b'\r');
        ends.then(|| parse::value_before(text, name::start(text, at)))?
    }) else {
        return;
    };
    if kind == Kind::Vague
        && let Some((start, end)) = pair::password(text, &v)
    {
        out.push(Finding { rule: "credential-pair", start, end });
        return;
    }
    if v.end - v.start < 4 || !hopeful(kind, &text[v.start..v.end], v.quoted) {
        return;
    }
    let start = name::start(text, at);
    let lead = &text[..start];
    if lead.ends_with(b"[REDACTED:")
        || lead.ends_with(b"::")
        || (lead.ends_with(b":") && v.sep == Sep::Colon && !v.quoted)
    {
        return;
    }
    // `passValue("x")`, and a mere mention of passing something.
    let digit = text[v.start..v.end].iter().any(u8::is_ascii_digit);
    if kind == Kind::Pass
        && (v.sep == Sep::Argument && !v.named_in_quotes && (stop > word_end || !digit)
            || v.sep == Sep::Blank
                && !text[start..].starts_with(b"-")
                && !text[start..].starts_with(b"requirepass"))
    {
        return;
    }
    let before = &text[lead_word(kind, text, start, at)..at];
    let Some(need) = name::judge(kind, before, &text[at..word_end], &text[word_end..stop]) else {
        return;
    };
    // `Next page token: …` is a place in a list.
    if kind == Kind::Token && paging(text, start) {
        return;
    }
    if let Some(rule) = decide(need, kind, text, start, &text[start..stop], &v) {
        out.push(Finding { rule, start: v.start, end: parse::whole(text, &v) });
    }
}

/// Where the name starts, the word before a lone `key` included: `API key`.
fn lead_word(kind: Kind, text: &[u8], start: usize, at: usize) -> usize {
    if kind != Kind::Key || start < at || start == 0 || text[start - 1] != b' ' {
        return start;
    }
    let low = start.saturating_sub(24);
    start - 1 - text[low..start - 1].iter().rev().take_while(|b| b.is_ascii_alphabetic()).count()
}

/// A key alone on its line, before a comment that calls it a private key.
pub fn commented(text: &[u8], at: usize, out: &mut Vec<Finding>) {
    let from = line_start(text, at);
    let line = &text[from..at];
    let lead = line.len() - line.trim_ascii_start().len();
    let word = line[lead..].iter().take_while(|b| b.is_ascii_graphic()).count();
    let rest = line[lead + word..].trim_ascii_start();
    let value = &line[lead..lead + word];
    let digits = value.strip_prefix(b"0x").unwrap_or(value);
    let comment = [&b"#"[..], b"//", b"--", b";"].iter().any(|c| rest.starts_with(c));
    if comment && digits.len() >= 32 && digits.iter().all(u8::is_ascii_hexdigit) && random(digits, 32) {
        out.push(Finding { rule: RULE, start: from + lead, end: from + lead + word });
    }
}

/// A first cheap look behind a name: calls, lists and mere mentions of a
/// variable go no further.
fn sign_follows(kind: Kind, text: &[u8], stop: usize) -> bool {
    let skip = |p: usize| text.get(parse::blanks(text, p)).copied().unwrap_or_default();
    match text[stop] {
        b'(' => matches!(
            skip(stop + 1),
            b'"' | b'\'' | b'`' | b'\\' | b'r' | b'b' | b'f' | b'u' | b'@' | b'$' | b'L'
        ),
        b',' => {
            matches!(skip(stop + 1), b'"' | b'\'' | b'`' | b'\\' | b'\n' | b'\r' | b'v' | b'V' | b'w')
                || text[stop + 1..].starts_with(b"Para")
        }
        b')' | b']' => {
            let more = usize::from(matches!(text.get(stop + 1), Some(b')' | b']')));
            let next = skip(stop + 1 + more);
            matches!(next, b'=' | b':' | b'>') || (text[stop] == b']' && matches!(next, b',' | b'"' | b'\''))
        }
        b' ' if !matches!(kind, Kind::Password | Kind::Pass) => !plain_word(text, parse::blanks(text, stop)),
        _ => true,
    }
}

/// Whether a bracket or a word of a sentence stands at `at`, where a sign or
/// a random value would have to.
fn plain_word(text: &[u8], at: usize) -> bool {
    let rest = &text[at..text.len().min(at + 24)];
    let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    if letters == 0 {
        return matches!(rest.first(), None | Some(b'{' | b'}' | b'(' | b')' | b'[' | b'&' | b'+' | b';'));
    }
    let linking = [&b"is"[..], b"was", b"set", b"to", b"for", b"of", b"has", b"value"];
    letters < 16
        && matches!(rest.get(letters), Some(b' ' | b',' | b';' | b')' | b'(' | b'\n' | b'\r'))
        && rest.get(letters + 1) != Some(&b'=')
        && !linking.iter().any(|word| rest[..letters].eq_ignore_ascii_case(word))
}

/// Whether the word before the name says that the token is no credential.
fn paging(text: &[u8], start: usize) -> bool {
    let line = &text[line_start(text, start)..start];
    line.ends_with(b" ") && name::split(line).last().is_some_and(|w| words::has(words::TOKEN_BAD, w))
}

/// Whether the sign between name and value is one this name may have.
pub fn signs_fit(need: Need, text: &[u8], start: usize, name: &[u8], v: &Value) -> bool {
    match v.sep {
        Sep::Blank => {
            let flag = name.starts_with(b"-") || (start > 0 && text[start - 1] == b'/');
            let line = &text[line_start(text, start)..start];
            let screaming = name.contains(&b'_') && name.iter().all(|b| !b.is_ascii_lowercase());
            let told = name == b"requirepass"
                || name == b"masterauth"
                || name == b"bindpw"
                || ends_word(line, b"ENV")
                || ends_word(line, b"set")
                || ends_word(line, b"setx")
                || ends_word(line, b"config");
            let netrc = need == Need::Password
                && (words::contains(line, b"login ")
                    || words::contains(line, b"machine ")
                    || after_login(text, start, line));
            flag && !text[v.start..].starts_with(b"-")
                || told
                || netrc
                || strong(&text[v.start..v.end])
                || ((v.quoted || screaming) && random(&text[v.start..v.end], 16))
                || (v.quoted && need == Need::Password && Shape::of(&text[v.start..v.end]).blank == 0)
        }
        Sep::Prose => random(&text[v.start..v.end], 8) || wild(&text[v.start..v.end], v),
        Sep::Argument => {
            v.quoted
                && need != Need::Strong
                && !listed(text, start, v)
                && (v.named_in_quotes || !loose(text, start + name.len()) || strong(&text[v.start..v.end]))
        }
        _ => true,
    }
}

/// Whether a comma follows the name.
fn loose(text: &[u8], end: usize) -> bool {
    text.get(parse::blanks(text, end)) == Some(&b',')
}

/// Whether name and value are two items of a list of strings.
fn listed(text: &[u8], start: usize, v: &Value) -> bool {
    let quote = |b: u8| matches!(b, b'"' | b'\'' | b'`' | b'\\');
    let before = text[start.saturating_sub(80)..start].trim_ascii_end();
    let before = match before.last() {
        Some(q) if quote(*q) => before[..before.len() - 1].trim_ascii_end(),
        _ => before,
    };
    let mut after = v.end;
    while text.get(after).is_some_and(|b| quote(*b)) {
        after += 1;
    }
    let more = text.get(after) == Some(&b',') && {
        let next = parse::blanks(text, after + 1);
        text.get(next).is_some_and(|b| quote(*b))
    };
    v.named_in_quotes && (before.ends_with(b",") || before.ends_with(b"[") || more)
}

/// Whether `line` ends in `word`, of any case, and blanks.
pub fn ends_word(line: &[u8], word: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    line.len() >= word.len() && line[line.len() - word.len()..].eq_ignore_ascii_case(word)
}

/// Whether this line only holds the name, and the line before says `login`.
fn after_login(text: &[u8], start: usize, line: &[u8]) -> bool {
    let here = start - line.len();
    if !line.trim_ascii().is_empty() || here == 0 {
        return false;
    }
    let prev = &text[line_start(text, here - 1)..here - 1];
    prev.trim_ascii_start().starts_with(b"login ") || words::contains(prev, b" login ")
}

/// Start of the line of `at`, at most 200 bytes back.
pub fn line_start(text: &[u8], at: usize) -> usize {
    let low = at.saturating_sub(200);
    memchr::memrchr(b'\n', &text[low..at]).map_or(low, |i| low + i + 1)
}
