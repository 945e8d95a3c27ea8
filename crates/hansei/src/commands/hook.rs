//! `hansei hook`: what agents call. Answered before the argument parser is built, and never with an exit code but 0.

use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::ExitCode;

use hansei_core::event::HookEvent;
use hansei_core::reflection::Mode;
use hansei_hook::{Call, DueNotice, Environment, SecondOpinion};

use crate::{advisor, notices};

/// Answer an agent's hook (agents call this, people do not).
///
/// Reads the agent's payload from standard input. Does nothing unless the mode is solo or
/// orchestrated; `REFLECTION_MODE` in the environment wins over --mode. Always exits 0.
///
/// Example: hansei hook claude-code stop --mode solo < payload.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The agent that calls, such as claude-code, codex, gemini, opencode or kilo.
    agent: String,
    /// What happened: session-start, prompt, tool, stop, subagent-stop, compact, stuck, error, abort
    /// or session-end, or the agent's own name for it.
    event: String,
    /// How far to go: solo or orchestrated; anything else is off.
    #[arg(long)]
    mode: Option<String>,
}

/// Answers if the arguments call a hook; `hansei hook --help` is left to the argument parser.
pub fn answer(mut arguments: impl Iterator<Item = OsString>) -> Option<ExitCode> {
    if arguments.next()? != "hook" {
        return None;
    }
    let given = Given::from(arguments);
    if given.help {
        return None;
    }
    let mode = hansei_hook::mode(std::env::var_os("REFLECTION_MODE").as_deref(), given.mode.as_deref());
    if mode == Mode::Off {
        hansei_hook::drain();
        return Some(ExitCode::SUCCESS);
    }
    let outcome = given.call(mode).and_then(|call| {
        let environment = Environment::of_process().called_by(call.agent.as_deref());
        let settings = environment.user_settings.clone();
        // Only a stop is judged, and only the user's own settings name a model.
        let stops = call.event == HookEvent::Stop;
        let second = if stops { advisor::of_user(environment.user_settings.as_deref()) } else { None };
        let second = second.as_ref().map(|second| second as &dyn SecondOpinion);
        let outcome = hansei_hook::run(&call, &environment, second).map_err(|error| error.to_string())?;
        if let Some(reply) = &outcome.reply {
            crate::terminal::print(&format!("{reply}\n"));
        }
        // Rare, and bounded: nothing that a hook starts outlives it.
        outcome.notice.map_or(Ok(()), |due| tell(&due, settings.as_deref()))
    });
    match outcome {
        Ok(()) => {}
        Err(reason) => eprintln!("hansei: {}", crate::terminal::one_line(&reason)),
    }
    Some(ExitCode::SUCCESS)
}

/// Tells a person, and records how that went.
fn tell(due: &DueNotice, settings: Option<&Path>) -> Result<(), String> {
    let ways = notices::of_user(settings);
    let told = notices::tell_once(&ways, &due.notice, &due.stop);
    let (ways, failed) = told
        .map_or_else(|| (Vec::new(), vec!["it was told before".to_owned()]), |told| (told.ways, told.failed));
    due.sent(ways, failed).map_err(|error| error.to_string())
}

/// The arguments as they were given.
#[derive(Default)]
struct Given {
    names: Vec<OsString>,
    mode: Option<OsString>,
    help: bool,
}

impl Given {
    fn from(mut arguments: impl Iterator<Item = OsString>) -> Self {
        let mut given = Self::default();
        while let Some(argument) = arguments.next() {
            let bytes = argument.as_encoded_bytes();
            if argument == "--mode" {
                given.mode = arguments.next();
            } else if let Some(mode) = argument.to_str().and_then(|text| text.strip_prefix("--mode=")) {
                given.mode = Some(mode.into());
            } else if argument == "--help" || argument == "-h" {
                given.help = true;
            } else if !bytes.starts_with(b"-") {
                given.names.push(argument);
            }
        }
        given
    }

    fn call(self, mode: Mode) -> Result<Call, String> {
        let text = |name: &OsStr| name.to_string_lossy().into_owned();
        let (agent, event) = match self.names.as_slice() {
            [event] => (None, text(event)),
            [agent, event] => (Some(text(agent)), text(event)),
            _ => return Err("usage: hansei hook <agent> <event> [--mode solo|orchestrated]".to_owned()),
        };
        let known = hansei_agents::event_named(agent.as_deref().unwrap_or_default(), &event);
        let event = known.ok_or_else(|| {
            let names = HookEvent::NAMES.map(|(name, _)| name).join(", ");
            format!(
                "{event:?} is no hook event of {}; there are {names}",
                agent.as_deref().unwrap_or("any agent")
            )
        })?;
        Ok(Call { agent, event, mode })
    }
}
