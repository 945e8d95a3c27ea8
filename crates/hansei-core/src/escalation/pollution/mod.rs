//! Whether a handoff carries the failed history that it must not. Told by structure alone: how long it is (here), speakers
//! that take turns (`turns.rs`), calls of tools and what came of them (`tool_calls.rs`), one attempt after the other with
//! its outcome (`narration.rs`), the same command, error or patch again and again (`replays.rs`), and thinking that was
//! left in (`reasoning.rs`). What a text says about itself plays no part.
//!
//! The parts are not judged alike. A task is a human's: it may quote a log, a discussion or an example of an interface, and
//! is refused only where a failed session is replayed in it. A payload has lists by contract, so that its items are no story.

mod narration;
mod reasoning;
mod replays;
mod speakers;
#[cfg(test)]
mod tests;
mod tool_calls;
mod turns;

/// What a part of a handoff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The original task or contract, in its author's words.
    Task,
    /// The inside of a payload: fields and lists of short items.
    Payload,
    /// Everything else: what stands around the payload, forced context, a command.
    Context,
}

impl Part {
    /// How many bytes it may have.
    fn longest(self) -> usize {
        match self {
            Self::Task => 32 * 1024,
            Self::Payload => super::payload::LONGEST_PAYLOAD,
            Self::Context => 6 * 1024,
        }
    }
}

/// What makes a handoff polluted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Pollution {
    /// More than the part may have.
    #[error("it has more than {allowed} bytes")]
    TooLong {
        /// How many it may have.
        allowed: usize,
    },
    /// Turns of a conversation.
    #[error("it replays {turns} turns of a conversation")]
    Turns {
        /// How many.
        turns: usize,
    },
    /// Calls of tools and their outputs.
    #[error("it replays {calls} calls of tools or their outputs")]
    ToolCalls {
        /// How many.
        calls: usize,
    },
    /// One attempt after the other, told at length.
    #[error("it narrates {attempts} attempts")]
    Attempts {
        /// How many.
        attempts: usize,
    },
    /// The same command or error several times over.
    #[error("it says the same {times} times: {line}")]
    Replay {
        /// How often.
        times: usize,
        /// What, in a line.
        line: String,
    },
    /// Thinking that was left in.
    #[error("it holds a block of reasoning")]
    Reasoning,
}

/// What pollutes a part of a handoff, if something does.
pub fn pollution(part: Part, text: &str) -> Option<Pollution> {
    if text.len() > part.longest() {
        return Some(Pollution::TooLong { allowed: part.longest() });
    }
    reasoning::left_in(part, text)
        .or_else(|| turns::taken(part, text))
        .or_else(|| tool_calls::replayed(part, text))
        .or_else(|| narration::told(part, text))
        .or_else(|| replays::repeated(part, text))
}
