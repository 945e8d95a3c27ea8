//! A change as data: for each file its lines, those that stay, those that came and those that went. Read from a unified
//! diff, whoever made it.

/// So many lines of a change are read.
pub const MOST_CHANGED_LINES: usize = 400_000;

/// A change of files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Change {
    /// The files.
    pub files: Vec<FileChange>,
}

/// What a change does to a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FileChange {
    /// Its path before; none for a new file.
    pub old_path: Option<String>,
    /// Its path after; none for one that is gone.
    pub new_path: Option<String>,
    /// Its lines, in order. Those between hunks may be missing.
    pub lines: Vec<ChangedLine>,
}

/// Which side of a change a line is on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LineSide {
    /// Both.
    Kept,
    /// Only the new one.
    Added,
    /// Only the old one.
    Removed,
}

/// A line of a file that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChangedLine {
    /// On which side it is.
    pub side: LineSide,
    /// Its number in the old file, or where it would stand.
    pub old: u32,
    /// Its number in the new file, or where it would stand.
    pub new: u32,
    /// What it says.
    pub text: String,
}

/// A text that is no unified diff.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadDiff {
    /// It says something, and none of it is a diff.
    #[error("there is no unified diff in it")]
    NoDiff,
    /// Something in it is made like a diff and is none that can be read.
    #[error("line {line} cannot be read: {what}")]
    Unreadable {
        /// The number of the line.
        line: usize,
        /// What is wrong with it.
        what: &'static str,
    },
    /// It is longer than is read.
    #[error("it has more than {MOST_CHANGED_LINES} lines")]
    TooLong,
}

impl FileChange {
    /// A file that is new.
    pub fn created(path: &str, text: &str) -> Self {
        let lines = text.lines().zip(1..).map(|(text, number)| ChangedLine {
            side: LineSide::Added,
            old: 0,
            new: number,
            text: text.to_owned(),
        });
        Self { old_path: None, new_path: Some(path.to_owned()), lines: lines.collect() }
    }

    /// The path by which it is spoken of.
    pub fn path(&self) -> &str {
        self.new_path.as_deref().or(self.old_path.as_deref()).unwrap_or_default()
    }

    /// The lines of one side, with their numbers.
    pub(super) fn side(&self, side: LineSide) -> impl Iterator<Item = &ChangedLine> {
        self.lines.iter().filter(move |line| line.side == LineSide::Kept || line.side == side)
    }

    /// The text of one side. Lines that are not known are empty, so that numbers stay right.
    pub fn text(&self, side: LineSide) -> String {
        let mut text = String::new();
        let mut next = 1;
        for line in self.side(side) {
            let number = if side == LineSide::Removed { line.old } else { line.new };
            // A hunk far down an unknown file does not make a text of empty lines.
            while next < number && number - next < 100_000 {
                text.push('\n');
                next += 1;
            }
            text.push_str(&line.text);
            text.push('\n');
            next = number.saturating_add(1);
        }
        text
    }

    /// Puts in the lines between the hunks, from the text before the change. Left as it is where the two do not fit.
    pub fn complete(&mut self, before: &str) {
        let base: Vec<&str> = before.lines().collect();
        let mut whole: Vec<ChangedLine> = Vec::with_capacity(base.len() + self.lines.len());
        let (mut old, mut new) = (1_u32, 1_u32);
        let kept = |old: u32, new: u32, text: &str| ChangedLine {
            side: LineSide::Kept,
            old,
            new,
            text: text.to_owned(),
        };
        for line in &self.lines {
            let until = if line.side == LineSide::Added {
                line.new.saturating_sub(new).saturating_add(old)
            } else {
                line.old
            };
            while old < until {
                let Some(text) = base.get(old as usize - 1) else { return };
                whole.push(kept(old, new, text));
                (old, new) = (old + 1, new + 1);
            }
            if line.side != LineSide::Added {
                let fits =
                    base.get(old as usize - 1).is_some_and(|text| text.trim_end() == line.text.trim_end());
                if !fits {
                    return;
                }
            }
            whole.push(ChangedLine { old, new, ..line.clone() });
            match line.side {
                LineSide::Kept => (old, new) = (old + 1, new + 1),
                LineSide::Added => new += 1,
                LineSide::Removed => old += 1,
            }
        }
        while let Some(text) = base.get(old as usize - 1) {
            whole.push(kept(old, new, text));
            (old, new) = (old + 1, new + 1);
        }
        self.lines = whole;
    }
}

