//! Talking to a model: what a call costs beside posting the same body and reading the same answer, on loopback with a
//! model that answers at once; and what it costs to get ready.

use std::hint::black_box;

use anyhow::{Context as _, Result, ensure};
use hansei_core::run::conversation::{Conversation, Message, ToolCall, ToolOffer};
use hansei_model_server::{ModelServer, Options};
use hansei_models::{KeySource, Limits, ProviderModel, Talker};
use serde_json::json;

use crate::timing::{Subject, compare};

const CALLS: usize = 200;

const SCRIPT: &str =
    "rules: [{ when: { body: echo }, text: I run it., tool: { name: shell, input: { command: echo k } } }]";

/// The wires, a short and a long conversation each.
pub fn calls() -> Result<()> {
    ready()?;
    for name in ["compatible/stub", "anthropic/stub", "openai/gpt-5-stub", "gemini/stub"] {
        for turns in [1, 50] {
            call(name, &conversation(turns))?;
        }
    }
    Ok(())
}

/// `turns` of a conversation in which a command is run in each.
fn conversation(turns: usize) -> Conversation {
    let mut messages = vec![Message::User { text: "Run `echo k` as often as you like.".to_owned() }];
    for turn in 1..turns {
        let call = format!("call_{turn}");
        messages.push(Message::Assistant {
            text: "I run it.".to_owned(),
            calls: vec![ToolCall {
                id: call.clone(),
                name: "shell".to_owned(),
                input: json!({ "command": "echo k" }),
            }],
            signatures: Vec::new(),
        });
        messages.push(Message::ToolResult { call, text: "k\n".repeat(500), is_error: false });
    }
    let schema = json!({ "type": "object", "properties": { "command": { "type": "string" } } });
    let shell = ToolOffer { name: "shell".to_owned(), description: "Runs a command.".to_owned(), schema };
    Conversation { system: "You work in a shell.".repeat(20), messages, tools: vec![shell] }
}

/// Whatever the environment holds, no key is needed for a server on this machine.
fn model(name: &str, url: &str) -> Result<ProviderModel> {
    let key = KeySource::Command(hansei_models::KeyCommand(vec!["echo".to_owned(), "none".to_owned()]));
    let key = if name.starts_with("compatible") { KeySource::UsualVariables } else { key };
    Ok(ProviderModel { model: name.parse()?, base_url: Some(url.to_owned()), key, cache: None })
}

fn talker(name: &str, url: &str) -> Result<Talker> {
    let made = Talker::new(model(name, url)?, Limits::default());
    made.map_err(|refused| anyhow::anyhow!("{refused:?}"))
}

fn call(name: &str, conversation: &Conversation) -> Result<()> {
    let server = ModelServer::start(SCRIPT.parse()?, Options::default())?;
    let talker = talker(name, &server.url())?;
    let say = || {
        let turn = talker.say(conversation, &mut |_| {}, &|| false);
        let turn = turn.map_err(|failed| anyhow::anyhow!("{failed:?}"))?;
        ensure!(turn.calls.len() == 1, "the model does not call");
        Ok(())
    };
    say()?;
    let asked = server.requests().remove(0);
    let (url, body) = (format!("{}{}", server.url(), asked.path), asked.body.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let client = reqwest::Client::builder().tls_certs_only([]).no_proxy().build()?;
    let bytes = body.len();
    compare(
        &format!("{name}: a call of {} messages, {bytes} bytes, {CALLS} times", conversation.messages.len()),
        CALLS,
        &mut [
            Subject::new("posting the body and reading the answer", || {
                let post = client.post(&url).header("content-type", "application/json").body(body.clone());
                let text = runtime.block_on(async { post.send().await?.text().await })?;
                ensure!(text.contains("shell"), "no call");
                Ok(())
            }),
            Subject::new("Talker::say", say),
        ],
    )
}

fn ready() -> Result<()> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    compare(
        "getting ready for a server on this machine",
        25,
        &mut [
            Subject::new("a client and a runtime", || {
                black_box(tokio::runtime::Builder::new_current_thread().enable_all().build()?);
                let client = reqwest::Client::builder().tls_certs_only([]).no_proxy().build();
                black_box(client.context("a client")?);
                Ok(())
            }),
            Subject::new("Talker::new", || {
                black_box(talker("compatible/stub", "http://127.0.0.1:1")?);
                Ok(())
            }),
        ],
    )
}
