//! A run as what happened in a session, for whatever reads sessions: exports, reports, the judge.

use super::event::{Decision, RunEvent, RunLine};
use super::evidence::{action, checks_in, printed};
use super::gate::Gate;
use super::prompt;
use crate::session::{AnswerEnd, Circumstances, Feeder, HumanVia, SessionEvent, Usage, What};

/// The lines of a run's log as events of a session.
pub fn session_events(lines: &[RunLine]) -> Vec<SessionEvent> {
    let mut events = Vec::new();
    for line in lines {
        let mut add = |what| {
            events.push(SessionEvent { at: Some(line.time.clone()), id: Some(line.seq.to_string()), what });
        };
        match &line.event {
            RunEvent::RunStarted(started) => {
                add(What::Started(Circumstances {
                    model: Some(started.model.clone()),
                    attended: Some(false),
                    ..Circumstances::default()
                }));
                add(What::HumanSaid { text: started.task.clone(), via: HumanVia::Command });
            }
            RunEvent::ModelAnswered { turn, .. } => {
                if !turn.text.is_empty() {
                    add(What::Said { text: turn.text.clone() });
                }
                for call in &turn.calls {
                    add(What::Called {
                        call: call.id.clone(),
                        tool: call.name.clone(),
                        input: call.input.clone(),
                        action: action(call),
                    });
                }
                add(What::Used(Usage {
                    input_tokens: turn.spent.input_tokens,
                    output_tokens: turn.spent.output_tokens,
                    cost_usd: turn.spent.usd,
                }));
            }
            RunEvent::ModelUnavailable { no_answer, .. } => {
                add(What::Failed { error: format!("{no_answer:?}") });
            }
            RunEvent::ToolReturned { call, ok, text, .. } => {
                let (output, exit_code) = printed(text);
                let end = if *ok { AnswerEnd::Done } else { AnswerEnd::Failed };
                add(What::Answered { call: call.clone(), output, end, exit_code });
                checks_in(call, text).into_iter().for_each(&mut add);
            }
            RunEvent::OutcomeUnknown { call, tool } => add(What::Answered {
                call: call.clone(),
                output: prompt::outcome_unknown(tool),
                end: AnswerEnd::Interrupted,
                exit_code: None,
            }),
            RunEvent::SpecReviewReply { decision, feedback, .. } => {
                if *decision == Decision::Reject || !feedback.is_empty() {
                    add(What::HumanSaid { text: feedback.clone(), via: HumanVia::Command });
                }
            }
            RunEvent::Verified(seen) if seen.gate == Gate::Red => {
                add(What::Fed { text: prompt::failed(seen), by: Feeder::Agent });
            }
            RunEvent::Unblocked(rescued) if rescued.answer.is_way_on() => {
                add(What::Fed { text: rescued.answer.text(), by: Feeder::Agent });
            }
            RunEvent::RunInterrupted => add(What::Aborted),
            RunEvent::RunEnded(ended) => {
                add(What::Stopped);
                add(What::Ended { reason: ended.why.clone() });
            }
            RunEvent::ExpertDid { expert, event } => {
                let inner = RunLine { event: event.as_ref().clone(), ..line.clone() };
                events.extend(of_expert(expert, &inner));
            }
            RunEvent::TeamReady { .. }
            | RunEvent::TeamImpossible { .. }
            | RunEvent::ExpertStarted { .. }
            | RunEvent::ExpertDone { .. }
            | RunEvent::ExpertFailed { .. }
            | RunEvent::ExpertSkipped { .. }
            | RunEvent::ExpertMerging { .. }
            | RunEvent::ExpertMerged { .. }
            | RunEvent::ExpertConflicted { .. }
            | RunEvent::HandingOver { .. }
            | RunEvent::WorkHandedOver { .. }
            | RunEvent::ModelAsked { .. }
            | RunEvent::LimitWaitedOut { .. }
            | RunEvent::SpecWritten { .. }
            | RunEvent::SpecReviewRequest { .. }
            | RunEvent::ToolCalled { .. }
            | RunEvent::VerifyStarted { .. }
            | RunEvent::Verified(_)
            | RunEvent::UnblockStarted { .. }
            | RunEvent::Unblocked(_)
            | RunEvent::UnblockerSilent { .. }
            | RunEvent::RunParked { .. }
            | RunEvent::RunResumed
            | RunEvent::AbortAsked => {}
        }
    }
    events
}

/// What an expert of a team said and did. Its start and its end are not the session's, and its calls carry its name: those of
/// two experts may have the same ids.
fn of_expert(expert: &str, line: &RunLine) -> Vec<SessionEvent> {
    let named = |call: &str| format!("{expert}:{call}");
    let mut events = session_events(std::slice::from_ref(line));
    events.retain(|event| {
        matches!(
            event.what,
            What::Said { .. }
                | What::Called { .. }
                | What::Answered { .. }
                | What::Used(_)
                | What::Failed { .. }
        )
    });
    for event in &mut events {
        match &mut event.what {
            What::Called { call, .. } | What::Answered { call, .. } => *call = named(call),
            _ => {}
        }
    }
    events
}