impl Change {
    /// The change that a unified diff describes. An empty text is an empty change.
    pub fn read(diff: &str) -> Result<Self, BadDiff> {
        let mut files: Vec<FileChange> = Vec::new();
        let mut hunk: Option<Hunk> = None;
        // The line of a header that no hunk has followed yet.
        let mut headed: Option<usize> = None;
        let bare = |line| BadDiff::Unreadable { line, what: "no hunk follows this header" };
        for (count, line) in diff.lines().enumerate() {
            if count > MOST_CHANGED_LINES {
                return Err(BadDiff::TooLong);
            }
            let line = line.strip_suffix('\r').unwrap_or(line);
            if let (Some(open), Some(file)) = (&mut hunk, files.last_mut())
                && open.is_open()
                && open.take(line, file)
            {
                continue;
            }
            if let Some(what) = unreadable(line, hunk.is_some()) {
                return Err(BadDiff::Unreadable { line: count + 1, what });
            }
            if let Some(at) = headed.filter(|_| line.starts_with("diff --git ") || line.starts_with("--- ")) {
                return Err(bare(at));
            }
            if let Some(rest) = line.strip_prefix("diff --git ") {
                let (old, new) = git_paths(rest);
                files.push(FileChange { old_path: old, new_path: new, lines: Vec::new() });
                hunk = None;
            } else if line.starts_with("new file mode") {
                if let Some(file) = files.last_mut() {
                    file.old_path = None;
                }
            } else if line.starts_with("deleted file mode") {
                if let Some(file) = files.last_mut() {
                    file.new_path = None;
                }
            } else if let Some(path) =
                line.strip_prefix("rename from ").or_else(|| line.strip_prefix("copy from "))
            {
                if let Some(file) = files.last_mut() {
                    file.old_path = Some(unquoted(path));
                }
            } else if let Some(path) =
                line.strip_prefix("rename to ").or_else(|| line.strip_prefix("copy to "))
            {
                if let Some(file) = files.last_mut() {
                    file.new_path = Some(unquoted(path));
                }
            } else if let Some(path) = line.strip_prefix("--- ") {
                let path = side_path(path);
                match files.last_mut() {
                    Some(file) if file.lines.is_empty() && hunk.is_none() => file.old_path = path,
                    _ => files.push(FileChange { old_path: path, new_path: None, lines: Vec::new() }),
                }
                hunk = None;
            } else if let Some(path) = line.strip_prefix("+++ ") {
                if let Some(file) = files.last_mut() {
                    file.new_path = side_path(path);
                    headed = Some(count + 1);
                }
            } else if let Some(rest) = line.strip_prefix("@@ ") {
                hunk = Hunk::read(rest);
                headed = None;
                if hunk.is_none() {
                    let what = "it does not say which lines change";
                    return Err(BadDiff::Unreadable { line: count + 1, what });
                }
            }
        }
        if let Some(at) = headed {
            return Err(bare(at));
        }
        if files.is_empty() && diff.lines().any(|line| !line.trim().is_empty()) {
            return Err(BadDiff::NoDiff);
        }
        Ok(Self { files })
    }
}

/// What is wrong with a line outside of a hunk that would be part of a change: whoever asks about it must not hear that
/// nothing was found in it.
fn unreadable(line: &str, has_hunk: bool) -> Option<&'static str> {
    if line.starts_with("@@@") || line.starts_with("diff --cc ") || line.starts_with("diff --combined ") {
        return Some("it is a combined diff, of a merge or a conflict");
    }
    if line.starts_with("***************") {
        return Some("it is a context diff; a unified one is wanted");
    }
    let is_changed = line.starts_with('+') && !line.starts_with("+++ ")
        || line.starts_with('-') && !line.starts_with("--");
    (has_hunk && is_changed).then_some("it is more than its hunk says")
}

