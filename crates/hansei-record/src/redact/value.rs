//! The shape of a value: random, a word, a placeholder, an expression.

use super::segment::entropy;
use super::words;

/// Counts over a value.
#[derive(Default, Clone, Copy)]
pub struct Shape {
    /// Bytes.
    pub len: usize,
    /// Lower-case letters.
    pub lower: usize,
    /// Upper-case letters.
    pub upper: usize,
    /// Digits.
    pub digit: usize,
    /// Any other ASCII character that is no blank.
    pub symbol: usize,
    /// Blanks and control characters.
    pub blank: usize,
    /// Bytes over 127.
    pub wide: usize,
    /// Pairs of letters within a word.
    pub pairs: usize,
    /// Pairs that are common in words.
    pub common: usize,
    /// Changes from a letter to a digit or back.
    pub changes: usize,
    /// Bytes that are hexadecimal digits.
    pub hex: usize,
}

impl Shape {
    /// Counts over the first 512 bytes of `v`.
    pub fn of(v: &[u8]) -> Self {
        super::work::visit(v.len().min(512));
        let mut s = Self { len: v.len(), ..Self::default() };
        let mut prev = 0u8;
        for &b in v.iter().take(512) {
            match b {
                b'a'..=b'z' => s.lower += 1,
                b'A'..=b'Z' => s.upper += 1,
                b'0'..=b'9' => s.digit += 1,
                b'!'..=b'~' => s.symbol += 1,
                0..=b' ' | 127 => s.blank += 1,
                _ => s.wide += 1,
            }
            s.hex += usize::from(b.is_ascii_hexdigit());
            if b.is_ascii_alphabetic() && prev.is_ascii_alphabetic() {
                if !(prev.is_ascii_lowercase() && b.is_ascii_uppercase()) {
                    s.pairs += 1;
                    s.common += usize::from(words::common_pair(prev, b));
                }
            } else if (b.is_ascii_digit() && prev.is_ascii_alphabetic())
                || (b.is_ascii_alphabetic() && prev.is_ascii_digit())
            {
                s.changes += 1;
            }
            prev = b;
        }
        s
    }

    /// Letters of either case.
    pub fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// Whether its letters read like words.
    pub fn wordy(&self) -> bool {
        // Digits at every turn are no numbered words, whatever letters stand between.
        let turning = self.changes >= 5 && self.changes * 5 >= self.len;
        !turning && self.pairs * 10 >= self.len * 4 && self.common * 100 >= self.pairs * 68
    }
}

/// Whether `v` is noise over the whole keyboard, as key generators print it:
/// no language and no template looks like that, whatever signs it holds.
pub fn noise(v: &[u8]) -> bool {
    let s = Shape::of(v);
    s.len >= 32
        && s.len <= 256
        && s.wide == 0
        && s.blank * 12 <= s.len
        && s.symbol * 8 >= s.len
        && (s.digit >= 2 || s.symbol * 4 >= s.len)
        && s.lower >= 4
        && s.pairs * 10 < s.len * 6
        && entropy(v) >= 4.1
        && !words::contains(v, b"[REDACTED")
        && !s.wordy()
}

/// Whether a token mixes digits and letters and does not read like words.
pub fn mixes(v: &[u8]) -> bool {
    let s = Shape::of(v);
    s.digit >= 2 && s.letters() >= 2 && !s.wordy()
}

/// Whether `v` is a UUID.
pub fn is_uuid(v: &[u8]) -> bool {
    v.len() == 36
        && v.iter().enumerate().all(|(i, b)| match i {
            8 | 13 | 18 | 23 => *b == b'-',
            _ => b.is_ascii_hexdigit(),
        })
}

