//! What the human asked for: to change something, to answer, to plan, to stop; in how many parts; and under what terms.

use crate::prose::words::COMMA;
use crate::prose::{Form, Prose, Sentence, any, is};

/// What kind of result is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Want {
    /// Something is to be changed, made or done.
    Action,
    /// A question is to be answered, something explained, looked into or reviewed.
    Answer,
    /// A plan, a design or a proposal.
    Plan,
    /// Nothing is due: thanks, a greeting, small talk.
    Talk,
    /// The agent is to stop or to wait.
    Halt,
}

/// A request, as far as it can be told from its words.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools, reason = "terms of a request, independent of each other")]
pub struct Request {
    /// What is wanted.
    pub want: Want,
    /// The parts it lists, when it lists any.
    pub parts: Vec<String>,
    /// Whether checks are to be run or to pass.
    pub wants_checks: bool,
    /// Whether tests are to be written.
    pub wants_tests: bool,
    /// Whether the output is to be free of warnings.
    pub wants_clean: bool,
    /// Whether it is about behaviour that only running can show, and not about words, names or settings.
    pub about_behaviour: bool,
    /// Whether a failing test is what is asked for.
    pub wants_red: bool,
    /// Whether it takes back an earlier request.
    pub turns: bool,
    /// Whether it lets something that fails or is missing be.
    pub waives: bool,
    /// Whether the agent is to ask or to wait before it goes on.
    pub wants_a_say: bool,
    /// Whether the agent is to go on without asking.
    pub wants_no_say: bool,
    /// Whether anything was said at all.
    pub given: bool,
    /// Whether something that is wrong is to be mended.
    pub mends: bool,
    /// Whether the human orders work in so many words, and asks for no proposal, look or opinion.
    pub ordered: bool,
}

impl Request {
    /// Reads a request.
    #[allow(clippy::too_many_lines, reason = "one term of a request after the other")]
    pub fn read(text: &str) -> Self {
        let prose = Prose::read(text);
        let sentences = &prose.sentences;
        let words: Vec<&str> =
            sentences.iter().flat_map(|sentence| sentence.words.iter().map(String::as_str)).collect();
        let one_of = |list: &[&str]| words.iter().any(|word| list.contains(word));
        let pair = |first: &[&str], second: &[&str], reach: usize| {
            words.iter().enumerate().any(|(place, word)| {
                first.contains(word)
                    && words[place + 1..].iter().take(reach).any(|word| second.contains(word))
            })
        };
        let about_words = any(&words, "words-only");
        let behaves = any(&words, "behaviour");
        let red = pair(&["failing", "red"], &["test", "tests", "repro", "reproduction", "reproducer"], 3)
            && pair(&["write", "add", "create"], &["failing", "red"], 4)
            || pair(&["do", "without", "not"], &["fix", "fixing"], 2)
                && one_of(&["reproduce", "reproducing", "repro", "failing"]);
        let no_say = sentences.iter().any(refuses_a_say);
        Self {
            want: want(sentences),
            parts: parts(&prose),
            mends: any(&words, "mends") || any(&words, "mends-abroad"),
            ordered: orders(&prose) || words.len() > 2 && is_foreign(&words),
            wants_checks: words.iter().enumerate().any(|(place, word)| {
                let behind = &words[place + 1..];
                is(word, "check-wanting") && any(&behind[..behind.len().min(6)], "check-nouns")
            }) || pair(
                &["tests", "suite", "ci", "build", "lint", "checks"],
                &["pass", "passes", "green", "passing", "clean", "succeeds"],
                4,
            ),
            wants_tests: pair(
                &[
                    "add", "write", "with", "include", "including", "plus", "and", "cover", "create", "need",
                    "needs",
                ],
                &["test", "tests", "coverage"],
                4,
            ),
            wants_clean: pair(
                &["no", "without", "zero", "any", "all", "0", "fix", "clean"],
                &["warning", "warnings"],
                4,
            ) || pair(
                &["warnings", "warning"],
                &["clean", "free", "errors", "denied", "allowed"],
                4,
            ) || pair(&["clean"], &["output", "build", "lint", "log"], 2),
            about_behaviour: behaves
                && (!about_words
                    || one_of(&["bug", "crash", "implement", "endpoint", "feature", "test", "tests"])),
            wants_red: red,
            waives: pair(
                &["leave", "ignore", "skip", "forget", "accept", "accepting", "drop", "care", "mind"],
                &[
                    "those", "them", "it", "that", "these", "failing", "failures", "tests", "red", "two",
                    "one", "as", "about",
                ],
                4,
            ) || pair(
                &["fine", "okay", "ok", "known"],
                &["fail", "fails", "failing", "failure", "red", "broken"],
                8,
            ),
            wants_no_say: no_say,
            wants_a_say: !no_say
                && (pair(
                    &["wait", "ask", "check", "confirm", "pause", "stop"],
                    &["me", "my", "approval", "go", "go-ahead", "ok", "i"],
                    4,
                ) || words.windows(3).any(|row| {
                    matches!(row, ["not", "before", "i"] | ["until", "i", _] | ["before", "i", "have"])
                }) || pair(
                    &["before"],
                    &["deploying", "pushing", "merging", "applying", "running", "deleting", "committing"],
                    2,
                ) && one_of(&["ask", "confirm", "show", "tell"])),
            turns: sentences.first().is_some_and(takes_back),
            given: !sentences.is_empty(),
        }
    }
}

