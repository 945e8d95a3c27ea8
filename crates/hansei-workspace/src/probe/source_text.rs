//! Source code with its comments, and where asked its strings, blanked out: every byte keeps its place and its line.

/// How a language writes comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    /// `#`, and strings in three quotes, which are blanked as comments are.
    Python,
    /// `//`, `/* */`, and texts in back quotes, which are blanked as comments are.
    JavaScript,
    /// `//`, `/* */`, `r#""#`, strings over several lines.
    Rust,
    /// `//`, `/* */`; Go's raw strings are kept.
    C,
    /// `#`.
    Hash,
}

/// The text without comments.
pub(super) fn code(text: &str, language: Language) -> String {
    blank(text, language, false)
}

/// The text without comments and without what stands in strings.
pub(super) fn bare(text: &str, language: Language) -> String {
    blank(text, language, true)
}

fn blank(text: &str, language: Language, strings_too: bool) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let (end, is_string) = piece(text.as_bytes(), at, language);
        // What is cut off ends with the text.
        let end = end.min(bytes.len());
        if end > at {
            if !is_string || strings_too {
                // A string that nothing closes may end in the middle of a character.
                let inside = || (at + 1, text.ceil_char_boundary(end.saturating_sub(1)).max(at + 1));
                let (from, to) = if is_string { inside() } else { (at, end) };
                for byte in &mut bytes[from..to] {
                    if *byte != b'\n' {
                        *byte = b' ';
                    }
                }
            }
            at = end;
        } else {
            at += 1;
        }
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Where the comment or string that begins here ends, and whether it is a string; the place itself where none begins.
fn piece(bytes: &[u8], at: usize, language: Language) -> (usize, bool) {
    let rest = &bytes[at..];
    let to_line_end = || at + rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
    match language {
        Language::Python | Language::Hash => {
            if rest[0] == b'#'
                && (language == Language::Python || at == 0 || b" \t\n;".contains(&bytes[at - 1]))
            {
                return (to_line_end(), false);
            }
            for quotes in [b"\"\"\"".as_slice(), b"'''"] {
                if language == Language::Python && rest.starts_with(quotes) {
                    return (closing(bytes, at + 3, quotes, true) + 3, false);
                }
            }
        }
        Language::JavaScript | Language::C | Language::Rust => {
            if rest.starts_with(b"//") {
                return (to_line_end(), false);
            }
            if rest.starts_with(b"/*") {
                return (closing(bytes, at + 2, b"*/", true) + 2, false);
            }
            if language == Language::JavaScript && rest[0] == b'`' {
                return (closing(bytes, at + 1, b"`", true) + 1, false);
            }
        }
    }
    if language == Language::Rust && (rest.starts_with(b"r\"") || rest.starts_with(b"r#")) {
        let hashes = rest[1..].iter().take_while(|byte| **byte == b'#').count();
        if rest.get(1 + hashes) == Some(&b'"') {
            let mut end = vec![b'"'];
            end.resize(1 + hashes, b'#');
            let close = find(bytes, at + 2 + hashes, &end).unwrap_or(bytes.len());
            return (close + end.len(), true);
        }
    }
    let is_char = |rest: &[u8]| rest.get(2) == Some(&b'\'') || rest.get(1) == Some(&b'\\');
    match rest[0] {
        b'"' => (closing(bytes, at + 1, b"\"", language == Language::Rust) + 1, true),
        b'\'' if language != Language::Rust || is_char(rest) => {
            (closing(bytes, at + 1, b"'", false) + 1, true)
        }
        _ => (at, false),
    }
}

/// Where `end` stands, a backslash passed over; the end of the line where strings keep to one.
fn closing(bytes: &[u8], from: usize, end: &[u8], over_lines: bool) -> usize {
    let mut at = from;
    while at < bytes.len() {
        if bytes[at..].starts_with(end) {
            return at;
        }
        match bytes[at] {
            b'\\' if end != b"*/" => at += 1,
            b'\n' if !over_lines => return at.saturating_sub(1).max(from),
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

fn find(bytes: &[u8], from: usize, end: &[u8]) -> Option<usize> {
    let rest = bytes.get(from..)?;
    rest.windows(end.len()).position(|window| window == end).map(|at| from + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_strings_are_told_apart() {
        for (language, text, without_comments, without_both) in [
            (Language::Python, "a = 'x#y' # z\n", "a = 'x#y'    \n", "a = '   '    \n"),
            (Language::Python, "\"\"\"import x\"\"\"\nb", "              \nb", "              \nb"),
            (
                Language::JavaScript,
                "f('//') // c\n/* d */g",
                "f('//')     \n       g",
                "f('  ')     \n       g",
            ),
            (Language::JavaScript, "`import 'x'`;", "            ;", "            ;"),
            (Language::Rust, "x: &'a str = r#\"q\"#; // y", "x: &'a str = r#\"q\"#;     ", ""),
            (Language::Hash, "echo $# x#y # z", "echo $# x#y    ", "echo $# x#y    "),
        ] {
            assert_eq!(code(text, language), without_comments, "{text}");
            if !without_both.is_empty() {
                assert_eq!(bare(text, language), without_both, "{text}");
            }
        }
    }

    #[test]
    fn nothing_that_is_cut_off_breaks_it() {
        for text in ["'", "\"\"\"", "r#\"", "/*", "`", "'\\", "#", "'''é", "\"é\n"] {
            for language in
                [Language::Python, Language::JavaScript, Language::Rust, Language::C, Language::Hash]
            {
                assert_eq!(code(text, language).len(), text.len(), "{text}");
                assert_eq!(bare(text, language).len(), text.len(), "{text}");
            }
        }
    }
}
