//! The words that claims are made of, as data: `words.txt` holds a class a line.

use std::collections::BTreeMap;
use std::sync::LazyLock;

static CLASSES: LazyLock<BTreeMap<&'static str, Vec<&'static str>>> = LazyLock::new(|| {
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    let classes = lines.filter_map(|line| line.split_once(": "));
    classes.map(|(name, words)| (name, words.split_whitespace().collect())).collect()
});

/// Whether `word` is one of the class, or holds one where words are not set apart.
pub(super) fn is(word: &str, class: &str) -> bool {
    let Some(words) = CLASSES.get(class) else { return false };
    words.contains(&word)
        || word.chars().any(unspaced)
            && words.iter().any(|known| known.starts_with(unspaced) && word.contains(known))
}

/// Whether a letter is of a script that sets no spaces between words.
fn unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}')
}

/// The place of the first word of the class.
pub(super) fn find(words: &[String], class: &str) -> Option<usize> {
    words.iter().position(|word| is(word, class))
}

/// Whether one of the words is of the class.
pub(super) fn has(words: &[String], class: &str) -> bool {
    find(words, class).is_some()
}

/// Whether a text holds a word of the class, wherever.
pub(super) fn has_part(text: &str, class: &str) -> bool {
    CLASSES.get(class).is_some_and(|words| words.iter().any(|word| text.contains(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_class_is_empty_and_every_word_is_in_lower_case() {
        for (name, words) in CLASSES.iter() {
            assert!(!words.is_empty(), "{name}");
            for word in words {
                assert_eq!(*word, word.to_lowercase(), "{name}");
            }
        }
    }
}
