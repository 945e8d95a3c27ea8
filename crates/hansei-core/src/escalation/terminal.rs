//! The terminal payload: what a rescue that is blocked itself hands up, and nothing else.

use super::answer::Answer;
use super::attempt::Attempt;
use super::fingerprint::ErrorSignature;
use super::handoff::{Handoff, Received, Refusal};
use super::layer::FailureLayer;
use super::payload::{ABOVE_REFLECTION, Escalation};
use super::tried::Try;
use crate::model_text::one_line;

/// The scope of every payload that a rescue hands up.
const SUMMARY: &str = "reflection rescue summary";
/// Before what the coder tried, so that nobody takes it for what the rescue did.
const CODERS: &str = "the coder's own: ";
/// So much of a task is a reference to it.
const LONGEST_REFERENCE: usize = 160;

/// What a rescue was brought, so far as it may be named above it.
#[derive(Debug)]
pub struct Brought<'a> {
    /// The handoff, where it was admitted. Of one that was not, nothing is repeated but what it was.
    handoff: Option<&'a Handoff>,
    task: String,
    payload: String,
    snapshot: String,
    signal: String,
}

impl<'a> Brought<'a> {
    /// A handoff that was worked on.
    pub fn admitted(handoff: &'a Handoff) -> Self {
        Self {
            handoff: Some(handoff),
            task: named(&handoff.task),
            payload: handoff.escalation.attempt.to_string(),
            snapshot: named(handoff.snapshot.revision()),
            signal: signal(handoff.signature.as_ref(), handoff.command.as_deref()),
        }
    }

    /// One that was not, and why.
    pub fn refused(received: &Received<'_>, why: &Refusal) -> Self {
        let attempt = Escalation::read(received.escalation).map(|read| format!("{}, ", read.attempt));
        Self {
            handoff: None,
            task: named(received.task),
            payload: format!("{}not admitted ({why})", attempt.unwrap_or_default()),
            snapshot: named(received.snapshot),
            signal: signal(received.signature, received.command),
        }
    }

    fn artifacts(&self) -> Vec<String> {
        vec![
            format!("original task reference: {}", self.task),
            format!("escalation payload received: {}", self.payload),
            format!("clean snapshot reference: {}", self.snapshot),
            format!("latest blocking signal: {}", self.signal),
        ]
    }
}

fn named(text: &str) -> String {
    let line = one_line(text, LONGEST_REFERENCE);
    if line.is_empty() { "not given".to_owned() } else { line }
}

fn signal(signature: Option<&ErrorSignature>, command: Option<&str>) -> String {
    let signal =
        signature.map(ErrorSignature::line).or_else(|| command.map(|command| one_line(command, 400)));
    signal.filter(|line| !line.is_empty()).unwrap_or_else(|| "unknown".to_owned())
}

/// The only answer of a rescue that is blocked itself, whatever it was brought. `tried` is what rescues proposed.
pub fn terminal(attempt: Attempt, brought: &Brought<'_>, tried: &[Try]) -> Answer {
    let received = brought.handoff.map(|handoff| &handoff.escalation);
    let mut payload = Escalation::of(attempt, &scope(received));
    let (rescues, coders) = hypotheses(received, tried);
    payload.what_was_tried =
        rescues.into_iter().chain(coders.iter().map(|one| format!("{CODERS}{one}"))).collect();
    payload.suspected_failure_layer = layers(received, tried);
    payload.what_did_not_work = tried.iter().map(|one| one.outcome.clone()).collect();
    if let Some(handoff) = brought.handoff {
        payload.what_did_not_work.extend(handoff.escalation.what_did_not_work.iter().cloned());
        let checked = handoff.forced.checklist.iter().filter(|item| item.done).map(|item| item.text.clone());
        payload.forced_context_checked =
            checked.chain(handoff.escalation.forced_context_checked.iter().cloned()).collect();
        payload.current_invariants.clone_from(&handoff.escalation.current_invariants);
    }
    for list in [&mut payload.what_did_not_work, &mut payload.forced_context_checked] {
        *list = once(list);
    }
    payload.handoff_artifacts = brought.artifacts();
    payload.request = vec![ABOVE_REFLECTION.to_owned()];
    Answer::Escalation(payload.bounded())
}

/// Each text once, in the order in which they came.
fn once(texts: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for text in texts {
        if !text.is_empty() && !kept.contains(text) {
            kept.push(text.clone());
        }
    }
    kept
}

