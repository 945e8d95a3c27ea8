//! The lines that a commit added and removed, as prints: enough to tell whether two commits touched the same lines, and
//! nothing of what they say.
//!
//! A line is known again by its file and its words, not by its number, which every other change moves.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use super::CommitId;

/// What a commit did to lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Patch {
    /// The commit.
    pub id: CommitId,
    /// The files, in the order in which git tells them.
    pub files: Vec<FilePatch>,
}

/// What a commit did to the lines of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FilePatch {
    /// Where the file is, as [`crate::path_text`] writes it.
    pub path: String,
    /// Lines that came.
    pub added: Vec<LinePrint>,
    /// Lines that went.
    pub removed: Vec<LinePrint>,
    /// Between which lines new ones were put where none went.
    pub inserted_between: Vec<[LinePrint; 2]>,
}

/// The print of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LinePrint(u64);

impl LinePrint {
    /// The print of `line` in the file `path`; none for a line that could stand anywhere (a bracket, `return None`).
    pub fn of(path: &str, line: &[u8]) -> Option<Self> {
        const FEWEST_LETTERS: usize = 12;
        let line = line.trim_ascii();
        let letters = line.iter().filter(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii()).count();
        if letters < FEWEST_LETTERS {
            return None;
        }
        let mut hasher = DefaultHasher::new();
        path.hash(&mut hasher);
        line.hash(&mut hasher);
        Some(Self(hasher.finish()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_known_again_by_its_file_and_its_words() {
        let print = |path, line: &str| LinePrint::of(path, line.as_bytes());
        assert_eq!(print("a", "let total = price * count;"), print("a", "\t let total = price * count;\r"));
        assert_ne!(print("a", "let total = price * count;"), print("b", "let total = price * count;"));
        assert_ne!(print("a", "let total = price * count;"), print("a", "let total = price + count;"));
        assert_eq!(print("a", "    return None;"), None);
        assert_eq!(print("a", ""), None);
    }
}
