//! What a tool call does, whatever the agent calls the tool.

use serde::{Deserialize, Serialize};

/// What a tool call does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "does", rename_all = "snake_case")]
pub enum Action {
    /// Runs a command line.
    Run {
        /// The command line.
        command: String,
        /// Whether it is left running.
        background: bool,
    },
    /// Writes, edits or removes files.
    Edit {
        /// The files.
        paths: Vec<String>,
    },
    /// Reads or searches.
    Look,
    /// Sets the list of things to do.
    SetTodos {
        /// The whole list.
        todos: Vec<Todo>,
    },
    /// Hands a part of the work to another agent.
    Delegate {
        /// What it is told.
        request: String,
    },
    /// Asks the human something.
    Ask {
        /// The question.
        question: String,
    },
    /// Presents a plan for approval.
    Plan,
    /// Hands the work in: some protocols end with a call instead of words.
    HandIn,
    /// Something else.
    Other,
}

/// One thing to do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Todo {
    /// What.
    pub text: String,
    /// How far it is.
    pub status: TodoStatus,
}

/// How far a thing to do is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TodoStatus {
    /// Not begun.
    Open,
    /// Begun.
    Doing,
    /// Done.
    Done,
    /// Given up.
    Dropped,
}

impl TodoStatus {
    /// The status that agents call `name`.
    pub fn from_name(name: &str) -> Self {
        match name {
            "completed" | "done" | "complete" => Self::Done,
            "in_progress" | "in-progress" | "doing" | "active" => Self::Doing,
            "cancelled" | "canceled" | "dropped" | "skipped" => Self::Dropped,
            _ => Self::Open,
        }
    }
}
