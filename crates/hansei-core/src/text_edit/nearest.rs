//! What an anchor that is not there was probably meant to be: the place that agrees with it longest, and what differs.

use std::collections::BTreeSet;

/// Longer texts are not compared line by line: the answer must not cost more than the edit.
const MOST_LINES: usize = 20_000;
/// Longer lines are not compared letter by letter.
const MOST_LETTERS: usize = 500;
/// Two lines that share less than this of their pairs of letters are not alike.
const ALIKE: f64 = 0.6;

/// The place that comes nearest to an anchor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Nearest {
    /// The first line there that differs, counted from 1.
    pub line: usize,
    /// What it says.
    pub there: String,
    /// What the anchor says instead.
    pub wanted: String,
    /// In what they differ.
    pub difference: Difference,
}

/// In what two lines differ.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference {
    /// Spaces and tabs.
    Whitespace,
    /// Upper and lower case.
    Case,
    /// Characters that look alike: curly quotes, long dashes, spaces that do not break.
    Typography,
    /// Words.
    Words,
}

pub(super) fn nearest(text: &str, anchor: &str) -> Option<Nearest> {
    let lines: Vec<&str> = text.lines().take(MOST_LINES).collect();
    let wanted: Vec<&str> = anchor.lines().collect();
    let first = wanted.iter().position(|line| !line.trim().is_empty())?;
    let wanted = &wanted[first..];
    let rough: Vec<String> = wanted.iter().map(|line| roughly(line)).collect();
    // Where most lines of the anchor follow each other, but for the details.
    let agreeing = |start: usize| {
        rough.iter().zip(&lines[start..]).take_while(|(wanted, line)| **wanted == roughly(line)).count()
    };
    let best = (0..lines.len()).map(|start| (agreeing(start), std::cmp::Reverse(start))).max();
    if let Some((1.., std::cmp::Reverse(start))) = best {
        let pairs = wanted.iter().zip(&lines[start..]).enumerate();
        for (offset, (wanted, there)) in pairs {
            if wanted != there {
                return Some(Nearest::of(start + offset + 1, there, wanted));
            }
        }
        // Every line agrees, so the anchor has more of them than the file.
        let wanted = wanted.get(lines.len() - start)?;
        return Some(Nearest::of(lines.len() + 1, "", wanted));
    }
    let letters = pairs_of_letters(&rough[0]);
    let scored = lines.iter().enumerate().filter(|(_, line)| line.len() <= MOST_LETTERS);
    let scored = scored.map(|(number, line)| (alike(&letters, &pairs_of_letters(&roughly(line))), number));
    let (score, number) = scored.max_by(|one, other| one.0.total_cmp(&other.0).then(other.1.cmp(&one.1)))?;
    (score >= ALIKE).then(|| Nearest::of(number + 1, lines[number], wanted[0]))
}

impl Nearest {
    fn of(line: usize, there: &str, wanted: &str) -> Self {
        let without_spaces = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
        let plain = |text: &str| text.chars().map(typewritten).collect::<String>();
        let difference = if there.is_empty() {
            Difference::Words
        } else if without_spaces(there) == without_spaces(wanted) {
            Difference::Whitespace
        } else if there.to_lowercase() == wanted.to_lowercase() {
            Difference::Case
        } else if plain(there) == plain(wanted) {
            Difference::Typography
        } else {
            Difference::Words
        };
        Self { line, there: there.to_owned(), wanted: wanted.to_owned(), difference }
    }
}

/// A line without what is easily got wrong.
fn roughly(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.join(" ").chars().map(typewritten).flat_map(char::to_lowercase).collect()
}

fn typewritten(character: char) -> char {
    match character {
        '\u{2018}' | '\u{2019}' => '\'',
        '\u{201c}' | '\u{201d}' => '"',
        '\u{2010}'..='\u{2015}' => '-',
        '\u{a0}' | '\u{202f}' => ' ',
        other => other,
    }
}

fn pairs_of_letters(text: &str) -> BTreeSet<(char, char)> {
    text.chars().zip(text.chars().skip(1)).collect()
}

#[expect(clippy::cast_precision_loss, reason = "lines have few letters")]
fn alike(one: &BTreeSet<(char, char)>, other: &BTreeSet<(char, char)>) -> f64 {
    let all = one.len() + other.len();
    if all == 0 { 0.0 } else { 2.0 * one.intersection(other).count() as f64 / all as f64 }
}
