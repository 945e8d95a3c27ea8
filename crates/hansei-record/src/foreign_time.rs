//! Moments as other programs write them.

use jiff::civil::{Date, DateTime};
use jiff::tz::TimeZone;

/// Shapes that name their offset.
const WITH_OFFSET: [&str; 3] =
    ["%Y-%m-%dT%H:%M:%S%.f%z", "%Y-%m-%d %H:%M:%S%.f %z", "%a %b %d %H:%M:%S %Y %z"];

/// Shapes that do not; they are taken for UTC.
const WITHOUT: [&str; 5] =
    ["%Y-%m-%dT%H:%M:%S%.f", "%Y-%m-%d %H:%M:%S%.f", "%Y-%m-%d %H:%M", "%d/%b/%y %I:%M %p", "%d/%b/%Y %H:%M"];

/// The seconds since 1970 at the moment that `text` names; a day is its beginning.
pub fn seconds(text: &str) -> Option<i64> {
    let text = text.trim();
    let text = text.strip_suffix(" UTC").unwrap_or(text);
    if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        return Some(moment.as_second());
    }
    let with_offset = WITH_OFFSET.iter().find_map(|shape| jiff::Timestamp::strptime(shape, text).ok());
    if let Some(moment) = with_offset {
        return Some(moment.as_second());
    }
    let moment = WITHOUT
        .iter()
        .find_map(|shape| DateTime::strptime(shape, text).ok())
        .or_else(|| Some(Date::strptime("%Y-%m-%d", text).ok()?.at(0, 0, 0, 0)))?;
    Some(moment.to_zoned(TimeZone::UTC).ok()?.timestamp().as_second())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shapes_of_exports() {
        for (text, moment) in [
            ("1970-01-02T00:00:00Z", Some(86_400)),
            ("1970-01-02T00:00:00.500Z", Some(86_400)),
            ("1970-01-02T01:00:00+01:00", Some(86_400)),
            ("1970-01-02T01:00:00.000+0100", Some(86_400)),
            ("1970-01-02 00:00:00 UTC", Some(86_400)),
            ("1970-01-02 00:00", Some(86_400)),
            ("1970-01-02", Some(86_400)),
            ("02/Jan/70 12:00 AM", Some(86_400)),
            ("yesterday", None),
            ("1970-13-02", None),
            ("", None),
        ] {
            assert_eq!(seconds(text), moment, "{text}");
        }
    }
}
