//! Where variables are read, and by which name.

use std::collections::BTreeSet;
use std::ops::Range;
use std::rc::Rc;

use super::endings::is_caught;
use super::{Getter, Search, is_default_name, is_name};
use crate::probe::flow::{Hole, Made, Scope, Source, Token, Tongue, closing, parts};

/// A place where a variable is read.
#[derive(Debug)]
pub(super) struct Read {
    pub(super) name: Made,
    /// Where the reading begins and ends.
    pub(super) range: Range<usize>,
    pub(super) has_default: bool,
    /// Whether an absent variable is an error there.
    pub(super) is_strict: bool,
}

impl<'s> Search<'s> {
    /// The names under which a file holds the whole environment.
    fn aliases(&self, source: &Source) -> BTreeSet<String> {
        let whole = source
            .assignments()
            .filter(|(_, value)| (*value).clone().any(|at| whole_environment(source, at)));
        let mut names: BTreeSet<String> = whole.map(|(name, _)| name.to_owned()).collect();
        if self.handed_on.contains(&source.tongue) {
            let given = source.functions.iter().flat_map(|function| &function.parameters);
            names.extend(
                given.filter(|name| matches!(name.as_str(), "env" | "environ" | "environment")).cloned(),
            );
        }
        names
    }

    /// Every reading in a range whose name can be told.
    pub(super) fn reads(&self, source: &'s Source, range: Range<usize>) -> Vec<Read> {
        let tokens = &source.tokens;
        let scope = Scope::new(self.sources, source);
        let aliases = self.aliases(source);
        let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
        let mut all = Vec::new();
        for at in range.clone() {
            if !tokens[at].is_word() {
                continue;
            }
            let word = tokens[at].text.as_str();
            let is_process = word == "env" && at >= 2 && is(at - 2, "process");
            let holds_all = is_process
                || (word == "environ" && source.tongue == Tongue::Python)
                || (aliases.contains(word) && !(at > 0 && is(at - 1, ".")));
            let begin = if at >= 2 && is(at - 1, ".") { at - 2 } else { at };
            // `name not in os.environ`, `!(name in process.env)`
            if holds_all && begin >= 2 && is(begin - 1, "in") {
                let place = if is(begin - 2, "not") { begin.checked_sub(3) } else { Some(begin - 2) };
                if let Some((place, name)) =
                    place.and_then(|place| Some((place, scope.text(place..place + 1)?)))
                {
                    all.push(Read { name, range: place..at + 1, has_default: false, is_strict: false });
                }
                continue;
            }
            if holds_all && is(at + 1, "[") {
                let close = closing(tokens, at + 1);
                let is_set = is(close + 1, "=");
                if let Some(name) = scope.text(at + 2..close).filter(|_| !is_set) {
                    let is_strict = source.tongue == Tongue::Python && !is_caught(source, at);
                    all.push(Read { name, range: begin..close + 1, has_default: false, is_strict });
                }
                continue;
            }
            let call = if holds_all && is(at + 1, ".") && is(at + 3, "(") {
                matches!(tokens[at + 2].text.as_str(), "get" | "getOrDefault" | "containsKey")
                    .then_some(at + 3)
            } else {
                let reads = match source.tongue {
                    Tongue::Python | Tongue::Java | Tongue::C => word == "getenv",
                    Tongue::Go => matches!(word, "Getenv" | "LookupEnv"),
                    Tongue::Rust => {
                        matches!(word, "var" | "var_os") && at >= 2 && is(at - 1, "::") && is(at - 2, "env")
                    }
                    Tongue::JavaScript => false,
                };
                (reads && is(at + 1, "(")).then_some(at + 1)
            };
            if let Some(open) = call {
                let close = closing(tokens, open);
                let arguments = parts(tokens, open + 1, close);
                if let Some(name) = arguments.first().and_then(|it| scope.text(it.clone())) {
                    // A default that stands beside each name of a list is known by the list.
                    let is_listed = matches!(name.hole(), Some(Hole::OneOf(_)));
                    let default = arguments.get(1).is_some_and(|it| {
                        let slice = &tokens[it.clone()];
                        let is_beside = is_listed && matches!(slice, [word] if word.is_word());
                        !is_nothing(slice) && !is_beside
                    });
                    all.push(Read { name, range: begin..close + 1, has_default: default, is_strict: false });
                }
                continue;
            }
            if holds_all && source.tongue == Tongue::JavaScript && (is(at + 1, ".") || is(at + 1, "?.")) {
                let is_set = is(at + 3, "=");
                if let Some(name) =
                    tokens.get(at + 2).filter(|token| token.is_word() && !is_set && is_name(&token.text))
                {
                    let name = Made::known(&name.text);
                    all.push(Read {
                        name,
                        range: begin..at + 3,
                        has_default: is(at + 1, "?."),
                        is_strict: false,
                    });
                }
                continue;
            }
            // A function that hands on what it finds.
            if is(at + 1, "(")
                && let Some(getter) = self.getter(source, word, false)
                && !source
                    .functions
                    .iter()
                    .any(|function| function.name == word && function.body.contains(&at))
                && let Some((name, has_default)) = self.called(source, getter, at + 1)
            {
                let close = closing(tokens, at + 1);
                all.push(Read {
                    name,
                    range: begin..close + 1,
                    has_default,
                    is_strict: getter.demands && !has_default,
                });
            }
        }
        all
    }

