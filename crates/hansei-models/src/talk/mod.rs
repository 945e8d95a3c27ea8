//! A conversation with a model, call after call, in one process: one runtime, one client, one connection that is kept.
//!
//! A call streams: words are handed on as they come, and the whole turn comes back at the end. It ends when the user
//! wants it to, when the server shows no sign of life, or when its time is up, whatever it is doing. Nothing is tried
//! again here: who calls decides.

mod answer;
mod call_id;
pub(crate) mod failure;
mod mark;
pub(crate) mod patience;
mod request;

use std::pin::Pin;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use futures_core::Stream as _;
use genai::chat::{ChatStream, ChatStreamEvent};
use genai::{ModelIden, ServiceTarget};
use hansei_core::run::conversation::{Conversation, NoAnswer, Turn};
use tokio::runtime::Runtime;

use crate::address::Address;
use crate::choice;
use crate::client::{Connection, ProviderModel, runtime};
use crate::key::Key;
use crate::known_models::known;
use answer::Answer;
use failure::Frames;
use patience::Patience;

/// Where the address of a conversation's model is set.
const BASE_URL: &str = "--base-url";

/// How long a command may take that prints the key.
const KEY_TIME: Duration = Duration::from_secs(30);

/// What one call may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limits {
    /// The most tokens of an answer; None leaves it to the provider.
    pub max_tokens: Option<u32>,
    /// How long the server may show no sign of life.
    pub silence: Duration,
    /// The whole call.
    pub time: Duration,
    /// Whether a limit in money is kept, which is impossible with a model whose price nobody knows.
    pub needs_price: bool,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_tokens: None,
            // Models that think may be silent for minutes before their first word.
            silence: Duration::from_mins(3),
            time: Duration::from_mins(20),
            needs_price: false,
        }
    }
}

/// What is heard of an answer while it is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard<'a> {
    /// A piece of its words.
    Text(&'a str),
    /// A piece of its thoughts, where the provider shows them.
    Reasoning(&'a str),
}

/// A model to talk to, as often as needed.
pub struct Talker {
    /// There until this is dropped.
    runtime: Option<Runtime>,
    connection: Connection,
    model: ProviderModel,
    /// The model's name, once it is known.
    name: OnceLock<String>,
    limits: Limits,
}

impl std::fmt::Debug for Talker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Talker")
            .field("model", &self.model)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

impl Drop for Talker {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            // A name lookup that hangs sits in a thread that cannot be ended; it is not waited for.
            runtime.shutdown_background();
        }
    }
}

impl Talker {
    /// Gets the key and a client ready. Nothing is sent yet.
    pub fn new(model: ProviderModel, limits: Limits) -> Result<Self, NoAnswer> {
        let provider = model.model.provider;
        let address = Address::of(provider, model.base_url.as_deref(), BASE_URL)?;
        let name = OnceLock::new();
        if let Some(given) = &model.model.name {
            has_price(given, &address, limits)?;
            let _ = name.set(given.clone());
        }
        let key = Key::of(provider, &model.key, Instant::now() + KEY_TIME)?;
        let connection = Connection::to(address, key, BASE_URL)?;
        Ok(Self { runtime: Some(runtime()?), connection, model, name, limits })
    }

    /// The model's name at its provider, once it is known: one that is to be chosen is known after the first call.
    pub fn model_name(&self) -> Option<&str> {
        self.name.get().map(String::as_str)
    }

    /// Tells the model everything in `conversation` and waits for its turn. What it says is `heard` as it comes; the
    /// call is given up soon after `is_over` says so.
    pub fn say(
        &self,
        conversation: &Conversation,
        heard: &mut dyn FnMut(Heard<'_>),
        is_over: &dyn Fn() -> bool,
    ) -> Result<Turn, NoAnswer> {
        // It is there from the making to the dropping.
        let Some(runtime) = &self.runtime else { return Err(NoAnswer::Interrupted) };
        runtime.block_on(async {
            let mut patience = Patience::new(self.limits.time, is_over);
            // Between two calls nobody looks at the connection: a moment for it to see that the server closed it.
            patience.lull().await?;
            let name = self.name(&mut patience).await?;
            self.hear(name, conversation, heard, &mut patience).await
        })
    }

    /// The model's name, chosen from what the provider offers where none was given.
    async fn name(&self, patience: &mut Patience<'_>) -> Result<&str, NoAnswer> {
        if let Some(name) = self.name.get() {
            return Ok(name);
        }
        let cache = self.model.cache.as_ref();
        let choosing = choice::fast_model(self.model.model.provider, &self.connection, cache);
        let mut choosing = Box::pin(choosing);
        let name = patience.wait(|context| choosing.as_mut().poll(context)).await??;
        has_price(&name, &self.connection.address, self.limits)?;
        Ok(self.name.get_or_init(|| name))
    }

    async fn hear(
        &self,
        name: &str,
        conversation: &Conversation,
        heard: &mut dyn FnMut(Heard<'_>),
        patience: &mut Patience<'_>,
    ) -> Result<Turn, NoAnswer> {
        let provider = self.model.model.provider;
        let wire = provider.wire(name);
        let frames = Frames::default();
        let failed =
            |error| failure::no_answer(error, &self.connection.address.host(), &frames, self.limits.silence);
        let target = ServiceTarget {
            endpoint: self.connection.endpoint(),
            auth: self.connection.auth(),
            model: ModelIden::new(wire, name),
        };
        let options = request::options(provider, name, conversation, &self.limits)
            .with_raw_frame_sink_arc(frames.sink());
        let request = request::request(wire, conversation);
        let asked = self.connection.client.exec_chat_stream(target, request, Some(&options)).await;
        let mut stream = asked.map_err(failed)?.stream;
        let mut answer = Answer::new(wire, name);
        let end = loop {
            match patience.wait(|context| next(&mut stream, context)).await? {
                Some(Ok(ChatStreamEvent::End(end))) => break end,
                Some(Ok(event)) => answer.hear(event, heard)?,
                Some(Err(error)) => return Err(failed(error)),
                None => return Err(failure::cut(&self.connection.address.host(), &frames)),
            }
        };
        // The end of the body follows the end mark: with a moment to be read, the connection is kept.
        patience.lull().await?;
        drop(stream);
        if answer.was_cut(&end) {
            return Err(failure::cut(&self.connection.address.host(), &frames));
        }
        let mut turn = answer.turn(end, conversation)?;
        turn.turn.spent.usd = if self.connection.address.is_here() {
            Some(0.0)
        } else {
            known(name).map(|known| known.cost_with_cache(&turn.tokens))
        };
        Ok(turn.turn)
    }
}

type Event = Option<Result<ChatStreamEvent, genai::Error>>;

fn next(stream: &mut ChatStream, context: &mut std::task::Context<'_>) -> std::task::Poll<Event> {
    Pin::new(stream).poll_next(context)
}

/// A limit in money that the user set is kept, or the model is not asked. A server on this machine is free.
fn has_price(name: &str, address: &Address, limits: Limits) -> Result<(), NoAnswer> {
    if !limits.needs_price || address.is_here() || known(name).is_some() {
        return Ok(());
    }
    Err(NoAnswer::Refused {
        reason: format!("the price of {name} is not known, so a limit in US dollars cannot be kept"),
    })
}
