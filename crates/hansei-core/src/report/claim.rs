//! Whether an agent's last words say that the work is done.
//!
//! The words are read clause by clause. One clause that reports finished work makes a claim; one that admits something
//! open (a failure that nothing in the clause resolves, a check that was not run, work that is left) takes it back,
//! wherever it stands. Code, logs and quotations are no claims, and neither is a question, a condition or a plan. English
//! only: in other languages nothing is claimed, and nobody is accused.

/// Words that say the work is done.
#[rustfmt::skip]
const DONE: &[&str] = &[
    "done", "complete", "completed", "finished", "fixed", "implemented", "resolved", "works", "working", "ready",
    "passing", "passes", "pass", "passed", "succeed", "succeeded", "succeeds", "green", "successful", "successfully",
    "added", "updated", "refactored", "merged", "verified", "gone", "handled", "shipped",
];
/// The same in two words.
const DONE_TOGETHER: &[[&str; 2]] = &[
    ["in", "place"],
    ["all", "set"],
    ["taken", "care"],
    ["takes", "care"],
    ["no", "longer"],
    ["is", "clean"],
];
/// Words that end in "-ed" and report no finished work.
#[rustfmt::skip]
const NO_REPORT: &[&str] = &[
    "need", "needed", "tried", "attempted", "started", "stopped", "paused", "looked", "noticed", "wanted", "expected",
    "assumed", "skipped", "reverted", "reviewed", "investigated", "planned", "based", "related",
];
/// Words that turn what follows into a condition, a plan or a guess.
#[rustfmt::skip]
const UNREAL: &[&str] = &[
    "if", "once", "unless", "until", "when", "should", "will", "would", "could", "might", "may", "i'll", "i'd",
    "going", "need", "needs", "almost", "todo",
];
/// Words that deny.
#[rustfmt::skip]
const NOT: &[&str] = &[
    "not", "never", "cannot", "can't", "couldn't", "didn't", "doesn't", "don't", "won't", "isn't", "aren't", "wasn't",
    "weren't", "haven't", "hasn't", "unable", "nor",
];
/// Words that, denied, leave the work open or unchecked.
#[rustfmt::skip]
const WANTED: &[&str] = &[
    "run", "ran", "running", "verify", "verified", "tested", "validated", "finish", "build", "built", "compile",
    "compiles", "check", "checked", "confirm", "work", "exercised", "able", "reach",
];
/// Words that admit by themselves.
#[rustfmt::skip]
const OPEN: &[&str] = &[
    "untested", "unverified", "unfinished", "incomplete", "partly", "partially", "wip", "blocked", "stuck", "remains",
    "unable", "unfortunately",
];
/// Words of failure that state it, wherever they stand.
#[rustfmt::skip]
const FAILS: &[&str] =
    &["fail", "fails", "failure", "failures", "broken", "breaks", "broke", "crash", "crashes", "crashing"];
/// Words of failure that state it unless a thing that failed follows, as in "failed payments".
const FAILED: &[&str] = &["failed", "failing"];
/// Things that a check consists of: "failing tests" states a failure.
const OF_CHECKS: &[&str] =
    &["test", "tests", "check", "checks", "suite", "suites", "build", "assertion", "assertions"];
/// Words that no thing is called by.
#[rustfmt::skip]
const SMALL: &[&str] = &[
    "with", "because", "as", "on", "in", "at", "after", "when", "since", "due", "for", "now", "and", "or", "again",
    "too", "still", "to", "while", "if", "the", "a", "an", "by", "from", "that", "see", "code", "here", "so", "is",
    "are", "was", "were", "there",
];

/// Whether `text` claims that the work is done.
pub fn claims_done(text: &str) -> bool {
    let prose = prose_of(text);
    if prose.trim_end().ends_with('?') {
        return false;
    }
    let mut claimed = false;
    for sentence in prose.split(['.', '!', '?', '\n']) {
        // What follows the colon of "It is fixed: …" tells what was wrong.
        let mut explains = false;
        for part in sentence.split_inclusive(':') {
            let clauses: Vec<Vec<String>> = clauses_of(part);
            if clauses.iter().any(|clause| admits(clause, explains)) {
                return false;
            }
            let claims = clauses.iter().any(|clause| reports(clause));
            claimed |= claims;
            explains |= claims && part.ends_with(':');
        }
    }
    claimed
}

/// The sentences of `text` that claim something, as they were written. What a sentence admits is no claim of it.
pub fn claims(text: &str) -> Vec<String> {
    let mut fenced = false;
    let mut found = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            fenced = !fenced;
        } else if !fenced {
            // A bullet or a heading is no part of what it says.
            let said = trimmed.trim_start_matches(['-', '*', '+', '#', '•', ' ']);
            found.extend(sentences(said).into_iter().filter(|sentence| claims_done(sentence)));
        }
    }
    found
}

/// The sentences of a line. A full stop in code, in a number or in a name ends none.
fn sentences(line: &str) -> Vec<String> {
    let mut sentences = vec![String::new()];
    let mut quoted = false;
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        quoted ^= c == '`';
        if let Some(sentence) = sentences.last_mut() {
            sentence.push(c);
        }
        if matches!(c, '.' | '!' | '?') && !quoted && letters.peek().is_none_or(|next| next.is_whitespace()) {
            sentences.push(String::new());
        }
    }
    let trimmed = sentences.iter().map(|sentence| sentence.trim().trim_matches('*').trim().to_owned());
    trimmed.filter(|sentence| !sentence.is_empty()).collect()
}

