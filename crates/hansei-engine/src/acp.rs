//! One prompt to an agent that speaks the Agent Client Protocol: JSON-RPC, a line each, over its standard streams.
//!
//! It is given no file and no terminal of ours. What it wants to be allowed is answered by policy: nobody is there to ask.

use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};

use hansei_workspace::conversing::{Conversing, Heard};
use serde_json::{Value, json};

/// The version of the protocol.
const VERSION: u64 = 1;
/// How often it is looked whether the user wants an end.
const GLANCE: Duration = Duration::from_millis(50);
/// How long an agent may take to say that it is there.
const GREETING: Duration = Duration::from_mins(2);

/// An agent, and what it may do.
#[derive(Debug, Clone)]
pub struct AcpAgent {
    /// Its program and arguments.
    pub words: Vec<OsString>,
    /// Variables for it.
    pub variables: Vec<(&'static str, &'static str)>,
    /// Whether it is allowed what it asks for.
    pub allows: bool,
    /// How long it may work on one prompt.
    pub time: Duration,
}

/// What came of a prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answered {
    /// What it said, after its last tool call.
    pub words: String,
    /// Why it stopped, in its own word.
    pub reason: String,
    /// How often it asked for a permission.
    pub asked: u32,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoReply {
    /// It cannot be started.
    #[error("it cannot be started: {0}")]
    Unstarted(String),
    /// It ended before it answered.
    #[error("it ended before it answered{}", if .0.is_empty() { String::new() } else { format!(": {}", .0) })]
    Gone(String),
    /// It refused.
    #[error("it refused: {0}")]
    Refused(String),
    /// Its time was up.
    #[error("it did not finish in its time and was ended")]
    Late,
    /// The user wants an end.
    #[error("it was interrupted")]
    Interrupted,
}

impl AcpAgent {
    /// Prompts it in a session of its own, and ends it. `heard` gets its words as they come.
    pub fn prompt(
        &self,
        folder: &Path,
        text: &str,
        heard: &mut dyn FnMut(&str),
        is_over: &dyn Fn() -> bool,
    ) -> Result<Answered, NoReply> {
        let program = Conversing::start(&self.words, folder, &self.variables)
            .map_err(|error| NoReply::Unstarted(error.to_string()))?;
        let mut call = Call {
            program,
            allows: self.allows,
            deadline: Instant::now() + self.time,
            is_over,
            heard,
            answered: Answered::default(),
            next: 0,
        };
        let greeted = json!({
            "protocolVersion": VERSION,
            "clientCapabilities": { "fs": { "readTextFile": false, "writeTextFile": false }, "terminal": false },
            "clientInfo": { "name": "hansei", "version": env!("CARGO_PKG_VERSION") },
        });
        let deadline = call.deadline;
        call.deadline = deadline.min(Instant::now() + GREETING);
        call.ask("initialize", &greeted)?;
        let session = call.ask("session/new", &json!({ "cwd": folder, "mcpServers": [] }))?;
        call.deadline = deadline;
        let session = session["sessionId"].as_str().unwrap_or_default().to_owned();
        let prompt = json!({ "sessionId": session, "prompt": [{ "type": "text", "text": text }] });
        let stopped = match call.ask("session/prompt", &prompt) {
            Err(NoReply::Interrupted) => {
                let cancel = json!({ "jsonrpc": "2.0", "method": "session/cancel", "params": { "sessionId": session } });
                let _ = call.program.say(&cancel.to_string());
                return Err(NoReply::Interrupted);
            }
            other => other?,
        };
        let Answered { words, asked, .. } = call.answered;
        let reason = stopped["stopReason"].as_str().unwrap_or_default().to_owned();
        Ok(Answered { words: words.trim().to_owned(), reason, asked })
    }
}

struct Call<'a> {
    program: Conversing,
    allows: bool,
    deadline: Instant,
    is_over: &'a dyn Fn() -> bool,
    heard: &'a mut dyn FnMut(&str),
    answered: Answered,
    next: u64,
}

impl Call<'_> {
    /// Makes a request, and answers whatever comes before its answer.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, NoReply> {
        self.next += 1;
        let id = self.next;
        let request = json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params });
        self.say(&request)?;
        loop {
            if (self.is_over)() {
                return Err(NoReply::Interrupted);
            }
            if Instant::now() >= self.deadline {
                return Err(NoReply::Late);
            }
            let line = match self.program.hear(GLANCE) {
                Heard::Silence => continue,
                Heard::End => return Err(NoReply::Gone(self.program.last_complaints())),
                Heard::Line(line) => line,
            };
            // Some print other things there, too.
            let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
            if message.get("method").is_some() {
                self.told(&message)?;
            } else if message["id"] == id {
                if let Some(error) = message.get("error") {
                    let words = error["data"]["message"].as_str().or(error["message"].as_str());
                    return Err(NoReply::Refused(words.unwrap_or("it did not say why").to_owned()));
                }
                return Ok(message["result"].clone());
            }
        }
    }

    fn say(&mut self, message: &Value) -> Result<(), NoReply> {
        self.program.say(&message.to_string()).map_err(|_| NoReply::Gone(self.program.last_complaints()))
    }

    /// Takes in what it tells, and answers what it asks.
    fn told(&mut self, message: &Value) -> Result<(), NoReply> {
        match message["method"].as_str().unwrap_or_default() {
            "session/update" => {
                let update = &message["params"]["update"];
                match update["sessionUpdate"].as_str() {
                    Some("agent_message_chunk") => {
                        let piece = update["content"]["text"].as_str().unwrap_or_default();
                        self.answered.words.push_str(piece);
                        (self.heard)(piece);
                    }
                    // Its last words are those after its last call.
                    Some("tool_call") => self.answered.words.clear(),
                    _ => {}
                }
                Ok(())
            }
            "session/request_permission" => {
                self.answered.asked += 1;
                let outcome = permission(&message["params"]["options"], self.allows);
                self.say(&json!({ "jsonrpc": "2.0", "id": message["id"], "result": { "outcome": outcome } }))
            }
            _ if message.get("id").is_none() => Ok(()),
            method => {
                let error = json!({ "code": -32601, "message": format!("{method} is not offered") });
                self.say(&json!({ "jsonrpc": "2.0", "id": message["id"], "error": error }))
            }
        }
    }
}

/// Which of the offered options is taken: the one that reaches least far.
fn permission(options: &Value, allows: bool) -> Value {
    let wanted = if allows { ["allow_once", "allow_always"] } else { ["reject_once", "reject_always"] };
    let offered = options.as_array().map(Vec::as_slice).unwrap_or_default();
    let found = wanted.iter().find_map(|kind| offered.iter().find(|option| option["kind"] == *kind));
    match found {
        Some(option) => json!({ "outcome": "selected", "optionId": option["optionId"] }),
        None => json!({ "outcome": "cancelled" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn permissions_are_answered_by_policy() {
        let option = |id: &str, kind: &str| json!({ "optionId": id, "kind": kind });
        let all = json!([option("a", "allow_always"), option("o", "allow_once"), option("r", "reject_once")]);
        assert_eq!(permission(&all, true)["optionId"], "o", "what reaches least far");
        assert_eq!(permission(&all, false)["optionId"], "r");
        assert_eq!(permission(&json!([option("a", "allow_always")]), true)["optionId"], "a");
        assert_eq!(permission(&json!([option("a", "allow_always")]), false)["outcome"], "cancelled");
        assert_eq!(permission(&Value::Null, true)["outcome"], "cancelled");
    }
}
