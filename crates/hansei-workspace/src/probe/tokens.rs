//! A source file as a list of tokens, in the languages whose paths are followed: enough to read expressions, no more.

/// The languages whose expressions are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    Python,
    JavaScript,
    Go,
    Rust,
    Java,
    C,
}

impl Dialect {
    /// The language of a file, by its ending.
    pub(super) fn of(path: &str) -> Option<Self> {
        Some(match path.rsplit_once('.')?.1 {
            "py" => Self::Python,
            "js" | "mjs" | "cjs" | "ts" | "mts" | "cts" | "tsx" | "jsx" => Self::JavaScript,
            "go" => Self::Go,
            "rs" => Self::Rust,
            "java" => Self::Java,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" => Self::C,
            _ => return None,
        })
    }
}

/// A piece of a string.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    /// Code that is filled in: `{name}` in Python, `${name}` in JavaScript.
    Code(String),
}

/// What a token is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    Name(String),
    String(Vec<Part>),
    Number(String),
    /// Anything else, one or two characters: `::`, `=>`, `->`, `:=`, `||`, `??`, `==`, `?.`.
    Sign(&'static str),
    /// A sign that matters nowhere.
    Other,
}

/// A token and where it stands.
#[derive(Debug, Clone)]
pub(super) struct Token {
    pub(super) kind: Kind,
    /// Its line, counted from one.
    pub(super) line: usize,
    /// How far it is indented, where it begins a line.
    pub(super) begins: Option<usize>,
    /// Where the bracket that opens here is closed.
    pub(super) closes: usize,
}

impl Token {
    /// Whether this is that sign.
    pub(super) fn is(&self, sign: &str) -> bool {
        matches!(&self.kind, Kind::Sign(own) if *own == sign)
    }

    /// The name that this is, empty for everything else.
    pub(super) fn name(&self) -> &str {
        match &self.kind {
            Kind::Name(name) => name,
            _ => "",
        }
    }
}

const SIGNS: &[&str] = &[
    "...", "===", "!==", "::", "=>", "->", ":=", "||", "??", "==", "!=", "?.", "&&", "//", "<=", ">=", "+=",
    "/=", "(", ")", "[", "]", "{", "}", ",", ".", ":", ";", "=", "+", "/", "%", "&", "*", "!", "?", "|", "<",
    ">", "@", "#", "-",
];

struct Scanner<'t> {
    bytes: &'t [u8],
    text: &'t str,
    at: usize,
    line: usize,
    dialect: Dialect,
    tokens: Vec<Token>,
}

/// The tokens of a text, without comments.
pub(super) fn tokens(text: &str, dialect: Dialect) -> Vec<Token> {
    let mut scanner = Scanner { bytes: text.as_bytes(), text, at: 0, line: 1, dialect, tokens: Vec::new() };
    let mut indent = Some(0);
    while scanner.at < scanner.bytes.len() {
        match scanner.bytes[scanner.at] {
            b'\n' => {
                scanner.line += 1;
                scanner.at += 1;
                indent = Some(0);
            }
            b' ' | b'\t' | b'\r' => {
                scanner.at += 1;
                indent = indent.map(|indent| indent + 1);
            }
            _ => {
                let line = scanner.line;
                if scanner.comment() {
                    continue;
                }
                let kind = scanner.token();
                scanner.tokens.push(Token { kind, line, begins: indent.take(), closes: usize::MAX });
            }
        }
    }
    pair(&mut scanner.tokens);
    scanner.tokens
}

/// Tells every bracket that opens where it is closed.
fn pair(tokens: &mut [Token]) {
    let mut open: Vec<usize> = Vec::new();
    for at in 0..tokens.len() {
        if let Kind::Sign(sign) = tokens[at].kind {
            if matches!(sign, "(" | "[" | "{") {
                open.push(at);
            } else if matches!(sign, ")" | "]" | "}")
                && let Some(begin) = open.pop()
            {
                tokens[begin].closes = at;
            }
        }
    }
}

