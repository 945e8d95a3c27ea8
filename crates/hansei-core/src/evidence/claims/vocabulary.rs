//! The words that claims are made of, as data: `words.txt` holds a class a line.

use std::sync::LazyLock;

use crate::tables::Classes;

static CLASSES: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("words.txt")));

/// Whether `word` is one of the class, or holds one where words are not set apart.
pub(super) fn is(word: &str, class: &str) -> bool {
    let holds = |known: &&str| known.starts_with(unspaced) && word.contains(*known);
    CLASSES.is(word, class) || word.chars().any(unspaced) && CLASSES.of(class).iter().any(holds)
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
    CLASSES.of(class).iter().any(|word| text.contains(word))
}
