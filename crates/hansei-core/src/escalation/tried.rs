//! What was already tried against a failure. A retry needs a receipt: a hypothesis that none of the tries for the same
//! fingerprint had. The same words under another layer are the same hypothesis.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::fingerprint::Fingerprint;
use super::hypothesis::is_the_same;
use super::layer::FailureLayer;
use crate::event::{Event, Line};
use crate::model_text::one_line;

const LONGEST: usize = 600;
/// So many tries are told to somebody.
pub const MOST_TOLD: usize = 20;

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
    /// What was tried last.
    pub tried: Vec<Try>,
}

impl Tried {
    /// What the workspace's own log tells of rescues that did not help, or of which nobody knows whether they did. What was
    /// right once may be right again.
    pub fn told_by(lines: &[Line]) -> Self {
        let mut tried = Self::default();
        let events = || lines.iter().map(|line| &line.event);
        let right: Vec<&Event> =
            events().filter(|event| matches!(event, Event::RescueWorked { .. })).collect();
        for event in events().filter(|event| !right.iter().any(|right| worked(event, right))) {
            if let Event::RescueProposed { fingerprint, hypothesis, layer, .. } = event {
                let one = Try { hypothesis: hypothesis.clone(), layer: *layer, outcome: String::new() };
                tried.record(fingerprint, &one);
            }
        }
        tried
    }

    /// The tries at a failure, whether or not its exit code was known then.
    pub fn of(&self, fingerprint: &Fingerprint) -> Vec<&Try> {
        let same = self.by_failure.iter().filter(|(known, _)| known.is_of(fingerprint));
        same.flat_map(|(_, tries)| tries).collect()
    }

    /// The latest tries at a failure, each once, the oldest of them first: what is told has a bound, what is
    /// compared has none.
    pub fn latest(&self, fingerprint: &Fingerprint, most: usize) -> Vec<Try> {
        let mut told: Vec<Try> = Vec::new();
        for one in self.of(fingerprint).into_iter().rev() {
            if told.len() < most && !told.iter().any(|known| known.hypothesis == one.hypothesis) {
                told.push(one.clone());
            }
        }
        told.reverse();
        told
    }

    /// How often a failure was tried.
    pub fn attempts(&self, fingerprint: &Fingerprint) -> u32 {
        u32::try_from(self.of(fingerprint).len()).unwrap_or(u32::MAX)
    }

    /// Takes a try in. Every one counts, also one that repeats another.
    pub fn record(&mut self, fingerprint: &Fingerprint, tried: &Try) {
        self.by_failure.entry(fingerprint.clone()).or_default().push(Try {
            hypothesis: one_line(&tried.hypothesis, LONGEST),
            layer: tried.layer,
            outcome: one_line(&tried.outcome, LONGEST),
        });
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
                same: (*same).clone(),
                tried: self.latest(fingerprint, MOST_TOLD),
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

/// Whether `told` says that the proposal `event` was right.
fn worked(event: &Event, told: &Event) -> bool {
    let Event::RescueProposed { fingerprint, attempt, hypothesis, run: Some(run), .. } = event else {
        return false;
    };
    let Event::RescueWorked { fingerprint: failure, attempt: number, hypothesis: said, run: by } = told
    else {
        return false;
    };
    (fingerprint, attempt, hypothesis, run) == (failure, number, said, by)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escalation::{AnswerKind, Attempt};
    use crate::timestamp::Timestamp;

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
    fn what_made_a_run_green_is_no_failed_try() {
        let fingerprint = Fingerprint::of_text("f");
        let (attempt, layer) = (Attempt::FIRST, FailureLayer::Contract);
        let proposed = |run: Option<&str>, hypothesis: &str| Event::RescueProposed {
            fingerprint: fingerprint.clone(),
            attempt,
            answer: AnswerKind::RetryPacketForCoder,
            hypothesis: hypothesis.into(),
            layer,
            run: run.map(str::to_owned),
        };
        let worked = |run: &str, hypothesis: &str| Event::RescueWorked {
            fingerprint: fingerprint.clone(),
            attempt,
            hypothesis: hypothesis.into(),
            run: run.into(),
        };
        let rate = "the rate is 25 %";
        for (events, left) in [
            (vec![proposed(Some("a"), rate)], 1),
            (vec![proposed(Some("a"), rate), worked("a", rate)], 0),
            (vec![proposed(Some("a"), rate), worked("b", rate)], 1),
            (vec![proposed(Some("a"), rate), worked("a", "the cache is stale")], 1),
            (vec![proposed(None, rate), worked("a", rate)], 1),
            // It was right once, and came to nothing the next time.
            (vec![proposed(Some("a"), rate), worked("a", rate), proposed(Some("b"), rate)], 1),
        ] {
            let line = |event: &Event| Line {
                v: 1,
                seq: 1,
                time: Timestamp::try_from("2026-11-16T10:00:00.000000Z".to_owned()).unwrap(),
                event: event.clone(),
            };
            let lines: Vec<Line> = events.iter().map(line).collect();
            let tried = Tried::told_by(&lines);
            assert_eq!(tried.attempts(&fingerprint), left, "{events:?}");
            assert_eq!(tried.receipt(&fingerprint, rate, layer).is_err(), left > 0);
        }
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
