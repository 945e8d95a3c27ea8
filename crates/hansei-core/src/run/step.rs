//! What a run asks for next.

use super::conversation::ToolCall;
use super::event::{Ended, Purpose};
use super::spec::Spec;
use super::team::TeamStep;
use crate::verdict::Pause;

/// What a run asks for next.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// Ask the model.
    Ask(Purpose),
    /// Wait until the provider may be asked again.
    WaitForLimit {
        /// How long.
        seconds: u64,
    },
    /// Call a tool.
    Call(ToolCall),
    /// Tell the model that a call is not made, without making it.
    Deny {
        /// The call.
        call: ToolCall,
        /// What it is told.
        told: String,
    },
    /// Record that nobody knows what came of a call.
    LoseTrack(ToolCall),
    /// Write the Spec down.
    KeepSpec {
        /// Its id.
        spec_id: String,
        /// The Spec.
        spec: Spec,
        /// Whether it was prose.
        loose: bool,
    },
    /// Ask a person whether the Spec is right.
    Review {
        /// The Spec's id.
        spec_id: String,
        /// The Spec.
        spec: Spec,
        /// The id of the review: the same whenever this Spec is reviewed.
        spec_review_id: String,
        /// Whether the request is on record and only its reply is missing.
        is_open: bool,
    },
    /// Run the checks.
    Verify {
        /// Whether the model had not said that it was done.
        forced: bool,
    },
    /// Have somebody else look at what is in the way ([`super::Run::distress`]).
    Unblock,
    /// Do something for the team.
    Team(TeamStep),
    /// Put what a team did into the user's tree, or keep it beside it.
    HandOver {
        /// Whether it goes into the tree.
        applies: bool,
    },
    /// Rest. The run can go on later.
    Park {
        /// What it waits for.
        pause: Pause,
        /// Why, in words.
        reason: String,
    },
    /// End.
    End(Ended),
    /// Nothing: it rests or is over.
    Nothing,
}
