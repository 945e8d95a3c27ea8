//! Promptfoo's eval files, run natively.

pub mod native;
