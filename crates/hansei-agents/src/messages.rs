//! Plain chat messages, as OpenAI's and Anthropic's interfaces take them: what remains of a session when only the
//! conversation is wanted. Tokens, modes and where it ran are lost; exit codes become words of the result.

mod export;
mod import;

pub use export::export;
pub use import::import;

/// Whose form messages have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `tool_calls` beside the content, a message of role `tool` for each result.
    OpenAi,
    /// Everything is a block of the content.
    Anthropic,
}

/// Why a text is not a list of messages.
#[derive(Debug, thiserror::Error)]
#[error(
    "these are not chat messages, which are a list of {{role, content}} or an object with such a list as `messages`: {0}"
)]
pub struct NotMessages(#[from] serde_json::Error);

/// How feedback of a stop hook begins where a message cannot say who wrote it.
const FEEDBACK: &str = "Stop hook feedback:\n";
/// The same for what the agent's own machinery wrote.
const REMINDER: (&str, &str) = ("<system-reminder>\n", "\n</system-reminder>");
/// The name of a stop hook where a message can.
const HOOK: &str = "stop_hook";
