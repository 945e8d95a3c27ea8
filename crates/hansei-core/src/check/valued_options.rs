//! Which options of which program take the next word as their value: `valued_options.txt`, a program a line.

use std::sync::LazyLock;

/// Each program with its options; their values must not be taken for a task or a path.
pub(super) static VALUED: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    include_str!("valued_options.txt").lines().map(|line| line.split(' ').collect()).collect()
});

/// The options of `program` that take a value.
pub(super) fn valued(program: &str) -> &'static [&'static str] {
    VALUED.iter().find(|row| row[0] == program).map_or(&[], |row| &row[1..])
}
