//! The full hash of a commit, small enough to be kept for every commit of a long history.

use std::fmt;
use std::str::FromStr;

/// The full hash of a commit: 40 hexadecimal digits, or 64 in a repository of SHA-256.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CommitId {
    bytes: [u8; 32],
    length: u8,
}

impl CommitId {
    /// Whether its digits begin with `prefix`, in either case.
    pub fn starts_with(&self, prefix: &str) -> bool {
        let text = self.to_string();
        text.get(..prefix.len()).is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    }

    /// The smallest hash that can begin with the digits `prefix`, for finding it in a sorted list.
    pub fn floor_of(prefix: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        for (place, digit) in prefix.bytes().enumerate() {
            let digit = hex(digit)?;
            *bytes.get_mut(place / 2)? |= if place % 2 == 0 { digit << 4 } else { digit };
        }
        Some(Self { bytes, length: 0 })
    }
}

/// A text that is no full hash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NotAHash;

impl FromStr for CommitId {
    type Err = NotAHash;

    fn from_str(text: &str) -> Result<Self, NotAHash> {
        let length = match text.len() {
            40 => 20,
            64 => 32,
            _ => return Err(NotAHash),
        };
        let floor = Self::floor_of(text).ok_or(NotAHash)?;
        Ok(Self { bytes: floor.bytes, length })
    }
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

impl fmt::Display for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.bytes.iter().take(usize::from(self.length)).try_for_each(|byte| write!(formatter, "{byte:02x}"))
    }
}

impl fmt::Debug for CommitId {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

impl serde::Serialize for CommitId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "00ff1234567890abcdef1234567890abcdef1234";

    #[test]
    fn a_hash_is_written_as_it_was_read_in_small_letters() {
        for text in [ONE.to_owned(), "a".repeat(64), ONE.to_uppercase()] {
            let id: CommitId = text.parse().unwrap();
            assert_eq!(id.to_string(), text.to_lowercase());
        }
        for text in ["", "00ff", &ONE[1..], &format!("g{}", &ONE[1..]), &"a".repeat(65), &"ü".repeat(20)] {
            assert_eq!(text.parse::<CommitId>(), Err(NotAHash), "{text}");
        }
    }

    #[test]
    fn the_floor_of_a_prefix_stands_before_all_that_begin_with_it() {
        let one: CommitId = ONE.parse().unwrap();
        for (prefix, begins) in [("", true), ("00f", true), ("00FF12", true), ("00fe", false), (ONE, true)] {
            assert_eq!(one.starts_with(prefix), begins, "{prefix}");
            assert!(CommitId::floor_of(prefix).unwrap() <= one, "{prefix}");
        }
        assert!(CommitId::floor_of("0100").unwrap() > one);
        assert_eq!(CommitId::floor_of("xyz"), None);
        assert_eq!(CommitId::floor_of(&"0".repeat(65)), None);
    }
}
