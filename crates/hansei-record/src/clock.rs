//! The clock, as records write it.

use std::time::SystemTime;

use hansei_core::timestamp::Timestamp;

/// Now, to the microsecond.
pub fn now() -> Timestamp {
    at(SystemTime::now())
}

/// `time` to the microsecond. A time that no calendar holds becomes the epoch.
pub fn at(time: SystemTime) -> Timestamp {
    let moment = jiff::Timestamp::try_from(time).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
    let text = format!("{moment:.6}");
    Timestamp::try_from(text).unwrap_or_else(|_| at(SystemTime::UNIX_EPOCH))
}

/// The moment that `time` names, as the machine counts.
pub fn system_time(time: &Timestamp) -> Option<SystemTime> {
    Some(SystemTime::from(time.as_str().parse::<jiff::Timestamp>().ok()?))
}

/// `time` as a person at this machine reads it.
pub fn local(time: &Timestamp) -> String {
    match time.as_str().parse::<jiff::Timestamp>() {
        Ok(moment) => moment.to_zoned(jiff::tz::TimeZone::system()).strftime("%Y-%m-%d %H:%M").to_string(),
        Err(_) => time.to_string(),
    }
}

/// The seconds from one moment to another, where both are known.
pub fn seconds_between(from: Option<&Timestamp>, to: Option<&Timestamp>) -> Option<i64> {
    let seconds =
        |time: &Timestamp| time.as_str().parse::<jiff::Timestamp>().ok().map(jiff::Timestamp::as_second);
    Some((seconds(to?)? - seconds(from?)?).max(0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn times_have_six_digits_so_that_their_texts_compare() {
        let times = [0, 1, 999_999_000, 1_000_000_000, 1_800_000_000_123_456_000].map(Duration::from_nanos);
        let texts = times.map(|time| at(SystemTime::UNIX_EPOCH + time).to_string());
        assert_eq!(texts[0], "1970-01-01T00:00:00.000000Z");
        assert_eq!(texts[4], "2027-01-15T08:00:00.123456Z");
        assert!(texts[1..].is_sorted());
    }
}
