//! What a linter or a compiler complains about, one line a complaint, told apart from its place in the file: code that
//! moved down by a line is still the same complaint.

const MOST: usize = 50;
const LONGEST: usize = 200;

/// The complaints in an output.
pub(super) fn complaints(output: &str) -> Vec<String> {
    let lines = output.lines().map(str::trim).filter(|line| is_complaint(line));
    lines
        .take(MOST)
        .map(|line| line[..line.floor_char_boundary(LONGEST.min(line.len()))].to_owned())
        .collect()
}

fn is_complaint(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    names_a_place(line)
        || ["error:", "error[", "fatal:", "fatal error", "panic:", "cmake error"]
            .iter()
            .any(|start| lower.starts_with(start))
}

/// `a.py:1:8: F401 …`, `./main.go:3:2: …`
pub(super) fn names_a_place(line: &str) -> bool {
    let mut parts = line.splitn(3, ':');
    let (Some(path), Some(row), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let path = path.trim_start_matches("vet").trim();
    let named = path.rsplit('/').next().is_some_and(|name| name.contains('.') && !name.contains(' '));
    named && !row.is_empty() && row.bytes().all(|byte| byte.is_ascii_digit())
}

/// A name or complaint without what changes from run to run: numbers of lines, times, addresses.
pub(super) fn normal(text: &str) -> String {
    let mut normal = String::with_capacity(text.len());
    let mut after_mark = false;
    for c in text.chars() {
        if c.is_ascii_digit() && after_mark {
            continue;
        }
        after_mark = matches!(c, ':' | '(' | '[' | '#') || (after_mark && c.is_ascii_digit());
        normal.push(c);
    }
    normal
}
