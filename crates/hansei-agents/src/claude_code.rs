//! Claude Code.

mod sub_agents;
mod tools;
pub(crate) mod transcript;

use hansei_core::event::HookEvent;

use crate::Adapter;
use crate::attendance::Attendance;
use crate::payload::Names;
use crate::reply::{AfterCompaction, context_since};
use crate::setup::{Hook, Hooks, Scope, Servers, Setup, Trust, Way};
use crate::transcript::Live;
use crate::version::Version;

pub(crate) const NAME: &str = "claude-code";

/// The first version that is known to go on with a stop hook's context, without the word "error".
const CONTINUES_WITH_CONTEXT: Version = Version(2, 1, 325);

pub(crate) const ADAPTER: Adapter = Adapter {
    name: NAME,
    events: &[
        ("SessionStart", HookEvent::SessionStart),
        ("UserPromptSubmit", HookEvent::Prompt),
        ("PostToolUse", HookEvent::Tool),
        ("PostToolUseFailure", HookEvent::Tool),
        ("Stop", HookEvent::Stop),
        ("StopFailure", HookEvent::Error),
        ("SubagentStop", HookEvent::SubagentStop),
        ("PreCompact", HookEvent::Compact),
        ("SessionEnd", HookEvent::SessionEnd),
    ],
    payload: Names { turn: "prompt_id", is_machinery: transcript::is_machinery, ..Names::COMMON },
    instructions: &["CLAUDE.md", "AGENTS.md"],
    project_variable: Some("CLAUDE_PROJECT_DIR"),
    sessions: transcript::sessions,
    read: transcript::read,
    live: Live::File {
        folders: |homes| vec![transcript::root(homes).join("projects")],
        names: |name, id| name == id,
        lags: true,
    },
    reply: |reply| context_since(reply, CONTINUES_WITH_CONTEXT),
    after_compaction: AfterCompaction::AtStart,
    attendance: Attendance {
        variables: |variable| match variable("CLAUDE_CODE_SESSION_ATTENDED").as_deref() {
            Some("0" | "false") => Some(false),
            Some("1" | "true") => Some(true),
            _ => (variable("CLAUDE_CODE_ENTRYPOINT")? == "sdk-cli").then_some(false),
        },
        headless: &[],
        planning: None,
        marks: &["CLAUDECODE"],
    },
    blocks_in_a_row: Some(7),
    setup: Setup {
        title: "Claude Code",
        program: "claude",
        update: "claude update",
        // The first that knows every event but the last below.
        oldest: Version(1, 0, 85),
        user_folder: |user| user.claude.clone().unwrap_or_else(|| user.home.join(".claude")),
        project_folder: ".claude",
        way: Way::Hooks(Hooks {
            file: "settings.json",
            // Before 2.1.197 a settings file that names an unknown event lost all its hooks.
            events: &[
                Hook { name: "SessionStart", event: "session-start", since: None, seconds: 60 },
                Hook { name: "UserPromptSubmit", event: "prompt", since: None, seconds: 60 },
                Hook { name: "Stop", event: "stop", since: None, seconds: 60 },
                Hook { name: "SubagentStop", event: "subagent-stop", since: None, seconds: 60 },
                Hook { name: "PreCompact", event: "compact", since: None, seconds: 60 },
                Hook { name: "SessionEnd", event: "session-end", since: None, seconds: 3 },
                Hook { name: "StopFailure", event: "error", since: Some(Version(2, 1, 78)), seconds: 60 },
            ],
            handler: |command, seconds| {
                format!(r#"{{ "type": "command", "command": {command}, "timeout": {seconds} }}"#)
            },
            toml_instead: None,
        }),
        trust: Trust::NotNeeded,
        servers: Servers {
            // Not in its settings: a file of its own state, and one that a project shares.
            files: |_, scope, user, project| {
                vec![match scope {
                    Scope::User => user.claude.as_ref().unwrap_or(&user.home).join(".claude.json"),
                    Scope::Project => project.join(".mcp.json"),
                }]
            },
            key: "mcpServers",
            entry: |program| format!(r#"{{ "type": "stdio", "command": {program}, "args": ["mcp"] }}"#),
            project_trust: Some("start `claude` here and allow the project's server"),
        },
    },
};
