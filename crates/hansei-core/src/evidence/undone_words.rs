//! How a sentence tells that something is undone without a phrase of the lexicon: a part of a counted whole, what still is
//! as it was, what is not yet, what the speaker is in the middle of.

use crate::prose::{self, Prose};

/// Numbers in words, by their place.
const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
];

fn number(word: &str) -> Option<u64> {
    let named = || NUMBERS.iter().position(|name| *name == word).map(|count| count as u64);
    word.parse().ok().or_else(named)
}

/// "Four of the seven comments are addressed": a part of a counted whole, where the rest is not told to be out of scope.
pub(super) fn counts_a_part(words: &[String]) -> bool {
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
        whole.is_some_and(|whole| some < whole && whole <= 10_000) && prose::any(words, "counted-done")
    })
}

/// "The rest is still on the old version": what has not changed yet of things that are counted, where nothing says that it
/// was to stay.
pub(super) fn still_undone(words: &[String]) -> bool {
    words.windows(3).enumerate().any(|(at, row)| {
        matches!(row[0].as_str(), "is" | "are")
            && row[1] == "still"
            && row[2].chars().any(char::is_alphabetic)
            && !prose::is(&row[2], "stays")
            && prose::any(&words[..at], "units")
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
    let remained = words.iter().position(|word| prose::is(word, "remained"));
    let behind = remained.map_or(&[][..], |from| &words[from..]);
    let is = behind
        .iter()
        .position(|word| matches!(word.as_str(), "is" | "are" | "were" | "was" | "been" | "now"));
    is.is_some_and(|at| prose::any(&behind[at..behind.len().min(at + 4)], "over"))
        && !words.iter().any(|word| word == "not")
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
    let doing = |word: &str| word.len() > 5 && word.ends_with("ing") && !prose::is(word, "no-doing");
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
            ("Users without a key still trigger the full setup.", false),
        ] {
            let words = words(text);
            let found = counts_a_part(&words) || still_undone(&words);
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
