//! The segment matcher: token formats are data (literals and runs of an
//! alphabet), read by a small matcher without backtracking.

/// A set of ASCII bytes.
#[derive(Clone, Copy)]
pub struct Class(pub u128);

impl Class {
    /// Reads a set such as `a-z0-9_-` (a dash at the end stands for itself).
    pub const fn of(spec: &str) -> Self {
        let s = spec.as_bytes();
        let mut bits = 0u128;
        let mut i = 0;
        while i < s.len() {
            if i + 2 < s.len() && s[i + 1] == b'-' {
                let mut b = s[i];
                while b <= s[i + 2] {
                    bits |= 1 << b;
                    b += 1;
                }
                i += 3;
            } else {
                bits |= 1 << s[i];
                i += 1;
            }
        }
        Self(bits)
    }

    /// Whether `b` is in the set.
    pub const fn has(self, b: u8) -> bool {
        b < 128 && self.0 >> b & 1 == 1
    }
}

/// Decimal digits.
pub const DIGIT: Class = Class::of("0-9");
/// Lower-case hexadecimal.
pub const HEX: Class = Class::of("0-9a-f");
/// Hexadecimal of either case.
pub const HEXANY: Class = Class::of("0-9a-fA-F");
/// Letters and digits.
pub const ALNUM: Class = Class::of("0-9a-zA-Z");
/// Lower-case letters and digits.
pub const LOWNUM: Class = Class::of("0-9a-z");
/// Upper-case letters and digits.
pub const UPNUM: Class = Class::of("0-9A-Z");
/// Letters, digits and the underscore.
pub const WORD: Class = Class::of("0-9a-zA-Z_");
/// Lower-case hexadecimal and the dash, as in a UUID.
pub const UUID: Class = Class::of("0-9a-f-");
/// base64url.
pub const B64U: Class = Class::of("0-9a-zA-Z_-");
/// base64url with padding.
pub const B64UP: Class = Class::of("0-9a-zA-Z_=-");
/// base64url and the dot.
pub const B64DOT: Class = Class::of("0-9a-zA-Z_.-");
/// base64 with padding.
pub const B64: Class = Class::of("0-9a-zA-Z+/=");
/// base64 of both alphabets, with padding.
pub const B64ANY: Class = Class::of("0-9a-zA-Z+/=_-");
/// base32, upper case.
pub const B32: Class = Class::of("A-Z2-7");

/// No upper limit of a run.
pub const ANY: usize = usize::MAX;

/// One part of a token.
#[derive(Clone, Copy)]
pub enum Seg {
    /// These bytes.
    Lit(&'static str),
    /// One of these, the first that fits.
    Alt(&'static [&'static str]),
    /// Between so many and so many bytes of a set, as many as there are.
    Run(Class, usize, usize),
    /// These parts, or nothing.
    Opt(&'static [Seg]),
}

/// One token format.
#[derive(Clone, Copy)]
pub struct Rule {
    /// Kebab-case name, shown in the redacted text.
    pub id: &'static str,
    /// The keywords that bring the rule up, each in its exact case.
    pub heads: &'static [&'static str],
    /// What must stand right before the keyword and belongs to the token.
    pub back: Option<(Class, usize, usize)>,
    /// What must follow the keyword.
    pub segs: &'static [Seg],
    /// Least Shannon entropy of what follows the keyword, in tenths of a bit.
    pub bits: u8,
    /// Whether the token must not start inside a word.
    pub left: bool,
    /// Whether the keyword itself stays in the text.
    pub keep_head: bool,
    /// Whether the token must mix digits and letters and read like no words.
    pub mixed: bool,
}

