//! Work that the agent says is left, or that it announced and did not do.

use super::reading::Reading;
use super::request::Want;
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

/// "Four of the seven comments are addressed": a part of a counted whole, where the rest is not told to be out of scope.
fn counts_a_part(words: &[String]) -> bool {
    // What is done to things that are counted; runs and tests that pass are no parts of the work.
    const DONE: &[&str] = &[
        "done",
        "converted",
        "migrated",
        "addressed",
        "resolved",
        "finished",
        "implemented",
        "written",
        "moved",
        "translated",
        "ported",
        "updated",
        "covered",
        "created",
        "fixed",
        "complete",
        "completed",
        "handled",
        "renamed",
        "replaced",
        "removed",
        "processed",
        "stopped",
        "through",
        "rewritten",
        "documented",
    ];
    let number = |word: &str| {
        const NAMES: &[&str] = &[
            "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
            "twelve",
        ];
        word.parse::<u64>()
            .ok()
            .or_else(|| NAMES.iter().position(|name| *name == word).map(|count| count as u64))
    };
    (0..words.len()).any(|at| {
        let Some(some) = number(&words[at]) else { return false };
        let behind: Vec<&str> = words[at + 1..]
            .iter()
            .map(String::as_str)
            .filter(|word| !matches!(*word, "the" | "all" | "out" | "our"))
            .take(2)
            .collect();
        let whole = match behind.as_slice() {
            ["of", whole] => number(whole),
            _ => None,
        };
        whole.is_some_and(|whole| some < whole && whole <= 10_000)
            && words.iter().any(|word| DONE.contains(&word.as_str()))
    })
}

/// "The rest is still on the old version": what has not changed yet, where nothing says that it was to stay.
fn still_undone(words: &[String]) -> bool {
    const STAYS: &[&str] = &[
        "pass",
        "passes",
        "passing",
        "green",
        "work",
        "works",
        "working",
        "valid",
        "supported",
        "compatible",
        "available",
        "correct",
        "fine",
        "ok",
        "same",
        "intact",
        "there",
        "place",
        "accepted",
        "accepts",
        "possible",
        "respected",
        "honoured",
        "honored",
        "enforced",
        "covered",
        "used",
        "needed",
        "required",
        "recommended",
        "fast",
        "clean",
        "applies",
        "apply",
        "compiles",
        "builds",
        "runs",
        "run",
        "loads",
        "returns",
        "resolves",
        "true",
        "open-source",
        "running",
        "in",
        "at",
        "under",
        "below",
        "within",
        "reachable",
        "readable",
        "default",
        "optional",
        "git-ignored",
        "support",
        "supports",
        "use",
        "uses",
        "accept",
        "handle",
        "handles",
        "return",
        "render",
        "renders",
        "respects",
        "gets",
        "get",
        "shows",
        "show",
        "exist",
        "exists",
        "keeps",
        "keep",
        "see",
        "sees",
        "hold",
        "holds",
        "has",
        "have",
        "gives",
        "succeed",
        "succeeds",
        "the",
        "a",
        "an",
        "be",
        "fail",
        "fails",
        "failing",
        "match",
        "matches",
        "be",
        "lets",
        "let",
        "produces",
        "prints",
        "reads",
        "writes",
        "sends",
        "ends",
        "lives",
        "pending",
        "ignored",
        "kept",
        "private",
        "protected",
    ];
    words.windows(2).any(|row| {
        row[0] == "still" && row[1].chars().any(char::is_alphabetic) && !STAYS.contains(&row[1].as_str())
    })
}

/// "No model has been trained yet", "two tests have to be changed yet", "`docs` are missing yet".
fn not_yet(words: &[String]) -> bool {
    let yet = words.iter().rposition(|word| word == "yet");
    yet.is_some_and(|at| {
        at + 1 >= words.len().saturating_sub(1)
            && words[..at].iter().any(|word| {
                matches!(
                    word.as_str(),
                    "no" | "not" | "none" | "missing" | "have" | "has" | "nothing" | "open" | "to"
                )
            })
            && !words[..at].iter().any(|word| {
                matches!(word.as_str(), "committed" | "pushed" | "deployed" | "released" | "published")
            })
    })
}

/// "The two remaining items are done": what remained is over.
fn is_over(words: &[String]) -> bool {
    let at = |list: &[&str]| words.iter().position(|word| list.contains(&word.as_str()));
    let remained = at(&["remaining", "outstanding", "pending", "leftover"]);
    let is = remained.and_then(|from| {
        words[from..]
            .iter()
            .position(|word| matches!(word.as_str(), "is" | "are" | "were" | "was" | "been" | "now"))
            .map(|place| from + place)
    });
    let over = is.and_then(|from| {
        words[from..].iter().take(4).position(|word| {
            matches!(
                word.as_str(),
                "done"
                    | "finished"
                    | "complete"
                    | "completed"
                    | "fixed"
                    | "resolved"
                    | "implemented"
                    | "migrated"
                    | "converted"
                    | "closed"
                    | "gone"
            )
        })
    });
    over.is_some() && !words.iter().any(|word| word == "not")
}

/// "I left it for Marta": whom or what the request itself names as the one to do it.
fn left_to_others(words: &[String], asked: &crate::prose::Prose) -> bool {
    let named = |word: &String| {
        word.chars().count() > 3 && asked.sentences.iter().any(|sentence| sentence.words.contains(word))
    };
    words.windows(2).any(|pair| pair[0] == "for" && named(&pair[1]))
        && words.iter().any(|word| word == "left")
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

/// "I'm now adapting the reader", "I've begun encoding": the agent says that it is in the middle of something.
fn is_at_it(words: &[String]) -> bool {
    let doing = |word: &str| {
        word.len() > 5
            && word.ends_with("ing")
            && !matches!(
                word,
                "assuming"
                    | "waiting"
                    | "happy"
                    | "nothing"
                    | "something"
                    | "anything"
                    | "everything"
                    | "leaving"
                    | "missing"
                    | "keeping"
                    | "treating"
                    | "considering"
                    | "stopping"
                    | "pausing"
                    | "holding"
            )
    };
    let says = |at: usize, list: &[&str]| words.get(at).is_some_and(|word| list.contains(&word.as_str()));
    (0..words.len()).any(|at| {
        let now = at + 1 + usize::from(says(at + 1, &["now", "currently", "still"]));
        let am = says(at, &["i'm", "im"]) || says(at, &["am"]) && at > 0 && says(at - 1, &["i"]);
        let begun = says(at, &["begun", "started", "begin"]);
        (am || begun) && words.get(now).is_some_and(|word| doing(word))
            || am && says(now, &["on"]) && says(now + 1, &["that", "it", "this"])
    })
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
