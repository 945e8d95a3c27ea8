//! The least that an agent can do: post the conversation, spawn the command that comes back, and again. In a process of
//! its own (`hansei-bench bare-loop URL`), so that its start and its memory can be compared too.

use std::process::Command;

use anyhow::{Context as _, Result};
use serde_json::{Value, json};

use super::TASK;

/// Works through the script of the model at the address that the arguments name.
pub fn bare_loop() -> Result<()> {
    let url = std::env::args().nth(2).context("bare-loop URL")?;
    let url = format!("{url}/v1/messages");
    // The client insists on one, though nothing here is encrypted.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let client = reqwest::Client::builder().tls_certs_only([]).no_proxy().build()?;
    let schema = json!({ "type": "object", "properties": { "command": { "type": "string" } } });
    let tools = json!([{ "name": "shell", "description": "Runs a command.", "input_schema": schema }]);
    let mut messages = vec![json!({ "role": "user", "content": TASK })];
    loop {
        let body =
            json!({ "model": "stub", "max_tokens": 1024, "tools": tools, "messages": messages }).to_string();
        let post = client.post(&url).header("content-type", "application/json").body(body);
        let answer = runtime.block_on(async { post.send().await?.error_for_status()?.bytes().await })?;
        let mut answer: Value = serde_json::from_slice(&answer)?;
        let content = answer["content"].take();
        let call = content.as_array().and_then(|parts| parts.iter().find(|part| part["type"] == "tool_use"));
        let Some(call) = call.cloned() else { return Ok(()) };
        let command = call["input"]["command"].as_str().context("a call without a command")?;
        let output = Command::new("sh").args(["-c", command]).output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let result = json!({ "type": "tool_result", "tool_use_id": call["id"], "content": text });
        messages.push(json!({ "role": "assistant", "content": content }));
        messages.push(json!({ "role": "user", "content": [result] }));
    }
}
