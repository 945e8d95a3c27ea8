//! The lines that commits added and removed, for the few commits that are asked about.
//!
//! Read from patches with one line of context, so that lines put between two others can be told from lines that took
//! their place. Git leaves spacing out of the comparison, so that a line that was moved to the right is no new line; only
//! a commit that changed nothing else is asked about again. The text of the lines is not kept, only their prints.

use std::io::BufRead;
use std::ops::ControlFlow;

use hansei_core::history::CommitId;
use hansei_core::history::patch::{FilePatch, Line, Patch};
use hansei_core::path_text;

use super::BATCH;
use crate::git::{Git, GitError};

/// The most that is kept of a line, and the most lines of one commit.
const LONGEST_LINE: usize = 4 * 1024;
const MOST_LINES: usize = 50_000;
/// The most lines that are held to see which took the place of which.
const MOST_HELD: usize = 60;

const ARGS: [&str; 17] = [
    "diff-tree", "--stdin", "--always", "--root", "-r", "-p", "-U1", "--inter-hunk-context=0",
    "--no-renames", "--no-ext-diff", "--no-textconv", "--no-color", "--no-notes", "--src-prefix=a/",
    "--dst-prefix=b/", "--format=tformat:C%H", IGNORING_SPACING,
];
const IGNORING_SPACING: &str = "--ignore-all-space";

/// Tells the lines of the commits `ids`, in that order, until `told` has heard enough. One whose content is not in this
/// repository is left out; how many those are comes back.
pub fn patches(
    git: &Git,
    ids: &[CommitId],
    mut told: impl FnMut(Patch) -> ControlFlow<()>,
) -> Result<u64, GitError> {
    let mut left_out = 0;
    let mut left = ids;
    while !left.is_empty() {
        let batch = left.get(..BATCH).unwrap_or(left);
        let input = super::one_a_line(batch);
        let mut streamed = git.stream(&ARGS, input.into_bytes())?;
        let mut reader = PatchReader::new(streamed.output());
        let mut count = 0;
        let mut held: Option<Patch> = None;
        while let Some(next) = reader.next_patch() {
            if let Some(patch) = held.replace(next) {
                count += 1;
                if told(with_spacing(git, patch)?).is_break() {
                    return Ok(left_out);
                }
            }
        }
        match Git::end_of_stream(&ARGS, streamed) {
            Ok(()) => {
                if let Some(patch) = held
                    && told(with_spacing(git, patch)?).is_break()
                {
                    return Ok(left_out);
                }
                count = batch.len();
            }
            // The commit that git gave up at is the one that it had begun to tell.
            Err(GitError::Refused { .. }) => {
                count += 1;
                left_out += 1;
            }
            Err(failure) => return Err(failure),
        }
        left = left.get(count..).unwrap_or_default();
    }
    Ok(left_out)
}

/// The patch, or if nothing is left of it, what it did to spacing.
fn with_spacing(git: &Git, patch: Patch) -> Result<Patch, GitError> {
    if !patch.files.is_empty() {
        return Ok(patch);
    }
    let args: Vec<&str> = ARGS.into_iter().filter(|arg| *arg != IGNORING_SPACING).collect();
    let mut streamed = git.stream(&args, super::one_a_line(&[patch.id]).into_bytes())?;
    let spaced = PatchReader::new(streamed.output()).next_patch();
    match Git::end_of_stream(&args, streamed) {
        Ok(()) => {}
        Err(GitError::Refused { .. }) => return Ok(patch),
        Err(failure) => return Err(failure),
    }
    let spaced = spaced.filter(|spaced| spaced.files.iter().any(|file| file.came + file.went > 0));
    Ok(spaced.map_or(patch, |spaced| Patch { only_spacing: true, ..spaced }))
}

/// A reader of `git … -p -U1` where every commit begins with a line `C<hash>`.
#[derive(Debug)]
pub struct PatchReader<R> {
    input: R,
    line: Vec<u8>,
    /// The commit whose first line was read already.
    begun: Option<CommitId>,
}

