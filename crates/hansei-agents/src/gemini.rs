//! Gemini CLI. `PreCompress` is deliberately absent: it fires before every model call, compaction or not.

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "gemini",
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("BeforeAgent", HookEvent::Prompt),
        ("AfterTool", HookEvent::Tool),
        ("AfterAgent", HookEvent::Stop),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    sessions: crate::transcript::none,
    read: crate::transcript::unreadable,
};
