//! Claude Code.

mod tools;
pub(crate) mod transcript;

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const NAME: &str = "claude-code";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("UserPromptSubmit", HookEvent::Prompt),
        ("PostToolUse", HookEvent::Tool),
        ("PostToolUseFailure", HookEvent::Tool),
        ("Stop", HookEvent::Stop),
        ("StopFailure", HookEvent::Error),
        ("SubagentStop", HookEvent::SubagentStop),
        ("PreCompact", HookEvent::Compact),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    sessions: transcript::sessions,
    read: transcript::read,
};
