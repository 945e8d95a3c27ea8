//! One line of a file: its print, and whether it does anything.

use std::hash::{DefaultHasher, Hasher as _};

/// A line of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Line {
    /// By what it is known again.
    pub print: LinePrint,
    /// Whether it does nothing by itself: a comment, an import, a name in a list, a version.
    pub silent: bool,
}

impl Line {
    /// The line `text`; none for one that could stand anywhere (a bracket, `return None`).
    pub fn of(text: &[u8]) -> Option<Self> {
        LinePrint::of(text).map(|print| Self { print, silent: is_silent(text) })
    }
}

/// The print of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePrint(u64);

impl LinePrint {
    /// The print of `line`, whatever its spacing; none for a line that could stand anywhere.
    pub fn of(line: &[u8]) -> Option<Self> {
        const FEWEST_LETTERS: usize = 12;
        let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count();
        if letters < FEWEST_LETTERS {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        for part in line.split(u8::is_ascii_whitespace) {
            hasher.write(part);
        }
        Some(Self(hasher.finish()))
    }

    /// The same line in the file that has the number `file`.
    pub fn in_file(self, file: u64) -> u64 {
        (self.0 ^ file.rotate_left(32)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// The most words of a line that are compared.
const MOST_WORDS: usize = 200;

/// Names, numbers and operators of a line, each as one number, sorted. What only parts or groups them is none.
pub(super) fn word_prints(line: &[u8]) -> Vec<u64> {
    let is_letter = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii();
    let is_word = |word: &&[u8]| {
        word.iter().any(|byte| is_letter(byte) && *byte != b'_') || word.iter().all(|byte| is_operator(*byte))
    };
    let words = line.chunk_by(|one, next| is_letter(one) && is_letter(next)).filter(is_word);
    let print = |word: &[u8]| {
        let mut hasher = DefaultHasher::new();
        hasher.write(word);
        hasher.finish()
    };
    let mut prints: Vec<u64> = words.take(MOST_WORDS).map(print).collect();
    prints.sort_unstable();
    prints
}

fn is_operator(byte: u8) -> bool {
    b"<>!&|+-*/%^~?".contains(&byte)
}

/// Whether nothing stands in a line but brackets and signs.
pub(super) fn is_blank(line: &[u8]) -> bool {
    line.iter().all(|byte| byte.is_ascii() && !byte.is_ascii_alphanumeric())
}

/// Whether a line does nothing by itself, as the common languages write it: a comment, an import, a name in a list, a
/// version.
pub(super) fn is_silent(line: &[u8]) -> bool {
    const COMMENTS: [&[u8]; 10] =
        [b"//", b"/*", b"* ", b"*/", b"# ", b"##", b"-- ", b"<!--", b"\"\"\"", b";;"];
    const IMPORTS: [&[u8]; 14] = [
        b"import ", b"import(", b"import{", b"#include", b"# include", b"#import", b"use ", b"pub use ",
        b"using ", b"require ", b"require_relative ", b"extern crate ", b"@import", b"package ",
    ];
    let line = line.trim_ascii();
    let begins = |openings: &[&[u8]]| openings.iter().any(|opening| line.starts_with(opening));
    begins(&COMMENTS)
        || begins(&IMPORTS)
        || is_hash_comment(line)
        || is_import_from(line)
        || is_one_word(line)
        || names_a_version(line)
}

/// `#comment`, but not what a preprocessor is told, nor a selector of a style sheet.
fn is_hash_comment(line: &[u8]) -> bool {
    const TOLD: [&[u8]; 12] = [
        b"define", b"undef", b"if", b"ifdef", b"ifndef", b"else", b"elif", b"elseif", b"endif", b"pragma",
        b"error", b"warning",
    ];
    let Some(rest) = line.strip_prefix(b"#") else { return false };
    let word = rest.split(|byte| !byte.is_ascii_alphabetic()).next().unwrap_or_default();
    !word.is_empty() && !TOLD.contains(&word) && !line.ends_with(b"{") && !line.ends_with(b",")
}

/// A version of three numbers: what is relied on, not what is done.
fn names_a_version(line: &[u8]) -> bool {
    let numbers = line.split(|byte| !byte.is_ascii_digit() && *byte != b'.');
    numbers.into_iter().any(|number| {
        let parts: Vec<&[u8]> = number.split(|byte| *byte == b'.').collect();
        parts.len() == 3 && parts.iter().all(|part| !part.is_empty())
    })
}

/// `from x import y`, `const x = require('y')`, `export { x } from 'y'`.
fn is_import_from(line: &[u8]) -> bool {
    let Ok(line) = std::str::from_utf8(line) else { return false };
    (line.starts_with("from ") && line.contains(" import"))
        || (line.starts_with("export ") && line.contains(" from "))
        || (["const ", "var ", "let "].iter().any(|opening| line.starts_with(opening))
            && line.contains("= require("))
}

/// A name, a path or a text without a space, with a comma or nothing behind it.
fn is_one_word(line: &[u8]) -> bool {
    let word = line.strip_suffix(b",").unwrap_or(line);
    let in_a_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii() || b"_.:/-@\"'`".contains(byte);
    !word.is_empty() && word.iter().all(in_a_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_again_by_its_words() {
        let print = |line: &str| LinePrint::of(line.as_bytes());
        assert_eq!(print("let total = price * count;"), print("\t let total  =price * count;\r"));
        assert_ne!(print("let total = price * count;"), print("let total = price + count;"));
        assert_eq!(print("    return None;"), None);
        assert_eq!(print(""), None);
        let one = print("let total = price * count;").unwrap();
        assert_eq!(one.in_file(1), one.in_file(1));
        assert_ne!(one.in_file(1), one.in_file(2));
    }

    #[test]
    fn a_silent_line_does_nothing_by_itself() {
        for (line, silent) in [
            ("// the total of it", true),
            ("    # the total of it", true),
            (" * the total of it", true),
            ("*total = price * count;", false),
            ("#include <sys/errno.h>", true),
            ("#define TOTAL 12", false),
            ("#ifdef HAVE_TOTALS", false),
            ("#the total of it", true),
            ("#total_of_it {", false),
            ("#[derive(Debug, Clone)]", false),
            ("from typing import Any, Self", true),
            ("from_the_start = import_all()", false),
            ("use std::collections::BTreeMap;", true),
            ("user = find(name)", false),
            ("const fs = require('fs')", true),
            ("const fs = required('fs')", false),
            ("export { total } from './total'", true),
            ("    async_get_translations,", true),
            ("\t\"go.example.org/some/package\"", true),
            ("    total(prices),", false),
            ("return total", false),
            ("REQUIREMENTS = ['library==0.1.2']", true),
            ("ratio = 0.12 * total.1", false),
            ("", false),
        ] {
            assert_eq!(is_silent(line.as_bytes()), silent, "{line}");
        }
    }
}
