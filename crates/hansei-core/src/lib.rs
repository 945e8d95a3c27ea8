//! Vocabulary and decisions of Hansei.
//!
//! Everything here is a value or a pure function of values: no file, environment, clock, randomness, process or
//! network. What happened comes in, what to do goes out. `clippy.toml` beside this crate refuses the rest.

pub mod check;
pub mod decision_memory;
pub mod escalation;
pub mod event;
pub mod evidence;
pub mod experiment;
pub mod gate;
pub mod history;
pub mod interrupt;
pub mod ledger;
mod model_text;
pub mod notice;
pub mod nudge;
pub mod outcome;
pub mod path_text;
pub mod prose;
pub mod reflection;
pub mod report;
pub mod risk;
pub mod run;
pub mod schema;
pub mod self_report;
pub mod session;
pub mod session_name;
pub mod stuck;
pub mod surface;
mod tables;
pub mod text_edit;
pub mod timestamp;
pub mod transcript_mark;
pub mod verdict;
pub mod verification;
