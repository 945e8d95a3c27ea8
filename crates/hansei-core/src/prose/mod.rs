//! What a text says: its sentences without code, quotations and logs, and what each of them means.
//!
//! [`Prose`] takes Markdown apart. [`phrase`] finds phrases of the [`lexicon`] in a sentence, and [`stance`] tells whether
//! such a phrase is asserted, denied, supposed, planned or told of the past. Other languages than English are read as far as
//! the lexicon has phrases of them; where it has none, detectors fall back to structure.

mod lexicon;
mod markdown;
mod phrase;
mod plain_text;
mod stance;
pub(crate) mod words;

pub use lexicon::Concept;
pub(crate) use lexicon::{any, begins_one, holds_one, is};
pub use markdown::{End, Form, Prose, Sentence};
pub use phrase::Hit;
pub use stance::Stance;
