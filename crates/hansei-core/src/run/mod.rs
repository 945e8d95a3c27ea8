//! The quality loop as a value: it is told what happened, and asks for the next step.
//!
//! [`Run`] is a fold over [`RunEvent`]s and nothing else, so a run can be stopped anywhere and taken up from its log.
//! [`Run::next`] is a pure function of it: call the model, call a tool, verify, ask for a review, rest, or end. Whoever drives it
//! records each event before it acts on it. There is one conversation from the plan to the last reflection.
//!
//! A red check climbs a ladder: it is told, it is reflected upon, somebody with a clean context looks at it ([`Distress`]) and
//! the work begins anew in a clean conversation, and at last it is handed up to a person.

mod account;
pub mod budget;
pub mod conversation;
mod event;
pub mod evidence;
mod fold;
mod gate;
mod mode;
mod prompt;
mod repetition;
mod rescue;
mod session_events;
pub mod spec;
mod state;
mod step;
pub mod team;
mod team_fold;
#[cfg(test)]
mod tests;
mod trace;

pub use event::{Became, Decision, Ended, Purpose, RunEvent, RunLine, Started, Terms};
pub use gate::{Checked, Gate, Verification};
pub use mode::{BadMode, Mode};
pub use rescue::{Distress, Rescued};
pub use session_events::session_events;
pub use state::{Phase, Run};
pub use step::Step;
pub use trace::otlp;
