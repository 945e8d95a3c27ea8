//! A team as a person sees it: each line under the name of whoever it is about.

use hansei_core::run::{Became, Run, RunEvent};
use serde_json::Value;

use super::view::{WIDTH, brief, called};
use crate::terminal::{short, visible};

/// What is shown.
pub enum Told {
    /// A line that stays.
    Line(String),
    /// What is being done now.
    Doing(String),
}

/// What is shown of an event of a team, if anything is.
pub fn told(run: &Run, event: &RunEvent) -> Option<Told> {
    let who = event.expert().unwrap_or("team");
    let text = match event {
        RunEvent::TeamReady { .. } => {
            let experts = run.team()?.experts();
            experts.iter().map(|expert| expert.role.name.as_str()).collect::<Vec<_>>().join(", ")
        }
        RunEvent::TeamImpossible { why } => format!("no team: {why}"),
        RunEvent::ExpertStarted { conflicts, .. } if conflicts.is_empty() => "begins".to_owned(),
        RunEvent::ExpertStarted { conflicts, .. } => {
            format!("puts right what contradicts: {}", listed(conflicts))
        }
        RunEvent::ExpertDid { expert, event } => return of_expert(run, expert, event),
        RunEvent::ExpertDone { said, .. } => format!("done: {}", short(said, WIDTH)),
        RunEvent::ExpertFailed { why, .. } => format!("FAILED: {why}"),
        RunEvent::ExpertSkipped { why, .. } => format!("does not begin: {why}"),
        RunEvent::ExpertMerged { files, .. } if files.is_empty() => "merged: nothing changed".to_owned(),
        RunEvent::ExpertMerged { files, .. } => format!("merged: {}", listed(files)),
        RunEvent::ExpertConflicted { files, .. } => format!("contradicts others in: {}", listed(files)),
        RunEvent::WorkHandedOver { became, files, patch, why } => match (became, patch) {
            (Became::Applied, _) => format!("in your tree: {}", listed(files)),
            (Became::Nothing, _) => "nothing changed".to_owned(),
            (Became::Kept, Some(patch)) if why.is_empty() => format!("kept as {patch}"),
            (Became::Kept, Some(patch)) => format!("not in your tree: {why}; kept as {patch}"),
            (Became::Kept, None) => format!("not in your tree, and not kept: {why}"),
        },
        _ => return None,
    };
    Some(line(who, &text))
}

/// What an expert says and does.
fn of_expert(run: &Run, expert: &str, event: &RunEvent) -> Option<Told> {
    let doing = |what: &str| Some(Told::Doing(format!("{expert}: {what}")));
    let text = match event {
        RunEvent::ModelAsked { .. } => return doing("thinking"),
        RunEvent::ToolCalled { tool, input, .. } => return doing(&format!("{tool} {}", brief(tool, input))),
        RunEvent::ModelAnswered { turn, .. } if !turn.text.trim().is_empty() => short(&turn.text, WIDTH),
        RunEvent::ModelUnavailable { no_answer, .. } => format!("no answer: {no_answer:?}"),
        RunEvent::ToolReturned { call, ok, milliseconds, .. } => {
            let work = run.team().and_then(|team| team.expert(expert)?.run.as_deref());
            let (tool, input) =
                work.map_or_else(|| ("call".to_owned(), Value::Null), |work| called(work, call));
            let what = short(&format!("{tool} {}", brief(&tool, &input)), WIDTH - 20);
            format!("› {what}  {}  {milliseconds} ms", if *ok { "ok" } else { "no" })
        }
        _ => return None,
    };
    Some(line(expert, &text))
}

fn line(who: &str, text: &str) -> Told {
    Told::Line(format!("{:<12} {}", visible(who), visible(text)))
}

fn listed(files: &[String]) -> String {
    short(&files.join(" · "), WIDTH)
}
