//! A conversation as a provider's request.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use genai::adapter::AdapterKind;
use genai::chat::{
    CacheControl, ChatMessage, ChatOptions, ChatRequest, ChatRole, ContentPart, CustomPart, MessageContent,
    ReasoningEffort, Tool, ToolCall as CalledTool, ToolResponse,
};
use hansei_core::run::conversation::{Conversation, Message, ToolCall};
use serde_json::{Map, Value, json};

use super::Limits;
use super::call_id::is_made_up;
use super::mark::Mark;
use crate::provider::Provider;

/// The longest name of a tool that every provider takes.
const LONGEST_NAME: usize = 64;

/// What is asked for beside the conversation.
pub(super) fn options(
    provider: Provider,
    name: &str,
    conversation: &Conversation,
    limits: &Limits,
) -> ChatOptions {
    let wire = provider.wire(name);
    let mut options = ChatOptions::default()
        .with_capture_usage(true)
        .with_capture_tool_calls(true)
        .with_stream_header_timeout(limits.silence)
        .with_stream_read_timeout(limits.silence);
    options.max_tokens = limits.max_tokens;
    // Signatures are kept only with the thoughts that they are on.
    let thinks = match wire {
        AdapterKind::Anthropic => true,
        // Asking others for their thoughts is an error.
        AdapterKind::Gemini => {
            name.starts_with("gemini-") && !name.starts_with("gemini-1") && !name.starts_with("gemini-2.0")
        }
        AdapterKind::OpenAIResp => !name.contains("-chat"),
        _ => false,
    };
    options.capture_reasoning_content = Some(thinks);
    if wire == AdapterKind::OpenAIResp && thinks {
        // The library would ask for a summary of the thoughts too, which not every account may have.
        let effort = ReasoningEffort::from_model_name(name).0;
        let reasoning: Map<String, Value> = effort
            .and_then(|effort| effort.as_keyword())
            .map(|word| ("effort".to_owned(), json!(word)))
            .into_iter()
            .collect();
        options.extra_body = Some(json!({ "reasoning": reasoning }));
    }
    if provider == Provider::OpenAi {
        // Requests of one conversation meet the same cache. Without a word about it, the library turns the cache off for
        // new models.
        options.prompt_cache_key = Some(format!("hansei-{:016x}", beginning(conversation)));
    }
    options
}

/// What stays the same throughout a conversation, as a number.
fn beginning(conversation: &Conversation) -> u64 {
    let mut hasher = DefaultHasher::new();
    conversation.system.hash(&mut hasher);
    if let Some(Message::User { text }) = conversation.messages.first() {
        text.hash(&mut hasher);
    }
    hasher.finish()
}

/// The conversation itself.
pub(super) fn request(wire: AdapterKind, conversation: &Conversation) -> ChatRequest {
    let mut telling = Telling { wire, messages: Vec::new(), calls: HashMap::new(), made_up: 0 };
    for message in &conversation.messages {
        telling.tell(message);
    }
    let mut messages = telling.messages;
    let mut tools: Vec<Tool> = conversation
        .tools
        .iter()
        .map(|tool| {
            Tool::new(tool.name.as_str()).with_description(&tool.description).with_schema(tool.schema.clone())
        })
        .collect();
    let mut request = ChatRequest::default();
    if wire == AdapterKind::Anthropic {
        mark_for_cache(conversation, &mut messages, &mut tools);
    } else if !conversation.system.is_empty() {
        request.system = Some(conversation.system.clone());
    }
    request.messages = messages;
    request.tools = (!tools.is_empty()).then_some(tools);
    request
}

/// Anthropic caches up to a mark, at a tenth of the price: what never changes, and all that was said. The mark before the
/// last is for turns with so many results that the one before would not be looked for.
fn mark_for_cache(conversation: &Conversation, messages: &mut Vec<ChatMessage>, tools: &mut [Tool]) {
    let told = |message: &&mut ChatMessage| message.role != ChatRole::Assistant;
    for message in messages.iter_mut().rev().filter(told).take(2) {
        message.options = Some(CacheControl::Ephemeral.into());
    }
    if !conversation.system.is_empty() {
        let system = ChatMessage::system(conversation.system.as_str()).with_options(CacheControl::Ephemeral);
        messages.insert(0, system);
    } else if let Some(last) = tools.last_mut() {
        last.cache_control = Some(CacheControl::Ephemeral);
    }
}

