//! Promptfoo's eval files, run natively: from a file to its cases, from an answer to its grade, from two runs to what
//! differs.
//!
//! A file is somebody else's text. What it says in a way that we do not know is an error that names it, never a pass;
//! its scripts have no files, no network and no processes, and a limit on time and memory.
//!
//! What never lives here: a model's wire format, an async runtime, printing. The binary hands models in.

pub mod assertion;
pub mod compare;
mod files;
mod js_text;
pub mod native;
mod problem;
pub mod provider;
pub mod result;
pub mod run;
mod script;
pub mod suite;
mod template;
mod yaml;

pub use problem::Problem;
