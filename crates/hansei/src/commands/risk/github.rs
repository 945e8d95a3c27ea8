//! The answer as annotations that GitHub shows beside a pull request's files.

use std::fmt::Write as _;

use hansei_core::risk::RiskVerdict;
use hansei_core::risk::likelihood::{Likelihood, rank};

use super::Flagged;

/// GitHub shows ten annotations of a kind for a step; the rest would be dropped without a word.
const MOST: usize = 9;

pub(super) fn annotations(verdict: &RiskVerdict, likelihood: &Likelihood, flagged: &[Flagged<'_>]) -> String {
    let mut text = String::new();
    for flagged in flagged.iter().take(MOST) {
        let title = format!("Review needed: {}", flagged.verdict.surface);
        let message = format!(
            "{} (score {:.2}, likelihood {:.2}, rank {:.2})",
            flagged.verdict.reason,
            flagged.verdict.score.get(),
            flagged.likelihood.score.get(),
            flagged.rank()
        );
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
    let _ = writeln!(
        text,
        "::notice title=Likelihood of a mistake::{:.2}, rank {:.2} ({})",
        likelihood.score.get(),
        rank(verdict.score, likelihood),
        data(&likelihood.reasons.join("; "))
    );
    text
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
