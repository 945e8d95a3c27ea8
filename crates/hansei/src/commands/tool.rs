//! `hansei tool`: one of an agent's tools, called exactly as the agent would call it.

use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use hansei_core::verification::Report;
use hansei_engine::tool::{self, Code, TOOLS, ToolError, Workplace};
use hansei_engine::verification::Unverified;
use hansei_hook::Environment;
use hansei_workspace::sandbox::{Confinement, Request};
use serde_json::{Value, json};

use super::verify;
use crate::failure::{Answer, Failure};
use crate::{confinement, interruption, terminal};

/// The longest input that is read.
const LONGEST_INPUT: u64 = 64 * 1024 * 1024;

/// Call a tool as an agent would: edit, read, list and search files, run a command or the tests in the sandbox.
///
/// Prints one line: {"ok":true,"output":…} or {"ok":false,"error":{"code","message"}}.
/// Paths in the input are relative to the workspace, and nothing leads out of it.
/// Exit codes: 0 done, 1 the tool said no, 2 the input is no JSON, 3 there is no sandbox.
///
/// Example: hansei tool search --input '{"pattern":"TODO","glob":"*.rs"}'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The tool.
    #[arg(required_unless_present = "list")]
    name: Option<String>,
    /// Its input, a JSON object; - reads it from standard input.
    #[arg(long, value_name = "JSON", default_value = "{}")]
    input: String,
    /// The folder that it works in, instead of this one.
    #[arg(long, value_name = "DIR")]
    workspace: Option<PathBuf>,
    /// Run commands without the sandbox, with all that you may do yourself.
    #[arg(long)]
    no_sandbox: bool,
    /// List the tools instead, with what each takes.
    #[arg(long, conflicts_with_all = ["name", "workspace", "no_sandbox"])]
    list: bool,
    /// With --list: print [{name, description, `input_schema`}]. A call prints JSON anyway.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let Some(name) = arguments.name.as_deref().filter(|_| !arguments.list) else {
        return list(arguments.json);
    };
    let environment = Environment::of_process();
    let given_folder = arguments.workspace.as_deref().unwrap_or(Path::new("."));
    let folder = environment.folder.join(given_folder);
    if !folder.is_dir() {
        return Err(Failure::usage(format!("{} is not a folder", folder.display())));
    }
    let mut commands = Request::new(folder.clone(), Vec::new());
    confinement::apply(&confinement::settings(&environment)?, &mut commands);
    if arguments.no_sandbox {
        commands.confinement = Confinement::Bare;
    }
    let verified = verify::Arguments::of_tool(folder, arguments.no_sandbox);
    let workplace = Workplace::open(commands, Box::new(move || checked(&verified)))
        .map_err(|error| Failure::environment(format!("the workspace cannot be opened: {error}")))?;
    let input: Value = match serde_json::from_str(&given(&arguments.input)?) {
        Ok(input) => input,
        Err(error) => {
            let error = ToolError::new(Code::BadInput, format!("the input is no JSON: {error}"));
            tell(&Err(error));
            return Ok(ExitCode::from(2));
        }
    };
    interruption::end_what_runs();
    let result = tool::call(name, &input, &workplace);
    if let Some(code) = interruption::asked() {
        return Ok(ExitCode::from(code));
    }
    tell(&result);
    Ok(match result {
        Ok(_) => ExitCode::SUCCESS,
        Err(ToolError { code: Code::NoSandbox, .. }) => ExitCode::from(3),
        Err(_) => ExitCode::from(1),
    })
}

/// The project's own checks, as `hansei verify` runs them.
pub fn checked(arguments: &verify::Arguments) -> Result<Report, ToolError> {
    match verify::report(arguments, &mut |_| ()) {
        Ok(Ok(report)) => Ok(report),
        Ok(Err(Unverified::Refused(refusal))) => Err(refusal.into()),
        Ok(Err(unverified)) => Err(ToolError::new(Code::System, unverified.to_string())),
        Err(failure) => Err(ToolError::new(Code::System, failure.message())),
    }
}

fn given(input: &str) -> Result<String, Failure> {
    if input != "-" {
        return Ok(input.to_owned());
    }
    let mut text = String::new();
    let read = std::io::stdin().take(LONGEST_INPUT + 1).read_to_string(&mut text);
    read.map_err(|error| Failure::usage(format!("standard input cannot be read: {error}")))?;
    if text.len() as u64 > LONGEST_INPUT {
        return Err(Failure::usage("the input is longer than 64 MiB"));
    }
    Ok(text)
}

fn tell(result: &Result<Value, ToolError>) {
    terminal::print(&format!("{}\n", tool::told(result)));
}

fn list(as_json: bool) -> Answer {
    if as_json {
        let tools: Vec<Value> = TOOLS
            .iter()
            .map(|tool| {
                json!({ "name": tool.name, "description": tool.description, "input_schema": (tool.schema)() })
            })
            .collect();
        terminal::print_json(&tools)?;
        return Ok(ExitCode::SUCCESS);
    }
    for tool in TOOLS {
        let schema = (tool.schema)();
        let required = schema["required"].as_array().cloned().unwrap_or_default();
        terminal::print(&format!("{}\n  {}\n", tool.name, tool.description));
        for (name, property) in schema["properties"].as_object().into_iter().flatten() {
            let kind = property["type"].as_str().unwrap_or_default();
            let optional = if required.contains(&json!(name)) { "" } else { ", optional" };
            let about = property["description"].as_str().unwrap_or_default();
            terminal::print(&format!("    {name} ({kind}{optional}): {about}\n"));
        }
        terminal::print("\n");
    }
    Ok(ExitCode::SUCCESS)
}
