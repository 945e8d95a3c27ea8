//! Texts as words to search for, cut the same way for every database.

use std::collections::BTreeSet;

use serde_json::Value;

/// A text has room for no more different words than this, and a word for no more characters: PostgreSQL's limit of a
/// megabyte is far above.
const MOST_WORDS: usize = 4000;
const LONGEST_WORD: usize = 60;

/// The words of `text`: letters and digits, in small letters.
pub fn of_text(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(|word| word.chars().flat_map(char::to_lowercase).take(LONGEST_WORD).collect())
}

/// The different words of all texts in `value`, one space between them.
pub fn of_json(value: &Value) -> String {
    let mut words = BTreeSet::new();
    collect(value, &mut words);
    words.into_iter().collect::<Vec<_>>().join(" ")
}

fn collect(value: &Value, words: &mut BTreeSet<String>) {
    match value {
        Value::String(text) => {
            for word in of_text(text) {
                if words.len() >= MOST_WORDS {
                    return;
                }
                words.insert(word);
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(fields) => fields.values().for_each(|field| collect(field, words)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}
