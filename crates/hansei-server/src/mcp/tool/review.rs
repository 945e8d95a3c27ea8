//! `review`: is a session's work really done?

use std::time::Duration;

use serde_json::{Value, json};

use super::{Effect, Tool, line, object};
use crate::mcp::calling::Asked;

pub(super) const TOOL: Tool = Tool {
    name: "review",
    command: "review",
    title: "Review a session",
    description: "Ask whether the work of a session is really done, judged by the commands that ran and not by what was \
        said: checks that failed or are stale, work that was announced and not done, open todos. Use it before you claim \
        that a task is complete. `verdict.complete` false is the answer \"no\": do what `verdict.next_actions` says.",
    schema,
    effect: Effect::ReadsOnly,
    limit: Duration::from_mins(2),
    asked,
};

fn schema() -> Value {
    object(json!({
        "session": line("The session's id or the beginning of it, or `last` [default: the newest of this workspace]."),
    }))
}

#[expect(clippy::unnecessary_wraps, reason = "the table has one shape for all tools")]
fn asked(arguments: &Value) -> Result<Asked, String> {
    let mut asked = Asked::command(&["review", "--json", "--cwd=.", "--"]);
    asked.word(arguments["session"].as_str().unwrap_or("last"));
    Ok(asked)
}
