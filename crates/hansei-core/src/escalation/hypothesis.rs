//! Whether two hypotheses say the same: about the same things, with the same polarity and in the same direction, mostly in
//! the same words. `X is not set` and `X is missing` are one; `X is not set` and `X is set` are two.
//!
//! A hypothesis is read clause by clause. Words of one meaning are one term, and words that stand for two ends of one
//! scale (`meaning.rs`) are one term with a sign. A denial turns the sign of the state that it denies, or else the whole
//! clause. What stands on which side of `before`, `after` or `than` is kept, because there the order says what is meant.

use std::collections::{BTreeMap, BTreeSet};

use super::meaning::{Meaning, Scale, is_denial, is_empty, is_kind, joined, meaning_of};

const MOST_WORDS: usize = 400;

/// Whether two hypotheses say the same.
pub fn is_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (Hypothesis::of(one), Hypothesis::of(other));
    if one.terms.is_empty() || other.terms.is_empty() {
        return one.terms == other.terms;
    }
    !one.is_about_something_else(&other)
        && !one.contradicts(&other)
        && !one.differs_in_one_word(&other)
        && one.overlaps(&other)
}

struct Hypothesis {
    clauses: Vec<Clause>,
    /// Everything that it says, in its order.
    said: Vec<String>,
    terms: BTreeSet<String>,
    names: BTreeSet<String>,
}

#[derive(Default)]
struct Clause {
    terms: BTreeSet<String>,
    names: BTreeSet<String>,
    scales: BTreeMap<&'static Scale, Signs>,
    is_denied: bool,
    relation: Option<Relation>,
}

/// Which ends of a scale a clause speaks of.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Signs {
    positive: bool,
    negative: bool,
}

/// `left` before, after, newer than `right`.
struct Relation {
    left: BTreeSet<String>,
    right: BTreeSet<String>,
    is_forward: bool,
    /// The scale of `newer than`; none for `before` and `after`.
    scale: Option<&'static Scale>,
}

impl Hypothesis {
    fn of(text: &str) -> Self {
        let text = joined(text);
        let mut clauses = Vec::new();
        let mut said = Vec::new();
        for words in clauses_of(&text) {
            let (clause, terms) = Clause::of(&words);
            said.extend(terms);
            clauses.push(clause);
        }
        let names: BTreeSet<String> =
            clauses.iter().flat_map(|clause| clause.names.iter().cloned()).collect();
        if !names.is_empty() {
            // Beside a name, the word for its kind says nothing more: the variable X, the file x.py.
            said.retain(|term| !is_kind(term));
        }
        let terms = said.iter().cloned().collect();
        Self { clauses, said, terms, names }
    }

    /// Whether both name something, and each something that the other does not.
    fn is_about_something_else(&self, other: &Self) -> bool {
        let lacks = |names: &BTreeSet<String>, others: &BTreeSet<String>| {
            names.iter().any(|name| !others.iter().any(|known| is_one_name(name, known)))
        };
        lacks(&self.names, &other.names) && lacks(&other.names, &self.names)
    }

    fn contradicts(&self, other: &Self) -> bool {
        self.clauses.iter().any(|clause| {
            let nearest = other.clauses.iter().max_by_key(|theirs| clause.shared_with(theirs));
            nearest.is_some_and(|theirs| {
                let is_one_each = self.clauses.len() == 1 && other.clauses.len() == 1;
                // A clause of one term, like `in CI`, says nothing that could be denied.
                let says_something = clause.terms.len().min(theirs.terms.len()) >= 2;
                let is_shared = says_something && clause.shared_with(theirs) > (0, 0);
                (is_one_each || is_shared) && clause.contradicts(theirs)
            })
        })
    }

    /// Whether exactly one word stands in the place of another: such a pair is told apart by that word.
    fn differs_in_one_word(&self, other: &Self) -> bool {
        let differing = self.said.iter().zip(&other.said).filter(|(one, other)| one != other).count();
        self.said.len() == other.said.len() && self.said.len() >= 3 && differing == 1
    }

