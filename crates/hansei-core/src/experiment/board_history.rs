//! P3: can a machine tell afterwards whether a task was done right?
//!
//! A board, whatever its kind, becomes tasks with what happened to them. A task counts when it was completed; it has a
//! sign when something a machine can see says right or wrong within the registered days after that.

use serde::Serialize;

use super::registration::BoardHistory;
use super::{Measured, Status};
use crate::outcome::Came;

const SECONDS_A_DAY: i64 = 86_400;

/// A task of a board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task {
    /// What the board calls it.
    pub id: String,
    /// What happened to it, in any order.
    pub happened: Vec<Happened>,
}

/// Something that happened to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Happened {
    /// When, in seconds since 1970 in UTC.
    pub at: i64,
    /// What.
    pub what: What,
}

/// What can happen to a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum What {
    /// It was completed.
    Completed,
    /// It was opened again.
    Reopened,
    /// The change that completed it was taken back.
    Reverted,
    /// A later change mends it.
    Fixed,
    /// A check or CI passed on its change.
    ChecksPassed,
    /// A check or CI failed on its change.
    ChecksFailed,
    /// Somebody with the right to say so accepted it.
    Accepted,
    /// Somebody with the right to say so refused it.
    Refused,
}

impl What {
    /// Its name in boards that are written in our own words.
    pub const NAMES: [(&'static str, Self); 8] = [
        ("completed", Self::Completed),
        ("reopened", Self::Reopened),
        ("reverted", Self::Reverted),
        ("fixed", Self::Fixed),
        ("checks_passed", Self::ChecksPassed),
        ("checks_failed", Self::ChecksFailed),
        ("accepted", Self::Accepted),
        ("refused", Self::Refused),
    ];

    /// What `name` means.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(known, _)| *known == name).map(|(_, what)| what)
    }

    /// What it says about the work; nothing for a completion.
    pub fn says(self) -> Option<Came> {
        match self {
            Self::Completed => None,
            Self::ChecksPassed | Self::Accepted => Some(Came::Correct),
            Self::Reopened | Self::Reverted | Self::Fixed | Self::ChecksFailed | Self::Refused => {
                Some(Came::Wrong)
            }
        }
    }

    fn name(self) -> &'static str {
        Self::NAMES.into_iter().find(|(_, what)| *what == self).map_or("", |(name, _)| name)
    }
}

/// What P3 tells beyond its figure.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Details {
    /// Tasks on the board.
    pub tasks: u64,
    /// Completed ones.
    pub completed: u64,
    /// Completed ones with a sign.
    pub with_sign: u64,
    /// Those whose first sign says right.
    pub right: u64,
    /// Those whose first sign says wrong.
    pub wrong: u64,
    /// Completed so near the board's newest day that a sign may still come, and without one.
    pub too_young: u64,
    /// How often each kind of sign came first.
    pub signs: Vec<Sign>,
}

/// How often a kind of sign came first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Sign {
    /// The kind.
    pub kind: &'static str,
    /// What it says.
    pub says: &'static str,
    /// How often.
    pub tasks: u64,
}

/// Counts a board, and holds it against the registered thresholds. `interval` gives the interval of a share.
pub fn measure(
    tasks: &[Task],
    registered: &BoardHistory,
    interval: impl Fn(u64, u64) -> [f64; 2],
) -> (Measured, Details) {
    let window = i64::from(registered.within_days) * SECONDS_A_DAY;
    let newest = tasks.iter().flat_map(|task| &task.happened).map(|happened| happened.at).max();
    let mut details = Details {
        tasks: tasks.len() as u64,
        completed: 0,
        with_sign: 0,
        right: 0,
        wrong: 0,
        too_young: 0,
        signs: Vec::new(),
    };
    let mut firsts: Vec<What> = Vec::new();
    for task in tasks {
        let Some(completed) = completion(task) else { continue };
        details.completed += 1;
        match first_sign(task, completed, window) {
            Some(sign) => firsts.push(sign),
            None if newest.is_some_and(|newest| newest < completed.saturating_add(window)) => {
                details.too_young += 1;
            }
            None => {}
        }
    }
    details.with_sign = firsts.len() as u64;
    let saying = |came| firsts.iter().filter(|sign| sign.says() == Some(came)).count() as u64;
    (details.right, details.wrong) = (saying(Came::Correct), saying(Came::Wrong));
    details.signs = What::NAMES
        .into_iter()
        .filter_map(|(_, what)| {
            let tasks = firsts.iter().filter(|sign| **sign == what).count() as u64;
            what.says().filter(|_| tasks > 0).map(|says| Sign { kind: what.name(), says: says.name(), tasks })
        })
        .collect();
    (measured(&details, registered, interval), details)
}

