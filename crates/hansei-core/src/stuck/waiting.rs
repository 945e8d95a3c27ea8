//! What a silent session may be waiting for: its provider, or a human.

use crate::evidence::{Situation, Speech};
use crate::prose::{Concept, Form};

/// Whether the provider holds it up: a limit on its rate, an overload, and a retry that is under way. Neither the agent
/// nor a nudge can hasten that.
pub(super) fn for_provider(situation: &Situation<'_>, words: &str) -> bool {
    let failed = situation.turn().and_then(|turn| turn.failed.as_deref()).unwrap_or_default();
    let last = situation.session.calls.last().and_then(|call| call.end.as_ref());
    let printed = last.map(|end| end.output.text()).unwrap_or_default();
    let held = |text: &str| {
        let text = text.to_lowercase();
        LIMITS.iter().any(|mark| text.contains(mark))
    };
    let retries = |text: &str| {
        let text = text.to_lowercase();
        RETRIES.iter().any(|mark| text.contains(mark))
    };
    held(failed) || held(words) && retries(words) || held(&printed) && (retries(&printed) || retries(words))
}

const LIMITS: &[&str] = &[
    "rate limit", "rate-limit", "rate_limit", "ratelimit", "too many requests", "429", "overloaded", "529",
    "503", "usage limit", "quota", "throttl", "capacity",
];

const RETRIES: &[&str] = &[
    "retry", "retries", "try again in", "trying again", "back off", "backoff", "backing off", "wait",
    "resets", "repeated", "automatically", "resume", "cool down",
];

/// Whether the last words leave it to the human to speak: a question at the end, or words that say so.
pub(super) fn for_human(speech: &Speech) -> bool {
    let places = speech.last(3);
    let asks = |place: &usize| {
        let sentence = speech.sentence(*place);
        sentence.asks && sentence.form != Form::Row
    };
    let offers = |place: &usize| speech.holds(*place, Concept::Offer);
    let finished = speech.claims_done() || !speech.claims_passing().is_empty();
    let invites =
        |place: &usize| speech.holds(*place, Concept::AsksInput) || speech.holds(*place, Concept::Permission);
    places.iter().any(|place| asks(place) && !(offers(place) && finished))
        || places.iter().any(|place| invites(place) && !finished)
}

/// Whether the same sentence comes three times or more.
pub(super) fn repeats_itself(speech: &Speech) -> bool {
    let mut texts: Vec<&str> = speech
        .places()
        .map(|place| speech.sentence(place))
        .filter(|sentence| sentence.words.len() >= 3)
        .map(|sentence| sentence.text.as_str())
        .collect();
    texts.sort_unstable();
    texts.windows(3).any(|row| row[0] == row[2])
}
