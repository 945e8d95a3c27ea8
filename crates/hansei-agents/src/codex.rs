//! Codex. Its hooks are shaped like Claude Code's, with fewer events: a failed turn has none.

mod items;
mod lines;
mod prompts;
mod responses;
mod tools;
pub(crate) mod transcript;

use hansei_core::event::HookEvent;

use crate::Adapter;
use crate::attendance::Attendance;
use crate::payload::Names;
use crate::reply::{self, AfterCompaction};
use crate::setup::{Hook, Hooks, Servers, Setup, Trust, Way};
use crate::transcript::Live;
use crate::version::Version;

pub(crate) const NAME: &str = "codex";

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("UserPromptSubmit", HookEvent::Prompt),
        ("PostToolUse", HookEvent::Tool),
        ("Stop", HookEvent::Stop),
        ("SubagentStop", HookEvent::SubagentStop),
        ("PreCompact", HookEvent::Compact),
        ("Interrupt", HookEvent::Abort),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    // A title is found in a session of its own, which is kept nowhere.
    payload: Names {
        // It plans as a way of working together, whatever is permitted; its session file tells.
        mode_tells_planning: false,
        unkept_is_machinery: true,
        is_machinery: prompts::is_machinery,
        ..Names::COMMON
    },
    instructions: &["AGENTS.md"],
    project_variable: None,
    sessions: transcript::sessions,
    read: transcript::read,
    live: Live::File {
        folders: |homes| {
            let root = transcript::root(homes);
            vec![root.join("sessions"), root.join("archived_sessions")]
        },
        names: |name, id| name.ends_with(id),
        lags: false,
    },
    reply: reply::block,
    after_compaction: AfterCompaction::AtStart,
    attendance: Attendance {
        marks: &["CODEX_SANDBOX", "CODEX_SANDBOX_NETWORK_DISABLED", "CODEX_THREAD_ID", "CODEX_CI"],
        ..Attendance::UNSAID
    },
    blocks_in_a_row: None,
    setup: Setup {
        title: "Codex",
        program: "codex",
        update: "npm install -g @openai/codex",
        // The oldest that Hansei was tried with.
        oldest: Version(0, 166, 0),
        user_folder: |user| user.codex.clone().unwrap_or_else(|| user.home.join(".codex")),
        project_folder: ".codex",
        way: Way::Hooks(Hooks {
            file: "hooks.json",
            // Trust hangs on everything that stands here: a changed number is a changed hook.
            events: &[
                Hook { name: "SessionStart", event: "session-start", since: None, seconds: 60 },
                Hook { name: "UserPromptSubmit", event: "prompt", since: None, seconds: 60 },
                Hook { name: "Stop", event: "stop", since: None, seconds: 60 },
                Hook { name: "SubagentStop", event: "subagent-stop", since: None, seconds: 60 },
                Hook { name: "PreCompact", event: "compact", since: None, seconds: 60 },
                // More than 3 for these two makes Codex complain at every start.
                Hook { name: "Interrupt", event: "abort", since: None, seconds: 3 },
                Hook { name: "SessionEnd", event: "session-end", since: None, seconds: 3 },
            ],
            handler: |command, seconds| {
                format!(r#"{{ "type": "command", "command": {command}, "timeout": {seconds} }}"#)
            },
            // Codex complains at every start when hooks of one layer stand in both files.
            toml_instead: Some("config.toml"),
        }),
        trust: Trust::EachHook,
        servers: Servers {
            files: |setup, scope, user, project| vec![setup.folder(scope, user, project).join("config.toml")],
            key: "mcp_servers",
            entry: |program| format!("command = {program}\nargs = [\"mcp\"]"),
            project_trust: Some("start `codex` here and trust the folder"),
        },
    },
};
