//! Our own decisions as providers: what Hansei itself would answer, from a case's vars and evidence alone.

mod agent;
mod brackets;
mod conversation;
mod result_text;
mod told;

use hansei_core::evidence::{self, Situation};
use hansei_core::nudge::{GithubWork, after_compaction};
use hansei_core::stuck::{Signs, assess};
use hansei_core::verdict::{Autonomy, Policy, judge};
use serde_json::{Map, Value};

use self::conversation::{seconds, session, text, truth};

/// Which of our decisions is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Native {
    /// Whichever the vars fit.
    Any,
    /// The verdict on a finished task.
    Judge,
    /// Whether a session is stuck.
    Stuck,
    /// What to say after a compaction.
    Nudge,
    /// The evaluation of an agent's work.
    Agent,
}

/// Nobody is there, and the agent is expected to go on by itself.
const POLICY: Policy = Policy { attended: false, autonomy: Autonomy::Auto };

/// The answer as one JSON object and nothing around it, or why there is none.
pub fn answer(native: Native, vars: &Map<String, Value>) -> Result<String, String> {
    let answer = match picked(native, vars)? {
        Native::Judge => verdict(vars)?,
        Native::Stuck => stuck(vars)?,
        Native::Nudge => nudge(vars)?,
        Native::Agent => agent::evaluation(vars)?,
        Native::Any => return Err("no decision fits the vars".to_owned()),
    };
    Ok(answer.to_string())
}

/// The decision that `native` means for these vars.
fn picked(native: Native, vars: &Map<String, Value>) -> Result<Native, String> {
    let has = |names: &[&str]| names.iter().any(|name| vars.contains_key(*name));
    let fits = [
        (
            Native::Stuck,
            has(&["time_since_activity", "message_completed", "output_tokens", "last_user_message"]),
        ),
        (Native::Nudge, has(&["task_summary", "has_git_commands", "has_pr_issue_ref"])),
        (Native::Agent, has(&["trace", "output"])),
        (Native::Judge, has(&["agent_response", "tools_used", "task"])),
    ];
    match native {
        Native::Any => fits.iter().find(|(_, fits)| *fits).map(|(native, _)| *native).ok_or_else(|| {
            let known = vars.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
            format!("the vars fit none of hansei:judge, hansei:stuck, hansei:nudge and hansei:agent: {known}")
        }),
        named if fits.iter().any(|(native, fits)| *native == named && *fits) => Ok(named),
        named => {
            Err(format!("the vars have nothing that hansei:{} reads", format!("{named:?}").to_lowercase()))
        }
    }
}

fn tools(vars: &Map<String, Value>, names: &[&str]) -> Value {
    names.iter().find_map(|name| vars.get(*name)).cloned().unwrap_or_default()
}

fn json(value: impl serde::Serialize) -> Result<Value, String> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}

fn verdict(vars: &Map<String, Value>) -> Result<Value, String> {
    let words = text(vars, &["agent_response", "result", "response"]);
    let session = session(&text(vars, &["task"]), &tools(vars, &["tools_used", "tools"]), &words)?;
    let situation = Situation::of(&session);
    json(judge(&situation, &evidence::gather(&situation), POLICY).verdict)
}

fn stuck(vars: &Map<String, Value>) -> Result<Value, String> {
    let words = text(vars, &["last_assistant_response", "agent_response"]);
    let asked = text(vars, &["last_user_message", "task"]);
    let session = session(&asked, &tools(vars, &["tool_calls", "tools_used"]), &words)?;
    let situation = Situation::of(&session);
    let signs = Signs {
        idle: seconds(&text(vars, &["time_since_activity"])),
        finished: truth(vars, "message_completed"),
        output_tokens: text(vars, &["output_tokens"]).trim().parse().ok(),
    };
    json(assess(&situation, &evidence::gather(&situation), signs))
}

/// A request that is told of, as the request itself: "The user wants to know why it fails" asks "why it fails?".
fn asked(summary: &str) -> String {
    let bare = summary.trim_start();
    let bare = bare.strip_prefix("The ").or_else(|| bare.strip_prefix("the ")).unwrap_or(bare);
    let Some(rest) = bare.strip_prefix("User ").or_else(|| bare.strip_prefix("user ")) else {
        return summary.to_owned();
    };
    let known = |leads: &[&str]| leads.iter().find_map(|lead| rest.strip_prefix(lead));
    if let Some(question) = known(&["wants to know ", "wanted to know ", "asks ", "is asking "]) {
        return format!("{}?", question.trim_end().trim_end_matches('.'));
    }
    let order = known(&[
        "wants me to ", "wants the agent to ", "asked me to ", "asked the agent to ", "asked to ",
        "wants to ", "requested to ", "asked for ", "wants ", "requested ", "needs ",
    ]);
    order.unwrap_or(summary).to_owned()
}

fn nudge(vars: &Map<String, Value>) -> Result<Value, String> {
    let words = text(vars, &["last_assistant_response", "agent_response"]);
    let tools = tools(vars, &["tools_used"]);
    let session = session(&asked(&text(vars, &["task_summary", "task"])), &tools, &words)?;
    let situation = Situation::of(&session);
    let mut github = GithubWork::of(&situation);
    github.git |= truth(vars, "has_git_commands").unwrap_or_default();
    github.spoken_of |= truth(vars, "has_pr_issue_ref").unwrap_or_default();
    json(after_compaction(&situation, &evidence::gather(&situation), &github))
}
