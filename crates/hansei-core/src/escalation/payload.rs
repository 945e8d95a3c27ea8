//! The `<ESCALATION>` payload: what a blocked loop hands up, bounded and without its reasoning. This file holds the type
//! and the exact writer; the tolerant reader is `payload_reader.rs`.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::attempt::Attempt;
use super::layer::FailureLayer;
use crate::model_text::one_line;

/// The longest payload, as text: whatever is longer carries more than it should.
pub const LONGEST_PAYLOAD: usize = 8 * 1024;
pub(super) const LONGEST_ITEM: usize = 300;
const MOST_ITEMS: usize = 12;

/// What the last rung asks for.
pub const ABOVE_REFLECTION: &str =
    "Escalate above reflection layer. Do not re-run coder or reflection with the same context packet.";

/// What whoever is blocked asks of the unblocker.
pub const OF_THE_UNBLOCKER: &str = "Find the layer of the failure, and hand back one hypothesis that is materially different from what was tried.";

/// A bounded escalation: status is always `blocked`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Escalation {
    /// The attempt that is not made any more.
    pub attempt: Attempt,
    /// What the task is, in a line.
    pub task_scope: String,
    /// Where the failure may lie.
    pub suspected_failure_layer: Vec<FailureLayer>,
    /// Hypotheses that were tried.
    pub what_was_tried: Vec<String>,
    /// What came of them.
    pub what_did_not_work: Vec<String>,
    /// What of the forced context and checklist was verified.
    pub forced_context_checked: Vec<String>,
    /// What still seems to be true.
    pub current_invariants: Vec<String>,
    /// References: the task, the payload received, the clean snapshot, the latest blocking signal.
    pub handoff_artifacts: Vec<String>,
    /// What is asked of whoever reads it.
    pub request: Vec<String>,
}

/// The names of the lists of text, in the order of the contract.
pub(super) const LISTS: [&str; 6] = [
    "what_was_tried", "what_did_not_work", "forced_context_checked", "current_invariants",
    "handoff_artifacts", "request",
];

impl Escalation {
    /// An escalation that says nothing yet but how often it was tried, and at what.
    pub fn of(attempt: Attempt, task_scope: &str) -> Self {
        Self {
            attempt,
            task_scope: task_scope.to_owned(),
            suspected_failure_layer: Vec::new(),
            what_was_tried: Vec::new(),
            what_did_not_work: Vec::new(),
            forced_context_checked: Vec::new(),
            current_invariants: Vec::new(),
            handoff_artifacts: Vec::new(),
            request: Vec::new(),
        }
        .bounded()
    }

    /// The same within its bounds: every text one line, lists short, layers named once.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.task_scope = one_line(&self.task_scope, LONGEST_ITEM);
        if !says_something(&self.task_scope) {
            self.task_scope.clear();
        }
        let mut seen = Vec::new();
        self.suspected_failure_layer.retain(|layer| {
            let first = !seen.contains(layer);
            seen.push(*layer);
            first
        });
        for name in LISTS {
            if let Some(list) = self.list_mut(name) {
                let items = list.iter().map(|item| one_line(item, LONGEST_ITEM));
                *list = items.filter(|item| says_something(item)).take(MOST_ITEMS).collect();
            }
        }
        // Too long all the same: the last word of the longest list goes first, so that every list keeps something.
        while self.text().len() > LONGEST_PAYLOAD {
            let longest = LISTS.into_iter().max_by_key(|name| self.list(name).map_or(0, Vec::len));
            if longest.and_then(|name| self.list_mut(name)?.pop()).is_none() {
                break;
            }
        }
        self
    }

    /// One of the lists of text, by its name.
    pub(super) fn list(&self, name: &str) -> Option<&Vec<String>> {
        Some(match name {
            "what_was_tried" => &self.what_was_tried,
            "what_did_not_work" => &self.what_did_not_work,
            "forced_context_checked" => &self.forced_context_checked,
            "current_invariants" => &self.current_invariants,
            "handoff_artifacts" => &self.handoff_artifacts,
            "request" => &self.request,
            _ => return None,
        })
    }

    pub(super) fn list_mut(&mut self, name: &str) -> Option<&mut Vec<String>> {
        Some(match name {
            "what_was_tried" => &mut self.what_was_tried,
            "what_did_not_work" => &mut self.what_did_not_work,
            "forced_context_checked" => &mut self.forced_context_checked,
            "current_invariants" => &mut self.current_invariants,
            "handoff_artifacts" => &mut self.handoff_artifacts,
            "request" => &mut self.request,
            _ => return None,
        })
    }

    /// The payload as the contract writes it.
    pub fn text(&self) -> String {
        let mut text = String::from("<ESCALATION>\nstatus: blocked\n");
        // Writing to a String cannot fail.
        let _ = writeln!(text, "attempt: {}", self.attempt);
        let _ = writeln!(text, "task_scope: {}", self.task_scope);
        text.push_str("suspected_failure_layer:\n");
        if self.suspected_failure_layer.is_empty() {
            text.push_str("- unknown\n");
        }
        for layer in &self.suspected_failure_layer {
            let _ = writeln!(text, "- {}", layer.name());
        }
        for name in LISTS {
            let _ = writeln!(text, "{name}:");
            match self.list(name) {
                Some(items) if !items.is_empty() => {
                    for item in items {
                        let _ = writeln!(text, "- {item}");
                    }
                }
                _ => text.push_str("- none\n"),
            }
        }
        text.push_str("</ESCALATION>\n");
        text
    }
}

/// Whether an item of a list is one, and not a word for its absence.
pub(super) fn says_something(item: &str) -> bool {
    let plain = item.trim().trim_matches(|c: char| matches!(c, '-' | '.' | '(' | ')')).trim();
    !plain.is_empty() && !["none", "n/a", "nothing", "null"].iter().any(|no| plain.eq_ignore_ascii_case(no))
}
