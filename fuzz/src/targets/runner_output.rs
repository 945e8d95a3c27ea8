//! What runners print, with the command that ran them on the first line.

use hansei_core::check::{outcomes, read_command};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "runner_output", run: check, samples: corpus::none };

/// Commands behind which any runner may stand, so that all of them look at the output.
const ANY: [&str; 3] = ["npm test 2>&1 | tail -50", "make check", "make lint"];

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (command, output) = text.split_once('\n').unwrap_or(("", &text));
    for command in [command].into_iter().chain(ANY) {
        let reading = read_command(command);
        for code in [None, Some(0), Some(1)] {
            for outcome in outcomes(&reading, code, output) {
                let Some(summary) = outcome.summary else { continue };
                assert!(summary.failing.len() <= 50, "{summary:?}");
                assert!(
                    summary.failing.iter().all(|name| !name.is_empty() && name.len() <= 200),
                    "{summary:?}"
                );
            }
        }
    }
}