    /// The name that a call of a getter reads, and whether it is handed a default.
    fn called(&self, source: &'s Source, getter: &Getter, open: usize) -> Option<(Made, bool)> {
        let tokens = &source.tokens;
        let close = closing(tokens, open);
        let arguments = parts(tokens, open + 1, close);
        let scope = Scope::new(self.sources, source);
        let (at, each) = match getter.name.hole()? {
            Hole::Given(at) => (*at, false),
            Hole::EachOf(at) => (*at, true),
            Hole::OneOf(_) => return None,
        };
        let argument = arguments.get(at)?.clone();
        let has_default = arguments.iter().enumerate().any(|(place, range)| {
            let slice = &tokens[range.clone()];
            let named = slice.get(1).is_some_and(|sign| sign.is("=")) && is_default_name(&slice[0].text);
            let is_default = Some(place) == getter.default || named;
            is_default && !is_nothing(if named { &slice[2..] } else { slice })
        });
        let made = if each {
            let slice = &tokens[argument.clone()];
            if let [word] = slice
                && let Some(function) = source.around(open)
                && let Some(place) = function.parameters.iter().position(|it| *it == word.text)
            {
                Made::open(Hole::EachOf(place))
            } else {
                Made::open(Hole::OneOf(Rc::new(scope.list(argument)?)))
            }
        } else {
            scope.text(argument)?
        };
        Some((getter.name.filled(&made), has_default))
    }
}

/// Whether the token is the whole environment, not one variable of it.
pub(super) fn whole_environment(source: &Source, at: usize) -> bool {
    let tokens = &source.tokens;
    let is = |at: usize, text: &str| tokens.get(at).is_some_and(|token| token.is(text));
    match source.tongue {
        Tongue::Python => {
            tokens[at].is("environ") && !is(at + 1, "[") && (!is(at + 1, ".") || is(at + 2, "copy"))
        }
        Tongue::JavaScript => {
            tokens[at].is("env")
                && at >= 2
                && is(at - 2, "process")
                && !is(at + 1, "[")
                && !is(at + 1, ".")
                && !is(at + 1, "?.")
        }
        Tongue::Rust => tokens[at].is("vars") && is(at + 1, "("),
        Tongue::Java => tokens[at].is("getenv") && is(at + 1, "(") && is(at + 2, ")"),
        Tongue::Go | Tongue::C => false,
    }
}

fn is_nothing(tokens: &[Token]) -> bool {
    matches!(tokens, [only] if matches!(only.text.as_str(), "None" | "null" | "nil" | "undefined"))
}
