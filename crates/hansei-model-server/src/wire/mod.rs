//! The wire formats of the providers: how each asks, answers, streams and fails.
//!
//! A format is a file here with four functions: `read` a request, write a `whole` turn, its `events`, or an `error`.

pub mod anthropic;
pub mod chat;
pub mod gemini;
pub mod responses;

use serde_json::Value;

use crate::answer::Part;
use crate::request::Asked;
use crate::script::{ErrorAnswer, Stop, Usage};

/// When every answer was made. A clock would make two runs differ, and nobody reads it.
const MADE_AT: u64 = 1_700_000_000;

/// How many characters one event of a stream carries, so that agents have something to put together.
const PIECE: usize = 24;

/// A wire format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI Chat Completions.
    Chat,
    /// OpenAI Responses.
    Responses,
    /// Gemini `generateContent`.
    Gemini,
}

/// A turn to be written.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// The number of the request, from which ids are made: unique within a server, equal between runs.
    pub number: u32,
    /// The model's name.
    pub model: &'a str,
    /// What the turn consists of.
    pub parts: &'a [Part],
    /// The tokens it claims to have cost.
    pub usage: Usage,
    /// What it says that it ended for.
    pub stop: Stop,
}

/// One event of a stream.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// Its name, in formats that name events.
    pub name: Option<String>,
    /// What it carries.
    pub data: String,
}

impl Event {
    fn of(data: &Value) -> Self {
        Self { name: None, data: data.to_string() }
    }

    /// An event that is named by the `type` of what it carries.
    fn typed(data: &Value) -> Self {
        Self { name: data["type"].as_str().map(ToOwned::to_owned), data: data.to_string() }
    }

    /// It as server-sent events write it.
    pub fn text(&self) -> String {
        match &self.name {
            Some(name) => format!("event: {name}\ndata: {}\n\n", self.data),
            None => format!("data: {}\n\n", self.data),
        }
    }
}

impl Format {
    /// Reads a request. Gemini says in the path what others say in the body.
    pub fn read(self, body: &Value) -> Asked {
        match self {
            Self::Anthropic => anthropic::read(body),
            Self::Chat => chat::read(body),
            Self::Responses => responses::read(body),
            Self::Gemini => gemini::read(body),
        }
    }

    /// A turn as one value.
    pub fn whole(self, turn: Turn<'_>) -> Value {
        match self {
            Self::Anthropic => anthropic::whole(turn),
            Self::Chat => chat::whole(turn),
            Self::Responses => responses::whole(turn),
            Self::Gemini => gemini::whole(turn),
        }
    }

    /// A turn as a stream.
    pub fn events(self, turn: Turn<'_>) -> Vec<Event> {
        match self {
            Self::Anthropic => anthropic::events(turn),
            Self::Chat => chat::events(turn),
            Self::Responses => responses::events(turn),
            Self::Gemini => gemini::events(turn),
        }
    }

    /// The body of an error.
    pub fn error(self, error: &ErrorAnswer) -> Value {
        if let Some(body) = &error.body {
            return body.clone();
        }
        match self {
            Self::Anthropic => anthropic::error(error),
            Self::Chat | Self::Responses => chat::error(error),
            Self::Gemini => gemini::error(error),
        }
    }
}

/// `text` in pieces.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(PIECE).map(|piece| piece.iter().collect()).collect()
}

/// The items of a list, none when it is not one.
fn items(value: &Value) -> impl Iterator<Item = &Value> {
    value.as_array().into_iter().flatten()
}

fn string(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests;
