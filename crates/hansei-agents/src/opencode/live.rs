//! A session as the plugin sends it along with a stop: the messages that the agent's own server gives out, and those of
//! its sub-agents, which say whose they are.
//!
//! The hook opens no database, and the agent still writes to it.

use std::collections::BTreeMap;
use std::io;

use hansei_core::session::Circumstances;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::reader::{Heard, Reader};
use super::records::{Message, Part};
use crate::transcript::{Known, Reading, Sink, by_sub_agent};

#[derive(Deserialize)]
struct Sent<'a> {
    #[serde(borrow)]
    info: &'a RawValue,
    #[serde(borrow, default)]
    parts: Vec<&'a RawValue>,
    /// The session of a sub-agent that it comes from.
    #[serde(default)]
    by: Option<String>,
}

#[derive(Deserialize)]
struct Id {
    id: String,
}

/// The messages of sub-agents that were not told yet.
type Theirs<'a> = BTreeMap<String, Vec<Sent<'a>>>;

/// Streams the events of the messages in `json`, a list of them with their parts.
pub(crate) fn read(json: &str, sink: &mut Sink<'_>) -> io::Result<Reading> {
    let messages: Vec<&RawValue> = serde_json::from_str(json).map_err(io::Error::from)?;
    let mut reading = Reading::default();
    let (mut own, mut theirs) = (Vec::new(), Theirs::new());
    for raw in messages {
        match serde_json::from_str::<Sent<'_>>(raw.get()) {
            Ok(Sent { by: Some(session), info, parts }) => {
                theirs.entry(session).or_default().push(Sent { by: None, info, parts });
            }
            Ok(sent) => own.push(sent),
            Err(_) => count(&mut reading, Known::No),
        }
    }
    tell(own, &mut theirs, &mut reading, sink);
    Ok(reading)
}

/// Streams the events of one session, and of each sub-agent behind the call that started it.
fn tell<'a>(messages: Vec<Sent<'a>>, theirs: &mut Theirs<'a>, reading: &mut Reading, sink: &mut Sink<'_>) {
    let mut reader = Reader::new(sink);
    let start = Circumstances::default();
    for sent in messages {
        let Some((id, message)) = head(sent.info) else {
            count(reading, Known::No);
            continue;
        };
        count(reading, reader.begin(&message, &start));
        let mut heard = Heard::default();
        for raw in sent.parts {
            let id = serde_json::from_str::<Id>(raw.get()).map(|part| part.id).unwrap_or_default();
            let Ok(part) = serde_json::from_str::<Part<'_>>(raw.get()) else {
                count(reading, Known::No);
                continue;
            };
            count(reading, reader.part(&message, &id, &part, &mut heard));
            let child = part.sub_session().and_then(|session| theirs.remove(session));
            if let (Some(call), Some(child)) = (part.call.as_deref(), child) {
                let sink = &mut *reader.sink;
                let mut of_child = |event| by_sub_agent(call, event).into_iter().for_each(&mut *sink);
                tell(child, theirs, reading, &mut of_child);
            }
        }
        reader.end(&id, &message, heard);
    }
}

fn count(reading: &mut Reading, known: Known) {
    reading.lines += 1;
    reading.unknown += u64::from(known == Known::No);
}

fn head(info: &RawValue) -> Option<(String, Message<'_>)> {
    let id = serde_json::from_str::<Id>(info.get()).ok()?.id;
    Some((id, serde_json::from_str(info.get()).ok()?))
}
