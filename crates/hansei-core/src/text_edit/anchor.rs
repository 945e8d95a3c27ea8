//! An anchor that occurs once, and what takes its place.

use super::{Nearest, Text, nearest, with_ending};

/// How many places of an anchor that is not unique are named.
const MOST_PLACES: usize = 20;

/// A text after an edit, and which of its lines are new.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Changed {
    /// The text.
    pub text: Text,
    /// The first line that was touched, counted from 1.
    pub first_line: usize,
    /// The last line that was touched.
    pub last_line: usize,
}

/// Why an edit was not made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Miss {
    /// The anchor is empty: it is everywhere.
    EmptyAnchor,
    /// The text would stay as it is.
    NoChange,
    /// The anchor is not there.
    NoMatch {
        /// What comes nearest to it.
        nearest: Option<Nearest>,
    },
    /// The anchor is there more than once.
    NotUnique {
        /// How often.
        times: usize,
        /// At which lines; at most the first twenty.
        lines: Vec<usize>,
    },
    /// There is no such line.
    BeyondEnd {
        /// How many lines there are.
        lines: usize,
    },
}

impl Text {
    /// The text with `new` in the place of `old`, which must occur exactly once.
    pub fn replace(&self, old: &str, new: &str) -> Result<Changed, Miss> {
        if old.is_empty() {
            return Err(Miss::EmptyAnchor);
        }
        let plain = self.text.replace("\r\n", "\n");
        let anchor = old.replace("\r\n", "\n");
        let places = places(&plain, &anchor);
        let at = match places[..] {
            [] => return Err(Miss::NoMatch { nearest: nearest::nearest(&plain, &anchor) }),
            [at] => at,
            _ => {
                let lines = places.iter().take(MOST_PLACES).map(|at| line_of(&plain, *at)).collect();
                return Err(Miss::NotUnique { times: places.len(), lines });
            }
        };
        let (from, to) = (self.original(at), self.original(at + anchor.len()));
        let replaced = &self.text[from..to];
        let ending = ending_of(replaced).or_else(|| self.ending());
        let new = ending.map_or_else(|| new.to_owned(), |ending| with_ending(new, ending));
        let text = [&self.text[..from], &new, &self.text[to..]].concat();
        if text == self.text {
            return Err(Miss::NoChange);
        }
        let first_line = line_of(&plain, at);
        let last_line = first_line + new.lines().count().saturating_sub(1);
        Ok(Changed { text: self.with(text), first_line, last_line })
    }

    /// Where an offset into the text with short line endings stands in the text itself.
    fn original(&self, plain: usize) -> usize {
        let mut left = plain;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            let length = if line.ends_with("\r\n") { line.len() - 1 } else { line.len() };
            if left < length {
                return at + left;
            }
            left -= length;
            at += line.len();
        }
        at
    }
}

/// Where `anchor` begins, overlapping occurrences included: which of them was meant is open as well.
fn places(text: &str, anchor: &str) -> Vec<usize> {
    let step = anchor.chars().next().map_or(1, char::len_utf8);
    let mut places = Vec::new();
    let mut from = 0;
    while let Some(at) = text[from..].find(anchor) {
        places.push(from + at);
        from += at + step;
    }
    places
}

fn line_of(text: &str, at: usize) -> usize {
    1 + text[..at].matches('\n').count()
}

/// The ending that all lines of a text share, if they do.
fn ending_of(text: &str) -> Option<&'static str> {
    let all = text.matches('\n').count();
    match text.matches("\r\n").count() {
        _ if all == 0 => None,
        0 => Some("\n"),
        long if long == all => Some("\r\n"),
        _ => None,
    }
}