/// Whether a sentence wants no questions: "go through to the end, don't ask", "no need to check in with me".
fn refuses_a_say(sentence: &Sentence) -> bool {
    let words = &sentence.words;
    let asked = |at: usize| {
        let me =
            words[at + 1..].iter().take(4).any(|word| matches!(word.as_str(), "me" | "back" | "i" | "first"));
        is(&words[at], "asking-back") && (me || words.get(at + 1).is_none_or(|next| is(next, "object-ends")))
    };
    let refused = |at: usize| words[at.saturating_sub(4)..at].iter().any(|word| is(word, "forbidding"));
    (0..words.len()).any(|at| asked(at) && refused(at))
        && !words.iter().any(|word| matches!(word.as_str(), "unless" | "except" | "until"))
}

fn takes_back(sentence: &Sentence) -> bool {
    let words: Vec<&str> = sentence.words.iter().map(String::as_str).collect();
    matches!(words.as_slice(), ["actually" | "instead" | "rather" | "scratch" | "forget", ..])
        || matches!(words.as_slice(), ["wait" | "no" | "sorry" | "hmm" | "oh" | "ok" | "okay" | "hold", "," | ";", ..] if words.iter().any(|word| matches!(*word, "instead" | "rather" | "forget" | "actually")))
        || words.windows(2).any(|pair| {
            matches!(
                pair,
                ["change", "of"]
                    | ["never", "mind"]
                    | ["forget", "that" | "about" | "the"]
                    | ["instead", "of" | ","]
                    | ["drop", "that"]
            )
        })
        || words.last() == Some(&"instead")
}

/// Those words that say something: without marks and words of courtesy.
fn telling(words: &[String]) -> Vec<&str> {
    let from = words.iter().map(String::as_str);
    let mut words: Vec<&str> = from.skip_while(|word| is(word, "fillers")).collect();
    words.retain(|word| !matches!(*word, "," | ";" | "please" | "also" | "just" | "kindly" | "now" | "then"));
    words
}

/// What a sentence asks for: a question with or without its mark, an order, or neither.
fn asks(sentence: &Sentence, words: &[&str]) -> bool {
    let second = words.get(1).copied().unwrap_or_default();
    let inverted = is(words[0], "questions") && is(second, "subjects");
    sentence.asks && is(words[0], "questions")
        || inverted && !matches!((words[0], second), ("do" | "have" | "when" | "any", _)) // "do this", "have a look"
        || matches!((words[0], second), ("do", "you" | "we" | "i" | "they" | "these"))
}

/// The verb that a sentence orders: "fix it", "can you fix it", "let us fix it", "I want you to fix it".
fn ordered<'a>(words: &[&'a str]) -> Option<&'a str> {
    let behind = match words {
        ["can" | "could" | "would" | "will", "you", rest @ ..]
        | ["let", "us" | "me", rest @ ..]
        | ["i" | "we", "want" | "need", "you", "to", rest @ ..]
        | ["i" | "we", "would", "like", "you", "to", rest @ ..]
        | ["i" | "we", "would", "like", "to", rest @ ..]
        | ["i" | "we", "want" | "need", "to", rest @ ..]
        | ["go", "ahead", "and", rest @ ..]
        | ["you", "should" | "must", rest @ ..] => rest,
        words => words,
    };
    behind.first().copied().filter(|verb| is(verb, "acts"))
}

