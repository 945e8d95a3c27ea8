//! A team: experts with roles who share a task, each in a work tree of its own.
//!
//! [`Template`] says who they are and who waits for whom. [`Team`] is a fold over what happened to them, and decides who may
//! start, whose work is merged next, what a failure means for the others, and when the team is through. Whoever carries that
//! out makes work trees, commits and merges; nobody takes a team's place where it fails.

mod builtin;
mod routing;
mod state;
mod template;
pub(super) mod told;

pub use builtin::{BUILT_IN, DEFAULT};
pub use routing::{Routed, routed};
pub use state::{Expert, MOST_AT_ONCE, Stage, Team, TeamStep};
pub use template::{NoTemplate, OURSELVES, Role, Template};

#[cfg(test)]
mod tests;
