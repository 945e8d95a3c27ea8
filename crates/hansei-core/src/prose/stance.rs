//! Whether a phrase is meant: asserted, denied, only supposed, or told of the past.

use super::lexicon::{self, Concept};
use super::markdown::Sentence;
use super::phrase::{self, Hit};
use super::words::{BREAK, COMMA};

/// How far back a word of denial or doubt reaches.
const REACH: usize = 6;

/// How a phrase is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stance {
    /// It is so.
    Asserted,
    /// It is not so.
    Denied,
    /// It may be, will be, ought to be, or is asked.
    Supposed,
    /// It was so, and may no longer be.
    Past,
}

impl Sentence {
    /// The phrases in this sentence, each with how it is meant.
    pub fn hits(&self) -> Vec<(Hit, Stance)> {
        phrase::find(&self.words).into_iter().map(|hit| (hit, stance(self, hit))).collect()
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
    let is = |list: &'static [&'static str]| move |word: &String| list.contains(&word.as_str());
    // Denial in the phrase itself ("tests do not pass") counts unless the phrase is about denial.
    let denials = before.iter().chain(inside).filter(|word| is(lexicon::DENIALS)(word)).count();
    let own = if hit.concept.denies_itself() {
        inside.iter().filter(|word| is(lexicon::DENIALS)(word)).count()
    } else {
        0
    };
    let behind = words.get(hit.end).is_some_and(is(lexicon::NONE_OF)) && !hit.concept.denies_itself();
    if denials > own || behind {
        return Stance::Denied;
    }
    let hard =
        words[..hit.start].iter().rposition(|word| word == BREAK || lexicon::TURNS.contains(&word.as_str()));
    // "no errors, warnings or failures": such a word denies a whole list.
    let list = &words[hard.map_or(0, |place| place + 1).max(hit.start.saturating_sub(REACH + 2))..hit.start];
    if hit.concept == Concept::Fails && list.iter().any(is(lexicon::NONE_OF)) {
        return Stance::Denied;
    }
    let whole_clause = &words[clause..hit.start];
    // A condition holds for all that follows it up to a comma, and what leads a sentence holds for its main clause too.
    let supposed = before.iter().chain(inside).any(is(lexicon::SUPPOSITIONS))
        || whole_clause.iter().any(is(lexicon::CONDITIONS))
        || words.first().is_some_and(is(lexicon::CONDITIONS));
    if supposed && !hit.concept.supposes_itself() {
        return Stance::Supposed;
    }
    // "failed before", "failed once": told of the past by what follows.
    let after = words[hit.end..].iter().take_while(|word| !ends_clause(word)).take(4);
    let told = hit.concept == Concept::Fails
        && after
            .clone()
            .any(is(&["before", "once", "earlier", "previously", "initially", "originally", "until"]));
    if told || before.iter().chain(inside).any(is(lexicon::PAST)) { Stance::Past } else { Stance::Asserted }
}

fn ends_clause(word: &str) -> bool {
    word == BREAK || word == COMMA || lexicon::TURNS.contains(&word)
}
