//! What names, lists and functions mean where an expression stands.

use std::ops::Range;
use std::rc::Rc;

use super::expression::Expression;
use super::functions::Function;
use super::loops::run_over;
use super::sources::{Source, Sources, statement_end};
use super::tokens::{Kind, Token, Tongue, closing, parts};
use super::values::{Entry, Hole, Made};

/// How many names are followed one behind another.
const DEEPEST: usize = 8;
/// The most elements of a list.
const MOST: usize = 200;

/// Where an expression stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) sources: &'s Sources,
    pub(crate) source: &'s Source,
    pub(crate) depth: usize,
}

impl<'s> Scope<'s> {
    pub(crate) fn new(sources: &'s Sources, source: &'s Source) -> Self {
        Self { sources, source, depth: 0 }
    }

    pub(super) fn deeper(self) -> Option<Self> {
        (self.depth < DEEPEST).then(|| Self { depth: self.depth + 1, ..self })
    }

    fn inside(self, source: &'s Source) -> Option<Self> {
        self.deeper().map(|scope| Self { source, ..scope })
    }

    /// The text that the tokens of a range come to.
    pub(crate) fn text(self, range: Range<usize>) -> Option<Made> {
        let end = range.end.min(self.source.tokens.len());
        let mut reader = Expression {
            scope: self,
            tokens: &self.source.tokens[..end],
            at: range.start,
            place: range.start,
        };
        let made = reader.sum()?;
        (reader.at >= end).then_some(made)
    }

    /// The list that the tokens of a range come to.
    pub(crate) fn list(self, range: Range<usize>) -> Option<Vec<Entry>> {
        let tokens = &self.source.tokens;
        let range = range.start..range.end.min(tokens.len());
        if let [token] = &tokens[range.clone()] {
            return self.named_list(&token.text, range.start);
        }
        if let [call, _, module, ..] = &tokens[range.clone()]
            && call.is("require")
            && module.is_text()
        {
            return self.exported(&module.text);
        }
        // `config.REQUIRED`, `Key.values()`, `REQUIRED.iter()`, `&REQUIRED`
        let words: Vec<&Token> = tokens[range.clone()].iter().filter(|token| token.is_word()).collect();
        let is_plain = tokens[range.clone()].iter().all(|token| {
            token.is_word() || matches!(token.text.as_str(), "." | "::" | "&" | "(" | ")" | "*")
        });
        if is_plain {
            return words
                .iter()
                .rev()
                .filter(|word| {
                    !matches!(
                        word.text.as_str(),
                        "iter"
                            | "values"
                            | "into_iter"
                            | "items"
                            | "keys"
                            | "Object"
                            | "entrySet"
                            | "keySet"
                            | "stream"
                            | "list"
                            | "sorted"
                            | "entries"
                    )
                })
                .find_map(|word| {
                    self.enumeration(&word.text).or_else(|| self.named_list(&word.text, range.start))
                });
        }
        self.literal_list(range)
    }

    /// The list that a module of JavaScript is, by the path that it is asked for with.
    fn exported(self, module: &str) -> Option<Vec<Entry>> {
        let tail = format!("/{}", module.trim_start_matches(['.', '/']));
        let asked = |source: &&Source| {
            let stem = source.path.rsplit_once('.').map_or(source.path.as_str(), |(stem, _)| stem);
            module.starts_with('.')
                && source.tongue == Tongue::JavaScript
                && format!("/{stem}").ends_with(&tail)
        };
        let other = self.sources.iter().find(asked)?;
        let scope = self.inside(other)?;
        other.given_before("exports", other.tokens.len()).into_iter().find_map(|value| scope.list(value))
    }

    fn named_list(self, name: &str, at: usize) -> Option<Vec<Entry>> {
        let deeper = self.deeper()?;
        let here = self.source.given_before(name, at).into_iter().find_map(|value| deeper.list(value));
        here.or_else(|| {
            self.sources
                .elsewhere(self.source, name)
                .find_map(|(other, value)| self.inside(other)?.list(value))
        })
    }

