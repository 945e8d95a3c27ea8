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

    pub(super) fn name(&self, at: usize) -> &str {
        self.tokens.get(at).map(Token::name).unwrap_or_default()
    }

    pub(super) fn is(&self, at: usize, sign: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(sign))
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
        // A type in Rust may hold nearly anything.
        if self.dialect == Dialect::Rust {
            let begin = equals.saturating_sub(16);
            let word = (begin..equals).rev().find(|at| matches!(self.name(*at), "const" | "static" | "let"));
            let name =
                word.and_then(|word| (word + 1..equals).find(|at| !matches!(self.name(*at), "" | "mut")));
            if let Some(name) = name.filter(|name| self.is(name + 1, ":")) {
                return vec![self.name(name).to_owned()];
            }
        }
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
        // A list in C: `char *x[] =`, `char *x[2] =`.
        if self.dialect == Dialect::C && at >= 3 && self.is(at - 1, "]") {
            at -= if self.is(at - 2, "[") { 2 } else { 3 };
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
