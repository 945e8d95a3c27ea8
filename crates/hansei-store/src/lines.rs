//! Lines on their way into the store: one piece of memory for many, since there are many.

use std::ops::Range;

/// Lines of a log, with what was read of each.
#[derive(Debug, Clone, Default)]
pub struct Lines {
    bodies: Vec<u8>,
    words: String,
    rows: Vec<Place>,
}

#[derive(Debug, Clone)]
struct Place {
    position: u64,
    body: Range<usize>,
    time: Option<Range<usize>>,
    kind: Option<Range<usize>>,
}

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// Its place in the stream, counted from 1.
    pub position: u64,
    /// When it was written, if it says so.
    pub time: Option<&'a str>,
    /// Its kind; none for a line that is no event.
    pub kind: Option<&'a str>,
    /// The line as it was written.
    pub body: &'a [u8],
}

impl Lines {
    /// Adds a line.
    pub fn push(&mut self, line: Line<'_>) {
        let start = self.bodies.len();
        self.bodies.extend_from_slice(line.body);
        let body = start..self.bodies.len();
        let mut word = |text: &str| {
            let start = self.words.len();
            self.words.push_str(text);
            start..self.words.len()
        };
        let (time, kind) = (line.time.map(&mut word), line.kind.map(&mut word));
        self.rows.push(Place { position: line.position, body, time, kind });
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The place of the last of them; 0 where there is none.
    pub fn last_position(&self) -> u64 {
        self.rows.last().map_or(0, |row| row.position)
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = Line<'_>> {
        self.rows.iter().map(|row| Line {
            position: row.position,
            time: row.time.clone().map(|range| &self.words[range]),
            kind: row.kind.clone().map(|range| &self.words[range]),
            body: &self.bodies[row.body.clone()],
        })
    }
}
