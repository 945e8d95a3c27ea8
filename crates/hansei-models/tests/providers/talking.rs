//! Turns of every provider, as they are streamed.

use std::cell::RefCell;

use hansei_core::run::conversation::{Conversation, Message, NoAnswer, ToolOffer, Turn};
use hansei_models::{Heard, Limits, Talker};
use serde_json::json;

use crate::{KEY, model, names, serving};

pub fn talker(name: &str, url: &str) -> Talker {
    Talker::new(model(name, url), Limits::default()).unwrap()
}

pub fn user(text: &str) -> Message {
    Message::User { text: text.to_owned() }
}

pub fn conversation(messages: Vec<Message>) -> Conversation {
    let tool = |name: &str| ToolOffer {
        name: name.to_owned(),
        description: format!("the {name}"),
        schema: json!({
            "type": "object",
            "properties": { "command": { "type": "string" } },
            "required": ["command"],
        }),
    };
    Conversation { system: "You work.".to_owned(), messages, tools: vec![tool("shell"), tool("read_it")] }
}

/// What is said to one who waits for ever and has nothing to do but listen.
pub fn say(talker: &Talker, conversation: &Conversation) -> Result<Turn, NoAnswer> {
    talker.say(conversation, &mut |_| {}, &|| false)
}

#[test]
fn words_and_thoughts_are_heard_in_pieces_and_make_the_turn() {
    let text = "A long answer, with ümlauts, 漢字 and 🦀 in more than one piece.\nAnd a second line.";
    for name in names() {
        let server = serving(&format!(
            "steps:\n  - thinking: 'I wonder what the user wants of me.'\n    text: {}\n    usage: {{ input: 1000, output: 200 }}\n",
            json!(text)
        ));
        let talker = talker(name, &server.url());
        let (words, thoughts) = (RefCell::new(Vec::new()), RefCell::new(String::new()));
        let mut heard = |heard: Heard<'_>| match heard {
            Heard::Text(piece) => words.borrow_mut().push(piece.to_owned()),
            Heard::Reasoning(piece) => thoughts.borrow_mut().push_str(piece),
        };
        let turn = talker.say(&conversation(vec![user("Do it.")]), &mut heard, &|| false).unwrap();
        assert_eq!(turn.text, text, "{name}");
        assert!(words.borrow().len() > 2, "{name}: {words:?}");
        assert_eq!(words.borrow().concat(), text, "{name}");
        assert_eq!(*thoughts.borrow(), "I wonder what the user wants of me.", "{name}");
        assert_eq!((turn.spent.input_tokens, turn.spent.output_tokens), (1000, 200), "{name}");
        // A server on this machine costs nothing.
        assert_eq!(turn.spent.usd, Some(0.0), "{name}");
        assert!(turn.calls.is_empty() && !turn.cut_off, "{name}: {turn:?}");
        let requests = server.stop();
        assert_eq!(requests.len(), 1, "{name}");
        let body = requests[0].body.to_string();
        for part in ["You work.", "Do it.", "the shell", "read_it"] {
            assert!(body.contains(part), "{name} was not told {part}: {body}");
        }
        assert!(!body.contains(KEY), "{name}");
    }
}

