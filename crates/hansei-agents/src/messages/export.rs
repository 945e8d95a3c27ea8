//! Events as messages.

use std::collections::BTreeSet;

use hansei_core::session::{AnswerEnd, Feeder, SessionEvent, What};
use serde_json::{Value, json};

use super::{FEEDBACK, HOOK, REMINDER, Shape};
use crate::atif::Whose;
use crate::tool_result;

/// The conversation of a session: `{session, agent, cwd?, model?, messages}`.
pub fn export(events: &[SessionEvent], shape: Shape, whose: Whose<'_>) -> Value {
    let mut talk = Talk { shape, messages: Vec::new(), open: None, answered: BTreeSet::new() };
    let mut exported = json!({ "session": whose.session, "agent": whose.agent });
    for event in events {
        if let What::Started(now) = &event.what {
            for (key, value) in [("cwd", &now.cwd), ("model", &now.model)] {
                if let Some(value) = value {
                    exported[key] = json!(value);
                }
            }
        }
        talk.take(&event.what);
    }
    talk.close();
    exported["messages"] = json!(talk.messages);
    exported
}

/// What the agent said and called in one go.
#[derive(Default)]
struct Reply {
    thought: Option<String>,
    said: Option<String>,
    calls: Vec<(String, String, Value)>,
}

struct Talk {
    shape: Shape,
    messages: Vec<Value>,
    open: Option<Reply>,
    /// A call has one result: what arrives later is told by the call that fetched it.
    answered: BTreeSet<String>,
}

impl Talk {
    fn take(&mut self, what: &What) {
        match what {
            What::HumanSaid { text, .. } => self.user(json!({ "role": "user", "content": text })),
            What::Fed { text, by } => {
                let message = match (self.shape, by) {
                    (Shape::OpenAi, Feeder::StopHook) => {
                        json!({ "role": "user", "name": HOOK, "content": text })
                    }
                    (Shape::OpenAi, Feeder::Agent) => json!({ "role": "system", "content": text }),
                    (Shape::Anthropic, Feeder::StopHook) => {
                        json!({ "role": "user", "content": format!("{FEEDBACK}{text}") })
                    }
                    (Shape::Anthropic, Feeder::Agent) => reminder(text),
                };
                self.user(message);
            }
            What::Compacted { summary: Some(text) } => {
                let system = json!({ "role": "system", "content": text });
                self.user(if self.shape == Shape::OpenAi { system } else { reminder(text) });
            }
            What::Thought { text } => {
                let fits =
                    |reply: &Reply| reply.thought.is_none() && reply.said.is_none() && reply.calls.is_empty();
                self.reply(fits).thought = Some(text.clone());
            }
            What::Said { text } => {
                self.reply(|reply| reply.said.is_none() && reply.calls.is_empty()).said = Some(text.clone());
            }
            What::Called { call, tool, input, .. } => {
                self.reply(|_| true).calls.push((call.clone(), tool.clone(), input.clone()));
            }
            What::Answered { call, output, end, exit_code } => self.answer(call, output, *end, *exit_code),
            What::Started(_)
            | What::BySubAgent { .. }
            | What::Compacted { summary: None }
            | What::Permission { .. }
            | What::Used(_)
            | What::Aborted
            | What::Failed { .. }
            | What::Stopped
            | What::Ended { .. } => {}
        }
    }

    fn user(&mut self, message: Value) {
        self.close();
        self.messages.push(message);
    }

    /// The reply that is open, if `fits`, or a new one.
    fn reply(&mut self, fits: impl Fn(&Reply) -> bool) -> &mut Reply {
        if !self.open.as_ref().is_some_and(fits) {
            self.close();
        }
        self.open.get_or_insert_default()
    }

    fn close(&mut self) {
        let Some(reply) = self.open.take() else { return };
        let message = match self.shape {
            Shape::OpenAi => reply.into_openai(),
            Shape::Anthropic => reply.into_anthropic(),
        };
        self.messages.push(message);
    }

    fn answer(&mut self, call: &str, output: &str, end: AnswerEnd, exit_code: Option<i32>) {
        if !self.answered.insert(call.to_owned()) {
            return;
        }
        self.close();
        // The code stands nowhere else; a result that states it already is left as it is.
        let stated = tool_result::exit_code(output);
        let text = match exit_code {
            Some(code) if code != 0 && stated != exit_code => format!("Exit code {code}\n{output}"),
            _ => output.to_owned(),
        };
        if self.shape == Shape::OpenAi {
            self.messages.push(json!({ "role": "tool", "tool_call_id": call, "content": text }));
            return;
        }
        let mut block = json!({ "type": "tool_result", "tool_use_id": call, "content": text });
        if !matches!(end, AnswerEnd::Done | AnswerEnd::Background) {
            block["is_error"] = json!(true);
        }
        // All results of one reply belong into one message.
        let last = self.messages.last_mut().and_then(|message| message["content"].as_array_mut());
        match last.filter(|blocks| blocks.iter().all(|block| block["type"] == "tool_result")) {
            Some(blocks) => blocks.push(block),
            None => self.messages.push(json!({ "role": "user", "content": [block] })),
        }
    }
}

impl Reply {
    fn into_openai(self) -> Value {
        let mut message = json!({ "role": "assistant", "content": self.said });
        if let Some(thought) = self.thought {
            message["reasoning_content"] = json!(thought);
        }
        let call = |(id, name, input): (String, String, Value)| {
            let arguments = input.to_string();
            json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments } })
        };
        if !self.calls.is_empty() {
            message["tool_calls"] = self.calls.into_iter().map(call).collect();
        }
        message
    }

    fn into_anthropic(self) -> Value {
        let mut blocks = Vec::new();
        if let Some(thought) = self.thought {
            blocks.push(json!({ "type": "thinking", "thinking": thought }));
        }
        if let Some(said) = self.said {
            blocks.push(json!({ "type": "text", "text": said }));
        }
        for (id, name, input) in self.calls {
            let input = if input.is_object() { input } else { json!({ "input": input }) };
            blocks.push(json!({ "type": "tool_use", "id": id, "name": name, "input": input }));
        }
        json!({ "role": "assistant", "content": blocks })
    }
}

fn reminder(text: &str) -> Value {
    let (open, close) = REMINDER;
    json!({ "role": "user", "content": format!("{open}{text}{close}") })
}
