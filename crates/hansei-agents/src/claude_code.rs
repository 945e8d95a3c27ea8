//! Claude Code.

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "claude-code",
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
};
