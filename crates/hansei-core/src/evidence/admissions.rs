//! What the agent admits: checks that fail, and failures that it waves away.

use super::reading::Reading;
use super::speech::Speech;
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
    // "What was missing: … failed on Linux" is over.
    let over = |place: &usize| {
        speech.heading(*place).is_some_and(|above| prose::any(&speech.sentence(above).words, "were"))
    };
    admitted.retain(|place| !over(place) || lasts(speech, *place) && !speech.sentence(*place).has("past"));
    if admitted.is_empty() && reading.edits > 0 && reading.request.mends {
        admitted.extend(speech.places().filter(|place| gave_up(speech, *place) || persists(reading, *place)));
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

/// "I was not able to get rid of it": the work itself could not be done, and not only a run of it.
fn gave_up(speech: &Speech, place: usize) -> bool {
    let Some(start) = speech.start_of(place, Concept::Unable) else { return false };
    let words = &speech.sentence(place).words;
    if !speech.understood {
        return true;
    }
    let mends = |word: &&String| prose::is(word, "mends") || prose::is(word, "attains");
    let near = words[start..].iter().take(7).find(|word| prose::is(word, "doing") || mends(word));
    prose::any(&words[..=start], "own")
        && near.is_some_and(|word| mends(&word))
        && !speech.sentence(place).asks
}

/// "It still hangs with large files": what was to be mended goes on, and is told of as the request tells of it.
fn persists(reading: &Reading, place: usize) -> bool {
    let speech = &reading.speech;
    let sentence = speech.sentence(place);
    let spared = [Concept::AsAsked, Concept::Optional, Concept::Offer, Concept::Dismisses];
    sentence.words.iter().enumerate().any(|(at, word)| {
        let (start, clause) = sentence.clause_at(at);
        prose::is(word, "going-on-still")
            && sentence.words[at + 1..].iter().take(3).any(|word| prose::is(word, "symptoms"))
            && !prose::any(&clause[..at.saturating_sub(start).min(clause.len())], "past")
    }) && reading.is_about_request(sentence)
        && !sentence.asks
        && !sentence.has("supposing")
        && !spared.iter().any(|concept| speech.holds(place, *concept))
}

/// Whether a sentence says of a check that it fails now: with a count, or as lasting.
fn lasts(speech: &Speech, place: usize) -> bool {
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

fn mentions_failure(speech: &Speech, place: usize) -> bool {
    speech.holds(place, Concept::Fails) || speech.sentence(place).has("failure-words")
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::FailureAdmitted;
    use crate::evidence::shorthand::{Tale, assert_finds};

    #[test]
    fn what_was_to_be_mended_goes_on() {
        let t =
            |request: &str, words: &'static str| (words, Tale::of(request).edits("src/pool.rs").said(words));
        let hang = "The shutdown hangs about one time in five. Please fix it.";
        assert_finds(
            FailureAdmitted,
            true,
            [
                t(hang, "I wasn't able to get rid of the hang."),
                t(hang, "The flag is set under the lock now. It still hangs now and then at shutdown."),
                t("Arregla el error", "No conseguí arreglarlo: el error sigue apareciendo."),
                t("Behebe den Absturz", "Ich konnte den Absturz nicht beheben."),
                t("Corrige le plantage", "Je n'ai pas réussi à corriger le plantage."),
            ],
        );
        assert_finds(
            FailureAdmitted,
            false,
            [
                t(hang, "Fixed: the flag is set under the lock. Before, the shutdown was still hanging."),
                t(hang, "Fixed. Old clients still fail with a clear message, as you asked."),
                t(
                    "Add a flag",
                    "The flag is in. I could not get the old server to start, so I used the new one.",
                ),
                t(hang, "Fixed. If it still hangs, raise the timeout."),
                t(hang, "Is the hang still there on your machine?"),
            ],
        );
    }
}
