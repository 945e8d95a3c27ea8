//! The times in a session: every record is some seconds after the one before.

/// A clock that goes on by itself.
#[derive(Debug)]
pub struct Clock {
    millis: i64,
}

impl Clock {
    /// Starts at `millis` after 1970.
    pub fn new(millis: i64) -> Self {
        Self { millis }
    }

    /// The next moment.
    pub fn tick(&mut self) -> i64 {
        self.millis += 3_217;
        self.millis
    }

    /// The next moment as agents write it.
    pub fn text(&mut self) -> String {
        let millis = self.tick();
        text(millis)
    }
}

/// A moment as agents write it.
pub fn text(millis: i64) -> String {
    jiff::Timestamp::from_millisecond(millis).map(|moment| format!("{moment:.3}")).unwrap_or_default()
}
