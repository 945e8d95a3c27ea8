//! The user's tree: where its repository is, what has changed in it, and how to ask git without being used by it.
//!
//! A repository is hostile until proven otherwise: nothing in it may name a program that we run.

pub mod ancestry;
pub mod beneath;
pub mod bounded_process;
pub mod broken_decisions;
pub mod changes;
pub mod content;
pub mod conversing;
pub mod extents;
pub mod git;
pub mod history;
pub mod layout;
pub mod probe;
pub mod program;
pub mod program_version;
pub mod protected;
pub mod sandbox;
pub mod searched;
pub mod status;
pub mod team_trees;
pub mod throwaway;
pub mod tree_files;
pub mod whole_diff;
