//! A moment as records carry it: ISO-8601 in UTC, ending in `Z`. The clock itself lives elsewhere.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};

/// The shape every timestamp has, as the JSON Schema and the zod schema state it.
pub const PATTERN: &str = r"^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{1,9})?Z$";

/// An ISO-8601 moment in UTC. Comparing two of equal precision compares the moments.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Timestamp(String);

/// A text that is not a UTC timestamp.
#[derive(Debug, thiserror::Error)]
#[error("{0:?} is not an ISO-8601 time in UTC such as 2026-11-15T10:40:00Z")]
pub struct NotATimestamp(String);

impl Timestamp {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The moment as a text whose order is that of the moments, whatever their precision.
    pub fn moment(&self) -> &str {
        self.0.trim_end_matches('Z')
    }

    /// Nanoseconds since 1970; none before that.
    pub fn unix_nanos(&self) -> Option<u64> {
        let number = |range: std::ops::Range<usize>| self.0.get(range)?.parse::<i64>().ok();
        let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
        // Years begin in March, so that the day that is sometimes there is the last.
        let year = if month <= 2 { year - 1 } else { year };
        let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
        let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
        let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
        let seconds = days * 86_400 + number(11..13)? * 3600 + number(14..16)? * 60 + number(17..19)?;
        let fraction = self.0.get(19..)?.trim_start_matches('.').trim_end_matches('Z');
        let nanos = format!("{fraction:0<9}").parse::<u64>().ok()?;
        u64::try_from(seconds).ok()?.checked_mul(1_000_000_000)?.checked_add(nanos)
    }

    /// The moment as it stands in a file name: digits, `T` and `Z` only.
    pub fn compact(&self) -> String {
        self.0.chars().filter(|c| !matches!(c, '-' | ':' | '.')).collect()
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for Timestamp {
    type Error = NotATimestamp;

    fn try_from(text: String) -> Result<Self, NotATimestamp> {
        if is_moment(&text) { Ok(Self(text)) } else { Err(NotATimestamp(text)) }
    }
}

impl JsonSchema for Timestamp {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Timestamp".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "string", "pattern": PATTERN })
    }
}

/// Whether `text` is a moment as records carry it.
pub fn is_moment(text: &str) -> bool {
    has_shape(text.as_bytes())
}

/// Whether `text` has the shape of [`PATTERN`], without building a regular expression.
fn has_shape(text: &[u8]) -> bool {
    let two = |at: usize| -> Option<u8> {
        let (tens, ones) = (*text.get(at)?, *text.get(at + 1)?);
        (tens.is_ascii_digit() && ones.is_ascii_digit()).then(|| (tens - b'0') * 10 + ones - b'0')
    };
    let within = |at: usize, low: u8, high: u8| two(at).is_some_and(|n| (low..=high).contains(&n));
    let is = |at: usize, byte: u8| text.get(at) == Some(&byte);
    let date = two(0).is_some()
        && two(2).is_some()
        && is(4, b'-')
        && within(5, 1, 12)
        && is(7, b'-')
        && within(8, 1, 31);
    let time = is(10, b'T')
        && within(11, 0, 23)
        && is(13, b':')
        && within(14, 0, 59)
        && is(16, b':')
        && within(17, 0, 59);
    let rest = text.get(19..).unwrap_or_default();
    let fraction = match rest {
        [b'Z'] => true,
        [b'.', digits @ .., b'Z'] => (1..=9).contains(&digits.len()) && digits.iter().all(u8::is_ascii_digit),
        _ => false,
    };
    date && time && fraction
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_counted() {
        let nanos = |text: &str| Timestamp::try_from(text.to_owned()).unwrap().unix_nanos();
        for (text, seconds, rest) in [
            ("1970-01-01T00:00:00Z", 0, 0),
            ("2000-02-29T23:59:59.5Z", 951_868_799, 500_000_000),
            ("2026-11-16T03:56:19.547828Z", 1_794_801_379, 547_828_000),
            ("2100-03-01T00:00:00.000000001Z", 4_107_542_400, 1),
        ] {
            assert_eq!(nanos(text), Some(seconds * 1_000_000_000 + rest), "{text}");
        }
        assert_eq!(nanos("1969-12-31T23:59:59Z"), None);
    }

    #[test]
    fn the_hand_written_check_and_the_pattern_agree() {
        let pattern = regex::bytes::Regex::new(PATTERN).unwrap();
        for text in [
            "2026-11-15T10:40:00Z",
            "2026-11-15T10:40:00.1Z",
            "2026-11-15T10:40:00.123456789Z",
            "2026-11-15T10:40:00.1234567890Z",
            "2026-11-15T10:40:00.Z",
            "2026-11-15T10:40:00",
            "2026-11-15 10:40:00Z",
            "2026-11-15T10:40:00+00:00",
            "2026-13-15T10:40:00Z",
            "2026-00-15T10:40:00Z",
            "2026-11-32T10:40:00Z",
            "2026-11-30T24:00:00Z",
            "2026-11-30T23:60:00Z",
            "2026-11-30T23:59:60Z",
            "",
            "Z",
            "2026-11-15T10:40:00ZZ",
            "２026-11-15T10:40:00Z",
            "2026-11-15T10:40:00Z\n",
        ] {
            assert_eq!(has_shape(text.as_bytes()), pattern.is_match(text.as_bytes()), "{text:?}");
        }
    }
}
