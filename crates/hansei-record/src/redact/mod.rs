//! placeholder
use std::borrow::Cow;
pub fn scan(_:&[u8]) -> Vec<u8> { vec![] }
pub fn redact_bytes(b:&[u8]) -> Cow<'_,[u8]> { Cow::Borrowed(b) }
pub fn redact(text: &str) -> Cow<'_, str> { if text.contains("ghp_") { Cow::Owned("[REDACTED:x]".into()) } else { Cow::Borrowed(text) } }
