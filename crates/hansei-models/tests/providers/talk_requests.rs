//! What each provider is told of a conversation, as the server saw it.

use hansei_core::run::conversation::{Conversation, Message, ToolCall};
use serde_json::{Value, json};

use crate::talking::{conversation, say, talker, user};
use crate::{names, serving};

fn call(id: &str, input: Value) -> ToolCall {
    ToolCall { id: id.to_owned(), name: "shell".to_owned(), input }
}

fn said(text: &str, calls: Vec<ToolCall>) -> Message {
    Message::Assistant {
        text: text.to_owned(),
        calls,
        signatures: vec!["no mark of any provider".to_owned()],
    }
}

fn result(call: &str, text: &str, is_error: bool) -> Message {
    Message::ToolResult { call: call.to_owned(), text: text.to_owned(), is_error }
}

/// Three calls without a word, their results, of which one failed and one is empty, and a word of the user.
fn long_conversation() -> Conversation {
    conversation(vec![
        user("Do it."),
        said(
            "",
            vec![
                call("id1", json!({ "command": "a" })),
                call("id2", json!("{\"comm")),
                call("id3", json!({})),
            ],
        ),
        result("id1", "one \u{0}\u{1b}[31m\u{202e} 漢字 🦀 \u{fffd}", false),
        result("id2", "it broke", true),
        result("id3", "", false),
        user("Go on."),
        said("So it is.", Vec::new()),
        user("And now?"),
    ])
}

/// What the server saw of this conversation.
fn request(name: &str, conversation: &Conversation) -> Value {
    let server =
        serving("rules: [{ when: { body: model }, text: fine }, { when: { body: contents }, text: fine }]");
    assert_eq!(say(&talker(name, &server.url()), conversation).unwrap().text, "fine", "{name}");
    server.stop().remove(0).body
}

/// The values at `path` of each of `items`.
fn each(items: &Value, path: &str) -> Vec<Value> {
    let items = items.as_array().unwrap_or_else(|| panic!("no list: {items}"));
    items.iter().map(|item| item.pointer(path).cloned().unwrap_or_default()).collect()
}

const ODD: &str = "one \u{0}\u{1b}[31m\u{202e} 漢字 🦀 \u{fffd}";

#[test]
fn anthropic_is_told_everything_with_marks_for_its_cache() {
    let body = request("anthropic/claude-haiku-4-5", &long_conversation());
    assert_eq!(body["stream"], true);
    let mark = json!({ "type": "ephemeral" });
    assert_eq!(body["system"], json!([{ "type": "text", "text": "You work.", "cache_control": mark }]));
    assert_eq!(each(&body["tools"], "/name"), ["shell", "read_it"]);
    assert_eq!(each(&body["tools"], "/input_schema/type"), ["object", "object"]);
    let messages = &body["messages"];
    assert_eq!(each(messages, "/role"), ["user", "assistant", "user", "user", "assistant", "user"]);
    let calls = &messages[1]["content"];
    assert_eq!(each(calls, "/type"), ["tool_use", "tool_use", "tool_use"]);
    assert_eq!(each(calls, "/id"), ["id1", "id2", "id3"]);
    assert_eq!(each(calls, "/input"), [json!({ "command": "a" }), json!({ "input": "{\"comm" }), json!({})]);
    let results = &messages[2]["content"];
    assert_eq!(each(results, "/type"), ["tool_result", "tool_result", "tool_result"]);
    assert_eq!(each(results, "/tool_use_id"), ["id1", "id2", "id3"]);
    assert_eq!(each(results, "/content"), [ODD, "it broke", ""]);
    assert_eq!(each(results, "/is_error"), [Value::Null, json!(true), Value::Null]);
    assert_eq!(messages[4]["content"], "So it is.");
    assert_eq!(
        messages[5]["content"],
        json!([{ "type": "text", "text": "And now?", "cache_control": mark }])
    );
    assert_eq!(messages[3]["content"][0]["cache_control"], mark);
    // No more than Anthropic takes.
    assert_eq!(body.to_string().matches("cache_control").count(), 3);
    // Without a system prompt, the tools are the beginning that never changes.
    let silent = Conversation { system: String::new(), ..long_conversation() };
    let body = request("anthropic/claude-haiku-4-5", &silent);
    assert_eq!(body["tools"][1]["cache_control"], mark);
    assert_eq!(body.get("system"), None);
}

#[test]
fn results_are_where_anthropic_looks_for_the_cache() {
    let mut asked = long_conversation();
    asked.messages.truncate(5);
    let body = request("anthropic/claude-haiku-4-5", &asked);
    assert_eq!(body["messages"][2]["content"][2]["cache_control"], json!({ "type": "ephemeral" }));
}

