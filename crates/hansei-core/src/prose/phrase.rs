//! Finding phrases in a sentence. A pattern is a row of elements: a word, `a|b` for either, `word*` for any word that
//! begins so, `@class` for a class of words, `?` behind an element that may be missing, `..n` for up to `n` words,
//! `$` for the end of a clause.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use super::lexicon::{self, Concept};
use super::words::{BREAK, COMMA};

/// A phrase that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hit {
    /// What it means.
    pub concept: Concept,
    /// The place of its first word.
    pub start: usize,
    /// The place behind its last word.
    pub end: usize,
}

#[derive(Debug)]
struct Pattern {
    concept: Concept,
    elements: Vec<Element>,
}

#[derive(Debug)]
struct Element {
    words: Vec<&'static str>,
    prefixes: Vec<&'static str>,
    optional: bool,
    gap: usize,
}

impl Element {
    fn takes(&self, word: &str) -> bool {
        self.words.contains(&word) || self.prefixes.iter().any(|prefix| word.starts_with(prefix))
    }
}

/// The patterns, by the words that they can begin with.
#[derive(Debug, Default)]
struct Automaton {
    patterns: Vec<Pattern>,
    by_word: BTreeMap<&'static str, Vec<usize>>,
    by_prefix: Vec<(&'static str, usize)>,
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(build);

fn build() -> Automaton {
    let mut automaton = Automaton::default();
    for (concept, patterns) in lexicon::PHRASES {
        for pattern in patterns.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let elements: Vec<Element> = pattern.split_whitespace().map(element).collect();
            let place = automaton.patterns.len();
            // An optional beginning may be missing, so the pattern also begins with what follows.
            let required = elements.iter().position(|element| !element.optional).unwrap_or_default();
            for first in &elements[..=required.min(elements.len() - 1)] {
                for word in &first.words {
                    automaton.by_word.entry(word).or_default().push(place);
                }
                automaton.by_prefix.extend(first.prefixes.iter().map(|prefix| (*prefix, place)));
            }
            automaton.patterns.push(Pattern { concept: *concept, elements });
        }
    }
    automaton
}

fn element(text: &'static str) -> Element {
    let mut element = Element { words: Vec::new(), prefixes: Vec::new(), optional: false, gap: 0 };
    if let Some(count) = text.strip_prefix("..") {
        element.gap = count.parse().unwrap_or(3);
        return element;
    }
    let text = match text.strip_suffix('?') {
        Some(text) => {
            element.optional = true;
            text
        }
        None => text,
    };
    for part in text.split('|') {
        if let Some(class) = part.strip_prefix('@') {
            for word in lexicon::class(class) {
                match word.strip_suffix('*') {
                    Some(prefix) => element.prefixes.push(prefix),
                    None => element.words.push(word),
                }
            }
        } else if let Some(prefix) = part.strip_suffix('*') {
            element.prefixes.push(prefix);
        } else {
            element.words.push(part);
        }
    }
    element
}

/// Every phrase in `words`.
pub(super) fn find(words: &[String]) -> Vec<Hit> {
    let automaton = &*AUTOMATON;
    let mut hits: Vec<Hit> = Vec::new();
    for (start, word) in words.iter().enumerate() {
        let by_word = automaton.by_word.get(word.as_str()).map(Vec::as_slice).unwrap_or_default();
        let by_prefix = automaton.by_prefix.iter().filter(|(prefix, _)| word.starts_with(prefix));
        for place in by_word.iter().copied().chain(by_prefix.map(|(_, place)| *place)) {
            let pattern = &automaton.patterns[place];
            if let Some(end) = matched(&pattern.elements, &words[start..], 0) {
                let hit = Hit { concept: pattern.concept, start, end: start + end };
                if !hits.contains(&hit) {
                    hits.push(hit);
                }
            }
        }
    }
    hits
}

/// How many of `words` the elements take, if all of them find their words.
fn matched(elements: &[Element], words: &[String], taken: usize) -> Option<usize> {
    let Some((first, rest)) = elements.split_first() else { return Some(taken) };
    if first.words == ["$"] {
        let ends =
            words.first().is_none_or(|word| word == BREAK || word == COMMA || word == "and" || word == "but");
        return if ends { matched(rest, words, taken) } else { None };
    }
    if first.gap > 0 {
        // A gap never reaches over the end of a clause.
        return (0..=first.gap.min(words.len()))
            .take_while(|skip| words[..*skip].iter().all(|word| word != BREAK))
            .find_map(|skip| matched(rest, &words[skip..], taken + skip));
    }
    if let Some((word, behind)) = words.split_first()
        && first.takes(word)
        && let Some(end) = matched(rest, behind, taken + 1)
    {
        return Some(end);
    }
    if first.optional { matched(rest, words, taken) } else { None }
}