/// Whether `v` looks drawn at random, at least `min` bytes of it.
pub fn random(v: &[u8], min: usize) -> bool {
    let s = Shape::of(v);
    if s.len < min || s.blank > 0 || s.wide > 0 || s.letters() == 0 {
        return false;
    }
    if s.symbol > 0 && !v.iter().take(512).all(|b| words::TOKEN.has(*b)) {
        return false;
    }
    let n = s.len.min(512);
    if s.hex == n || is_uuid(v) {
        return s.digit >= 2 && entropy(v) >= 2.3;
    }
    let bits = entropy(v);
    if s.digit == 0 {
        let both = s.upper >= 2 && s.lower >= 2;
        let low = s.pairs > 0 && s.common * 100 < s.pairs * 55;
        return s.len >= if both { min.max(16) } else { min.max(20) } && low && bits >= 3.2 && !dotted(v);
    }
    if s.wordy() || (words_between(v) && s.changes < 6) || dotted(v) {
        return false;
    }
    let need = if s.changes >= 6 {
        2.3
    } else if s.len < 16 {
        2.6
    } else if s.len < 24 {
        2.9
    } else {
        3.1
    };
    bits >= need && s.letters() >= 2 && (s.digit >= 2 || s.upper >= 2) && s.symbol * 3 <= n
}

/// Whether `v` falls into parts of plain words and numbers (`eu-west-1`,
/// `app/v2/users`, `some_name_3`).
fn words_between(v: &[u8]) -> bool {
    let mut parts = 0;
    let mut plain = 0;
    for part in v.split(|b| matches!(b, b'-' | b'_' | b'/' | b'.' | b':')) {
        if part.is_empty() {
            continue;
        }
        parts += 1;
        let s = Shape::of(part);
        let number = s.digit == s.len && s.len <= 4;
        let word = s.digit <= 2 && s.changes <= 1 && (s.len <= 3 || s.common * 100 >= s.pairs * 60);
        plain += usize::from(number || word);
    }
    parts >= 2 && plain * 10 >= parts * 8
}

/// Whether `v` is a chain of names (`config.api.key`, `Foo::bar`, `a->b`) or
/// a version or host.
fn dotted(v: &[u8]) -> bool {
    if !v.iter().any(|b| matches!(b, b'.' | b':')) {
        return false;
    }
    v.split(|b| matches!(b, b'.' | b':' | b'-' | b'>')).filter(|p| !p.is_empty()).all(|p| {
        let s = Shape::of(p);
        s.digit == s.len || s.len <= 3 || (s.changes <= 2 && s.common * 100 >= s.pairs * 60)
    })
}

/// Whether `v` is a path, a file name or a URL.
pub fn is_path(v: &[u8]) -> bool {
    let find = |s: &[u8]| words::contains(&v[..v.len().min(64)], s);
    if find(b"://") || v.starts_with(b"~/") || v.starts_with(b"./") || v.starts_with(b"../") {
        return true;
    }
    if v.len() > 2 && v[1] == b':' && (v[2] == b'\\' || v[2] == b'/') {
        return true;
    }
    let v = &v[..v.len().min(256)];
    let slashes = memchr::memchr_iter(b'/', v).count();
    if v.starts_with(b"/") && (words_between(v) || Shape::of(v).wordy()) {
        return true;
    }
    if slashes >= 2 && words_between(v) {
        return true;
    }
    let ext = v.rsplit(|b| *b == b'.').next().unwrap_or_default();
    v.len() > ext.len() + 1 && v.len() < 100 && words::has(words::EXTENSIONS, ext)
}

/// Whether `v` stands for a value that is not there: a variable, a mask, a
/// word such as "changeme".
pub fn placeholder(v: &[u8]) -> bool {
    let Some((&first, &last)) = v.first().zip(v.last()) else { return true };
    let v = &v[..v.len().min(256)];
    let find = |s: &str| words::contains(v, s.as_bytes());
    if find("[REDACTED") || find("${") || find("{{") || find("#{") || find("<%") || find("$(") {
        return true;
    }
    match first {
        b'$' => {
            let next = v.get(1).copied().unwrap_or(b'{');
            let crypt = next.is_ascii_digit() && v[1..].contains(&b'$');
            let name = v[1..].iter().all(|b| {
                b.is_ascii_alphanumeric() || matches!(b, b'_' | b':' | b'.' | b'[' | b']' | b'-' | b'>')
            });
            if crypt || name {
                return true;
            }
        }
        b'<' | b'{' | b'[' | b'(' if matches!(last, b'>' | b'}' | b']' | b')') => return true,
        b'%' if last == b'%' || v.len() <= 3 || v[1] == b'(' => return true,
        b'@' if v.get(1) == Some(&b'{') => return true,
        b':' | b'&' | b'*' if v.len() < 24 && v[1..].iter().all(|b| b.is_ascii_lowercase() || *b == b'_') => {
            return true;
        }
        b'!' if v.len() > 1
            && v[1].is_ascii_alphabetic()
            && v.len() < 20
            && v[1..].iter().all(u8::is_ascii_alphabetic) =>
        {
            return true;
        }
        _ => {}
    }
    if find("...")
        || find("\u{2026}")
        || find("%s") && v.len() < 12
        || find("{}")
        || find("\u{2022}")
        || find("enc(")
    {
        return true;
    }
    if v.contains(&b'{') && has_slot(v) {
        return true;
    }
    public_key(v) || masked(v) || vocabulary(v)
}