/// The scope of a payload that is a summary itself is not summed up again.
fn scope(received: Option<&Escalation>) -> String {
    let mut scope = received.map(|received| received.task_scope.trim()).unwrap_or_default();
    while let Some(rest) = scope.strip_prefix(SUMMARY) {
        scope = rest.trim_start_matches([':', ' ']);
    }
    if scope.is_empty() { SUMMARY.to_owned() } else { format!("{SUMMARY}: {scope}") }
}

/// What rescues tested, and what the coder had tried. A summary that comes back holds both.
fn hypotheses(received: Option<&Escalation>, tried: &[Try]) -> (Vec<String>, Vec<String>) {
    let is_summary = received.is_some_and(|received| received.task_scope.starts_with(SUMMARY));
    let mut rescues: Vec<String> =
        tried.iter().map(|one| one_line(&one.hypothesis, super::payload::LONGEST_ITEM)).collect();
    let mut coders = Vec::new();
    for item in received.iter().flat_map(|received| &received.what_was_tried) {
        match item.strip_prefix(CODERS) {
            None if is_summary => rescues.push(item.clone()),
            own => coders.push(own.unwrap_or(item).to_owned()),
        }
    }
    let rescues = once(&rescues);
    coders.retain(|one| !rescues.contains(one));
    (rescues, once(&coders))
}

/// The layers that the terminal contract names: of what rescues tested, else of what was received.
fn layers(received: Option<&Escalation>, tried: &[Try]) -> Vec<FailureLayer> {
    let of = |layers: &mut dyn Iterator<Item = FailureLayer>| -> Vec<FailureLayer> {
        layers.map(FailureLayer::in_terminal).filter(|layer| *layer != FailureLayer::Unknown).collect()
    };
    let tested = of(&mut tried.iter().map(|one| one.layer));
    if !tested.is_empty() {
        return tested;
    }
    of(&mut received.iter().flat_map(|received| received.suspected_failure_layer.iter().copied()))
}

impl Escalation {
    /// What was tried, as hypotheses: without the words that say whose they are.
    pub fn tried_hypotheses(&self) -> impl Iterator<Item = &str> {
        self.what_was_tried.iter().map(|item| item.strip_prefix(CODERS).unwrap_or(item))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escalation::handoff::admit;

    fn tried(hypothesis: &str, layer: FailureLayer) -> Try {
        Try { hypothesis: hypothesis.into(), layer, outcome: String::new() }
    }

    fn handed_up(text: &str, tried: &[Try]) -> Escalation {
        let received =
            Received { escalation: text, task: "Mend the pool.", snapshot: "HEAD", ..Received::default() };
        let handoff = admit(&received).unwrap();
        match terminal(Attempt::new(4), &Brought::admitted(&handoff), tried) {
            Answer::Escalation(payload) => payload,
            other => panic!("{other:?}"),
        }
    }

    fn received() -> String {
        let mut payload = Escalation::of(Attempt::new(4), "the pool leaks");
        payload.what_was_tried = vec!["closing twice".to_owned()];
        payload.what_did_not_work = vec!["test_pool is still red".to_owned()];
        payload.text()
    }

    #[test]
    fn it_names_no_layer_that_its_contract_does_not_know() {
        let known =
            ["architecture", "environment", "dependency", "source_snapshot", "handoff_protocol", "unknown"];
        for layer in FailureLayer::ALL {
            for text in handed_up(&received(), &[tried("a", layer)]).suspected_failure_layer {
                assert!(known.contains(&text.name()), "{layer:?} as {text:?}");
            }
        }
        let both = [tried("a", FailureLayer::Unknown), tried("b", FailureLayer::Contract)];
        assert_eq!(handed_up(&received(), &both).suspected_failure_layer, [FailureLayer::Architecture]);
    }

    #[test]
    fn it_says_what_is_still_red_and_whose_hypotheses_were_whose() {
        let payload = handed_up(&received(), &[tried("the mock is stale", FailureLayer::TestHarness)]);
        assert_eq!(payload.what_did_not_work, ["test_pool is still red"]);
        assert_eq!(payload.what_was_tried, ["the mock is stale", "the coder's own: closing twice"]);
        assert_eq!(payload.tried_hypotheses().collect::<Vec<_>>(), ["the mock is stale", "closing twice"]);
    }

    #[test]
    fn fed_back_it_stays_as_it_is() {
        let proposed = [tried("the mock is stale", FailureLayer::TestHarness)];
        let first = handed_up(&received(), &proposed);
        for again in [handed_up(&first.text(), &proposed), handed_up(&first.text(), &[])] {
            assert_eq!(again.task_scope, "reflection rescue summary: the pool leaks");
            assert_eq!(again.what_was_tried, first.what_was_tried);
            assert_eq!(again.what_did_not_work, first.what_did_not_work);
        }
    }
}
