//! Who wrote a message that reached Codex in the user's role: the human, a hook, or Codex itself.

use std::borrow::Cow;

use hansei_core::session::{Feeder, HumanVia, What};

/// How Codex tells its model that the human interrupted.
const ABORTED: &str = "<turn_aborted";

/// What a user message says, and in whose name. `machinery` is what the line itself says about that.
pub(super) fn user(text: String, machinery: Option<bool>) -> What {
    if let Some((feedback, by)) = hook_prompt(&text) {
        return What::Fed { text: feedback, by };
    }
    // Some versions record an interruption in no other way.
    if text.trim_start().starts_with(ABORTED) {
        return What::Aborted;
    }
    if machinery == Some(true) || is_machinery(&text) {
        return What::Fed { text, by: Feeder::Agent };
    }
    What::HumanSaid { text, via: HumanVia::Prompt }
}

/// The text between `<hook_prompt …>` and its end, for every hook that spoke.
fn hook_prompt(text: &str) -> Option<(String, Feeder)> {
    const OPEN: &str = "<hook_prompt";
    const CLOSE: &str = "</hook_prompt>";
    let mut rest = text.trim_start();
    let mut said = Vec::new();
    let mut by = Feeder::Agent;
    while let Some(after) = rest.strip_prefix(OPEN) {
        let (attributes, after) = after.split_once('>')?;
        let (inner, after) = after.split_once(CLOSE).unwrap_or((after, ""));
        if attributes.contains("\"stop:") || !attributes.contains("hook_run_id") {
            by = Feeder::StopHook;
        }
        said.push(unescaped(inner));
        rest = after.trim_start();
    }
    (!said.is_empty()).then(|| (said.join("\n"), by))
}

fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('&') {
        return text.into();
    }
    let named = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    named.iter().fold(text.to_owned(), |text, (name, character)| text.replace(name, character)).into()
}

/// Whether a user message was written by Codex: older versions do not say so, and newer ones not of every message.
pub(super) fn is_machinery(text: &str) -> bool {
    let beginnings = [
        "<environment_context",
        "<user_instructions",
        "<INSTRUCTIONS",
        "# AGENTS.md instructions",
        "<subagent_notification",
        "<user_shell_command",
        "<user_action",
        "<skill>",
        "<skills_instructions",
        "<permissions instructions",
        "<collaboration_mode",
        "<codex_internal_context",
        "<goal_context",
        "Warning: The maximum number of unified exec processes",
    ];
    let text = text.trim_start();
    beginnings.iter().any(|beginning| text.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wrote_a_user_message() {
        let fed = |text: &str, by| What::Fed { text: text.into(), by };
        let human = |text: &str| What::HumanSaid { text: text.into(), via: HumanVia::Prompt };
        for (text, machinery, what) in [
            ("fix it", None, human("fix it")),
            ("fix it", Some(false), human("fix it")),
            ("anything", Some(true), fed("anything", Feeder::Agent)),
            ("<environment_context>\n", None, fed("<environment_context>\n", Feeder::Agent)),
            (
                "<hook_prompt hook_run_id=\"stop:0:/h.json\">1 &lt; 2 &amp;&amp; x</hook_prompt>",
                Some(true),
                fed("1 < 2 && x", Feeder::StopHook),
            ),
            (
                "<hook_prompt hook_run_id=\"stop:0:a\">one</hook_prompt>\n<hook_prompt hook_run_id=\"stop:1:b\">two</hook_prompt>",
                None,
                fed("one\ntwo", Feeder::StopHook),
            ),
            (
                "<hook_prompt hook_run_id=\"post_tool_use:0:a\">one</hook_prompt>",
                None,
                fed("one", Feeder::Agent),
            ),
            ("<turn_aborted>\nThe user interrupted it.\n</turn_aborted>", Some(true), What::Aborted),
            // A human may write about tags.
            ("<div> is wrong", None, human("<div> is wrong")),
        ] {
            assert_eq!(user(text.into(), machinery), what, "{text}");
        }
    }
}
