//! What happened in an agent's session, in one form for all agents.
//!
//! An adapter streams [`SessionEvent`]s, losing nothing that matters to any decision; [`Session`] is their bounded fold.
//! The events know no agent: what a tool call *does* is said by its [`Action`].

mod action;
mod cut;
mod excerpt;
mod fold;
mod usage_limit;
mod written;

pub use action::{Action, Todo, TodoStatus};
pub use cut::cut_mark;
pub use excerpt::Excerpt;
pub use fold::{Call, CallEnd, CheckRun, Said, Session, Task, Turn};
pub use usage_limit::is_usage_limit;
pub use written::{Written, exchanged};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::timestamp::Timestamp;

/// Something that happened in a session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SessionEvent {
    /// When, if the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Timestamp>,
    /// The source's own id for the message or line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// What.
    #[serde(flatten)]
    pub what: What,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum What {
    /// The session, or a part of it after a resume, begins. Fields that the source does not give are absent.
    Started(Circumstances),
    /// A human asked for something.
    HumanSaid {
        /// The request.
        text: String,
        /// How it was given.
        via: HumanVia,
    },
    /// Text that reached the agent in the human's place: a hook's feedback, a notification, a reminder.
    Fed {
        /// The text.
        text: String,
        /// Who fed it.
        by: Feeder,
    },
    /// The agent said something to the human.
    Said {
        /// The text.
        text: String,
    },
    /// The agent thought aloud.
    Thought {
        /// The text.
        text: String,
    },
    /// The agent called a tool.
    Called {
        /// The call's id, which its answer carries too.
        call: String,
        /// The tool's name, as the agent calls it.
        tool: String,
        /// The tool's input, whole.
        input: Value,
        /// What the call does.
        action: Action,
    },
    /// A tool answered. A call that went on in the background answers again when its output arrives.
    Answered {
        /// The call's id.
        call: String,
        /// What it printed or returned.
        output: String,
        /// How it ended.
        end: AnswerEnd,
        /// The exit code of the whole command line, for a command that ran to its end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        exit_code: Option<i32>,
    },
    /// A sub-agent did something.
    BySubAgent {
        /// The call that handed the work over, where the source says which.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<String>,
        /// What it did.
        what: Box<What>,
    },
    /// The context was compacted: a new epoch begins.
    Compacted {
        /// What is left of what was before.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        summary: Option<String>,
    },
    /// The permission mode changed.
    Permission {
        /// Whether the agent may only plan.
        plan: bool,
        /// The agent's own name for the mode.
        name: String,
    },
    /// Tokens and money that a model call took.
    Used(Usage),
    /// A human interrupted the agent.
    Aborted,
    /// A turn failed.
    Failed {
        /// What the agent or its model said.
        error: String,
    },
    /// The agent stopped and waited for its human.
    Stopped,
    /// The session ended.
    Ended {
        /// Why, in the agent's words.
        reason: String,
    },
}

/// How a human gave a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanVia {
    /// Typed as a message.
    Prompt,
    /// As the arguments of a command.
    Command,
}

/// Who put text before the agent in the human's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Feeder {
    /// A stop hook: ours or another's.
    StopHook,
    /// The agent's own machinery.
    Agent,
}

/// How a tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerEnd {
    /// It did what it was asked.
    Done,
    /// It failed.
    Failed,
    /// A human or a rule refused it.
    Denied,
    /// It was interrupted.
    Interrupted,
    /// It went on in the background.
    Background,
}

/// Where and with what a session runs.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Circumstances {
    /// The agent's version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The folder.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cwd: Option<String>,
    /// The branch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub branch: Option<String>,
    /// Whether a human sits at the terminal, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attended: Option<bool>,
    /// The session this one was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub forked_from: Option<String>,
}

/// What model calls took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens read, cached ones included.
    #[serde(default)]
    pub input_tokens: u64,
    /// Tokens written.
    #[serde(default)]
    pub output_tokens: u64,
    /// US dollars, where the source says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_usd: Option<f64>,
}

impl Usage {
    /// Tokens read and written.
    pub fn tokens(&self) -> u64 {
        self.input_tokens.saturating_add(self.output_tokens)
    }

    /// Adds what another call took. A transcript may say any number.
    pub fn add(&mut self, more: &Self) {
        self.input_tokens = self.input_tokens.saturating_add(more.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(more.output_tokens);
        if let Some(cost) = more.cost_usd {
            self.cost_usd = Some(self.cost_usd.unwrap_or_default() + cost);
        }
    }
}