impl Scanner<'_> {
    fn rest(&self) -> &[u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    /// Passes over a comment, where one begins here.
    fn comment(&mut self) -> bool {
        let rest = self.rest();
        let hash = self.dialect == Dialect::Python && rest[0] == b'#';
        let line = self.dialect != Dialect::Python && rest.starts_with(b"//");
        if hash || line {
            self.at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            return true;
        }
        if self.dialect != Dialect::Python && rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|two| two == b"*/").map_or(rest.len(), |at| at + 4);
            self.pass(end);
            return true;
        }
        false
    }

    /// Moves on by so many bytes, counting lines.
    fn pass(&mut self, count: usize) {
        let end = (self.at + count).min(self.bytes.len());
        self.line += self.bytes[self.at..end].split(|byte| *byte == b'\n').count() - 1;
        self.at = end;
    }

    fn token(&mut self) -> Kind {
        let byte = self.bytes[self.at];
        if let Some(kind) = self.string() {
            return kind;
        }
        if byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80 {
            let is_part =
                |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || *byte == b'$' || *byte >= 0x80;
            let length = self.rest().iter().take_while(|byte| is_part(byte)).count();
            let name = self.text.get(self.at..self.at + length).unwrap_or_default().to_owned();
            self.at += length;
            return Kind::Name(name);
        }
        if byte.is_ascii_digit() {
            let length =
                self.rest().iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            let number = self.text.get(self.at..self.at + length).unwrap_or_default().to_owned();
            self.at += length;
            return Kind::Number(number);
        }
        if self.dialect == Dialect::JavaScript
            && byte == b'/'
            && self.may_be_regex()
            && let Some(length) = self.regex()
        {
            self.at += length;
            return Kind::Other;
        }
        let sign = SIGNS
            .iter()
            .find(|sign| self.rest().starts_with(sign.as_bytes()))
            .filter(|sign| **sign != "//" || self.dialect == Dialect::Python);
        if let Some(sign) = sign {
            self.at += sign.len();
            return Kind::Sign(sign);
        }
        self.at += 1;
        Kind::Other
    }

    /// Whether a slash begins a pattern here and divides nothing.
    fn may_be_regex(&self) -> bool {
        match self.tokens.last().map(|token| &token.kind) {
            None => true,
            Some(Kind::Sign(sign)) => !matches!(*sign, ")" | "]" | "}"),
            Some(Kind::Name(name)) => matches!(name.as_str(), "return" | "typeof" | "case" | "in" | "of"),
            _ => false,
        }
    }

    fn regex(&self) -> Option<usize> {
        let mut in_class = false;
        let mut escaped = false;
        for (at, byte) in self.rest().iter().enumerate().skip(1) {
            match byte {
                b'\n' => return None,
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'[' => in_class = true,
                b']' => in_class = false,
                b'/' if !in_class => return Some(at + 1),
                _ => {}
            }
        }
        None
    }

    /// The string that begins here.
    fn string(&mut self) -> Option<Kind> {
        let rest = self.rest();
        let letters = rest.iter().take(3).take_while(|byte| byte.is_ascii_alphabetic()).count();
        let prefix = &rest[..letters];
        let quoted = &rest[letters..];
        let known: &[u8] = match self.dialect {
            Dialect::Python => b"rRbBfFuU",
            Dialect::Rust => b"rbc",
            _ => b"",
        };
        if !prefix.iter().all(|byte| known.contains(byte)) {
            return None;
        }
        let is_raw = prefix.iter().any(|byte| matches!(byte, b'r' | b'R'));
        let fills = prefix.iter().any(|byte| matches!(byte, b'f' | b'F'));
        if self.dialect == Dialect::Rust && is_raw {
            let hashes = quoted.iter().take_while(|byte| **byte == b'#').count();
            if quoted.get(hashes) != Some(&b'"') {
                return None;
            }
            let mut close = vec![b'"'];
            close.resize(hashes + 1, b'#');
            return Some(self.cut(letters + hashes + 1, &close, true, false, true));
        }
        let quote = *quoted.first()?;
        let triple = quoted.len() > 2 && quoted[1] == quote && quoted[2] == quote;
        match (quote, self.dialect) {
            (b'"' | b'\'', Dialect::Python) | (b'"', Dialect::Java) if triple => {
                Some(self.cut(letters + 3, &[quote; 3], is_raw, fills, true))
            }
            (b'`', Dialect::JavaScript) => Some(self.cut(1, b"`", false, true, true)),
            (b'`', Dialect::Go) => Some(self.cut(1, b"`", true, false, true)),
            (b'"', Dialect::Rust) => Some(self.cut(letters + 1, b"\"", false, false, true)),
            (b'\'', Dialect::Rust) => {
                let is_character = quoted.get(1) == Some(&b'\\') || quoted.get(2) == Some(&b'\'');
                if is_character {
                    return Some(self.cut(letters + 1, b"'", false, false, false));
                }
                // A lifetime.
                self.at += 1;
                Some(Kind::Other)
            }
            (b'"', _) => Some(self.cut(letters + 1, b"\"", is_raw, fills, false)),
            (b'\'', _) => Some(self.cut(letters + 1, b"'", is_raw, fills, false)),
            _ => None,
        }
    }

    /// Cuts a string out: `from` is where its content begins, `close` what ends it.
    fn cut(&mut self, from: usize, close: &[u8], is_raw: bool, fills: bool, over_lines: bool) -> Kind {
        let opens: &[u8] = if self.dialect == Dialect::JavaScript { b"${" } else { b"{" };
        let (mut parts, mut text, mut at) = (Vec::new(), Vec::new(), self.at + from);
        while at < self.bytes.len() && !self.bytes[at..].starts_with(close) {
            let rest = &self.bytes[at..];
            match rest[0] {
                b'\n' if !over_lines => break,
                b'\\' if !is_raw && rest.len() > 1 => {
                    text.push(match rest[1] {
                        b'n' => b'\n',
                        b't' => b'\t',
                        b'r' => b'\r',
                        other => other,
                    });
                    at += 2;
                }
                _ if fills && rest.starts_with(b"{{") && opens == b"{" => {
                    text.push(b'{');
                    at += 2;
                }
                _ if fills && rest.starts_with(opens) => {
                    let (mut depth, mut end) = (0_i64, 0);
                    for (place, byte) in rest.iter().enumerate() {
                        depth += i64::from(*byte == b'{') - i64::from(*byte == b'}');
                        end = place;
                        if *byte == b'}' && depth == 0 {
                            break;
                        }
                    }
                    parts.push(Part::Text(String::from_utf8_lossy(&text).into_owned()));
                    text.clear();
                    let inside = &rest[opens.len()..end.max(opens.len())];
                    parts.push(Part::Code(String::from_utf8_lossy(inside).into_owned()));
                    at += end + 1;
                }
                byte => {
                    text.push(byte);
                    at += 1;
                }
            }
        }
        parts.push(Part::Text(String::from_utf8_lossy(&text).into_owned()));
        let closed = self.bytes.get(at..).is_some_and(|rest| rest.starts_with(close));
        self.pass(at - self.at + if closed { close.len() } else { 0 });
        Kind::String(parts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str, dialect: Dialect) -> String {
        let all = tokens(text, dialect);
        let told = all.iter().map(|token| match &token.kind {
            Kind::Name(name) => name.clone(),
            Kind::Number(number) => format!("#{number}"),
            Kind::Sign(sign) => (*sign).to_owned(),
            Kind::Other => "~".to_owned(),
            Kind::String(parts) => parts
                .iter()
                .map(|part| match part {
                    Part::Text(text) => format!("'{text}'"),
                    Part::Code(code) => format!("<{code}>"),
                })
                .collect(),
        });
        told.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn each_language_has_its_strings_and_comments() {
        for (text, dialect, wanted) in [
            ("a = f\"x/{n}.json\" # c", Dialect::Python, "a = 'x/'<n>'.json'"),
            ("p / \"a\" // b", Dialect::Python, "p / 'a' // b"),
            ("f(`${d}/x`) // c", Dialect::JavaScript, "f ( ''<d>'/x' )"),
            ("x.replace(/'/g, 1) / 2", Dialect::JavaScript, "x . replace ( ~ g , #1 ) / #2"),
            ("a := `x\\n`", Dialect::Go, "a := 'x\\n'"),
            (
                "fn f<'a>(x: &'a str) { r#\"q\"# 'c' }",
                Dialect::Rust,
                "fn f < ~ a > ( x : & ~ a str ) { 'q' 'c' }",
            ),
        ] {
            assert_eq!(told(text, dialect), wanted, "{text}");
        }
    }

    #[test]
    fn what_is_cut_off_breaks_nothing() {
        for text in ["'", "\"\"\"", "r#\"", "/*", "`${", "f'{", "'\\", "é'é", "/x"] {
            for dialect in
                [Dialect::Python, Dialect::JavaScript, Dialect::Go, Dialect::Rust, Dialect::Java, Dialect::C]
            {
                let _ = tokens(text, dialect);
            }
        }
    }
}
