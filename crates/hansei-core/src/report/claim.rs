//! Whether an agent's last words say that the work is done.
//!
//! Code, logs and quotations are not claims; a question, a hedge or an open admission takes a claim back. English only:
//! in other languages nothing is claimed, and nobody is accused.

/// Words that say the work is done, each as a run of words.
const DONE: &[&str] = &[
    "done",
    "complete",
    "completed",
    "finished",
    "fixed",
    "implemented",
    "resolved",
    "works",
    "working",
    "ready",
    "passing",
    "passes",
    "pass",
    "succeeded",
    "succeeds",
    "green",
    "successful",
    "successfully",
    "added",
    "updated",
    "refactored",
    "merged",
    "verified",
];

/// Words that take it back when they stand in the same sentence.
const NOT: &[&str] = &[
    "not",
    "no",
    "never",
    "cannot",
    "can't",
    "couldn't",
    "could't",
    "didn't",
    "doesn't",
    "don't",
    "won't",
    "isn't",
    "aren't",
    "wasn't",
    "haven't",
    "hasn't",
    "unable",
    "fail",
    "fails",
    "failed",
    "failing",
    "failure",
    "failures",
    "still",
    "remaining",
    "remains",
    "left",
    "todo",
    "partially",
    "partly",
    "almost",
    "once",
    "if",
    "unless",
    "until",
    "when",
    "should",
    "will",
    "would",
    "need",
    "needs",
    "before",
    "blocked",
    "stuck",
    "error",
    "errors",
    "broken",
    "red",
    "without",
];

/// Whether `text` claims that the work is done.
pub fn claims_done(text: &str) -> bool {
    let prose = prose_of(text);
    let sentences: Vec<&str> =
        prose.split(['.', '!', '?', '\n']).map(str::trim).filter(|s| !s.is_empty()).collect();
    if prose.trim_end().ends_with('?') {
        return false;
    }
    let mut claimed = false;
    for sentence in sentences {
        let words: Vec<String> = words_of(sentence).collect();
        let says_done = words.iter().any(|word| DONE.contains(&word.as_str()));
        let takes_back = words.iter().any(|word| NOT.contains(&word.as_str())) && !only_none_failed(&words);
        if says_done && !takes_back {
            claimed = true;
        }
        if takes_back
            && words.iter().any(|word| word.starts_with("fail") || word == "broken" || word == "unable")
        {
            // An open admission anywhere outweighs a cheerful opening.
            return false;
        }
    }
    claimed
}

/// "no failures", "0 failed", "without errors": words of failure that report success.
fn only_none_failed(words: &[String]) -> bool {
    words.iter().enumerate().filter(|(_, word)| NOT.contains(&word.as_str())).all(|(place, word)| {
        let none = |at: usize| {
            words.get(at).is_some_and(|word| matches!(word.as_str(), "no" | "zero" | "0" | "without" | "any"))
        };
        matches!(word.as_str(), "no" | "without")
            || (place > 0 && none(place - 1))
            || (place > 1 && none(place - 2))
    })
}

fn words_of(sentence: &str) -> impl Iterator<Item = String> + '_ {
    sentence
        .split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’')
        .filter(|word| !word.is_empty())
        .map(|word| word.to_lowercase().replace('’', "'"))
}

/// `text` without code blocks, inline code, quotations and tables.
fn prose_of(text: &str) -> String {
    let mut prose = String::with_capacity(text.len());
    let mut fenced = false;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        if fenced || trimmed.starts_with('>') || trimmed.starts_with('|') {
            continue;
        }
        for (place, part) in line.split('`').enumerate() {
            if place % 2 == 0 {
                prose.push_str(part);
            } else {
                prose.push_str("code");
            }
        }
        prose.push('\n');
    }
    prose
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims() {
        for text in [
            "All done.",
            "The parser is fixed and all tests pass.",
            "Implemented the login page. Let me know if you want changes.",
            "Everything works now, with no failures.",
            "Done! 12 passed, 0 failed.",
            "The migration is complete.\n\n```\nerror: nothing\n```",
            "I've added the flag and updated the docs.",
        ] {
            assert!(claims_done(text), "{text}");
        }
    }

    #[test]
    fn no_claims() {
        for text in [
            "The tests do not pass yet.",
            "I could not finish: two tests are still failing.",
            "Fixed the first bug, but test_b still fails.",
            "Shall I also update the docs?",
            "I will run the tests next.",
            "Is it done?",
            "> All done",
            "```\nall tests passed\n```",
            "Here is the plan.",
            "It should be fixed once the server restarts.",
            "",
        ] {
            assert!(!claims_done(text), "{text}");
        }
    }
}
