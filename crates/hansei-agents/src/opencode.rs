//! OpenCode. Its events reach us through our plugin.

use hansei_core::event::HookEvent;

use crate::Adapter;
use crate::setup::{Setup, Trust, Way};
use crate::version::Version;

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
    setup: Setup {
        title: "OpenCode",
        program: "opencode",
        update: "opencode upgrade",
        // The oldest that Hansei was tried with.
        oldest: Version(1, 18, 33),
        user_folder: |user| user.config.join("opencode"),
        project_folder: ".opencode",
        way: Way::Plugin { file: "plugin/hansei.js" },
        trust: Trust::NotNeeded,
    },
};
