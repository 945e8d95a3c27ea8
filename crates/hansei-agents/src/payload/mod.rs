//! What a hook's payload says, in one form for all agents. It comes from outside: nothing in it is believed further
//! than it has to be, and a field that is not what it should be takes no other with it.

mod object;
#[cfg(test)]
mod tests;

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::value::RawValue;

use self::object::Object;

/// What an agent tells its hooks. What it does not tell is absent, empty or none.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Payload {
    /// The agent's id for the session.
    pub session_id: Option<String>,
    /// The folder the agent works in now. It may move while the session lasts.
    pub cwd: Option<PathBuf>,
    /// The file that the agent keeps the session in. It may lag behind what has happened.
    pub transcript_path: Option<PathBuf>,
    /// Whose doing it is that the hook was called.
    pub speaker: Speaker,
    /// The last thing the agent said.
    pub last_message: Option<String>,
    /// Whether [`Self::last_message`] begins with all that was said before since the human last spoke: an agent that a
    /// stop hook sent back then says its earlier words again.
    pub last_message_accumulates: bool,
    /// Whether the agent already works on because a stop hook sent it back.
    pub stop_hook_active: bool,
    /// What the human said.
    pub prompt: Option<String>,
    /// Whether the agent may only plan, where it says what it may do.
    pub planning: Option<bool>,
    /// What it may do, in its own words.
    pub permission_mode: Option<String>,
    /// The sub-agent that this is about.
    pub agent_id: Option<String>,
    /// That sub-agent's kind, or the kind of agent that the whole session runs as.
    pub agent_type: Option<String>,
    /// The file that the sub-agent's own session is kept in.
    pub agent_transcript_path: Option<PathBuf>,
    /// How many tasks still run in the background, and will wake the agent when they end.
    pub background_tasks: usize,
    /// How many times the agent will be woken by the clock.
    pub session_crons: usize,
    /// Why a session starts.
    pub source: Option<Source>,
    /// Who asked for a compaction.
    pub trigger: Option<Trigger>,
    /// What failed, in the agent's words.
    pub error: Option<String>,
    /// Whether a human sits at the terminal, where our plugin says so.
    pub attended: Option<bool>,
    /// For how many seconds nothing has happened, where our plugin says so.
    pub idle_seconds: Option<u64>,
    /// The agent's id for the stretch of work that began with the human's words.
    pub turn_id: Option<String>,
    /// Fields that were not of their type, and so were not read.
    pub odd: Vec<&'static str>,
}

/// Whose doing it is that a hook was called.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Speaker {
    /// The session itself.
    #[default]
    Session,
    /// A sub-agent of it.
    SubAgent,
    /// The agent's own machinery, such as one that finds titles or sums up. No human asked for it.
    Machinery,
}

/// Why a session starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source {
    /// It is new.
    Startup,
    /// It was there before.
    Resume,
    /// Its context was compacted.
    Compact,
    /// Its context was thrown away.
    Clear,
    /// It is a copy of another.
    Fork,
}

/// Who asked for a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Trigger {
    /// The human.
    Manual,
    /// The agent, because the context was full.
    Auto,
}

/// What an agent calls the fields in which agents differ, and how it shows that nobody asked for something.
#[derive(Debug)]
pub struct Names {
    /// The field of the last thing it said.
    pub last_message: &'static str,
    /// Whether that field also holds what was said before.
    pub accumulates: bool,
    /// The field of the id of a stretch of work.
    pub turn: &'static str,
    /// Whether its mode of permissions says that it does not plan, where it does not say that it plans.
    pub mode_tells_planning: bool,
    /// Whether a session that is kept in no file is one of the agent's own.
    pub unkept_is_machinery: bool,
    /// Whether a prompt was written by the agent.
    pub is_machinery: fn(&str) -> bool,
}

impl Names {
    /// Names for an agent that is not known. Ours for OpenCode and Kilo, too: their events pass through our plugin.
    pub const COMMON: Self = Self {
        last_message: "last_assistant_message",
        accumulates: false,
        turn: "turn_id",
        mode_tells_planning: true,
        unkept_is_machinery: false,
        is_machinery: |_| false,
    };
}

/// Why a payload says nothing.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// There was none.
    #[error("the payload is empty")]
    Empty,
    /// It is larger than is read.
    #[error("the payload is larger than {0} bytes")]
    TooLarge(usize),
    /// It is not what it should be.
    #[error("the payload is not valid: {0}")]
    Invalid(#[from] serde_json::Error),
}

/// Reads a payload of an agent with these names.
pub fn read(bytes: &[u8], names: &Names) -> Result<Payload, Unreadable> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Unreadable::Empty);
    }
    let mut object = Object::parse(bytes)?;
    let permission_mode = object.text("permission_mode");
    let mut payload = Payload {
        session_id: object.text("session_id"),
        cwd: object.path("cwd"),
        transcript_path: object.path("transcript_path"),
        speaker: Speaker::Session,
        last_message: object.text(names.last_message),
        last_message_accumulates: names.accumulates,
        stop_hook_active: object.flag("stop_hook_active"),
        prompt: object.text("prompt"),
        planning: permission_mode
            .as_deref()
            .map(|mode| mode == "plan")
            .filter(|plans| *plans || names.mode_tells_planning),
        permission_mode,
        agent_id: object.text("agent_id"),
        agent_type: object.text("agent_type"),
        agent_transcript_path: object.path("agent_transcript_path"),
        background_tasks: object.count("background_tasks", is_running),
        session_crons: object.count("session_crons", |_| true),
        source: object.one_of("source", &SOURCES),
        trigger: object.one_of("trigger", &TRIGGERS),
        error: object.text("error"),
        attended: object.choice("attended"),
        idle_seconds: object.number("idle_seconds"),
        turn_id: object.text(names.turn),
        odd: Vec::new(),
    };
    payload.speaker = speaker(&payload, names, object.is_null("transcript_path"));
    payload.odd = object.odd;
    Ok(payload)
}

/// The session's messages, where our plugin sends them along.
pub fn messages(bytes: &[u8]) -> Option<Box<RawValue>> {
    #[derive(Deserialize)]
    struct Sent {
        #[serde(default)]
        messages: Option<Box<RawValue>>,
    }
    serde_json::from_slice::<Sent>(bytes).ok()?.messages
}

const SOURCES: [(&str, Source); 5] = [
    ("startup", Source::Startup),
    ("resume", Source::Resume),
    ("compact", Source::Compact),
    ("clear", Source::Clear),
    ("fork", Source::Fork),
];

const TRIGGERS: [(&str, Trigger); 2] = [("manual", Trigger::Manual), ("auto", Trigger::Auto)];

fn speaker(payload: &Payload, names: &Names, unkept: bool) -> Speaker {
    let written = payload.prompt.as_deref().is_some_and(names.is_machinery);
    match (&payload.agent_id, payload.agent_type.as_deref()) {
        _ if written || unkept && names.unkept_is_machinery => Speaker::Machinery,
        // What sums up a session for its compaction stops like a sub-agent, but is of no kind.
        (Some(_), Some("")) => Speaker::Machinery,
        (Some(_), _) => Speaker::SubAgent,
        (None, _) => Speaker::Session,
    }
}

/// Whether a background task will still wake the agent. One that does not say is taken to: it was listed.
fn is_running(task: &serde_json::Value) -> bool {
    !matches!(task["status"].as_str(), Some("completed" | "failed" | "killed" | "stopped"))
}
