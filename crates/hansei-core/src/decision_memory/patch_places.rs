//! A patch with headers that are true: how many lines a hunk has is counted, and where it belongs is looked for. Whoever writes a
//! patch by hand gets the lines right and the numbers wrong, and a line that a header does not count would go unread.

/// The patch with its hunks counted and put where their lines stand.
pub(super) fn placed(patch: &str, text_of: &dyn Fn(&str) -> Option<String>) -> String {
    let lines: Vec<&str> = patch.lines().collect();
    let mut told: Vec<String> = Vec::with_capacity(lines.len());
    let mut base: Vec<String> = Vec::new();
    let mut shift: i64 = 0;
    let mut at = 0;
    while let Some(line) = lines.get(at) {
        at += 1;
        if !line.starts_with("@@") {
            if let Some(path) = line.strip_prefix("--- ") {
                base = text_of(plain(path))
                    .map(|text| text.lines().map(str::to_owned).collect())
                    .unwrap_or_default();
                shift = 0;
            }
            told.push((*line).to_owned());
            continue;
        }
        let length =
            lines[at..].iter().enumerate().take_while(|(on, _)| is_of_hunk(&lines[at..], *on)).count();
        let hunk = &lines[at..at + length];
        at += length;
        let old = hunk.iter().filter(|line| !line.starts_with(['+', '\\'])).count();
        let new = hunk.iter().filter(|line| !line.starts_with(['-', '\\'])).count();
        let start = place(hunk, &base, first_line(line));
        // An empty side is named by the line before it.
        let old_start = if old == 0 { start.saturating_sub(1) } else { start };
        let new_start = i64::try_from(start).unwrap_or(1) + shift - i64::from(new == 0);
        told.push(format!("@@ -{old_start},{old} +{},{new} @@", new_start.max(0)));
        told.extend(hunk.iter().map(|line| (*line).to_owned()));
        shift += i64::try_from(new).unwrap_or(0) - i64::try_from(old).unwrap_or(0);
    }
    told.join("\n")
}

fn plain(path: &str) -> &str {
    let path = path.split('\t').next().unwrap_or(path).trim_end();
    path.strip_prefix("a/").unwrap_or(path)
}

/// Whether a line belongs to a hunk; what begins the next file does not.
fn is_of_hunk(lines: &[&str], at: usize) -> bool {
    let line = lines[at];
    let begins_file =
        line.starts_with("--- ") && lines.get(at + 1).is_some_and(|next| next.starts_with("+++ "));
    !begins_file && (line.is_empty() || line.starts_with(['+', '-', ' ', '\\']))
}

/// `@@ -3,5 +3,6 @@`: 3, and 1 where nothing is said.
fn first_line(header: &str) -> usize {
    let span = header.split_whitespace().find_map(|word| word.strip_prefix('-'));
    span.and_then(|span| span.split(',').next()?.parse().ok()).unwrap_or(1).max(1)
}

/// Where the old lines of a hunk stand in the file: where it says, or else where they first do.
fn place(hunk: &[&str], base: &[String], said: usize) -> usize {
    let old: Vec<&str> = hunk
        .iter()
        .filter(|line| !line.starts_with(['+', '\\']))
        .map(|line| line.get(1..).unwrap_or_default().trim_end())
        .collect();
    let fits = |start: usize| {
        old.iter()
            .enumerate()
            .all(|(at, line)| base.get(start - 1 + at).is_some_and(|known| known.trim_end() == *line))
    };
    if old.is_empty() || fits(said) {
        return said;
    }
    (1..=base.len()).find(|start| fits(*start)).unwrap_or(said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hunk_is_counted_and_put_where_its_lines_stand() {
        let text_of = |path: &str| (path == "x.py").then(|| "one\ntwo\nthree\nfour\n".to_owned());
        for (header, lines, told) in [
            ("@@ -3,1 +3,1 @@", "-three\n+3", "@@ -3,1 +3,1 @@"),
            ("@@ -1 +1 @@", " two\n-three\n+3\n four", "@@ -2,3 +2,3 @@"),
            ("@@ def f():", "-two", "@@ -2,1 +1,0 @@"),
            ("@@ -9,9 +9,9 @@", " four\n+five", "@@ -4,1 +4,2 @@"),
            ("@@ -1,3 +1,3 @@", "-nowhere", "@@ -1,1 +0,0 @@"),
        ] {
            let patch = format!("--- a/x.py\n+++ b/x.py\n{header}\n{lines}");
            let placed = placed(&patch, &text_of);
            assert_eq!(placed.lines().nth(2), Some(told), "{patch}");
            assert!(placed.ends_with(lines), "{placed}");
        }
    }
}
