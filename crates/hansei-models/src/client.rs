//! One request to one provider, with a hard deadline.

use std::future::Future as _;
use std::time::{Duration, Instant};

use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponse, JsonSpec, ReasoningEffort};
use genai::resolver::{AuthData, Endpoint};
use genai::{ModelIden, ServiceTarget};
use hansei_core::run::conversation::NoAnswer;
use hansei_core::verdict::advisor::Prompt;
use hansei_record::cache::Cache;

use crate::address::Address;
use crate::budget::{self, Budget};
use crate::choice;
use crate::key::{Key, KeySource};
use crate::known_models::known;
use crate::provider::ModelName;
use crate::talk::failure::again_in;
use crate::talk::patience::Patience;
use crate::{Model, Reply, Unavailable, Usage};

/// Where the judge's address is set.
const BASE_URL: &str = "judge.base_url";

/// A provider's model, as settings name it. Nothing is looked up or started before it is asked.
#[derive(Debug, Clone)]
pub struct ProviderModel {
    /// The model.
    pub model: ModelName,
    /// Where it answers, instead of at the provider's own address.
    pub base_url: Option<String>,
    /// Where the key comes from.
    pub key: KeySource,
    /// Where the choice of a fast model is kept for a while.
    pub cache: Option<Cache>,
}

/// How long a connection is kept for the next question. What lies between two of them forgets silent ones sooner or later.
const IDLE: Duration = Duration::from_secs(30);

/// A provider, ready to be asked.
pub(crate) struct Connection {
    pub(crate) client: genai::Client,
    pub(crate) address: Address,
    pub(crate) key: Option<Key>,
}

/// What form an answer is asked for in.
#[derive(Debug, Clone, Copy)]
enum Form {
    /// JSON of the prompt's schema.
    Json { temperature: Option<f64> },
    /// Whatever the model makes of it.
    Free { temperature: Option<f64> },
}

/// A prompt that somebody else wrote, for an answer in any form.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FreePrompt {
    /// What the model is told before; empty for nothing.
    pub system: String,
    /// What it is asked.
    pub user: String,
    /// How much chance there is in the answer, where that is to be said.
    pub temperature: Option<f64>,
}

impl Model for ProviderModel {
    fn ask(&self, prompt: &Prompt, budget: &Budget) -> Result<Reply, Unavailable> {
        self.ask_in(Form::Json { temperature: None }, prompt, budget, &|| false)
    }
}

impl ProviderModel {
    /// Asks for an answer in any form, and comes back within the budget.
    pub fn answer(&self, prompt: &FreePrompt, budget: &Budget) -> Result<Reply, Unavailable> {
        let form = Form::Free { temperature: prompt.temperature };
        let prompt = Prompt {
            system: prompt.system.clone(),
            user: prompt.user.clone(),
            json_schema: serde_json::Value::Null,
        };
        self.ask_in(form, &prompt, budget, &|| false)
    }

