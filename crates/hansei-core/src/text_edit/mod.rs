//! Editing a text file as an agent does: by an anchor that occurs once, or after a line; what was not meant stays as
//! it was, to the byte.
//!
//! Anchors and new text are compared and written with the file's own line endings, whatever endings they came with: a
//! model writes `\n`, and a file with `\r\n` must neither refuse that nor become a mixture. A byte-order mark stays.

mod anchor;
mod decoding;
mod nearest;

pub use anchor::{Changed, Miss};
pub use decoding::{Undecodable, looks_binary, seems};
pub use nearest::{Difference, Nearest};

/// The text of a file, with what must come back when it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    has_mark: bool,
    text: String,
}

impl Text {
    /// What a file's bytes say. UTF-8 alone is edited: anything else would be damaged or guessed at.
    pub fn decode(bytes: &[u8]) -> Result<Self, Undecodable> {
        let (has_mark, text) = decoding::decode(bytes)?;
        Ok(Self { has_mark, text: text.to_owned() })
    }

    /// The bytes of the file.
    pub fn encode(&self) -> Vec<u8> {
        let mark: &[u8] = if self.has_mark { decoding::MARK } else { b"" };
        [mark, self.text.as_bytes()].concat()
    }

    /// The text, without a byte-order mark, with the file's own line endings.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// How many lines there are. What follows the last line ending is a line only if there is something.
    pub fn lines(&self) -> usize {
        self.text.lines().count()
    }

    fn with(&self, text: String) -> Self {
        Self { has_mark: self.has_mark, text }
    }

    /// The ending of most lines, where there are any.
    fn ending(&self) -> Option<&'static str> {
        let all = self.text.matches('\n').count();
        let long = self.text.matches("\r\n").count();
        match all {
            0 => None,
            _ if long * 2 > all => Some("\r\n"),
            _ => Some("\n"),
        }
    }

    /// The text with `new` after the line with this number; 0 is before the first.
    pub fn insert_after(&self, line: usize, new: &str) -> Result<Changed, Miss> {
        let lines = self.lines();
        if line > lines {
            return Err(Miss::BeyondEnd { lines });
        }
        if new.is_empty() {
            return Err(Miss::NoChange);
        }
        let ending = self.ending().unwrap_or(if new.contains("\r\n") { "\r\n" } else { "\n" });
        let at: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
        let (before, after) = self.text.split_at(at);
        let mut new = with_ending(new, ending);
        let open = !before.is_empty() && !before.ends_with('\n');
        // A last line without an ending gets one, and hands the lack of one on.
        let text = if open {
            // An empty line is nothing but its ending, so it keeps that.
            let is_line = |text: &&str| !text.is_empty() && !text.ends_with('\n');
            let new = new.strip_suffix(ending).filter(is_line).unwrap_or(&new);
            [before, ending, new].concat()
        } else {
            if !new.ends_with('\n') {
                new.push_str(ending);
            }
            [before, &new, after].concat()
        };
        let added = new.lines().count().max(1);
        Ok(Changed { text: self.with(text), first_line: line + 1, last_line: line + added })
    }
}

/// `text` with every line ending as given.
fn with_ending(text: &str, ending: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    if ending == "\n" { plain } else { plain.replace('\n', ending) }
}

#[cfg(test)]
mod tests;
