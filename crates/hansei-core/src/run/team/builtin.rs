//! The templates that are always there.

/// The template of a task that names none.
pub const DEFAULT: &str = "standard";

/// Every template that comes with the program: its name and its text.
pub const BUILT_IN: &[(&str, &str)] =
    &[("standard", include_str!("templates/standard.yaml")), ("pair", include_str!("templates/pair.yaml"))];