impl<R: BufRead> PatchReader<R> {
    /// Reads `input`.
    pub fn new(input: R) -> Self {
        Self { input, line: Vec::new(), begun: None }
    }

    /// The next commit's lines, or nothing at the end.
    pub fn next_patch(&mut self) -> Option<Patch> {
        while self.begun.is_none() {
            if !self.read_line() {
                return None;
            }
            self.begun = self.commit_line();
        }
        let mut patch = Patch { id: self.begun.take()?, files: Vec::new(), only_spacing: false };
        let mut room = MOST_LINES;
        while self.read_line() {
            if let Some(next) = self.commit_line() {
                self.begun = Some(next);
                break;
            }
            if self.line.starts_with(b"diff --git ") {
                patch.files.push(FilePatch::default());
            } else if let Some(path) = self.path_line() {
                if let (Some(file), false) = (patch.files.last_mut(), path.is_empty()) {
                    file.path = path;
                }
            } else if let Some(hunk) = hunk(&self.line) {
                let mut nowhere = FilePatch::default();
                self.hunk(hunk, patch.files.last_mut().unwrap_or(&mut nowhere), &mut room);
            }
        }
        patch.files.retain(|file| !file.path.is_empty());
        Some(patch)
    }

    /// The lines of one hunk: as many as its head said, whatever they look like.
    fn hunk(&mut self, (mut old, mut new): (u64, u64), file: &mut FilePatch, room: &mut usize) {
        let mut before: Option<Line> = None;
        let mut run = Run::default();
        while (old > 0 || new > 0) && self.read_line() {
            let Some((&mark, text)) = self.line.split_first() else { continue };
            match mark {
                b'+' => {
                    new = new.saturating_sub(1);
                    file.come(text, *room > 0);
                    *room = room.saturating_sub(1);
                    // Where nothing went, nothing was replaced.
                    hold(&mut run.added, if run.removed.is_empty() { b"" } else { text });
                }
                b'-' => {
                    old = old.saturating_sub(1);
                    file.go(text, *room > 0);
                    *room = room.saturating_sub(1);
                    hold(&mut run.removed, text);
                }
                b' ' => {
                    (old, new) = (old.saturating_sub(1), new.saturating_sub(1));
                    let here = Line::of(text);
                    if let (false, true, Some(before), Some(after)) =
                        (run.added.is_empty(), run.removed.is_empty(), before, here)
                    {
                        file.inserted_between.push([before, after]);
                    }
                    run.end(file);
                    before = here;
                }
                _ => {}
            }
        }
        run.end(file);
    }

    fn commit_line(&self) -> Option<CommitId> {
        let rest = self.line.strip_prefix(b"C")?;
        std::str::from_utf8(rest).ok()?.parse().ok()
    }

    /// The path behind `+++ ` or `--- `; empty for `/dev/null`. A deleted file has only the second.
    fn path_line(&self) -> Option<String> {
        let rest = self.line.strip_prefix(b"+++ ").or_else(|| self.line.strip_prefix(b"--- "))?;
        let rest = rest.strip_suffix(b"\t").unwrap_or(rest);
        let bytes = match rest.strip_prefix(b"\"").and_then(|rest| rest.strip_suffix(b"\"")) {
            Some(quoted) => unquoted(quoted),
            None => rest.to_vec(),
        };
        let path = bytes.strip_prefix(b"a/").or_else(|| bytes.strip_prefix(b"b/"));
        Some(path.map(path_text::encode).unwrap_or_default())
    }

    /// Reads a line without its end, and keeps the beginning of it. Whether there was one.
    fn read_line(&mut self) -> bool {
        self.line.clear();
        let mut any = false;
        loop {
            let Ok(bytes) = self.input.fill_buf() else { return any };
            if bytes.is_empty() {
                return any;
            }
            any = true;
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let part = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or(bytes);
            let room = LONGEST_LINE.saturating_sub(self.line.len()).min(part.len());
            self.line.extend_from_slice(part.get(..room).unwrap_or(part));
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if end.is_some() {
                return true;
            }
        }
    }
}

