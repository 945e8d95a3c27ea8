//! The functions of a source file: where they begin and end, and what they are given.

use super::definitions::{Function, Parameter, Source};
use super::expressions::{Expr, closing, expression};
use super::tokens::{Dialect, Kind, Token};

/// Words before a bracket that name no function.
const NO_FUNCTIONS: &[&str] = &[
    "if", "for", "while", "switch", "catch", "return", "function", "with", "do", "else", "match",
    "synchronized", "sizeof", "typeof", "await", "super", "new", "constructor", "describe", "it", "test",
];

impl Source {
    /// Finds every function of the file.
    pub(super) fn find_functions(&mut self) {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            let function = match self.dialect {
                Dialect::Python => self.python_function(at),
                Dialect::Go => self.go_function(at),
                Dialect::Rust => self.rust_function(at),
                Dialect::JavaScript => self.javascript_function(at),
                Dialect::Java | Dialect::C => self.typed_function(at),
            };
            found.extend(function);
        }
        self.functions = found;
    }

    fn python_function(&self, at: usize) -> Option<Function> {
        (self.name(at) == "def" && self.is(at + 2, "(")).then_some(())?;
        let close = closing(&self.tokens, at + 2);
        let colon = (close..self.tokens.len().min(close + 40)).find(|at| self.is(*at, ":"))?;
        // The word `async` may stand before it.
        let indent = self.tokens[..=at].iter().rev().find_map(|token| token.begins).unwrap_or_default();
        let mut depth = 0_i64;
        let mut end = self.tokens.len();
        for (place, token) in self.tokens.iter().enumerate().skip(colon + 1) {
            if depth == 0 && token.begins.is_some_and(|begins| begins <= indent) {
                end = place;
                break;
            }
            if let Kind::Sign(sign) = token.kind {
                depth += i64::from(matches!(sign, "(" | "[" | "{"));
                depth -= i64::from(matches!(sign, ")" | "]" | "}"));
            }
        }
        let mut parameters = self.parameters(at + 2, close);
        if parameters.first().is_some_and(|first| matches!(first.name.as_str(), "self" | "cls")) {
            parameters.remove(0);
        }
        Some(Function { name: self.name(at + 1).to_owned(), parameters, body: colon + 1..end, value: None })
    }

    fn go_function(&self, at: usize) -> Option<Function> {
        (self.name(at) == "func").then_some(())?;
        let mut next = at + 1;
        if self.is(next, "(") {
            next = closing(&self.tokens, next) + 1;
        }
        let name = self.name(next).to_owned();
        (!name.is_empty()).then_some(())?;
        let mut open = next + 1;
        if self.is(open, "[") {
            open = closing(&self.tokens, open) + 1;
        }
        self.is(open, "(").then_some(())?;
        let close = closing(&self.tokens, open);
        let mut begin = close + 1;
        if self.is(begin, "(") {
            begin = closing(&self.tokens, begin) + 1;
        }
        let begin = (begin..self.tokens.len().min(begin + 12)).find(|at| self.is(*at, "{"))?;
        Some(Function {
            name,
            parameters: self.parameters(open, close),
            body: begin + 1..closing(&self.tokens, begin),
            value: None,
        })
    }

    fn rust_function(&self, at: usize) -> Option<Function> {
        (self.name(at) == "fn").then_some(())?;
        let name = self.name(at + 1).to_owned();
        let open = (at + 2..self.tokens.len().min(at + 60)).find(|at| self.is(*at, "("))?;
        let close = closing(&self.tokens, open);
        let begin = (close..self.tokens.len().min(close + 80))
            .find(|at| self.is(*at, "{") || self.is(*at, ";"))
            .filter(|at| self.is(*at, "{"))?;
        let mut parameters = self.parameters(open, close);
        parameters.retain(|one| one.name != "self");
        let end = closing(&self.tokens, begin);
        Some(Function { name, parameters, body: begin + 1..end, value: self.tail(begin + 1, end) })
    }

    /// What a block in Rust gives: the expression behind its last statement.
    fn tail(&self, begin: usize, end: usize) -> Option<Expr> {
        let mut depth = 0_i64;
        let mut last = begin;
        for at in begin..end.min(self.tokens.len()) {
            if let Kind::Sign(sign) = self.tokens[at].kind {
                depth += i64::from(matches!(sign, "(" | "[" | "{"));
                depth -= i64::from(matches!(sign, ")" | "]" | "}"));
                if depth == 0 && (sign == ";" || (sign == "}" && self.starts_line(at + 1))) {
                    last = at + 1;
                }
            }
        }
        (last < end).then(|| expression(&self.tokens[..end], last, self.dialect).0)
    }

    fn starts_line(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| token.begins.is_some() && !token.is("."))
    }

    fn javascript_function(&self, at: usize) -> Option<Function> {
        let name = self.name(at);
        if name.is_empty() || NO_FUNCTIONS.contains(&name) {
            return None;
        }
        // name(…) { … }, with `function` before it or in a class or object.
        if self.is(at + 1, "(") && !self.is(at.wrapping_sub(1), ".") {
            let close = closing(&self.tokens, at + 1);
            let begin = self.after_type(close + 1, "{")?;
            return Some(Function {
                name: name.to_owned(),
                parameters: self.parameters(at + 1, close),
                body: begin + 1..closing(&self.tokens, begin),
                value: None,
            });
        }
        // name = (…) => …, name: (…) => …, name = function (…) { … }.
        (self.is(at + 1, "=") || self.is(at + 1, ":")).then_some(())?;
        let mut next = at + 2;
        if self.name(next) == "async" {
            next += 1;
        }
        if self.name(next) == "function" {
            let open = (next + 1..next + 3).find(|at| self.is(*at, "("))?;
            let close = closing(&self.tokens, open);
            let begin = self.after_type(close + 1, "{")?;
            return Some(Function {
                name: name.to_owned(),
                parameters: self.parameters(open, close),
                body: begin + 1..closing(&self.tokens, begin),
                value: None,
            });
        }
        let (parameters, arrow) = if self.is(next, "(") {
            let close = closing(&self.tokens, next);
            (self.parameters(next, close), self.after_type(close + 1, "=>")?)
        } else {
            self.is(next + 1, "=>").then_some(())?;
            let only = Parameter { name: self.name(next).to_owned(), default: None, is_rest: false };
            (vec![only], next + 1)
        };
        let name = name.to_owned();
        if self.is(arrow + 1, "{") {
            let body = arrow + 2..closing(&self.tokens, arrow + 1);
            return Some(Function { name, parameters, body, value: None });
        }
        let (value, end) = expression(&self.tokens, arrow + 1, self.dialect);
        Some(Function { name, parameters, body: arrow + 1..end, value: Some(value) })
    }

    /// The sign, where it stands here or behind a type.
    fn after_type(&self, at: usize, sign: &str) -> Option<usize> {
        if self.is(at, sign) {
            return Some(at);
        }
        self.is(at, ":").then_some(())?;
        (at..at + 14).find(|at| self.is(*at, sign)).filter(|found| !(at..*found).any(|at| self.is(at, ";")))
    }

    fn typed_function(&self, at: usize) -> Option<Function> {
        let name = self.name(at);
        let before = at.checked_sub(1)?;
        let typed = !self.name(before).is_empty() && !NO_FUNCTIONS.contains(&self.name(before))
            || self.is(before, ">")
            || self.is(before, "]")
            || self.is(before, "*");
        if name.is_empty() || NO_FUNCTIONS.contains(&name) || !typed || !self.is(at + 1, "(") {
            return None;
        }
        let close = closing(&self.tokens, at + 1);
        let mut begin = close + 1;
        if self.name(begin) == "throws" {
            begin = (begin..begin + 14).find(|at| self.is(*at, "{"))?;
        }
        self.is(begin, "{").then_some(())?;
        Some(Function {
            name: name.to_owned(),
            parameters: self.parameters(at + 1, close),
            body: begin + 1..closing(&self.tokens, begin),
            value: None,
        })
    }

    /// The parameters between two brackets.
    fn parameters(&self, open: usize, close: usize) -> Vec<Parameter> {
        let mut all = Vec::new();
        let mut at = open + 1;
        while at < close.min(self.tokens.len()) {
            let mut depth = 0_i64;
            let mut end = at;
            while end < close {
                let token = &self.tokens[end];
                if depth == 0 && token.is(",") {
                    break;
                }
                depth += i64::from(["(", "[", "{", "<"].iter().any(|sign| token.is(sign)));
                depth -= i64::from([")", "]", "}", ">"].iter().any(|sign| token.is(sign)));
                end += 1;
            }
            all.push(self.parameter(at, end));
            at = end + 1;
        }
        all
    }

    fn parameter(&self, from: usize, to: usize) -> Parameter {
        let part = &self.tokens[from..to];
        let is_rest = part.iter().any(|token| token.is("..."))
            || (self.dialect == Dialect::Python && part.first().is_some_and(|token| token.is("*")));
        let equals = part.iter().position(|token| token.is("="));
        let default = equals.map(|equals| expression(&self.tokens[..to], from + equals + 1, self.dialect).0);
        let mut names = part[..equals.unwrap_or(part.len())]
            .iter()
            .map(Token::name)
            .filter(|name| !name.is_empty() && !matches!(*name, "mut" | "final" | "const" | "readonly"));
        // What is taken apart has no name of its own.
        let apart = part.first().is_some_and(|token| token.is("{") || token.is("["));
        let name = match self.dialect {
            Dialect::Java | Dialect::C => names.next_back(),
            _ => names.next(),
        };
        Parameter { name: name.filter(|_| !apart).unwrap_or_default().to_owned(), default, is_rest }
    }
}
