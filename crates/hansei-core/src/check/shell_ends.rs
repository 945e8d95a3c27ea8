//! Where a character and a command substitution end.

/// Where the character after the one at `at` begins.
pub(super) fn next_char(line: &str, at: usize) -> usize {
    line.get(at..).and_then(|rest| rest.chars().next()).map_or(line.len(), |c| at + c.len_utf8())
}

/// Where the parenthesis closes that was opened just before `start`, or the end. Quotes hide parentheses, and so do
/// here-documents: a commit message in `$(cat <<'EOF' …)` may hold any text.
pub(super) fn closing_parenthesis(line: &str, start: usize) -> usize {
    let bytes = line.as_bytes();
    let mut depth = 1_usize;
    let mut quote = 0_u8;
    let mut heredoc: Option<&str> = None;
    let mut at = start;
    while at < bytes.len() {
        match (bytes[at], quote) {
            (b'\\', 0 | b'"') => at += 1,
            (b'\'', b'\'') | (b'"', b'"') => quote = 0,
            (byte @ (b'\'' | b'"'), 0) => quote = byte,
            (b'(', 0) => depth += 1,
            (b')', 0) => {
                depth -= 1;
                if depth == 0 {
                    return at;
                }
            }
            (b'<', 0) if line[at..].starts_with("<<") && !line[at..].starts_with("<<<") => {
                let (end, after) = end_word(line, at + 2);
                heredoc = Some(end);
                at = after;
                continue;
            }
            (b'\n', 0) => {
                if let Some(end) = heredoc.take() {
                    at = after_heredoc(line, at + 1, end);
                    continue;
                }
            }
            _ => {}
        }
        at += 1;
    }
    bytes.len()
}

/// The end word of a here-document whose operator ends before `at`, and where it ends.
fn end_word(line: &str, at: usize) -> (&str, usize) {
    let rest = line[at..].trim_start_matches(['-', ' ', '\t']);
    let start = line.len() - rest.len();
    let length = rest
        .find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '"' | '\\')))
        .unwrap_or(rest.len());
    (rest[..length].trim_matches(['\'', '"', '\\']), start + length)
}

/// Where the line after the end word begins.
fn after_heredoc(line: &str, start: usize, end: &str) -> usize {
    let mut at = start;
    while let Some(rest) = line.get(at..).filter(|rest| !rest.is_empty()) {
        let length = rest.find('\n').map_or(rest.len(), |n| n + 1);
        at += length;
        if rest[..length].trim() == end {
            break;
        }
    }
    at
}
