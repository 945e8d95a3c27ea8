//! The agents that Hansei works with: what each calls its hook events, what its payloads say, and how Hansei is
//! installed into it.
//!
//! The only crate that knows an agent's name. Adding an agent is a module and a row in [`ADAPTERS`].

mod any_tool;
pub mod atif;
pub mod attendance;
mod claude_code;
mod codex;
#[cfg(feature = "transcripts")]
mod compressed;
pub mod doing;
pub mod examination;
mod gemini;
pub mod hook_command;
pub mod hooks_file;
pub mod install;
mod kilo;
mod lenient;
mod mended;
pub mod messages;
mod opencode;
mod parts;
mod patch;
pub mod payload;
pub mod plugin_file;
pub mod reply;
pub mod servers_file;
pub mod settings_edit;
pub mod setup;
mod tool_result;
pub mod transcript;
pub mod trust;
pub mod unblocker_file;
pub mod version;

use hansei_core::event::HookEvent;

pub use setup::{Scope, Setup};

use crate::attendance::Attendance;
use crate::payload::Names;
use crate::reply::{AfterCompaction, StopReply};
use crate::transcript::{Found, Homes, Live, Reading, Sink};

/// What is particular to one agent.
#[derive(Debug)]
pub struct Adapter {
    /// Its name on our command line and in records.
    pub name: &'static str,
    /// Its own event names.
    pub events: &'static [(&'static str, HookEvent)],
    /// What it calls the fields of its payloads.
    pub payload: Names,
    /// The files at a project's root in which it looks for the project's instructions: it reads the first that is there.
    pub instructions: &'static [&'static str],
    /// The variable that tells its hooks in which folder the session was started.
    pub project_variable: Option<&'static str>,
    /// Finds its sessions on disk.
    pub sessions: fn(&Homes) -> Vec<Found>,
    /// Streams the events of one of them.
    pub read: fn(&Found, &mut Sink<'_>) -> std::io::Result<Reading>,
    /// How its session is read at a stop.
    pub live: Live,
    /// How it is told what was decided about a stop.
    pub reply: fn(&StopReply<'_>) -> Option<serde_json::Value>,
    /// Where it takes a word after its context was compacted.
    pub after_compaction: AfterCompaction,
    /// What its environment and its command line say about whether a human is there.
    pub attendance: Attendance,
    /// How often in a row it lets stop hooks keep it from stopping, with room to spare.
    pub blocks_in_a_row: Option<u32>,
    /// How Hansei is installed into it.
    pub setup: Setup,
}

impl Adapter {
    /// Whether a plugin of ours sits in it, which can show a toast.
    pub fn has_plugin(&self) -> bool {
        matches!(self.setup.way, setup::Way::Plugin { .. })
    }
}

/// Every agent with an adapter.
pub const ADAPTERS: [&Adapter; 5] =
    [&claude_code::ADAPTER, &codex::ADAPTER, &gemini::ADAPTER, &opencode::ADAPTER, &kilo::ADAPTER];

/// All sessions on disk, of all agents or of one, the newest first.
pub fn sessions(homes: &Homes, agent: Option<&str>) -> Vec<Found> {
    let wanted = ADAPTERS.into_iter().filter(|adapter| agent.is_none_or(|agent| agent == adapter.name));
    let mut found: Vec<Found> = wanted.flat_map(|adapter| (adapter.sessions)(homes)).collect();
    found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
    found
}

/// Streams the events of a session on disk.
pub fn read(found: &Found, sink: &mut Sink<'_>) -> std::io::Result<Reading> {
    match adapter_named(found.agent) {
        Some(adapter) => (adapter.read)(found, sink),
        None => Err(std::io::ErrorKind::Unsupported.into()),
    }
}

/// The adapter of the agent called `name`.
pub fn adapter_named(name: &str) -> Option<&'static Adapter> {
    ADAPTERS.into_iter().find(|adapter| adapter.name == name)
}

/// What `agent` calls the fields of its payloads.
pub fn names_of(agent: Option<&str>) -> &'static Names {
    agent.and_then(adapter_named).map_or(&Names::COMMON, |adapter| &adapter.payload)
}

/// The variable that tells the hooks of `agent` in which folder the session was started, if it has one.
pub fn project_variable(agent: &str) -> Option<&'static str> {
    adapter_named(agent)?.project_variable
}

/// The common event that `name` stands for: a common name itself, or one of `agent`'s own.
pub fn event_named(agent: &str, name: &str) -> Option<HookEvent> {
    HookEvent::from_name(name).or_else(|| {
        let adapter = adapter_named(agent)?;
        adapter.events.iter().find(|(own, _)| *own == name).map(|(_, event)| *event)
    })
}

// One test binary a crate: what reads the fixtures is linked with the tests that stand beside the code.
#[cfg(test)]
extern crate self as hansei_agents;
#[cfg(test)]
#[path = "../tests/readers/main.rs"]
mod readers;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_are_found_by_common_and_by_own_name() {
        for (agent, name, event) in [
            ("claude-code", "stop", Some(HookEvent::Stop)),
            ("claude-code", "Stop", Some(HookEvent::Stop)),
            ("claude-code", "StopFailure", Some(HookEvent::Error)),
            ("codex", "UserPromptSubmit", Some(HookEvent::Prompt)),
            ("gemini", "AfterAgent", Some(HookEvent::Stop)),
            ("opencode", "session.idle", Some(HookEvent::Stop)),
            ("kilo", "session.drained", Some(HookEvent::Stop)),
            ("gemini", "Stop", None),
            ("some-other-agent", "session-end", Some(HookEvent::SessionEnd)),
            ("some-other-agent", "Stop", None),
        ] {
            assert_eq!(event_named(agent, name), event, "{agent} {name}");
        }
    }
}
