//! `risk`: must somebody else look at a change?

use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Tool, line, lines, object};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "risk",
    command: "risk",
    title: "Judge the risk of a change",
    description: "Ask what a mistake in a change would cost and how likely one is. Use it before you hand work over or \
        commit. Without arguments it looks at everything that is not committed. `consequence.needs_review` true means \
        that somebody independent has to look, whatever the tests say. Give at most one of base, commit, staged, files.",
    schema,
    effect: Effect::ReadsOnly,
    limit: Duration::from_mins(5),
    asked,
};

fn schema() -> Value {
    let mut files = lines("These paths instead of what git says changed.");
    files["maxItems"] = 20_000.into();
    files["minItems"] = 1.into();
    object(json!({
        "base": line("A revision: everything since it."),
        "head": line("With base: up to this revision instead of the work tree."),
        "commit": line("A revision: what this one commit changed."),
        "staged": { "type": "boolean", "description": "What is staged." },
        "files": files,
        "threshold": {
            "type": "number", "minimum": 0, "maximum": 1,
            "description": "The score from which review is needed [default: the project's, else 0.5].",
        },
    }))
}

fn asked(arguments: &Value) -> Result<Asked, String> {
    let mut asked = Asked::command(&["risk", "--json"]);
    for name in ["base", "head", "commit"] {
        asked.option_if(name, arguments[name].as_str());
    }
    if arguments["staged"] == true {
        asked.word("--staged");
    }
    asked.option_if("threshold", arguments["threshold"].as_f64());
    if let Some(files) = arguments["files"].as_array() {
        let mut names = Vec::new();
        for file in files.iter().filter_map(Value::as_str) {
            if file.contains('\0') {
                return Err("files: a path holds a NUL".to_owned());
            }
            names.extend_from_slice(file.as_bytes());
            names.push(0);
        }
        asked.reading("files", names);
    }
    Ok(asked)
}
