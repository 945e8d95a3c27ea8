//! The tools that an agent is given: one table of them, and one way to call each.
//!
//! There is no `write_file`: a file is created once and then edited by anchors, so that what an agent did not look at
//! is not lost.

mod error;
mod input;
mod list_files;
mod page;
mod read_file;
mod run_tests;
mod search;
mod shell;
mod str_replace_editor;
mod tree;

use hansei_core::verification::Report;
use hansei_workspace::beneath::Root;
use hansei_workspace::sandbox::{self, Ahead, Ended, Refusal, Request};
use serde_json::{Value, json};

pub use error::{Code, ToolError};
use input::Input;

/// A tool.
#[derive(Debug)]
pub struct Tool {
    /// What it is called by.
    pub name: &'static str,
    /// What it does, for whoever may call it.
    pub description: &'static str,
    /// The JSON Schema of its input. What is not in it is refused.
    pub schema: fn() -> Value,
    run: fn(&Input<'_>, &Workplace) -> Result<Value, ToolError>,
}

/// Every tool.
pub const TOOLS: &[Tool] = &[
    str_replace_editor::TOOL,
    read_file::TOOL,
    list_files::TOOL,
    search::TOOL,
    shell::TOOL,
    run_tests::TOOL,
];

/// Runs the project's own checks, and says what they say.
pub type RunChecks = Box<dyn Fn() -> Result<Report, ToolError>>;

/// Where tools work, and how commands are run there.
pub struct Workplace {
    root: Root,
    /// What every command begins from: the workspace, the limits, whether it is locked in.
    commands: Request,
    run_checks: RunChecks,
    /// Keeps a sandbox for the next command while somebody thinks about it, where many are expected.
    ahead: Option<Ahead>,
}

impl Workplace {
    /// The workspace of `commands`; what is to be run there is filled in by the tools.
    pub fn open(mut commands: Request, run_checks: RunChecks) -> std::io::Result<Self> {
        let root = Root::open(&commands.workspace)?;
        commands.workspace = commands.workspace.canonicalize()?;
        Ok(Self { root, commands, run_checks, ahead: None })
    }

    /// The same for many calls, one after another: a sandbox stays for the next command.
    #[must_use]
    pub fn for_many_calls(self) -> Self {
        Self { ahead: Some(Ahead::default()), ..self }
    }

    /// Says that this tool is called within moments, so that what can be done beforehand is.
    pub fn expect(&self, tool: &str) {
        if let Some(ahead) = self.ahead.as_ref().filter(|_| tool == shell::TOOL.name) {
            ahead.expect();
        }
    }

    fn run(&self, request: &Request) -> Result<Ended, Refusal> {
        match &self.ahead {
            Some(ahead) => ahead.run(request),
            None => sandbox::run(request),
        }
    }
}

/// Calls a tool as an agent does: by its name, with a JSON object.
pub fn call(name: &str, input: &Value, workplace: &Workplace) -> Result<Value, ToolError> {
    let Some(tool) = TOOLS.iter().find(|tool| tool.name == name) else {
        let names: Vec<&str> = TOOLS.iter().map(|tool| tool.name).collect();
        let message = format!("there is no tool {name:?}; there are {}", names.join(", "));
        return Err(ToolError::new(Code::UnknownTool, message));
    };
    let schema = (tool.schema)();
    let input = Input::checked(input, &schema)?;
    // A sandbox that waits has folders standing in the tree, which only its command may not see.
    if let Some(ahead) = workplace.ahead.as_ref().filter(|_| tool.name != shell::TOOL.name) {
        ahead.rest();
    }
    (tool.run)(&input, workplace)
}

/// What a call came to, as it is shown: `{ok, output}` or `{ok, error: {code, message}}`.
pub fn told(result: &Result<Value, ToolError>) -> Value {
    match result {
        Ok(output) => json!({ "ok": true, "output": output }),
        Err(error) => json!({ "ok": false, "error": error }),
    }
}

/// A schema of an object with these properties and nothing else.
fn object(properties: &Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}
