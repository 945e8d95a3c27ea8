//! What a text says: its sentences without code, quotations and logs, and what each of them means.
//!
//! [`Prose`] takes Markdown apart. [`phrase`] finds phrases of the [`lexicon`] in a sentence, and [`stance`] tells whether
//! such a phrase is asserted, denied, supposed or told of the past. English only: in other languages nothing is found,
//! and whoever asks falls back to structure.

mod lexicon;
mod markdown;
mod phrase;
mod stance;
mod words;

pub use lexicon::Concept;
pub use markdown::{End, Form, Prose, Sentence};
pub use phrase::Hit;
pub use stance::Stance;
