//! The marks that somebody leaves where a text was cut: `[... 812 characters cut ...]`, `<output truncated>`,
//! `… +41 lines (ctrl+o to expand)`.

/// Says that something is missing.
const MISSING: &[&str] =
    &["cut", "truncated", "omitted", "elided", "clipped", "trimmed", "hidden", "expand", "skipped"];
/// What can be missing.
const PARTS: &[&str] =
    &["characters", "chars", "bytes", "lines", "tokens", "output", "content", "text", "response", "result"];
/// The longest mark.
const LONGEST: usize = 120;

/// Where the last mark begins: a bracket, or three dots at the beginning of a line, with words for it behind.
pub fn cut_mark(text: &str) -> Option<usize> {
    let mut end = text.len();
    while let Some(place) = text[..end].rfind(['[', '<', '(', '…', '.']) {
        let rest = &text[place..];
        let first = rest.chars().next().unwrap_or_default();
        let begins_line = text[..place].chars().next_back().is_none_or(|before| before == '\n');
        let opens = match first {
            '.' => begins_line && rest.starts_with("..."),
            '…' => begins_line,
            _ => true,
        };
        if opens && is_mark(rest, first) {
            return Some(place);
        }
        end = place;
    }
    None
}

fn is_mark(rest: &str, first: char) -> bool {
    let line = rest.lines().next().unwrap_or_default();
    let line = &line[..line.floor_char_boundary(LONGEST)];
    let close = match first {
        '[' => line.find(']'),
        '<' => line.find('>'),
        '(' => line.find(')'),
        _ => Some(line.len()),
    };
    let Some(close) = close else { return false };
    let words = || line[..close].split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    let says =
        |known: &[&str]| words().any(|word| known.iter().any(|known| word.eq_ignore_ascii_case(known)));
    words().count() <= 8 && says(MISSING) && says(PARTS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks() {
        for text in [
            "a\n[... 812 characters cut ...]\nb",
            "a [812 chars truncated] b",
            "a\n... [41 lines omitted] ...\nb",
            "<output truncated>",
            "a\n… +41 lines (ctrl+o to expand)",
            "(Output clipped to 30000 characters)",
        ] {
            assert!(cut_mark(text).is_some(), "{text}");
        }
        for text in [
            "I cut three lines from `parse`.",
            "[the lines of the old parser]",
            "the list (see the omitted case) is empty",
            "a[cut] = b",
            "... and the lines go on",
            "",
        ] {
            assert_eq!(cut_mark(text), None, "{text}");
        }
        assert_eq!(cut_mark("é [9 bytes cut] [2 bytes cut]"), Some(17));
    }
}
