//! What a source file defines: its functions with their parameters, and the names that it gives to values.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::expressions::{Expr, closing, expression};
use super::tokens::{Dialect, Kind, Part, Token, tokens};
use super::tree::stem;

/// A parameter of a function.
#[derive(Debug)]
pub(super) struct Parameter {
    pub(super) name: String,
    pub(super) default: Option<Expr>,
    /// It takes all that is left.
    pub(super) is_rest: bool,
}

/// A function of a file.
#[derive(Debug)]
pub(super) struct Function {
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// The tokens of its body.
    pub(super) body: Range<usize>,
    /// The body where it is one expression.
    pub(super) value: Option<Expr>,
}

/// A name for a value.
#[derive(Debug)]
pub(super) struct Assignment {
    pub(super) name: String,
    pub(super) value: Expr,
    pub(super) at: usize,
    /// The name stands for each element of the value.
    pub(super) is_each: bool,
}

/// A source file, taken apart.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) path: String,
    pub(super) dialect: Dialect,
    pub(super) tokens: Vec<Token>,
    pub(super) functions: Vec<Function>,
    pub(super) assignments: Vec<Assignment>,
    /// The assignments to each name.
    pub(super) by_name: BTreeMap<String, Vec<usize>>,
    /// The names that stand in its imports, and the modules that are called otherwise here.
    pub(super) imported: BTreeSet<String>,
    pub(super) aliases: BTreeMap<String, String>,
    /// The innermost function around each token, and around each function.
    owners: Vec<Option<usize>>,
    outer: Vec<Option<usize>>,
}

/// Words before a bracket that name no function.
const NO_FUNCTIONS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "catch",
    "return",
    "function",
    "with",
    "do",
    "else",
    "match",
    "synchronized",
    "sizeof",
    "typeof",
    "await",
    "super",
    "new",
    "constructor",
    "describe",
    "it",
    "test",
];

impl Source {
    pub(super) fn of(path: &str, text: &str, dialect: Dialect) -> Self {
        let tokens = tokens(text, dialect);
        let mut source = Self {
            path: path.to_owned(),
            dialect,
            owners: vec![None; tokens.len()],
            tokens,
            functions: Vec::new(),
            assignments: Vec::new(),
            by_name: BTreeMap::new(),
            imported: BTreeSet::new(),
            aliases: BTreeMap::new(),
            outer: Vec::new(),
        };
        source.find_functions();
        source.find_owners();
        source.find_assignments();
        source.find_loops();
        source.find_imports();
        source
    }

    /// The innermost function around a token.
    pub(super) fn function_at(&self, at: usize) -> Option<usize> {
        self.owners.get(at).copied().flatten()
    }

    /// The functions around a token, the innermost first.
    pub(super) fn functions_at(&self, at: usize) -> Vec<usize> {
        std::iter::successors(self.function_at(at), |which| self.outer.get(*which).copied().flatten())
            .collect()
    }

    /// Adds names for values.
    pub(super) fn assign(&mut self, more: Vec<Assignment>) {
        for assignment in more {
            self.by_name.entry(assignment.name.clone()).or_default().push(self.assignments.len());
            self.assignments.push(assignment);
        }
    }

    /// What was assigned to a name.
    pub(super) fn assigned_to(&self, name: &str) -> impl Iterator<Item = &Assignment> {
        self.by_name.get(name).into_iter().flatten().map(|which| &self.assignments[*which])
    }

    fn find_owners(&mut self) {
        let mut order: Vec<usize> = (0..self.functions.len()).collect();
        order.sort_by_key(|which| std::cmp::Reverse(self.functions[*which].body.len()));
        self.outer = vec![None; self.functions.len()];
        for which in order {
            let body = self.functions[which].body.clone();
            self.outer[which] = self.owners.get(body.start).copied().flatten();
            let end = body.end.min(self.owners.len());
            self.owners[body.start.min(end)..end].fill(Some(which));
        }
    }

    /// The words of every statement that imports; such a statement may go over several lines.
    fn find_imports(&mut self) {
        let mut open = 0;
        let (mut words, mut aliases) = (BTreeSet::new(), BTreeMap::new());
        for (at, token) in self.tokens.iter().enumerate() {
            let name = token.name();
            if matches!(name, "import" | "require" | "from" | "use" | "mod") {
                open = token.line + 12;
                let before = self.tokens[..at].iter().rev().take_while(|one| one.line == token.line).take(40);
                words.extend(before.map(|one| one.name().to_owned()));
            } else if token.line <= open {
                match &token.kind {
                    Kind::Name(name) => {
                        words.insert(name.clone());
                    }
                    Kind::String(parts) => {
                        words.extend(parts.iter().filter_map(|part| match part {
                            Part::Text(text) => Some(stem(text).to_owned()),
                            Part::Code(_) => None,
                        }));
                    }
                    _ => {}
                }
            }
            if let Some(module) = self.alias_at(at) {
                aliases.insert(name.to_owned(), module);
            }
        }
        self.imported = words;
        self.aliases = aliases;
    }

