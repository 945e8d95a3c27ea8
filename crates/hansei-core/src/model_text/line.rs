//! One bounded line out of any text.

/// `text` on one line, without control characters, at most `most` bytes: it is shown on terminals and given to agents.
pub(crate) fn one_line(text: &str, most: usize) -> String {
    let mut line = String::with_capacity(text.len().min(most + 4));
    let words = text.split(|character: char| character.is_whitespace() || character.is_control());
    for word in words.filter(|word| !word.is_empty()) {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
        if line.len() > most {
            break;
        }
    }
    line.truncate(line.floor_char_boundary(most));
    line.truncate(line.trim_end().len());
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_one_and_stays_small() {
        assert_eq!(one_line("a\u{1b}[31m  b\n\tc", 100), "a [31m b c");
        assert_eq!(one_line("ab cd", 3), "ab");
        assert_eq!(one_line("é é", 1), "");
        assert_eq!(one_line(&"word ".repeat(1_000), 20), "word word word word");
    }
}