struct Hunk {
    old: u32,
    new: u32,
    old_left: u32,
    new_left: u32,
}

impl Hunk {
    /// `-3,5 +3,6 @@ …`
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split_whitespace();
        let span = |part: Option<&str>, sign: char| -> Option<(u32, u32)> {
            let part = part?.strip_prefix(sign)?;
            let (start, length) = part.split_once(',').unwrap_or((part, "1"));
            Some((start.parse().ok()?, length.parse().ok()?))
        };
        let (old, old_left) = span(parts.next(), '-')?;
        let (new, new_left) = span(parts.next(), '+')?;
        // An empty side is named by the line before it.
        let first = |start: u32, left: u32| if left == 0 { start.saturating_add(1) } else { start.max(1) };
        Some(Self { old: first(old, old_left), new: first(new, new_left), old_left, new_left })
    }

    fn is_open(&self) -> bool {
        self.old_left > 0 || self.new_left > 0
    }

    /// Takes a line in; says no to one that is none of the hunk's.
    fn take(&mut self, line: &str, file: &mut FileChange) -> bool {
        let (side, text) = match line.as_bytes().first() {
            Some(b'+') => (LineSide::Added, &line[1..]),
            Some(b'-') => (LineSide::Removed, &line[1..]),
            Some(b' ') => (LineSide::Kept, &line[1..]),
            Some(b'\\') => return true,
            // Editors take the space of an empty line away.
            None => (LineSide::Kept, ""),
            _ => return false,
        };
        file.lines.push(ChangedLine { side, old: self.old, new: self.new, text: text.to_owned() });
        if side != LineSide::Added {
            self.old = self.old.saturating_add(1);
            self.old_left = self.old_left.saturating_sub(1);
        }
        if side != LineSide::Removed {
            self.new = self.new.saturating_add(1);
            self.new_left = self.new_left.saturating_sub(1);
        }
        true
    }
}

/// `a/x b/x`, quoted where a name needs it.
fn git_paths(text: &str) -> (Option<String>, Option<String>) {
    let middle = match text.strip_prefix('"') {
        Some(rest) => rest.find("\" ").map(|at| at + 2),
        // Both names are the same but for renames, which say themselves again.
        None => text.find(" b/").or_else(|| text.find(" \"b/")),
    };
    middle.map_or((None, None), |at| (side_path(&text[..at]), side_path(text[at..].trim_start())))
}

/// The path of one side, without its `a/` or `b/`; none for `/dev/null`.
fn side_path(text: &str) -> Option<String> {
    let text = text.split('\t').next().unwrap_or(text).trim_end();
    if text == "/dev/null" {
        return None;
    }
    let path = unquoted(text);
    let plain = ["a/", "b/", "i/", "w/", "c/", "o/"].iter().find_map(|prefix| path.strip_prefix(prefix));
    Some(plain.map_or(path.clone(), str::to_owned))
}

