//! Finds the value assigned to a name, in whatever syntax: the sign between
//! the two, quotes, wrappers, types, tags.

use super::words;

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
fn quote(text: &[u8], p: usize) -> Option<(u8, usize, usize)> {
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
    if let Some((_, _, after)) = quote(text, p) {
        named_in_quotes = true;
        p = after;
    }
    while matches!(text.get(p), Some(b']' | b')')) {
        p += 1;
    }
    let gap = blanks(text, p);
    let (sep, at) = sign(text, p, gap, named_in_quotes, tagged)?;
    let mut v = read(text, at, sep)?;
    v.named_in_quotes = named_in_quotes;
    if v.quoted || !matches!(v.sep, Sep::Compare | Sep::Argument) { Some(v) } else { None }
}

fn sign(text: &[u8], p: usize, gap: usize, quoted: bool, tagged: bool) -> Option<(Sep, usize)> {
    let b = *text.get(gap)?;
    let next = text.get(gap + 1).copied().unwrap_or(b'\n');
    match b {
        b':' if next == b':' => None,
        b':' if next == b'=' => Some((Sep::Spaced, gap + 2)),
        b':' => Some(typed(text, gap + 1, true).map_or((Sep::Colon, gap + 1), |at| (Sep::Spaced, at))),
        b'=' if next == b'>' => Some((Sep::Spaced, gap + 2)),
        b'=' if next == b'=' => {
            let more = usize::from(text.get(gap + 2) == Some(&b'='));
            Some((Sep::Compare, gap + 2 + more))
        }
        b'=' if next == b'~' => None,
        b'=' => {
            let tight = gap == p && !matches!(next, b' ' | b'\t');
            Some((if tight { Sep::Tight } else { Sep::Spaced }, gap + 1))
        }
        b'!' | b'?' | b'|' | b'+' | b'<' if next == b'=' || (b == b'<' && next == b'-') => {
            Some((Sep::Compare, gap + 2))
        }
        b'%' if text[gap..].starts_with(b"%3D") || text[gap..].starts_with(b"%3d") => {
            Some((Sep::Tight, gap + 3))
        }
        b',' => Some(paired(text, gap + 1).map_or((Sep::Argument, gap + 1), |at| (Sep::Colon, at))),
        b'(' => Some((Sep::Argument, gap + 1)),
        b'<' if text[gap..].starts_with(b"</key>") => property(text, gap + 6),
        b'>' if tagged || quoted => Some((Sep::Tag, gap + 1)),
        b'\n' | b'\r' => paired(text, gap).map(|at| (Sep::Colon, at)),
        b'"' | b'\'' if gap > p => Some((Sep::Blank, gap)),
        _ if gap > p => {
            if (quoted || matches!(b, b'v' | b'V'))
                && let Some(at) = paired(text, gap)
            {
                return Some((Sep::Colon, at));
            }
            if let Some(at) = typed(text, gap, false) {
                return Some((Sep::Spaced, at));
            }
            for word in [&b"is "[..], b"was ", b"is: ", b"set to ", b"to "] {
                if text[gap..].starts_with(word) {
                    return Some((Sep::Prose, gap + word.len()));
                }
            }
            Some((Sep::Blank, gap))
        }
        _ => None,
    }
}

/// A type and then `=` and a quote: `: &'static str = "`, ` string = "`.
fn typed(text: &[u8], p: usize, colon: bool) -> Option<usize> {
    let from = blanks(text, p);
    let mut q = from;
    while q - from < 48 {
        match text.get(q)? {
            b'<' | b'>' | b'|' | b'?' | b'&' | b':' if !colon => return None,
            b' ' if !colon && text.get(q + 1) != Some(&b'=') => return None,
            b'A'..=b'Z'
            | b'a'..=b'z'
            | b'0'..=b'9'
            | b'_'
            | b'<'
            | b'>'
            | b'['
            | b']'
            | b'&'
            | b'.'
            | b':'
            | b'|'
            | b'?'
            | b' '
            | b'*' => q += 1,
            b'\'' if q > 0 && text[q - 1] == b'&' => q += 1,
            b'=' => break,
            _ => return None,
        }
    }
    if q == from || text.get(q) != Some(&b'=') || text.get(q + 1) == Some(&b'=') {
        return None;
    }
    let at = blanks(text, q + 1);
    (matches!(text.get(at), Some(b'"' | b'\'' | b'`')) || callee(text, at).is_some()).then_some(q + 1)
}

/// A `value` attribute or member after the name of a pair.
fn paired(text: &[u8], p: usize) -> Option<usize> {
    let mut q = p;
    while q - p < 80 && matches!(text.get(q), Some(b' ' | b'\t' | b'\n' | b'\r' | b',' | b'-')) {
        q += 1;
    }
    if let Some((_, _, after)) = quote(text, q) {
        q = after;
    }
    let word = text.get(q..q + 5)?;
    if !word.eq_ignore_ascii_case(b"value") {
        return None;
    }
    q += 5;
    if let Some((_, _, after)) = quote(text, q) {
        q = after;
    }
    q = blanks(text, q);
    matches!(text.get(q), Some(b':' | b'=')).then_some(q + 1)
}

/// The string after the name in a property list.
fn property(text: &[u8], p: usize) -> Option<(Sep, usize)> {
    let mut q = p;
    while q - p < 80 && text.get(q).is_some_and(u8::is_ascii_whitespace) {
        q += 1;
    }
    text.get(q..)?.starts_with(b"<string>").then_some((Sep::Tag, q + 8))
}

/// A wrapper around a literal: `String::from(`, `SecretStr(`.
fn callee(text: &[u8], p: usize) -> Option<usize> {
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
            "from",
            "new",
            "Some",
            "SecretStr",
            "SecretString",
            "str",
            "bytes",
            "string",
            "String",
            "Secret",
            "b64decode",
            "atob",
            "fromString",
            "Ok",
            "Password",
            "pointer",
            "ptr",
            "aws_string",
            "sensitive",
            "nonsensitive",
            "quote",
            "unsafe",
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
fn closing(text: &[u8], from: usize, mark: u8, slashes: usize) -> Option<usize> {
    let limit = text.len().min(from + LONGEST);
    let mut p = from;
    while p < limit {
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
        match text[q] {
            0..=b' ' | b'"' | b'\'' | b'`' | b'<' | 127 => break,
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
