//! OpenCode. Its events reach us through our plugin; its sessions lie in a database.

#[cfg(feature = "transcripts")]
mod database;
#[cfg(feature = "transcripts")]
mod records;
#[cfg(feature = "transcripts")]
mod tools;
#[cfg(feature = "transcripts")]
mod transcript;

#[cfg(feature = "transcripts")]
pub(crate) use transcript::{read, sessions_in};

use hansei_core::event::HookEvent;

use crate::Adapter;

pub(crate) const NAME: &str = "opencode";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("session.created", HookEvent::SessionStart),
        ("session.idle", HookEvent::Stop),
        ("session.compacted", HookEvent::Compact),
        ("session.error", HookEvent::Error),
        ("session.deleted", HookEvent::SessionEnd),
    ],
    #[cfg(feature = "transcripts")]
    sessions: |homes| sessions_in(&homes.data_folder().join("opencode/opencode.db"), NAME),
    #[cfg(feature = "transcripts")]
    read,
    #[cfg(not(feature = "transcripts"))]
    sessions: crate::transcript::none,
    #[cfg(not(feature = "transcripts"))]
    read: crate::transcript::unreadable,
};
