//! Reading an expression from left to right: texts, names, calls that make a text of another one.

use std::ops::Range;
use std::rc::Rc;

use super::scope::Scope;
use super::sources::statement_end;
use super::tokens::{Kind, Token, Tongue, closing, parts, tokens};
use super::values::{Hole, Made};

/// An expression that is read from left to right.
pub(super) struct Expression<'s> {
    pub(super) scope: Scope<'s>,
    pub(super) tokens: &'s [Token],
    pub(super) at: usize,
    /// Where names are looked up from.
    pub(super) place: usize,
}

impl Expression<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek(0).is_some_and(|token| token.is(text))
    }

    /// Texts that are put together.
    pub(super) fn sum(&mut self) -> Option<Made> {
        let mut made = self.unit()?;
        while self.at < self.tokens.len() {
            if self.next_is("+") {
                self.at += 1;
            } else if !self.peek(0).is_some_and(Token::is_text) {
                break;
            }
            made = made.and(self.unit()?);
        }
        Some(made)
    }

    fn unit(&mut self) -> Option<Made> {
        while self.next_is("&") || self.next_is("*") {
            self.at += 1;
        }
        let token = self.peek(0)?.clone();
        let made = match token.kind {
            Kind::Text => {
                self.at += 1;
                Made::known(&token.text)
            }
            Kind::Template => {
                self.at += 1;
                self.template(&token.text)?
            }
            Kind::Sign if token.text == "(" => {
                let close = closing(self.tokens, self.at);
                let inside = self.scope.text(self.at + 1..close)?;
                self.at = close + 1;
                inside
            }
            Kind::Word => self.path()?,
            _ => return None,
        };
        self.methods(made)
    }

    /// A name, a member of something, or a call.
    fn path(&mut self) -> Option<Made> {
        // What an object calls its own is called so in its class.
        let is_own = self.peek(0).is_some_and(|it| matches!(it.text.as_str(), "self" | "this" | "cls"));
        if is_own && self.peek(1).is_some_and(|next| next.is(".")) && self.peek(2).is_some_and(Token::is_word)
        {
            self.at += 2;
        }
        let first = self.at;
        let mut last = first;
        while self.tokens.get(last + 1).is_some_and(|next| next.is(".") || next.is("::"))
            && self.tokens.get(last + 2).is_some_and(Token::is_word)
            && !(self.tokens.get(last + 3).is_some_and(|next| next.is("(")) && self.tokens[last + 1].is("."))
        {
            last += 2;
        }
        let name = self.tokens[last].text.clone();
        self.at = last + 1;
        if self.next_is("!") && self.peek(1).is_some_and(|next| next.is("(")) {
            self.at += 1;
        }
        let key = self.peek(1).filter(|key| key.is_text()).map(|key| key.text.clone());
        if self.next_is("[") && self.peek(2).is_some_and(|next| next.is("]")) {
            self.at += 3;
            return self.member(first, &key?);
        }
        if !self.next_is("(") {
            // What the package holds is called by its last name.
            let found = self.scope.named(&name, self.place);
            return if last == first { found } else { found.or_else(|| self.member(first, &name)) };
        }
        let close = closing(self.tokens, self.at);
        let arguments = parts(self.tokens, self.at + 1, close);
        self.at = close + 1;
        match name.as_str() {
            "format" | "Sprintf" | "concat" | "formatted" => self.format(&arguments),
            "name" if arguments.is_empty() && self.scope.source.tongue == Tongue::Java => {
                let own = self.scope.own_enumeration(self.place)?;
                Some(Made::open(Hole::OneOf(Rc::new(own))))
            }
            "ToUpper" | "str" | "String" | "from" | "ToUpperSpecial" => {
                let mut made = self.scope.text(arguments.first()?.clone())?;
                made.is_upper |= name == "ToUpper";
                Some(made)
            }
            _ if arguments.is_empty() => self.scope.deeper()?.made_of_nothing(&name),
            _ => {
                let [argument] = arguments.as_slice() else { return None };
                let handed = self.scope.text(argument.clone())?;
                Some(self.scope.deeper()?.maker(&name)?.filled(&handed))
            }
        }
    }

    /// The member of a table, or of what a loop runs over.
    fn member(&self, first: usize, name: &str) -> Option<Made> {
        let table = &self.tokens[first].text;
        if let Some(made) = self.scope.named(table, self.place).filter(|made| made.hole().is_some()) {
            return Some(made);
        }
        let scope = self.scope.deeper()?;
        let sources = std::iter::once(scope.source).chain(
            scope
                .sources
                .iter()
                .filter(|other| other.tongue == scope.source.tongue && other.path != scope.source.path),
        );
        let mut found = sources.flat_map(|source| {
            source.members(name).filter_map(move |value| Scope { source, ..scope }.text(value))
        });
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// `.upper()` and its like, `.format(…)`, `% name`.
    fn methods(&mut self, mut made: Made) -> Option<Made> {
        loop {
            if self.next_is("%") && made.whole().is_some() {
                let from = self.at + 1;
                let end = statement_end(self.tokens, from);
                self.at = end;
                return filled_in(&made.whole()?, &[self.scope.text(from..end)?]);
            }
            let is_method = self.next_is(".") && self.peek(2).is_some_and(|next| next.is("("));
            if !is_method {
                return Some(made);
            }
            let name = self.peek(1)?.text.clone();
            let close = closing(self.tokens, self.at + 2);
            let arguments = parts(self.tokens, self.at + 3, close);
            self.at = close + 1;
            match name.as_str() {
                "upper" | "toUpperCase" | "to_uppercase" | "to_ascii_uppercase" => made.is_upper = true,
                // The name of a constant that a loop runs over.
                "name" if self.scope.source.tongue == Tongue::Java && made.hole().is_some() => {}
                "as_str" | "to_string" | "to_owned" | "into" | "as_ref" | "strip" | "trim" | "toString"
                | "clone" | "replace" | "replaceAll" => {}
                "concat" => {
                    for argument in arguments {
                        made = made.and(self.scope.text(argument)?);
                    }
                }
                "format" | "formatted" => {
                    let values: Option<Vec<Made>> =
                        arguments.into_iter().map(|it| self.scope.text(it)).collect();
                    made = filled_in(&made.whole()?, &values?)?;
                }
                _ => return None,
            }
        }
    }

    fn format(&self, arguments: &[Range<usize>]) -> Option<Made> {
        let (first, rest) = arguments.split_first()?;
        let pattern = self.scope.text(first.clone())?.whole()?;
        let values: Option<Vec<Made>> = rest.iter().map(|range| self.scope.text(range.clone())).collect();
        if self.scope.source.tongue == Tongue::Rust {
            return self.braces(&pattern, &values?);
        }
        filled_in(&pattern, &values?)
    }

    /// `{}` and `{name}` of Rust.
    fn braces(&self, pattern: &str, values: &[Made]) -> Option<Made> {
        let mut values = values.iter();
        let mut made = Made::default();
        let mut rest = pattern;
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}')?;
            made = made.and(Made::known(before));
            made = made.and(if name.is_empty() {
                values.next()?.clone()
            } else {
                self.scope.named(name, self.place)?
            });
            rest = behind;
        }
        Some(made.and(Made::known(rest)))
    }

    /// The places of a template.
    fn template(&self, text: &str) -> Option<Made> {
        let open = if self.scope.source.tongue == Tongue::JavaScript { "${" } else { "{" };
        let mut made = Made::default();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once(open) {
            let (inside, behind) = after.split_once('}')?;
            made = made.and(Made::known(before));
            made = made.and(self.placed(inside)?);
            rest = behind;
        }
        Some(made.and(Made::known(rest)))
    }

    /// What stands in a place of a template: a name, perhaps in upper case.
    fn placed(&self, inside: &str) -> Option<Made> {
        let words = tokens(inside, self.scope.source.tongue);
        let is_upper = words.iter().any(|token| matches!(token.text.as_str(), "upper" | "toUpperCase"));
        let name = words
            .iter()
            .take_while(|token| !token.is("(") && !token.is("!"))
            .filter(|token| token.is_word() && !matches!(token.text.as_str(), "upper" | "toUpperCase"));
        let mut made = self.scope.named(&name.last()?.text, self.place)?;
        made.is_upper |= is_upper;
        Some(made)
    }
}

/// `%s` or `{}` filled in, one after another.
fn filled_in(pattern: &str, values: &[Made]) -> Option<Made> {
    let mark = if pattern.contains("%s") { "%s" } else { "{}" };
    let mut made = Made::default();
    let mut pieces = pattern.split(mark);
    made = made.and(Made::known(pieces.next()?));
    for (at, piece) in pieces.enumerate() {
        made = made.and(values.get(at)?.clone()).and(Made::known(piece));
    }
    Some(made)
}
