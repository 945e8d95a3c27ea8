//! `shell`: a command in the sandbox.

use std::time::Duration;

use hansei_workspace::sandbox::{self, Confinement, Ended, How};
use serde_json::{Value, json};

use super::input::Input;
use super::{Code, Tool, ToolError, Workplace, object};

/// Seconds that a command has where nobody said otherwise.
const USUAL_SECONDS: usize = 120;
/// Seconds that a command may be given.
const MOST_SECONDS: usize = 600;
/// As much of its output as is kept, beginning and end.
const MOST_OUTPUT: usize = 32 * 1024;

pub(super) const TOOL: Tool = Tool {
    name: "shell",
    description: "Run a shell command in the root of the workspace, in a sandbox: the workspace may be written but for \
        protected files, there is no network, and everything that it started ends with it. Gives its exit code and what \
        it printed; the middle of long output is left out. It has 120 seconds unless `timeout_seconds` (at most 600) \
        says otherwise.",
    schema,
    run,
};

fn schema() -> Value {
    object(
        &json!({
            "command": { "type": "string", "description": "The command, for bash -c." },
            "timeout_seconds": { "type": "integer", "description": "How long it may take; 120 where it is not given." }
        }),
        &["command"],
    )
}

fn run(input: &Input<'_>, workplace: &Workplace) -> Result<Value, ToolError> {
    let command = input.required("command")?;
    if command.trim().is_empty() || command.contains('\0') {
        return Err(ToolError::bad_input("the field \"command\" is empty, or has a NUL character in it"));
    }
    let seconds = input.count("timeout_seconds", 1)?.unwrap_or(USUAL_SECONDS);
    if seconds > MOST_SECONDS {
        let message = format!("\"timeout_seconds\" is {seconds}, and {MOST_SECONDS} is the most");
        return Err(ToolError::bad_input(message));
    }
    let mut request = workplace.commands.clone();
    request.command = ["bash", "-c", command].map(Into::into).into();
    request.limits.time = Duration::from_secs(seconds as u64);
    request.limits.output = MOST_OUTPUT;
    let ended = workplace.run(&request)?;
    let text = ended.output.text();
    let stopped = |code, why: String| Err(ToolError::new(code, format!("{why}; it printed:\n{text}")));
    match ended.how {
        How::TimedOut => stopped(Code::TimedOut, format!("the command was ended after {seconds} seconds")),
        How::OutOfMemory => {
            stopped(Code::OutOfMemory, "the command was ended: it wanted more memory than it may have".into())
        }
        How::TooManyProcesses => stopped(
            Code::TooManyProcesses,
            "the command was ended: it wanted more processes than it may have".into(),
        ),
        How::Exited(0) => Ok(finished(&ended, &text)),
        _ if request.confinement == Confinement::Sandboxed && sandbox::wanted_network(&text) => stopped(
            Code::NetworkBlocked,
            format!("the command failed (exit code {}): there is no network here", ended.how.code()),
        ),
        How::Exited(_) | How::Signalled(_) => Ok(finished(&ended, &text)),
    }
}

fn finished(ended: &Ended, text: &str) -> Value {
    json!({ "exit_code": ended.how.code(), "text": text, "left_out_bytes": ended.output.left_out() })
}
