//! One attempt after the other, each with what came of it: sentences in which somebody says what they did or supposed, and
//! sentences that say it was in vain. A list of attempts is no more than a list; it is the pairs, and their length, that
//! make a story.

use std::collections::{BTreeMap, BTreeSet};

use super::speakers::bare;
use super::{Part, Pollution};
use crate::escalation::attempt::Attempt;

/// So much is said about attempts before it is a narration.
pub(super) const LONG_STORY: usize = 700;
/// In a task, whose author may have tried something as well.
const LONG_STORY_OF_A_TASK: usize = 1_000;

/// Pairs that are further apart than this belong to no common story.
const WIDEST_GAP: usize = 500;
/// An outcome that comes so many sentences behind an attempt is not its own.
const LATEST_OUTCOME: usize = 4;

/// How much of a text tells of attempts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Telling {
    /// Sentences that say what was done or supposed.
    pub(super) attempts: usize,
    /// Sentences that say that it was in vain.
    pub(super) outcomes: usize,
    /// The longest stretch of attempts with an outcome behind each.
    story: Story,
}

/// A stretch of pairs that follow each other closely.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Story {
    pairs: usize,
    start: usize,
    end: usize,
}

impl Story {
    /// The story with one more pair, or a new one where the last is too far away.
    fn with(self, start: usize, end: usize) -> Self {
        if self.pairs > 0 && start.saturating_sub(self.end) <= WIDEST_GAP {
            Self { pairs: self.pairs + 1, end, ..self }
        } else {
            Self { pairs: 1, start, end }
        }
    }

    fn is_longer_than(&self, pairs: usize, bytes: usize) -> bool {
        self.pairs >= pairs && self.end - self.start > bytes
    }
}

impl Telling {
    pub(super) fn of(text: &str) -> Self {
        let mut telling = Self::default();
        let mut story = Story::default();
        let mut at = 0;
        // Where the attempt that waits for its outcome began, and how many sentences ago.
        let mut waiting: Option<(usize, usize)> = None;
        for sentence in text.split_inclusive(['.', '!', '?', ';', '\n', '"', '|']) {
            let words = words(sentence);
            let start = at;
            at += sentence.len();
            if words.is_empty() {
                continue;
            }
            waiting = waiting.map(|(from, ago)| (from, ago + 1)).filter(|(_, ago)| *ago < LATEST_OUTCOME);
            if is_attempt(&words) {
                telling.attempts += 1;
                waiting = Some((waiting.map_or(start, |(from, _)| from), 0));
            }
            if is_outcome(&words) {
                telling.outcomes += 1;
                if let Some((from, _)) = waiting.take() {
                    story = story.with(from, at);
                    if story.pairs > telling.story.pairs {
                        telling.story = story;
                    }
                }
            }
        }
        telling
    }
}

pub(super) fn told(part: Part, text: &str) -> Option<Pollution> {
    let story = Telling::of(text).story;
    let is_story = match part {
        Part::Payload => return None,
        Part::Task => story.is_longer_than(6, LONG_STORY_OF_A_TASK),
        Part::Context => story.is_longer_than(3, LONG_STORY),
    };
    if is_story {
        return Some(Pollution::Attempts { attempts: story.pairs });
    }
    numbered(part, text)
}

fn words(sentence: &str) -> Vec<String> {
    let lower = sentence.to_lowercase().replace('’', "'");
    let words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '_')));
    words.map(|word| word.trim_matches('\'').to_owned()).filter(|word| !word.is_empty()).collect()
}

/// Whether somebody says what they did or suppose: `I changed`, `then we thought`, `let me`, `maybe it is`.
fn is_attempt(words: &[String]) -> bool {
    let supposes = |word: &str| {
        ["think", "suspect", "guess", "believe", "assume", "try", "will", "bet", "glaube", "denke"]
            .contains(&word)
    };
    let spoken = words.iter().enumerate().any(|(at, word)| {
        let next = words.iter().skip(at + 1).take(3);
        match word.as_str() {
            "i" | "we" | "i've" | "we've" | "i'd" | "ich" | "wir" => {
                next.clone().any(|word| is_past(word) || supposes(word))
            }
            "i'll" | "we'll" | "let's" => true,
            "i'm" | "we're" => next.clone().any(|word| word.ends_with("ing")),
            "let" => next.clone().next().is_some_and(|word| word == "me" || word == "us"),
            _ => false,
        }
    });
    let first = words.first().map(String::as_str).unwrap_or_default();
    spoken || ["maybe", "perhaps", "hmm", "wait", "actually", "vielleicht"].contains(&first)
}

/// Whether a word tells of something done: the regular form, and the common ones of the others.
fn is_past(word: &str) -> bool {
    let regular = word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed");
    let others = "thought tried ran reran made went wrote rewrote set put took found saw got began did kept built read \
        split swapped hatte habe";
    regular || others.split_whitespace().any(|other| other == word)
}

