//! The words that claims are made of, as data: `words.txt` holds a class a line.

use std::sync::LazyLock;

use crate::tables::Classes;

static CLASSES: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("words.txt")));

/// Whether `word` is one of the class.
pub(super) fn is(word: &str, class: &str) -> bool {
    CLASSES.is(word, class)
}

/// The place of the first word of the class.
pub(super) fn find(words: &[String], class: &str) -> Option<usize> {
    words.iter().position(|word| is(word, class))
}

/// Whether one of the words is of the class.
pub(super) fn has(words: &[String], class: &str) -> bool {
    find(words, class).is_some()
}
