//! What an expression comes to: a text, put together of known parts and of what a function is handed; or a list of texts.

use std::ops::Range;
use std::rc::Rc;

use super::functions::Function;
use super::sources::{Source, Sources, statement_end};
use super::tokens::{Kind, Token, Tongue, closing, parts, tokens};

/// How many names are followed one behind another.
const DEEPEST: usize = 8;
/// The most elements of a list.
const MOST: usize = 200;

/// A text that is put together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Made {
    parts: Vec<Part>,
    is_upper: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Known(String),
    Open(Hole),
}

/// A part that is not known where the text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hole {
    /// What the function is handed, by its place.
    Given(usize),
    /// Each element of what the function is handed.
    EachOf(usize),
    /// Each of these.
    OneOf(Rc<Vec<Entry>>),
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Whether a default stands beside it, or that it may be absent.
    pub(crate) is_lenient: bool,
    pub(crate) line: usize,
}

impl Made {
    /// A text that is known.
    pub(crate) fn known(text: &str) -> Self {
        Self { parts: vec![Part::Known(text.to_owned())], is_upper: false }
    }

    /// A text of which nothing is known.
    pub(crate) fn open(hole: Hole) -> Self {
        Self { parts: vec![Part::Open(hole)], is_upper: false }
    }

    fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self.is_upper |= other.is_upper;
        self
    }

    /// The only part that is not known.
    pub(crate) fn hole(&self) -> Option<&Hole> {
        let mut holes = self.parts.iter().filter_map(|part| match part {
            Part::Open(hole) => Some(hole),
            Part::Known(_) => None,
        });
        let first = holes.next()?;
        holes.next().is_none().then_some(first)
    }

    /// The whole text, where nothing is open.
    pub(crate) fn whole(&self) -> Option<String> {
        let known = self.parts.iter().map(|part| match part {
            Part::Known(text) => Some(text.as_str()),
            Part::Open(_) => None,
        });
        let text = known.collect::<Option<String>>()?;
        Some(if self.is_upper { text.to_uppercase() } else { text })
    }

    /// The same with the open part filled.
    pub(crate) fn filled(&self, with: &Self) -> Self {
        let mut filled = Self { parts: Vec::new(), is_upper: self.is_upper || with.is_upper };
        for part in &self.parts {
            match part {
                Part::Known(_) => filled.parts.push(part.clone()),
                Part::Open(_) => filled.parts.extend(with.parts.iter().cloned()),
            }
        }
        filled
    }

    /// Every text that this may be, with the element of the list that it is of.
    pub(crate) fn each(&self) -> Vec<(String, Option<Entry>)> {
        if let Some(Hole::OneOf(entries)) = self.hole() {
            let of =
                |entry: &Entry| Some((self.filled(&Self::known(&entry.name)).whole()?, Some(entry.clone())));
            return entries.iter().filter_map(of).collect();
        }
        self.whole().into_iter().map(|text| (text, None)).collect()
    }
}

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

    fn deeper(self) -> Option<Self> {
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
                        "iter" | "values" | "into_iter" | "stream" | "list" | "sorted" | "entries"
                    )
                })
                .find_map(|word| {
                    self.enumeration(&word.text).or_else(|| self.named_list(&word.text, range.start))
                });
        }
        self.literal_list(range)
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
        if let Some(name) = self.text(part.clone()).and_then(|made| made.whole()) {
            return Some(Entry { name, is_lenient: false, line });
        }
        let first = slice.iter().position(Token::is_text)?;
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
        let all = self.sources.all.iter().filter(|source| source.tongue == Tongue::Java);
        all.flat_map(|source| (0..source.tokens.len().saturating_sub(1)).map(move |at| (source, at)))
            .find(|(source, at)| source.tokens[*at].is("enum") && source.tokens[at + 1].is(name))
            .map(|(source, at)| constants(source, at))
    }

    /// The constants of the enumeration that a token stands in.
    fn own_enumeration(self, at: usize) -> Option<Vec<Entry>> {
        let tokens = &self.source.tokens;
        let begin = (0..at).rev().find(|at| tokens[*at].is("enum"))?;
        let open = (begin..tokens.len()).find(|at| tokens[*at].is("{"))?;
        (closing(tokens, open) > at).then(|| constants(self.source, begin))
    }

    /// What a name stands for.
    fn named(self, name: &str, at: usize) -> Option<Made> {
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
        // A comprehension binds behind its use.
        let to = within.end.min(at + 40);
        for place in (within.start..to).rev().filter(|place| tokens[*place].is(name)) {
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

    /// What a function of the project makes of a text that it is handed, where that is all it does.
    fn maker(self, name: &str) -> Option<Made> {
        let known = |source: &'s Source| {
            let function = source.functions.iter().find(|it| it.name == name && it.parameters.len() == 1)?;
            let body = returned(source, function)?;
            let made = self.inside(source)?.text(body)?;
            matches!(made.hole(), Some(Hole::Given(0))).then_some(made)
        };
        known(self.source).or_else(|| {
            self.sources.all.iter().filter(|other| other.tongue == self.source.tongue).find_map(known)
        })
    }
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

/// What the name at `place` runs over, where it is bound there.
fn run_over(tokens: &[Token], place: usize, tongue: Tongue) -> Option<Range<usize>> {
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    let before = |back: usize, text: &str| place >= back && is(place - back, text);
    let group_end = |from: usize| {
        let mut at = from;
        while at < tokens.len() {
            let token = &tokens[at];
            if token.kind == Kind::Sign {
                match token.text.as_str() {
                    ":" if tongue == Tongue::Python => break,
                    ")" | "]" | "}" | ";" => break,
                    // The body of a loop, not a literal.
                    "{" if matches!(tongue, Tongue::Rust) => break,
                    "{" if tongue == Tongue::Go
                        && !(at > from && (tokens[at - 1].is("string") || tokens[at - 1].is("}"))) =>
                    {
                        break;
                    }
                    "(" | "[" | "{" => {
                        at = closing(tokens, at) + 1;
                        continue;
                    }
                    _ => {}
                }
            }
            if token.is("if") || (token.begins.is_some() && at > from && tongue == Tongue::Python) {
                break;
            }
            at += 1;
        }
        at.min(tokens.len())
    };
    match tongue {
        Tongue::Python | Tongue::Rust => {
            let follows = is(place + 1, "in") && (before(1, "for") || before(2, "for") || before(1, ","));
            if follows {
                return Some(place + 2..group_end(place + 2));
            }
        }
        Tongue::JavaScript => {
            if is(place + 1, "of") {
                return Some(place + 2..group_end(place + 2));
            }
        }
        Tongue::Go => {
            if is(place + 1, ":=") && is(place + 2, "range") {
                return Some(place + 3..group_end(place + 3));
            }
        }
        Tongue::Java | Tongue::C => {
            if is(place + 1, ":") && tokens[..place].iter().rev().take(6).any(|token| token.is("for")) {
                return Some(place + 2..group_end(place + 2));
            }
        }
    }
    // `list.forEach((name) => …`, `list.iter().map(|name| …`, `Stream.of(…).filter(name -> …`
    let binds = is(place + 1, "=>")
        || is(place + 1, "->")
        || is(place + 1, "|")
        || (is(place + 1, ")") && (is(place + 2, "=>") || is(place + 2, "->")));
    if !binds {
        return None;
    }
    let open = (place.saturating_sub(4)..place)
        .rev()
        .find(|at| is(*at, "(") && *at >= 2 && tokens[at - 1].is_word() && is(at - 2, "."))?;
    let end = open - 2;
    let mut begin = end;
    while begin > 0 {
        let token = &tokens[begin - 1];
        if token.kind == Kind::Sign && matches!(token.text.as_str(), ")" | "]") {
            let mut depth = 0_usize;
            let mut at = begin - 1;
            loop {
                match tokens[at].text.as_str() {
                    ")" | "]" | "}" if tokens[at].kind == Kind::Sign => depth += 1,
                    "(" | "[" | "{" if tokens[at].kind == Kind::Sign => depth -= 1,
                    _ => {}
                }
                if depth == 0 || at == 0 {
                    break;
                }
                at -= 1;
            }
            begin = at;
        } else if (token.is_word() && !matches!(token.text.as_str(), "return" | "const" | "let" | "in"))
            || token.is(".")
            || token.is("::")
        {
            begin -= 1;
        } else {
            break;
        }
    }
    (begin < end).then_some(begin..end)
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

/// An expression that is read from left to right.
struct Expression<'s> {
    scope: Scope<'s>,
    tokens: &'s [Token],
    at: usize,
    /// Where names are looked up from.
    place: usize,
}

impl Expression<'_> {
    fn peek(&self, ahead: usize) -> Option<&Token> {
        self.tokens.get(self.at + ahead)
    }

    fn next_is(&self, text: &str) -> bool {
        self.peek(0).is_some_and(|token| token.is(text))
    }

    fn sum(&mut self) -> Option<Made> {
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
        let mut last = self.at;
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
        if !self.next_is("(") {
            // What the package holds is called by its last name.
            return self.scope.named(&name, self.place);
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
            _ => {
                let [argument] = arguments.as_slice() else { return None };
                let handed = self.scope.text(argument.clone())?;
                Some(self.scope.deeper()?.maker(&name)?.filled(&handed))
            }
        }
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
