//! Source code as words, texts, numbers and signs, in the languages that the probes follow things through.

/// A language of sources.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tongue {
    Python,
    JavaScript,
    Rust,
    Go,
    Java,
    C,
}

impl Tongue {
    /// The language of a file, by its ending.
    pub(crate) fn of(path: &str) -> Option<Self> {
        Some(match path.rsplit_once('.')?.1 {
            "py" => Self::Python,
            "js" | "ts" | "mjs" | "cjs" | "tsx" | "jsx" | "mts" | "cts" => Self::JavaScript,
            "rs" => Self::Rust,
            "go" => Self::Go,
            "java" | "kt" => Self::Java,
            "c" | "cc" | "cpp" | "h" | "hpp" => Self::C,
            _ => return None,
        })
    }
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Number,
    /// One sign; `=>`, `::`, `:=`, `==`, `!=`, `??`, `||`, `&&` and `->` are one as well.
    Sign,
    /// What stands in quotes.
    Text,
    /// The same with places to fill in.
    Template,
}

/// A piece of code.
#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    /// As written; a text without its quotes.
    pub(crate) text: String,
    pub(crate) line: usize,
    /// How far the line is moved in, where this is its first token.
    pub(crate) begins: Option<usize>,
}

impl Token {
    pub(crate) fn is(&self, text: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Sign) && self.text == text
    }

    pub(crate) fn is_word(&self) -> bool {
        self.kind == Kind::Word
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.kind, Kind::Text | Kind::Template)
    }
}

/// The longest source that is taken apart, in tokens.
const MOST: usize = 60_000;
const DOUBLE: [&str; 12] = ["=>", "::", ":=", "==", "!=", "??", "||", "&&", "->", "?.", "+=", ">="];

/// Takes a source apart. What is cut off ends with the text.
pub(crate) fn tokens(text: &str, tongue: Tongue) -> Vec<Token> {
    let mut reader = Reader { bytes: text.as_bytes(), text, at: 0, line: 1, indent: 0, fresh: true, tongue };
    let mut all = Vec::new();
    while all.len() < MOST
        && let Some(token) = reader.next()
    {
        all.push(token);
    }
    all
}