#[test]
fn chat_completions_are_told_everything() {
    for name in
        ["openai/gpt-4o-mini", "github/openai/gpt-4o-mini", "ollama/qwen3:0.6b", "compatible/org/model"]
    {
        let body = request(name, &long_conversation());
        assert_eq!(body["stream"], true, "{name}");
        assert_eq!(body["stream_options"]["include_usage"], true, "{name}");
        assert_eq!(each(&body["tools"], "/function/name"), ["shell", "read_it"], "{name}");
        let messages = &body["messages"];
        let roles = ["system", "user", "assistant", "tool", "tool", "tool", "user", "assistant", "user"];
        assert_eq!(each(messages, "/role"), roles, "{name}");
        let calls = &messages[2]["tool_calls"];
        assert_eq!(each(calls, "/id"), ["id1", "id2", "id3"], "{name}");
        let arguments = [r#"{"command":"a"}"#, r#"{"input":"{\"comm"}"#, "{}"];
        assert_eq!(each(calls, "/function/arguments"), arguments, "{name}");
        let contents =
            ["You work.", "Do it.", "", ODD, "Error: it broke", "", "Go on.", "So it is.", "And now?"];
        assert_eq!(each(messages, "/content"), contents, "{name}");
        assert_eq!(messages[4]["tool_call_id"], "id2", "{name}");
        // Others than OpenAI may not know the word.
        assert_eq!(body.get("prompt_cache_key").is_some(), name.starts_with("openai"), "{name}");
    }
}

#[test]
fn responses_are_told_everything_and_asked_for_thoughts_that_can_be_told_back() {
    let body = request("openai/gpt-5.4-mini", &long_conversation());
    assert_eq!((&body["stream"], &body["store"]), (&json!(true), &json!(false)));
    assert_eq!(body["instructions"], "You work.");
    assert_eq!(body["include"], json!(["reasoning.encrypted_content"]));
    assert_eq!(body["reasoning"], json!({}), "a summary is not for every account");
    assert!(body["prompt_cache_key"].as_str().unwrap().starts_with("hansei-"));
    assert_eq!(each(&body["tools"], "/name"), ["shell", "read_it"]);
    let input = &body["input"];
    let (call, output) = ("function_call", "function_call_output");
    let null = Value::Null;
    assert_eq!(
        each(input, "/type"),
        [
            null.clone(),
            json!(call),
            json!(call),
            json!(call),
            json!(output),
            json!(output),
            json!(output),
            null.clone(),
            json!("message"),
            null
        ]
    );
    assert_eq!(each(input, "/output")[4..7], [json!(ODD), json!("Error: it broke"), json!("")]);
    assert_eq!(each(input, "/call_id")[1..7], ["id1", "id2", "id3", "id1", "id2", "id3"]);
    let effort = request("openai/gpt-5.4-mini-high", &long_conversation());
    assert_eq!(
        (&effort["model"], &effort["reasoning"]),
        (&json!("gpt-5.4-mini"), &json!({ "effort": "high" }))
    );
}

#[test]
fn gemini_is_told_everything_with_ids_only_where_it_gave_them() {
    let mut asked = long_conversation();
    let body = request("gemini/gemini-2.5-flash", &asked);
    assert_eq!(body["systemInstruction"]["parts"][0]["text"], "You work.");
    assert_eq!(each(&body["tools"][0]["functionDeclarations"], "/name"), ["shell", "read_it"]);
    let contents = &body["contents"];
    assert_eq!(each(contents, "/role"), ["user", "model", "user", "user", "model", "user"]);
    let calls = &contents[1]["parts"];
    assert_eq!(each(calls, "/functionCall/id"), ["id1", "id2", "id3"]);
    assert_eq!(
        each(calls, "/functionCall/args"),
        [json!({ "command": "a" }), json!({ "input": "{\"comm" }), json!({})]
    );
    let results = &contents[2]["parts"];
    assert_eq!(each(results, "/functionResponse/name"), ["shell", "shell", "shell"]);
    assert_eq!(each(results, "/functionResponse/response/content"), [ODD, "Error: it broke", ""]);
    for message in &mut asked.messages {
        match message {
            Message::Assistant { calls, .. } => {
                for call in calls {
                    call.id = format!("hansei_call_0_{}", call.id);
                }
            }
            Message::ToolResult { call, .. } => *call = format!("hansei_call_0_{call}"),
            Message::User { .. } => {}
        }
    }
    let body = request("gemini/gemini-2.5-flash", &asked);
    let contents = &body["contents"];
    assert_eq!(each(&contents[1]["parts"], "/functionCall/id"), vec![Value::Null; 3]);
    assert_eq!(each(&contents[2]["parts"], "/functionResponse/id"), vec![Value::Null; 3]);
    assert_eq!(each(&contents[2]["parts"], "/functionResponse/name"), ["shell", "shell", "shell"]);
}

#[test]
fn what_says_nothing_is_left_out_and_odd_names_are_told_in_letters_that_are_taken() {
    let mut odd = call("id1", json!({}));
    odd.name = "rm -rf / ünï".to_owned();
    let asked = conversation(vec![
        user(" \n"),
        user("Do it."),
        said("", Vec::new()),
        said(" ", vec![odd]),
        result("id1", "no such tool", true),
    ]);
    for name in names() {
        let body = request(name, &asked);
        let text = body.to_string();
        assert!(text.contains("rm_-rf____n_"), "{name}: {text}");
        for key in ["messages", "contents", "input"] {
            if let Some(messages) = body.get(key) {
                let assistant = each(messages, "/role")
                    .iter()
                    .filter(|role| *role == "assistant" || *role == "model")
                    .count();
                // Responses has calls beside the messages.
                assert_eq!(assistant, usize::from(key != "input"), "{name}: {text}");
                assert_eq!(
                    each(messages, "/role").iter().filter(|role| *role == "user").count(),
                    match key {
                        "messages" if name.starts_with("anthropic") => 2,
                        "contents" => 2,
                        _ => 1,
                    },
                    "{name}: {text}"
                );
            }
        }
    }
}

#[test]
fn the_most_tokens_are_said_to_everyone() {
    for name in names() {
        let server = serving("steps: [{ text: fine }]");
        let limits = hansei_models::Limits { max_tokens: Some(4321), ..hansei_models::Limits::default() };
        let talker = hansei_models::Talker::new(crate::model(name, &server.url()), limits).unwrap();
        say(&talker, &conversation(vec![user("Do it.")])).unwrap();
        let body = server.stop()[0].body.to_string();
        assert!(body.contains("4321"), "{name}: {body}");
    }
}
