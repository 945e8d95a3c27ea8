//! Expressions as far as paths are put together in them: strings, names, calls, joins and sums. The rest is unknown.

use super::tokens::{Dialect, Kind, Part, Token, tokens};

/// How deep expressions are read.
const DEEPEST: usize = 24;

/// An expression.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Expr {
    /// Pieces of text and of code that follow each other.
    Text(Vec<Expr>),
    Literal(String),
    Name(String),
    Number(usize),
    /// `of.name`, `of::name`.
    Field(Box<Expr>, String),
    Call(Box<Expr>, Vec<Argument>),
    Index(Box<Expr>, Box<Expr>),
    /// `+`, `/`, `%`, or `|` for "this or else that".
    Binary(char, Box<Expr>, Box<Expr>),
    List(Vec<Expr>),
    /// A function without a name: its parameters, and its body where that is an expression.
    Lambda(Vec<String>, Box<Expr>),
    Unknown,
}

/// What a call is given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Argument {
    /// The name, where it is given by name.
    pub(super) name: Option<String>,
    pub(super) value: Expr,
    /// It is spread: `*rest`, `...rest`.
    pub(super) is_spread: bool,
}

impl Expr {
    /// The names of a chain: `a.b.c` gives `["a", "b", "c"]`; nothing where something else stands in it.
    pub(super) fn chain(&self) -> Option<Vec<&str>> {
        match self {
            Self::Name(name) => Some(vec![name]),
            Self::Field(of, name) => {
                let mut names = of.chain()?;
                names.push(name);
                Some(names)
            }
            _ => None,
        }
    }

    /// The last name of what is called or named.
    pub(super) fn last_name(&self) -> &str {
        match self {
            Self::Name(name) | Self::Field(_, name) => name,
            _ => "",
        }
    }
}

/// Reads expressions out of tokens.
pub(super) struct Reader<'t> {
    pub(super) tokens: &'t [Token],
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    depth: usize,
}

/// Reads the expression that begins at a token, and tells where it ends.
pub(super) fn expression(tokens: &[Token], at: usize, dialect: Dialect) -> (Expr, usize) {
    let mut reader = Reader { tokens, at, dialect, depth: 0 };
    let read = reader.any(false);
    (read, reader.at)
}

/// Reads only the chain of names, calls and places that begins at a token.
pub(super) fn chain(tokens: &[Token], at: usize, dialect: Dialect) -> Expr {
    Reader { tokens, at, dialect, depth: 0 }.unary(false)
}