/// What was told so far.
struct Telling<'a> {
    wire: AdapterKind,
    messages: Vec<ChatMessage>,
    /// The name of each call and the id that the provider is told, by its own id.
    calls: HashMap<&'a str, (String, String)>,
    made_up: usize,
}

impl<'a> Telling<'a> {
    fn tell(&mut self, message: &'a Message) {
        match message {
            // Empty messages are refused by some, and say nothing to any.
            Message::User { text } if text.trim().is_empty() => {}
            Message::User { text } => self.messages.push(ChatMessage::user(text.as_str())),
            Message::Assistant { text, calls, signatures } => {
                let parts = self.assistant(text, calls, signatures);
                if !parts.is_empty() {
                    self.messages.push(ChatMessage::assistant(MessageContent::from_parts(parts)));
                }
            }
            Message::ToolResult { call, text, is_error } => {
                let part = self.result(call, text, *is_error);
                // Results of one turn belong into one message.
                match self.messages.last_mut() {
                    Some(last) if last.role == ChatRole::Tool => last.content.push(part),
                    _ => self.messages.push(ChatMessage::tool(MessageContent::from_parts(vec![part]))),
                }
            }
        }
    }

    fn assistant(&mut self, text: &str, calls: &'a [ToolCall], signatures: &[String]) -> Vec<ContentPart> {
        let says_something = !text.trim().is_empty();
        let mut parts = Vec::new();
        let mut call_signatures: HashMap<usize, String> = HashMap::new();
        for mark in signatures.iter().filter_map(|signature| Mark::read(signature, self.wire)) {
            match mark {
                Mark::Gemini { call: Some(call), signature } => {
                    call_signatures.insert(call, signature);
                }
                Mark::Gemini { call: None, signature } if says_something => {
                    parts.push(ContentPart::ThoughtSignature(signature));
                }
                mark => parts.extend(mark.into_parts()),
            }
        }
        if says_something {
            parts.push(ContentPart::Text(text.to_owned()));
        } else if calls.is_empty() {
            // Thoughts alone are no message.
            return Vec::new();
        }
        for (index, call) in calls.iter().enumerate() {
            let name = fitting_name(&call.name);
            let id = self.id(call, &name);
            parts.push(ContentPart::ToolCall(CalledTool {
                call_id: id,
                fn_name: name,
                fn_arguments: object(&call.input),
                thought_signatures: call_signatures.remove(&index).map(|signature| vec![signature]),
            }));
        }
        parts
    }

    /// The id that the provider is told. Gemini is told none where it gave none: the library leaves out ids of this form.
    fn id(&mut self, call: &'a ToolCall, name: &str) -> String {
        let id = if self.wire == AdapterKind::Gemini && is_made_up(&call.id) {
            self.made_up += 1;
            format!("call#{name}#{}", self.made_up)
        } else {
            call.id.clone()
        };
        self.calls.insert(&call.id, (name.to_owned(), id.clone()));
        id
    }

    fn result(&self, call: &str, text: &str, is_error: bool) -> ContentPart {
        if is_error && self.wire == AdapterKind::Anthropic {
            let data =
                json!({ "type": "tool_result", "tool_use_id": call, "content": text, "is_error": true });
            return ContentPart::Custom(CustomPart { model_iden: None, data });
        }
        // The other formats have no word for a failure but the text's own.
        let says_so = text.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("error"));
        let text = if is_error && !says_so { format!("Error: {text}") } else { text.to_owned() };
        let response = match self.calls.get(call) {
            Some((name, id)) => ToolResponse::new(id, text).with_fn_name(name),
            None => ToolResponse::new(call, text),
        };
        ContentPart::ToolResponse(response)
    }
}

/// Providers take only objects back. What a model wrote instead is shown to it inside one.
fn object(input: &Value) -> Value {
    match input {
        Value::Object(_) => input.clone(),
        Value::Null => json!({}),
        other => json!({ "input": other }),
    }
}

/// A name that providers take back. One that a model made up may hold anything.
fn fitting_name(name: &str) -> String {
    let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let fitting: String = name.chars().map(|c| if fits(c) { c } else { '_' }).take(LONGEST_NAME).collect();
    if fitting.is_empty() { "unnamed".to_owned() } else { fitting }
}
