//! Ids of calls: those of the provider where they tell calls apart, and made-up ones where not. Made-up ones follow from
//! the conversation alone, so that the same one told again gets the same.

use std::collections::HashSet;

use hansei_core::run::conversation::{Conversation, Message};

/// What made-up ids begin with.
const MADE_UP: &str = "hansei_call_";

/// The ids that a conversation has so far.
pub(super) struct CallIds<'a> {
    used: HashSet<&'a str>,
    given: Vec<String>,
    turn: usize,
}

impl<'a> CallIds<'a> {
    pub(super) fn of(conversation: &'a Conversation) -> Self {
        let mut used = HashSet::new();
        let mut turn = 0;
        for message in &conversation.messages {
            if let Message::Assistant { calls, .. } = message {
                turn += 1;
                used.extend(calls.iter().map(|call| call.id.as_str()));
            }
        }
        Self { used, given: Vec::new(), turn }
    }

    /// The id of the next call of the new turn.
    pub(super) fn next(&mut self, of_provider: String) -> String {
        let mut id = of_provider;
        let mut number = self.given.len();
        while id.is_empty() || self.used.contains(id.as_str()) || self.given.contains(&id) {
            id = format!("{MADE_UP}{}_{number}", self.turn);
            number += 1;
        }
        self.given.push(id.clone());
        id
    }
}

/// Whether the provider knows nothing of this id.
pub(super) fn is_made_up(id: &str) -> bool {
    id.starts_with(MADE_UP)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hansei_core::run::conversation::ToolCall;
    use serde_json::json;

    #[test]
    fn ids_tell_calls_apart_and_follow_from_the_conversation() {
        let call = |id: &str| ToolCall { id: id.to_owned(), name: "shell".to_owned(), input: json!({}) };
        let said =
            |calls: Vec<ToolCall>| Message::Assistant { text: String::new(), calls, signatures: vec![] };
        let conversation = Conversation {
            messages: vec![said(vec![call("a"), call("hansei_call_2_1")]), said(vec![call("b")])],
            ..Conversation::default()
        };
        let mut ids = CallIds::of(&conversation);
        let given: Vec<String> =
            ["c", "", "a", "c", "d"].iter().map(|id| ids.next((*id).to_owned())).collect();
        assert_eq!(given, ["c", "hansei_call_2_2", "hansei_call_2_3", "hansei_call_2_4", "d"]);
        assert_eq!(
            given.iter().map(|id| is_made_up(id)).collect::<Vec<_>>(),
            [false, true, true, true, false]
        );
    }
}
