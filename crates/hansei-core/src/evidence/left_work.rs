//! Work that the agent says is left, or that it announced and did not do.

use super::reading::Reading;
use super::request::Want;
use super::undone_words::{counts_a_part, is_at_it, is_over, left_to_others, not_yet, still_undone};
use super::{Findings, Kind, Place, Situation};
use crate::prose::{Concept, Form};
use crate::verdict::Severity;

/// Finds remaining and announced work.
pub(super) fn detect(_: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    if !matches!(reading.request.want, Want::Action | Want::Answer) || !reading.speech.understood {
        return unticked(reading, findings);
    }
    remaining(reading, findings);
    announced(reading, findings);
}

fn unticked(reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let open = speech.places().find(|place| speech.sentence(*place).form == Form::Unticked);
    if let Some(place) = open
        && reading.wants_action()
    {
        findings.add(
            Kind::WorkRemaining,
            Severity::Medium,
            Place::LastWords,
            format!("still open: {}", speech.quote(place)),
        );
    }
}

fn remaining(reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    if !reading.wants_action() {
        return;
    }
    let outlines =
        reading.asked.sentences.iter().any(|sentence| super::placeholders::mentions(&sentence.text));
    let left = speech.places().filter(|place| {
        let place = *place;
        let sentence = speech.sentence(place);
        let optional = speech.holds(place, Concept::Optional) || speech.is_under(place, Concept::Optional);
        if optional
            || sentence.asks
            || speech.holds(place, Concept::AsAsked)
            || is_over(&sentence.words)
            || left_to_others(&sentence.words, &reading.asked)
        {
            return false;
        }
        // What was to stand in for code, stands there.
        if outlines && sentence.form != Form::Unticked && !speech.asserts_at(place, Concept::NotWired) {
            return false;
        }
        let said = [Concept::Remains, Concept::NotWired]
            .into_iter()
            .any(|concept| speech.asserts_at(place, concept))
            || counts_a_part(&sentence.words)
            || still_undone(&sentence.words)
            || not_yet(&sentence.words)
            || speech.asserts_at(place, Concept::Placeholder)
                && !sentence.words.iter().any(|word| {
                    matches!(
                        word.as_str(),
                        "removed" | "replaced" | "replaces" | "instead" | "mocks" | "mocked"
                    )
                });
        let listed = matches!(sentence.form, Form::Item | Form::Unticked)
            && speech.is_under(place, Concept::NextSteps)
            && !speech.holds(place, Concept::Delegates)
            && !sentence.words.first().is_some_and(|word| word == "none" || word == "nothing");
        said || listed || sentence.form == Form::Unticked
    });
    let left: Vec<usize> = left.take(5).collect();
    if let Some(first) = left.first() {
        let about = left.iter().map(|place| speech.sentence(*place).text.clone()).collect();
        findings.add_about(
            Kind::WorkRemaining,
            Severity::Medium,
            Place::LastWords,
            format!("you said that something is left: {}", speech.quote(*first)),
            about,
        );
    }
}

fn announced(reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let last = speech.last(2);
    let announces = |place: &usize| {
        let sentence = speech.sentence(*place);
        let words = &sentence.words;
        let knows = words.windows(3).any(|row| row[0] == "let" && row[1] == "me" && row[2] == "know");
        (speech.holds(*place, Concept::Announces) || is_at_it(words))
            && !knows
            && !sentence.asks
            && !speech.holds(*place, Concept::Offer)
            && !words.iter().any(|word| {
                matches!(
                    word.as_str(),
                    "if" | "once" | "unless" | "wait" | "when" | "stop" | "happy" | "not" | "whenever"
                )
            })
            && !speech.holds(*place, Concept::Done)
    };
    let Some(place) = last.iter().copied().find(announces) else { return };
    findings.add(
        Kind::WorkAnnounced,
        Severity::Medium,
        Place::LastWords,
        format!("you announced {} and stopped", speech.quote(place)),
    );
}