    /// Asks for JSON without chance, and comes back within the budget or soon after `is_over` says so. A model that takes no
    /// temperature is asked without one.
    pub fn ask_while(
        &self,
        prompt: &Prompt,
        budget: &Budget,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Reply, NoAnswer> {
        let begun = Instant::now();
        let asked = self.ask_in(Form::Json { temperature: Some(0.0) }, prompt, budget, is_over);
        if !matches!(asked, Err(Unavailable::Status { status: 400, .. })) {
            return Ok(asked?);
        }
        let left = Budget { time: budget.time.saturating_sub(begun.elapsed()), ..*budget };
        Ok(self.ask_in(Form::Json { temperature: None }, prompt, &left, is_over)?)
    }

    /// Whether it could be asked: the address is one, and the key is there. Nothing is sent, and no command is run.
    pub fn ready(&self) -> Result<(), Unavailable> {
        Address::of(self.model.provider, self.base_url.as_deref(), BASE_URL)?;
        match &self.key {
            KeySource::Command(_) => Ok(()),
            source => Key::of(self.model.provider, source, Instant::now()).map(drop),
        }
    }

    fn ask_in(
        &self,
        form: Form,
        prompt: &Prompt,
        budget: &Budget,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Reply, Unavailable> {
        let deadline = Instant::now() + budget.time;
        let address = Address::of(self.model.provider, self.base_url.as_deref(), BASE_URL)?;
        if let Some(name) = &self.model.name {
            budget::check(name, address.is_here(), prompt, budget)?;
        }
        let key = Key::of(self.model.provider, &self.key, deadline)?;
        let runtime = runtime()?;
        let timed_out = Unavailable::TimedOut { seconds: budget.time.as_secs() };
        let asked = runtime.block_on(async {
            let connection = Connection::to(address, key, BASE_URL)?;
            let mut asking = Box::pin(self.ask_over(&connection, form, prompt, budget));
            let left = deadline.saturating_duration_since(Instant::now());
            let mut patience = Patience::new(left, is_over);
            match patience.wait(|context| asking.as_mut().poll(context)).await {
                Ok(asked) => asked,
                Err(NoAnswer::Interrupted) => Err(Unavailable::Interrupted),
                Err(_) => Err(timed_out),
            }
        });
        // A name lookup that hangs sits in a thread that cannot be ended; it is not waited for.
        runtime.shutdown_background();
        asked
    }

    async fn ask_over(
        &self,
        connection: &Connection,
        form: Form,
        prompt: &Prompt,
        budget: &Budget,
    ) -> Result<Reply, Unavailable> {
        let provider = self.model.provider;
        let name = if let Some(name) = &self.model.name {
            name.clone()
        } else {
            let name = choice::fast_model(provider, connection, self.cache.as_ref()).await?;
            budget::check(&name, connection.address.is_here(), prompt, budget)?;
            name
        };
        let target = ServiceTarget {
            endpoint: connection.endpoint(),
            auth: connection.auth(),
            model: ModelIden::new(provider.wire(&name), name.as_str()),
        };
        let mut request = ChatRequest::new(vec![ChatMessage::user(prompt.user.as_str())]);
        if !prompt.system.is_empty() {
            request = request.with_system(&prompt.system);
        }
        let mut options = ChatOptions::default().with_max_tokens(budget.max_tokens);
        let thinks = known(&name).is_some_and(|known| known.thinks);
        let temperature = match form {
            Form::Json { temperature } => {
                options = options.with_response_format(JsonSpec::new("verdict", prompt.json_schema.clone()));
                // Providers refuse one for a model that thinks.
                temperature.filter(|_| !thinks)
            }
            Form::Free { temperature } => temperature,
        };
        if let Some(temperature) = temperature {
            options = options.with_temperature(temperature);
        }
        if thinks {
            options = options.with_reasoning_effort(ReasoningEffort::Low);
        }
        let response = connection.client.exec_chat(target, request, Some(&options)).await;
        reply(&name, connection, response.map_err(|error| connection.unavailable(&error))?)
    }
}

fn reply(name: &str, connection: &Connection, response: ChatResponse) -> Result<Reply, Unavailable> {
    let count =
        |tokens: Option<i32>| tokens.and_then(|tokens| u64::try_from(tokens).ok()).unwrap_or_default();
    let usage = Usage {
        input_tokens: count(response.usage.prompt_tokens),
        output_tokens: count(response.usage.completion_tokens),
    };
    let cost_usd = if connection.address.is_here() {
        Some(0.0)
    } else {
        known(name).map(|known| known.cost(usage.input_tokens, usage.output_tokens))
    };
    let model = response.provider_model_iden.model_name.to_string();
    let text = response.into_texts().join("\n");
    if text.trim().is_empty() {
        return Err(Unavailable::Empty);
    }
    Ok(Reply { text, usage, cost_usd, model })
}

/// A runtime that lives on the thread of whoever asks.
pub(crate) fn runtime() -> Result<tokio::runtime::Runtime, Unavailable> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|_| Unavailable::Settings("the system gives no room for a request".to_owned()))
}

/// A client that follows no redirect: a key goes to the host that the user named and to no other.
fn client(address: &Address) -> Result<genai::Client, Unavailable> {
    // Whoever was first may have set it; every choice of ours is the same.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut builder = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .connect_timeout(Duration::from_secs(5))
        .pool_max_idle_per_host(1)
        .pool_idle_timeout(IDLE);
    if address.is_here() {
        builder = builder.no_proxy();
    }
    if address.is_plain() {
        // Without TLS no certificates are needed, and a machine may have none.
        builder = builder.tls_certs_only([]);
    }
    let http = builder
        .build()
        .map_err(|_| Unavailable::Settings("the system's certificates cannot be read".to_owned()))?;
    genai::Client::builder()
        .with_reqwest(http)
        .build()
        .map_err(|_| Unavailable::Settings("the system gives no room for a request".to_owned()))
}

impl Connection {
    /// To `address`, which was named in `setting`. A key does not travel where others can read it.
    pub(crate) fn to(address: Address, key: Option<Key>, setting: &str) -> Result<Self, Unavailable> {
        if key.is_some() && address.is_plain() && !address.is_here() {
            return Err(Unavailable::Settings(format!(
                "the key would travel to {} unencrypted; use https:// in {setting}",
                address.host()
            )));
        }
        Ok(Self { client: client(&address)?, address, key })
    }

    pub(crate) fn endpoint(&self) -> Endpoint {
        Endpoint::from_owned(self.address.url())
    }

    /// A server that needs no key gets one that is none: the library insists on something.
    pub(crate) fn auth(&self) -> AuthData {
        AuthData::from_single(self.key.as_ref().map_or("none", Key::value))
    }

    /// What went wrong, in words of our own: the library's hold requests and answers.
    pub(crate) fn unavailable(&self, error: &genai::Error) -> Unavailable {
        let host = self.address.host();
        if let Some(status) = error.status() {
            return Unavailable::Status { host, status: status.as_u16(), again_in: again_in(error) };
        }
        match error {
            genai::Error::WebModelCall { webc_error: genai::webc::Error::Reqwest(error), .. }
            | genai::Error::WebAdapterCall { webc_error: genai::webc::Error::Reqwest(error), .. }
                if !error.is_decode() && !error.is_body() =>
            {
                Unavailable::Unreachable { host }
            }
            genai::Error::NoChatResponse { .. } => Unavailable::Empty,
            _ => Unavailable::NotAnAnswer { host },
        }
    }
}
