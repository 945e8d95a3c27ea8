//! The words that claims are made of, as data: `words.txt` holds a class a line.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static CLASSES: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    let classes = lines.filter_map(|line| line.split_once(':'));
    classes.map(|(name, words)| (name, words.split_whitespace().collect())).collect()
});

/// Whether `word` is one of the class.
pub(super) fn is(word: &str, class: &str) -> bool {
    CLASSES.get(class).is_some_and(|words| words.contains(&word))
}

/// The place of the first word of the class.
pub(super) fn find(words: &[String], class: &str) -> Option<usize> {
    words.iter().position(|word| is(word, class))
}

/// Whether one of the words is of the class.
pub(super) fn has(words: &[String], class: &str) -> bool {
    find(words, class).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_class_is_empty_and_no_word_stands_twice_in_one() {
        for (name, words) in CLASSES.iter() {
            assert!(!words.is_empty(), "{name}");
            for (place, word) in words.iter().enumerate() {
                assert!(!words[..place].contains(word), "{name}: {word}");
                assert_eq!(*word, word.to_lowercase(), "{name}");
            }
        }
    }
}
