//! A stop as the decision flow sees it: which one it is, which human message it answers, and what holds us back.

use serde::Serialize;

use super::feedback::is_ours;
use super::latest_word::{LatestWord, latest_word};
use crate::evidence::{Evidence, Kind, Place, Situation, claims_anything};
use crate::session::{Action, Call, Excerpt, HumanVia, Task};
use crate::timestamp::Timestamp;
use crate::verdict::{Autonomy, Policy};

/// Commands with which a human puts another driver in charge.
const DRIVERS: [&str; 6] = ["/goal", "/loop", "/ralph-loop", "/ralph", "/ulw-loop", "/autopilot"];
/// How much of what was tried is named.
const MOST_TRIED: usize = 4;

/// A stop. It is known by ids, never by counts: a compaction changes every count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Stop {
    /// This very stop: another call for it has the same id.
    pub id: String,
    /// The human message that the agent works on.
    pub task: String,
    /// How often the context was compacted.
    pub epoch: u32,
    /// Why the agent is not to be sent back, whatever is found.
    pub holds: Vec<Hold>,
    /// How often in a row a stop hook, ours or another's, has kept the agent from stopping.
    pub blocks: u32,
    /// What the agent did since it was last sent back, or since it was asked.
    pub tried: Vec<String>,
}

/// A reason to leave an agent alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Hold {
    /// A human interrupted it.
    Aborted,
    /// Hansei started the session itself: a judge or a doer.
    OwnSession,
    /// The agent runs it for itself: a title, a summary.
    SideSession,
    /// A sub-agent stops; its caller goes on.
    SubAgent,
    /// The agent may only plan.
    PlanMode,
    /// A question waits for the human.
    PendingQuestion,
    /// The human asked, the agent answered: no tool was called and nothing was changed.
    ChatTurn,
    /// The human's latest word is to stop, to wait or only to look.
    HumanSaid(LatestWord),
    /// Something else drives the agent on: a goal, a loop, another stop hook.
    OtherDriver(String),
    /// Work still runs in the background.
    Background,
}

impl Stop {
    /// The stop that the session of `situation` ends with.
    pub fn of(situation: &Situation<'_>, evidence: &[Evidence], policy: Policy) -> Self {
        let Some(task) = situation.task() else {
            return Self { holds: vec![Hold::SideSession], ..Self::default() };
        };
        let key = task_key(task);
        let calls =
            situation.turn().map(|turn| &situation.session.calls[turn.calls.clone()]).unwrap_or_default();
        Self {
            id: stop_id(situation, &key),
            epoch: situation.session.epoch,
            holds: holds(situation, task, evidence, policy),
            blocks: blocks(task),
            tried: tried(calls),
            task: key,
        }
    }

    /// Whether something holds us back in a way that `is` says.
    pub fn held(&self, is: impl Fn(&Hold) -> bool) -> bool {
        self.holds.iter().any(is)
    }
}

/// The id of a human message; where the agent gives none, what was said and when.
pub fn task_key(task: &Task) -> String {
    task.id.clone().unwrap_or_else(|| {
        let request = task.request.as_ref().map_or(0, |request| request.digest);
        let at = task.at.as_ref().map(Timestamp::as_str).unwrap_or_default();
        format!("{request:016x}@{at}")
    })
}

/// Two calls for one stop see the same turn of the same task with the same last words.
fn stop_id(situation: &Situation<'_>, task: &str) -> String {
    let turns = situation.task().map_or(0, |task| task.turns.len());
    let words = situation.turn().and_then(|turn| turn.last_words.as_ref()).map_or(0, |words| words.digest);
    format!("{task}/{}/{turns}/{}/{words:016x}", situation.session.epoch, situation.session.calls.len())
}