struct Reader<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    line: usize,
    indent: usize,
    /// Whether no token of this line was met yet.
    fresh: bool,
    tongue: Tongue,
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Token> {
        self.skip();
        let rest = self.bytes.get(self.at..).filter(|rest| !rest.is_empty())?;
        let begins = std::mem::take(&mut self.fresh).then_some(self.indent);
        let line = self.line;
        let first = rest[0];
        let (kind, text) = if let Some((open, quote, is_template)) = self.opening(rest) {
            let inside = self.inside(open, quote);
            (if is_template { Kind::Template } else { Kind::Text }, inside)
        } else if is_part(first) {
            let end = rest.iter().position(|byte| !is_part(*byte)).unwrap_or(rest.len());
            let word = self.take(end);
            (if first.is_ascii_digit() { Kind::Number } else { Kind::Word }, word)
        } else {
            let double = rest.get(..2).is_some_and(|two| DOUBLE.iter().any(|sign| sign.as_bytes() == two));
            let length = if double { 2 } else { 1 };
            (Kind::Sign, self.take(length))
        };
        Some(Token { kind, text, line, begins })
    }

    fn take(&mut self, length: usize) -> String {
        let from = self.at;
        let mut to = (from + length).min(self.bytes.len());
        while !self.text.is_char_boundary(to) {
            to += 1;
        }
        self.at = to;
        self.text.get(from..to).unwrap_or_default().to_owned()
    }

    /// Passes over space and comments.
    fn skip(&mut self) {
        while let Some(byte) = self.bytes.get(self.at) {
            let rest = &self.bytes[self.at..];
            match byte {
                b'\n' => {
                    self.line += 1;
                    self.at += 1;
                    self.indent = 0;
                    self.fresh = true;
                }
                b' ' | b'\t' | b'\r' => {
                    self.indent += usize::from(self.fresh);
                    self.at += 1;
                }
                b'#' if matches!(self.tongue, Tongue::Python) => self.pass_line(),
                b'/' if self.tongue != Tongue::Python && rest.starts_with(b"//") => self.pass_line(),
                b'/' if self.tongue != Tongue::Python && rest.starts_with(b"/*") => {
                    let end =
                        rest.windows(2).skip(2).position(|two| two == b"*/").map_or(rest.len(), |at| at + 4);
                    self.pass(end);
                }
                _ => return,
            }
        }
    }

    fn pass_line(&mut self) {
        while self.bytes.get(self.at).is_some_and(|byte| *byte != b'\n') {
            self.at += 1;
        }
    }

    fn pass(&mut self, length: usize) {
        let to = (self.at + length).min(self.bytes.len());
        self.line += self.bytes[self.at..to].split(|byte| *byte == b'\n').count() - 1;
        self.at = to;
    }

    /// How long the opening of a text is, what closes it, and whether it has places to fill in.
    fn opening(&self, rest: &[u8]) -> Option<(usize, &'static [u8], bool)> {
        let prefix = rest.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let before = &rest[..prefix];
        let after = &rest[prefix..];
        match self.tongue {
            Tongue::Python => {
                let known = before.iter().all(|byte| b"rbfuRBFU".contains(byte));
                let filled = before.iter().any(|byte| b"fF".contains(byte));
                let quotes: [&'static [u8]; 4] = [b"\"\"\"", b"'''", b"\"", b"'"];
                let quote = quotes.into_iter().find(|quote| after.starts_with(quote))?;
                known.then_some((prefix + quote.len(), quote, filled))
            }
            Tongue::Rust => {
                if after.starts_with(b"\"") && before.iter().all(|byte| b"rbc".contains(byte)) {
                    return Some((prefix + 1, b"\"", false));
                }
                if before.ends_with(b"r") && after.starts_with(b"#\"") {
                    return Some((prefix + 2, b"\"#", false));
                }
                // A letter in quotes, not the name of a life time.
                let is_letter = after.get(2) == Some(&b'\'') || after.get(1) == Some(&b'\\');
                (prefix == 0 && after.starts_with(b"'") && is_letter).then_some((1, b"'", false))
            }
            _ if prefix > 0 => None,
            _ if rest.starts_with(b"\"\"\"") && self.tongue == Tongue::Java => Some((3, b"\"\"\"", false)),
            _ if rest[0] == b'"' => Some((1, b"\"", false)),
            _ if rest[0] == b'\'' => Some((1, b"'", false)),
            Tongue::JavaScript if rest[0] == b'`' => Some((1, b"`", true)),
            Tongue::Go if rest[0] == b'`' => Some((1, b"`", false)),
            _ => None,
        }
    }

    /// What stands in a text, and the reader behind it.
    fn inside(&mut self, open: usize, quote: &[u8]) -> String {
        self.pass(open);
        let from = self.at;
        let many_lines = quote.len() > 1 || quote == b"`" || self.tongue == Tongue::Rust;
        while let Some(byte) = self.bytes.get(self.at) {
            if self.bytes[self.at..].starts_with(quote) || (*byte == b'\n' && !many_lines) {
                break;
            }
            let escaped = *byte == b'\\' && !(self.tongue == Tongue::Go && quote == b"`") && quote != b"\"#";
            self.pass(if escaped { 2 } else { 1 });
        }
        let to = self.at.min(self.bytes.len());
        if self.bytes[to..].starts_with(quote) {
            self.pass(quote.len());
        }
        String::from_utf8_lossy(&self.bytes[from..to]).into_owned()
    }
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Where the bracket that opens at `at` closes; the end where it never does.
pub(crate) fn closing(tokens: &[Token], at: usize) -> usize {
    let mut depth = 0_usize;
    for (index, token) in tokens.iter().enumerate().skip(at) {
        if token.kind != Kind::Sign {
            continue;
        }
        match token.text.as_str() {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return index;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

/// The parts between commas of what stands between two brackets, as ranges.
pub(crate) fn parts(tokens: &[Token], from: usize, to: usize) -> Vec<std::ops::Range<usize>> {
    let (mut all, mut begin, mut at) = (Vec::new(), from, from);
    while at < to {
        match tokens[at].text.as_str() {
            "(" | "[" | "{" if tokens[at].kind == Kind::Sign => {
                at = closing(tokens, at).min(to.saturating_sub(1)) + 1;
                continue;
            }
            "," if tokens[at].kind == Kind::Sign => {
                all.push(begin..at);
                begin = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    if begin < to {
        all.push(begin..to);
    }
    all.retain(|range| !range.is_empty());
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_taken_apart() {
        let seen = |text: &str, tongue| {
            tokens(text, tongue)
                .into_iter()
                .map(|it| format!("{:?}:{}", it.kind, it.text))
                .collect::<Vec<_>>()
        };
        assert_eq!(seen("x = f\"A_{k}\"  # no", Tongue::Python), ["Word:x", "Sign:=", "Template:A_{k}"]);
        assert_eq!(
            seen("const a = `X_${b}` ?? 'c' // d", Tongue::JavaScript),
            ["Word:const", "Word:a", "Sign:=", "Template:X_${b}", "Sign:??", "Text:c"]
        );
        assert_eq!(
            seen("v, ok := os.LookupEnv(\"K\") /* e */", Tongue::Go),
            [
                "Word:v", "Sign:,", "Word:ok", "Sign::=", "Word:os", "Sign:.", "Word:LookupEnv", "Sign:(",
                "Text:K", "Sign:)"
            ]
        );
        assert_eq!(seen("fn f<'a>(k: &'a str)", Tongue::Rust).len(), 14);
    }

    #[test]
    fn nothing_that_is_cut_off_breaks_it() {
        for text in ["'", "\"\"\"", "r#\"", "/*", "`é", "'\\", "f'", "é\"", "(((", "\"a\\"] {
            for tongue in
                [Tongue::Python, Tongue::JavaScript, Tongue::Rust, Tongue::Go, Tongue::Java, Tongue::C]
            {
                let all = tokens(text, tongue);
                assert!(closing(&all, 0) <= all.len());
            }
        }
    }
}
