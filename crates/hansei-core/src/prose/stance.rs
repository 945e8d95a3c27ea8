//! Whether a phrase is meant: asserted, denied, only supposed, planned, or told of the past.

use super::lexicon::{self, Concept};
use super::markdown::Sentence;
use super::phrase::{self, Hit};
use super::words::{BREAK, ends_clause, turns};

/// How far back a word of denial or doubt reaches.
const REACH: usize = 6;

/// How a phrase is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// It is so.
    Asserted,
    /// It is not so.
    Denied,
    /// It may be, ought to be, or is asked.
    Supposed,
    /// The speaker is going to make it so.
    Planned,
    /// It was so, and may no longer be.
    Past,
}

impl Sentence {
    /// The phrases in this sentence, each with how it is meant.
    pub fn hits(&self) -> Vec<(Hit, Stance)> {
        phrase::find(&self.words).into_iter().map(|hit| (hit, stance(self, hit))).collect()
    }

    /// Whether one of its words is of a class of the lexicon.
    pub(crate) fn has(&self, class: &str) -> bool {
        lexicon::any(&self.words, class)
    }

    /// Whether one of its words is among `words`.
    pub(crate) fn says(&self, words: &[&str]) -> bool {
        self.words.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Its clauses: stretches of words between marks and the words that begin a new thought, each with its place.
    pub(crate) fn clauses(&self) -> Vec<(usize, &[String])> {
        let mut clauses = Vec::new();
        let mut start = 0;
        for at in 0..=self.words.len() {
            if self.words.get(at).is_none_or(|word| ends_clause(word)) {
                if at > start {
                    clauses.push((start, &self.words[start..at]));
                }
                start = at + 1;
            }
        }
        clauses
    }

    /// The clause that the word at `place` is in, with its place.
    pub(crate) fn clause_at(&self, place: usize) -> (usize, &[String]) {
        let of = |(start, words): &(usize, &[String])| (*start..start + words.len()).contains(&place);
        self.clauses().into_iter().find(of).unwrap_or((0, &self.words))
    }
}

fn stance(sentence: &Sentence, hit: Hit) -> Stance {
    if sentence.asks {
        return Stance::Supposed;
    }
    let words = &sentence.words;
    let clause = words[..hit.start].iter().rposition(|word| ends_clause(word)).map_or(0, |place| place + 1);
    let from = clause.max(hit.start.saturating_sub(REACH));
    let before = &words[from..hit.start];
    let inside = &words[hit.start..hit.end];
    let is = |class: &'static str| move |word: &String| lexicon::is(word, class);
    if hit.abroad {
        let positive = matches!(hit.concept, Concept::Passes | Concept::Done | Concept::Verified);
        return if positive && before.iter().chain(inside).any(is("denials-abroad")) {
            Stance::Denied
        } else if before.iter().any(is("suppositions-abroad")) {
            Stance::Supposed
        } else {
            Stance::Asserted
        };
    }
    // Denial in the phrase itself ("tests do not pass") counts unless the phrase is about denial.
    let denials = before.iter().chain(inside).filter(|word| is("denials")(word)).count();
    let own = if hit.concept.denies_itself() {
        inside.iter().filter(|word| is("denials")(word)).count()
    } else {
        0
    };
    let behind = words.get(hit.end).is_some_and(is("none-of")) && !hit.concept.denies_itself();
    if denials > own || behind {
        return Stance::Denied;
    }
    let hard = words[..hit.start].iter().rposition(|word| word == BREAK || turns(word));
    // "no errors, warnings or failures": such a word denies a whole list.
    let list = &words[hard.map_or(0, |place| place + 1).max(hit.start.saturating_sub(REACH + 2))..hit.start];
    if hit.concept == Concept::Fails && list.iter().any(is("none-of")) {
        return Stance::Denied;
    }
    let whole_clause = &words[clause..hit.end];
    // A condition holds for all that follows it up to a comma, and what leads a sentence holds for its main clause too.
    let supposed = before.iter().chain(inside).any(is("suppositions"))
        || whole_clause.iter().any(is("conditions"))
        || words.first().is_some_and(is("conditions"));
    if supposed && !hit.concept.supposes_itself() {
        let plans = |row: &[String]| {
            matches!(row[0].as_str(), "i" | "we") && matches!(row[1].as_str(), "will" | "am" | "are" | "plan")
                || row[0] == "let" && row[1] != "it"
        };
        return if whole_clause.windows(2).any(plans) { Stance::Planned } else { Stance::Supposed };
    }
    // "failed before", "failed once": told of the past by what follows.
    let mut after = words[hit.end..].iter().take_while(|word| !ends_clause(word)).take(4);
    let told = hit.concept == Concept::Fails && after.any(is("past-behind"));
    if told || before.iter().chain(inside).any(is("past")) { Stance::Past } else { Stance::Asserted }
}