/// Whether a sentence orders something, in one of its parts: "it flaps, make it stable".
pub(super) fn is_order(sentence: &Sentence) -> bool {
    order(sentence).is_some()
}

fn order(sentence: &Sentence) -> Option<&str> {
    let mut parts = sentence.words.split(|word| word == COMMA);
    parts.find_map(|part| ordered(&telling(part)))
}

/// Whether the words are of another language, in which orders are not told from questions.
fn is_foreign(words: &[&str]) -> bool {
    words.iter().filter(|word| is(word, "english")).count() * 12 < words.len()
}

/// Whether the human orders work in words of their own, and nothing but work.
fn orders(prose: &Prose) -> bool {
    let own = own(prose).map(|(_, sentence)| sentence);
    let (mut orders, mut proposes) = (false, false);
    for sentence in own {
        let words = telling(&sentence.words);
        let Some(first) = words.first() else { continue };
        let wonders = asks(sentence, &words) && ordered(&words).is_none();
        proposes |= wonders || sentence.has("proposing") || restricts(&words) || words.contains(&"me");
        orders |= order(sentence).is_some_and(|verb| !is(verb, "acts-weak"))
            || is(first, "asks") && words.iter().any(|word| is(word, "acts") && joins(&sentence.words, word))
            || is(first, "going-on") && words.len() <= 8 && !sentence.asks;
    }
    orders && !proposes
}

/// The sentences that are the human's own words, with their places: none of a document with headings, none of a table.
pub(super) fn own(prose: &Prose) -> impl Iterator<Item = (usize, &Sentence)> {
    prose.sentences.iter().enumerate().filter(|(place, sentence)| {
        let above = sentence.under.and_then(|above| prose.sentences.get(above));
        !matches!(sentence.form, Form::Row | Form::Heading | Form::Ticked)
            && (!prose.is_under_heading(*place)
                || above.is_some_and(|above| above.has("task-headings") && !above.has("quoting")))
    })
}

fn want(sentences: &[Sentence]) -> Want {
    let said: Vec<&Sentence> = sentences.iter().filter(|sentence| sentence.form != Form::Heading).collect();
    let said = if said.is_empty() { sentences.iter().collect() } else { said };
    let only = said.iter().any(|sentence| restricts(&telling(&sentence.words)));
    let (mut answer, mut plan, mut talk, mut halt) = (false, false, false, false);
    let (mut act, mut mention) = (false, false);
    for sentence in &said {
        let words = telling(&sentence.words);
        let greets = sentence.words.iter().find(|word| word.chars().any(char::is_alphabetic));
        let orders = any(&words[..words.len().min(1)], "acts")
            || words.iter().skip(1).any(|word| is(word, "acts-strong"));
        if greets.is_some_and(|word| is(word, "talks")) && words.len() <= 6 && !orders && !sentence.asks {
            talk = true;
            continue;
        }
        let Some(first) = words.first().copied() else { continue };
        let second = words.get(1).copied().unwrap_or_default();
        // What must not be done is a term of the request and not the request.
        if matches!((first, second), ("do", "not") | ("never" | "no", _)) {
            continue;
        }
        if halts(&words) {
            halt = true;
        } else if asks(sentence, &words) {
            // "Can you add …?" is a request in the form of a question.
            if matches!((first, second), ("can" | "could" | "would" | "will", "you"))
                && ordered(&words).is_some()
            {
                return if only { Want::Answer } else { Want::Action };
            }
            answer = true;
        } else if is(first, "plans")
            || is(first, "drafting")
                && matches!(second, "a" | "me" | "an" | "the")
                && (any(&words[..words.len().min(6)], "plans")
                    || any(&words[..words.len().min(6)], "reports"))
        {
            plan |= any(&words[..words.len().min(6)], "draft-words")
                && !words.iter().any(|word| matches!(*word, "implement" | "execute" | "build"));
            answer |= !plan;
        } else if is(first, "asks") || matches!(first, "what" | "why" | "how" | "where" | "which") {
            answer = true;
            // "Find the bug and fix it": the rest of the sentence may ask for more.
            if words.iter().skip(1).any(|word| is(word, "acts") && joins(&sentence.words, word)) && !only {
                return Want::Action;
            }
        } else {
            // Told to the agent, or only told: "I want to move it at some point."
            act |= is(first, "acts") || matches!((first, second), ("you" | "make", _) | ("let", "us"));
            mention |= any(&words, "acts");
        }
    }
    if act && !only || mention && !(only || plan || answer || talk || halt) {
        return Want::Action;
    }
    if halt {
        Want::Halt
    } else if plan {
        Want::Plan
    } else if answer || only {
        Want::Answer
    } else if talk {
        Want::Talk
    } else {
        Want::Action
    }
}

