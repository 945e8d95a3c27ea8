//! OpenCode. Its events reach us through our plugin.

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "opencode",
    events: &[
        ("session.created", HookEvent::SessionStart),
        ("session.idle", HookEvent::Stop),
        ("session.compacted", HookEvent::Compact),
        ("session.error", HookEvent::Error),
        ("session.deleted", HookEvent::SessionEnd),
    ],
    sessions: crate::transcript::none,
    read: crate::transcript::unreadable,
};