/// A name that git put in quotes, as it is.
fn unquoted(text: &str) -> String {
    let Some(inside) = text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return text.to_owned();
    };
    let mut bytes = Vec::with_capacity(inside.len());
    let mut rest = inside.bytes().peekable();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next() {
            Some(b'n') => bytes.push(b'\n'),
            Some(b't') => bytes.push(b'\t'),
            Some(digit @ b'0'..=b'7') => {
                let mut value = u32::from(digit - b'0');
                while let Some(next @ b'0'..=b'7') = rest.peek().copied() {
                    value = value * 8 + u32::from(next - b'0');
                    rest.next();
                    if value > 0o77 {
                        break;
                    }
                }
                bytes.push(u8::try_from(value & 0xff).unwrap_or_default());
            }
            Some(other) => bytes.push(other),
            None => {}
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    use super::LineSide::{Added, Kept, Removed};
    use super::*;

    const DIFF: &str = "\
diff --git a/src/a.py b/src/a.py
index 1..2 100644
--- a/src/a.py
+++ b/src/a.py
@@ -2,3 +2,4 @@ def f():
 two
-three
+THREE
+three and a half
 four
diff --git a/old.py b/new.py
similarity index 100%
rename from old.py
rename to new.py
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py
+++ /dev/null
@@ -1,2 +0,0 @@
-one
--- two
diff --git \"a/\\303\\251.py\" \"b/\\303\\251.py\"
new file mode 100644
--- /dev/null
+++ \"b/\\303\\251.py\"
@@ -0,0 +1 @@
+x
\\ No newline at end of file
";

    #[test]
    fn a_diff_is_read() {
        let change = Change::read(DIFF).unwrap();
        let paths: Vec<(Option<&str>, Option<&str>)> =
            change.files.iter().map(|file| (file.old_path.as_deref(), file.new_path.as_deref())).collect();
        assert_eq!(
            paths,
            [
                (Some("src/a.py"), Some("src/a.py")),
                (Some("old.py"), Some("new.py")),
                (Some("gone.py"), None),
                (None, Some("é.py"))
            ]
        );
        let numbers: Vec<(LineSide, u32, u32)> =
            change.files[0].lines.iter().map(|line| (line.side, line.old, line.new)).collect();
        assert_eq!(numbers, [(Kept, 2, 2), (Removed, 3, 3), (Added, 4, 3), (Added, 4, 4), (Kept, 4, 5)]);
        assert_eq!(change.files[2].lines[1].text, "-- two");
        let mut whole = change.files[0].clone();
        whole.complete("one\ntwo\nthree\nfour\nfive\n");
        assert_eq!(whole.text(Added), "one\ntwo\nTHREE\nthree and a half\nfour\nfive\n");
        assert_eq!(whole.text(Removed), "one\ntwo\nthree\nfour\nfive\n");
        let mut other = change.files[0].clone();
        other.complete("quite\nanother\nfile\n");
        assert_eq!(other, change.files[0], "a text that does not fit changes nothing");
        assert_eq!(other.text(Added), "\ntwo\nTHREE\nthree and a half\nfour\n");
    }

    #[test]
    fn a_plain_diff_is_read_as_well() {
        let change =
            Change::read("--- old/a.c\t2026-01-01\n+++ new/a.c\t2026-01-02\n@@ -1 +1 @@\n-a\n+b\n").unwrap();
        assert_eq!(change.files[0].path(), "new/a.c");
        assert_eq!(Change::read(""), Ok(Change::default()));
        assert_eq!(Change::read("not a diff"), Err(BadDiff::NoDiff));
        let header = "--- a/a.py\n+++ b/a.py\n";
        for (text, at) in [
            ("diff --cc a.py\n@@@ -1,1 -1,1 +1,2 @@@\n++import redis\n".to_owned(), 1),
            (format!("{header}@@ garbage @@\n+import redis\n"), 3),
            (format!("{header}@@ -99999999999999999999,1 +1 @@\n+import redis\n"), 3),
            (format!("{header}@@ -1,0 +1,0 @@\n+import redis\n"), 4),
            (format!("{header}@@ -1 +1,2 @@\n a\n+b\n{header}"), 7),
            (header.to_owned(), 2),
            ("*** a.py\n--- b.py\n***************\n*** 1 ****\n--- 1,2 ----\n+ import redis\n".to_owned(), 3),
        ] {
            let read = Change::read(&text);
            assert!(matches!(read, Err(BadDiff::Unreadable { line, .. }) if line == at), "{text}: {read:?}");
        }
        for text in [
            "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n",
            "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n",
            "diff --git a/x b/x\nBinary files a/x and b/x differ\n",
            "From 1\n---\n x | 1 +\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n a\n+b\n-- \n2.39\n",
        ] {
            assert!(Change::read(text).is_ok(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn no_diff_breaks_it(text in "(?s)(diff --git a/x b/x\n)?(--- a/x\n)?(\\+\\+\\+ b/x\n)?(@@ -[0-9]{1,10},?[0-9]{0,3} \\+[0-9]{1,10} @@\n)?([ +-].{0,9}\n){0,9}.{0,40}") {
            if let Ok(mut change) = Change::read(&text) {
                for file in &mut change.files {
                    file.complete("a\nb\n");
                    let _ = (file.text(LineSide::Added), file.text(LineSide::Removed));
                }
            }
        }
    }
}
