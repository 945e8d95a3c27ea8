//! `hansei model-server`: the scripted model, for running real agents without one.

use std::path::PathBuf;
use std::process::ExitCode;

use hansei_model_server::{ModelServer, Options, Script, StartError, TerminationSignals};
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::terminal;

/// Answer agents from a script in place of a model, on 127.0.0.1.
///
/// Speaks Anthropic Messages, OpenAI Chat Completions and Responses, and Gemini, streaming and
/// not. Runs until SIGINT or SIGTERM. docs/model-server.md describes the script.
///
/// Example: hansei model-server --script script.yaml --port 8080 --record requests
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// What the model says (YAML).
    #[arg(long, value_name = "FILE")]
    script: PathBuf,
    /// The port; 0 is any free one.
    #[arg(long, value_name = "N", default_value_t = 0)]
    port: u16,
    /// Write every request to this folder, as NNNN.json.
    #[arg(long, value_name = "DIR")]
    record: Option<PathBuf>,
    /// Print {url, port} on one line instead.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let path = arguments.script.display();
    let text = std::fs::read_to_string(&arguments.script)
        .map_err(|error| Failure::usage(format!("{path} cannot be read: {error}")))?;
    let script: Script = text.parse().map_err(|error| {
        Failure::usage(format!("{path}: {error}")).hint("docs/model-server.md describes the script")
    })?;
    // Before anything is printed: whoever reads the line may end the program at once.
    let signals = TerminationSignals::listen()?;
    let options = Options { port: arguments.port, record: arguments.record.clone() };
    let server = ModelServer::start(script, options)?;
    if arguments.json {
        terminal::print(&format!("{}\n", json!({ "url": server.url(), "port": server.port() })));
    } else {
        terminal::print(&format!("listening on {}\n", server.url()));
    }
    signals.wait();
    server.stop();
    Ok(ExitCode::SUCCESS)
}

impl From<StartError> for Failure {
    fn from(error: StartError) -> Self {
        let failure = Self::environment(error.to_string());
        match error {
            StartError::Port { .. } => failure.hint("`--port 0` takes any free one"),
            StartError::Record { .. } | StartError::System(_) => failure,
        }
    }
}
