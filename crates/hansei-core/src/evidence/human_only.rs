//! What only a human can do, as the last words tell it: people's own acts, and whatever nobody else may do.

use super::speech::Speech;
use crate::prose::{self, Concept, Form, Sentence};

/// Whether a sentence says that a person has to do what only people do: "a lead has to approve it", "only the owner can
/// accept it", "adding a card is up to the owner", "ask a DBA to sign it".
fn needs_people(sentence: &Sentence) -> bool {
    let words = &sentence.words;
    let is = |place: usize, list: &[&str]| words.get(place).is_some_and(|word| list.contains(&word.as_str()));
    let people = |place: usize| words.get(place).is_some_and(|word| prose::is(word, "people"));
    // "Only Gudrun can enter them": a name and what people do.
    let names = |place: usize| {
        is(place, &["can", "may"]) && words.get(place + 1).is_some_and(|word| prose::is(word, "peoples-acts"))
    };
    let acts = |from: usize| words.iter().skip(from).take(10).any(|word| prose::is(word, "peoples-acts"));
    (0..words.len()).any(|place| {
        let person = people(place);
        let must = (1..7).any(|step| {
            let at = place + step;
            is(at, &["must"]) || is(at, &["has", "have", "needs", "need"]) && is(at + 1, &["to"])
        });
        let alone = is(place, &["only"])
            && (1..8).any(|step| is(place + step, &["can", "may"]))
            && (1..5).any(|step| people(place + step) || is(place + step, &["you"]) || names(place + step));
        let up_to = is(place, &["up"]) && is(place + 1, &["to"]) && (2..7).any(|step| people(place + step));
        let asked = is(place, &["ask"]) && (1..5).any(|step| people(place + step));
        person && must && acts(place + 1) || alone || up_to || asked && acts(place + 2)
    })
}

/// The sentence that says that only a human can go on.
pub(super) fn human_only(speech: &Speech, finished: bool) -> Option<usize> {
    let stuck = speech.places().any(|other| speech.asserts_at(other, Concept::Unable));
    let left = speech.places().any(|other| speech.holds(other, Concept::NextSteps));
    (0..speech.prose.sentences.len()).filter(|place| speech.sentence(*place).form != Form::Row).find(
        |place| {
            let place = *place;
            let sentence = speech.sentence(place);
            if waits_for_a_human(speech, place) {
                return true;
            }
            if speech.is_under(place, Concept::Optional) || speech.holds(place, Concept::Optional) && finished
            {
                return false;
            }
            let says = |word: &str| sentence.words.iter().any(|known| known == word);
            if speech.understood && !sentence.asks && needs_people(sentence) && (!finished || stuck || left) {
                return true;
            }
            let strong = speech.holds(place, Concept::HumanOnly);
            let weak = speech.holds(place, Concept::HumanPlace);
            let handed = speech.holds(place, Concept::Delegates) || speech.holds(place, Concept::AsksInput);
            let needs = sentence.has("needing");
            let blocks = speech.holds(place, Concept::Unable) || sentence.has("blocking");
            let beside = speech.prose.sentences.get(place + 1).is_some_and(|next| {
                next.words.iter().take(4).any(|word| matches!(word.as_str(), "yours" | "you" | "your"))
            });
            // "Needed from you: plug in the board."
            let headed = speech.heading(place).is_some_and(|heading| directed(speech.sentence(heading)));
            let needs = needs || headed;
            let human = directed(sentence) || beside || headed;
            if finished {
                let blocked = speech.asserts_at(place, Concept::Unable) && strong;
                return blocked
                    || (strong || weak)
                        && (handed || needs && human)
                        && (blocks || stuck)
                        && !speech.asserts_at(place, Concept::Done);
            }
            strong && (handed || needs && human || blocks && (human || stuck) || needs && stuck)
                || weak
                    && (handed || needs && human)
                    && (stuck || blocks || handed && human && says("manually"))
        },
    )
}

/// Whether a sentence says that something waits for what nobody but a human can do, whatever that is: "publishing needs
/// an approval that only you can give". What only somebody can do, and nothing waits for, is a property of the product.
fn waits_for_a_human(speech: &Speech, place: usize) -> bool {
    let Some(phrase) = speech.start_of(place, Concept::HumanAlone) else { return false };
    let words = &speech.sentence(place).words;
    let any = |words: &[String], list: &[&str]| words.iter().any(|word| list.contains(&word.as_str()));
    let needs =
        any(&words[..phrase], &["need", "needs", "require", "requires", "required", "missing", "takes"]);
    let waits =
        any(words, &["wait", "waits", "waiting", "awaits", "awaiting", "pending", "blocked", "until"]);
    (needs || waits || speech.holds(place, Concept::Unable)) && !speech.is_under(place, Concept::Optional)
}

/// Whether a sentence speaks to or of a human.
pub(super) fn directed(sentence: &Sentence) -> bool {
    sentence.has("directing")
}
