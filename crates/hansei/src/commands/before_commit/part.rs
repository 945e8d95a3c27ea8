//! Our part of a hook: lines between two marks, known wherever they stand, and taken out without any line of others.
//!
//! Lines that somebody put between ours are kept where that is safe: beside a statement of ours, never inside one. What was
//! changed otherwise is not guessed at.

/// The first line of our part.
const BEGIN: &str = "# >>> hansei: put here by `hansei install --before-commit`; `hansei uninstall --before-commit` takes it out, up to <<<";
/// The last line of our part.
const END: &str = "# <<< hansei";
/// Begins the line that says how many folders were made for the hook, and go with it.
const FOLDERS: &str = "# folders made for it:";
/// The line that the part of the earlier form began with; it had no end.
const EARLIER: &str =
    "# Put here by `hansei install --before-commit`; `hansei uninstall --before-commit` takes it out.";
/// What runs a hook that is ours alone.
pub const SHEBANG: &str = "#!/bin/sh\n";
/// Says which program is called, whatever follows.
const CALLED: &str = "hansei=";

/// What the part does. It leaves the hook only to refuse, so that lines below it run; and it calls the hook that is kept beside
/// it once, even where that one comes back to it.
const BODY: &str = r#"(
    kept="$(CDPATH= cd -- "$(dirname -- "$0")" && pwd -P)/pre-commit.before-hansei"
    if [ -x "$kept" ] && [ "${HANSEI_KEPT_HOOK-}" != "$kept" ]; then
        HANSEI_KEPT_HOOK="$kept" "$kept" "$@" || exit $?
    fi
    if ! command -v "$hansei" >/dev/null 2>&1; then
        hansei=hansei
    fi
    if ! command -v "$hansei" >/dev/null 2>&1; then
        echo "hansei was not found: this commit was not held against the decisions of the repository" >&2
        exit 0
    fi
    "$hansei" decisions check --staged ${GIT_INDEX_FILE:+--index "$GIT_INDEX_FILE"} >&2
    case $? in
    0) exit 0 ;;
    1) exit 1 ;;
    esac
    echo "this commit could not be held against the decisions of the repository" >&2
    exit 0
) || exit $?
"#;

/// What the part of the earlier form did.
const EARLIER_BODY: &str = r#"kept="$(dirname "$0")/pre-commit.before-hansei"
if [ -x "$kept" ]; then
    "$kept" "$@" || exit $?
fi
if ! command -v "$hansei" >/dev/null 2>&1; then
    hansei=hansei
fi
if ! command -v "$hansei" >/dev/null 2>&1; then
    echo "hansei was not found: this commit was not held against the decisions of the repository" >&2
    exit 0
fi
"$hansei" decisions check --staged ${GIT_INDEX_FILE:+--index "$GIT_INDEX_FILE"} >&2
case $? in
0) exit 0 ;;
1) exit 1 ;;
esac
echo "this commit could not be held against the decisions of the repository" >&2
exit 0
"#;

/// The pieces of each form that was ever written; the third is what it does. Between pieces there may be lines of others,
/// within one there may not.
const FORMS: [&[&str]; 2] = [&[BEGIN, CALLED, BODY, END], &[EARLIER, CALLED, EARLIER_BODY]];
const BODY_PIECE: usize = 2;

/// A hook that holds a part of ours which is not as we wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed;

/// A hook without our part.
#[derive(Debug, PartialEq, Eq)]
pub struct Others {
    /// What stood before our part's body.
    above: Vec<u8>,
    /// What stood behind it.
    below: Vec<u8>,
    /// How many folders were made for the hook.
    pub folders: usize,
}

/// What is left of `hook` without our part; nothing where it has none.
pub fn taken_out(hook: &[u8]) -> Result<Option<Others>, Changed> {
    let mut lines: Vec<&[u8]> = hook.split_inclusive(|byte| *byte == b'\n').collect();
    let mut place = None;
    let mut folders = 0;
    // More than one, where somebody put two hooks together.
    while let Some(first) = lines.iter().position(|line| is_mark(line)) {
        let (ours, body) = found(&lines, first).ok_or(Changed)?;
        let count = ours.iter().filter_map(|at| text(lines[*at]).strip_prefix(FOLDERS)?.trim().parse().ok());
        folders = count.chain([folders]).max().unwrap_or(0);
        let gone = |until: usize| ours.iter().filter(|at| **at < until).count();
        let earlier: usize = place.unwrap_or(body);
        place = Some(earlier - gone(earlier));
        let mut at = 0..;
        lines.retain(|_| at.next().is_none_or(|at| !ours.contains(&at)));
    }
    Ok(place.map(|place| Others { above: lines[..place].concat(), below: lines[place..].concat(), folders }))
}

