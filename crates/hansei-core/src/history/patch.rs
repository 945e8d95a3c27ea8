//! The lines that a commit added and removed, as prints: enough to tell whether two commits touched the same lines, and
//! nothing of what they say.
//!
//! A line is known again by its words, not by its number, which every other change moves, nor by its spacing.

use super::CommitId;

pub use super::line::{Line, LinePrint};
use super::line::{is_blank, is_silent, word_prints};

/// What a commit did to lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The commit.
    pub id: CommitId,
    /// The files, in the order in which git tells them.
    pub files: Vec<FilePatch>,
    /// Whether it changed nothing but spacing. Otherwise a line whose spacing alone changed neither came nor went.
    pub only_spacing: bool,
}

/// What a commit did to the lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    /// Where the file is, as [`crate::path_text`] writes it.
    pub path: String,
    /// Lines that came.
    pub added: Vec<Line>,
    /// Lines that went.
    pub removed: Vec<Line>,
    /// Between which lines new ones were put where none went.
    pub inserted_between: Vec<[Line; 2]>,
    /// Lines that took the place of another and kept most of its words.
    pub rewritten: Vec<Rewritten>,
    /// How many lines came that do something, however short.
    pub came: usize,
    /// How many such lines went.
    pub went: usize,
}

/// A line that took the place of another and kept at least half of its words.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// What went.
    pub old: LinePrint,
    /// What came.
    pub new: LinePrint,
    /// The words that went.
    pub words_gone: Vec<u64>,
    /// The words that came.
    pub words_come: Vec<u64>,
}

impl FilePatch {
    /// Notes a line that came.
    pub fn come(&mut self, text: &[u8], keep: bool) {
        self.came += usize::from(does_something(text));
        self.added.extend(Line::of(text).filter(|_| keep));
    }

    /// Notes a line that went.
    pub fn go(&mut self, text: &[u8], keep: bool) {
        self.went += usize::from(does_something(text));
        self.removed.extend(Line::of(text).filter(|_| keep));
    }

    /// Notes that the lines `new` took the place of the lines `old`: which of which, their words tell.
    pub fn replace<T: AsRef<[u8]>>(&mut self, old: &[T], new: &[T]) {
        let of = |lines: &[T]| -> Vec<(LinePrint, Vec<u64>)> {
            let lines = lines.iter().map(AsRef::as_ref);
            lines.filter_map(|line| LinePrint::of(line).map(|print| (print, word_prints(line)))).collect()
        };
        let old = of(old);
        for (print, words) in of(new) {
            let kept = |(_, before): &&(LinePrint, Vec<u64>)| 2 * common(before, &words);
            let Some((before, gone)) = old.iter().max_by_key(kept) else { continue };
            // Half of what the longer one says.
            if *before != print && 2 * common(gone, &words) >= gone.len().max(words.len()) {
                self.rewritten.push(Rewritten {
                    old: *before,
                    new: print,
                    words_gone: without(gone, &words),
                    words_come: without(&words, gone),
                });
            }
        }
    }
}

fn does_something(text: &[u8]) -> bool {
    !is_blank(text) && !is_silent(text)
}

/// How many of the words are in both; both are sorted.
fn common(one: &[u64], other: &[u64]) -> usize {
    one.len() - without(one, other).len()
}

/// The words of `one` that are not in `other`, each as often as it is there more often; both are sorted.
fn without(one: &[u64], other: &[u64]) -> Vec<u64> {
    let mut rest = other.iter().peekable();
    let mut left = Vec::new();
    for word in one {
        while rest.next_if(|next| *next < word).is_some() {}
        if rest.next_if_eq(&word).is_none() {
            left.push(*word);
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rewritten_line_is_known_by_the_words_that_it_kept() {
        let rewritten = |old: &[&str], new: &[&str]| {
            let mut file = FilePatch::default();
            file.replace(old, new);
            let one = |line: &Rewritten| {
                let place = |print, lines: &[&str]| {
                    lines.iter().position(|text| LinePrint::of(text.as_bytes()) == Some(print)).unwrap()
                };
                (place(line.old, old), place(line.new, new), line.words_gone.clone(), line.words_come.clone())
            };
            file.rewritten.iter().map(one).collect::<Vec<_>>()
        };
        let words = |text: &str| word_prints(text.as_bytes());
        for (old, new, expected) in [
            (
                &["value = OLD_NAME + first(item)"][..],
                &["value = NEW_NAME + first(item)"][..],
                vec![(0, 0, words("OLD_NAME"), words("NEW_NAME"))],
            ),
            (
                &["if first_count < last_count"],
                &["if first_count > last_count"],
                vec![(0, 0, words("<"), words(">"))],
            ),
            (
                &["total_of_all(prices)", "average_of_all(prices)"],
                &["# say more about it all", "average_of_all(prices, weights)", "and_now_something_else()"],
                vec![(1, 1, vec![], words("weights"))],
            ),
            (
                &["func f(_ string, _ int64)"],
                &["func f(_ string, the int64)"],
                vec![(0, 0, vec![], words("the"))],
            ),
            (&["return the_whole_thing"], &["let nothing = is_left(of, the, old, line)"], vec![]),
            (&["    the same words of it"], &["the same   words of it"], vec![]),
            (&["}"], &["let nothing = is_left(of, the, old, line)"], vec![]),
        ] {
            assert_eq!(rewritten(old, new), expected, "{old:?} {new:?}");
        }
    }
}