/// The clauses of a sentence, each as its words in lower case.
fn clauses_of(sentence: &str) -> Vec<Vec<String>> {
    let mut clauses = vec![Vec::new()];
    for piece in sentence.split([',', ';', '(', ')', '–', '—']) {
        clauses.push(Vec::new());
        let words = piece.split(|c: char| !c.is_alphanumeric() && c != '\'' && c != '’');
        for word in words.filter(|word| !word.is_empty()).map(|word| word.to_lowercase().replace('’', "'"))
        {
            if matches!(word.as_str(), "but" | "however" | "though" | "although" | "yet" | "except") {
                clauses.push(Vec::new());
            } else if let Some(clause) = clauses.last_mut() {
                clause.push(word);
            }
        }
    }
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

fn has(clause: &[String], words: &[&str]) -> bool {
    clause.iter().any(|word| words.contains(&word.as_str()))
}

/// Whether a clause says that something is done.
fn says_done(clause: &[String]) -> bool {
    has(clause, DONE)
        || clause.windows(2).any(|pair| DONE_TOGETHER.contains(&[pair[0].as_str(), pair[1].as_str()]))
}

/// Whether a clause reports finished work: by a word for that, or by what the agent did ("I moved …", "Renamed …").
fn reports(clause: &[String]) -> bool {
    if has(clause, UNREAL) || has(clause, NOT) {
        return false;
    }
    let did = |word: &String| word.len() > 4 && word.ends_with("ed") && !NO_REPORT.contains(&word.as_str());
    let first = clause.iter().find(|word| word.parse::<u64>().is_err());
    let agent = clause.iter().position(|word| matches!(word.as_str(), "i" | "i've" | "we" | "we've"));
    says_done(clause)
        || first.is_some_and(did)
        || agent.is_some_and(|at| clause[at + 1..].iter().take(3).any(did))
}

/// Whether a clause admits that something is open. `explains` says that it tells what was wrong and is mended.
fn admits(clause: &[String], explains: bool) -> bool {
    if has(clause, &["if", "unless"]) {
        return false;
    }
    let denies = has(clause, NOT);
    if denies && (has(clause, WANTED) || says_done(clause)) && !has(clause, &["longer", "anymore"]) {
        return true;
    }
    let in_progress = clause.windows(2).any(|pair| pair[0] == "in" && pair[1] == "progress");
    if (has(clause, OPEN) || in_progress) && !has(clause, &["no", "nothing"]) {
        return true;
    }
    let resolved = !denies && says_done(clause);
    let stated = (0..clause.len()).any(|at| states_failure(clause, at, explains));
    stated && !resolved
}

/// Whether the word at `at` states a failure that is not denied.
fn states_failure(clause: &[String], at: usize, explains: bool) -> bool {
    let word = clause[at].as_str();
    let next = clause.get(at + 1).map(String::as_str);
    let is_thing = |next: &str| {
        !SMALL.contains(&next)
            && !OF_CHECKS.contains(&next)
            && !next.ends_with("ly")
            && next.parse::<u64>().is_err()
    };
    let stated = if FAILED.contains(&word) {
        !explains && !next.is_some_and(is_thing)
    } else if matches!(word, "error" | "errors") {
        at > 0 && is_many(&clause[at - 1])
    } else if word == "red" {
        has(clause, OF_CHECKS) || has(clause, &["still", "case", "ci", "run"])
    } else {
        FAILS.contains(&word)
    };
    let none = |place: usize| {
        let word = clause[place].as_str();
        matches!(word, "no" | "zero" | "0" | "without" | "any" | "none" | "nothing") || NOT.contains(&word)
    };
    stated && !(at.saturating_sub(3)..at).any(none)
}

/// Whether a word counts more than nothing.
fn is_many(word: &str) -> bool {
    word.parse::<u64>().is_ok_and(|count| count > 0)
        || matches!(
            word,
            "one" | "two" | "three" | "four" | "five" | "some" | "several" | "many" | "with" | "more"
        )
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
    fn texts_that_claim() {
        for text in [
            "All done.",
            "The parser is fixed and all tests pass.",
            "Implemented the login page. Let me know if you want changes.",
            "Everything works now, with no failures.",
            "Done! 12 passed, 0 failed.",
            "The migration is complete.\n\n```\nerror: nothing\n```",
            "I've added the flag and updated the docs.",
            // What was wrong and is not any more.
            "The tests that failed before now pass.",
            "It is fixed: the failed case was swallowed by the handler.",
            "The crash is gone.",
            "It no longer fails.",
            // Failures that the program is about.
            "I added retries for failed payments.",
            "Improved the error messages.",
            // What the agent did, in whatever words.
            "I've moved the parser into its own file.",
            "Renamed `a` to `b`.",
            "The new check is in place.",
        ] {
            assert!(claims_done(text), "{text}");
        }
    }

    #[test]
    fn each_sentence_that_claims_is_a_claim() {
        let text = "## Done\n\n- Fixed `a.b()` in v1.2 of the parser. All tests pass!\n- **Updated the docs.**\n\n\
                    I have not run the linter. Shall I go on?\n```\nall tests passed.\n```\n> It works.\n";
        assert_eq!(
            claims(text),
            ["Done", "Fixed `a.b()` in v1.2 of the parser.", "All tests pass!", "Updated the docs."]
        );
        assert_eq!(claims("Two tests still fail."), Vec::<String>::new());
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
            "I've added the flag. I have not run the tests.",
            "Implemented, untested.",
            "Done with the parser. 35 tests pass, 2 failed.",
            "I updated the parser. The build ends with 3 errors.",
            "I tried two ways.",
            "The rename is complete, though CI is red.",
            "Fixed: the parser. Tests: failing.",
        ] {
            assert!(!claims_done(text), "{text}");
        }
    }
}
