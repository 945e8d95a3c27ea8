//! `hansei watch`: follows the sessions that agents are writing, and tells when one needs a human.
//!
//! For agents that have no timer of their own. It looks at files every few seconds, reads a session only when that has
//! changed and gone silent, and never speaks to an agent.

use std::collections::HashMap;
use std::process::ExitCode;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, SystemTime};

use hansei_agents::transcript::{Found, Live};
use hansei_agents::{ADAPTERS, adapter_named};
use hansei_core::evidence::{self, Situation};
use hansei_core::interrupt::Stop;
use hansei_core::notice::{About, Notice};
use hansei_core::session::{Excerpt, Session};
use hansei_core::stuck::{Assessment, Reason, Signs, TOO_RECENT, counted_silence};
use hansei_core::verdict::{Autonomy, Policy};
use hansei_model_server::TerminationSignals;
use hansei_record::clock;
use hansei_record::notify_settings::NotifySettings;
use hansei_record::redacted::Redacted;
use hansei_record::settings::Layers;
use serde_json::{Value, json};

use crate::advisor::{self, Configured};
use crate::commands::{sessions, stuck};
use crate::failure::Answer;
use crate::workspace::Workspace;
use crate::{homes, notices, terminal};

/// Follow live sessions, and tell you when one is stuck, needs you, or hit a usage limit.
///
/// Prints a line whenever the state of a session changes, and tells you as `[notify]` in your own
/// config.toml says. Runs until Ctrl-C. OpenCode and Kilo have a timer of their own and are
/// followed only where --agent names them.
///
/// Example: hansei watch
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Only the sessions of one agent.
    #[arg(long, value_parser = homes::known_agent)]
    agent: Option<String>,
    /// Look once, and end.
    #[arg(long)]
    once: bool,
    /// How many seconds to wait between two looks.
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    every: u64,
    /// Print one JSON object a line.
    #[arg(long)]
    json: bool,
}

/// The most sessions that are followed at a time: the newest.
const MOST: usize = 64;

pub fn run(arguments: &Arguments) -> Answer {
    let ended = if arguments.once { None } else { Some(until_ended()?) };
    let settings = Workspace::at(None)?.environment.user_settings;
    let layers = Layers::load(None, settings.as_deref())?;
    let mut watch = Watch {
        agent: arguments.agent.clone(),
        json: arguments.json,
        after: layers.stuck().0.after_seconds.unwrap_or(TOO_RECENT),
        notify: layers.notify().0,
        advisor: advisor::of_user(settings.as_deref()),
        followed: HashMap::new(),
    };
    loop {
        watch.look();
        match ended.as_ref().map(|ended| ended.recv_timeout(Duration::from_secs(arguments.every))) {
            Some(Err(RecvTimeoutError::Timeout)) => {}
            _ => return Ok(ExitCode::SUCCESS),
        }
    }
}

/// Hears when the user ends the program.
fn until_ended() -> Result<Receiver<()>, std::io::Error> {
    let signals = TerminationSignals::listen()?;
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        signals.wait();
        let _ = sender.send(());
    });
    Ok(receiver)
}

struct Watch {
    agent: Option<String>,
    json: bool,
    /// After how many seconds of silence a session is looked at.
    after: u64,
    notify: NotifySettings,
    advisor: Option<Configured>,
    /// What was seen of each session that is followed. Those that are no longer live are forgotten.
    followed: HashMap<(&'static str, String), Seen>,
}

/// What was seen of a session.
struct Seen {
    modified: SystemTime,
    size: u64,
    /// What was said about it; none while it works.
    said: Option<Reason>,
}

impl Watch {
    fn look(&mut self) {
        let now = SystemTime::now();
        let mut before = std::mem::take(&mut self.followed);
        for found in self.live(now) {
            let key = (found.agent, found.id.clone());
            let silence = now.duration_since(found.modified).unwrap_or_default().as_secs();
            let seen = before.remove(&key);
            let same = |seen: &Seen| seen.modified == found.modified && seen.size == found.size;
            let said = match seen {
                Some(seen) if same(&seen) && seen.said.is_some() => seen.said,
                seen if silence >= self.after => {
                    self.silent(&found, silence, seen.and_then(|seen| seen.said))
                }
                // It goes on; what was said about it is over.
                _ => None,
            };
            self.followed.insert(key, Seen { modified: found.modified, size: found.size, said });
        }
    }

