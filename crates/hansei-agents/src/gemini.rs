//! Gemini CLI. `PreCompress` is deliberately absent: it fires before every model call, compaction or not.

mod lines;
mod tools;
pub(crate) mod transcript;

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const NAME: &str = "gemini";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("BeforeAgent", HookEvent::Prompt),
        ("AfterTool", HookEvent::Tool),
        ("AfterAgent", HookEvent::Stop),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    sessions: transcript::sessions,
    read: transcript::read,
};
