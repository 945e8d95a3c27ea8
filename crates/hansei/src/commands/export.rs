//! `hansei export`: a session in a form that other tools read.

use std::process::ExitCode;

use clap::ValueEnum;
use hansei_agents::{atif, messages};
use hansei_core::run::session_events;
use hansei_core::session::SessionEvent;
use hansei_hook::own_run;
use hansei_record::redacted::Redacted;
use hansei_record::run_log::PREFIX;

use crate::failure::{Answer, Failure};
use crate::workspace::Workspace;
use crate::{found_run, homes, terminal};

/// Print a session or a run in a form that other tools read, secrets redacted.
///
/// Example: hansei export last --format atif > trajectory.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The session's id or the beginning of it, or `last`; or a run's name.
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
    /// A run as a trace, in OTLP's JSON form.
    Otlp,
}

pub fn run(arguments: &Arguments) -> Answer {
    if arguments.session.starts_with(PREFIX) {
        let found = found_run::find(&Workspace::at(None)?, &arguments.session)?;
        let whose = atif::Whose { session: &found.name, agent: own_run::AGENT };
        if arguments.format == Format::Otlp {
            let trace = hansei_core::run::otlp(&found.events);
            return printed(&trace.unwrap_or_default(), arguments.unredacted);
        }
        return exported(&session_events(&found.events), whose, arguments);
    }
    let found = homes::find(&arguments.session, None)?;
    let mut events = Vec::new();
    hansei_agents::read(&found, &mut |event| events.push(event))
        .map_err(|error| Failure::environment(format!("{} cannot be read: {error}", found.file.display())))?;
    exported(&events, atif::Whose { session: &found.id, agent: found.agent }, arguments)
}

fn exported(events: &[SessionEvent], whose: atif::Whose<'_>, arguments: &Arguments) -> Answer {
    let exported = match arguments.format {
        Format::Atif => atif::export(events, whose),
        Format::Messages => messages::export(events, messages::Shape::OpenAi, whose),
        Format::AnthropicMessages => messages::export(events, messages::Shape::Anthropic, whose),
        Format::Otlp => return Err(Failure::usage("a trace is made of a run; name one, such as run-…")),
    };
    printed(&exported, arguments.unredacted)
}

fn printed(exported: &serde_json::Value, unredacted: bool) -> Answer {
    if unredacted {
        terminal::print_json(exported)?;
    } else {
        terminal::print_json(Redacted::new(exported).map_err(std::io::Error::from)?.value())?;
    }
    Ok(ExitCode::SUCCESS)
}
