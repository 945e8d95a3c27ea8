//! Gemini CLI. `PreCompress` is deliberately absent: it fires before every model call, compaction or not.

mod lines;
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
    payload: Names { last_message: "prompt_response", accumulates: true, ..Names::COMMON },
    instructions: &["GEMINI.md", "AGENTS.md"],
    project_variable: Some("GEMINI_PROJECT_DIR"),
    sessions: transcript::sessions,
    read: transcript::read,
    live: Live::File {
        folders: |homes| vec![homes.home.join(".gemini/tmp")],
        // The name holds the beginning of the id.
        names: |name, id| id.get(..8).is_some_and(|beginning| name.ends_with(beginning)),
        lags: false,
    },
    reply: reply::block,
    after_compaction: AfterCompaction::Nowhere,
    attendance: Attendance {
        headless: &["-p", "--prompt"],
        // Its hooks and its session file say nothing of the mode that it was started in.
        planning: Some(("--approval-mode", "plan")),
        marks: &["GEMINI_CLI"],
        ..Attendance::UNSAID
    },
    blocks_in_a_row: None,
    setup: Setup {
        title: "Gemini CLI",
        program: "gemini",
        update: "npm install -g @google/gemini-cli",
        // The oldest that Hansei was tried with.
        oldest: Version(0, 61, 0),
        user_folder: |user| user.home.join(".gemini"),
        project_folder: ".gemini",
        way: Way::Hooks(Hooks {
            file: "settings.json",
            events: &[
                Hook { name: "SessionStart", event: "session-start", since: None, seconds: 60 },
                Hook { name: "BeforeAgent", event: "prompt", since: None, seconds: 60 },
                Hook { name: "AfterAgent", event: "stop", since: None, seconds: 60 },
                Hook { name: "SessionEnd", event: "session-end", since: None, seconds: 3 },
            ],
            // Its times are in milliseconds.
            handler: |command, seconds| {
                format!(
                    r#"{{ "name": "hansei", "type": "command", "command": {command}, "timeout": {seconds}000 }}"#
                )
            },
            toml_instead: None,
        }),
        trust: Trust::ProjectFolder,
        servers: Servers {
            files: |setup, scope, user, project| {
                vec![setup.folder(scope, user, project).join("settings.json")]
            },
            key: "mcpServers",
            entry: |program| format!(r#"{{ "command": {program}, "args": ["mcp"] }}"#),
            project_trust: Some("start `gemini` here and trust the folder"),
        },
    },
};