impl Reader<'_> {
    fn sees(&self, sign: &str) -> bool {
        self.tokens.get(self.at).is_some_and(|token| token.is(sign))
    }

    fn takes(&mut self, sign: &str) -> bool {
        let sees = self.sees(sign);
        self.at += usize::from(sees);
        sees
    }

    /// Whether the statement ends before the next token.
    fn ends(&self, inside: bool) -> bool {
        let new_line = self.tokens.get(self.at).is_none_or(|token| token.begins.is_some());
        self.dialect == Dialect::Python && new_line && !inside
    }

    fn any(&mut self, inside: bool) -> Expr {
        self.depth += 1;
        let mut left = if self.depth > DEEPEST { Expr::Unknown } else { self.sum(inside) };
        loop {
            let is_or = self.sees("||")
                || self.sees("??")
                || (self.dialect == Dialect::Python
                    && self.tokens.get(self.at).is_some_and(|token| token.name() == "or"));
            if !is_or || self.ends(inside) {
                break;
            }
            self.at += 1;
            let right = self.sum(inside);
            left = Expr::Binary('|', Box::new(left), Box::new(right));
        }
        // What is chosen by a condition is not known.
        let chooses = match self.dialect {
            Dialect::Python => self.tokens.get(self.at).is_some_and(|token| token.name() == "if"),
            Dialect::Rust => false,
            _ => self.sees("?"),
        };
        self.depth -= 1;
        if chooses && !self.ends(inside) { Expr::Unknown } else { left }
    }

    fn sum(&mut self, inside: bool) -> Expr {
        let mut left = self.product(inside);
        while self.sees("+") && !self.ends(inside) {
            self.at += 1;
            let right = self.product(inside);
            left = Expr::Binary('+', Box::new(left), Box::new(right));
        }
        left
    }

    fn product(&mut self, inside: bool) -> Expr {
        let mut left = self.unary(inside);
        while (self.sees("/") || self.sees("%")) && !self.ends(inside) {
            let sign = if self.sees("/") { '/' } else { '%' };
            self.at += 1;
            let right = self.unary(inside);
            left = Expr::Binary(sign, Box::new(left), Box::new(right));
        }
        left
    }

    fn unary(&mut self, inside: bool) -> Expr {
        while let Some(token) = self.tokens.get(self.at) {
            let passes = ["&", "*", "!", "..."].iter().any(|sign| token.is(sign))
                || matches!(token.name(), "await" | "new" | "mut" | "move" | "not" | "ref" | "async");
            if !passes {
                break;
            }
            self.at += 1;
        }
        let mut read = self.primary(inside);
        while let Some(token) = self.tokens.get(self.at) {
            if self.ends(inside) {
                break;
            }
            if token.is(".") || token.is("?.") || token.is("::") {
                let Some(next) = self.tokens.get(self.at + 1) else { break };
                if next.is("<") {
                    // The types of a call in Rust.
                    self.at += 1;
                    self.skip_angles();
                    continue;
                }
                self.at += 2;
                if let Kind::Number(_) = next.kind {
                    read = Expr::Unknown;
                    continue;
                }
                read = Expr::Field(Box::new(read), next.name().to_owned());
            } else if token.is("(") && (token.begins.is_none() || inside) {
                let arguments = self.arguments(")");
                read = Expr::Call(Box::new(read), arguments);
            } else if token.is("[") && (token.begins.is_none() || inside) {
                self.at += 1;
                let index = self.any(true);
                self.close("]");
                read = Expr::Index(Box::new(read), Box::new(index));
            } else if token.is("!") && self.dialect == Dialect::Rust && self.macro_opens() {
                self.at += 1;
                let close = match &self.tokens[self.at].kind {
                    Kind::Sign("[") => "]",
                    Kind::Sign("{") => "}",
                    _ => ")",
                };
                let name = format!("{}!", read.last_name());
                let arguments = self.arguments(close);
                read = Expr::Call(Box::new(Expr::Name(name)), arguments);
            } else if (token.is("?") && self.dialect == Dialect::Rust)
                || (token.is("!") && self.dialect == Dialect::JavaScript)
            {
                self.at += 1;
            } else if token.is("{") && self.dialect == Dialect::Java && matches!(&read, Expr::Index(..)) {
                // new String[] { … }
                read = Expr::List(self.arguments("}").into_iter().map(|one| one.value).collect());
            } else {
                break;
            }
        }
        read
    }

    fn macro_opens(&self) -> bool {
        self.tokens.get(self.at + 1).is_some_and(|token| ["(", "[", "{"].iter().any(|sign| token.is(sign)))
    }

    fn primary(&mut self, inside: bool) -> Expr {
        let Some(token) = self.tokens.get(self.at) else { return Expr::Unknown };
        match &token.kind {
            Kind::String(parts) => {
                self.at += 1;
                let mut pieces = self.pieces(parts);
                // Strings that follow each other are one.
                while matches!(self.dialect, Dialect::Python | Dialect::C)
                    && !self.ends(inside)
                    && let Some(Kind::String(more)) = self.tokens.get(self.at).map(|token| &token.kind)
                {
                    self.at += 1;
                    pieces.extend(self.pieces(more));
                }
                match pieces.as_slice() {
                    [one] => one.clone(),
                    _ => Expr::Text(pieces),
                }
            }
            Kind::Number(number) => {
                self.at += 1;
                number.parse().map_or(Expr::Unknown, Expr::Number)
            }
            Kind::Name(name) => {
                self.at += 1;
                if name == "lambda" && self.dialect == Dialect::Python {
                    let mut names = Vec::new();
                    while !self.sees(":") && self.at < self.tokens.len() {
                        names.push(self.tokens[self.at].name().to_owned());
                        self.at += 1;
                    }
                    names.retain(|name| !name.is_empty());
                    self.at += 1;
                    return Expr::Lambda(names, Box::new(self.any(inside)));
                }
                if self.sees("=>") || (self.dialect == Dialect::Java && self.sees("->")) {
                    let names = vec![name.clone()];
                    return self.arrow(names);
                }
                if self.dialect == Dialect::C && matches!(self.next_kind(), Some(Kind::String(_))) {
                    // A macro before a string that it is put together with.
                    let first = Expr::Name(name.clone());
                    let rest = self.primary(inside);
                    return Expr::Text(vec![first, rest]);
                }
                Expr::Name(name.clone())
            }
            Kind::Sign("(") => self.parenthesis(),
            Kind::Sign("[") => {
                if self.dialect == Dialect::Go
                    && self.tokens.get(self.at + 1).is_some_and(|token| token.is("]"))
                    && self.tokens.get(self.at + 3).is_some_and(|token| token.is("{"))
                {
                    self.at += 3;
                    return Expr::List(self.arguments("}").into_iter().map(|one| one.value).collect());
                }
                Expr::List(self.arguments("]").into_iter().map(|one| one.value).collect())
            }
            Kind::Sign("{") if matches!(self.dialect, Dialect::Java | Dialect::C | Dialect::Python) => {
                Expr::List(self.arguments("}").into_iter().map(|one| one.value).collect())
            }
            Kind::Sign("{") => {
                self.balanced();
                Expr::Unknown
            }
            Kind::Sign("|") if self.dialect == Dialect::Rust => {
                self.at += 1;
                let mut names = Vec::new();
                while !self.sees("|") && self.at < self.tokens.len() {
                    let before_type = !self.tokens[self.at - 1].is(":") && !self.tokens[self.at - 1].is("&");
                    let name = self.tokens[self.at].name();
                    if before_type && !name.is_empty() && name != "mut" {
                        names.push(name.to_owned());
                    }
                    self.at += 1;
                }
                self.at += 1;
                Expr::Lambda(names, Box::new(self.any(inside)))
            }
            _ => Expr::Unknown,
        }
    }

    fn next_kind(&self) -> Option<&Kind> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn parenthesis(&mut self) -> Expr {
        let begin = self.at;
        let end = closing(self.tokens, begin);
        let after = self.tokens.get(end + 1);
        let is_arrow =
            after.is_some_and(|token| token.is("=>") || (self.dialect == Dialect::Java && token.is("->")));
        if is_arrow {
            let names = self.tokens[begin + 1..end.min(self.tokens.len())]
                .split(|token| token.is(","))
                .filter_map(|one| one.iter().map(Token::name).find(|name| !name.is_empty()))
                .map(str::to_owned)
                .collect();
            self.at = end + 1;
            return self.arrow(names);
        }
        let mut list = self.arguments(")");
        match list.len() {
            1 => list.remove(0).value,
            0 => Expr::Unknown,
            _ => Expr::List(list.into_iter().map(|one| one.value).collect()),
        }
    }

    /// The body behind the arrow.
    fn arrow(&mut self, names: Vec<String>) -> Expr {
        self.at += 1;
        if self.sees("{") {
            self.balanced();
            return Expr::Lambda(names, Box::new(Expr::Unknown));
        }
        Expr::Lambda(names, Box::new(self.any(true)))
    }

    fn balanced(&mut self) {
        self.at = closing(self.tokens, self.at) + 1;
    }

    fn skip_angles(&mut self) {
        let mut depth = 0_i64;
        while let Some(token) = self.tokens.get(self.at) {
            depth += i64::from(token.is("<")) - i64::from(token.is(">"));
            self.at += 1;
            if depth <= 0 {
                break;
            }
        }
    }

    /// What stands between brackets, at the opening one.
    fn arguments(&mut self, close: &str) -> Vec<Argument> {
        let end = closing(self.tokens, self.at).min(self.tokens.len());
        self.at += 1;
        let mut all = Vec::new();
        while self.at < end {
            let begin = self.at;
            let is_spread = self.sees("*") || self.sees("...");
            let name = self.tokens.get(begin).map(|token| token.name().to_owned());
            let mut named = None;
            if let Some(name) = name.filter(|name| !name.is_empty())
                && self.tokens.get(begin + 1).is_some_and(|token| token.is("=") || token.is(":"))
                && matches!(self.dialect, Dialect::Python | Dialect::Java | Dialect::Go)
            {
                named = Some(name);
                self.at += 2;
            }
            let value = self.any(true);
            let is_spread = is_spread || self.takes("...");
            // What is not understood up to the next comma makes the whole unknown, except types and loops behind it.
            let clean = self.sees(",") || self.at >= end;
            let follows = self.tokens.get(self.at).map(Token::name).unwrap_or_default();
            let value = if clean || matches!(follows, "for" | "as") || named.is_some() {
                value
            } else {
                Expr::Unknown
            };
            all.push(Argument { name: named, value, is_spread });
            let mut depth = 0_i64;
            while self.at < end {
                let token = &self.tokens[self.at];
                if depth == 0 && token.is(",") {
                    break;
                }
                depth += i64::from(["(", "[", "{"].iter().any(|sign| token.is(sign)));
                depth -= i64::from([")", "]", "}"].iter().any(|sign| token.is(sign)));
                self.at += 1;
            }
            self.takes(",");
            if self.at == begin {
                break;
            }
        }
        self.at = end;
        self.close(close);
        all
    }

    fn close(&mut self, sign: &str) {
        if !self.takes(sign) && self.at < self.tokens.len() {
            self.at += 1;
        }
    }

    fn pieces(&self, parts: &[Part]) -> Vec<Expr> {
        let read = |part: &Part| match part {
            Part::Text(text) if text.is_empty() && parts.len() > 1 => None,
            Part::Text(text) => Some(Expr::Literal(text.clone())),
            Part::Code(code) => {
                // What follows a colon says how it is written, which makes another text of it.
                if self.dialect == Dialect::Python && code.contains(':') {
                    return Some(Expr::Unknown);
                }
                let code = if self.dialect == Dialect::Python {
                    code.split('!').next().unwrap_or_default()
                } else {
                    code
                };
                let inner = tokens(code, self.dialect);
                Some(if self.depth > DEEPEST / 2 {
                    Expr::Unknown
                } else {
                    Reader { tokens: &inner, at: 0, dialect: self.dialect, depth: self.depth + 4 }.any(true)
                })
            }
        };
        parts.iter().filter_map(read).collect()
    }
}

