//! Brackets and quotes in texts that nobody wrote for a parser.

/// The line cut before each comma and semicolon that stands outside of brackets and quotes. Each part keeps what it was
/// cut at.
pub(super) fn parts(line: &str) -> Vec<&str> {
    let (mut parts, mut from, mut depth) = (Vec::new(), 0, 0_i32);
    let mut quote = None;
    let mut before = ' ';
    for (place, c) in line.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = quote.filter(|_| c != open),
            (None, '"' | '`') => quote = Some(c),
            // An apostrophe within a word opens nothing.
            (None, '\'') if !before.is_alphanumeric() => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ' ') if depth == 0 && before == ')' => {
                parts.push(&line[from..place]);
                from = place;
            }
            (None, ',' | ';') if depth <= 0 => {
                parts.push(&line[from..place]);
                from = place;
            }
            _ => {}
        }
        before = c;
    }
    parts.push(&line[from..]);
    parts
}

/// Where the bracket that `text` begins with is closed, behind it.
pub(super) fn closing(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    let mut quote = None;
    let mut before = ' ';
    for (place, c) in text.char_indices() {
        match (quote, c) {
            (Some(open), _) => quote = quote.filter(|_| c != open || before == '\\'),
            (None, '"' | '`') => quote = Some(c),
            (None, '\'') if !before.is_alphanumeric() => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')' | ']' | '}') => {
                depth -= 1;
                if depth == 0 {
                    return Some(place + c.len_utf8());
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// Where the parenthesis that `text` ends with was opened.
pub(super) fn opening(text: &str) -> Option<usize> {
    let mut depth = 0_i32;
    for (place, c) in text.char_indices().rev() {
        match c {
            ')' => depth += 1,
            '(' => {
                depth -= 1;
                if depth == 0 {
                    return Some(place);
                }
            }
            _ => {}
        }
    }
    None
}

/// Where a quoted text ends: at a quote that a comma, a brace or the end follows.
pub(super) fn closing_quote(text: &str, quote: char) -> usize {
    text.char_indices()
        .filter(|(_, c)| *c == quote)
        .find(|(place, _)| {
            let after = text[place + 1..].trim_start();
            after.is_empty() || after.starts_with([',', '}'])
        })
        .map_or(text.len(), |(place, _)| place)
}
