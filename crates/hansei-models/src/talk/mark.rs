//! Marks of a provider on a model's thoughts, as texts that only this crate reads: each says whose it is and where it
//! belongs, so that a conversation can go on with another provider, which then is not shown them.

use genai::adapter::AdapterKind;
use genai::chat::{ContentPart, CustomPart};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A mark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Mark {
    /// A thought of Anthropic's, with its signature.
    Thinking {
        /// The thought, which the signature is about.
        thinking: String,
        /// The signature.
        signature: String,
    },
    /// A thought of Anthropic's that nobody else can read: the whole block.
    Redacted(Value),
    /// Gemini's signature on a call, or on the words.
    Gemini {
        /// The call's place among the turn's calls; none is the words.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        call: Option<usize>,
        /// The signature.
        signature: String,
    },
    /// A thought of `OpenAI`'s Responses that nobody else can read.
    Encrypted(String),
    /// Open thoughts that a model behind chat completions wants to see again.
    Reasoning(String),
}

impl Mark {
    /// It as a text.
    pub(super) fn text(&self) -> String {
        // Texts and JSON always can be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The mark in a text, if it is one that `wire` knows.
    pub(super) fn read(text: &str, wire: AdapterKind) -> Option<Self> {
        let mark: Self = serde_json::from_str(text).ok()?;
        let known = match mark {
            Self::Thinking { .. } | Self::Redacted(_) => wire == AdapterKind::Anthropic,
            Self::Gemini { .. } => wire == AdapterKind::Gemini,
            Self::Encrypted(_) => wire == AdapterKind::OpenAIResp,
            Self::Reasoning(_) => wire == AdapterKind::OpenAI,
        };
        known.then_some(mark)
    }

    /// What goes before the words, where the mark stands on its own.
    pub(super) fn into_parts(self) -> Vec<ContentPart> {
        match self {
            Self::Thinking { thinking, signature } => {
                vec![ContentPart::ThoughtSignature(signature), ContentPart::ReasoningContent(thinking)]
            }
            Self::Redacted(data) => vec![ContentPart::Custom(CustomPart { model_iden: None, data })],
            Self::Encrypted(blob) => vec![ContentPart::ThoughtSignature(blob)],
            Self::Reasoning(text) => vec![ContentPart::ReasoningContent(text)],
            Self::Gemini { .. } => Vec::new(),
        }
    }

    /// The marks among the parts of an answer of Anthropic's or Responses'.
    pub(super) fn among(parts: &[ContentPart], wire: AdapterKind) -> Vec<Self> {
        let mut marks: Vec<Self> = Vec::new();
        for part in parts {
            match part {
                ContentPart::ThoughtSignature(signature) if wire == AdapterKind::Anthropic => {
                    marks.push(Self::Thinking { thinking: String::new(), signature: signature.clone() });
                }
                ContentPart::ThoughtSignature(blob) if wire == AdapterKind::OpenAIResp => {
                    marks.push(Self::Encrypted(blob.clone()));
                }
                // It follows its signature.
                ContentPart::ReasoningContent(text) => {
                    if let Some(Self::Thinking { thinking, .. }) = marks.last_mut() {
                        thinking.clone_from(text);
                    }
                }
                ContentPart::Custom(custom) if wire == AdapterKind::Anthropic => {
                    marks.push(Self::Redacted(custom.data.clone()));
                }
                _ => {}
            }
        }
        marks
    }
}
