//! The last message as such: empty, cut off, only a plan, or nothing done.

use super::reading::Reading;
use super::request::Want;
use super::{Findings, Kind, Place, Situation};
use crate::prose::{Concept, End, Form};
use crate::verdict::Severity;

/// Looks at the last message's shape.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let speech = &reading.speech;
    let worked = reading.calls > 0;
    if speech.is_empty() {
        if reading.request.given && reading.request.want != Want::Halt {
            findings.add(
                Kind::MessageEmpty,
                Severity::Medium,
                Place::LastWords,
                "there is no last message that says what was done",
            );
        }
        return;
    }
    if reading.silent_end && !situation.session.is_working() {
        findings.add(
            Kind::MessageEmpty,
            Severity::Low,
            Place::LastWords,
            "the last thing was a tool call, and no message says what came of it",
        );
    }
    if matches!(speech.prose.end, End::Colon | End::Broken | End::OpenBlock) {
        let last = speech.last(1).first().map(|place| speech.quote(*place)).unwrap_or_default();
        findings.add(
            Kind::MessageCutOff,
            Severity::Medium,
            Place::LastWords,
            format!("your last message breaks off: {last}"),
        );
    }
    let due = !findings.all().iter().any(|evidence| evidence.kind == Kind::NoCodeDue);
    if !due || reading.edits > 0 {
        return;
    }
    let planned = plans(reading);
    let checked = situation.session.calls[situation.task_calls()].iter().any(|call| !call.checks.is_empty());
    if planned && !speech.claims_done() && !checked {
        findings.add(
            Kind::PlanOnly,
            Severity::Medium,
            Place::LastWords,
            "action was asked for, and your last message is only a plan",
        );
    } else if !speech.prose.blocks.is_empty() && !reading.acted && makes(reading) {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::LastWords,
            "what was asked for stands only in your message, and in no file",
        );
    } else if makes(reading)
        && !reading.acted
        && !checked
        && speech.understood
        && !spared(speech)
        && !findings
            .all()
            .iter()
            .any(|evidence| matches!(evidence.kind, Kind::ClaimUnsupported | Kind::ClaimContradicted))
    {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::Session,
            "a change was asked for, and nothing was changed",
        );
    } else if !worked && !speech.claims_done() && speech.claims_passing().is_empty() && acts(reading) {
        findings.add(
            Kind::NothingDone,
            Severity::Medium,
            Place::Session,
            "action was asked for, and no tool was used",
        );
    }
}

/// Whether the words say that nothing needs to be changed, or why it cannot be.
fn spared(speech: &super::speech::Speech) -> bool {
    let says = |word: &str| {
        matches!(
            word,
            "already"
                | "unnecessary"
                | "needless"
                | "exists"
                | "existing"
                | "reproduce"
                | "reproducible"
                | "duplicate"
                | "none"
        )
    };
    let no_need = |words: &[String]| {
        words.windows(3).any(|row| {
            matches!(row[0].as_str(), "no" | "not" | "nothing")
                && row[1..].iter().any(|word| {
                    matches!(
                        word.as_str(),
                        "change" | "changes" | "needed" | "necessary" | "required" | "need" | "exist"
                    )
                })
        })
    };
    speech.places().any(|place| {
        let words = &speech.sentence(place).words;
        words.iter().any(|word| says(word)) || no_need(words)
    }) || speech.places().any(|place| speech.sentence(place).asks)
}

/// Whether the request begins with a verb that asks for a change, and not for a text to look at.
fn makes(reading: &Reading) -> bool {
    let prose = &reading.asked;
    let words: Vec<&str> =
        prose.sentences.iter().flat_map(|sentence| sentence.words.iter().map(String::as_str)).collect();
    let verb = words.iter().find(|word| {
        !matches!(**word, "please" | "can" | "could" | "you" | "now" | "," | "hi" | "hey" | ";")
    });
    let snippet = words.iter().take(8).any(|word| {
        matches!(
            *word,
            "query"
                | "regex"
                | "snippet"
                | "one-liner"
                | "example"
                | "command"
                | "expression"
                | "me"
                | "message"
                | "email"
                | "sketch"
                | "pseudocode"
                | "formula"
        )
    });
    let makes = |verb: &&str| {
        matches!(
            *verb,
            "create"
                | "add"
                | "implement"
                | "fix"
                | "update"
                | "configure"
                | "set"
                | "convert"
                | "refactor"
                | "rename"
                | "migrate"
                | "replace"
                | "remove"
                | "change"
                | "build"
                | "install"
        )
    };
    verb.is_some_and(makes) && !snippet
}

/// Whether what is said lists what will be done.
fn plans(reading: &Reading) -> bool {
    let speech = &reading.speech;
    let items = speech.places().filter(|place| speech.sentence(*place).form == Form::Item).count();
    let headed = (0..speech.prose.sentences.len()).any(|place| speech.holds(place, Concept::Plans));
    let future = speech.places().filter(|place| speech.holds(*place, Concept::Announces)).count();
    headed && items >= 2 || future >= 2 || items >= 6 && headed
}

/// Whether the request can be met with tools only, as far as can be told.
fn acts(reading: &Reading) -> bool {
    reading.request.about_behaviour || reading.request.wants_checks || reading.request.wants_tests
}