    /// The bracketed group with the most elements that begin with a text.
    fn literal_list(self, range: Range<usize>) -> Option<Vec<Entry>> {
        let tokens = &self.source.tokens;
        let opens = range.clone().filter(|at| {
            tokens[*at].kind == Kind::Sign && matches!(tokens[*at].text.as_str(), "[" | "(" | "{")
        });
        let groups = opens.take(64).map(|open| {
            let close = closing(tokens, open).min(range.end);
            let elements = parts(tokens, open + 1, close);
            let deeper = self.deeper();
            let entries: Vec<Entry> =
                elements.into_iter().take(MOST).filter_map(|part| deeper?.entry(part)).collect();
            entries
        });
        let mut best: Option<Vec<Entry>> = None;
        for group in groups {
            if group.len() > best.as_ref().map_or(0, Vec::len) {
                best = Some(group);
            }
        }
        best
    }

    fn entry(self, part: Range<usize>) -> Option<Entry> {
        let tokens = &self.source.tokens;
        let slice = &tokens[part.clone()];
        let line = slice.first()?.line;
        let is_table = slice.get(1).is_some_and(|sign| sign.is(":"));
        if let Some(name) = self.text(part.clone()).filter(|_| !is_table).and_then(|made| made.whole()) {
            return Some(Entry { name, is_lenient: false, line });
        }
        // `KEY: 'default'` of an object is called by its key.
        let is_key = slice.len() > 2
            && slice[0].is_word()
            && slice[1].is(":")
            && slice[0].text.chars().all(|c| !c.is_ascii_lowercase());
        let first = if is_key { 0 } else { slice.iter().position(Token::is_text)? };
        let name = slice[first].text.clone();
        let rest = &slice[first + 1..];
        let is_required = slice.windows(3).any(|three| {
            matches!(three[0].text.to_lowercase().as_str(), "required" | "mandatory")
                && matches!(three[2].text.as_str(), "true" | "True")
        }) || rest.iter().any(|token| token.is("true") || token.is("True"))
            && !slice.iter().any(|token| token.is("optional"));
        let has_more = rest.iter().any(|token| token.is_text() || token.kind == Kind::Number)
            || slice
                .iter()
                .any(|token| matches!(token.text.as_str(), "false" | "False" | "optional" | "default"));
        Some(Entry { name, is_lenient: has_more && !is_required, line })
    }

    /// The constants of an enumeration, by its name.
    fn enumeration(self, name: &str) -> Option<Vec<Entry>> {
        let all = self.sources.iter().filter(|source| source.tongue == Tongue::Java);
        all.flat_map(|source| (0..source.tokens.len().saturating_sub(1)).map(move |at| (source, at)))
            .find(|(source, at)| source.tokens[*at].is("enum") && source.tokens[at + 1].is(name))
            .map(|(source, at)| constants(source, at))
    }

    /// The constants of the enumeration that a token stands in.
    pub(super) fn own_enumeration(self, at: usize) -> Option<Vec<Entry>> {
        let tokens = &self.source.tokens;
        let begin = (0..at).rev().find(|at| tokens[*at].is("enum"))?;
        let open = (begin..tokens.len()).find(|at| tokens[*at].is("{"))?;
        (closing(tokens, open) > at).then(|| constants(self.source, begin))
    }

    /// What a name stands for.
    pub(super) fn named(self, name: &str, at: usize) -> Option<Made> {
        let source = self.source;
        if let Some(function) = source.around(at) {
            if let Some(hole) = self.looped(name, at, &function.body) {
                return Some(Made::open(hole));
            }
            if let Some(place) = function.parameters.iter().position(|it| it == name) {
                return Some(Made::open(Hole::Given(place)));
            }
        } else if let Some(hole) = self.looped(name, at, &(0..source.tokens.len())) {
            return Some(Made::open(hole));
        }
        let deeper = self.deeper()?;
        let given = source.given_before(name, at);
        if let Some(value) = given.first() {
            return deeper.text(value.clone());
        }
        let mut found =
            self.sources.elsewhere(source, name).filter_map(|(other, value)| self.inside(other)?.text(value));
        let first = found.next();
        if let Some(first) = first {
            // Two that differ cannot be told apart.
            return found.all(|other| other == first).then_some(first);
        }
        drop(found);
        // A field of an enumeration, which its constants give.
        let constants = (source.tongue == Tongue::Java).then(|| self.own_enumeration(at)).flatten()?;
        let texts: Vec<Entry> =
            constants.into_iter().filter(|entry| entry.name.contains('_') || entry.name.len() > 3).collect();
        (!texts.is_empty()).then(|| Made::open(Hole::OneOf(Rc::new(texts))))
    }

