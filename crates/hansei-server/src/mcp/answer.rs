//! What a command left, as the answer to a tool call. The answer "no" is an answer; wrong use and what is missing are errors,
//! in the command's own words.

use hansei_record::redact::redact;
use hansei_record::redacted::Redacted;
use hansei_workspace::bounded_process::{Failure, Finished};
use rmcp::model::{CallToolResult, ContentBlock, MetaObject};
use serde_json::Value;

use super::short::shortened;

/// As much of a command's complaint as is told.
const LONGEST_COMPLAINT: usize = 4_000;
/// Under this name the exit code goes along: 0 fine, 1 the answer is "no".
const EXIT_CODE: &str = "hansei/exit_code";

/// The answer of a command that ended, or was ended.
pub(super) fn of(command: &str, ended: Result<Finished, Failure>) -> CallToolResult {
    let finished = match ended {
        Ok(finished) => finished,
        Err(Failure::TimedOut { .. }) => {
            return error(&format!("`hansei {command}` did not finish in its time and was ended"));
        }
        Err(failure) => return error(&format!("`hansei {command}`: {failure}")),
    };
    let printed: Option<Value> = serde_json::from_slice(&finished.stdout).ok();
    match (finished.status.code(), printed) {
        (Some(code @ (0 | 1)), Some(value)) => {
            let clean = Redacted::new(&value).map(|clean| clean.value().clone()).unwrap_or_default();
            let mut meta = MetaObject::default();
            meta.insert(EXIT_CODE.to_owned(), code.into());
            CallToolResult::structured(shortened(clean)).with_meta(Some(meta))
        }
        (code, _) if finished.stderr.is_empty() => {
            let how =
                code.map_or_else(|| "was ended by a signal".to_owned(), |code| format!("ended with {code}"));
            error(&format!("`hansei {command}` {how} and said nothing"))
        }
        _ => error(&finished.stderr),
    }
}

/// An error that the model may read.
pub(super) fn error(message: &str) -> CallToolResult {
    let clean = redact(message);
    let end = clean.char_indices().nth(LONGEST_COMPLAINT).map_or(clean.len(), |(at, _)| at);
    CallToolResult::error(vec![ContentBlock::text(clean[..end].to_owned())])
}
