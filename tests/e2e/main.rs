//! Real agents, one module each, against the scripted model: only the model is replaced.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod agent;
mod claims;
mod claude_code;
mod codex;
mod codex_server;
mod compaction;
mod doer;
mod gemini;
mod kilo;
mod left_alone;
mod mcp;
mod off_the_road;
mod opencode;
mod records;
mod running;
mod scenario;
mod sent_back;
mod serve;
mod stuck;
mod team;
mod trust;
mod two_worktrees;
mod world;
