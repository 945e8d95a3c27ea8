//! What a model may add to an assessment: where evidence takes a silent session for done without being sure, a model that
//! sees something missing makes it stuck, and one that sees a human's turn makes it wait. It calls nothing done.

use super::{Assessment, Reason, nudge_text};
use crate::evidence::{Evidence, Situation};
use crate::verdict::advisor::Opinion;

/// From this on evidence needs nobody's opinion.
const SURE: f64 = 0.8;
/// A model is believed no further than this.
const MODEL: f64 = 0.75;

impl Assessment {
    /// Whether evidence leaves it open.
    pub fn is_open(&self) -> bool {
        self.reason == Reason::Complete && self.confidence < SURE
    }

    /// The assessment with a model's opinion on the task weighed in.
    #[must_use]
    pub fn with_opinion(self, opinion: &Opinion, situation: &Situation<'_>, evidence: &[Evidence]) -> Self {
        if !self.is_open() || opinion.complete {
            return self;
        }
        let confidence = opinion.confidence.min(MODEL);
        if opinion.requires_human_action || opinion.awaits_user() {
            return Self::quiet(Reason::WaitingForUser, confidence);
        }
        Self::new(Reason::GenuinelyStuck, confidence, nudge_text::of(situation, evidence))
    }
}