fn text(line: &[u8]) -> &str {
    std::str::from_utf8(line).unwrap_or_default().trim()
}

fn is_mark(line: &[u8]) -> bool {
    [BEGIN, END, EARLIER].contains(&text(line))
}

/// Which lines are our part's, and where its body begins, if it begins at `first` and is whole.
fn found(lines: &[&[u8]], first: usize) -> Option<(Vec<usize>, usize)> {
    let pieces = FORMS.iter().find(|pieces| text(lines[first]) == pieces[0])?;
    let mut ours: Vec<usize> = Vec::new();
    let mut place = first;
    for (index, piece) in pieces.iter().enumerate() {
        let from = ours.last().map_or(first, |last| last + 1);
        let start = (from..lines.len()).find(|at| stands_at(piece, &lines[*at..]))?;
        ours.extend(start..start + piece.lines().count());
        if index == BODY_PIECE {
            place = start;
        }
    }
    let made = (first + 1..place).find(|at| text(lines[*at]).starts_with(FOLDERS));
    ours.extend(made);
    Some((ours, place))
}

/// Whether `lines` begin with those of `piece`.
fn stands_at(piece: &str, lines: &[&[u8]]) -> bool {
    let mut there = lines.iter().map(|line| text(line));
    if piece == CALLED {
        return there.next().is_some_and(|line| line.starts_with(CALLED));
    }
    piece.lines().all(|ours| there.next() == Some(ours.trim()))
}

/// Our part, which calls `program` (as a shell reads it).
fn part(program: &str, folders: usize) -> String {
    let made = if folders > 0 { format!("{FOLDERS} {folders}\n") } else { String::new() };
    format!("{BEGIN}\n{made}{CALLED}{program}\n{BODY}{END}\n")
}

impl Others {
    /// A hook that is ours alone, and for which `folders` were made.
    pub fn nobody(folders: usize) -> Self {
        Self { above: SHEBANG.into(), below: Vec::new(), folders }
    }

    /// The hook with our part in its place.
    pub fn with_part(&self, program: &str) -> Vec<u8> {
        [&self.above, part(program, self.folders).as_bytes(), &self.below].concat()
    }

    /// The hook without our part; nothing where it was ours alone.
    pub fn without_part(&self) -> Result<Option<Vec<u8>>, Changed> {
        if self.is_needed_between() {
            return Err(Changed);
        }
        let left = [self.above.as_slice(), &self.below].concat();
        let is_nothing = matches!(text_of_all(&left), Some("" | "#!/bin/sh"));
        Ok((!is_nothing).then_some(left))
    }

    /// Whether the lines around our part cannot be read without it: an `if` would have nothing to do, an `&&` no right side.
    fn is_needed_between(&self) -> bool {
        let says = |line: &&str| !line.is_empty() && !line.starts_with('#');
        let lines = |part: &[u8]| -> Vec<String> {
            String::from_utf8_lossy(part).lines().map(str::trim).filter(says).map(str::to_owned).collect()
        };
        let (above, below) = (lines(&self.above), lines(&self.below));
        let (before, after) =
            (above.last().map_or("", String::as_str), below.first().map_or("", String::as_str));
        let ends = |words: &[&str]| words.iter().any(|word| before.ends_with(word));
        let closes = |words: &[&str]| words.iter().any(|word| after.starts_with(word));
        let is_open = ends(&["then", "do", "else", "{", "("]);
        ends(&["&&", "|", "\\"]) || (is_open && closes(&["fi", "done", "else", "elif", "}", ")"]))
    }
}

fn text_of_all(left: &[u8]) -> Option<&str> {
    std::str::from_utf8(left).ok().map(str::trim)
}

#[cfg(test)]
#[path = "part_tests.rs"]
mod tests;