/// Whether a sentence tells the agent to stop or to wait.
fn halts(words: &[&str]) -> bool {
    let second = words.get(1).copied().unwrap_or_default();
    is(words[0], "halts")
        && (words.len() <= 4 || is(second, "halting") || is(second, "halts") || words.contains(&"until"))
        || words.contains(&"stop")
            && words.iter().any(|word| matches!(*word, "tomorrow" | "later" | "myself" | "review"))
            && words.len() < 14
}

/// Whether a verb is joined to what stands before it: "… and fix it", "…, then fix it".
fn joins(words: &[String], verb: &str) -> bool {
    words.iter().enumerate().any(|(place, word)| {
        // "and write me the cause" asks for a text.
        let told =
            words.get(place + 1).is_some_and(|next| matches!(next.as_str(), "me" | "up" | "down" | "us"));
        word == verb
            && !told
            && place > 0
            && matches!(words[place - 1].as_str(), "and" | "then" | "," | ";" | "to")
    })
}

/// Whether a sentence keeps the agent from changing anything: "only analyse", "without changing anything".
fn restricts(words: &[&str]) -> bool {
    let acts = |word: &&str| is(word, "changing");
    let denies = words.iter().enumerate().any(|(at, word)| match *word {
        "do" | "does" | "must" => words.get(at + 1) == Some(&"not") && words.get(at + 2).is_some_and(acts),
        "no" | "without" => {
            let behind = &words[at + 1..words.len().min(at + 4)];
            behind.first().is_some_and(acts) || behind.iter().any(acts) && any(behind, "any-change")
        }
        _ => false,
    });
    denies
        && any(words, "changed-things")
        && !words.iter().any(|word| matches!(*word, "but" | "except" | "other" | "else" | "others"))
        || words.first() == Some(&"leave") && any(words, "left-alone") && any(words, "changed-things")
        || words.first() == Some(&"only") && words.get(1).is_some_and(|word| is(word, "asks"))
        || words.windows(2).any(|pair| {
            matches!(
                pair,
                ["read" | "analysis", "only"]
                    | ["read-only", _]
                    | ["just", "analyse" | "analyze" | "look" | "investigate"]
                    | ["close" | "change" | "touch" | "delete" | "modify" | "edit", "nothing"]
            )
        })
}

