//! Assignments of a secret-looking value to a secret-looking name.

use super::name::{self, Need};
use super::parse::{self, Sep, Value};
use super::seg::entropy;
use super::special::Kind;
use super::value::{Shape, is_path, is_uuid, placeholder, random};
use super::{Finding, context, words};

/// The rule id of such findings.
pub const RULE: &str = "assigned-secret";

/// Reads an assignment at the secret word `at..end`.
pub fn find(kind: Kind, text: &[u8], at: usize, end: usize, out: &mut Vec<Finding>) {
    let Some(&next) = text.get(end) else { return };
    if next.is_ascii_lowercase() {
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
        )
    ) {
        return;
    }
    if !sign_follows(text, stop) {
        return;
    }
    let tagged = text.get(stop) == Some(&b'>') && {
        let start = name::start(text, at);
        start > 0 && text[start - 1] == b'<'
    };
    let Some(v) = parse::value(text, stop, tagged) else {
        return;
    };
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
    let Some(need) = name::judge(kind, &text[start..at], &text[at..word_end], &text[word_end..stop]) else {
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

/// A first cheap look behind a name: calls, lists and mere mentions of a
/// variable go no further.
fn sign_follows(text: &[u8], stop: usize) -> bool {
    let skip = |p: usize| text.get(parse::blanks(text, p)).copied().unwrap_or_default();
    match text[stop] {
        b'(' => matches!(
            skip(stop + 1),
            b'"' | b'\'' | b'`' | b'\\' | b'r' | b'b' | b'f' | b'u' | b'@' | b'$' | b'L'
        ),
        b',' => matches!(skip(stop + 1), b'"' | b'\'' | b'`' | b'\\' | b'\n' | b'\r' | b'v' | b'V'),
        b')' | b']' => {
            let more = usize::from(matches!(text.get(stop + 1), Some(b')' | b']')));
            matches!(skip(stop + 1 + more), b'=' | b':' | b',' | b'>')
        }
        _ => true,
    }
}

/// Whether the word before the name says that the token is no credential.
fn paging(text: &[u8], start: usize) -> bool {
    let line = &text[line_start(text, start)..start];
    line.ends_with(b" ") && name::split(line).last().is_some_and(|w| words::has(words::TOKEN_BAD, w))
}

/// A first cheap look: whether a value may be a secret at all.
fn hopeful(kind: Kind, val: &[u8], quoted: bool) -> bool {
    if matches!(kind, Kind::Password | Kind::Pass) {
        return true;
    }
    val.len() >= 8
        && (quoted || !val[..val.len().min(64)].contains(&b'('))
        && (val.len() >= 16 || val.iter().any(u8::is_ascii_digit))
}

/// The rule a value falls under, if it is a secret.
fn decide(need: Need, kind: Kind, text: &[u8], start: usize, name: &[u8], v: &Value) -> Option<&'static str> {
    let val = &text[v.start..v.end];
    if !signs_fit(need, text, start, name, v) {
        return None;
    }
    if let Some(rule) = context::rule(text, start, val) {
        return Some(rule);
    }
    let code = !v.quoted && followed_by_code(text, v);
    let yes = match need {
        Need::Password => password(text, start, name, v, code),
        Need::Secret => {
            random(val, if code { 16 } else { 12 }) && !expression(val, v) || (!code && wild(val, v))
        }
        Need::Token => {
            random(val, if code || !v.quoted && v.sep == Sep::Spaced { 16 } else { 10 })
                && !expression(val, v)
        }
        Need::Strong => strong(val) && !code && (kind != Kind::Key || v.sep != Sep::Argument),
    };
    (yes && !placeholder(val) && !is_path(val)).then_some(RULE)
}

