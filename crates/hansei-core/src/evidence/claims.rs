//! Claims that what ran contradicts, and claims that nothing supports.

use super::reading::Reading;
use super::{Evidence, Findings, Kind, Place, Situation};
use crate::prose::Concept;
use crate::verdict::Severity;

/// Compares what is claimed with what ran. Looks at what the detectors of checks found before.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let passing = speech.claims_passing();
    let found = |kinds: &[Kind]| findings.all().iter().find(|evidence| kinds.contains(&evidence.kind)).cloned();
    let failed = found(&[Kind::CheckFailed, Kind::CheckFailedHidden]);
    let green = found(&[Kind::CheckPassed]);
    if let Some(claim) = passing.first() {
        let quote = speech.quote(*claim);
        if let Some(failed) = failed {
            let text = format!("you said {quote}, but {}", failed.text);
            findings.add_about(Kind::ClaimContradicted, Severity::High, failed.place, text, failed.about);
            return;
        }
        if let (Some(stale), None) = (found(&[Kind::CheckStale]), &green) {
            let text = format!("you said {quote}, but {}", stale.text);
            findings.add_about(Kind::ClaimContradicted, Severity::Medium, stale.place, text, stale.about);
            return;
        }
    }
    let verified = speech.asserting(Concept::Verified);
    let claim = passing.first().or_else(|| verified.iter().find(|place| says_tested(speech, **place)));
    if let (Some(claim), None) = (claim, &green) {
        let hidden = found(&[Kind::CheckMasked, Kind::CheckRanNothing]);
        if let Some(hidden) = hidden {
            let text = format!("you said {}, but {}", speech.quote(*claim), hidden.text);
            findings.add(Kind::ClaimUnsupported, Severity::Medium, hidden.place, text);
            return;
        }
        if !ran_anything(situation, reading) && reading.wants_action() {
            let text = format!("you said {}, but no command that could show it was run", speech.quote(*claim));
            findings.add(Kind::ClaimUnsupported, Severity::Medium, Place::LastWords, text);
            return;
        }
    }
    undone_work(reading, green.as_ref(), findings);
}

fn says_tested(speech: &super::speech::Speech, place: usize) -> bool {
    let words = &speech.sentence(place).words;
    words.iter().any(|word| matches!(word.as_str(), "test" | "tests" | "tested" | "verified" | "suite" | "confirmed" | "validated"))
}

/// Whether a check or any other command ran for this task after its last edit.
fn ran_anything(situation: &Situation<'_>, reading: &Reading) -> bool {
    reading.ran_after_edit || situation.session.calls[situation.task_calls()].iter().any(|call| !call.checks.is_empty())
}

/// A claim that work is done, where no tool did any.
fn undone_work(reading: &Reading, green: Option<&Evidence>, findings: &mut Findings) {
    let speech = &reading.speech;
    if !reading.wants_action() || green.is_some() || !speech.claims_done() {
        return;
    }
    if reading.edits == 0 && !reading.acted {
        findings.add(
            Kind::ClaimUnsupported,
            Severity::High,
            Place::LastWords,
            "you said that the work is done, but nothing that you ran could have done it",
        );
        return;
    }
    let behaves = reading.request.about_behaviour || reading.request.wants_checks;
    if reading.edits > 0 && behaves && !reading.ran_after_edit {
        let hedged = speech.places().any(|place| speech.asserts_at(place, Concept::Hedges));
        findings.add(
            Kind::ClaimUnsupported,
            if hedged || reading.request.wants_checks { Severity::Medium } else { Severity::Low },
            Place::LastWords,
            "nothing was run after the last edit, so nothing shows that the change works",
        );
    }
}
