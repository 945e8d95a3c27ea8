//! A failure of which nothing was printed, as the payload tells it: its latest blocking signal, else what did not work, else
//! the task. Two tasks that are blocked for other reasons are then not taken for one because their command is the same.

use std::collections::BTreeSet;

use super::error_lines::known_errors;
use super::normal::normal;
use super::{ErrorSignature, MOST_ERRORS, exit_code};
use crate::check::clean_lines;
use crate::escalation::payload::Escalation;

impl ErrorSignature {
    /// The same, with what a payload says where the output said nothing.
    #[must_use]
    pub fn or_told_by(mut self, payload: &Escalation) -> Self {
        if !self.errors.is_empty() || !self.tests.is_empty() {
            return self;
        }
        let told = told(payload);
        self.exit_code = self.exit_code.or_else(|| exit_code::said(&told.join("\n")));
        let lines = clean_lines(&told.join("\n"));
        let known = known_errors(&lines);
        let files: BTreeSet<String> = known.iter().filter_map(|error| error.file.clone()).collect();
        let errors: BTreeSet<String> = if known.is_empty() {
            lines.iter().map(|line| normal(line)).filter(|line| !line.is_empty()).collect()
        } else {
            known.into_iter().map(|error| error.text).collect()
        };
        self.errors = errors.into_iter().take(MOST_ERRORS).collect();
        self.files = files.into_iter().take(MOST_ERRORS).collect();
        self
    }
}

/// The most telling lines of a payload.
fn told(payload: &Escalation) -> Vec<String> {
    let signals = payload.handoff_artifacts.iter().filter_map(|artifact| {
        let (label, signal) = artifact.split_once(':')?;
        label.to_ascii_lowercase().contains("signal").then_some(signal.trim())
    });
    let signals: Vec<String> =
        signals.filter(|signal| !signal.is_empty() && *signal != "unknown").flat_map(parts).collect();
    if !signals.is_empty() {
        return signals;
    }
    if payload.what_did_not_work.is_empty() {
        return vec![payload.task_scope.clone()];
    }
    payload.what_did_not_work.clone()
}

/// A signature's line is written with its parts apart.
fn parts(signal: &str) -> Vec<String> {
    signal.split(" · ").map(str::to_owned).collect()
}
