//! The words that command lines of checks are read by, as data: `words.txt` and `valued_options.txt`.

use std::sync::LazyLock;

use crate::tables::Classes;

static WORDS: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("words.txt")));
static VALUED: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("valued_options.txt")));

/// Whether `word` is one of the class.
pub(super) fn is(word: &str, class: &str) -> bool {
    WORDS.is(word, class)
}

/// The words of the class.
pub(super) fn of(class: &str) -> &'static [&'static str] {
    WORDS.of(class)
}

/// The options of `program` that take the next word as their value.
pub(super) fn valued(program: &str) -> &'static [&'static str] {
    VALUED.of(program)
}