/// Whether the sign between name and value is one this name may have.
fn signs_fit(need: Need, text: &[u8], start: usize, name: &[u8], v: &Value) -> bool {
    match v.sep {
        Sep::Blank => {
            let flag = name.starts_with(b"-") || (start > 0 && text[start - 1] == b'/');
            let line = &text[line_start(text, start)..start];
            let screaming = name.contains(&b'_') && name.iter().all(|b| !b.is_ascii_lowercase());
            let told = name == b"requirepass"
                || ends_word(line, b"ENV")
                || ends_word(line, b"set")
                || ends_word(line, b"setx")
                || ends_word(line, b"config");
            let netrc = need == Need::Password
                && (has(line, b"login ") || has(line, b"machine ") || after_login(text, start, line));
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

fn has(line: &[u8], s: &[u8]) -> bool {
    words::contains(line, s)
}

fn ends_word(line: &[u8], word: &[u8]) -> bool {
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
    prev.trim_ascii_start().starts_with(b"login ") || has(prev, b" login ")
}

/// Start of the line of `at`, at most 200 bytes back.
pub fn line_start(text: &[u8], at: usize) -> usize {
    let low = at.saturating_sub(200);
    memchr::memrchr(b'\n', &text[low..at]).map_or(low, |i| low + i + 1)
}

/// Whether code goes on after a value without quotes.
fn followed_by_code(text: &[u8], v: &Value) -> bool {
    matches!(text.get(v.end), Some(b')' | b',' | b'(' | b'[' | b'{' | b'}' | b']')) && v.sep != Sep::Colon
        || (v.sep == Sep::Spaced && matches!(text.get(v.end), Some(b';' | b'.')))
}

/// Whether a value without quotes is an expression of a language.
fn expression(val: &[u8], v: &Value) -> bool {
    if v.quoted {
        return false;
    }
    val.iter().any(|b| matches!(b, b'(' | b'[' | b'{' | b'<' | b'*' | b'|'))
        || has(val, b"::")
        || has(val, b"->")
        || has(val, b"=>")
        || val.starts_with(b"&")
        || val.starts_with(b"@")
        || val.starts_with(b"!")
}

/// Whether a value is as wild as a good password.
fn wild(val: &[u8], v: &Value) -> bool {
    let s = Shape::of(val);
    if s.len < 8 || s.len > 100 || s.blank > 0 || expression(val, v) {
        return false;
    }
    let marks = val.iter().filter(|b| b"!@#$%^&*?+~".contains(b)).count();
    let classes = usize::from(s.lower > 0)
        + usize::from(s.upper > 0)
        + usize::from(s.digit > 0)
        + usize::from(marks > 0);
    classes >= 3 && (marks > 0 || s.changes >= 3) && !val.iter().any(|b| matches!(b, b'/' | b':' | b'.'))
}

/// Whether a value says by itself that it is random.
fn strong(val: &[u8]) -> bool {
    let s = Shape::of(val);
    let dashes = memchr::memchr_iter(b'-', val).count();
    random(val, 24)
        && !(dashes >= 3 && (s.hex + dashes) * 10 >= s.len.min(512) * 8)
        && s.hex < s.len.min(512)
        && !is_uuid(val)
        && s.digit >= 3
        && s.lower >= 3
        && (s.upper >= 3 || s.changes >= 8)
        && entropy(val) >= 3.6
        && !val.starts_with(b"sha")
        && !val.contains(&b':')
        && !val.contains(&b'.')
}

/// Whether a value is a password, weak ones included.
fn password(text: &[u8], start: usize, name: &[u8], v: &Value, code: bool) -> bool {
    let val = &text[v.start..v.end];
    let s = Shape::of(val);
    if s.len > 256 {
        return random(val, 8);
    }
    if s.blank > 0 {
        return v.quoted && has(&name.to_ascii_lowercase(), b"phrase") && phrase(val);
    }
    if expression(val, v) && (v.sep != Sep::Tight || code || has(val, b"::") || has(val, b"(")) {
        return false;
    }
    let screaming = name.iter().all(|b| !b.is_ascii_lowercase()) && name.iter().any(u8::is_ascii_uppercase);
    let line = &text[line_start(text, start)..start];
    let own_line = line.trim_ascii().is_empty() || ends_word(line, b"export");
    let listed = line.ends_with(b";") || line.ends_with(b"&") || line.ends_with(b"?") || line.ends_with(b",");
    let rest = &text[v.end..text.len().min(v.end + 40)];
    let last = rest.split(|b| *b == b'\n').next().unwrap_or_default().trim_ascii().is_empty();
    let composed = v.sep == Sep::Colon && screaming && name.contains(&b'_') && last;
    let env = !v.quoted
        && (v.sep == Sep::Tight || composed)
        && !code
        && (screaming || name.contains(&b'.') || own_line || listed);
    if s.letters() == 0 {
        return s.len >= 5 && s.wide == 0 && (v.quoted || env) && !version(val);
    }
    let marks = val.iter().filter(|b| b"!@#$%^&*?+~".contains(b)).count();
    if s.digit == 0 && marks == 0 {
        // Letters alone: only where nothing but a value can stand.
        if v.sep == Sep::Argument
            && !v.named_in_quotes
            && (screaming || !name.to_ascii_lowercase().ends_with(b"word"))
        {
            return false;
        }
        let weak = words::has(words::WEAK, val);
        let plain = s.symbol == 0 && s.wide == 0;
        if !env && ["pass", "secret", "enter"].iter().any(|w| has(&val.to_ascii_lowercase(), w.as_bytes())) {
            return false;
        }
        let mixed = s.lower > 0 && s.upper > 0 && s.len >= 8 && !s.wordy();
        return (weak && (v.quoted || env || v.sep != Sep::Spaced) && !code)
            || (env && s.len >= 5 && plain && s.upper == 0 && v.sep != Sep::Blank)
            || (env || v.quoted || v.sep == Sep::Colon)
                && !code
                && (mixed || !s.wordy() && plain && s.len >= 10)
            || (v.quoted && plain && s.upper == 0 && s.len >= 18)
            || ((v.quoted || env) && many_words(val));
    }
    if v.quoted {
        return s.len >= 5 && !label(val) || s.len == 4 && marks > 0;
    }
    if code {
        return (marks > 0 && s.len >= 6 && s.digit > 0) || random(val, 12);
    }
    // Bare: a digit or a mark makes it no word, if it is no name with a number.
    let named = val.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_')
        && val.contains(&b'_')
        && (s.changes <= 1 || s.wordy());
    match v.sep {
        Sep::Tight | Sep::Blank | Sep::Tag => (env || !named) && s.len >= 5,
        _ => {
            let exclaimed = marks > 0 && s.digit == 0 && s.wordy();
            s.len >= 6 && !named && !exclaimed && !val.ends_with(b"?")
        }
    }
}

/// Whether words with digits read like a label, a version or an identifier.
fn label(val: &[u8]) -> bool {
    val.iter().all(|b| b.is_ascii_lowercase() || matches!(b, b'.' | b'_' | b':' | b'?'))
        || (val.contains(&b'_')
            && val.iter().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_')
            && Shape::of(val).wordy())
        || val.ends_with(b"?") && Shape::of(val).digit == 0
        || val.starts_with(b"^")
        || val.starts_with(b".*")
        || val.contains(&b'|')
        || val.ends_with(b"!") && val.iter().filter(|b| !b.is_ascii_alphabetic()).count() == 1
        || val.ends_with(b"*") && val[..val.len() - 1].iter().all(u8::is_ascii_alphabetic)
}

fn version(val: &[u8]) -> bool {
    val.contains(&b'.') || val.iter().all(|b| matches!(b, b'-' | b'=' | b'*' | b'#' | b'_' | b'.' | b'%'))
}

/// Four or more short words joined by dashes or dots, none of them a filler.
fn many_words(val: &[u8]) -> bool {
    val.split(|b| *b == b'-').count() >= 4
        && val.iter().all(|b| b.is_ascii_lowercase() || *b == b'-')
        && !name::split(val).any(|w| words::has(words::FILLERS, w))
}

/// Four or more plain words.
fn phrase(val: &[u8]) -> bool {
    let n = val.split(|b| *b == b' ').count();
    n >= 4
        && val.iter().all(|b| b.is_ascii_lowercase() || *b == b' ')
        && !name::split(val).any(|w| words::has(words::FILLERS, w))
}
