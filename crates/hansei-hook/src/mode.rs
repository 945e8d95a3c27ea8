//! Which mode a hook call runs in.

use std::ffi::OsStr;

use hansei_core::reflection::Mode;

/// The mode from the environment if it names any, else from the command line. What is neither `solo` nor
/// `orchestrated` is off, in either place.
pub fn mode(environment: Option<&OsStr>, argument: Option<&OsStr>) -> Mode {
    environment.or(argument).and_then(OsStr::to_str).map_or(Mode::Off, Mode::from_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_and_the_unknown_is_off() {
        for (environment, argument, expected) in [
            (None, None, Mode::Off),
            (None, Some("solo"), Mode::Solo),
            (None, Some("orchestrated"), Mode::Orchestrated),
            (None, Some("Solo"), Mode::Off),
            (Some("off"), Some("solo"), Mode::Off),
            (Some(""), Some("solo"), Mode::Off),
            (Some("nonsense"), Some("solo"), Mode::Off),
            (Some("orchestrated"), Some("solo"), Mode::Orchestrated),
            (Some("solo"), None, Mode::Solo),
            (Some(" solo"), None, Mode::Off),
        ] {
            assert_eq!(mode(environment.map(OsStr::new), argument.map(OsStr::new)), expected);
        }
    }
}
