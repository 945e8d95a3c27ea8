//! What the data files beside the code hold: classes of words, rows of a table, and names of values. A line that begins with
//! `#` is a comment.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IntoDeserializer as _;
use serde::de::value::{Error, StrDeserializer};

/// Classes of words: a line `class: words` begins one, indented lines go on with it. After `class::` stand phrases, parted
/// by ` | `.
#[derive(Debug, Default)]
pub(crate) struct Classes(BTreeMap<&'static str, Vec<&'static str>>);

impl Classes {
    pub(crate) fn read(text: &'static str) -> Self {
        let mut classes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let (mut class, mut phrases) = ("", false);
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let mut entries = line;
            if !line.starts_with(' ')
                && let Some((name, rest)) = line.split_once(':')
            {
                class = name.trim_start_matches('@');
                (entries, phrases) = rest.strip_prefix(':').map_or((rest, false), |rest| (rest, true));
            }
            let known = classes.entry(class).or_default();
            if phrases {
                known.extend(entries.split(" | ").map(|phrase| phrase.trim_matches([' ', '|'])));
            } else {
                known.extend(entries.split_whitespace());
            }
        }
        for words in classes.values_mut() {
            words.sort_unstable();
        }
        Self(classes)
    }

    /// The words of a class, in order, if there is one of this name.
    pub(crate) fn get(&self, class: &str) -> Option<&[&'static str]> {
        self.0.get(class).map(Vec::as_slice)
    }

    /// The words of a class, in order.
    pub(crate) fn of(&self, class: &str) -> &[&'static str] {
        self.get(class).unwrap_or_default()
    }

    /// Whether `word` is one of a class.
    pub(crate) fn is(&self, word: &str, class: &str) -> bool {
        self.of(class).binary_search(&word).is_ok()
    }

    /// Every class with its words.
    #[cfg(test)]
    pub(crate) fn all(&self) -> impl Iterator<Item = (&'static str, &[&'static str])> {
        self.0.iter().map(|(name, words)| (*name, words.as_slice()))
    }
}

/// The rows of a table: what stands before ` = ` and behind it.
pub(crate) fn rows(table: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    table.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once(" = "))
}

/// The value of this name.
pub(crate) fn named<T: Deserialize<'static>>(name: &'static str) -> Option<T> {
    let name: StrDeserializer<'static, Error> = name.into_deserializer();
    T::deserialize(name).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_of_words_and_of_phrases() {
        let classes =
            Classes::read("# words\na: two one\n  three\nb:: this one | that\n  another one | more\nc:");
        assert_eq!(classes.of("a"), ["one", "three", "two"]);
        assert_eq!(classes.of("b"), ["another one", "more", "that", "this one"]);
        assert_eq!((classes.of("c").len(), classes.get("d"), classes.is("two", "a")), (0, None, true));
    }

    /// Every class of the data files has words, and none twice.
    #[test]
    fn no_class_is_empty_and_no_word_stands_twice_in_one() {
        for text in [
            include_str!("check/words.txt"),
            include_str!("check/valued_options.txt"),
            include_str!("evidence/claims/words.txt"),
            include_str!("evidence/loops/words.txt"),
            include_str!("interrupt/latest_word.txt"),
        ] {
            for (name, words) in Classes::read(text).all() {
                assert!(!words.is_empty(), "{name}");
                assert!(words.windows(2).all(|pair| pair[0] < pair[1]), "{name}: {words:?}");
            }
        }
    }
}
