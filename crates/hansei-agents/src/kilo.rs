//! Kilo, a fork of OpenCode that also says when a session has nothing queued any more.

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const ADAPTER: Adapter = Adapter {
    name: "kilo",
    events: &[
        ("session.created", HookEvent::SessionStart),
        ("session.idle", HookEvent::Stop),
        ("session.drained", HookEvent::Stop),
        ("session.compacted", HookEvent::Compact),
        ("session.error", HookEvent::Error),
        ("session.deleted", HookEvent::SessionEnd),
    ],
    sessions: crate::transcript::none,
    read: crate::transcript::unreadable,
};
