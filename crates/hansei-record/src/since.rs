//! Since when a person wants to know: a time of day, a span, a day, or a moment.

use std::time::Duration;

use hansei_core::timestamp::Timestamp;
use jiff::civil;
use jiff::tz::TimeZone;
use jiff::{Span, Zoned};

/// A span such as `30d`, `12h` or `2w`.
pub fn span(text: &str) -> Result<Duration, String> {
    let wrong = || format!("{text:?} is not a span such as 30d, 12h or 2w");
    let (number, unit) = text.split_at(text.len() - text.chars().last().map_or(0, char::len_utf8));
    let seconds = match unit {
        "m" => 60,
        "h" => 3600,
        "d" => 86_400,
        "w" => 7 * 86_400,
        _ => return Err(wrong()),
    };
    let number: u64 = number.parse().map_err(|_| wrong())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(wrong)
}

/// The moment that `text` means now, on this machine.
pub fn moment(text: &str) -> Result<Timestamp, String> {
    at(text, &Zoned::now().with_time_zone(TimeZone::system()))
}

/// The moment that `text` means at `now`: the last time the clock showed `18:00`, so long ago as `12h`, the beginning of
/// the day `2026-11-15`, or the moment `2026-11-15T18:00:00Z`.
fn at(text: &str, now: &Zoned) -> Result<Timestamp, String> {
    let wrong = || format!("{text:?} is no time such as 18:00, 12h, 2026-11-15 or 2026-11-15T18:00:00Z");
    let moment = if let Some(clock) = time_of_day(text) {
        let today = now.with().time(clock).build().map_err(|_| wrong())?;
        let last =
            if today > *now { today.checked_sub(Span::new().days(1)).map_err(|_| wrong())? } else { today };
        last.timestamp()
    } else if let Ok(span) = span(text) {
        now.timestamp().checked_sub(span).map_err(|_| wrong())?
    } else if let Ok(moment) = text.parse::<jiff::Timestamp>() {
        moment
    } else {
        let day: civil::Date = text.parse().map_err(|_| wrong())?;
        day.to_zoned(now.time_zone().clone()).map_err(|_| wrong())?.timestamp()
    };
    Timestamp::try_from(format!("{moment:.6}")).map_err(|_| wrong())
}

fn time_of_day(text: &str) -> Option<civil::Time> {
    let (hour, minute) = text.split_once(':')?;
    let two = |text: &str, most: usize| {
        (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !two(hour, 2) || minute.len() != 2 || !two(minute, 2) {
        return None;
    }
    civil::Time::new(hour.parse().ok()?, minute.parse().ok()?, 0, 0).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_spans() {
        let now = civil::date(2026, 11, 15).at(8, 30, 0, 0).to_zoned(TimeZone::UTC).unwrap();
        for (text, expected) in [
            ("18:00", "2026-11-14T18:00:00.000000Z"),
            ("8:30", "2026-11-15T08:30:00.000000Z"),
            ("08:31", "2026-11-14T08:31:00.000000Z"),
            ("12h", "2026-11-14T20:30:00.000000Z"),
            ("2d", "2026-11-13T08:30:00.000000Z"),
            ("2026-11-01", "2026-11-01T00:00:00.000000Z"),
            ("2026-11-01T10:00:00+02:00", "2026-11-01T08:00:00.000000Z"),
        ] {
            assert_eq!(at(text, &now).unwrap().as_str(), expected, "{text}");
        }
        for text in ["", "18", "25:00", "18:60", "18:0", "yesterday", "3x", "99999999999999999d", "ü"] {
            assert!(at(text, &now).is_err(), "{text}");
        }
    }

    #[test]
    fn the_clock_is_the_one_on_the_wall() {
        // The clocks went back an hour that night.
        let berlin = TimeZone::posix("CET-1CEST,M3.5.0,M10.5.0/3").unwrap();
        let now = civil::date(2026, 10, 25).at(9, 0, 0, 0).to_zoned(berlin).unwrap();
        assert_eq!(at("18:00", &now).unwrap().as_str(), "2026-10-24T16:00:00.000000Z");
        assert_eq!(at("08:00", &now).unwrap().as_str(), "2026-10-25T07:00:00.000000Z");
    }
}