/// Whether a sentence says that something was in vain. Words that mean much else besides say it only in a short one.
fn is_outcome(words: &[String]) -> bool {
    let is_one_of = |list: &str, word: &str| list.split_whitespace().any(|other| other == word);
    let says = |word: &str| {
        let stems = ["fail", "broke", "crash", "panick"];
        let whole = "red error errors nope didn't doesn't wasn't won't exception traceback useless";
        stems.iter().any(|stem| word.starts_with(stem)) || is_one_of(whole, word)
    };
    let hints = |word: &str| is_one_of("still same nothing unchanged worse again either noch immer", word);
    let is_no = |word: &str| word == "no" || word == "wrong";
    let denied =
        words.windows(2).any(|pair| pair[1] == "not" && ["did", "does", "was"].contains(&pair[0].as_str()));
    denied
        || words.iter().any(|word| says(word))
        || (words.len() <= 8 && words.iter().any(|word| hints(word)))
        || (words.len() <= 3 && words.iter().any(|word| is_no(word)))
}

/// Whether a line has the sign of a failure: what runners and compilers print.
pub(super) fn tells_failure(line: &str) -> bool {
    is_outcome(&words(line))
}

/// Words that number tries, and nothing else.
const TRIES: [&str; 8] =
    ["attempt", "try", "retry", "trial", "iteration", "approach", "versuch", "hypothesis"];

/// Sections that are numbered one after the other. Those of tries are a story by their length; those under any other word,
/// or none, are one where each says what was done and that it was in vain.
fn numbered(part: Part, text: &str) -> Option<Pollution> {
    let mut by_word: BTreeMap<String, Vec<(u32, usize)>> = BTreeMap::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if let Some((word, number)) = numbered_head(line) {
            by_word.entry(word).or_default().push((number, at));
        }
        at += line.len();
    }
    by_word.into_iter().find_map(|(word, heads)| {
        let numbers: BTreeSet<u32> = heads.iter().map(|(number, _)| *number).collect();
        let sections = sections(text, &heads);
        let told: usize = sections.iter().map(|section| section.len()).sum();
        let is_tries = TRIES.contains(&word.as_str());
        let in_vain = sections.iter().filter(|section| is_in_vain(section, is_tries)).count();
        let are_mostly = in_vain * 5 >= sections.len() * 4;
        let is_story = match part {
            Part::Payload => false,
            Part::Task => {
                told > LONG_STORY_OF_A_TASK && are_mostly && in_vain >= if is_tries { 4 } else { 5 }
            }
            Part::Context => told > LONG_STORY && ((is_tries && numbers.len() >= 2) || in_vain >= 3),
        };
        is_story.then_some(Pollution::Attempts { attempts: heads.len() })
    })
}

/// The text of each section. Nobody says where the last one ends: it is taken to be no longer than the longest before it.
fn sections<'a>(text: &'a str, heads: &[(u32, usize)]) -> Vec<&'a str> {
    let mut longest = 0;
    let ends = heads.iter().skip(1).map(|(_, at)| *at).chain([text.len()]);
    let sections = heads.iter().zip(ends).enumerate().map(|(index, ((_, start), end))| {
        let is_last = index > 0 && index + 1 == heads.len();
        let end = if is_last { end.min(start + longest) } else { end };
        longest = longest.max(end - start);
        &text[*start..text.floor_char_boundary(end)]
    });
    sections.collect()
}

/// Whether a section ends in vain; one that is not called a try has to say as well what was done.
fn is_in_vain(section: &str, is_try: bool) -> bool {
    let said = section.split_once([':', '.', ')', '\n']).map_or(section, |(_, said)| said);
    let words = words(said);
    let is_done = words.iter().take(3).any(|word| is_past(word) && !word.starts_with("fail"));
    (is_try || is_done || is_attempt(&words)) && is_outcome(&words)
}

/// The word that a line is numbered with, and its number: `[ATTEMPT: 2]`, `## Step 2`, `2nd try:`, `Pass #2 -`, `2. `.
fn numbered_head(line: &str) -> Option<(String, u32)> {
    let head: String = bare(line).chars().take(60).collect::<String>().to_lowercase();
    if let Some(first) = Attempt::markers(line).first() {
        return Some(("attempt".to_owned(), first.number()));
    }
    let digits = head.bytes().take_while(u8::is_ascii_digit).count();
    if digits > 0 && head[digits..].starts_with(['.', ')']) {
        return Some((String::new(), head[..digits].parse().ok()?));
    }
    let mut words = head.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next()?, words.next()?);
    if first.chars().all(char::is_alphabetic)
        && let Some(number) = number(second)
    {
        return Some((first.to_owned(), number));
    }
    let number = number(first)?;
    TRIES.contains(&second).then(|| (second.to_owned(), number))
}

fn number(word: &str) -> Option<u32> {
    const SPELLED: [&[&str]; 6] = [
        &["one", "first"],
        &["two", "second"],
        &["three", "third"],
        &["four", "fourth"],
        &["five", "fifth"],
        &["six", "sixth"],
    ];
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    digits.parse().ok().or_else(|| {
        let at = SPELLED.iter().position(|names| names.contains(&word))?;
        u32::try_from(at + 1).ok()
    })
}
