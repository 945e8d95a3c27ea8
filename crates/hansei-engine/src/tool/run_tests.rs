//! `run_tests`: the project's own checks in the middle of the work. It never replaces the check at the end: what that one
//! finds does not depend on whether this was called, or on what it said.

use serde_json::{Value, json};

use super::input::Input;
use super::{Code, Tool, ToolError, Workplace, object};

pub(super) const TOOL: Tool = Tool {
    name: "run_tests",
    description: "Run the project's own checks (tests and linters, as its files show them) in the sandbox, and say which \
        fail, which failed before the work began, and the end of what they printed. The work is checked again at its \
        end, whatever this says.",
    schema,
    run,
};

fn schema() -> Value {
    object(&json!({}), &[])
}

fn run(_: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let report = (workplace.run_checks)()?;
    serde_json::to_value(report).map_err(|error| ToolError::new(Code::System, error.to_string()))
}
