//! `hansei export`: a session in a form that other tools read.

use std::process::ExitCode;

use clap::ValueEnum;
use hansei_agents::{atif, messages};
use hansei_record::redacted::Redacted;

use crate::failure::{Answer, Failure};
use crate::{homes, terminal};

/// Print a session in a form that other tools read, secrets redacted.
///
/// Example: hansei export last --format atif > trajectory.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The session's id or the beginning of it, or `last`.
    session: String,
    /// The form: ATIF (Agent Trajectory Interchange Format), or chat messages.
    #[arg(long, value_enum, default_value_t = Format::Atif)]
    format: Format,
    /// Leave secrets in. What is printed then is as sensitive as the session itself.
    #[arg(long)]
    unredacted: bool,
    /// For the sake of habit: the output always is JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Atif,
    /// In the shape of OpenAI's chat messages.
    Messages,
    /// In the shape of Anthropic's messages.
    AnthropicMessages,
}

pub fn run(arguments: &Arguments) -> Answer {
    let found = homes::find(&arguments.session, None)?;
    let mut events = Vec::new();
    hansei_agents::read(&found, &mut |event| events.push(event))
        .map_err(|error| Failure::environment(format!("{} cannot be read: {error}", found.file.display())))?;
    let whose = atif::Whose { session: &found.id, agent: found.agent };
    let exported = match arguments.format {
        Format::Atif => atif::export(&events, whose),
        Format::Messages => messages::export(&events, messages::Shape::OpenAi, whose),
        Format::AnthropicMessages => messages::export(&events, messages::Shape::Anthropic, whose),
    };
    if arguments.unredacted {
        terminal::print_json(&exported)?;
    } else {
        terminal::print_json(Redacted::new(&exported).map_err(std::io::Error::from)?.value())?;
    }
    Ok(ExitCode::SUCCESS)
}
