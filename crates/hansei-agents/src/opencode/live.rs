//! A session as the plugin sends it along with a stop: the messages that the agent's own server gives out.
//!
//! The hook opens no database, and the agent still writes to it.

use std::io;

use hansei_core::session::Circumstances;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::reader::{Heard, Reader};
use super::records::{Message, Part};
use crate::transcript::{Known, Reading, Sink};

#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow)]
    info: &'a RawValue,
    #[serde(borrow, default)]
    parts: Vec<&'a RawValue>,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

/// Streams the events of the messages in `json`, a list of them with their parts.
pub(crate) fn read(json: &str, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let messages: Vec<&RawValue> = serde_json::from_str(json).map_err(io::Error::from)?;
    let mut reader = Reader::new(sink);
    let mut reading = Reading::default();
    let start = Circumstances::default();
    let mut count = |known| {
        reading.lines += 1;
        reading.unknown += u64::from(known == Known::No);
    };
    for raw in messages {
        let Some((sent, id, message)) = message(raw) else {
            count(Known::No);
            continue;
        };
        count(reader.begin(&message, &start));
        let mut heard = Heard::default();
        for raw in sent.parts {
            let id = serde_json::from_str::<Id>(raw.get()).map(|part| part.id).unwrap_or_default();
            let part = serde_json::from_str::<Part<'_>>(raw.get());
            count(part.map_or(Known::No, |part| reader.part(&message, &id, &part, &mut heard)));
        }
        reader.end(&id, &message, heard);
    }
    Ok(reading)
}

fn message(raw: &RawValue) -> Option<(Sent<'_>, String, Message<'_>)> {
    let sent: Sent<'_> = serde_json::from_str(raw.get()).ok()?;
    let id = serde_json::from_str::<Id>(sent.info.get()).ok()?.id;
    let message = serde_json::from_str(sent.info.get()).ok()?;
    Some((sent, id, message))
}
