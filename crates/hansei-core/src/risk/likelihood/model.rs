//! The weights, and the words for what each of them moved.
//!
//! Those of the lines and of the recent past were fitted (`experiments/likelihood/fit.py`). The fit left nothing for the
//! spread, the directories, the number of authors and the author's experience beside them; they keep a small weight of
//! the sign that the literature gives them, which costs less than 0.001 of AUC.

use super::Known;
use super::measures::{Measures, number};

/// The sum at which all measures are zero. With it the mean score over the fitted histories is the share of commits that
/// went wrong in them, about one in seven.
pub(super) const INTERCEPT: f64 = -4.1;

const ADDED: f64 = 0.65;
const DELETED: f64 = 0.05;
const SPREAD: f64 = 0.01;
const DIRECTORIES: f64 = 0.03;
const SUBSYSTEMS: f64 = 0.03;
const RECENT_CHANGES: f64 = 0.04;
const RECENT_FIXES: f64 = 0.07;
const SHARE_OF_FIXES: f64 = 0.2;
const AUTHORS: f64 = 0.02;
const EXPERIENCE: f64 = -0.02;

/// One measure, its weight, and what it usually is: the median over the fitted histories. A reason is told by how far
/// the measure is from that; one that is not known is taken to be usual.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) weight: f64,
    pub(super) value: f64,
    usual: f64,
    words: String,
}

impl Part {
    /// By how much it moves the sum, against a change of the usual kind.
    pub(super) fn moves(&self) -> f64 {
        self.weight * (self.value - self.usual)
    }

    pub(super) fn reason(&self) -> String {
        let direction = if self.moves() > 0.0 { "raises" } else { "lowers" };
        format!("{direction}: {}", self.words)
    }
}

pub(super) fn parts(measures: &Measures, known: Option<&Known>) -> Vec<Part> {
    let mut parts = of_the_change(measures);
    parts.extend(of_the_past(measures, known));
    parts
}

fn of_the_change(measures: &Measures) -> Vec<Part> {
    let counted = |value: f64, usual: f64| {
        if measures.lines_unknown { value.ln_1p().max(usual) } else { value.ln_1p() }
    };
    let Measures { raw_added, source_added, raw_deleted, files, directories, subsystems, .. } = measures;
    let added = match (*raw_added, *source_added) {
        (0, _) => "no lines added".to_owned(),
        (all, source) if all == source => format!("{} of source added", count(all, "line")),
        (all, source) => format!("{} added, {source} of them in source", count(all, "line")),
    };
    vec![
        Part { weight: ADDED, value: counted(measures.added, 2.1), usual: 2.1, words: added },
        Part {
            weight: DELETED,
            value: counted(measures.deleted, 1.1),
            usual: 1.1,
            words: format!("{} deleted", count(*raw_deleted, "line")),
        },
        Part {
            weight: SPREAD,
            value: counted(measures.spread, 0.0),
            usual: 0.0,
            words: format!("lines spread over {}", count(*files, "file")),
        },
        Part {
            weight: DIRECTORIES,
            value: number(*directories).ln_1p(),
            usual: 0.7,
            words: count(*directories, "directory"),
        },
        Part {
            weight: SUBSYSTEMS,
            value: number(*subsystems).ln_1p(),
            usual: 0.7,
            words: count(*subsystems, "top-level folder"),
        },
    ]
}

fn of_the_past(measures: &Measures, known: Option<&Known>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut part = |weight: f64, value: Option<f64>, usual: f64, words: String| {
        parts.push(Part { weight, value: value.unwrap_or(usual), usual, words });
    };
    let asked = known.map(|_| ());
    let busiest = measures.busiest.as_ref().filter(|past| past.changes > 0);
    part(
        RECENT_CHANGES,
        asked.map(|()| busiest.map_or(0.0, |past| past.recent_changes.ln_1p())),
        1.8,
        busiest.map_or_else(
            || "no file here was changed before".to_owned(),
            |past| format!("{} was changed {} before", past.path, times(past.changes)),
        ),
    );
    let fixes = match measures.fixes {
        0 => "no fix in these files before".to_owned(),
        fixes => format!("{} in these files before", count(fixes, "fix")),
    };
    part(RECENT_FIXES, asked.map(|()| measures.recent_fixes.ln_1p()), 0.7, fixes);
    let share = number(measures.fixes) / number(measures.changes.max(1));
    let told = format!("{:.0} % of the changes here before were fixes", share * 100.0);
    part(SHARE_OF_FIXES, asked.map(|()| share), 0.07, told);
    let shared = measures.most_shared.as_ref().filter(|past| past.authors > 0);
    part(
        AUTHORS,
        asked.map(|()| shared.map_or(0.0, |past| f64::from(past.authors).ln_1p())),
        2.1,
        shared.map_or_else(
            || "nobody changed these files before".to_owned(),
            |past| format!("{} had {}", past.path, count(u64::from(past.authors), "author")),
        ),
    );
    let author_commits = known.and_then(|known| known.author_commits);
    let experience = match author_commits {
        Some(0) => "the author's first commit here".to_owned(),
        commits => format!("the author had made {} here", count(u64::from(commits.unwrap_or(0)), "commit")),
    };
    part(EXPERIENCE, author_commits.map(|commits| f64::from(commits).ln_1p()), 4.5, experience);
    parts
}

fn count(number: u64, of: &str) -> String {
    match (number, of) {
        (1, _) => format!("1 {of}"),
        (_, "directory") => format!("{number} directories"),
        (_, "fix") => format!("{number} fixes"),
        _ => format!("{number} {of}s"),
    }
}

fn times(number: u32) -> String {
    if number == 1 { "once".to_owned() } else { format!("{number} times") }
}