    /// The sessions that somebody wrote to not long ago, the newest first.
    fn live(&self, now: SystemTime) -> Vec<Found> {
        let timeless = |agent: &str| {
            adapter_named(agent).is_some_and(|adapter| matches!(adapter.live, Live::File { .. }))
        };
        let names: Vec<&str> = match &self.agent {
            Some(agent) => vec![agent],
            None => ADAPTERS.iter().map(|adapter| adapter.name).filter(|name| timeless(name)).collect(),
        };
        let homes = homes::of_user();
        let mut found: Vec<Found> =
            names.iter().flat_map(|name| hansei_agents::sessions(&homes, Some(name))).collect();
        found.retain(|found| now.duration_since(found.modified).unwrap_or_default() < notices::REMEMBERED);
        found.sort_by(|a, b| b.modified.cmp(&a.modified).then_with(|| a.id.cmp(&b.id)));
        found.truncate(MOST);
        found
    }

    /// Looks at a session that has gone silent. Gives what is to be said about it.
    fn silent(&self, found: &Found, silence: u64, before: Option<Reason>) -> Option<Reason> {
        let session = sessions::read(found)?;
        let situation = Situation::of(&session);
        // A session without a request is one that an agent runs for itself.
        situation.task()?.request.as_ref()?;
        let signs = Signs { idle: Some(counted_silence(silence, self.after)), ..Signs::default() };
        let assessment = stuck::assessed(&situation, signs, self.advisor.as_ref());
        let about = about(&session, &situation, &assessment);
        let line = said_last(&situation, about);
        let told = about.and_then(|about| {
            let cwd = session.circumstances.cwd.as_deref().unwrap_or_default();
            let notice = Notice::new(about, &found.id, found.agent, cwd, &line);
            let policy = Policy { attended: false, autonomy: Autonomy::Auto };
            let stop = Stop::of(&situation, &evidence::gather(&situation), policy).id;
            if self.notify.is_empty() { None } else { notices::tell_once(&self.notify, &notice, &stop) }
        });
        if before != Some(assessment.reason) || told.is_some() {
            self.print(found, &session, &assessment, about, &line, told.as_ref());
        }
        Some(assessment.reason)
    }

    fn print(
        &self,
        found: &Found,
        session: &Session,
        assessment: &Assessment,
        about: Option<About>,
        line: &str,
        told: Option<&notices::Told>,
    ) {
        let now = clock::now();
        if self.json {
            let row = json!({
                "time": now,
                "agent": found.agent,
                "session": found.id,
                "workspace": session.circumstances.cwd,
                "reason": assessment.reason,
                "confidence": assessment.confidence,
                "event": about,
                "line": line,
                "told": told.map(|told| &told.ways),
                "failed": told.map(|told| &told.failed),
            });
            let row = Redacted::new(&row).map_or(Value::Null, |row| row.value().clone());
            terminal::print(&format!("{row}\n"));
            return;
        }
        let word = about.map_or(stuck::word(assessment.reason), About::words);
        let line = terminal::short(line, 120);
        let id = terminal::one_line(&found.id);
        terminal::print(&format!("{}  {}  {id}  {word}: {line}\n", clock::local(&now), found.agent));
        for failed in told.map(|told| told.failed.as_slice()).unwrap_or_default() {
            anstream::eprintln!("hansei: you could not be told: {}", terminal::one_line(failed));
        }
    }
}

/// What a person is to be told of a silent session.
fn about(session: &Session, situation: &Situation<'_>, assessment: &Assessment) -> Option<About> {
    let turn = situation.turn();
    if turn.is_some_and(|turn| turn.aborted) || session.planning && assessment.stuck {
        return None;
    }
    let failed = turn.and_then(|turn| turn.failed.as_deref()).and_then(About::failure);
    failed.or(match assessment.reason {
        Reason::GenuinelyStuck => Some(About::Stuck),
        Reason::WaitingForUser => Some(About::NeedsHuman),
        Reason::Working | Reason::Complete => None,
    })
}

/// The one line that matters: what failed, or what was said last, or what was asked.
fn said_last(situation: &Situation<'_>, about: Option<About>) -> String {
    let failed =
        situation.turn().and_then(|turn| turn.failed.clone()).filter(|_| about == Some(About::UsageLimit));
    let words = situation.last_words();
    let last = words.lines().map(str::trim).rfind(|line| !line.is_empty()).map(ToOwned::to_owned);
    let request = || situation.task().and_then(|task| task.request.as_ref()).map(Excerpt::text);
    failed.or(last).or_else(request).unwrap_or_default()
}
