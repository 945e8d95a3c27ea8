//! Text without what is not the speaker's own plain words, and its sentences: quotations, tags and code are taken out.

/// `text` with a blank line behind each quotation: what follows one directly is seldom part of it.
pub(super) fn with_quotations_apart(text: &str) -> String {
    let mut apart = String::with_capacity(text.len());
    let mut quoted = false;
    for line in text.split_inclusive('\n') {
        let goes_on = line.trim_start().starts_with('>');
        if quoted && !goes_on {
            apart.push('\n');
        }
        apart.push_str(line);
        quoted = goes_on;
    }
    apart
}

/// A piece of HTML without its tags.
pub(super) fn untagged(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, behind)| behind);
    }
    text + rest
}

/// The sentences of a line. A dot inside a word, a number or a file name ends none.
pub(super) fn sentences_of(line: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut code = false;
    let bytes = line.as_bytes();
    for (place, letter) in line.char_indices() {
        if letter == '`' {
            code = !code;
        }
        let ends = match letter {
            '.' | '!' | '?' => {
                let after = bytes.get(place + 1).copied().unwrap_or(b' ');
                let follows = matches!(after, b' ' | b'"' | b')' | b'*') || after == b'`';
                let abbreviated = letter == '.'
                    && ["e.g", "i.e", "etc", "vs", "cf", "approx"]
                        .iter()
                        .any(|short| line[..place].to_ascii_lowercase().ends_with(short));
                !code && follows && !abbreviated
            }
            '。' | '！' | '？' => true,
            _ => false,
        };
        if ends {
            let end = place + letter.len_utf8();
            sentences.push(line[start..end].trim());
            start = end;
        }
    }
    sentences.push(line[start..].trim());
    sentences.retain(|sentence| !sentence.is_empty());
    sentences
}

/// `text` without what it quotes: three words and more between quotation marks are somebody else's.
pub(super) fn without_quotations(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find(['"', '“']) {
        let open = rest[start..].chars().next().unwrap_or('"');
        let inside = start + open.len_utf8();
        let Some(end) = rest[inside..].find(['"', '”']).map(|end| inside + end) else { break };
        let close = rest[end..].chars().next().map_or(1, char::len_utf8);
        plain.push_str(&rest[..start]);
        if rest[inside..end].split_whitespace().count() < 3 {
            plain.push_str(&rest[inside..end]);
        } else {
            plain.push_str(" “…” ");
        }
        rest = &rest[end + close..];
    }
    plain.push_str(rest);
    plain
}

/// `text` with every piece of inline code as one mark, and the pieces.
pub(super) fn without_code(text: &str) -> (String, Vec<String>) {
    let mut parts = text.split('`');
    let mut plain = parts.next().unwrap_or_default().to_owned();
    let mut code = Vec::new();
    while let Some(inside) = parts.next() {
        code.push(inside.to_owned());
        plain.push_str(" ` ");
        plain.push_str(parts.next().unwrap_or_default());
    }
    (plain, code)
}
