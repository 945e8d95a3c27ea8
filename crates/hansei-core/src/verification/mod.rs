//! Verification: which commands decide whether the work in a workspace holds, and what their results mean together.
//!
//! [`plan()`] is a function of what the workspace contains now and contained at its base commit, of what changed, and of what
//! a human's settings and a Spec ask for. [`judge()`] reads one command's end and output, [`inheritance`] sets apart what
//! was red before, and [`answer()`] joins it all. Nothing here reads a file or runs anything: `hansei-engine` does.
//!
//! What names a check is read from the base commit. Where the work changed such a definition, the base's is put back for
//! the run ([`definitions`]) and the change is reported as [`Weakened`].

pub mod admission;
mod answer;
mod complaints;
mod contents;
pub mod definitions;
mod early_end;
mod ecosystem;
mod excerpt;
pub mod inheritance;
mod judge;
mod manifest;
mod packages;
mod plan;
mod scripts;
mod table;
mod weakened;

pub use answer::{Answer, CheckReport, Report, answer};
pub use contents::{Contents, Texts};
pub use ecosystem::{CheckRow, Ecosystem, Reach, Reads};
pub use excerpt::excerpt;
pub use judge::{End, Judged, Status, judge};
pub use plan::{Asked, Plan, PlannedCheck, Source, Task, Todo, Tool, plan};
pub use table::{built_in, with_own};
pub use weakened::Weakened;

#[cfg(test)]
mod tests;
