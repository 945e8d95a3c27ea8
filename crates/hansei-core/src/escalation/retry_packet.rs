//! The packet with which a task goes back to the coder: seven fields, compact, and nothing of what failed but its names.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use super::layer::FailureLayer;
use crate::model_text::one_line;

const LONGEST_HYPOTHESIS: usize = 600;
const LONGEST_ITEM: usize = 300;
pub(super) const MOST_ITEMS: usize = 12;

/// What a coder with a clean context is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetryPacket {
    /// What is thought to be wrong, materially different from what was tried.
    pub new_hypothesis: String,
    /// In which layer.
    pub failure_layer: FailureLayer,
    /// Files to look at again.
    pub files_to_recheck: Vec<String>,
    /// What to verify before anything is changed.
    pub forced_checklist: Vec<String>,
    /// What must hold.
    pub constraints: Vec<String>,
    /// What was tried, and is not to be tried again.
    pub what_not_to_retry: Vec<String>,
    /// Decisions that bind it.
    pub decision_memory_notes: Vec<String>,
}

impl RetryPacket {
    /// The names of its fields, in the order of the contract.
    pub const FIELDS: [&'static str; 7] = [
        "new_hypothesis", "failure_layer", "files_to_recheck", "forced_checklist", "constraints",
        "what_not_to_retry", "decision_memory_notes",
    ];

    /// The same within its bounds.
    #[must_use]
    pub fn bounded(mut self) -> Self {
        self.new_hypothesis = one_line(&self.new_hypothesis, LONGEST_HYPOTHESIS);
        for list in [
            &mut self.files_to_recheck,
            &mut self.forced_checklist,
            &mut self.constraints,
            &mut self.what_not_to_retry,
            &mut self.decision_memory_notes,
        ] {
            let items = list.iter().map(|item| one_line(item, LONGEST_ITEM));
            *list = items.filter(|item| !item.is_empty()).take(MOST_ITEMS).collect();
        }
        self
    }

    /// The packet as text for the coder.
    pub fn text(&self) -> String {
        let mut text = format!(
            "retry_packet_for_coder:\nnew_hypothesis: {}\nfailure_layer: {}\n",
            self.new_hypothesis,
            self.failure_layer.name()
        );
        for (name, items) in [
            ("files_to_recheck", &self.files_to_recheck),
            ("forced_checklist", &self.forced_checklist),
            ("constraints", &self.constraints),
            ("what_not_to_retry", &self.what_not_to_retry),
            ("decision_memory_notes", &self.decision_memory_notes),
        ] {
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{name}:");
            if items.is_empty() {
                text.push_str("- none\n");
            }
            for item in items {
                let _ = writeln!(text, "- {item}");
            }
        }
        text
    }
}
