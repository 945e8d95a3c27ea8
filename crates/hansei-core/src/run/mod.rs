//! The quality loop as a value: what it is told, and what it asks for next.

pub mod conversation;
