//! When an agent loops: the escalation it hands up, the clean handoff to a second mind, and what that mind may answer.
//!
//! A loop that is blocked becomes a bounded [`Escalation`]. Whether it was routed rightly and came without the failed
//! reasoning is decided by [`admit`]; what the rescue may do follows from its own counter ([`RescueMode`]). Every answer is
//! one [`Answer`], and one that was tried before, or that would bring back what a decision rejected, is refused.

mod answer;
mod answer_reader;
mod attempt;
mod binding_decisions;
mod finding;
mod fingerprint;
mod forced_context;
mod handoff;
#[cfg(test)]
mod handoff_tests;
mod hypothesis;
#[cfg(test)]
mod hypothesis_tests;
mod layer;
mod meaning;
mod orientation;
mod payload;
mod payload_extent;
mod payload_keys;
mod payload_reader;
#[cfg(test)]
mod payload_tests;
mod pollution;
mod prompt;
mod retry_packet;
mod sources;
mod terminal;
mod tried;
#[cfg(test)]
mod unblocker_tests;
mod weighing;
#[cfg(test)]
mod weighing_tests;

pub use answer::{Answer, AnswerKind, ContextTarget, Diagnosis};
pub use answer_reader::{BadRescue, read_answer};
pub use attempt::{Attempt, RescueMode};
pub use binding_decisions::binding_decisions;
pub use finding::{Finding, Probe};
pub use fingerprint::{ErrorSignature, Failure, Fingerprint};
pub use forced_context::{ChecklistItem, ForcedContext};
pub use handoff::{Handoff, MOST_READ, NoRescue, Received, Refusal, Snapshot, admit, begin};
pub use hypothesis::is_the_same;
pub use layer::FailureLayer;
pub use orientation::{Oriented, incoherent, strongest};
pub use payload::{ABOVE_REFLECTION, Escalation, LONGEST_PAYLOAD, OF_THE_UNBLOCKER};
pub use payload_reader::NoPayload;
pub use pollution::{Part, Pollution, pollution};
pub use prompt::{Question, prompt};
pub use retry_packet::RetryPacket;
pub use sources::named_sources;
pub use terminal::{Brought, terminal};
pub use tried::{AlreadyTried, MOST_TOLD, Receipt, Tried, Try};
pub use weighing::{Guard, weigh};
