//! Output within bounds: its beginning and its end, and how much was left out between.

use std::collections::VecDeque;

/// What a command printed, both streams in the order in which they came.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Captured {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    left_out: u64,
    most: usize,
}

impl Captured {
    /// Nothing yet, and room for `most` bytes.
    pub fn with_room(most: usize) -> Self {
        Self { most, ..Self::default() }
    }

    /// Adds what was printed next.
    pub fn push(&mut self, bytes: &[u8]) {
        let half = self.most / 2;
        let (first, rest) = bytes.split_at(bytes.len().min(half.saturating_sub(self.head.len())));
        self.head.extend_from_slice(first);
        self.tail.extend(rest);
        let over = self.tail.len().saturating_sub(self.most - half);
        self.tail.drain(..over);
        self.left_out += over as u64;
    }

    /// How many bytes were left out.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// As text, with a line that says what was left out.
    pub fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        if self.left_out == 0 {
            return String::from_utf8_lossy(&[&self.head, front, back].concat()).into_owned();
        }
        let tail = [front, back].concat();
        format!(
            "{}\n[… {} bytes left out …]\n{}",
            String::from_utf8_lossy(&self.head),
            self.left_out,
            String::from_utf8_lossy(&tail)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_kept() {
        let mut output = Captured::with_room(8);
        for part in ["abc", "def", "ghijkl"] {
            output.push(part.as_bytes());
        }
        assert_eq!(output.left_out(), 4);
        assert_eq!(output.text(), "abcd\n[… 4 bytes left out …]\nijkl");
        let mut short = Captured::with_room(8);
        short.push(b"abcdefgh");
        assert_eq!((short.text().as_str(), short.left_out()), ("abcdefgh", 0));
    }
}
