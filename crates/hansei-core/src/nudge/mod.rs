//! What an agent should hear after its context was compacted: update the pull request it works on, go on with its task,
//! say first where it stands, or nothing, because it was done.

mod delivery;
mod github_work;
mod lost_thread;

pub use delivery::{Compaction, deliver};
pub use github_work::{GithubWork, Subject};

use serde::{Deserialize, Serialize};

use crate::evidence::{Evidence, Kind, Situation, Speech};
use crate::interrupt::MARK;
use crate::prose::Concept;

/// What is best after a compaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Tell those who follow the pull request or the issue.
    NeedsGithubUpdate,
    /// Go on.
    ContinueTask,
    /// Too much is lost: say first what is known.
    NeedsClarification,
    /// It was done.
    TaskComplete,
}

/// What to do after a compaction.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Nudge {
    /// What is best.
    pub action: Action,
    /// Whether commits, a pull request or an issue are being worked on.
    pub has_active_git_work: bool,
    /// How sure this is.
    pub confidence: f64,
    /// What the agent is told; empty where it is to be left alone.
    pub nudge_message: String,
}

/// Decides what an agent hears after a compaction.
pub fn after_compaction(situation: &Situation<'_>, evidence: &[Evidence], github: &GithubWork) -> Nudge {
    let request = situation.request();
    let words = situation.last_words();
    let speech = Speech::read(&words);
    let done = is_done(&speech, evidence);
    let lost = lost_thread::says_so(&speech) || lost_thread::is_unnamed(&request, &words) && !done;
    let (action, confidence) = if lost {
        (Action::NeedsClarification, 0.8)
    } else if done {
        (Action::TaskComplete, 0.85)
    } else if github.is_followed() {
        (Action::NeedsGithubUpdate, 0.85)
    } else {
        (Action::ContinueTask, 0.8)
    };
    let has_active_git_work = github.is_active();
    let nudge_message = match action {
        Action::TaskComplete => String::new(),
        _ => format!("{MARK} {}", message(action, situation, evidence, github)),
    };
    Nudge { action, has_active_git_work, confidence, nudge_message }
}

/// Whether the agent's last words end the task: they claim it, and neither they nor what ran says that something is open.
fn is_done(speech: &Speech, evidence: &[Evidence]) -> bool {
    let open = evidence.iter().any(|found| OPEN.contains(&found.kind));
    let answered = evidence.iter().any(|found| found.kind == Kind::NoCodeDue) && !speech.is_empty();
    let says_so = speech.claims_done()
        || !speech.claims_passing().is_empty()
        || !speech.asserting(Concept::Verified).is_empty();
    !open && (says_so || answered) && !speech.is_empty() && !looks_ahead(speech)
}

/// Whether one of the last sentences speaks of what comes, or of what is not as it should be yet.
fn looks_ahead(speech: &Speech) -> bool {
    const AHEAD: &[&str] = &[
        "next", "still", "remains", "remaining", "remain", "waits", "waiting", "pending", "yet", "must",
        "then", "going", "wants", "want", "conflicts", "conflict", "todo", "wip", "left", "later",
    ];
    const DENIES: &[&str] = &["nothing", "no", "none", "not", "without"];
    let at_it = |words: &[String]| {
        words.iter().enumerate().any(|(at, word)| {
            (word == "i'm" || word == "am" && at > 0 && words[at - 1] == "i")
                && words.get(at + 1).is_some_and(|next| {
                    next.ends_with("ing")
                        || matches!(next.as_str(), "at" | "on" | "now" | "about" | "currently")
                })
        })
    };
    speech.last(2).into_iter().any(|place| {
        let sentence = speech.sentence(place);
        let words = &sentence.words;
        let ahead = words.iter().any(|word| AHEAD.contains(&word.as_str()))
            && !words.iter().any(|word| DENIES.contains(&word.as_str()));
        let passes = speech.asserts_at(place, Concept::Passes);
        at_it(words)
            || words.last().is_some_and(|word| word == "at")
            || ahead
                && !passes
                && !speech.holds(place, Concept::Offer)
                && !speech.holds(place, Concept::Optional)
    })
}

/// What says that the task goes on.
const OPEN: &[Kind] = &[
    Kind::CheckFailed,
    Kind::CheckFailedHidden,
    Kind::FailureAdmitted,
    Kind::WorkRemaining,
    Kind::WorkAnnounced,
    Kind::Placeholder,
    Kind::OpenTodos,
    Kind::MessageCutOff,
    Kind::MessageEmpty,
    Kind::PlanOnly,
    Kind::NothingDone,
    Kind::PartMissing,
    Kind::QuestionAsked,
    Kind::HumanOnly,
    Kind::PermissionSought,
    Kind::Delegated,
    Kind::BackgroundRunning,
];

/// The longest text that is repeated to the agent.
const REPEATED: usize = 200;

fn message(action: Action, situation: &Situation<'_>, evidence: &[Evidence], github: &GithubWork) -> String {
    let left = evidence.iter().find(|found| matches!(found.kind, Kind::WorkRemaining | Kind::WorkAnnounced));
    let left = left.map(|found| format!(" Before the compaction {}.", found.text)).unwrap_or_default();
    let request: String = situation.request().split_whitespace().collect::<Vec<_>>().join(" ");
    let request: String = request.chars().take(REPEATED).collect();
    match action {
        Action::NeedsGithubUpdate => {
            let (kind, name, number) = match github.subject() {
                Subject::PullRequest(number) => ("pr", "the pull request", number),
                Subject::Issue(number) => ("issue", "the issue", number),
            };
            let (what, command) = match number {
                Some(number) if kind == "pr" => (format!("PR #{number}"), format!("gh pr comment {number}")),
                Some(number) => (format!("issue #{number}"), format!("gh issue comment {number}")),
                None => (name.to_owned(), format!("gh {kind} comment")),
            };
            format!(
                "The context was compacted. Update {what} with `{command}`: what is done, what is left. \
                 Then go on.{left}"
            )
        }
        Action::NeedsClarification => {
            "The context was compacted, and much of it is lost. Please summarize the state: what the task is, \
             what is done (look at `git status` and `git diff`), and what is next."
                .to_owned()
        }
        _ => format!("The context was compacted. Continue the task: {request}{left}"),
    }
}