    /// What a name runs over, where a loop or a function for each element binds it.
    fn looped(self, name: &str, at: usize, within: &Range<usize>) -> Option<Hole> {
        let tokens = &self.source.tokens;
        let source = self.source;
        // A comprehension binds behind its use, inside the same brackets.
        let behind = if source.tongue == Tongue::Python { bracket_end(tokens, at, within) } else { at + 1 };
        let before = (within.start..=at).rev();
        for place in before.chain(at + 1..behind).filter(|place| tokens[*place].is(name)) {
            let Some(run_over) = run_over(tokens, place, source.tongue) else { continue };
            if run_over.end > place && run_over.contains(&at) {
                continue;
            }
            if let [token] = &tokens[run_over.clone()]
                && let Some(function) = source.around(at)
                && let Some(index) = function.parameters.iter().position(|it| *it == token.text)
            {
                return Some(Hole::EachOf(index));
            }
            if let Some(entries) = self.deeper()?.list(run_over) {
                return Some(Hole::OneOf(Rc::new(entries)));
            }
        }
        None
    }

    /// What a function of this file gives back that is handed nothing.
    pub(super) fn made_of_nothing(self, name: &str) -> Option<Made> {
        let function = self.source.functions.iter().find(|it| it.name == name && it.parameters.is_empty())?;
        self.text(returned(self.source, function)?)
    }

    /// What a function of the project makes of a text that it is handed, where that is all it does.
    pub(super) fn maker(self, name: &str) -> Option<Made> {
        let known = |source: &'s Source| {
            let function = source.functions.iter().find(|it| it.name == name && it.parameters.len() == 1)?;
            let body = returned(source, function)?;
            let made = self.inside(source)?.text(body)?;
            matches!(made.hole(), Some(Hole::Given(0))).then_some(made)
        };
        known(self.source).or_else(|| {
            self.sources.iter().filter(|other| other.tongue == self.source.tongue).find_map(known)
        })
    }
}

/// Where the brackets around a token end; the next token where there are none.
fn bracket_end(tokens: &[Token], at: usize, within: &Range<usize>) -> usize {
    let mut depth = 0_usize;
    for index in (within.start..at).rev() {
        match tokens[index].text.as_str() {
            ")" | "]" | "}" if tokens[index].kind == Kind::Sign => depth += 1,
            "(" | "[" | "{" if tokens[index].kind == Kind::Sign && depth > 0 => depth -= 1,
            // The call around a name ends before the comprehension that binds it.
            "[" | "{" if tokens[index].kind == Kind::Sign => return closing(tokens, index).min(within.end),
            "(" if tokens[index].kind == Kind::Sign && !(index > 0 && tokens[index - 1].is_word()) => {
                return closing(tokens, index).min(within.end);
            }
            _ => {}
        }
    }
    (at + 40)
        .min(within.end)
        .min((at + 1..within.end).find(|next| tokens[*next].begins.is_some()).unwrap_or(within.end))
}

/// What a function gives back, where it does nothing else.
fn returned(source: &Source, function: &Function) -> Option<Range<usize>> {
    let body = function.body.clone();
    let first = source.tokens.get(body.start)?;
    let from = body.start + usize::from(first.is("return"));
    let end = statement_end(&source.tokens, from).min(body.end);
    let rest = &source.tokens[end..body.end];
    rest.iter().all(|token| token.is(";")).then_some(from..end)
}

/// The constants of an enumeration.
fn constants(source: &Source, at: usize) -> Vec<Entry> {
    let tokens = &source.tokens;
    let Some(open) = (at..tokens.len()).find(|at| tokens[*at].is("{")) else { return Vec::new() };
    let close = closing(tokens, open);
    let end = (open..close).find(|at| tokens[*at].is(";")).unwrap_or(close);
    let list = parts(tokens, open + 1, end).into_iter().take(MOST);
    list.filter_map(|part| {
        let slice = &tokens[part];
        let own = slice.iter().find(|token| token.is_word())?;
        let is_variable = |text: &str| {
            text.contains('_')
                && text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
        };
        let named = slice.iter().position(|token| token.is_text() && is_variable(&token.text));
        let name = named.map_or(&own.text, |at| &slice[at].text);
        let others = slice
            .iter()
            .enumerate()
            .any(|(at, token)| (token.is_text() && Some(at) != named) || token.kind == Kind::Number);
        let is_lenient = others || slice.iter().any(|token| token.is("false"));
        Some(Entry { name: name.clone(), is_lenient, line: own.line })
    })
    .collect()
}