/// A format of a keyword and what follows it.
pub const fn rule(id: &'static str, heads: &'static [&'static str], segs: &'static [Seg], bits: u8) -> Rule {
    Rule { id, heads, back: None, segs, bits, left: true, keep_head: false, mixed: false }
}

impl Rule {
    /// The token may start inside a word (its keyword is telling enough).
    pub const fn glued(mut self) -> Self {
        self.left = false;
        self
    }

    /// The keyword is no secret and stays.
    pub const fn keep(mut self) -> Self {
        self.keep_head = true;
        self
    }

    /// Weak structure: the token must look random as well.
    pub const fn mixed(mut self) -> Self {
        self.mixed = true;
        self
    }

    /// A run stands before the keyword.
    pub const fn back(mut self, class: Class, min: usize, max: usize) -> Self {
        self.back = Some((class, min, max));
        self
    }

    /// Matches the rule whose keyword `head` stands at `at`; the token's span.
    pub fn find(&self, head: &str, text: &[u8], at: usize) -> Option<(usize, usize)> {
        if !text.get(at..)?.starts_with(head.as_bytes()) {
            return None;
        }
        let mut start = at;
        if let Some((class, min, max)) = self.back {
            while start > 0 && at - start <= max && class.has(text[start - 1]) {
                start -= 1;
            }
            if at - start < min || at - start > max {
                return None;
            }
        }
        if self.left && !starts_word(text, start) {
            return None;
        }
        let body = at + head.len();
        let end = run_segs(self.segs, text, body)?;
        if let Some(&next) = text.get(end)
            && (next.is_ascii_alphanumeric() || (next == b'_' && self.ends_open()))
        {
            return None;
        }
        if entropy(&text[body..end]) * 10.0 < f32::from(self.bits) {
            return None;
        }
        if self.mixed && !super::value::mixes(&text[body..end]) {
            return None;
        }
        if self.keep_head {
            start = body;
        }
        (end > start).then_some((start, end))
    }

    /// Whether an underscore could carry the token on.
    fn ends_open(&self) -> bool {
        match self.segs.last() {
            Some(Seg::Run(class, _, _)) => class.has(b'_') || class.has(b'a'),
            _ => true,
        }
    }
}

/// Matches `segs` at `p`, giving the end.
fn run_segs(segs: &[Seg], text: &[u8], mut p: usize) -> Option<usize> {
    for seg in segs {
        match *seg {
            Seg::Lit(s) => {
                if !text.get(p..)?.starts_with(s.as_bytes()) {
                    return None;
                }
                p += s.len();
            }
            Seg::Alt(list) => {
                let rest = text.get(p..)?;
                let found = list.iter().find(|s| rest.starts_with(s.as_bytes()))?;
                p += found.len();
            }
            Seg::Run(class, min, max) => {
                let rest = text.get(p..)?;
                let n = rest.iter().take(max).take_while(|b| class.has(**b)).count();
                if n < min {
                    return None;
                }
                p += n;
            }
            Seg::Opt(inner) => {
                if let Some(end) = run_segs(inner, text, p) {
                    p = end;
                }
            }
        }
    }
    Some(p)
}

/// Whether a token at `at` does not continue a word. An escape (`\n`, `%3D`,
/// a terminal colour) before it counts as a border.
pub fn starts_word(text: &[u8], at: usize) -> bool {
    if at == 0 {
        return true;
    }
    let prev = text[at - 1];
    if !(prev.is_ascii_alphanumeric() || prev == b'_' || prev == b'-') {
        return true;
    }
    let before = |n: usize| at.checked_sub(n).map_or(0, |i| text[i]);
    match prev {
        b'-' => !before(2).is_ascii_alphanumeric(),
        b'n' | b't' | b'r' if before(2) == b'\\' => true,
        b'm' => {
            let mut i = at - 1;
            while i > 0 && at - i < 12 && (text[i - 1].is_ascii_digit() || text[i - 1] == b';') {
                i -= 1;
            }
            i > 0 && text[i - 1] == b'['
        }
        _ => before(3) == b'%' && prev.is_ascii_hexdigit() && before(2).is_ascii_hexdigit(),
    }
}

/// Shannon entropy in bits per byte (of the first 512 bytes).
pub fn entropy(v: &[u8]) -> f32 {
    let v = &v[..v.len().min(512)];
    if v.is_empty() {
        return 0.0;
    }
    let mut counts = [0u16; 256];
    for &b in v {
        counts[usize::from(b)] += 1;
    }
    let n = f32::from(u16::try_from(v.len()).unwrap_or(512));
    let mut sum = 0.0f32;
    for &b in v {
        let c = std::mem::take(&mut counts[usize::from(b)]);
        if c > 0 {
            let p = f32::from(c) / n;
            sum -= p * p.log2();
        }
    }
    sum
}
