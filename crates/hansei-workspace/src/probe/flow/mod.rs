//! Following a value through several hands: constants, texts that are put together, lists, functions that are handed a name.
//!
//! This is no compiler: what is not understood is not followed, and gives no finding.

mod expression;
mod functions;
mod loops;
mod scope;
mod sources;
mod tokens;
mod values;

pub(super) use functions::{Function, enclosing_call, line_end};
pub(super) use scope::Scope;
pub(super) use sources::{Source, Sources};
pub(super) use tokens::{Kind, Token, Tongue, closing, parts, tokens};
pub(super) use values::{Hole, Made};
