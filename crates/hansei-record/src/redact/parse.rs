//! Finds the value assigned to a name, in whatever syntax: the sign between
//! the two, quotes, wrappers, types, tags.

use super::sign::sign;
use super::{nested, words};

/// What stands between a name and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sep {
    /// `name=value` without blanks.
    Tight,
    /// `name = value`, `name := value`, `name => value`.
    Spaced,
    /// `name: value`.
    Colon,
    /// `name == value`.
    Compare,
    /// `name, value` or `name(value)`.
    Argument,
    /// `<name>value</name>`.
    Tag,
    /// `name value`.
    Blank,
    /// `name is value`.
    Prose,
}

/// A value and how it is written.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// Start of the value itself.
    pub start: usize,
    /// Its end.
    pub end: usize,
    /// What stood before it.
    pub sep: Sep,
    /// Whether it is in quotes.
    pub quoted: bool,
    /// Whether the name was in quotes.
    pub named_in_quotes: bool,
}

/// Longest quoted value.
const LONGEST: usize = 8192;

/// Skips blanks within a line.
pub fn blanks(text: &[u8], mut p: usize) -> usize {
    while matches!(text.get(p), Some(b' ' | b'\t')) {
        p += 1;
    }
    p
}

/// Skips the backslashes and the quote at `p`, if there is one.
pub fn quote(text: &[u8], p: usize) -> Option<(u8, usize, usize)> {
    let mut q = p;
    while q - p < 4 && text.get(q) == Some(&b'\\') {
        q += 1;
    }
    let b = *text.get(q)?;
    matches!(b, b'"' | b'\'' | b'`').then_some((b, q - p, q + 1))
}

/// Reads the sign and the value after a name ending at `p`. `tagged` says
/// that the name is that of a tag.
pub fn value(text: &[u8], p: usize, tagged: bool) -> Option<Value> {
    let mut p = p;
    let mut named_in_quotes = false;
    if text.get(p) == Some(&b']') && quote(text, p + 1).is_some() {
        p += 1;
    }
    p = markup(text, p);
    if let Some((_, _, after)) = quote(text, p) {
        named_in_quotes = true;
        p = after;
    }
    while matches!(text.get(p), Some(b']' | b')')) {
        p += 1;
    }
    p = numbered(text, p);
    let gap = blanks(text, p);
    let (sep, at) = sign(text, p, gap, named_in_quotes, tagged)?;
    let mut v = read(text, elsewhere(text, at, sep), sep)?;
    v.named_in_quotes = named_in_quotes;
    if v.quoted || !matches!(v.sep, Sep::Compare | Sep::Argument) { Some(v) } else { None }
}

/// Skips the marks of bold text in Markdown.
fn markup(text: &[u8], p: usize) -> usize {
    p + if matches!(text.get(p..p + 2), Some(b"**" | b"__")) { 2 } else { 0 }
}

/// Skips the number of a name: `Unseal Key 1:`.
fn numbered(text: &[u8], p: usize) -> usize {
    if text.get(p) != Some(&b' ') {
        return p;
    }
    let digits = text[p + 1..].iter().take(3).take_while(|b| b.is_ascii_digit()).count();
    let counts = (1..3).contains(&digits) && text.get(p + 1 + digits) == Some(&b':');
    if counts { p + 1 + digits } else { p }
}

/// Where the value stands, if it is not right behind its sign: on the line
/// below, or in a member of an object.
fn elsewhere(text: &[u8], at: usize, sep: Sep) -> usize {
    let at = markup(text, at);
    if !matches!(sep, Sep::Colon | Sep::Tight | Sep::Spaced) {
        return at;
    }
    match text.get(blanks(text, at)) {
        Some(b'\n' | b'\r') => {
            nested::holder_after(text, at).or_else(|| nested::line_below(text, at)).unwrap_or(at)
        }
        Some(b'\\' | b'#') => nested::line_below(text, at).unwrap_or(at),
        Some(b'{') => nested::holder_after(text, at).unwrap_or(at),
        Some(b'[') => {
            let inner = blanks(text, at) + 1;
            nested::line_below(text, inner).unwrap_or(at)
        }
        _ => at,
    }
}

/// The value of a member that stands before its name.
pub fn value_before(text: &[u8], start: usize) -> Option<Value> {
    let at = nested::holder_before(text, start)?;
    let mut value = read(text, at, Sep::Colon).filter(|v| v.end < start)?;
    value.named_in_quotes = true;
    Some(value)
}

/// A wrapper around a literal: `String::from(`, `SecretStr(`.
pub fn callee(text: &[u8], p: usize) -> Option<usize> {
    let n = text
        .get(p..)?
        .iter()
        .take(40)
        .take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'&' | b'!'))
        .count();
    if text.get(p + n) != Some(&b'(') {
        return None;
    }
    let name = &text[p..p + n];
    let last = name.rsplit(|b| matches!(b, b'.' | b':')).next().unwrap_or_default();
    let lead = name.split(|b| matches!(b, b'.' | b':')).next().unwrap_or_default();
    let wraps = words::has(
        &[
            "from", "new", "Some", "SecretStr", "SecretString", "str", "bytes", "string", "String", "Secret",
            "b64decode", "atob", "fromString", "Ok", "Password", "pointer", "ptr", "aws_string", "sensitive",
            "nonsensitive", "quote", "unsafe",
        ],
        last,
    );
    let reads = words::has(&["env", "os", "process", "config", "settings", "vault", "System"], lead);
    (wraps && !reads).then_some(p + n + 1)
}

