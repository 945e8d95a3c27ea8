//! Reads sessions that the real agents left on disk, cut down; and trajectories and messages, in and out.
#![allow(clippy::unwrap_used)]
#![allow(clippy::disallowed_methods, reason = "tests prepare files and run the reference validator")]

mod atif;
mod atif_rules;
mod claude_code;
mod codex;
mod gemini;
mod messages;
#[cfg(feature = "transcripts")]
mod opencode;
mod support;
