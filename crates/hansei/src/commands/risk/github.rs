//! The answer as annotations that GitHub shows beside a pull request's files.

use std::fmt::Write as _;

use hansei_core::risk::RiskVerdict;

use super::Flagged;

/// GitHub shows ten annotations of a kind for a step; the rest would be dropped without a word.
const MOST: usize = 9;

pub(super) fn annotations(verdict: &RiskVerdict, flagged: &[Flagged<'_>]) -> String {
    let mut text = String::new();
    for flagged in flagged.iter().take(MOST) {
        let title = format!("Review needed: {}", flagged.verdict.surface);
        let message = format!("{} (score {:.2})", flagged.verdict.reason, flagged.verdict.score.get());
        // Writing to a String cannot fail.
        let _ = writeln!(
            text,
            "::warning file={},title={}::{}",
            property(flagged.path),
            property(&title),
            data(&message)
        );
    }
    if flagged.len() > MOST {
        let _ = writeln!(text, "::warning title=Review needed::and {} more files", flagged.len() - MOST);
    }
    if flagged.is_empty() {
        let _ = writeln!(text, "::notice title=No review needed::{}", data(&verdict.reason));
    }
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