/// Lines that changed without one between them that did not.
#[derive(Debug, Default)]
struct Run {
    removed: Vec<Vec<u8>>,
    added: Vec<Vec<u8>>,
}

impl Run {
    /// What came took the place of what went.
    fn end(&mut self, file: &mut FilePatch) {
        if !self.removed.is_empty() && self.removed.len() <= MOST_HELD && self.added.len() <= MOST_HELD {
            file.replace(&self.removed, &self.added);
        }
        self.removed.clear();
        self.added.clear();
    }
}

/// Keeps a line of a run, and of a long one that it is long.
fn hold(lines: &mut Vec<Vec<u8>>, text: &[u8]) {
    match lines.len() {
        0..MOST_HELD => lines.push(text.to_vec()),
        MOST_HELD => lines.push(Vec::new()),
        _ => {}
    }
}

/// How many old and new lines a hunk has: `@@ -a,b +c,d @@`.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let line = std::str::from_utf8(line.get(..line.len().min(80))?)
        .or_else(|error| std::str::from_utf8(line.get(..error.valid_up_to()).unwrap_or_default()));
    let mut words = line.ok()?.strip_prefix("@@ -")?.split(' ');
    let count = |range: &str| match range.split_once(',') {
        Some((_, count)) => count.parse().ok(),
        None => Some(1),
    };
    let old = count(words.next()?)?;
    Some((old, count(words.next()?.strip_prefix('+')?)?))
}

/// The bytes of a path that git put in quotes.
fn unquoted(quoted: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(quoted.len());
    let mut rest = quoted.iter().copied();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(digit @ b'0'..=b'3') => {
                let mut octal = || rest.next().map_or(0, |digit| digit.wrapping_sub(b'0') & 7);
                (digit - b'0') << 6 | octal() << 3 | octal()
            }
            Some(b'n') => b'\n',
            Some(b't') => b'\t',
            Some(b'r') => b'\r',
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b'v') => 11,
            Some(b'f') => 12,
            Some(other) => other,
            None => break,
        });
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_their_neighbours_are_told_whatever_they_look_like() {
        let first = "a".repeat(40);
        let second = "b".repeat(40);
        let text = format!(
            "C{first}\n\ndiff --git a/old.rs b/old.rs\nindex 1..2 100644\n--- a/old.rs\n+++ b/old.rs\n\
             @@ -1,2 +1,3 @@ fn main\n the line before it\n+something that is new\n the line after it\n\
             @@ -9 +10 @@\n--- a/looks/like/a/path\n+++ b/looks/like/a/path\n\
             diff --git \"a/caf\\303\\251\" \"b/caf\\303\\251\"\ndeleted file mode 100644\n--- \"a/caf\\303\\251\"\n+++ /dev/null\n\
             @@ -1 +0,0 @@\n-C{second}\n\\ No newline at end of file\n\
             diff --git a/p b/p\nBinary files a/p and b/p differ\nC{second}\n"
        );
        let mut reader = PatchReader::new(std::io::BufReader::with_capacity(5, text.as_bytes()));
        let patch = reader.next_patch().unwrap();
        assert_eq!(patch.id.to_string(), first);
        let line = |text: &str| Line::of(text.as_bytes()).unwrap();
        let [rust, coffee] = patch.files.as_slice() else { panic!("{patch:?}") };
        assert_eq!(rust.path, "old.rs");
        assert_eq!(rust.inserted_between, [[line("the line before it"), line("the line after it")]]);
        assert_eq!(rust.added, [line("something that is new"), line("++ b/looks/like/a/path")]);
        assert_eq!(rust.removed, [line("-- a/looks/like/a/path")]);
        assert_eq!((rust.came, rust.went, rust.rewritten.len()), (2, 0, 1));
        assert_eq!((coffee.path.as_str(), coffee.removed.len()), ("café", 1));
        assert_eq!(reader.next_patch().unwrap().id.to_string(), second);
        assert_eq!(reader.next_patch(), None);
    }
}