fn read(text: &[u8], at: usize, sep: Sep) -> Option<Value> {
    let mut p = blanks(text, at);
    if sep == Sep::Colon || sep == Sep::Tag {
        // YAML block scalars, and tags on lines of their own.
        let mark = text.get(p).copied();
        let mut q = p;
        if matches!(mark, Some(b'|' | b'>')) {
            q += 1;
            q += usize::from(matches!(text.get(q), Some(b'-' | b'+')));
        }
        if matches!(text.get(q), Some(b'\n' | b'\r')) && (q > p || sep == Sep::Tag) {
            while q - p < 80 && matches!(text.get(q), Some(b' ' | b'\t' | b'\n' | b'\r')) {
                q += 1;
            }
            p = q;
        }
        if text.get(p) == Some(&b'!') && text.get(p + 1) == Some(&b'!') {
            p += text[p..].iter().take(12).take_while(|b| !b.is_ascii_whitespace()).count();
            p = blanks(text, p);
        }
        if sep == Sep::Tag && text[p.min(text.len())..].starts_with(b"<value>") {
            p += 7;
        }
        if sep == Sep::Tag && text[p.min(text.len())..].starts_with(b"<![CDATA[") {
            p += 9;
            let end = memchr::memchr(b']', &text[p..text.len().min(p + LONGEST)])? + p;
            return Some(Value { start: p, end, sep, quoted: true, named_in_quotes: false });
        }
    }
    if text.get(p) == Some(&b'[') && quote(text, p + 1).is_some() {
        p += 1;
    }
    if let Some(inside) = callee(text, p) {
        p = blanks(text, inside);
        quote(text, p)?;
    }
    let mut q = p;
    while q - p < 2
        && matches!(text.get(q), Some(b'r' | b'b' | b'u' | b'f' | b'L' | b'@' | b'$' | b'R' | b'B'))
    {
        q += 1;
    }
    if let Some((mark, slashes, mut inner)) = quote(text, if quote(text, p).is_some() { p } else { q }) {
        let triple = text.get(inner) == Some(&mark) && text.get(inner + 1) == Some(&mark);
        if triple {
            inner += 2;
        }
        if let Some(end) = closing(text, inner, mark, slashes) {
            return Some(Value { start: inner, end, sep, quoted: true, named_in_quotes: false });
        }
        p = inner;
    }
    let end = bare_end(text, p, sep);
    if sep == Sep::Tag && !text[end..text.len().min(end + 40)].trim_ascii_start().starts_with(b"</") {
        return None;
    }
    (end > p).then_some(Value { start: p, end, sep, quoted: sep == Sep::Tag, named_in_quotes: false })
}

/// Where the string opened with `slashes` backslashes and `mark` ends.
pub fn closing(text: &[u8], from: usize, mark: u8, slashes: usize) -> Option<usize> {
    let limit = text.len().min(from + LONGEST);
    let mut p = from;
    while p < limit {
        super::work::visit(1);
        match text[p] {
            b'\n' => return None,
            b'\\' => {
                let n = text[p..limit].iter().take_while(|b| **b == b'\\').count();
                if text.get(p + n) == Some(&mark) && n <= slashes {
                    return Some(p);
                }
                p += n + usize::from(slashes == 0 || text.get(p + n) == Some(&mark));
            }
            b if b == mark => return Some(p),
            _ => p += 1,
        }
    }
    None
}

/// Longest value without quotes that is judged; one found goes on to its end.
const BARE: usize = 512;

/// The end of a value that was cut off at the longest that is judged.
pub fn whole(text: &[u8], v: &Value) -> usize {
    let cut = !v.quoted && v.end - v.start >= BARE;
    let more = text[v.end..]
        .iter()
        .take_while(|b| cut && (b.is_ascii_alphanumeric() || b"+/=_-.".contains(b)))
        .count();
    v.end + more
}

/// Where a value without quotes ends.
fn bare_end(text: &[u8], p: usize, sep: Sep) -> usize {
    let (mut q, mut chained) = (p, 0);
    let limit = text.len().min(p + BARE);
    while q < limit {
        super::work::visit(1);
        match text[q] {
            0..=b' ' | b'"' | b'\'' | b'`' | b'<' | 127 => break,
            b';' | b',' if sep == Sep::Prose && text.get(q + 1).is_some_and(u8::is_ascii_graphic) => q += 1,
            b';' | b',' if sep != Sep::Tag => break,
            b'&' if sep == Sep::Tight && q > p => break,
            // A chain of assignments is no value.
            b'=' if text.get(q + 1).is_some_and(u8::is_ascii_alphanumeric) => {
                chained += 1;
                if chained > 3 {
                    return p;
                }
                q += 1;
            }
            b'\\' if matches!(text.get(q + 1), Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\')) => break,
            _ => q += 1,
        }
    }
    // Closing brackets and full stops belong to the text around.
    while q > p {
        let inside = &text[p..q];
        let open = |o: u8| inside.contains(&o);
        match text[q - 1] {
            b')' if !open(b'(') => q -= 1,
            b']' if !open(b'[') => q -= 1,
            b'}' if !open(b'{') => q -= 1,
            b'.' | b':' => q -= 1,
            _ => break,
        }
    }
    q
}
