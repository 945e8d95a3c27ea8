//! What is said: requests, last words, what was written and printed. Everything that reads them, up to the verdict.

use hansei_agents::messages;
use hansei_core::evidence::{self, Situation};
use hansei_core::nudge::{GithubWork, after_compaction};
use hansei_core::session::Session;
use hansei_core::stuck::{Signs, assess};
use hansei_core::verdict::{Autonomy, Policy, Severity, judge};
use serde_json::json;

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "words", run: check, samples: corpus::none };

/// What parts an input: a request, last words, what was written, a command and what it printed.
const BETWEEN: &str = "\n====\n";

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let mut parts = text.split(BETWEEN);
    let mut next = || parts.next().unwrap_or_default();
    let (request, words, written, command, printed) = (next(), next(), next(), next(), next());
    let call = |id: &str, name: &str, input: serde_json::Value| json!({ "id": id, "type": "function", "function": { "name": name, "arguments": input.to_string() } });
    let edit = json!({ "file_path": "src/lib.rs", "old_string": printed, "new_string": written });
    let conversation = json!([
        { "role": "user", "content": request },
        { "role": "assistant", "tool_calls": [
            call("1", "edit", edit),
            call("2", "bash", json!({ "command": command })),
        ] },
        { "role": "tool", "tool_call_id": "1", "content": "ok" },
        { "role": "tool", "tool_call_id": "2", "content": printed },
        { "role": "assistant", "content": words },
    ]);
    let events = messages::import(conversation.to_string().as_bytes()).expect("messages that we wrote");
    let session = Session::fold(&events);
    let situation = Situation::of(&session);
    let found = evidence::gather(&situation);
    for autonomy in [Autonomy::Ask, Autonomy::Auto] {
        let judged = judge(&situation, &found, Policy { attended: false, autonomy });
        assert!((0.0..=1.0).contains(&judged.p_complete), "{}", judged.p_complete);
        let blocked = found.iter().any(|found| found.severity == Severity::Blocker);
        assert!(!(blocked && judged.verdict.complete), "a blocker is never complete");
    }
    let assessed = assess(&situation, &found, Signs { idle: Some(5), ..Signs::default() });
    assert!(!assessed.stuck, "nobody is stuck after five seconds");
    let assessed = assess(&situation, &found, Signs::default());
    assert_eq!(assessed.should_nudge, !assessed.nudge_message.is_empty());
    let nudge = after_compaction(&situation, &found, &GithubWork::of(&situation));
    assert!((0.0..=1.0).contains(&nudge.confidence));
}
