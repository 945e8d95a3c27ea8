//! Edits of settings files that belong to others: text in, text out, and every byte that is not ours stays.
//!
//! An edit is a list of [`Insertion`]s, each small enough to be taken out again by itself: first an empty object, then an
//! empty list in it, then our entry in that. Whoever edits the file later, only what is still ours is taken out.

pub mod json;
pub mod json_document;
pub mod toml;

pub use hansei_record::installed::Insertion;

/// A settings file that cannot be edited, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}, column {column}: {message}")]
pub struct EditError {
    /// What is wrong.
    pub message: String,
    /// The line, counted from 1.
    pub line: usize,
    /// The column in characters, counted from 1.
    pub column: usize,
}

impl EditError {
    /// `message` about the byte `offset` of `text`.
    pub fn at(text: &str, offset: usize, message: impl Into<String>) -> Self {
        let before = text.get(..offset).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Self {
            message: message.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].trim_start_matches('\u{feff}').chars().count() + 1,
        }
    }
}

/// A text after an edit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edited {
    /// The text.
    pub text: String,
    /// What was put in, in this order.
    pub insertions: Vec<Insertion>,
    /// Texts of ours that were changed in place: what stood there, and what does now.
    pub changed: Vec<(String, String)>,
}

/// The line ending that a text uses.
pub(crate) fn newline_of(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}
