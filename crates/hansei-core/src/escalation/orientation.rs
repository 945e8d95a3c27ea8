//! What can be said before a model is asked, or without one: that what was given contradicts itself, and what the probes of
//! the blind zones saw.

use super::answer::{Answer, Diagnosis};
use super::answer_reader::BadRescue;
use super::finding::Finding;
use super::fingerprint::Fingerprint;
use super::handoff::Handoff;
use super::layer::FailureLayer;
use super::tried::Tried;
use crate::decision_memory::{Memory, check_plan, rejected_by};
use crate::model_text::one_line;

const LONGEST: usize = 300;
const MOST: usize = 6;

/// Whether the original contract or the forced context asks for what protected decisions reject. Nobody can satisfy both, and
/// no hypothesis mends that.
pub fn incoherent(handoff: &Handoff, memory: &Memory) -> Option<Answer> {
    let forced = &handoff.forced;
    let items = forced.facts.iter().chain(forced.checklist.iter().map(|item| &item.text));
    let forced = items.map(String::as_str).collect::<Vec<_>>().join("\n");
    let given = [("the original task", handoff.task.as_str()), ("the forced context", forced.as_str())];
    let mut between: Vec<String> = Vec::new();
    for (what, text) in given {
        for violation in check_plan(memory, what, text) {
            let line = format!("{what} asks for what {} rejects: {}", violation.decision, violation.text);
            let line = one_line(&line, LONGEST);
            if between.len() < MOST && !between.contains(&line) {
                between.push(line);
            }
        }
    }
    (!between.is_empty()).then_some(Answer::CoherenceCheckFailed(between))
}

/// What the probes answer, and what of it does not count.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Oriented {
    /// The first finding, strongest first, that was not tried for this failure and goes against no decision.
    pub answer: Option<Answer>,
    /// Why those before it, or all, do not count.
    pub refused: Vec<String>,
}

/// Looks through the findings, strongest first.
pub fn strongest(
    findings: &[Finding],
    fingerprint: &Fingerprint,
    tried: &Tried,
    memory: &Memory,
) -> Oriented {
    let mut oriented = Oriented::default();
    for finding in findings {
        let layer = finding.layer();
        let refused = match tried.receipt(fingerprint, &finding.cause, layer) {
            Err(same) => Some(same.to_string()),
            Ok(_) => rejected_by(memory, &finding.fix).map(|which| BadRescue::Rejected(which).to_string()),
        };
        let Some(why) = refused else {
            oriented.answer = Some(answer_of(finding, layer));
            break;
        };
        oriented.refused.push(why);
    }
    oriented
}

fn answer_of(finding: &Finding, layer: FailureLayer) -> Answer {
    let found = Diagnosis {
        failure_layer: layer,
        observations: vec![one_line(&format!("{}: {}", finding.probe.name(), finding.evidence), LONGEST)],
        new_hypothesis: one_line(&finding.cause, LONGEST),
        action: one_line(&finding.fix, LONGEST),
        proof_patch: None,
    };
    match layer {
        FailureLayer::TestHarness => Answer::TestHarnessFix(found),
        _ => Answer::EnvironmentFix(found),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decision_memory::SourceFile;
    use crate::escalation::{Attempt, Escalation, Probe, Received, Try, admit};

    fn finding(cause: &str, fix: &str) -> Finding {
        Finding { probe: Probe::Config, cause: cause.into(), evidence: "app.py:3".into(), fix: fix.into() }
    }

    fn handoff(task: &str, context: &str) -> Handoff {
        let payload = Escalation::of(Attempt::new(4), "x").text();
        admit(&Received { escalation: &payload, task, snapshot: "HEAD", context, ..Received::default() })
            .unwrap()
    }

    fn memory() -> Memory {
        let text = "# @REJECTED: `requests`, because it blocks the loop\nimport httpx\n";
        Memory::of([SourceFile { path: "app.py", text }])
    }

    #[test]
    fn a_task_that_asks_for_what_is_rejected_is_incoherent() {
        let memory = memory();
        for (task, forced, is_bad) in [
            ("Make the failing test pass", "", false),
            ("Switch the client from httpx to `requests`", "", true),
            ("Make it pass", "[FORCED_CONTEXT]\n- Use `requests` for every call\n[/FORCED_CONTEXT]", true),
            ("Make it pass", "[CHECKLIST]\n- [ ] Use `requests` for every call\n", true),
            ("Make it pass", "[CHECKLIST]\n- [x] `requests` is imported nowhere\n", false),
            ("Remove the last use of `requests`", "", false),
        ] {
            let answer = incoherent(&handoff(task, forced), &memory);
            assert_eq!(answer.is_some(), is_bad, "{task} {forced}: {answer:?}");
            assert!(answer.is_none_or(|answer| !answer.is_way_on()));
        }
    }

    #[test]
    fn the_strongest_finding_that_is_new_and_allowed_is_the_answer() {
        let print = Fingerprint::of_text("f");
        let findings = [
            finding("A_URL is not set", "export A_URL=…"),
            finding("B_URL is not set", "use `requests` instead"),
            finding("C_URL is not set", "export C_URL=…"),
        ];
        let mut tried = Tried::default();
        let said = |tried: &Tried| {
            let answer = strongest(&findings, &print, tried, &memory()).answer?;
            answer.diagnosis().map(|found| found.new_hypothesis.clone())
        };
        assert_eq!(said(&tried).as_deref(), Some("A_URL is not set"));
        let mut next = |hypothesis: &str| {
            let one = Try {
                hypothesis: hypothesis.into(),
                layer: FailureLayer::Environment,
                outcome: String::new(),
            };
            tried.record(&print, &one);
            said(&tried)
        };
        assert_eq!(next("A_URL is not set").as_deref(), Some("C_URL is not set"), "B's fix is rejected");
        assert_eq!(next("C_URL is not set"), None, "nothing is made up");
        assert_eq!(strongest(&[], &print, &Tried::default(), &memory()), Oriented::default());
        let refused = strongest(&findings, &print, &tried, &memory()).refused;
        assert_eq!(refused.len(), 3, "{refused:?}");
        assert!(
            refused[0].contains("tried before") && refused[0].contains("A_URL is not set"),
            "{refused:?}"
        );
        assert!(refused[1].contains("decision rejects"), "{refused:?}");
    }
}
