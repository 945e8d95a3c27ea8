//! A text of any length in bounded room: how long it was, its beginning, its end, and a digest of all of it.

use serde_json::Value;

/// A text, shortened.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Excerpt {
    /// The length of the whole text in bytes.
    pub length: usize,
    /// A digest of the whole text, to tell equal ones from different ones.
    pub digest: u64,
    /// The beginning; the whole text when it is short.
    pub head: String,
    /// The end, when the text is not short.
    pub tail: String,
}

impl Excerpt {
    /// `text` with at most `head` bytes of its beginning and `tail` bytes of its end.
    pub fn of(text: &str, head: usize, tail: usize) -> Self {
        let digest = digest(text.as_bytes());
        if text.len() <= head + tail {
            return Self { length: text.len(), digest, head: text.to_owned(), tail: String::new() };
        }
        let head_end = text.floor_char_boundary(head);
        let tail_start = text.ceil_char_boundary(text.len() - tail);
        Self {
            length: text.len(),
            digest,
            head: text[..head_end].to_owned(),
            tail: text[tail_start..].to_owned(),
        }
    }

    /// What is left of the text, with a mark where something is missing.
    pub fn text(&self) -> String {
        if self.tail.is_empty() { self.head.clone() } else { format!("{} … {}", self.head, self.tail) }
    }
}

/// A fast digest over words of eight bytes; not meant to withstand an adversary.
fn digest(bytes: &[u8]) -> u64 {
    const PRIME: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut chunks = bytes.chunks_exact(8);
    let mut hash = bytes.len() as u64;
    for chunk in &mut chunks {
        let word = chunk.iter().fold(0, |word, byte| (word << 8) | u64::from(*byte));
        hash = (hash ^ word).wrapping_mul(PRIME).rotate_left(29);
    }
    for byte in chunks.remainder() {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(PRIME).rotate_left(29);
    }
    hash ^ (hash >> 32)
}

/// A digest of a tool's input: of its texts, keys and numbers in their order, without writing them out first.
pub(super) fn input_digest(input: &Value) -> u64 {
    fn mix(state: u64, bytes: &[u8]) -> u64 {
        (state ^ digest(bytes)).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(31)
    }
    fn walk(state: u64, value: &Value) -> u64 {
        match value {
            Value::Null => mix(state, b"null"),
            Value::Bool(value) => mix(state, if *value { b"true" } else { b"false" }),
            Value::Number(number) => mix(state, number.to_string().as_bytes()),
            Value::String(text) => mix(state, text.as_bytes()),
            Value::Array(items) => items.iter().fold(mix(state, b"["), walk),
            Value::Object(fields) => fields
                .iter()
                .fold(mix(state, b"{"), |state, (key, value)| walk(mix(state, key.as_bytes()), value)),
        }
    }
    walk(0, input)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_keep_both_ends_and_never_split_a_character() {
        let text = "é".repeat(100);
        let excerpt = Excerpt::of(&text, 11, 11);
        assert_eq!((excerpt.length, excerpt.head.as_str(), excerpt.tail.as_str()), (200, "ééééé", "ééééé"));
        let short = Excerpt::of("short", 3, 3);
        assert_eq!((short.head.as_str(), short.tail.as_str()), ("short", ""));
        assert_ne!(Excerpt::of(&text, 1, 1).digest, Excerpt::of(&text[2..], 1, 1).digest);
    }
}
