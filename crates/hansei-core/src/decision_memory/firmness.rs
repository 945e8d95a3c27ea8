//! How firmly a rejection is said, so that one which comes to say less is told from one that is put in other words.
//!
//! A rejection says less when it permits what it is about, only advises against it, speaks of it as past, is left open or
//! makes an exception that it did not make. Its reasons are no part of that: they may speak of anything.

use super::decision::DecisionKind;
use super::file_kind::holds;

/// What a sentence says about the thing it is about, the weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Firmness {
    /// It may be used.
    Permitted,
    /// It was rejected, once; or is to be looked at again.
    Past,
    /// Something else is better.
    Discouraged,
    /// It is rejected: a tag says so by being one.
    Rejected,
}

/// What permits, when it is said of the thing itself and not denied.
const PERMITTING: &str = "allowed permitted acceptable ok okay fine tolerable tolerated welcome optional approved admissible possible \
    encouraged supported reasonable safe enabled preferred good useful recommended";
/// Behind `may` and `can`, what is done with it.
const DONE: &str = "use used be come return try tried pick choose adopt keep kept add added consider considered import call enable";
const MODAL: &str = "may can could might";
const PAST: &str = "was were formerly previously once historically originally lifted reconsidered reconsider revisit revisited obsolete \
    outdated stale undecided pending tbd open";
const ADVISING: &str = "discouraged prefer preferably avoid ideally better nicer usually normally generally mostly rarely \
    recommended advisable sparingly should try";
const DENYING: &str = "not never no isn't aren't don't mustn't cannot can't neither nor without nobody none hardly unsafe won't shouldn't";
/// What makes an exception.
const EXCEPTING: &str = "unless except excepting excluding besides outside only temporarily until till where if when exempt exemption \
    exceptions exception apart legacy prototypes experiments tests";
/// The same whoever a clause is about.
const EXEMPTING: &str = "unless except excepting excluding exempt exempted exemption exception exceptions";
/// What a rejection says to reach everything.
const EVERYWHERE: &str = "any anywhere all every everywhere whole entire always ever anything";
/// From here on a rejection gives its reasons.
const REASON: &str = "because since due as given reason why therefore after following";

/// Whether a rejection that said `then` says less `now`.
///
/// A document tells what was decided, and so it tells of the past; a tag that does says that it is over.
pub(super) fn says_less(kind: DecisionKind, then: &str, now: &str) -> bool {
    if then == now {
        return false;
    }
    let (old, new) = (claims(then), claims(now));
    let known = |word: &String| old.iter().flatten().any(|known| known == word);
    let fresh = || new.iter().filter(|clause| !old.contains(clause));
    let weakest = |clauses: &mut dyn Iterator<Item = &Vec<String>>| {
        clauses.map(|clause| firmness(clause)).min().unwrap_or(Firmness::Rejected)
    };
    let counts = |firmness: Firmness| kind != DecisionKind::AdrFile || firmness != Firmness::Past;
    let now_said = weakest(&mut fresh());
    let weaker = counts(now_said) && now_said < weakest(&mut old.iter());
    let excepts = |clause: &Vec<String>, exceptions: &str| {
        clause.iter().enumerate().any(|(at, word)| {
            let denied =
                clause[at.saturating_sub(3)..at].iter().any(|word| holds(DENYING, word) || word == "even");
            holds(exceptions, word) && !known(word) && !denied
        })
    };
    let all = clauses(now);
    let others = all.iter().filter(|clause| !old.contains(clause)).any(|clause| excepts(clause, EXEMPTING));
    let excepted = others || fresh().any(|clause| excepts(clause, EXCEPTING));
    let reached = |clauses: &[Vec<String>]| clauses.iter().flatten().any(|word| holds(EVERYWHERE, word));
    let limits =
        |clauses: &[Vec<String>]| clauses.iter().flatten().any(|word| holds("in for within inside on", word));
    let narrowed = reached(&old) && !reached(&new) && limits(&new);
    weaker || excepted || narrowed
}

/// The clauses of a rejection that are about the thing.
fn claims(text: &str) -> Vec<Vec<String>> {
    clauses(text).into_iter().filter(|clause| is_about_the_thing(clause)).collect()
}

