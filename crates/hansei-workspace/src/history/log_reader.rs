//! Reads what git prints about commits, one at a time: a line of fields that end in NUL bytes, then the files.
//!
//! No field of a commit can hold a NUL byte, and every path ends in one, so nothing that a message or a path says can be
//! taken for the next commit. What is longer than is kept is read and let go.

use std::io::BufRead;

use hansei_core::history::{Author, Commit, CommitId, Extent, FileChange};
use hansei_core::path_text;

use super::authors::Authors;

/// What each commit begins with: a letter that no line about a file can begin with, and fields in order.
pub const FORMAT: &str = "--format=tformat:C%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%B";

/// The most that is kept of a message.
pub const LONGEST_MESSAGE: usize = 64 * 1024;
/// The most that is kept of any other field, and of a path.
const LONGEST_FIELD: usize = 16 * 1024;
/// The most files that are kept of one commit.
pub const MOST_FILES: usize = 250_000;

/// What is wrong with the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unreadable {
    /// It ended in the middle of a commit.
    Cut,
    /// It is not what was asked for.
    Strange,
}

/// A reader of `git … -z --numstat` (or `--raw`, which tells no lines) in [`FORMAT`].
#[derive(Debug)]
pub struct LogReader<R> {
    input: R,
    field: Vec<u8>,
}

impl<R: BufRead> LogReader<R> {
    /// Reads `input`.
    pub fn new(input: R) -> Self {
        Self { input, field: Vec::new() }
    }

    /// The next commit, or nothing at the end.
    pub fn next_commit(&mut self, authors: &mut Authors) -> Result<Option<Commit>, Unreadable> {
        match self.peek()? {
            None => return Ok(None),
            Some(b'C') => {}
            Some(_) => return Err(Unreadable::Strange),
        }
        let id = self.text(LONGEST_FIELD)?;
        let id = id.strip_prefix('C').and_then(|id| id.parse().ok()).ok_or(Unreadable::Strange)?;
        let parents = self.text(LONGEST_FIELD)?;
        let parents: Result<Vec<CommitId>, _> = parents.split_ascii_whitespace().map(str::parse).collect();
        let parents = parents.map_err(|_| Unreadable::Strange)?;
        let (name, email) = (self.text(LONGEST_FIELD)?, self.text(LONGEST_FIELD)?);
        let author = Author { id: authors.id(&name, &email), name, email };
        let author_time = self.time()?;
        let committer_time = self.time()?;
        let message = self.text(LONGEST_MESSAGE)?;
        let (subject, body) = paragraphs(&message);
        let mut commit = Commit {
            id,
            parents,
            author,
            author_time,
            committer_time,
            subject,
            body,
            files: Vec::new(),
            files_left_out: 0,
        };
        self.files(&mut commit)?;
        Ok(Some(commit))
    }

    /// Everything that is left, as files: what `git diff` prints, which names no commit.
    pub fn only_files(&mut self) -> Result<Vec<FileChange>, Unreadable> {
        let mut files = Vec::new();
        while self.peek()?.is_some() {
            files.push(self.file()?);
        }
        Ok(files)
    }

    fn files(&mut self, commit: &mut Commit) -> Result<(), Unreadable> {
        while self.peek()?.is_some_and(|byte| byte != b'C') {
            let file = self.file()?;
            if commit.files.len() < MOST_FILES {
                commit.files.push(file);
            } else {
                commit.files_left_out += 1;
            }
        }
        Ok(())
    }

    /// One file: `added TAB deleted TAB path`, with an empty path followed by the old and the new one for a move, or
    /// `:modes hashes status` and the path.
    fn file(&mut self) -> Result<FileChange, Unreadable> {
        self.field(LONGEST_FIELD)?;
        let line = self.field.strip_prefix(b"\n").unwrap_or(&self.field);
        if line.starts_with(b":") {
            let path = self.path()?;
            return Ok(FileChange { path, renamed_from: None, extent: Extent::Unknown });
        }
        let mut parts = line.splitn(3, |byte| *byte == b'\t');
        let (Some(added), Some(deleted), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            return Err(Unreadable::Strange);
        };
        let extent = if added == b"-" && deleted == b"-" {
            Extent::Binary
        } else {
            let count = |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|text| text.parse().ok());
            match (count(added), count(deleted)) {
                (Some(added), Some(deleted)) => Extent::Lines { added, deleted },
                _ => return Err(Unreadable::Strange),
            }
        };
        if !path.is_empty() {
            return Ok(FileChange { path: path_text::encode(path), renamed_from: None, extent });
        }
        let renamed_from = Some(self.path()?);
        Ok(FileChange { path: self.path()?, renamed_from, extent })
    }

    fn path(&mut self) -> Result<String, Unreadable> {
        self.field(LONGEST_FIELD)?;
        if self.field.is_empty() { Err(Unreadable::Strange) } else { Ok(path_text::encode(&self.field)) }
    }

    /// A time, as git writes it; one that cannot be (a broken commit) is the beginning of time.
    fn time(&mut self) -> Result<i64, Unreadable> {
        Ok(self.text(LONGEST_FIELD)?.parse().unwrap_or(0))
    }

    fn text(&mut self, most: usize) -> Result<String, Unreadable> {
        self.field(most)?;
        Ok(String::from_utf8_lossy(&self.field).into_owned())
    }

    /// The first byte of what follows.
    fn peek(&mut self) -> Result<Option<u8>, Unreadable> {
        self.input.fill_buf().map(|bytes| bytes.first().copied()).map_err(|_| Unreadable::Cut)
    }

    /// Reads up to a NUL byte, and keeps the first `most` bytes.
    fn field(&mut self, most: usize) -> Result<(), Unreadable> {
        self.field.clear();
        loop {
            let bytes = self.input.fill_buf().map_err(|_| Unreadable::Cut)?;
            if bytes.is_empty() {
                return Err(Unreadable::Cut);
            }
            let end = bytes.iter().position(|byte| *byte == 0);
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes);
            let room = most.saturating_sub(self.field.len()).min(part.len());
            self.field.extend_from_slice(part.get(..room).unwrap_or(part));
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return Ok(());
            }
        }
    }
}

