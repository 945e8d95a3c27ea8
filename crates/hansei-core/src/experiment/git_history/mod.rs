//! P2: what went wrong in a history although it had landed, and which gate would have caught it.
//!
//! A failure leaves a signal in git: work was taken back, brought back, or repaired soon after it landed, in the very
//! lines that it had added. [`survey`] finds them, [`gate`] says for each which gate would have caught it, and here they
//! are counted. The third bucket holds what neither CI nor a reader of the diff had a chance of seeing; if it is as good
//! as empty, there is nothing for self-reflection to add.

mod book;
mod compared_files;
mod gate;
mod landing;
mod lineage;
mod own_lines;
mod reason;
mod same_lines;
mod survey;
mod touched;

#[cfg(test)]
mod tests;

use serde::Serialize;

use super::registration::GitHistory;
use super::{Measured, Status};
use crate::history::CommitId;

pub use gate::Gate;
pub use survey::Survey;

/// What kind of signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Earlier work was taken back.
    Revert,
    /// What runs was put back to how it was.
    Rollback,
    /// Work that had been taken back was brought back: its first landing had failed.
    Reland,
    /// A fix soon after a change landed, in lines that the change had added.
    FixAfterMerge,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Revert, Self::Rollback, Self::Reland, Self::FixAfterMerge];

    /// Its name in records.
    pub fn name(self) -> &'static str {
        match self {
            Self::Revert => "revert",
            Self::Rollback => "rollback",
            Self::Reland => "reland",
            Self::FixAfterMerge => "fix_after_merge",
        }
    }
}

/// One sign that work which had been thought finished was not.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Signal {
    /// The commit that shows it.
    pub commit: CommitId,
    /// What it does.
    pub kind: Kind,
    /// The commit that it reverts, where that is known.
    pub reverts: Option<CommitId>,
    /// The commit that had failed: what was reverted, repaired or brought back.
    pub failed: Option<CommitId>,
    /// The earlier signal that this one repeats, as a merge repeats the commit that it brings in: it is not counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<CommitId>,
    /// The gate that would have caught it.
    pub gate: Gate,
    /// Why that gate.
    pub evidence: String,
}

/// What the experiment tells beyond its figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// Commits that were looked at.
    pub commits: u64,
    /// Commits whose lines were wanted and whose content is not in this repository.
    pub commits_without_content: u64,
    /// Since when, in seconds after 1970; everything where there is nothing.
    pub since: Option<i64>,
    /// The signals for each gate.
    pub tally: Vec<Tallied>,
    /// The share of the third gate that is as good as none.
    pub near_empty: f64,
    /// The signals of each kind.
    pub kinds: Vec<KindCount>,
    /// The signals, oldest first.
    pub signals: Vec<Signal>,
}

/// The signals for one gate.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tallied {
    /// The gate.
    pub gate: Gate,
    /// How many signals.
    pub signals: u64,
    /// Their share; nothing without a signal.
    pub share: Option<f64>,
    /// The interval of 95 % of that share.
    pub interval: Option<[f64; 2]>,
}

/// The signals of one kind.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct KindCount {
    /// The kind.
    pub kind: Kind,
    /// How many signals.
    pub signals: u64,
    /// How many of them name a commit of this history.
    pub named: u64,
}

/// Counts the `signals` that repeat no other, and holds them against the registered thresholds. `interval` gives the interval of a share.
#[allow(clippy::cast_precision_loss, reason = "a history has far fewer than 2^52 signals")]
pub fn measure(
    signals: Vec<Signal>,
    registered: &GitHistory,
    interval: impl Fn(u64, u64) -> [f64; 2],
) -> (Measured, Details) {
    let counted: Vec<&Signal> = signals.iter().filter(|signal| signal.repeats.is_none()).collect();
    let n = counted.len() as u64;
    let tally: Vec<Tallied> = Gate::ALL
        .into_iter()
        .map(|gate| {
            let count = counted.iter().filter(|signal| signal.gate == gate).count() as u64;
            Tallied {
                gate,
                signals: count,
                share: (n > 0).then(|| count as f64 / n as f64),
                interval: (n > 0).then(|| interval(count, n)),
            }
        })
        .collect();
    let kinds = Kind::ALL.into_iter().map(|kind| {
        let of_kind = || counted.iter().filter(move |signal| signal.kind == kind);
        let named = of_kind().filter(|signal| signal.failed.is_some()).count() as u64;
        KindCount { kind, signals: of_kind().count() as u64, named }
    });
    let kinds = kinds.collect();
    let third = tally.iter().find(|tallied| tallied.gate == Gate::OnlySelfReflection);
    let (figure, bounds) = third.map_or((None, None), |third| (third.share, third.interval));
    let percent = registered.near_empty * 100.0;
    let (status, why) = match bounds {
        Some([_, high]) if n >= registered.fewest_signals => {
            let tail = format!(
                "at most {:.1} % of {n} failures would have been for self-reflection alone",
                high * 100.0
            );
            if high < registered.near_empty {
                (Status::Killed, format!("{tail}, under {percent} %"))
            } else {
                (Status::Pass, format!("{tail}, not under {percent} %"))
            }
        }
        _ => (
            Status::NotEnoughData,
            format!("{n} signals of failure; {} are needed to say anything", registered.fewest_signals),
        ),
    };
    let measured = Measured { status, figure, interval: bounds, n, why };
    (
        measured,
        Details {
            commits: 0,
            commits_without_content: 0,
            since: None,
            tally,
            near_empty: registered.near_empty,
            kinds,
            signals,
        },
    )
}