    /// The module that is called otherwise here: `import x as y`, `const y = require('./x')`, `import * as y from './x'`.
    fn alias_at(&self, at: usize) -> Option<String> {
        let name = self.name(at);
        if name.is_empty() {
            return None;
        }
        if at > 1 && self.name(at - 1) == "as" && !self.name(at - 2).is_empty() {
            return Some(self.name(at - 2).to_owned());
        }
        let follows = self.is(at + 1, "=") || self.name(at + 1) == "from";
        (self.dialect == Dialect::JavaScript && follows).then_some(())?;
        self.tokens[at + 1..].iter().take(4).find_map(|token| match &token.kind {
            Kind::String(parts) => match parts.as_slice() {
                [Part::Text(text)] if text.starts_with('.') => Some(stem(text).to_owned()),
                _ => None,
            },
            _ => None,
        })
    }

    fn name(&self, at: usize) -> &str {
        self.tokens.get(at).map(Token::name).unwrap_or_default()
    }

    fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
    }

    fn find_functions(&mut self) {
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

    fn find_assignments(&mut self) {
        let mut found = Vec::new();
        // The brackets that are open: what is named inside round ones is given to a call.
        let mut open: Vec<usize> = Vec::new();
        for at in 0..self.tokens.len() {
            if let Kind::Sign(sign) = self.tokens[at].kind {
                if matches!(sign, "(" | "[" | "{") {
                    open.push(at);
                } else if matches!(sign, ")" | "]" | "}") {
                    open.pop();
                }
            }
            if self.dialect == Dialect::C && self.is(at, "#") && self.name(at + 1) == "define" {
                let line = self.tokens[at].line;
                let end = (at..self.tokens.len()).find(|at| self.tokens[*at].line != line);
                let end = end.unwrap_or(self.tokens.len());
                if at + 3 < end && !self.is(at + 3, "(") {
                    let value = expression(&self.tokens[..end], at + 3, self.dialect).0;
                    found.push(Assignment { name: self.name(at + 2).to_owned(), value, at, is_each: false });
                }
                continue;
            }
            let is_equals = self.is(at, "=") || self.is(at, ":=");
            if !is_equals || at == 0 || self.name(at + 1) == "range" {
                continue;
            }
            let given = open.last().is_some_and(|open| !self.is(*open, "{"));
            let is_block = open.last().is_some_and(|open| {
                *open > 0 && matches!(self.name(open - 1), "const" | "var" | "try" | "for")
            });
            if given && !is_block {
                continue;
            }
            let (value, _) = expression(&self.tokens, at + 1, self.dialect);
            for (place, name) in self.targets(at).into_iter().enumerate() {
                // Several names take several values: the first, or the file that a Go caller is in.
                let value = match (place, &value) {
                    (0, value) => value.clone(),
                    (1, Expr::Call(called, _)) if called.last_name() == "Caller" => {
                        Expr::Name("__file__".to_owned())
                    }
                    (place, Expr::List(list)) => list.get(place).cloned().unwrap_or(Expr::Unknown),
                    _ => Expr::Unknown,
                };
                found.push(Assignment { name, value, at, is_each: false });
            }
        }
        self.assign(found);
    }

    /// The names before an equals sign; `self.x` and `this.x` are `.x`.
    fn targets(&self, equals: usize) -> Vec<String> {
        let mut names = Vec::new();
        let mut at = equals;
        // A type behind the name: `x: T =`.
        if self.dialect != Dialect::Go {
            let begin = equals.saturating_sub(12);
            let colon = (begin..equals).rev().find(|at| {
                self.is(*at, ":")
                    || self.is(*at, ";")
                    || self.is(*at, "{")
                    || self.is(*at, "(")
                    || self.is(*at, ",")
            });
            if let Some(colon) = colon.filter(|at| self.is(*at, ":"))
                && self.dialect != Dialect::Java
                && self.tokens[colon].line == self.tokens[equals].line
            {
                at = colon;
            }
        }
        // A type between the name and the sign in Go: `const x string =`.
        if self.dialect == Dialect::Go
            && at >= 3
            && matches!(self.name(at - 3), "const" | "var")
            && !self.name(at - 2).is_empty()
        {
            at -= 1;
        }
        while let Some(before) = at.checked_sub(1) {
            let name = self.name(before);
            if name.is_empty() {
                break;
            }
            let owned = before >= 2
                && self.is(before - 1, ".")
                && matches!(self.name(before - 2), "self" | "this" | "cls" | "exports");
            if owned && self.name(before - 2) != "exports" {
                names.insert(0, format!(".{name}"));
                at = before - 2;
            } else if !owned && self.is(before.wrapping_sub(1), ".") {
                break;
            } else {
                names.insert(0, name.to_owned());
                at = before;
            }
            if at == 0 || !self.is(at - 1, ",") {
                break;
            }
            at -= 1;
        }
        names
    }

    /// Names that run through lists: loops, and functions that are given to `map` and the like.
    fn find_loops(&mut self) {
        let mut found = Vec::new();
        for at in 0..self.tokens.len() {
            if self.name(at) != "for" {
                if self.name(at) == "parametrize" && self.is(at + 1, "(") {
                    found.extend(self.parametrized(at));
                }
                continue;
            }
            let limit = self.tokens.len().min(at + 16);
            let word: &[&str] = match self.dialect {
                Dialect::Python | Dialect::Rust => &["in"],
                Dialect::JavaScript => &["of"],
                Dialect::Go => &["range"],
                _ => &[],
            };
            let place = (at + 1..limit).find(|at| {
                word.contains(&self.name(*at))
                    || (matches!(self.dialect, Dialect::Java | Dialect::C) && self.is(*at, ":"))
            });
            let Some(place) = place else { continue };
            let mut names: Vec<&str> = (at + 1..place)
                .map(|at| self.name(at))
                .filter(|name| {
                    !name.is_empty() && !matches!(*name, "const" | "let" | "var" | "final" | "mut")
                })
                .collect();
            if matches!(self.dialect, Dialect::Java | Dialect::C | Dialect::Go) && names.len() > 1 {
                names = names.split_off(names.len() - 1);
            }
            let (value, _) = expression(&self.tokens, place + 1, self.dialect);
            found.extend(each(&names, value, at));
        }
        self.assign(found);
    }

    /// `@pytest.mark.parametrize("name", [...])`: the function's parameters run through the list.
    fn parametrized(&self, at: usize) -> Vec<Assignment> {
        let (call, _) = expression(&self.tokens, at, self.dialect);
        let Expr::Call(_, given) = call else { return Vec::new() };
        let (Some(names), Some(list)) = (given.first(), given.get(1)) else { return Vec::new() };
        let names: Vec<String> = match &names.value {
            Expr::Literal(names) => names.split(',').map(|name| name.trim().to_owned()).collect(),
            Expr::List(names) => names
                .iter()
                .filter_map(|name| if let Expr::Literal(name) = name { Some(name.clone()) } else { None })
                .collect(),
            _ => return Vec::new(),
        };
        let end = closing(&self.tokens, at + 1);
        let function =
            self.functions.iter().filter(|one| one.body.start > end).min_by_key(|one| one.body.start);
        let Some(function) = function else { return Vec::new() };
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        each(&names, list.value.clone(), function.body.start)
    }
}

/// Each of the names runs through the list: the elements, or what stands at its place in each of them.
pub(super) fn each(names: &[&str], list: Expr, at: usize) -> Vec<Assignment> {
    match (names, list) {
        ([name], list) => {
            vec![Assignment { name: (*name).to_owned(), value: list, at, is_each: true }]
        }
        (names, Expr::List(rows)) => names
            .iter()
            .enumerate()
            .map(|(place, name)| {
                let column = rows.iter().map(|row| match row {
                    Expr::List(row) => row.get(place).cloned().unwrap_or(Expr::Unknown),
                    _ => Expr::Unknown,
                });
                Assignment {
                    name: (*name).to_owned(),
                    value: Expr::List(column.collect()),
                    at,
                    is_each: true,
                }
            })
            .collect(),
        // Rows that are taken apart by their keys.
        (names, _) => names
            .iter()
            .map(|name| {
                let key = Expr::Literal((*name).to_owned());
                let value = Expr::Index(Box::new(Expr::Unknown), Box::new(key));
                Assignment { name: (*name).to_owned(), value, at, is_each: false }
            })
            .collect(),
    }
}
