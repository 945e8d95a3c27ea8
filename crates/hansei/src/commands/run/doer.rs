//! Another agent as the one who works: started for one prompt, in a session of its own, and ended with everything that it
//! started.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use hansei_agents::doing::{DOINGS, Doing, doing};
use hansei_core::run::conversation::{Conversation, Message, NoAnswer, Spent, Turn};
use hansei_core::session::is_usage_limit;
use hansei_engine::acp::{AcpAgent, NoReply};
use hansei_engine::run::Voice;
use hansei_hook::own_run;
use hansei_workspace::program::{self, Workspace};
use hansei_workspace::sandbox::{self, Confinement, How, Request};

use crate::failure::Failure;

/// The most of an agent's output that is kept.
const MOST_OUTPUT: usize = 4 << 20;
/// The most characters of an error that are told.
const MOST_WORDS: usize = 300;

/// An agent that works.
pub struct Doer<'a> {
    pub doing: &'static Doing,
    pub root: PathBuf,
    /// The model that it is told to use.
    pub model: Option<String>,
    /// Whether it may do everything.
    pub unconfined: bool,
    /// How long it may work on one prompt.
    pub time: Duration,
    pub is_over: &'a dyn Fn() -> bool,
}

/// Another agent: one of those we know, or whatever speaks ACP.
pub enum Agent {
    /// With its own command line.
    Known(&'static Doing),
    /// Over the Agent Client Protocol: a program and its arguments.
    Acp(Vec<OsString>),
}

/// What the name of an ACP agent begins with; its command follows.
const ACP: &str = "acp:";

/// The agent called `name`, if that is not the built-in one.
pub fn named(name: &str) -> Result<Option<Agent>, Failure> {
    if name == own_run::AGENT {
        return Ok(None);
    }
    if let Some(command) = name.strip_prefix(ACP) {
        let mut words = command.split_whitespace();
        let program = words
            .next()
            .ok_or_else(|| Failure::usage("acp: needs a command, such as acp:\"gemini --acp\""))?;
        let program = program::find(program, Workspace::Here).map_err(|error| {
            Failure::environment(error.to_string()).hint("install it, or name it with its path")
        })?;
        let words = words.map(OsString::from);
        return Ok(Some(Agent::Acp([program.into_os_string()].into_iter().chain(words).collect())));
    }
    let names: Vec<&str> = DOINGS.iter().map(|doing| doing.agent).collect();
    let found = doing(name).ok_or_else(|| {
        Failure::usage(format!(
            "there is no agent {name:?}; there are {}, {}, acp:\"COMMAND\"",
            own_run::AGENT,
            names.join(", ")
        ))
    })?;
    program::find(found.program, Workspace::Here)
        .map_err(|error| Failure::environment(error.to_string()).hint(found.install))?;
    Ok(Some(Agent::Known(found)))
}

impl Voice for Doer<'_> {
    fn say(&self, conversation: &Conversation, _: &mut dyn FnMut(&str)) -> Result<Turn, NoAnswer> {
        let Some(Message::User { text: prompt }) = conversation.messages.last() else {
            return Err(NoAnswer::Refused { reason: "there is nothing to say".to_owned() });
        };
        let words = self.doing.words(prompt, self.model.as_deref(), self.unconfined);
        let program = program::find(self.doing.program, Workspace::At(&self.root))
            .map_err(|error| NoAnswer::Refused { reason: error.to_string() })?;
        let words = words.into_iter().skip(1).map(OsString::from);
        let command = [program.into_os_string()].into_iter().chain(words).collect();
        let mut request = Request::new(self.root.clone(), command);
        request.confinement = Confinement::Bare;
        request.limits.time = self.time;
        request.limits.output = MOST_OUTPUT;
        // Our hooks in its session capture and do not judge: that is done here.
        request.variables.push(("HANSEI_CHILD".into(), "1".into()));
        if let Some((name, value)) = self.doing.as_root.filter(|_| is_root()) {
            request.variables.push((name.into(), value.into()));
        }
        let agent = self.doing.agent;
        let ended =
            sandbox::run(&request).map_err(|refusal| NoAnswer::Refused { reason: refusal.to_string() })?;
        if (self.is_over)() {
            return Err(NoAnswer::Interrupted);
        }
        let printed = ended.output.text();
        let said = self.doing.said(&printed);
        let wrong = match ended.how {
            How::Exited(0) => said.error.clone(),
            How::TimedOut => Some(format!(
                "{agent} did not finish within {} minutes and was ended",
                self.time.as_secs() / 60
            )),
            how => Some(match &said.error {
                Some(error) => format!("{agent} ended with exit code {}: {error}", how.code()),
                None => format!("{agent} ended with exit code {}: {}", how.code(), tail(&printed)),
            }),
        };
        match wrong {
            Some(error) if is_usage_limit(&error) => {
                Err(NoAnswer::UsageLimit { reason: short(&error), again_in: None })
            }
            Some(error) => Err(NoAnswer::Refused { reason: short(&error) }),
            None => Ok(turn(said.words, false)),
        }
    }
}

/// An agent that speaks ACP.
pub struct AcpDoer<'a> {
    pub agent: AcpAgent,
    pub root: PathBuf,
    pub is_over: &'a dyn Fn() -> bool,
}

impl Voice for AcpDoer<'_> {
    fn say(&self, conversation: &Conversation, heard: &mut dyn FnMut(&str)) -> Result<Turn, NoAnswer> {
        let Some(Message::User { text: prompt }) = conversation.messages.last() else {
            return Err(NoAnswer::Refused { reason: "there is nothing to say".to_owned() });
        };
        match self.agent.prompt(&self.root, prompt, heard, self.is_over) {
            Ok(answered) => Ok(turn(answered.words, answered.reason == "max_tokens")),
            Err(NoReply::Interrupted) => Err(NoAnswer::Interrupted),
            Err(no_reply) => {
                let reason = short(&format!("the agent: {no_reply}"));
                Err(if is_usage_limit(&reason) {
                    NoAnswer::UsageLimit { reason, again_in: None }
                } else {
                    NoAnswer::Refused { reason }
                })
            }
        }
    }
}

fn turn(words: String, cut_off: bool) -> Turn {
    Turn {
        text: if words.is_empty() { "(it said nothing)".to_owned() } else { words },
        calls: Vec::new(),
        signatures: Vec::new(),
        cut_off,
        spent: Spent::default(),
    }
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}

fn tail(text: &str) -> String {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    lines[lines.len().saturating_sub(3)..].join(" ")
}

fn short(text: &str) -> String {
    crate::terminal::short(text, MOST_WORDS)
}