/// The parts of the work that a request lists in the human's own words: each is an order, or stands below one.
fn parts(prose: &Prose) -> Vec<String> {
    let led = |sentence: &Sentence| {
        sentence.under.and_then(|above| prose.sentences.get(above)).is_some_and(|lead| {
            // "Three things in the importer:"
            let counts = lead.has("counted-wishes") && lead.has("counts");
            !lead.has("quoting") && (is_order(lead) || lead.has("task-headings") || counts)
        })
    };
    let items: Vec<&Sentence> = own(prose)
        .map(|(_, sentence)| sentence)
        .filter(|sentence| matches!(sentence.form, Form::Item | Form::Unticked) && !sentence.asks)
        .collect();
    if items.len() >= 2 {
        // Of items most of which are orders, the others are some, too.
        let ordered = items.iter().filter(|sentence| is_order(sentence)).count();
        let most = ordered * 2 > items.len();
        let wanted = items.into_iter().filter(|sentence| most || is_order(sentence) || led(sentence));
        return wanted.map(|sentence| sentence.text.clone()).collect();
    }
    // "(1) … (2) …" or "1) … 2) …" within a paragraph.
    for (_, sentence) in own(prose) {
        let text = &sentence.text;
        // A line that begins with its first number has lost it to the list that it looked like.
        let first =
            if sentence.form == Form::Paragraph { text.find("1)").map(|place| place + 2) } else { Some(0) };
        let others: Vec<usize> = (2..=9).map_while(|number| text.find(&format!("{number})"))).collect();
        if let Some(first) = first
            && !others.is_empty()
            && others.is_sorted()
        {
            let starts = std::iter::once(first).chain(others.iter().map(|place| place + 2));
            let ends = others.iter().copied().chain([text.len()]);
            let part = |(start, end): (usize, usize)| {
                text.get(start..end).unwrap_or_default().trim_matches([' ', ',', ';', '(', '.']).to_owned()
            };
            return starts.zip(ends).map(part).collect();
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wanted() {
        for (text, want) in [
            ("Fix the login bug.", Want::Action),
            ("Can you add a flag for verbose output?", Want::Action),
            ("The parser crashes on empty input, please fix", Want::Action),
            ("Find out why the cache is cold and fix it", Want::Action),
            ("Why does the build fail on CI?", Want::Answer),
            ("Explain how the scheduler works", Want::Answer),
            ("Analyse the slow query. Do not change any code.", Want::Answer),
            ("Review this PR", Want::Answer),
            ("Make a plan for the migration", Want::Plan),
            ("Design the schema for orders and write it up as a proposal", Want::Plan),
            ("thanks, looks great!", Want::Talk),
            ("stop, I'll review tomorrow", Want::Halt),
            ("wait", Want::Halt),
            ("What is the difference between Rc and Arc?", Want::Answer),
            ("Upgrade React to 19 and make sure all tests pass", Want::Action),
            ("do we need a separate package for this", Want::Answer),
            ("is there any reason why we keep both", Want::Answer),
            ("can you check whether the flag is used", Want::Answer),
            ("without doing any changes: can you check the prior things", Want::Answer),
            ("can you add a flag for verbose output", Want::Action),
            ("have a look at the log and fix the crash", Want::Action),
            ("When I click save, the app crashes.", Want::Action),
        ] {
            assert_eq!(Request::read(text).want, want, "{text}");
        }
    }

    #[test]
    fn orders_and_what_is_none() {
        for (text, ordered) in [
            ("Drop support for the old format.", true),
            ("can you add a flag", true),
            ("I want you to rename the crate", true),
            ("Find the bug and fix it", true),
            ("yes, go on", true),
            ("I feel the command belongs on the top level, what do you think?", false),
            ("Drop the old format, so do an analysis of what has to go.", false),
            ("let's debug the login", false),
            ("give me a build command", false),
            ("4 seems like what I would do manually", false),
            ("# Report\n\n- Add a summary\n- Fix the title", false),
        ] {
            assert_eq!(Request::read(text).ordered, ordered, "{text}");
        }
    }

    #[test]
    fn lists_that_ask_for_nothing() {
        for text in [
            "It crashes.\n\n- OS: Mac Catalina 10.15.7\n- Python version: 3.7.9",
            "### Steps to reproduce\n1. Run it\n2. Look\n\n### Environment\n- Extra tools: none",
            "Fix the crash.\n\n## Current state\n- Print a blank line\n- Exit with 1",
            "> 1. add a flag\n> 2. add a test\n\nWhat do you think?",
        ] {
            assert!(Request::read(text).parts.is_empty(), "{text}: {:?}", Request::read(text).parts);
        }
        assert_eq!(Request::read("Add these formats:\n- CSV\n- XLSX").parts, ["CSV", "XLSX"]);
    }

    #[test]
    fn parts_and_terms() {
        let listed = Request::read("Please:\n1. add the flag\n2. document it\n3. write tests for it");
        assert_eq!(listed.parts.len(), 3);
        assert!(listed.wants_tests);
        assert_eq!(
            Request::read("Do 1) rename the crate 2) fix the docs").parts,
            ["rename the crate", "fix the docs"]
        );
        assert!(Request::read("make sure all tests pass").wants_checks);
        assert!(Request::read("get rid of all compiler warnings").wants_clean);
        assert!(!Request::read("Fix a typo in the README").about_behaviour);
        assert!(Request::read("Fix the crash in the parser").about_behaviour);
        assert!(Request::read("Write a failing test that reproduces the bug, do not fix it").wants_red);
        assert!(Request::read("Actually, use Postgres instead").turns);
    }
}
