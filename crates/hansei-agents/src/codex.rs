//! Codex. Its hooks are shaped like Claude Code's, with fewer events: a failed turn has none.

mod items;
mod lines;
mod prompts;
mod responses;
mod tools;
pub(crate) mod transcript;

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const NAME: &str = "codex";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("UserPromptSubmit", HookEvent::Prompt),
        ("PostToolUse", HookEvent::Tool),
        ("Stop", HookEvent::Stop),
        ("SubagentStop", HookEvent::SubagentStop),
        ("PreCompact", HookEvent::Compact),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    sessions: transcript::sessions,
    read: transcript::read,
};