/// The clauses of a rejection as words in lower case, its reasons and the names in back quotes left out.
fn clauses(text: &str) -> Vec<Vec<String>> {
    let mut plain = String::new();
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '`' => {
                quoted = !quoted;
                if quoted {
                    plain.push_str(" \u{1} ");
                }
            }
            c if !quoted => plain.extend(c.to_lowercase()),
            _ => {}
        }
    }
    let clauses = plain.split([',', ';', ':', '(', ')', '—', '–', '.']).flat_map(|part| part.split(" - "));
    let clauses = clauses.flat_map(|part| part.split(" but "));
    let words = |clause: &str| -> Vec<String> {
        clause
            .split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’' | '\u{1}')))
            .filter(|word| !word.is_empty())
            .map(|word| word.replace('’', "'"))
            .take_while(|word| !holds(REASON, word))
            .collect()
    };
    clauses.map(words).filter(|clause| !clause.is_empty()).collect()
}

/// Whether the subject of a clause is the thing itself: the clause has none of its own.
fn is_about_the_thing(clause: &[String]) -> bool {
    let main = clause
        .iter()
        .position(|word| holds("where when if unless while that which until", word))
        .unwrap_or(clause.len());
    let verb = clause[..main].iter().position(|word| {
        holds("is are was were has have may can could might must will would runs does", word)
    });
    let may_be_done = clause.windows(3).any(|words| {
        holds(MODAL, &words[0])
            && holds(DONE, &words[1])
            && holds("it them this these that one again \u{1}", &words[2])
    });
    match verb {
        _ if may_be_done => true,
        None => true,
        Some(verb) => {
            let subject = &clause[..verb];
            subject.is_empty()
                || subject.iter().any(|word| word == "\u{1}")
                || subject.iter().all(|word| {
                    holds("it this that these those they we you one teams everybody anybody anyone and but or now still here", word)
                })
        }
    }
}

fn firmness(clause: &[String]) -> Firmness {
    let denied = |at: usize| {
        clause[at.saturating_sub(3)..at]
            .iter()
            .any(|word| holds(DENYING, word) || word == "less" || word == "longer")
    };
    let mut weakest = Firmness::Rejected;
    for (at, word) in clause.iter().enumerate() {
        let next = clause.get(at + 1).map(String::as_str).unwrap_or_default();
        let behind = clause.get(at + 2).map(String::as_str).unwrap_or_default();
        let said = if (holds(PERMITTING, word)
            || (holds(MODAL, word) && (holds(DONE, next) || holds(DONE, behind)) && !holds(DENYING, next)))
            && !denied(at)
        {
            Firmness::Permitted
        } else if word == "longer" && at > 0 && clause[at - 1] == "no" || (holds(PAST, word) && !denied(at)) {
            Firmness::Past
        } else if holds(ADVISING, word) && !holds(DENYING, next) {
            Firmness::Discouraged
        } else {
            continue;
        };
        weakest = weakest.min(said);
    }
    weakest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_says_less_and_what_only_says_it_in_other_words() {
        for (then, now, less) in [
            ("`a1` because of its size", "`a1` because of its licence", false),
            ("`a1` because of its size", "`a1` (ok in tests) because of its size", true),
            ("`a1` because of its size", "`a1` is allowed for now", true),
            ("`a1`", "`a1` is not allowed", false),
            ("`a1`", "`a1` must never be used", false),
            ("`a1` must never be used", "`a1`: one more thing to run", false),
            (
                "`a1` must never be used here",
                "`a1` is a bit slower, but fine where speed is not needed",
                true,
            ),
            ("`a1`", "`a1`, since it can leak", false),
            ("`a1`", "`a1`: b2 is good enough", false),
            ("`a1`", "`a1` is discouraged", true),
            ("`a1`", "`a1` was rejected in 2019", true),
            ("`a1`", "`a1` is no longer rejected", true),
            ("`a1` anywhere in the service", "`a1` in the parser", true),
            ("`a1` in the parser", "`a1` anywhere in the service", false),
            ("`a1`", "`a1` except in scripts", true),
            ("`a1`", "teams may use `a1` again", true),
            ("`a1`: slow", "`a1`: too slow for us", false),
            ("`a1`", "prefer something else over `a1`", true),
        ] {
            assert_eq!(says_less(DecisionKind::Tag, then, now), less, "{then} -> {now}");
        }
    }
}
