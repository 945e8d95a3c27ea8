//! When an agent loops: the escalation it hands up, the clean handoff to a second mind, and what that mind may answer.
//!
//! A loop that is blocked becomes a bounded [`Escalation`]. Whether it was routed rightly and came without the failed
//! reasoning is decided by [`admit`]; what the rescue may do follows from its own counter ([`RescueMode`]). Every answer is
//! one [`Answer`], and one that was tried before, or that would bring back what a decision rejected, is refused.

mod attempt;
mod layer;
mod payload;
mod payload_reader;
#[cfg(test)]
mod payload_tests;

pub use attempt::{Attempt, RescueMode};
pub use layer::FailureLayer;
pub use payload::{ABOVE_REFLECTION, Escalation, LONGEST_PAYLOAD};
pub use payload_reader::NoPayload;