fn holds(situation: &Situation<'_>, task: &Task, evidence: &[Evidence], policy: Policy) -> Vec<Hold> {
    let has = |kind: Kind| evidence.iter().any(|evidence| evidence.kind == kind);
    let request = situation.request();
    let mut holds = Vec::new();
    if situation.turn().is_some_and(|turn| turn.aborted) {
        holds.push(Hold::Aborted);
    }
    if situation.session.planning {
        holds.push(Hold::PlanMode);
    }
    if has(Kind::QuestionAsked)
        || has(Kind::PermissionSought) && (policy.attended || policy.autonomy == Autonomy::Ask)
        || asks_last(situation)
    {
        holds.push(Hold::PendingQuestion);
    }
    if is_chat(situation, evidence, policy) {
        holds.push(Hold::ChatTurn);
    }
    holds.extend(latest_word(&request).map(Hold::HumanSaid));
    holds.extend(other_driver(task, &request).map(Hold::OtherDriver));
    // That something still runs excuses nobody who was to see it through, who announced more, or who speaks of its result;
    // the agent's own word for it excuses no failure either.
    let due = |found: &Evidence| match found.kind {
        Kind::WorkAnnounced | Kind::CheckDemanded | Kind::ClaimContradicted => true,
        Kind::ToolErrorUnanswered => !seen(evidence),
        _ => false,
    };
    let excused = policy.attended && seen(evidence) || !evidence.iter().any(due);
    if situation.background > 0 || has(Kind::BackgroundRunning) && excused {
        holds.push(Hold::Background);
    }
    holds
}

/// Whether the calls show what still runs, and not only the last words.
fn seen(evidence: &[Evidence]) -> bool {
    evidence.iter().any(|found| found.kind == Kind::BackgroundRunning && found.place != Place::LastWords)
}

/// Whether the last thing the agent did was to ask, or to present a plan, and no answer came.
fn asks_last(situation: &Situation<'_>) -> bool {
    let turn = situation.turn().map(|turn| turn.calls.clone()).unwrap_or_default();
    situation.session.calls[turn].last().is_some_and(Call::waits_for_an_answer)
}

/// Whether nothing was done for the human's request. Who claims work is no chat; and where nobody is there to ask again, an
/// agent that was to act and did not is none either.
fn is_chat(situation: &Situation<'_>, evidence: &[Evidence], policy: Policy) -> bool {
    let due = |evidence: &Evidence| {
        matches!(
            evidence.kind,
            Kind::NothingDone
                | Kind::PlanOnly
                | Kind::WorkAnnounced
                | Kind::PermissionSought
                | Kind::MessageCutOff
                | Kind::MessageEmpty
        )
    };
    let claims = |evidence: &Evidence| match evidence.kind {
        Kind::ClaimContradicted | Kind::ClaimUnsupported | Kind::TranscriptChanged => true,
        Kind::NothingDone => claims_anything(&situation.last_words()),
        _ => false,
    };
    situation.task_calls().is_empty()
        && !evidence.iter().any(claims)
        && (policy.attended || !evidence.iter().any(due))
}

/// Who else drives the agent, if somebody does.
fn other_driver(task: &Task, request: &str) -> Option<String> {
    let word = request.split_whitespace().next().unwrap_or_default();
    if task.via == Some(HumanVia::Command) && DRIVERS.contains(&word) {
        return Some(word.to_owned());
    }
    let fed = task.turns.last()?.sent_back.as_ref()?;
    (!is_ours(&fed.head)).then(|| "another stop hook".to_owned())
}

/// How many of the task's last turns began with a stop hook's feedback, without one between that did not.
fn blocks(task: &Task) -> u32 {
    let row = task.turns.iter().rev().take_while(|turn| turn.sent_back.is_some()).count();
    u32::try_from(row).unwrap_or(u32::MAX)
}

/// What was done, in a few words each: files first, then commands.
fn tried(calls: &[Call]) -> Vec<String> {
    let mut edited: Vec<&str> = Vec::new();
    let mut ran: Vec<&str> = Vec::new();
    for call in calls {
        match &call.action {
            Action::Edit { paths } => edited.extend(paths.iter().map(String::as_str)),
            Action::Run { command, .. } => ran.push(command),
            _ => {}
        }
    }
    let newest = |list: Vec<&str>| {
        let mut newest: Vec<String> = Vec::new();
        for text in list.into_iter().rev() {
            let text = Excerpt::of(text.lines().next().unwrap_or_default(), 60, 0).head;
            if !newest.contains(&text) && newest.len() < MOST_TRIED {
                newest.push(text);
            }
        }
        newest
    };
    let edited = newest(edited).into_iter().map(|path| format!("edited {path}"));
    edited.chain(newest(ran).into_iter().map(|command| format!("ran `{command}`"))).collect()
}