/// A message's first paragraph in one line, and the rest.
fn paragraphs(message: &str) -> (String, String) {
    let message = message.trim_start_matches(['\n', '\r', ' ', '\t']);
    let mut subject = String::new();
    let mut rest = message;
    while let Some(line) = rest.split_inclusive('\n').next() {
        rest = rest.get(line.len()..).unwrap_or_default();
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if !subject.is_empty() {
            subject.push(' ');
        }
        subject.push_str(line);
    }
    (subject, rest.trim_matches(['\n', '\r']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8]) -> Result<Vec<Commit>, Unreadable> {
        let mut authors = Authors::default();
        // A tiny buffer, so that fields come in pieces.
        let mut reader = LogReader::new(std::io::BufReader::with_capacity(7, bytes));
        let mut commits = Vec::new();
        while let Some(commit) = reader.next_commit(&mut authors)? {
            commits.push(commit);
        }
        Ok(commits)
    }

    fn header(digit: char, message: &str) -> String {
        let id = digit.to_string().repeat(40);
        format!("C{id}\0{id} {id}\0A\0a@b\x001700000000\x001700000001\0{message}\0")
    }

    #[test]
    fn files_of_every_shape_are_read() {
        let mut bytes = header('a', "subject\ngoes on\n\nbody\n\nmore\n").into_bytes();
        bytes.extend_from_slice(b"\n1\t2\tsrc/a\tb.rs\0-\t-\timage.png\x003\t0\t\0old\0new\0");
        bytes.extend_from_slice(b"4\t5\tC\xff\0");
        bytes.extend_from_slice(header('b', "").as_bytes());
        bytes.extend_from_slice(header('c', "only names").as_bytes());
        bytes.extend_from_slice(b"\n:100644 100644 aaaa bbbb M\0lost.bin\0");
        let commits = all(&bytes).unwrap();
        let [first, second, third] = commits.as_slice() else { panic!("{commits:?}") };
        assert_eq!((first.subject.as_str(), first.body.as_str()), ("subject goes on", "body\n\nmore"));
        assert_eq!((first.author_time, first.committer_time), (1_700_000_000, 1_700_000_001));
        let file = |path: &str, from: Option<&str>, extent| FileChange {
            path: path.to_owned(),
            renamed_from: from.map(str::to_owned),
            extent,
        };
        let lines = |added, deleted| Extent::Lines { added, deleted };
        assert_eq!(
            first.files,
            [
                file("src/a\tb.rs", None, lines(1, 2)),
                file("image.png", None, Extent::Binary),
                file("new", Some("old"), lines(3, 0)),
                file("C\\xFF", None, lines(4, 5)),
            ]
        );
        assert!(second.files.is_empty() && second.subject.is_empty());
        assert_eq!(third.files, [file("lost.bin", None, Extent::Unknown)]);
    }

    #[test]
    fn what_is_too_long_is_let_go_and_what_is_strange_is_refused() {
        let long = "x".repeat(LONGEST_MESSAGE * 3);
        let commits = all(header('a', &long).as_bytes()).unwrap();
        assert_eq!(commits[0].subject.len(), LONGEST_MESSAGE);
        for (bytes, expected) in [
            (header('a', "cut").trim_end_matches('\0').to_owned(), Unreadable::Cut),
            ("commit abc\n".to_owned(), Unreadable::Strange),
            (header('z', "no hash"), Unreadable::Strange),
            (header('a', "") + "\n1\t2\0", Unreadable::Strange),
            (header('a', "") + "\nx\t2\tpath\0", Unreadable::Strange),
            (header('a', "") + "\n1\t2\t\0\0\0", Unreadable::Strange),
        ] {
            assert_eq!(all(bytes.as_bytes()), Err(expected), "{bytes:?}");
        }
    }
}
