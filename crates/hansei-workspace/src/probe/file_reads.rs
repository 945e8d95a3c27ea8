//! Which files the code reads and writes: every call that opens one, with the path that it is given, through helpers too.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use super::definitions::{Assignment, Source, each};
use super::expressions::{Argument, Expr, chain};
use super::file_openers::{imported, may_open, opened};
use super::ground::Ground;
use super::path_text::{Base, Value};
use super::path_values::{FunctionId, Paths, Place};
use super::python_source;
use super::read_guards::is_optional;
use super::tokens::Dialect;

/// The most text that is taken apart, the most reads that are followed, and through how many helpers.
const MOST_TEXT: usize = 6 << 20;
const MOST_OUTSIDE: usize = 1 << 20;
const MOST_READS: usize = 20_000;
const MOST_HELPERS: usize = 5;

/// How a file is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum How {
    /// As text whose line ends and encoding the language puts right or refuses: Python's `open`.
    Text,
    /// As it is.
    Plain,
    /// From the class path.
    Resource,
    /// The file is made, or may be.
    Write,
}

/// A call that opens a file.
#[derive(Debug, Clone)]
pub(super) struct Read {
    pub(super) file: usize,
    pub(super) at: usize,
    pub(super) line: usize,
    pub(super) value: Value,
    pub(super) how: How,
    /// Where the call itself stands, when a helper makes it.
    pub(super) within: Option<(usize, usize)>,
    /// The call and what it is given.
    pub(super) options: Vec<(String, String)>,
}

/// A call of a function of the project.
struct Called {
    place: Place,
    line: usize,
    given: Vec<Argument>,
}

/// What the code of a project opens.
#[derive(Debug)]
pub(super) struct Reads<'g> {
    pub(super) paths: Paths<'g>,
    pub(super) all: Vec<Read>,
    /// The lines of the files in Python that were asked about.
    lines: RefCell<BTreeMap<usize, Vec<python_source::Line>>>,
}

impl<'g> Reads<'g> {
    pub(super) fn of(ground: &'g Ground<'g>) -> Self {
        let mut left = MOST_TEXT;
        let mut sources = Vec::new();
        let (inside, outside): (Vec<_>, Vec<_>) = ground
            .tree
            .files()
            .iter()
            .filter(|file| ground.tree.is_own(&file.path) && Dialect::of(&file.path).is_some())
            .partition(|file| file.path.starts_with(ground.tree.scope()));
        for (place, file) in inside.iter().chain(&outside).enumerate() {
            if place == inside.len() {
                left = left.min(MOST_OUTSIDE);
            }
            let Some(dialect) = Dialect::of(&file.path) else { continue };
            let left_out = dialect == Dialect::Go && super::go_embeds::is_left_out(&file.path);
            if left_out || ground.tree.is_over() {
                continue;
            }
            let Some(text) = ground.tree.text(&file.path).filter(|text| text.len() <= left) else { continue };
            left -= text.len();
            let mut source = Source::of(&file.path, &text, dialect);
            let lists = lambdas(&source);
            source.assign(lists);
            sources.push(source);
        }
        let paths = Paths::new(ground, sources);
        let mut all = Vec::new();
        let mut calls: BTreeMap<String, Vec<Place>> = BTreeMap::new();
        for (file, source) in paths.sources.iter().enumerate() {
            if ground.tree.is_over() {
                break;
            }
            for at in 0..source.tokens.len() {
                if source.dialect == Dialect::JavaScript
                    && source.tokens[at].name() == "from"
                    && let Some(Expr::Literal(text)) =
                        source.tokens.get(at + 1).map(|_| chain(&source.tokens, at + 1, source.dialect))
                {
                    let (place, line) = (Place { file, at }, source.tokens[at].line);
                    let value = imported(&paths, &Value::text(&text), place);
                    let options = vec![("call".to_owned(), "require".to_owned())];
                    if value.base != Base::Free {
                        all.push(Read { file, at, line, value, how: How::Plain, within: None, options });
                    }
                }
                let names = called_names(source, at);
                for name in &names {
                    if paths.functions.contains_key(*name) {
                        calls.entry((*name).to_owned()).or_default().push(Place { file, at });
                    }
                }
                if !names.iter().any(|name| may_open(name)) {
                    continue;
                }
                let place = Place { file, at };
                let line = source.tokens[at].line;
                let whole = chain(&source.tokens, at, source.dialect);
                for (called, given) in calls_of(&whole) {
                    if paths.function(called, file).is_some() {
                        continue;
                    }
                    for (value, how) in opened(&paths, called, given, place) {
                        let options = options(called, given);
                        all.push(Read { file, at, line, value, how, within: None, options });
                    }
                }
            }
        }
        let mut reads = Self { paths, all, lines: RefCell::default() };
        reads.follow(ground, &calls);
        reads
    }

