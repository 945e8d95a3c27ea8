//! What an agent is told about its stop, in its own protocol. Never by an exit code: that is 0, whatever was decided.

use serde_json::{Value, json};

use crate::Adapter;
use crate::version::Version;

/// What was decided about a stop.
#[derive(Debug, Clone, Copy)]
pub struct StopReply<'a> {
    /// What the agent is told when it is sent back; none lets it stop.
    pub feedback: Option<&'a str>,
    /// What the human is told.
    pub notice: Option<&'a str>,
    /// After how many seconds of silence our plugin is to ask again whether the agent is stuck.
    pub assess_after: Option<u64>,
    /// The agent's version, where its transcript says so.
    pub version: Option<Version>,
}

impl StopReply<'_> {
    /// The notice as a person sees it among other programs' words.
    fn message(&self) -> Option<String> {
        self.notice.map(|notice| format!("Hansei: {notice}"))
    }

    /// `value` with the message to the human.
    fn with_message(&self, mut value: Value) -> Option<Value> {
        if let (Some(message), Value::Object(fields)) = (self.message(), &mut value) {
            fields.insert("systemMessage".to_owned(), message.into());
        }
        (value != json!({})).then_some(value)
    }
}

/// Keeps the agent from stopping, with a reason.
pub(crate) fn block(reply: &StopReply<'_>) -> Option<Value> {
    reply.with_message(match reply.feedback {
        Some(feedback) => json!({ "decision": "block", "reason": feedback }),
        None => json!({}),
    })
}

/// Goes on with more context, where the agent's version is at least `since`; else keeps it from stopping, which shows as
/// an error.
pub(crate) fn context_since(reply: &StopReply<'_>, since: Version) -> Option<Value> {
    match reply.feedback {
        Some(feedback) if reply.version.is_some_and(|version| version >= since) => {
            reply.with_message(json!({
                "hookSpecificOutput": { "hookEventName": "Stop", "additionalContext": feedback },
            }))
        }
        _ => block(reply),
    }
}

/// For our own plugin, which does the rest.
// Of the form that all replies have.
#[allow(clippy::unnecessary_wraps)]
pub(crate) fn for_plugin(reply: &StopReply<'_>) -> Option<Value> {
    let action = if reply.feedback.is_some() { "send_back" } else { "let_stop" };
    let mut told = json!({ "action": action, "feedback": reply.feedback, "notice": reply.notice });
    if let Some(seconds) = reply.assess_after {
        told["assess_after"] = seconds.into();
    }
    Some(told)
}

/// Where an agent takes a word after its context was compacted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AfterCompaction {
    /// When its session starts again.
    AtStart,
    /// When our plugin reports the compaction; the plugin does the rest.
    AtReport,
    /// Nowhere: nothing tells that it happened.
    Nowhere,
}

/// A word that is not about a stop.
#[derive(Debug, Clone, Copy, Default)]
pub struct Word<'a> {
    /// What the agent is told.
    pub nudge: Option<&'a str>,
    /// What the human is told.
    pub notice: Option<&'a str>,
}

/// What an agent reads of a word that is not about a stop.
pub fn nudge(adapter: &Adapter, word: &Word<'_>) -> Option<Value> {
    if word.nudge.is_none() && word.notice.is_none() {
        return None;
    }
    match adapter.after_compaction {
        AfterCompaction::Nowhere => None,
        AfterCompaction::AtReport => Some(json!({ "nudge": word.nudge, "notice": word.notice })),
        AfterCompaction::AtStart => {
            let mut told = json!({});
            if let Some(nudge) = word.nudge {
                told["hookSpecificOutput"] =
                    json!({ "hookEventName": "SessionStart", "additionalContext": nudge });
            }
            if let Some(notice) = word.notice {
                told["systemMessage"] = format!("Hansei: {notice}").into();
            }
            Some(told)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ADAPTERS;

    #[test]
    fn a_word_after_a_compaction_goes_where_each_agent_takes_it() {
        let word = Word { nudge: Some("go on"), notice: None };
        let done = Word { nudge: None, notice: Some("Task complete") };
        let context = json!({
            "hookSpecificOutput": { "hookEventName": "SessionStart", "additionalContext": "go on" },
        });
        for adapter in ADAPTERS {
            let expected = match adapter.name {
                "claude-code" | "codex" => {
                    [Some(context.clone()), Some(json!({ "systemMessage": "Hansei: Task complete" })), None]
                }
                "gemini" => [None, None, None],
                _ => [
                    Some(json!({ "nudge": "go on", "notice": null })),
                    Some(json!({ "nudge": null, "notice": "Task complete" })),
                    None,
                ],
            };
            assert_eq!(
                [word, done, Word::default()].map(|word| nudge(adapter, &word)),
                expected,
                "{}",
                adapter.name
            );
        }
    }

    #[test]
    fn every_agent_is_told_in_its_own_protocol() {
        let sent = StopReply {
            feedback: Some("F"),
            notice: Some("N"),
            assess_after: None,
            version: Some(Version(2, 1, 325)),
        };
        let older = StopReply { version: Some(Version(2, 1, 44)), ..sent };
        let noted = StopReply { feedback: None, ..sent };
        let silent = StopReply { notice: None, ..noted };
        let block = json!({ "decision": "block", "reason": "F", "systemMessage": "Hansei: N" });
        let message = Some(json!({ "systemMessage": "Hansei: N" }));
        for adapter in ADAPTERS {
            let told = [sent, older, noted, silent].map(|reply| (adapter.reply)(&reply));
            let context = json!({
                "hookSpecificOutput": { "hookEventName": "Stop", "additionalContext": "F" },
                "systemMessage": "Hansei: N",
            });
            let plugin = |action, feedback: Option<&str>, notice: Option<&str>| {
                Some(json!({ "action": action, "feedback": feedback, "notice": notice }))
            };
            let expected = match adapter.name {
                "claude-code" => [Some(context), Some(block.clone()), message.clone(), None],
                "codex" | "gemini" => [Some(block.clone()), Some(block.clone()), message.clone(), None],
                _ => [
                    plugin("send_back", Some("F"), Some("N")),
                    plugin("send_back", Some("F"), Some("N")),
                    plugin("let_stop", None, Some("N")),
                    plugin("let_stop", None, None),
                ],
            };
            assert_eq!(told, expected, "{}", adapter.name);
        }
    }
}
