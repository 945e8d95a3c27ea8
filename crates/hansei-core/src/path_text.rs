//! How the bytes of a path appear in a record.
//!
//! JSON holds Unicode, a path holds bytes. A path that is plain Unicode stays as it is. Any other is escaped so that the
//! bytes can be had back: a byte that is not UTF-8 becomes `\xHH`, a backslash becomes `\\`. A Unicode path that would
//! read as an escaped one is escaped too, so no two paths share a text.

use std::fmt::Write as _;

/// The text of `path`; [`decode`] gives the bytes back.
pub fn encode(path: &[u8]) -> String {
    if let Ok(text) = std::str::from_utf8(path)
        && decode(text) == path
    {
        return text.to_owned();
    }
    let mut text = String::with_capacity(path.len() + 8);
    for chunk in path.utf8_chunks() {
        text.push_str(&chunk.valid().replace('\\', r"\\"));
        for byte in chunk.invalid() {
            // Writing to a String cannot fail.
            let _ = write!(text, r"\x{byte:02X}");
        }
    }
    text
}

/// The bytes of the path that [`encode`] wrote as `text`.
pub fn decode(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let (byte, used) = match (first, tail) {
            (b'\\', [b'\\', ..]) => (b'\\', 2),
            (b'\\', [b'x', high, low, ..]) => match (hex(*high), hex(*low)) {
                (Some(high), Some(low)) => (high * 16 + low, 4),
                _ => (b'\\', 1),
            },
            _ => (first, 1),
        };
        bytes.push(byte);
        rest = &rest[used..];
    }
    bytes
}

fn hex(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_a_reader_sees() {
        let cases: [(&[u8], &str); 7] = [
            (b"src/main.rs", "src/main.rs"),
            (b"with space \"and\" quotes", "with space \"and\" quotes"),
            (b"two\nlines", "two\nlines"),
            ("日本/é.txt".as_bytes(), "日本/é.txt"),
            (b"caf\xe9.txt", r"caf\xE9.txt"),
            (br"back\slash", r"back\slash"),
            (br"looks\xE9escaped", r"looks\\xE9escaped"),
        ];
        for (path, text) in cases {
            assert_eq!(encode(path), text);
            assert_eq!(decode(text), path);
        }
    }

    proptest! {
        #[test]
        fn bytes_come_back(path in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\\'), Just(b'x'), Just(b'E')], 0..40)) {
            prop_assert_eq!(decode(&encode(&path)), path);
        }
    }
}