#[test]
fn calls_come_whole_and_in_order() {
    for name in names() {
        let server = serving(
            "steps:
  - text: I will look.
    tool: { name: shell, input: { command: 'cat a.txt | head -n 1; echo ünï' } }
  - tools:
      - { name: shell, input: { command: one } }
      - { name: read_it, input: { command: two, nested: { a: [1, null, 2.5] } } }
      - { name: shell, input: {} }
",
        );
        let talker = talker(name, &server.url());
        let turn = say(&talker, &conversation(vec![user("Do it.")])).unwrap();
        assert_eq!(turn.text, "I will look.", "{name}");
        assert_eq!(turn.calls.len(), 1, "{name}");
        assert_eq!(turn.calls[0].name, "shell", "{name}");
        assert_eq!(turn.calls[0].input, json!({ "command": "cat a.txt | head -n 1; echo ünï" }), "{name}");
        let three = say(&talker, &conversation(after(&turn))).unwrap();
        let called: Vec<_> =
            three.calls.iter().map(|call| (call.name.as_str(), call.input.to_string())).collect();
        assert_eq!(called[0], ("shell", r#"{"command":"one"}"#.to_owned()), "{name}");
        assert_eq!(called[1].0, "read_it", "{name}");
        assert_eq!(three.calls[1].input["nested"]["a"], json!([1, null, 2.5]), "{name}");
        assert_eq!(called.len(), 3, "{name}");
        assert_eq!(three.text, "", "{name}");
        let mut ids: Vec<&str> = turn.calls.iter().chain(&three.calls).map(|call| call.id.as_str()).collect();
        ids.sort_unstable();
        ids.dedup();
        assert_eq!(ids.len(), 4, "{name}: {ids:?}");
        assert!(ids.iter().all(|id| !id.is_empty()), "{name}");
    }
}

/// A conversation after this turn, with a result for each call.
pub fn after(turn: &Turn) -> Vec<Message> {
    let said = Message::Assistant {
        text: turn.text.clone(),
        calls: turn.calls.clone(),
        signatures: turn.signatures.clone(),
    };
    let result = |call: &hansei_core::run::conversation::ToolCall| Message::ToolResult {
        call: call.id.clone(),
        text: format!("result of {}", call.name),
        is_error: false,
    };
    [user("Do it."), said].into_iter().chain(turn.calls.iter().map(result)).collect()
}

#[test]
fn broken_input_is_handed_on_as_what_it_is() {
    for name in names() {
        let server = serving(
            r#"steps: [{ tools: [{ name: shell, arguments: '{"command": "ls' }, { name: shell, arguments: ' ' }] }]"#,
        );
        let turn = say(&talker(name, &server.url()), &conversation(vec![user("Do it.")])).unwrap();
        assert_eq!(turn.calls[0].input, json!("{\"command\": \"ls"), "{name}");
        // Nothing at all is what models write for a tool without parameters.
        assert_eq!(turn.calls[1].input, json!({}), "{name}");
        // And it can be told back.
        say(&talker(name, &server.url()), &conversation(after(&turn))).unwrap();
        let body = server.stop()[1].body.to_string();
        assert!(body.contains("command") && body.contains("input"), "{name}: {body}");
    }
}

#[test]
fn a_turn_that_became_too_long_says_so() {
    for name in names() {
        let server = serving(
            "steps:\n  - text: 'and so on and'\n    stop: length\n    usage: { input: 5, output: 6 }\n  - tools: [{ name: shell, input: { command: x } }]\n    stop: length\n",
        );
        let talker = talker(name, &server.url());
        let turn = say(&talker, &conversation(vec![user("Do it.")])).unwrap();
        assert!(turn.cut_off, "{name}");
        assert_eq!(turn.text, "and so on and", "{name}");
        assert_eq!((turn.spent.input_tokens, turn.spent.output_tokens), (5, 6), "{name}");
        let turn = say(&talker, &conversation(after(&turn))).unwrap();
        assert!(turn.cut_off && turn.calls.len() == 1, "{name}: {turn:?}");
    }
}

#[test]
fn an_answer_without_a_word_is_a_turn() {
    for name in names() {
        let server = serving("steps: [{ text: '' }]");
        let turn = say(&talker(name, &server.url()), &conversation(vec![user("Do it.")])).unwrap();
        assert!(turn.text.is_empty() && turn.calls.is_empty() && !turn.cut_off, "{name}: {turn:?}");
    }
}

#[test]
fn a_model_that_is_not_named_is_chosen_once() {
    let server = serving("model: claude-haiku-4-5\nsteps: [{ text: fine }]");
    let talker = talker("anthropic", &server.url());
    assert_eq!(talker.model_name(), None);
    for _ in 0..2 {
        assert_eq!(say(&talker, &conversation(vec![user("Do it.")])).unwrap().text, "fine");
    }
    assert_eq!(talker.model_name(), Some("claude-haiku-4-5"));
    let paths: Vec<String> = server.stop().into_iter().map(|request| request.path).collect();
    assert_eq!(paths, ["/v1/models", "/v1/messages", "/v1/messages"]);
}

#[test]
fn what_cannot_be_asked_is_refused_before_anything_is_sent() {
    let refused = |name: &str, url: Option<&str>, limits: Limits| {
        let mut asked = model(name, "");
        asked.base_url = url.map(ToOwned::to_owned);
        match Talker::new(asked, limits).unwrap_err() {
            NoAnswer::Refused { reason } => reason,
            other => panic!("{other:?}"),
        }
    };
    let priced = Limits { needs_price: true, ..Limits::default() };
    for (name, url, limits, part) in [
        ("compatible/x", None, Limits::default(), "--base-url is needed"),
        ("compatible/x", Some("nonsense"), Limits::default(), "--base-url is not an address"),
        ("openai/gpt-4o", Some("https://me:fake@x.invalid"), Limits::default(), "no user, password"),
        ("openai/gpt-4o", Some("http://gateway.invalid/v1"), Limits::default(), "unencrypted"),
        ("openai/gpt-99", Some("https://gateway.invalid/v1"), priced, "price of gpt-99 is not known"),
    ] {
        let reason = refused(name, url, limits);
        assert!(reason.contains(part) && !reason.contains(KEY), "{name} {url:?}: {reason}");
    }
    // What is on this machine has no price.
    Talker::new(model("compatible/x", "http://127.0.0.1:1"), priced).unwrap();
    let mut keyless = model("openai/gpt-4o", "http://127.0.0.1:1");
    keyless.key = hansei_models::KeySource::Variable("HANSEI_TEST_NO_SUCH_KEY".to_owned());
    assert!(matches!(Talker::new(keyless, Limits::default()), Err(NoAnswer::Refused { .. })));
}
