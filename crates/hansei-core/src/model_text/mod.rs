//! What every prompt and every reader of an answer needs, whatever it is about: a fence around text that is data, objects
//! found in prose, and one bounded line out of any text.

mod fence;
mod line;
mod objects;

pub(crate) use fence::Fence;
pub(crate) use line::one_line;
pub(crate) use objects::objects_with;