#[allow(clippy::cast_precision_loss, reason = "a board has far fewer than 2^52 tasks")]
fn measured(
    details: &Details,
    registered: &BoardHistory,
    interval: impl Fn(u64, u64) -> [f64; 2],
) -> Measured {
    let n = details.completed;
    let share = (n > 0).then(|| details.with_sign as f64 / n as f64);
    let percent = registered.base_rate * 100.0;
    let (status, why) = match share {
        Some(share) if n >= registered.fewest_tasks && share < registered.base_rate => (
            Status::Killed,
            format!("a machine can tell of {} of {n} completed tasks, under {percent} %", details.with_sign),
        ),
        Some(_) if n >= registered.fewest_tasks => {
            (Status::Pass, format!("a machine can tell of {} of {n} completed tasks", details.with_sign))
        }
        _ => (
            Status::NotEnoughData,
            format!("{n} completed tasks; {} are needed to say anything", registered.fewest_tasks),
        ),
    };
    Measured { status, figure: share, interval: (n > 0).then(|| interval(details.with_sign, n)), n, why }
}

/// The completion that is asked about: the first one.
fn completion(task: &Task) -> Option<i64> {
    task.happened.iter().filter(|happened| happened.what == What::Completed).map(|happened| happened.at).min()
}

/// The first thing after the completion, within the window, that says right or wrong.
fn first_sign(task: &Task, completed: i64, window: i64) -> Option<What> {
    let signs = task.happened.iter().filter(|happened| happened.what.says().is_some());
    let in_time = signs.filter(|sign| (completed..=completed.saturating_add(window)).contains(&sign.at));
    in_time.min_by_key(|sign| (sign.at, sign.what)).map(|sign| sign.what)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = SECONDS_A_DAY;

    fn registered() -> BoardHistory {
        BoardHistory { kill: String::new(), base_rate: 0.2, within_days: 30, fewest_tasks: 10 }
    }

    fn task(happened: &[(i64, What)]) -> Task {
        let happened = happened.iter().map(|&(day, what)| Happened { at: day * DAY, what }).collect();
        Task { id: "t".into(), happened }
    }

    #[test]
    fn a_sign_counts_within_thirty_days_of_the_first_completion() {
        use What::{Accepted, ChecksFailed, Completed, Reopened, Reverted};
        for (happened, sign) in [
            (&[(0, Completed)][..], None),
            (&[(0, Completed), (30, Reopened)], Some(Reopened)),
            (&[(0, Completed), (31, Reopened)], None),
            (&[(5, Completed), (4, ChecksFailed)], None),
            (&[(5, Completed), (5, Accepted)], Some(Accepted)),
            (&[(0, Completed), (3, Reverted), (2, Reopened)], Some(Reopened)),
            (&[(40, Completed), (0, Completed), (50, Reverted)], None),
        ] {
            let task = task(happened);
            assert_eq!(first_sign(&task, completion(&task).unwrap(), 30 * DAY), sign, "{happened:?}");
        }
        assert_eq!(completion(&task(&[(0, Reopened)])), None);
    }

    #[test]
    fn the_base_rate_decides() {
        let with = |signs: usize, all: usize| -> Vec<Task> {
            (0..all)
                .map(|i| {
                    let sign = [(0, What::Completed), (1, What::Reopened)];
                    task(if i < signs { &sign } else { &sign[..1] })
                })
                .collect()
        };
        for (signs, all, status) in [
            (0, 0, Status::NotEnoughData),
            (9, 9, Status::NotEnoughData),
            (2, 10, Status::Pass),
            (1, 10, Status::Killed),
            (19, 100, Status::Killed),
            (20, 100, Status::Pass),
        ] {
            let (measured, details) = measure(&with(signs, all), &registered(), |_, _| [0.0, 1.0]);
            assert_eq!(measured.status, status, "{signs} of {all}");
            assert_eq!((details.with_sign, measured.n), (signs as u64, all as u64));
        }
    }

    #[test]
    fn what_may_still_come_is_told() {
        let tasks =
            [task(&[(0, What::Completed)]), task(&[(50, What::Completed)]), task(&[(60, What::Reopened)])];
        let (_, details) = measure(&tasks, &registered(), |_, _| [0.0, 1.0]);
        assert_eq!((details.tasks, details.completed, details.too_young), (3, 2, 1));
    }
}