    fn overlaps(&self, other: &Self) -> bool {
        let shared = self.terms.iter().filter(|term| holds(&other.terms, term)).count();
        let fewer = self.terms.len().min(other.terms.len());
        let more = self.terms.len().max(other.terms.len());
        let union = self.terms.len() + other.terms.len() - shared;
        // One that says all that the other says, and much besides, is another.
        let is_as_long = more <= fewer + (fewer * 2 / 3).max(2);
        let names_one =
            self.names.iter().any(|name| other.names.iter().any(|known| is_one_name(name, known)));
        shared * 10 >= union * 6
            || (is_as_long && fewer >= 3 && shared * 10 >= fewer * 8)
            || (is_as_long && names_one && fewer >= 2 && shared == fewer)
    }
}

fn holds(terms: &BTreeSet<String>, wanted: &str) -> bool {
    terms.contains(wanted) || terms.iter().any(|term| is_one_name(term, wanted))
}

/// `src/api.rs` and `api.rs` are one.
fn is_one_name(one: &str, other: &str) -> bool {
    let is_end = |long: &str, short: &str| {
        long.strip_suffix(short).is_some_and(|before| before.is_empty() || before.ends_with(['/', '.', ':']))
    };
    one == other || (other.len() > 2 && is_end(one, other)) || (one.len() > 2 && is_end(other, one))
}

impl Clause {
    /// A clause, and its terms in their order.
    fn of(words: &[Word<'_>]) -> (Self, Vec<String>) {
        let mut clause = Self::default();
        let mut said: Vec<String> = Vec::new();
        let mut turn: Option<(usize, bool)> = None;
        let mut denials = 0_usize;
        for word in words {
            match word.meaning() {
                Meaning::Nothing => {}
                Meaning::Denial => denials += 1,
                Meaning::Turn { is_forward } => turn = turn.or(Some((said.len(), is_forward))),
                Meaning::End { scale, is_positive } => {
                    // A denial before a state turns it; before a direction, it denies the clause.
                    let is_turned = scale.is_state && denials % 2 == 1;
                    if is_turned {
                        denials -= 1;
                    }
                    let signs = clause.scales.entry(scale).or_default();
                    let signs =
                        if is_positive == is_turned { &mut signs.negative } else { &mut signs.positive };
                    *signs = true;
                    said.push(scale.term(is_positive));
                }
                Meaning::Term(term) => {
                    if word.is_name {
                        clause.names.insert(term.clone());
                    }
                    said.push(term);
                }
            }
        }
        clause.is_denied = denials % 2 == 1;
        clause.terms = said.iter().cloned().collect();
        clause.relation = turn.and_then(|(at, is_forward)| clause.relation(&said, at, is_forward, words));
        (clause, said)
    }

    fn relation(&self, said: &[String], at: usize, is_forward: bool, words: &[Word<'_>]) -> Option<Relation> {
        let is_comparing = words.iter().any(|word| word.text == "than");
        let compared = self.scales.iter().find(|(_, signs)| signs.positive != signs.negative);
        let (scale, is_forward) = match compared.filter(|_| is_comparing) {
            Some((scale, signs)) => (Some(*scale), signs.positive),
            None => (None, is_forward),
        };
        let plain = |terms: &[String]| -> BTreeSet<String> {
            terms
                .iter()
                .filter(|term| scale.is_none_or(|scale| !term.starts_with(scale.name)))
                .cloned()
                .collect()
        };
        let (left, right) = (plain(&said[..at]), plain(&said[at..]));
        (!left.is_empty() && !right.is_empty()).then_some(Relation { left, right, is_forward, scale })
    }

    /// How much two clauses have in common: names, then other terms.
    fn shared_with(&self, other: &Self) -> (usize, usize) {
        let names = self.names.iter().filter(|name| holds(&other.names, name)).count();
        (names, self.terms.intersection(&other.terms).count())
    }

    fn contradicts(&self, other: &Self) -> bool {
        let relations = [&self.relation, &other.relation];
        if let [Some(mine), Some(theirs)] = relations
            && mine.is_turned_round(theirs) == (mine.is_forward == theirs.is_forward)
        {
            return true;
        }
        // What is compared is newer and older at once, each on its side.
        let is_compared = |scale: &Scale| {
            relations.iter().any(|relation| {
                relation.as_ref().and_then(|relation| relation.scale).is_some_and(|known| known == scale)
            })
        };
        let opposite = |scale: &&'static Scale, signs: &Signs| {
            other.scales.get(*scale).is_some_and(|theirs| {
                !(signs.positive && theirs.positive || signs.negative && theirs.negative)
            })
        };
        self.scales.iter().any(|(scale, signs)| !is_compared(scale) && opposite(scale, signs))
            || self.polarity_beside(other) != other.polarity_beside(self)
    }

    /// Whether it denies, on the whole, leaving out those states that both speak of.
    fn polarity_beside(&self, other: &Self) -> bool {
        let states = self.scales.iter().filter(|(scale, signs)| {
            scale.is_state && !other.scales.contains_key(*scale) && signs.negative && !signs.positive
        });
        (states.count() % 2 == 1) != self.is_denied
    }
}

impl Relation {
    /// Whether what stands left in one stands right in the other.
    fn is_turned_round(&self, other: &Self) -> bool {
        let own_left: Vec<&String> = self.left.difference(&self.right).collect();
        let own_right: Vec<&String> = self.right.difference(&self.left).collect();
        own_left.iter().any(|term| other.right.contains(*term) && !other.left.contains(*term))
            || own_right.iter().any(|term| other.left.contains(*term) && !other.right.contains(*term))
    }
}

struct Word<'a> {
    text: &'a str,
    lower: String,
    is_name: bool,
}

