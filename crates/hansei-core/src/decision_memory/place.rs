//! Where in a file a line stands, and what the lines around it say about it.

use super::file_kind::FileKind;
use super::syntax::{ReadLine, Stretch};

/// Lines around one that are looked at.
const AROUND: usize = 12;
/// Lines that one statement goes over, at most.
const LONGEST_STATEMENT: usize = 8;

/// A line in its file.
pub(super) struct Place<'a> {
    pub(super) path: &'a str,
    pub(super) kind: FileKind,
    pub(super) lines: &'a [&'a str],
    pub(super) reads: &'a [ReadLine],
    /// Which line it is, from 0.
    pub(super) at: usize,
}

impl<'a> Place<'a> {
    pub(super) fn line(&self) -> &'a str {
        self.lines[self.at]
    }

    pub(super) fn read(&self) -> &'a ReadLine {
        &self.reads[self.at]
    }

    /// The lines above, the nearest last.
    pub(super) fn above(&self) -> &'a [&'a str] {
        &self.lines[self.at.saturating_sub(AROUND)..self.at]
    }

    /// The lines below, the nearest first.
    pub(super) fn below(&self) -> &'a [&'a str] {
        let end = self.lines.len().min(self.at + 1 + AROUND);
        &self.lines[self.at + 1..end]
    }

    /// Whether the line is nothing but an element: quotes, commas, brackets.
    pub(super) fn is_element(&self) -> bool {
        !self.read().code().contains(char::is_alphabetic)
    }

    /// The code of the statement that the line ends or goes on with.
    pub(super) fn statement(&self) -> String {
        let mut first = self.at;
        while first > 0 && self.at - first < LONGEST_STATEMENT && self.goes_on(first) {
            first -= 1;
        }
        self.reads[first..=self.at].iter().map(code_and_keys).collect::<Vec<_>>().join(" ")
    }

    fn goes_on(&self, line: usize) -> bool {
        let here = self.reads[line].code();
        let here = here.trim_start();
        let before = &self.reads[line - 1];
        let ends_in_text = before.stretches.last().is_some_and(|(kind, _)| *kind == Stretch::Text);
        let before = before.code();
        let before = before.trim_end();
        let led_on = [".", "?.", "->", "&&", "||", "+ ", "|>"].iter().any(|start| here.starts_with(start));
        let left_open = ["(", "[", ",", "=", "\\", "&&", "||", "+", "({", "[{", "->", "=>"]
            .iter()
            .any(|end| before.ends_with(end));
        led_on || (left_open && !ends_in_text)
    }
}

/// The code of a line, and the texts in it that are no sentences: keys and names.
fn code_and_keys(read: &ReadLine) -> String {
    let parts = read.stretches.iter().filter(|(kind, text)| match kind {
        Stretch::Code => true,
        Stretch::Text => !text.trim().contains(char::is_whitespace),
        Stretch::Comment => false,
    });
    parts.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}
