//! Decisions that are not forgotten: what was decided, why, and what was rejected, so that a rejected path does not come back
//! by accident.
//!
//! Decisions stand in the repository: `[DEF:id:ADR]` blocks and `@RATIONALE` / `@REJECTED` tags in comments (`tags.rs`), and
//! ADR folders (`adr.rs`, and what they reject in `adr_rejections.rs`). The names of a rejection (`names.rs`, `plain_names.rs`) are
//! what may not return. A change is held against the decisions of its base (`check.rs`): what comes back (`reintroduced.rs`), what
//! goes away or says less (`removed.rs`, `firmness.rs`), what decides otherwise (`contradiction.rs`, `taking_away.rs`), as a plan does (`plan.rs`) or
//! an answer (`proposal.rs`, its patch by `patch_places.rs`).
//! Only a formal revision (`revision.rs`) lifts a decision.
//!
//! Whether a line uses a name is for `uses.rs` to say, with what knows of one thing each: `import.rs`, `module_names.rs`,
//! `manifest.rs`, `notebook.rs`, `fetched.rs`, `command_line.rs`, `typeset.rs`, `path_uses.rs`, `technology.rs`, `own_names.rs` and
//! `keeping_out.rs`. What of a line is code is read by `syntax.rs`, for the `comment_style.rs` of its file.

mod adr;
mod adr_rejections;
mod base_uses;
mod change;
mod check;
mod command_line;
mod comment_style;
mod contradiction;
mod decided_files;
mod decision;
mod fetched;
mod file_kind;
mod firmness;
mod import;
mod keeping_out;
mod manifest;
mod module_names;
mod names;
mod notebook;
mod own_names;
mod paragraphs;
mod patch_places;
mod path_uses;
mod place;
mod plain_names;
mod plan;
mod proposal;
mod reasons;
mod reintroduced;
mod removed;
mod revision;
mod syntax;
mod tags;
mod taking_away;
mod technology;
#[cfg(test)]
mod tests;
mod typeset;
mod uses;
mod wanted;

pub use adr::is_adr_path;
pub use base_uses::BaseUses;
pub use change::{BadDiff, Change, ChangedLine, FileChange, LineSide, MOST_CHANGED_LINES};
pub use check::{check_change, check_plan, rejected_by};
pub use decided_files::{DecidedFiles, MARKS, may_hold_decisions};
pub use decision::{
    Decision, DecisionKind, Memory, Reason, Rejection, SourceFile, Standing, Violation, ViolationKind,
};
pub use names::Name;
pub use proposal::{Against, Proposal, read_patch};
pub use revision::{RevisionPacket, revise};
