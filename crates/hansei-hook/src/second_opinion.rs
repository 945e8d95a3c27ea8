//! Somebody who may be asked where evidence leaves a stop open, such as a model. The hook itself knows no model.

use std::time::Duration;

use hansei_core::evidence::{Evidence, Instructions, Situation};
use hansei_core::verdict::{Judgement, Policy};

/// A second opinion on a stop.
pub trait SecondOpinion {
    /// The longest that asking takes.
    fn budget(&self) -> Duration;

    /// Whether asking is worth it.
    fn is_wanted(&self, situation: &Situation<'_>, judgement: &Judgement, evidence: &[Evidence]) -> bool;

    /// The judgement with the opinion weighed in, or why there is none. `rules` is what the agent read of the project's own
    /// instructions.
    fn weigh(
        &self,
        situation: &Situation<'_>,
        rules: &[&Instructions],
        evidence: &[Evidence],
        policy: Policy,
        judgement: &Judgement,
    ) -> Result<Judgement, String>;
}
