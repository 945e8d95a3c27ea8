//! Finding phrases in a sentence. A pattern is a row of elements: a word, `a|b` for either, `word*` for any word that
//! begins so, `@class` for a class of words, `?` behind an element that may be missing, `..n` for up to `n` words,
//! `$` for the end of a clause. In scripts without spaces a pattern is found within a word.

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
    /// Whether it is in another language than English.
    pub abroad: bool,
}

#[derive(Debug)]
struct Pattern {
    concept: Concept,
    abroad: bool,
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
    /// Patterns that are found within a word.
    within: Vec<(&'static str, Concept)>,
}

static AUTOMATON: LazyLock<Automaton> = LazyLock::new(build);

fn build() -> Automaton {
    let mut automaton = Automaton::default();
    for phrase in lexicon::phrases() {
        if is_unspaced(phrase.pattern) {
            automaton.within.push((phrase.pattern, phrase.concept));
            continue;
        }
        let elements: Vec<Element> = phrase.pattern.split_whitespace().map(element).collect();
        let place = automaton.patterns.len();
        // An optional beginning may be missing, so the pattern also begins with what follows.
        let required = elements.iter().position(|element| !element.optional).unwrap_or_default();
        for first in &elements[..=required.min(elements.len() - 1)] {
            for word in &first.words {
                automaton.by_word.entry(word).or_default().push(place);
            }
            automaton.by_prefix.extend(first.prefixes.iter().map(|prefix| (*prefix, place)));
        }
        automaton.patterns.push(Pattern { concept: phrase.concept, abroad: phrase.abroad, elements });
    }
    automaton
}

/// Whether `text` is in a script without spaces, or without many.
fn is_unspaced(text: &str) -> bool {
    text.chars().next().is_some_and(|c| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}'))
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
    let words = text.split('|').flat_map(|part| match part.strip_prefix('@') {
        Some(class) => lexicon::class(class).to_vec(),
        None => vec![part],
    });
    for word in words {
        match word.strip_suffix('*') {
            Some(prefix) => element.prefixes.push(prefix),
            None => element.words.push(word),
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
                let hit = Hit { concept: pattern.concept, start, end: start + end, abroad: pattern.abroad };
                if !hits.contains(&hit) {
                    hits.push(hit);
                }
            }
        }
        if !word.is_ascii() {
            let within = automaton.within.iter().filter(|(part, _)| asserts(word, part));
            let hit = |concept| Hit { concept, start, end: start + 1, abroad: true };
            hits.extend(within.map(|(_, concept)| hit(*concept)));
        }
    }
    hits
}

/// Whether `word`, a clause without spaces, holds `part` with no denial around it.
fn asserts(word: &str, part: &str) -> bool {
    word.split_once(part).is_some_and(|(before, behind)| {
        !lexicon::class("denies-before").iter().any(|denial| before.ends_with(denial))
            && !lexicon::class("denies-behind").iter().any(|denial| behind.starts_with(denial))
    })
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
