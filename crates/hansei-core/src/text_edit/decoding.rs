//! From bytes to text, or what the bytes seem to be instead.

/// A byte-order mark in UTF-8.
pub(super) const MARK: &[u8] = b"\xef\xbb\xbf";

/// How far a file is searched for what no text has.
const LOOK: usize = 8 * 1024;

/// Why bytes are not edited as text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Undecodable {
    /// There are bytes that no text has.
    #[error("it is a binary file (a NUL byte at offset {offset})")]
    Binary {
        /// Where the first is.
        offset: usize,
    },
    /// It is text in another encoding.
    #[error("it is not UTF-8 (first at line {line}); it seems to be {seems}")]
    Encoding {
        /// Which, by the look of it.
        seems: &'static str,
        /// The first line that is not UTF-8.
        line: usize,
    },
}

pub(super) fn decode(bytes: &[u8]) -> Result<(bool, &str), Undecodable> {
    if let Some(wide) = wide(bytes) {
        return Err(Undecodable::Encoding { seems: wide, line: 1 });
    }
    if let Some(offset) = bytes.iter().position(|byte| *byte == 0) {
        return Err(Undecodable::Binary { offset });
    }
    let (has_mark, rest) = match bytes.strip_prefix(MARK) {
        Some(rest) => (true, rest),
        None => (false, bytes),
    };
    match std::str::from_utf8(rest) {
        Ok(text) => Ok((has_mark, text)),
        Err(error) => {
            let line = rest[..error.valid_up_to()].split(|byte| *byte == b'\n').count();
            Err(Undecodable::Encoding { seems: seems(rest), line })
        }
    }
}

/// Whether the beginning of a file is not text.
pub fn looks_binary(beginning: &[u8]) -> bool {
    wide(beginning).is_none() && beginning.iter().take(LOOK).any(|byte| *byte == 0)
}

/// Which encoding bytes that are not UTF-8 seem to have. A guess, for people.
pub fn seems(bytes: &[u8]) -> &'static str {
    if let Some(wide) = wide(bytes) {
        return wide;
    }
    // What Latin-1 leaves to control characters, Windows gives to quotes and dashes.
    if bytes.iter().any(|byte| (0x80..0xa0).contains(byte)) {
        "Windows-1252, or another encoding of the time before Unicode"
    } else {
        "Latin-1 (ISO 8859-1)"
    }
}

/// An encoding with two or four bytes a character, by its mark or by where its zeros stand.
fn wide(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xff, 0xfe, 0, 0, ..] => return Some("UTF-32, little-endian"),
        [0, 0, 0xfe, 0xff, ..] => return Some("UTF-32, big-endian"),
        [0xff, 0xfe, ..] => return Some("UTF-16, little-endian"),
        [0xfe, 0xff, ..] => return Some("UTF-16, big-endian"),
        _ => {}
    }
    let look = &bytes[..bytes.len().min(LOOK)];
    if look.len() < 4 || !look.len().is_multiple_of(2) {
        return None;
    }
    let zeros = |from: usize| look.iter().skip(from).step_by(2).filter(|byte| **byte == 0).count();
    let (even, odd, pairs) = (zeros(0), zeros(1), look.len() / 2);
    // Text in a western language: nearly every second byte is zero, and no other.
    match (even, odd) {
        (0, odd) if odd * 10 >= pairs * 9 => Some("UTF-16, little-endian"),
        (even, 0) if even * 10 >= pairs * 9 => Some("UTF-16, big-endian"),
        _ => None,
    }
}
