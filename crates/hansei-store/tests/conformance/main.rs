//! Every operation of a store, on SQLite and on a real PostgreSQL server: one suite for both.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod backend;
mod catching_up;
mod faults;
mod files;
mod killed;
mod operations;
mod questions;
mod schemas;