    /// Follows what a caller fills in to every caller.
    fn follow(&mut self, ground: &Ground<'_>, calls: &BTreeMap<String, Vec<Place>>) {
        let mut next: Vec<Read> = self.all.iter().filter(|read| read.value.is_open()).cloned().collect();
        let mut seen: BTreeSet<(usize, usize, Value)> = BTreeSet::new();
        for _ in 0..MOST_HELPERS {
            let mut found = Vec::new();
            for read in &next {
                let source = &self.paths.sources[read.file];
                let Some(which) = source.function_at(read.at) else { continue };
                if read.how != How::Write && self.is_optional(ground, read) {
                    continue;
                }
                let id = (read.file, which);
                for call in self.calls_to(id, calls) {
                    for value in self.paths.filled(&read.value, id, &call.given, call.place, 0) {
                        if seen.len() < MOST_READS
                            && seen.insert((call.place.file, call.place.at, value.clone()))
                        {
                            found.push(Read {
                                file: call.place.file,
                                at: call.place.at,
                                line: call.line,
                                value,
                                how: read.how,
                                within: Some(read.within.unwrap_or((read.file, read.line))),
                                options: read.options.clone(),
                            });
                        }
                    }
                }
            }
            self.all.extend(found.iter().cloned());
            next = found.into_iter().filter(|read| read.value.is_open()).collect();
            if next.is_empty() || ground.tree.is_over() {
                break;
            }
        }
    }

    /// Every call of a function.
    fn calls_to(&self, id: FunctionId, calls: &BTreeMap<String, Vec<Place>>) -> Vec<Called> {
        let name = &self.paths.sources[id.0].functions[id.1].name;
        let mut found = Vec::new();
        for place in calls.get(name).into_iter().flatten() {
            let source = &self.paths.sources[place.file];
            let whole = chain(&source.tokens, place.at, source.dialect);
            for (called, given) in calls_of(&whole) {
                if self.paths.function(called, place.file) == Some(id) {
                    let line = source.tokens[place.at].line;
                    found.push(Called { place: *place, line, given: given.to_vec() });
                }
            }
        }
        found
    }

    /// Whether the code gets along without the file.
    pub(super) fn is_optional(&self, ground: &Ground<'_>, read: &Read) -> bool {
        let source = &self.paths.sources[read.file];
        let text = ground.tree.text(&source.path).unwrap_or_default();
        let line_of = |at: usize| source.tokens.get(at).map(|token| token.line);
        let body = source.function_at(read.at).map(|which| source.functions[which].body.clone());
        let first = body.as_ref().and_then(|body| line_of(body.start)).unwrap_or(1);
        let last = body.and_then(|body| line_of(body.end.saturating_sub(1))).unwrap_or(usize::MAX);
        if source.dialect == Dialect::Python {
            let mut known = self.lines.borrow_mut();
            let lines = known.entry(read.file).or_insert_with(|| python_source::lines(&text));
            return is_optional(&text, source.dialect, read.line, first..=last, lines);
        }
        is_optional(&text, source.dialect, read.line, first..=last, &[])
    }
}