/// Where the bracket that opens at a token is closed; the end where it is not.
pub(super) fn closing(tokens: &[Token], at: usize) -> usize {
    tokens.get(at).map_or(tokens.len(), |token| token.closes.min(tokens.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(expr: &Expr) -> String {
        let all = |list: &[Expr]| list.iter().map(told).collect::<Vec<_>>().join(",");
        match expr {
            Expr::Text(pieces) => format!("<{}>", all(pieces)),
            Expr::Literal(text) => format!("'{text}'"),
            Expr::Name(name) => name.clone(),
            Expr::Number(number) => number.to_string(),
            Expr::Field(of, name) => format!("{}.{name}", told(of)),
            Expr::Call(of, given) => {
                let given: Vec<Expr> = given.iter().map(|one| one.value.clone()).collect();
                format!("{}({})", told(of), all(&given))
            }
            Expr::Index(of, index) => format!("{}[{}]", told(of), told(index)),
            Expr::Binary(sign, left, right) => format!("({} {sign} {})", told(left), told(right)),
            Expr::List(list) => format!("[{}]", all(list)),
            Expr::Lambda(names, body) => format!("({} => {})", names.join(","), told(body)),
            Expr::Unknown => "?".to_owned(),
        }
    }

    #[test]
    fn paths_are_read_as_they_are_written() {
        for (text, dialect, wanted) in [
            ("HERE / 'a' / f'{n}.json'", Dialect::Python, "((HERE / 'a') / <n,'.json'>)"),
            (
                "os.path.join(HERE, *rest, name + '.x')",
                Dialect::Python,
                "os.path.join(HERE,rest,(name + '.x'))",
            ),
            ("Path(__file__).parents[1]\nx", Dialect::Python, "Path(__file__).parents[1]"),
            ("open(p, newline='', encoding=e)", Dialect::Python, "open(p,'',e)"),
            ("path.join(ROOT, ...parts)", Dialect::JavaScript, "path.join(ROOT,parts)"),
            ("(n) => load(`${n}.json`)", Dialect::JavaScript, "(n => load(<n,'.json'>))"),
            ("process.env.X || 'a.json'", Dialect::JavaScript, "(process.env.X | 'a.json')"),
            ("names.map((n) => { x })", Dialect::JavaScript, "names.map((n => ?))"),
            ("filepath.Join(\"a\", n+\".golden\")", Dialect::Go, "filepath.Join('a',(n + '.golden'))"),
            ("[]string{\"a\", \"b\"}", Dialect::Go, "['a','b']"),
            ("Path::new(env!(\"D\")).join(n)?", Dialect::Rust, "Path.new(env!('D')).join(n)"),
            ("|n: &str| f(n)", Dialect::Rust, "(n => f(n))"),
            ("new String[] {\"a\", \"b\"}", Dialect::Java, "['a','b']"),
            ("DIR \"/x.csv\"", Dialect::C, "<DIR,'/x.csv'>"),
        ] {
            let all = tokens(text, dialect);
            assert_eq!(told(&expression(&all, 0, dialect).0), wanted, "{text}");
        }
    }
}
