//! Codex. Its hooks are shaped like Claude Code's, with fewer events: a failed turn has none.

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "codex",
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("UserPromptSubmit", HookEvent::Prompt),
        ("PostToolUse", HookEvent::Tool),
        ("Stop", HookEvent::Stop),
        ("SubagentStop", HookEvent::SubagentStop),
        ("PreCompact", HookEvent::Compact),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    sessions: crate::transcript::none,
    read: crate::transcript::unreadable,
};
