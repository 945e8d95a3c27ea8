//! Going round in circles: the same call with the same result, again and again.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};

use serde::{Deserialize, Serialize};

use super::conversation::ToolCall;

/// How many calls are remembered.
const WINDOW: usize = 32;

/// What was called and came of it, since something last changed.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Repetition {
    seen: Vec<u64>,
}

impl Repetition {
    /// Takes a call and its result in, and says how often the two were seen together. `changes` says that the call
    /// changed the workspace: when it did so in a new way, what was seen before does not count any more.
    pub fn see(&mut self, call: &ToolCall, result: &str, changes: bool) -> usize {
        let mut hasher = DefaultHasher::new();
        (&call.name, call.input.to_string(), result).hash(&mut hasher);
        let this = hasher.finish();
        if changes && !self.seen.contains(&this) {
            self.seen.clear();
        }
        if self.seen.len() == WINDOW {
            self.seen.remove(0);
        }
        self.seen.push(this);
        self.seen.iter().filter(|other| **other == this).count()
    }

    /// Forgets everything: a new attempt begins.
    pub fn reset(&mut self) {
        self.seen.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_the_same_call_with_the_same_result_counts() {
        let call = |command: &str| ToolCall {
            id: "c".into(),
            name: "shell".into(),
            input: json!({ "command": command }),
        };
        let mut repetition = Repetition::default();
        let mut see = |command: &str, result: &str| repetition.see(&call(command), result, false);
        assert_eq!([see("a", "1"), see("a", "2"), see("b", "1"), see("a", "1")], [1, 1, 1, 2]);
        assert_eq!(see("a", "1"), 3, "not only in a row: circles have more than one station");
        repetition.reset();
        assert_eq!(repetition.see(&call("a"), "1", false), 1);
        repetition.see(&call("edit"), "done", true);
        assert_eq!(repetition.see(&call("a"), "1", false), 1, "something changed in between");
        assert_eq!(repetition.see(&call("edit"), "done", true), 2, "the same change again is no change");
        assert_eq!(repetition.see(&call("a"), "1", false), 2);
    }
}
