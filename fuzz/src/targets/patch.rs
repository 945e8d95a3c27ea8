//! Patches in the form that several agents share, as a call in a transcript of Codex.

use hansei_core::session::{Action, What};
use serde_json::json;

use super::transcript;
use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "patch", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let patch = String::from_utf8_lossy(bytes);
    let line = json!({
        "timestamp": "2026-11-15T10:40:00Z",
        "type": "response_item",
        "payload": { "type": "custom_tool_call", "call_id": "c", "name": "apply_patch", "input": patch },
    });
    let file = scratch::folder("patch").join("rollout.jsonl");
    scratch::write(&file, line.to_string().as_bytes());
    let (events, _) = transcript::read("codex", "s", file).expect("a file that is there can be read");
    let called = events.iter().find_map(|event| match &event.what {
        What::Called { action: Action::Edit { paths }, .. } => Some(paths),
        _ => None,
    });
    let paths = called.expect("a patch is an edit");
    assert!(paths.len() <= patch.matches("*** ").count());
    assert!(paths.iter().all(|path| patch.contains(path.as_str()) && path.trim() == path), "{paths:?}");
}
