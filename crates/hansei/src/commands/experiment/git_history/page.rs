//! The findings for people: what each gate would have caught, of which kinds the signals are, and the latest of them.

use hansei_core::experiment::git_history::{Details, Tallied};

use super::super::output;
use super::super::page::Page;
use super::chart;
use crate::terminal::short;

/// How many signals are shown: the latest.
const SHOWN: usize = 20;
const BAR: usize = 40;

impl output::Details for Details {
    fn page(&self) -> Page {
        let mut page = Page::default();
        let repeated = self.signals.iter().filter(|signal| signal.repeats.is_some()).count();
        let counted = self.signals.len() - repeated;
        page.say(format!(
            "{} commits, {counted} signals of failure, {repeated} that repeat one.",
            self.commits
        ));
        if self.commits_without_content > 0 {
            page.say(format!(
                "{} commits changed files whose content is not in this repository (a partial clone): their lines \
                 were not compared.",
                self.commits_without_content
            ));
        }
        let percent =
            |share: Option<f64>| share.map_or("–".to_owned(), |share| format!("{:.1} %", share * 100.0));
        let rows = self.tally.iter().map(|tallied| {
            let between = tallied.interval.map_or("–".to_owned(), |[low, high]| {
                format!("{:.1} to {:.1} %", low * 100.0, high * 100.0)
            });
            [tallied.gate.name().to_owned(), tallied.signals.to_string(), percent(tallied.share), between]
        });
        page.table(["gate", "signals", "share", "95 %"], rows.collect());
        page.draw(self.tally.iter().map(bar).collect::<Vec<_>>().join("\n"));
        let rows = self
            .kinds
            .iter()
            .map(|kind| [kind.kind.name().to_owned(), kind.signals.to_string(), kind.named.to_string()]);
        page.table(["kind", "signals", "commit found"], rows.collect());
        if !self.signals.is_empty() {
            page.say(format!(
                "The latest {} signals (all of them with --format json):",
                self.signals.len().min(SHOWN)
            ));
            let rows = self.signals.iter().rev().take(SHOWN).map(|signal| {
                let brief = |id: String| id.chars().take(12).collect::<String>();
                [
                    brief(signal.commit.to_string()),
                    signal.kind.name().to_owned(),
                    signal.failed.map_or("–".to_owned(), |id| brief(id.to_string())),
                    signal.gate.name().to_owned(),
                    short(&signal.evidence, 90),
                ]
            });
            page.table(["commit", "kind", "failed", "gate", "evidence"], rows.collect());
        }
        page
    }

    fn chart(&self) -> String {
        chart::drawn(&self.tally, self.near_empty)
    }
}

/// A gate's share as a bar of characters.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a share of 40"
)]
fn bar(tallied: &Tallied) -> String {
    let share = tallied.share.unwrap_or_default();
    let filled = (share * BAR as f64).round() as usize;
    format!("{:<21}{}", tallied.gate.name(), "█".repeat(filled.min(BAR)))
}
