//! Decides whether a value beside a secret-looking name is a secret: the name
//! says how much the value itself must tell.

use super::assign::{ends_word, line_start, signs_fit};
use super::keywords::Kind;
use super::name::{self, Need};
use super::parse::{Sep, Value};
use super::segment::entropy;
use super::value::{Shape, is_path, is_uuid, noise, placeholder, random};
use super::{context, words};

/// The rule id of values known by their name.
pub const RULE: &str = "assigned-secret";

/// A first cheap look: whether a value may be a secret at all.
pub fn hopeful(kind: Kind, val: &[u8], quoted: bool) -> bool {
    if matches!(kind, Kind::Password | Kind::Pass) {
        return true;
    }
    val.len() >= 8
        && (quoted || !val[..val.len().min(64)].contains(&b'('))
        && (val.len() >= 16 || val.iter().any(u8::is_ascii_digit))
}

/// The rule a value falls under, if it is a secret.
pub fn decide(
    need: Need,
    kind: Kind,
    text: &[u8],
    start: usize,
    name: &[u8],
    v: &Value,
) -> Option<&'static str> {
    let val = &text[v.start..v.end];
    // Said by itself, whatever sign stands between.
    if v.quoted && noise(val) && (need != Need::Strong || val.len() >= 40) {
        return Some(RULE);
    }
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
            random(val, if code { 16 } else { 12 }) && !expression(val, v)
                || (!code && wild(val, v))
                || v.quoted && val.contains(&b' ') && of_session(text, start, name) && phrase(val)
        }
        Need::Token => {
            random(val, if code || !v.quoted && v.sep == Sep::Spaced { 16 } else { 10 })
                && !expression(val, v)
        }
        Need::Strong => strong(val) && !code && (kind != Kind::Key || v.sep != Sep::Argument),
    };
    (yes && !placeholder(val) && !is_path(val)).then_some(RULE)
}

/// Whether a name or what leads to it says that cookies are signed with it.
fn of_session(text: &[u8], start: usize, name: &[u8]) -> bool {
    let lead = text[line_start(text, start)..start + name.len()].to_ascii_lowercase();
    words::contains(&lead, b"session") || words::contains(&lead, b"cookie")
}

/// Whether code goes on after a value without quotes.
fn followed_by_code(text: &[u8], v: &Value) -> bool {
    // `--set a=b,c=d` is a list of settings.
    if v.sep == Sep::Tight && text.get(v.end) == Some(&b',') {
        return !words::contains(&text[line_start(text, v.start)..v.start], b"--set");
    }
    matches!(text.get(v.end), Some(b')' | b',' | b'(' | b'[' | b'{' | b'}' | b']')) && v.sep != Sep::Colon
        || (v.sep == Sep::Spaced && matches!(text.get(v.end), Some(b';' | b'.')))
}

/// Whether a value without quotes is an expression of a language.
fn expression(val: &[u8], v: &Value) -> bool {
    if v.quoted {
        return false;
    }
    val.iter().any(|b| matches!(b, b'(' | b'[' | b'{' | b'<' | b'*' | b'|'))
        || words::contains(val, b"::")
        || words::contains(val, b"->")
        || words::contains(val, b"=>")
        || val.starts_with(b"&")
        || val.starts_with(b"@")
        || val.starts_with(b"!")
}

/// Whether a value is as wild as a good password.
pub fn wild(val: &[u8], v: &Value) -> bool {
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
pub fn strong(val: &[u8]) -> bool {
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
        return v.quoted && words::contains(&name.to_ascii_lowercase(), b"phrase") && phrase(val);
    }
    if expression(val, v)
        && (v.sep != Sep::Tight || code || words::contains(val, b"::") || words::contains(val, b"("))
    {
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
        if !env
            && ["pass", "secret", "enter"]
                .iter()
                .any(|w| words::contains(&val.to_ascii_lowercase(), w.as_bytes()))
        {
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

/// Words and numbers with blanks between, none of them a filler.
fn phrase(val: &[u8]) -> bool {
    let count = val.split(|b| *b == b' ').count();
    let fillers = name::split(val).filter(|w| words::has(words::FILLERS, w)).count();
    count >= 3 && val.iter().all(|b| b.is_ascii_alphanumeric() || *b == b' ') && fillers * 3 < count
}

/// Whether the text at `start..end` is a password where only one can stand:
/// in the place of a call or a command that takes it.
pub fn password_in_place(text: &[u8], start: usize, end: usize) -> bool {
    let value = Value { start, end, sep: Sep::Colon, quoted: true, named_in_quotes: true };
    let val = &text[start..end];
    noise(val)
        || end - start >= 4
            && password(text, start, b"password", &value, false)
            && !placeholder(val)
            && !is_path(val)
}

/// Whether the text at `start..end` looks drawn at random and stands for
/// nothing else.
pub fn token_in_place(val: &[u8], min: usize) -> bool {
    random(val, min) && !placeholder(val) && !is_path(val)
}
