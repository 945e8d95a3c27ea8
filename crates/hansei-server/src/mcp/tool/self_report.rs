//! `self_report`: what only the agent knows, left for its next stop.

use std::time::Duration;

use hansei_core::surface::Surface;
use serde_json::{Value, json};

use super::{Effect, LONGEST_LINE, Tool, line, object};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "self_report",
    command: "self-report",
    title: "Leave a self-report",
    description: "Leave what only you know about your work, for the record of your next stop. Use it once, when you are \
        about to finish: say how sure you are, which part is most likely wrong, and what you know that the change does \
        not show (a manual step, a skipped check, an assumption). Give at least one of confidence, most_likely_wrong, \
        known_not_in_diff. A later report replaces an earlier one.",
    schema,
    effect: Effect::Notes,
    limit: Duration::from_secs(30),
    asked,
};

fn schema() -> Value {
    object(json!({
        "confidence": {
            "type": "number", "minimum": 0, "maximum": 1,
            "description": "How sure you are that the work is right: 0 not at all, 1 certain.",
        },
        "most_likely_wrong": {
            "type": "object",
            "properties": {
                "surface": { "type": "string", "enum": Surface::ALL.map(Surface::name), "description": "Which part." },
                "description": { "type": "string", "minLength": 1, "maxLength": LONGEST_LINE, "description": "How it would be wrong." },
            },
            "required": ["surface", "description"],
            "additionalProperties": false,
            "description": "The part that is most likely wrong.",
        },
        "known_not_in_diff": line("What you know that the change does not show."),
        "session": line("Your session's id [default: whichever stops next here]."),
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "the table has one shape for all tools")]
fn asked(arguments: &Value) -> Result<Asked, String> {
    let mut asked = Asked::command(&["self-report", "--json"]);
    asked.option_if("confidence", arguments["confidence"].as_f64());
    let wrong = &arguments["most_likely_wrong"];
    asked.option_if("wrong-surface", wrong["surface"].as_str());
    asked.option_if("wrong", wrong["description"].as_str());
    asked.option_if("not-in-diff", arguments["known_not_in_diff"].as_str());
    asked.option_if("session", arguments["session"].as_str());
    Ok(asked)
}
