//! `decisions_check`: does a change or a plan go against what was decided?

use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Tool, line, object, text};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "decisions_check",
    command: "decisions check",
    title: "Check against decisions",
    description: "Ask whether a change or a plan goes against decisions that are written down in this repository: ADRs, \
        @RATIONALE and @REJECTED tags. Use it with `plan` before you begin with an approach, and without arguments (or with \
        `staged`) before you commit. Every violation names the decision, the file and the line; a decision is lifted only \
        by a document that supersedes it with new evidence, never by removing its tags. Give at most one of staged, base, \
        diff, plan.",
    schema,
    effect: Effect::ReadsOnly,
    limit: Duration::from_mins(5),
    asked,
};

fn schema() -> Value {
    object(json!({
        "staged": { "type": "boolean", "description": "What is staged, against HEAD." },
        "base": line("A revision: everything since the work tree grew from it."),
        "diff": text("A unified diff, against HEAD."),
        "plan": text("A plan in words: what you are about to do."),
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "the table has one shape for all tools")]
fn asked(arguments: &Value) -> Result<Asked, String> {
    let mut asked = Asked::command(&["decisions", "check", "--json"]);
    if arguments["staged"] == true {
        asked.word("--staged");
    }
    asked.option_if("base", arguments["base"].as_str());
    for name in ["diff", "plan"] {
        if let Some(given) = arguments[name].as_str() {
            asked.reading(name, given);
        }
    }
    Ok(asked)
}