impl Word<'_> {
    fn meaning(&self) -> Meaning {
        if self.is_name {
            return Meaning::Term(self.lower.clone());
        }
        if is_denial(&self.lower) {
            return Meaning::Denial;
        }
        if is_empty(&self.lower) { Meaning::Nothing } else { meaning_of(&self.lower) }
    }
}

/// The clauses of a text, each as its words.
fn clauses_of(text: &str) -> Vec<Vec<Word<'_>>> {
    let mut clauses: Vec<Vec<Word<'_>>> = vec![Vec::new()];
    let mut is_quoted = false;
    for piece in text.split_whitespace().take(MOST_WORDS) {
        let opens = piece.starts_with([',', ';', '(', '—', '–']);
        if opens {
            clauses.push(Vec::new());
        }
        for part in piece.split(|c: char| !is_in_a_name(c)) {
            let begins = piece.find(part).unwrap_or(0);
            let ticks = piece[..begins].matches('`').count();
            let quoted = is_quoted || ticks % 2 == 1;
            let Some(word) = Word::of(part, quoted) else { continue };
            if is_joint(&word.lower) && !word.is_name {
                clauses.push(Vec::new());
            } else if let Some(clause) = clauses.last_mut() {
                clause.push(word);
            }
        }
        if piece.matches('`').count() % 2 == 1 {
            is_quoted = !is_quoted;
        }
        if piece.ends_with([',', ';', ':', '.', '!', '?', ')', '—', '–']) {
            clauses.push(Vec::new());
        }
    }
    clauses.retain(|clause| !clause.is_empty());
    clauses
}

fn is_in_a_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':' | '\'' | '’')
}

/// Words between two clauses.
fn is_joint(word: &str) -> bool {
    matches!(
        word,
        "but"
            | "while"
            | "because"
            | "although"
            | "though"
            | "whereas"
            | "so"
            | "since"
            | "when"
            | "if"
            | "where"
    )
}

impl<'a> Word<'a> {
    fn of(part: &'a str, is_quoted: bool) -> Option<Self> {
        let text = part.trim_matches(['.', ':', '\'', '’']);
        let text = text.strip_suffix("'s").or_else(|| text.strip_suffix("’s")).unwrap_or(text);
        if text.is_empty() || text.chars().all(|c| c == '/') {
            return None;
        }
        let has_mark = text.contains(['_', '/', '.', ':']);
        let has_inner_case = text.chars().skip(1).any(char::is_uppercase);
        let has_digit = text.chars().any(|c| c.is_ascii_digit());
        let is_name = has_mark || has_inner_case || has_digit || is_quoted;
        let lower = text.trim_end_matches('/').to_lowercase().replace('’', "'");
        Some(Self { text, lower, is_name })
    }
}