/// Whether `v` is a public key, in DER or in the form of SSH.
fn public_key(v: &[u8]) -> bool {
    let heads = [
        "MFkwEwYH", "MHYwEAYH", "MIIBIjAN", "MIICIjAN", "MIGfMA0G", "MCowBQYD", "AAAAB3Nz", "AAAAC3Nz",
        "AAAAE2Vj", "ssh-", "age1", "vault:v", "ENC[", "sha256-", "sha384-", "sha512-", "sha1-", "sha256:",
        "data:",
    ];
    heads.iter().any(|h| v.starts_with(h.as_bytes()))
}

/// Whether `v` holds a named slot such as `{password}`.
fn has_slot(v: &[u8]) -> bool {
    let Some(open) = v.iter().position(|b| *b == b'{') else { return false };
    let rest = &v[open + 1..];
    if !rest.first().is_some_and(u8::is_ascii_alphabetic) {
        return false;
    }
    let n = rest.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'_' || **b == b'.').count();
    rest.get(n) == Some(&b'}')
}

/// Whether `v` is a mask (`xxxx`, `****`, `0000`, `abcabc`).
fn masked(v: &[u8]) -> bool {
    let mut seen = [false; 256];
    let mut distinct = 0;
    let (mut run, mut longest, mut prev) = (0, 0, 0u8);
    for &b in v.iter().take(512) {
        let b = b.to_ascii_lowercase();
        if !std::mem::replace(&mut seen[usize::from(b)], true) {
            distinct += 1;
        }
        run = if b == prev { run + 1 } else { 1 };
        if matches!(b, b'x' | b'*' | b'#' | b'.' | b'-' | b'_' | b'0' | b'?') || run > 8 {
            longest = longest.max(run);
        }
        prev = b;
    }
    distinct <= 2
        || (v.len() >= 12 && distinct <= 4)
        || longest >= 6
        || (longest >= 4 && matches!(prev, b'x' | b'*'))
        || sequence(v)
}

/// Whether `v` is the alphabet or the digits in order.
fn sequence(v: &[u8]) -> bool {
    let up = v.windows(2).take(512).filter(|w| w[1] == w[0].wrapping_add(1)).count();
    v.len() >= 10 && up * 10 >= v.len().min(512) * 8
}

/// Whether `v` is made of words that mean "put a value here".
fn vocabulary(v: &[u8]) -> bool {
    if v.len() > 80 {
        return false;
    }
    let low = v.to_ascii_lowercase();
    for mark in words::MARKS {
        if words::contains(&low, mark.as_bytes()) {
            return true;
        }
    }
    let mut any = false;
    for word in super::name::split(v) {
        let letters = word.iter().filter(|b| b.is_ascii_alphabetic()).count();
        if letters == 0 {
            continue;
        }
        any = true;
        let stem = &word[..word.iter().rposition(|b| !b.is_ascii_digit()).map_or(0, |i| i + 1)];
        if !words::has(words::FILLERS, stem) {
            return false;
        }
    }
    any && v.iter().filter(|b| b.is_ascii_digit()).count() <= 4 && !v.iter().any(|b| b"!@#$%^&*?".contains(b))
}
