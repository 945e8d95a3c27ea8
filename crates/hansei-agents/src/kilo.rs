//! Kilo, a fork of OpenCode that also says when a session has nothing queued any more.

use hansei_core::event::HookEvent;

use crate::Adapter;
use crate::attendance::Attendance;
use crate::payload::Names;
use crate::reply::{self, AfterCompaction};
use crate::setup::{Servers, Setup, Trust, Way};
use crate::transcript::Live;
use crate::version::Version;

pub(crate) const NAME: &str = "kilo";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("session.created", HookEvent::SessionStart),
        ("session.idle", HookEvent::Stop),
        ("session.drained", HookEvent::Stop),
        ("session.compacted", HookEvent::Compact),
        ("session.error", HookEvent::Error),
        ("session.deleted", HookEvent::SessionEnd),
    ],
    payload: Names::COMMON,
    instructions: &["AGENTS.md", "CLAUDE.md"],
    project_variable: None,
    #[cfg(feature = "transcripts")]
    sessions: |homes| crate::opencode::sessions_in(&homes.data_folder().join("kilo/kilo.db"), NAME),
    #[cfg(feature = "transcripts")]
    read: crate::opencode::read,
    #[cfg(not(feature = "transcripts"))]
    sessions: crate::transcript::none,
    #[cfg(not(feature = "transcripts"))]
    read: crate::transcript::unreadable,
    live: Live::Sent(crate::opencode::read_live),
    reply: reply::for_plugin,
    after_compaction: AfterCompaction::AtReport,
    attendance: Attendance { marks: &["KILO", "KILOCODE"], ..Attendance::UNSAID },
    blocks_in_a_row: None,
    setup: Setup {
        title: "Kilo",
        program: "kilo",
        update: "npm install -g @kilocode/cli",
        // The oldest that Hansei was tried with.
        oldest: Version(7, 7, 7),
        user_folder: |user| user.config.join("kilo"),
        project_folder: ".kilo",
        way: Way::Plugin { file: "plugin/hansei.js", unblocker: "agent/hansei-unblocker.md" },
        trust: Trust::NotNeeded,
        servers: Servers {
            files: |setup, scope, user, project| {
                let folder = setup.folder(scope, user, project);
                vec![folder.join("kilo.jsonc"), folder.join("kilo.json")]
            },
            key: "mcp",
            entry: crate::opencode::server_entry,
            project_trust: None,
        },
    },
};
