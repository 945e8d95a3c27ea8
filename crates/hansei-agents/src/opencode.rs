//! OpenCode. Its events reach us through our plugin; its sessions lie in a database.

#[cfg(feature = "transcripts")]
mod database;
mod live;
mod reader;
mod records;
mod tools;
#[cfg(feature = "transcripts")]
mod transcript;

#[cfg(feature = "transcripts")]
pub(crate) use transcript::{read, sessions_in};

pub(crate) use live::read as read_live;

use hansei_core::event::HookEvent;

use crate::Adapter;
use crate::attendance::Attendance;
use crate::payload::Names;
use crate::reply::{self, AfterCompaction};
use crate::setup::{Servers, Setup, Trust, Way};
use crate::transcript::Live;
use crate::version::Version;

pub(crate) const NAME: &str = "opencode";

/// Our MCP server as these agents write one.
pub(crate) fn server_entry(program: &str) -> String {
    format!(r#"{{ "type": "local", "command": [{program}, "mcp"] }}"#)
}

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("session.created", HookEvent::SessionStart),
        ("session.idle", HookEvent::Stop),
        ("session.compacted", HookEvent::Compact),
        ("session.error", HookEvent::Error),
        ("session.deleted", HookEvent::SessionEnd),
    ],
    payload: Names::COMMON,
    instructions: &["AGENTS.md", "CLAUDE.md"],
    project_variable: None,
    #[cfg(feature = "transcripts")]
    sessions: |homes| sessions_in(&homes.data_folder().join("opencode/opencode.db"), NAME),
    #[cfg(feature = "transcripts")]
    read,
    #[cfg(not(feature = "transcripts"))]
    sessions: crate::transcript::none,
    #[cfg(not(feature = "transcripts"))]
    read: crate::transcript::unreadable,
    live: Live::Sent(read_live),
    reply: reply::for_plugin,
    after_compaction: AfterCompaction::AtReport,
    attendance: Attendance { marks: &["OPENCODE"], ..Attendance::UNSAID },
    blocks_in_a_row: None,
    setup: Setup {
        title: "OpenCode",
        program: "opencode",
        update: "opencode upgrade",
        // The oldest that Hansei was tried with.
        oldest: Version(1, 18, 33),
        user_folder: |user| user.config.join("opencode"),
        project_folder: ".opencode",
        way: Way::Plugin { file: "plugin/hansei.js", unblocker: "agent/hansei-unblocker.md" },
        trust: Trust::NotNeeded,
        servers: Servers {
            files: |setup, scope, user, project| {
                let folder = setup.folder(scope, user, project);
                vec![folder.join("opencode.jsonc"), folder.join("opencode.json")]
            },
            key: "mcp",
            entry: server_entry,
            project_trust: None,
        },
    },
};
