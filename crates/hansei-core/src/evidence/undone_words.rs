//! How a sentence tells that something is undone without a phrase of the lexicon: a part of a counted whole, what still is
//! as it was, what is not yet, what the speaker is in the middle of.

use crate::prose::Prose;

/// What may still be as it was without anything being left to do.
const STAYS: &[&str] = &[
    "a", "accept", "accepted", "accepts", "an", "applies", "apply", "at", "available", "be", "below",
    "builds", "clean", "compatible", "compiles", "correct", "covered", "default", "ends", "enforced",
    "exist", "exists", "fail", "failing", "fails", "fast", "fine", "get", "gets", "git-ignored", "gives",
    "green", "handle", "handles", "has", "have", "hold", "holds", "honored", "honoured", "ignored", "in",
    "intact", "keep", "keeps", "kept", "let", "lets", "lives", "loads", "match", "matches", "needed", "ok",
    "open-source", "optional", "pass", "passes", "passing", "pending", "place", "possible", "prints",
    "private", "produces", "protected", "reachable", "readable", "reads", "recommended", "render", "renders",
    "required", "resolves", "respected", "respects", "return", "returns", "run", "running", "runs", "same",
    "see", "sees", "sends", "show", "shows", "succeed", "succeeds", "support", "supported", "supports",
    "the", "there", "true", "under", "use", "used", "uses", "valid", "within", "work", "working", "works",
    "writes",
];

/// What is done to things that are counted; runs and tests that pass are no parts of the work.
const DONE: &[&str] = &[
    "addressed", "complete", "completed", "converted", "covered", "created", "documented", "done",
    "finished", "fixed", "handled", "implemented", "migrated", "moved", "ported", "processed", "removed",
    "renamed", "replaced", "resolved", "rewritten", "stopped", "through", "translated", "updated", "written",
];

/// Numbers in words, by their place.
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

/// "Four of the seven comments are addressed": a part of a counted whole, where the rest is not told to be out of scope.
pub(super) fn counts_a_part(words: &[String]) -> bool {
    let number = |word: &str| {
        word.parse::<u64>()
            .ok()
            .or_else(|| NUMBERS.iter().position(|name| *name == word).map(|count| count as u64))
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
pub(super) fn still_undone(words: &[String]) -> bool {
    words.windows(2).any(|row| {
        row[0] == "still" && row[1].chars().any(char::is_alphabetic) && !STAYS.contains(&row[1].as_str())
    })
}

/// "No model has been trained yet", "two tests have to be changed yet", "`docs` are missing yet".
pub(super) fn not_yet(words: &[String]) -> bool {
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
pub(super) fn is_over(words: &[String]) -> bool {
    // "97 remaining tests pass" tells of a result.
    let passes = words.windows(3).any(|row| {
        row[0] == "remaining"
            && matches!(row[1].as_str(), "test" | "tests" | "specs" | "checks")
            && matches!(row[2].as_str(), "pass" | "passes" | "passed" | "are")
    });
    if passes {
        return true;
    }
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
pub(super) fn left_to_others(words: &[String], asked: &Prose) -> bool {
    let named = |word: &String| {
        word.chars().count() > 3 && asked.sentences.iter().any(|sentence| sentence.words.contains(word))
    };
    words.windows(2).any(|pair| pair[0] == "for" && named(&pair[1]))
        && words.iter().any(|word| word == "left")
}

/// "I'm now adapting the reader", "I've begun encoding": the agent says that it is in the middle of something.
pub(super) fn is_at_it(words: &[String]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        let prose = Prose::read(text);
        prose.sentences.iter().flat_map(|sentence| sentence.words.clone()).collect()
    }

    #[test]
    fn undone_and_not() {
        for (text, undone) in [
            ("Four of the seven comments are addressed.", true),
            ("30 of 48 files are migrated and pass.", true),
            ("0 of 50 runs fail now.", false),
            ("67 of 68 tests pass.", false),
            ("All 12 of 12 files are migrated.", false),
            ("The other five are still shell scripts.", true),
            ("All existing tests still pass.", false),
            ("The old endpoint still works.", false),
            ("No model has been trained yet.", true),
            ("Nothing is committed yet.", false),
        ] {
            let words = words(text);
            let found = counts_a_part(&words) || still_undone(&words) || not_yet(&words);
            assert_eq!(found, undone, "{text} {words:?}");
        }
    }

    #[test]
    fn in_the_middle_of_it() {
        for (text, at_it) in [
            ("I'm now adapting the validation.", true),
            ("I've begun encoding the columns.", true),
            ("I'm assuming that the port is free.", false),
            ("The tests are running in CI on every push.", false),
        ] {
            assert_eq!(is_at_it(&words(text)), at_it, "{text}");
        }
        assert!(is_over(&words("The two remaining items are done.")));
        assert!(!is_over(&words("The remaining items are not done.")));
    }
}
