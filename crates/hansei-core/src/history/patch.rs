//! The lines that a commit added and removed, as prints: enough to tell whether two commits touched the same lines, and
//! nothing of what they say.
//!
//! A line is known again by its words, not by its number, which every other change moves, nor by its spacing.

use super::CommitId;

pub use super::line::{Line, LinePrint};
use super::line::{is_blank, is_silent, words};

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

/// A line that took the place of another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rewritten {
    /// What went.
    pub old: LinePrint,
    /// What came.
    pub new: LinePrint,
    /// What was put for what, each as one number: the same number where the same words were put for the same words.
    pub swaps: Vec<u64>,
    /// The words that went.
    pub words_gone: Vec<u64>,
    /// The words that came.
    pub words_come: Vec<u64>,
}

/// The most places in which a rewritten line may differ from the old one.
const MOST_SWAPS: usize = 3;
/// How many words must have been kept, and how many may stand for others, where those are not as many as before.
const FEWEST_KEPT: usize = 2;
const LONGEST_SWAP: usize = 8;
/// The most words of a line that are compared.
const MOST_WORDS: usize = 400;

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

    /// Notes that the line `new` took the place of `old`.
    pub fn replace(&mut self, old: &[u8], new: &[u8]) {
        if let (Some(before), Some(after)) = (LinePrint::of(old), LinePrint::of(new))
            && before != after
        {
            self.rewritten.extend(rewritten(before, after, &words(old), &words(new)));
        }
    }
}

fn does_something(text: &[u8]) -> bool {
    !is_blank(text) && !is_silent(text)
}

fn rewritten(old: LinePrint, new: LinePrint, before: &[&[u8]], after: &[&[u8]]) -> Option<Rewritten> {
    if before.len() > MOST_WORDS || after.len() > MOST_WORDS {
        return None;
    }
    let mut swapped: Vec<(&[&[u8]], &[&[u8]])> = Vec::new();
    if before.len() == after.len() {
        for (was, is) in before.chunks(1).zip(after.chunks(1)).filter(|(was, is)| was != is) {
            if !swapped.contains(&(was, is)) {
                swapped.push((was, is));
            }
        }
    }
    if swapped.is_empty() || swapped.len() > MOST_SWAPS {
        let head = before.iter().zip(after).take_while(|(was, is)| was == is).count();
        let (was, is) = (before.get(head..)?, after.get(head..)?);
        let tail = was.iter().rev().zip(is.iter().rev()).take_while(|(was, is)| was == is).count();
        let was = was.get(..was.len() - tail)?;
        let is = is.get(..is.len() - tail)?;
        // Too much of it is new: that is another line.
        if head + tail < FEWEST_KEPT || is.len().max(was.len()) > LONGEST_SWAP {
            return None;
        }
        swapped = vec![(was, is)];
    }
    let number = |words: &[&[u8]]| LinePrint::of_words(words);
    let each = |words: &[&[u8]]| words.iter().map(|word| number(&[word])).collect::<Vec<u64>>();
    Some(Rewritten {
        old,
        new,
        swaps: swapped.iter().map(|(was, is)| number(&[*was, &[b"\n"], *is].concat())).collect(),
        words_gone: swapped.iter().flat_map(|(was, _)| each(was)).collect(),
        words_come: swapped.iter().flat_map(|(_, is)| each(is)).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_put_for_the_same_words_are_one_swap() {
        let swaps = |pairs: &[(&str, &str)]| {
            let mut file = FilePatch::default();
            for (old, new) in pairs {
                file.replace(old.as_bytes(), new.as_bytes());
            }
            file.rewritten.into_iter().map(|line| line.swaps).collect::<Vec<_>>()
        };
        for (one, other, same) in [
            (
                ("value = OLD_NAME + first", "value = NEW_NAME + first"),
                ("f(OLD_NAME)  # other", "f(NEW_NAME)  # other"),
                true,
            ),
            (
                ("value = OLD_NAME + first", "value = NEW_NAME + first"),
                ("f(OLD_NAME)  # other", "f(NEXT_NAME)  # other"),
                false,
            ),
            (
                ("get(MODEL, USUAL_MODEL)", "get(MODEL, DEFAULT[MODEL])"),
                ("model_id = USUAL_MODEL", "model_id = DEFAULT[MODEL]"),
                true,
            ),
            (
                ("call(first, second)", "call(first, second, timeout=9)"),
                ("other(second_one)", "other(second_one, timeout=9)"),
                true,
            ),
        ] {
            let found = swaps(&[one, other]);
            assert_eq!(found.len(), 2, "{one:?} {other:?}");
            assert_eq!(found[0] == found[1], same, "{one:?} {other:?}");
        }
        assert!(swaps(&[("return the_whole_thing", "let nothing = is_left(of, the, old, line)")]).is_empty());
        assert!(swaps(&[("    the same words", "the same   words")]).is_empty());
    }
}