/// Names of functions without a name that run through a list: `names.map((name) => …)`.
fn lambdas(source: &Source) -> Vec<Assignment> {
    let mut found = Vec::new();
    for at in 0..source.tokens.len() {
        let runs = matches!(
            source.tokens[at].name(),
            "map" | "forEach" | "flatMap" | "for_each" | "filter_map" | "each" | "some" | "every" | "filter"
        ) && source.tokens.get(at + 1).is_some_and(|token| token.is("("));
        if !runs {
            continue;
        }
        let Some(begin) = (0..at).rev().take(60).find(|at| begins_chain(source, *at)) else { continue };
        // The longest chain that reaches this call.
        let whole = chain(&source.tokens, begin, source.dialect);
        for (called, given) in calls_of(&whole) {
            let Expr::Field(list, name) = called else { continue };
            if name != source.tokens[at].name() {
                continue;
            }
            if let Some(Expr::Lambda(names, _)) = given.first().map(|one| &one.value)
                && let Some(first) = names.first()
            {
                found.extend(each(&[first], list.as_ref().clone(), at));
            }
        }
    }
    found
}

/// Whether a chain of names and calls begins at this token.
fn begins_chain(source: &Source, at: usize) -> bool {
    let token = &source.tokens[at];
    let after_dot = at > 0 && [".", "::", "?."].iter().any(|sign| source.tokens[at - 1].is(sign));
    // Brackets behind a name or behind others belong to what stands before them.
    let continues = at > 0 && {
        let before = &source.tokens[at - 1];
        let is_word = matches!(
            before.name(),
            "return"
                | "in"
                | "and"
                | "or"
                | "not"
                | "if"
                | "else"
                | "await"
                | "yield"
                | "with"
                | "assert"
                | "elif"
                | "while"
                | "raise"
                | "throw"
                | "case"
                | "of"
                | "range"
                | "match"
        );
        !before.name().is_empty() && !is_word || [")", "]", "!"].iter().any(|sign| before.is(sign))
    };
    let opens = (token.is("(") || token.is("[")) && !continues;
    let named = !token.name().is_empty()
        && !matches!(token.name(), "new" | "await" | "return" | "def" | "func" | "fn");
    let is_definition = at > 0 && matches!(source.tokens[at - 1].name(), "def" | "func" | "fn" | "function");
    (named || opens) && !after_dot && !is_definition
}

/// What is called in the chain that begins at this token; nothing where none begins.
fn called_names(source: &Source, begin: usize) -> Vec<&str> {
    let mut names = Vec::new();
    if !begins_chain(source, begin) {
        return names;
    }
    let mut at = begin;
    while let Some(token) = source.tokens.get(at) {
        let opens = token.is("(") || token.is("[");
        if opens {
            if token.is("(") && at > begin {
                let before = &source.tokens[at - 1];
                let before = if before.is("!") && at > 1 { &source.tokens[at - 2] } else { before };
                names.push(before.name());
            }
            at = token.closes.saturating_add(1);
            if token.closes == usize::MAX {
                break;
            }
        } else if !token.name().is_empty() || [".", "::", "?.", "?", "!"].iter().any(|sign| token.is(sign)) {
            at += 1;
            // Two names with nothing between them are two expressions.
            let next = source.tokens.get(at).map(super::tokens::Token::name).unwrap_or_default();
            if !token.name().is_empty() && !next.is_empty() {
                break;
            }
        } else {
            break;
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// The calls of a chain, not those in what they are given.
pub(super) fn calls_of(expr: &Expr) -> Vec<(&Expr, &[Argument])> {
    let mut found = Vec::new();
    let mut next = Some(expr);
    while let Some(expr) = next {
        next = match expr {
            Expr::Call(called, given) => {
                found.push((called.as_ref(), given.as_slice()));
                match called.as_ref() {
                    Expr::Field(of, _) => Some(of),
                    _ => None,
                }
            }
            Expr::Field(of, _) | Expr::Index(of, _) => Some(of),
            Expr::Binary(_, left, _) => Some(left),
            _ => None,
        };
    }
    found
}

/// What is given by name and in text.
fn options(called: &Expr, given: &[Argument]) -> Vec<(String, String)> {
    let text = |value: &Expr| match value {
        Expr::Literal(text) => text.clone(),
        other => other.last_name().to_owned(),
    };
    let mut all: Vec<(String, String)> = given
        .iter()
        .skip(usize::from(!matches!(called.last_name(), "read_text" | "read_bytes")))
        .map(|one| (one.name.clone().unwrap_or_default(), text(&one.value)))
        .collect();
    all.push(("call".to_owned(), called.last_name().to_owned()));
    all
}
