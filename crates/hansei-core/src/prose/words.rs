//! A sentence as words: lower case, contractions written out, so that phrases need one form only.

/// Contractions that end alike.
const ENDINGS: &[(&str, &str)] = &[
    ("n't", "not"),
    ("'ll", "will"),
    ("'ve", "have"),
    ("'re", "are"),
    ("'m", "am"),
    ("'d", "would"),
    ("'s", "is"),
];

/// A mark between words that ends a clause.
pub(crate) const BREAK: &str = ";";
/// A mark that ends a clause weakly: lists go on behind it.
pub(crate) const COMMA: &str = ",";
/// Stands for inline code.
pub(crate) const CODE: &str = "`";

/// Whether `word` begins a new thought within a sentence.
pub(crate) fn turns(word: &str) -> bool {
    super::lexicon::is(word, "turns")
}

/// Whether a clause ends at `word`.
pub(crate) fn ends_clause(word: &str) -> bool {
    word == BREAK || word == COMMA || turns(word)
}

/// The words of a sentence. Marks that end a clause are words of their own.
pub(super) fn words_of(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = text.chars().peekable();
    let mut before = ' ';
    while let Some(letter) = letters.next() {
        let next = letters.peek().copied().unwrap_or(' ');
        match letter {
            '’' | '\'' if word.is_empty() || !next.is_alphanumeric() => {}
            '’' | '\'' => word.push('\''),
            '-' | '.' | '/' | '_' if !word.is_empty() && next.is_alphanumeric() => word.push(letter),
            '`' => {
                push(&mut words, &mut word);
                words.push(CODE.to_owned());
            }
            ';' | ':' | '—' | '–' | '(' | ')' | '→' | '；' | '：' | '。' | '（' | '）' => {
                push(&mut words, &mut word);
                words.push(BREAK.to_owned());
            }
            '-' if before == ' ' && next == ' ' => words.push(BREAK.to_owned()),
            ',' if !(before.is_ascii_digit() && next.is_ascii_digit()) => {
                push(&mut words, &mut word);
                words.push(COMMA.to_owned());
            }
            ',' => {}
            '，' | '、' => {
                push(&mut words, &mut word);
                words.push(COMMA.to_owned());
            }
            '✅' | '✓' | '✔' | '☑' => {
                push(&mut words, &mut word);
                words.push("✓".to_owned());
            }
            '❌' | '✗' | '✘' | '⚠' | '🚫' => {
                push(&mut words, &mut word);
                words.push("✗".to_owned());
            }
            '%' | '#' if !word.is_empty() => word.push(letter),
            '%' if before == ' '
                && words.last().is_some_and(|last| last.ends_with(|c: char| c.is_ascii_digit())) =>
            {
                words.last_mut().into_iter().for_each(|last| last.push('%'));
            }
            letter if letter.is_alphanumeric() => word.extend(letter.to_lowercase()),
            _ => push(&mut words, &mut word),
        }
        before = letter;
    }
    push(&mut words, &mut word);
    words
}

fn push(words: &mut Vec<String>, word: &mut String) {
    if word.is_empty() {
        return;
    }
    let taken = std::mem::take(word);
    match taken.as_str() {
        "cannot" | "can't" => words.extend(["can".to_owned(), "not".to_owned()]),
        "won't" => words.extend(["will".to_owned(), "not".to_owned()]),
        "let's" => words.extend(["let".to_owned(), "us".to_owned()]),
        other => {
            for (ending, full) in ENDINGS {
                if let Some(stem) = other.strip_suffix(ending).filter(|stem| !stem.is_empty()) {
                    words.extend([stem.to_owned(), (*full).to_owned()]);
                    return;
                }
            }
            words.push(taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_written_out_and_clauses_are_marked() {
        for (text, words) in [
            ("I've fixed it", "i have fixed it"),
            ("They don’t pass, yet", "they do not pass , yet"),
            ("It can't — and won't", "it can not ; and will not"),
            ("re-run 1,234 tests (all)", "re-run 1234 tests ; all ;"),
            ("ran `x y`: ok", "ran ` x y ` ; ok"),
            ("✅ src/a.rs done", "✓ src/a.rs done"),
            ("the users' list's end", "the users list is end"),
        ] {
            assert_eq!(words_of(text).join(" "), words, "{text}");
        }
    }
}
