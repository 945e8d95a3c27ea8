//! `probe`: is it the environment?

use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Tool, line, object, text};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "probe",
    command: "probe",
    title: "Probe the environment",
    description: "Look for causes outside of the code: imports and paths, configuration and environment variables, \
        dependencies that do not fit, toolchain, fixtures, stale build output, wrong folder, ports, permissions, git state. \
        Use it when a command fails and the code looks right, and before you try the same fix a second time. Deterministic, \
        no model. Each of `findings` names its cause, the evidence and the fix; an empty list means that none was found.",
    schema,
    effect: Effect::ReadsOnly,
    limit: Duration::from_mins(5),
    asked,
};

fn schema() -> Value {
    object(json!({
        "command": line("The command that fails."),
        "error": text("What it printed when it failed."),
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "the table has one shape for all tools")]
fn asked(arguments: &Value) -> Result<Asked, String> {
    let mut asked = Asked::command(&["probe", "--json"]);
    asked.option_if("command", arguments["command"].as_str());
    if let Some(error) = arguments["error"].as_str() {
        asked.reading("error", error);
    }
    Ok(asked)
}
