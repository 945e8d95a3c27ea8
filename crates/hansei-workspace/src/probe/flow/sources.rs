//! The sources of a project, taken apart, with what each name is given.

use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::functions::{Function, functions};
use super::tokens::{Kind, Token, Tongue, closing, tokens};
use crate::probe::ground::Ground;
use crate::probe::tree::Tree;

/// The most sources that are taken apart, and the largest.
const MOST: usize = 600;
const LARGEST: u64 = 96 << 10;

/// A source.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) tongue: Tongue,
    pub(crate) tokens: Vec<Token>,
    pub(crate) functions: Vec<Function>,
    /// What names are given, in order: the name's place, and where the value lies.
    given: Given,
    /// The same for members of tables.
    members: Given,
}

/// The sources of a project.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    pub(crate) all: Vec<Rc<Source>>,
}

impl Sources {
    /// The examined sources that are meant, by their paths.
    pub(crate) fn of(ground: &Ground<'_>, is_meant: impl Fn(&str) -> bool) -> Self {
        let all = ground.sources().iter().filter(|source| is_meant(&source.path));
        Self { all: all.take(MOST).cloned().collect() }
    }

    /// All of them.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Source> {
        self.all.iter().map(Rc::as_ref)
    }

    /// Takes the examined sources apart.
    pub(crate) fn taken_apart(tree: &Tree) -> Vec<Rc<Source>> {
        let endings = [
            ".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".mts", ".cts", ".rs", ".go", ".java",
            ".kt", ".c", ".cc", ".cpp", ".h", ".hpp",
        ];
        let files = tree.examined(&endings).filter(|file| file.size <= LARGEST && !tree.is_over());
        let sources = files.filter_map(|file| {
            let tongue = Tongue::of(&file.path)?;
            Some(Rc::new(Source::new(&file.path, &tree.text(&file.path)?, tongue)))
        });
        sources.take(2 * MOST).collect()
    }

    /// Where a name is given something outside `source`, in its language.
    pub(crate) fn elsewhere<'s>(
        &'s self,
        source: &'s Source,
        name: &'s str,
    ) -> impl Iterator<Item = (&'s Source, Range<usize>)> {
        let others = self.iter().filter(|other| other.tongue == source.tongue && other.path != source.path);
        others.flat_map(move |other| other.given_at(name).map(move |range| (other, range)))
    }
}

impl Source {
    pub(crate) fn new(path: &str, text: &str, tongue: Tongue) -> Self {
        let tokens = tokens(text, tongue);
        let functions = functions(&tokens, tongue);
        let (given, members) = given(&tokens);
        Self { path: path.to_owned(), tongue, tokens, functions, given, members }
    }

    /// The innermost function around a token.
    pub(crate) fn around(&self, at: usize) -> Option<&Function> {
        self.functions.iter().filter(|it| it.body.contains(&at)).min_by_key(|it| it.body.len())
    }

    /// What a name is given before `at` in the same function, the last first; else what the file gives it.
    pub(crate) fn given_before(&self, name: &str, at: usize) -> Vec<Range<usize>> {
        let Some(places) = self.given.get(name) else { return Vec::new() };
        let here = self.around(at).map_or(0..usize::MAX, |function| function.body.clone());
        let inside = places
            .iter()
            .rev()
            .filter(|(place, value)| here.contains(place) && *place < at && !value.contains(&at));
        let found: Vec<_> = inside.map(|(_, value)| value.clone()).collect();
        if !found.is_empty() {
            return found;
        }
        let outside =
            places.iter().filter(|(place, value)| self.around(*place).is_none() && !value.contains(&at));
        outside.map(|(_, value)| value.clone()).collect()
    }

    /// What a name is given outside of functions.
    fn given_at(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        let places = self.given.get(name).into_iter().flatten();
        places.filter(|(place, _)| self.around(*place).is_none()).map(|(_, value)| value.clone())
    }

    /// What a member of that name is given in some table of the file.
    pub(crate) fn members(&self, name: &str) -> impl Iterator<Item = Range<usize>> {
        self.members.get(name).into_iter().flatten().map(|(_, value)| value.clone())
    }

    /// Every name that is given something, with the value's place.
    pub(crate) fn assignments(&self) -> impl Iterator<Item = (&str, &Range<usize>)> {
        self.given
            .iter()
            .flat_map(|(name, places)| places.iter().map(move |(_, value)| (name.as_str(), value)))
    }
}

type Given = BTreeMap<String, Vec<(usize, Range<usize>)>>;

/// What names are given, and what members of tables are.
fn given(tokens: &[Token]) -> (Given, Given) {
    let (mut names, mut members) = (Given::new(), Given::new());
    for at in 0..tokens.len() {
        let token = &tokens[at];
        let Some(next) = tokens.get(at + 1) else { break };
        let is_name = token.is_word() || token.kind == Kind::Text;
        if !is_name || next.kind != Kind::Sign {
            continue;
        }
        let (value, is_member) = match next.text.as_str() {
            "=" | ":=" if token.is_word() => (at + 2, false),
            // `name: type = value`, or the member of an object.
            ":" => {
                let typed = (at + 2..tokens.len().min(at + 12))
                    .take_while(|at| {
                        !matches!(tokens[*at].text.as_str(), ";" | "," | "{" | "}" | "(" | ")" | ":" | "=>")
                    })
                    .find(|at| tokens[*at].is("="));
                match typed {
                    Some(equals) if token.is_word() => (equals + 1, false),
                    _ if tokens.get(at + 2).is_some_and(Token::is_text) => (at + 2, true),
                    _ => continue,
                }
            }
            _ => continue,
        };
        let end = statement_end(tokens, value);
        if value < end {
            let all = if is_member { &mut members } else { &mut names };
            all.entry(token.text.clone()).or_default().push((at, value..end));
        }
    }
    (names, members)
}

/// Where the statement or member that a value stands in ends.
pub(super) fn statement_end(tokens: &[Token], from: usize) -> usize {
    let mut at = from;
    while at < tokens.len() {
        let token = &tokens[at];
        let goes_on = |token: &Token| {
            token.kind == Kind::Sign
                && matches!(token.text.as_str(), "." | "+" | "?" | "??" | "||" | "&&" | "?." | ":" | "%")
        };
        let is_new_line = token.begins.is_some() && at > from;
        if is_new_line && !goes_on(token) && !goes_on(&tokens[at - 1]) && !tokens[at - 1].is("=") {
            return at;
        }
        if token.kind == Kind::Sign {
            match token.text.as_str() {
                ";" | "," | ")" | "]" | "}" => return at,
                "(" | "[" | "{" => {
                    at = closing(tokens, at) + 1;
                    continue;
                }
                _ => {}
            }
        }
        at += 1;
    }
    tokens.len()
}
