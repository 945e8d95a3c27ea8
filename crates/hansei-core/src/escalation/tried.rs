//! What was already tried against a failure. A retry needs a receipt: a hypothesis that none of the tries for the same
//! fingerprint had. The same words under another layer are the same hypothesis.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::layer::FailureLayer;
use crate::event::{Event, Line};
use crate::model_text::one_line;

const MOST_TRIES: usize = 64;
const LONGEST: usize = 600;

/// One try at a failure.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Try {
    /// What was thought to be wrong.
    pub hypothesis: String,
    /// In which layer it was looked for.
    pub layer: FailureLayer,
    /// What came of it, in a line.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub outcome: String,
}

/// The tries at every failure so far.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    by_failure: BTreeMap<Fingerprint, Vec<Try>>,
}

/// The right to try once more: made only by [`Tried::receipt`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// At which failure.
    pub fingerprint: Fingerprint,
    /// The number of the try.
    pub number: u32,
    /// What is thought to be wrong now.
    pub hypothesis: String,
    /// In which layer.
    pub layer: FailureLayer,
}

/// The hypothesis was tried before.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("that was tried before for {fingerprint}: {} ({})", same.hypothesis, same.layer.name())]
pub struct AlreadyTried {
    /// The failure.
    pub fingerprint: Fingerprint,
    /// The try that it repeats.
    pub same: Try,
    /// Everything that was tried.
    pub tried: Vec<Try>,
}

impl Tried {
    /// What the workspace's own log tells of rescues.
    pub fn told_by(lines: &[Line]) -> Self {
        let mut tried = Self::default();
        for line in lines {
            if let Event::RescueProposed { fingerprint, hypothesis, layer, .. } = &line.event {
                let one = Try { hypothesis: hypothesis.clone(), layer: *layer, outcome: String::new() };
                tried.record(fingerprint, &one);
            }
        }
        tried
    }

    /// The tries at a failure.
    pub fn of(&self, fingerprint: &Fingerprint) -> &[Try] {
        self.by_failure.get(fingerprint).map_or(&[], Vec::as_slice)
    }

    /// How often a failure was tried.
    pub fn attempts(&self, fingerprint: &Fingerprint) -> u32 {
        u32::try_from(self.of(fingerprint).len()).unwrap_or(u32::MAX)
    }

    /// Takes a try in. Every one counts, also one that repeats another.
    pub fn record(&mut self, fingerprint: &Fingerprint, tried: &Try) {
        let known = self.by_failure.entry(fingerprint.clone()).or_default();
        if known.len() < MOST_TRIES {
            known.push(Try {
                hypothesis: one_line(&tried.hypothesis, LONGEST),
                layer: tried.layer,
                outcome: one_line(&tried.outcome, LONGEST),
            });
        }
    }

    /// The right to try `hypothesis`, or what was tried before.
    pub fn receipt(
        &self,
        fingerprint: &Fingerprint,
        hypothesis: &str,
        layer: FailureLayer,
    ) -> Result<Receipt, AlreadyTried> {
        let tried = self.of(fingerprint);
        let same = tried.iter().find(|known| is_the_same(&known.hypothesis, hypothesis));
        if let Some(same) = same {
            return Err(AlreadyTried {
                fingerprint: fingerprint.clone(),
                same: same.clone(),
                tried: tried.to_vec(),
            });
        }
        Ok(Receipt {
            fingerprint: fingerprint.clone(),
            number: self.attempts(fingerprint) + 1,
            hypothesis: one_line(hypothesis, LONGEST),
            layer,
        })
    }
}

/// Whether two hypotheses say the same: about the same names, mostly in the same words.
pub fn is_the_same(one: &str, other: &str) -> bool {
    let (one, other) = (Words::of(one), Words::of(other));
    if one.all.is_empty() || other.all.is_empty() {
        return one.all == other.all;
    }
    // `A_URL is not set` and `B_URL is not set` share every other word.
    if !one.names.is_empty() && !other.names.is_empty() && one.names.is_disjoint(&other.names) {
        return false;
    }
    let shared = one.all.intersection(&other.all).count();
    let fewer = one.all.len().min(other.all.len());
    let union = one.all.len() + other.all.len() - shared;
    shared * 10 >= union * 6 || (fewer >= 3 && shared * 10 >= fewer * 8)
}

struct Words {
    all: BTreeSet<String>,
    /// Those that name something in the code.
    names: BTreeSet<String>,
}

impl Words {
    fn of(text: &str) -> Self {
        let mut words = Self { all: BTreeSet::new(), names: BTreeSet::new() };
        let in_a_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '/' | ':');
        for word in text.split(|c: char| !in_a_name(c)).take(400) {
            let word = word.trim_matches(|c: char| matches!(c, '.' | ':' | '/'));
            let lower = word.to_lowercase();
            if word.is_empty() || EMPTY.split_whitespace().any(|empty| empty == lower) {
                continue;
            }
            let inner_mark = word.contains(['_', '/', '.', ':']);
            let inner_case = word.chars().skip(1).any(char::is_uppercase);
            if inner_mark || inner_case || word.chars().any(|c| c.is_ascii_digit()) {
                words.names.insert(lower.clone());
            }
            words.all.insert(stem(&lower));
        }
        words
    }
}

/// Words that say nothing about a cause.
const EMPTY: &str = "the a an is are was were be been being to of in on at for and or that this it its by with because so \
    as we i you they there probably maybe perhaps likely seems may might must should could can will \
    would really actually just simply now again still then therefore hypothesis try fix issue problem \
    error cause caused root due think has have had does do did";

/// A word without its commonest endings.
fn stem(word: &str) -> String {
    for ending in ["ations", "ation", "ings", "ing", "edly", "ed", "ies", "es", "ly", "s"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.len() >= 4
        {
            return stem.to_owned();
        }
    }
    word.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_hypothesis_in_other_words_is_the_same() {
        let known = "The retry count in fetch_page is off by one";
        for (said, same) in [
            ("The retry count in fetch_page is off by one", true),
            ("the retry-count in fetch_page is off by one.", true),
            ("Maybe the retry count of `fetch_page` is still off by one", true),
            ("fetch_page: retry count off by one, so it fails", true),
            ("The retry count in fetch_user is off by one", false),
            ("HTTP_PROXY is set in the environment and swallows local requests", false),
            ("The fixture starts the server on another port than the client uses", false),
        ] {
            assert_eq!(is_the_same(known, said), same, "{said}");
        }
        assert!(!is_the_same("A_URL is not set", "B_URL is not set"));
        assert!(is_the_same("", " the "), "two that say nothing say the same");
    }

    #[test]
    fn a_retry_needs_a_receipt_for_its_failure() {
        let [here, there] = ["one", "other"].map(Fingerprint::of_text);
        let mut tried = Tried::default();
        let layer = FailureLayer::Environment;
        assert_eq!(tried.receipt(&here, "the port is in use", layer).unwrap().number, 1);
        let first = Try { hypothesis: "the port is in use".into(), layer, outcome: "still refused".into() };
        tried.record(&here, &first);
        let refused = tried.receipt(&here, "The port is still in use!", FailureLayer::Contract).unwrap_err();
        assert_eq!((refused.same, refused.tried.len()), (first, 1), "another layer does not make it new");
        assert_eq!(tried.receipt(&here, "the certificate expired", layer).unwrap().number, 2);
        assert_eq!(tried.receipt(&there, "the port is in use", layer).unwrap().number, 1);
        let text = serde_json::to_string(&tried).unwrap();
        assert_eq!(serde_json::from_str::<Tried>(&text).unwrap(), tried);
    }
}
