//! `hansei doctor --judge`: whether the judge's model answers, by asking it about a sample stop.

use std::process::ExitCode;

use hansei_core::evidence::{Situation, gather};
use hansei_core::session::{Action, AnswerEnd, HumanVia, Session, SessionEvent, What};
use hansei_core::verdict::advisor::{Advisor as _, Question, combine};
use hansei_core::verdict::{Autonomy, Policy, judge};
use hansei_record::redact::redact;
use hansei_record::settings::Layers;
use serde_json::json;

use crate::advisor;
use crate::failure::{Answer, Failure};
use crate::terminal;
use crate::workspace::Workspace;

/// Asks, and tells what came of it. Exit code 1 means that the model was not available.
pub fn run(json: bool) -> Answer {
    let workspace = Workspace::at(None)?;
    // Only the user's own file can name a model.
    let layers = Layers::load(None, workspace.environment.user_settings.as_deref())?;
    let (settings, _) = layers.judge();
    let Some(configured) = advisor::configured(&settings) else {
        return Err(Failure::environment("no model is configured, so evidence decides alone")
            .hint("set judge.model in your config.toml, such as \"anthropic/claude-haiku-4-5\""));
    };
    let session = sample();
    let situation = Situation::of(&session);
    let evidence = gather(&situation);
    let policy = Policy { attended: false, autonomy: Autonomy::Auto };
    let judgement = judge(&situation, &evidence, policy);
    let question = Question::new(&situation, &evidence, policy.autonomy, &|text| redact(text).into_owned());
    let model = settings.model.unwrap_or_default();
    match configured.opinion(&question) {
        Ok(opinion) => {
            let verdict = combine(judgement, &opinion, &evidence).verdict;
            if json {
                terminal::print_json(&json!({ "model": model, "available": true, "verdict": verdict }))?;
            } else {
                let said = if opinion.complete { "complete" } else { "incomplete" };
                terminal::print(&format!("{} answers: {said}\n", terminal::one_line(&model)));
            }
            Ok(ExitCode::SUCCESS)
        }
        Err(unavailable) => {
            let verdict = judgement.verdict;
            if json {
                let reason = unavailable.reason;
                terminal::print_json(
                    &json!({ "model": model, "available": false, "reason": reason, "verdict": verdict }),
                )?;
            } else {
                terminal::print(&format!("{}\n", terminal::one_line(&unavailable.to_string())));
            }
            Ok(ExitCode::FAILURE)
        }
    }
}

/// A stop that evidence leaves open: an edit, and a claim that nobody checked.
fn sample() -> Session {
    let event = |what| SessionEvent { at: None, id: None, what };
    let request = "Add a --json flag to the export command.".to_owned();
    let (call, tool) = ("c1".to_owned(), "edit".to_owned());
    let action = Action::Edit { paths: vec!["src/export.rs".to_owned()] };
    Session::fold(&[
        event(What::HumanSaid { text: request, via: HumanVia::Prompt }),
        event(What::Called { call: call.clone(), tool, input: json!({}), action }),
        event(What::Answered { call, output: String::new(), end: AnswerEnd::Done, exit_code: None }),
        event(What::Said { text: "I added the --json flag to the export command.".to_owned() }),
        event(What::Stopped),
    ])
}
