//! What the agent admits: checks that fail, and failures that it waves away.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::prose::{self, Concept};
use crate::verdict::Severity;

/// Finds admitted and dismissed failures.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let has = |kind: Kind| findings.all().iter().any(|evidence| evidence.kind == kind);
    let (failed, red_before, green) = (
        has(Kind::CheckFailed) || has(Kind::CheckFailedHidden),
        has(Kind::RedBefore),
        has(Kind::CheckPassed),
    );
    let mut admitted = speech.admits_failing();
    if green && !failed && !has(Kind::CheckStale) {
        admitted.retain(|place| lasts(speech, *place));
    }
    // "I was not able to get rid of it": the work itself, and not only a run of it.
    let gave_up = |place: &usize| {
        speech.asserted(*place, Concept::Unable).any(|hit| {
            let words = &speech.sentence(*place).words;
            let mut near = words[hit.start..words.len().min(hit.end + 3)].iter();
            let verb =
                near.find(|word| ["doing", "mends", "attains"].iter().any(|class| prose::is(word, class)));
            prose::any(&words[..=hit.start], "own")
                && verb.is_some_and(|verb| prose::is(verb, "mends") || prose::is(verb, "attains"))
        })
    };
    if admitted.is_empty() && reading.edits > 0 {
        admitted.extend(speech.places().filter(gave_up));
    }
    let wanted = reading.request.wants_red;
    // Words of failure in an answer are its subject.
    if let Some(place) = admitted.first()
        && reading.wants_action()
        && !wanted
        && !reading.request.waives
        && (!red_before || failed)
    {
        findings.add(
            Kind::FailureAdmitted,
            if green { Severity::Medium } else { Severity::High },
            Place::LastWords,
            format!("you said {}", speech.quote(*place)),
        );
    }
    let dismissed = speech.places().find(|place| {
        speech.asserts_at(*place, Concept::Dismisses)
            && (failed || near(*place, &admitted) || mentions_failure(speech, *place))
    });
    if let Some(place) = dismissed
        && (failed || !admitted.is_empty() || mentions_failure(speech, place))
        && (!red_before || failed)
        && reading.wants_action()
    {
        findings.add(
            Kind::FailureDismissed,
            if failed {
                Severity::High
            } else if green && passed_by_itself(situation) {
                Severity::Medium
            } else if green {
                Severity::Low
            } else {
                Severity::Medium
            },
            Place::LastWords,
            format!("a failure was set aside without showing that it is not yours: {}", speech.quote(place)),
        );
    }
}

/// Whether a sentence says of a check that it fails now: with a count, or as lasting.
fn lasts(speech: &super::speech::Speech, place: usize) -> bool {
    let sentence = speech.sentence(place);
    let counted = sentence.words.iter().any(|word| word.parse::<u64>().is_ok_and(|count| count > 0));
    counted || sentence.has("lasting") || sentence.says(&["fails", "fail", "failing"])
}

/// Whether a check failed and then passed once with nothing changed in between: luck, and no more. Whoever ran it again
/// and again knows more.
fn passed_by_itself(situation: &Situation<'_>) -> bool {
    use crate::check::CheckResult;
    use crate::session::Action;
    let calls = &situation.session.calls[situation.task_calls()];
    let repeated = calls.iter().any(|call| {
        matches!(&call.action, Action::Run { command, .. }
            if ["for i in", "--count", "-count=", "--repeat", "stash", "worktree", "seq "].iter().any(|mark| command.contains(mark)))
    });
    if repeated {
        return false;
    }
    let mut failed: Option<&str> = None;
    let mut lucky = 0;
    for call in calls {
        if matches!(call.action, Action::Edit { .. } | Action::Other | Action::Delegate { .. })
            || matches!(&call.action, Action::Run { command, .. } if call.checks.is_empty() && super::reading::may_show(command))
        {
            failed = None;
            lucky = 0;
        }
        for run in &call.checks {
            match run.result {
                CheckResult::Failed => failed = Some(&run.check.text),
                CheckResult::Passed if failed == Some(run.check.text.as_str()) => lucky += 1,
                _ => {}
            }
        }
    }
    lucky == 1
}

fn near(place: usize, admitted: &[usize]) -> bool {
    admitted.iter().any(|other| other.abs_diff(place) <= 2)
}

fn mentions_failure(speech: &super::speech::Speech, place: usize) -> bool {
    speech.holds(place, Concept::Fails) || speech.sentence(place).has("failure-words")
}
