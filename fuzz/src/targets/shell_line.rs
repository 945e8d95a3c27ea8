//! Command lines: which checks are in them, and whose the exit code is.

use hansei_core::check::{outcomes, read_command};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "shell_line", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let line = String::from_utf8_lossy(bytes);
    let reading = read_command(&line);
    assert!(reading.checks.len() <= line.len(), "a check has at least a letter");
    for code in [None, Some(0), Some(1), Some(i32::MIN)] {
        assert_eq!(outcomes(&reading, code, "").len(), reading.checks.len());
    }
    assert_eq!(read_command(&line).checks, reading.checks, "the same line reads the same");
}
