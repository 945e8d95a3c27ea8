//! Reads sessions that the real agents left on disk, cut down.

mod codex;
mod support;
