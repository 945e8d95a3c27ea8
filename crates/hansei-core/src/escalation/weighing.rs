//! Whether an answer counts: it repeats nothing that was tried, and neither its words nor its patch go against a decision.

use super::answer::{Answer, AnswerKind};
use super::answer_reader::BadRescue;
use super::fingerprint::Fingerprint;
use super::retry_packet::MOST_ITEMS;
use super::tried::Tried;
use crate::decision_memory::{Against, BaseUses, Memory, Proposal, ViolationKind, check_change, read_patch};

/// The decisions of the clean source, with what is needed to hold a patch against them.
#[derive(Clone, Copy)]
pub struct Guard<'a> {
    /// What was decided.
    pub memory: &'a Memory,
    /// What the source uses already.
    pub already: &'a BaseUses,
    /// A file of the source.
    pub text_of: &'a dyn Fn(&str) -> Option<String>,
}

impl std::fmt::Debug for Guard<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Guard").field("memory", self.memory).finish_non_exhaustive()
    }
}

/// Refuses an answer that repeats what was tried for this failure or goes against a decision. An answer that leads nowhere does
/// neither. A packet that leaves out what was tried is told it.
pub fn weigh(
    mut answer: Answer,
    fingerprint: &Fingerprint,
    tried: &Tried,
    guard: &Guard<'_>,
) -> Result<Answer, BadRescue> {
    let Some(found) = answer.diagnosis() else { return Ok(answer) };
    tried
        .receipt(fingerprint, &found.new_hypothesis, found.failure_layer)
        .map_err(|same| BadRescue::Repeated(Box::new(same)))?;
    guard.allows(&answer)?;
    if let Answer::RetryPacketForCoder(_, packet) = &mut answer
        && packet.what_not_to_retry.is_empty()
    {
        let known = tried.latest(fingerprint, MOST_ITEMS);
        packet.what_not_to_retry = known.into_iter().map(|one| one.hypothesis).collect();
        *packet = packet.clone().bounded();
    }
    Ok(answer)
}

impl Guard<'_> {
    fn allows(&self, answer: &Answer) -> Result<(), BadRescue> {
        match proposal(answer).against(self.memory) {
            Some(Against::BringsBack(which)) => return Err(BadRescue::Rejected(which)),
            Some(Against::TakesAway(which)) => return Err(BadRescue::TakesAway(which)),
            None => {}
        }
        let patch = answer.diagnosis().and_then(|found| found.proof_patch.as_deref());
        patch.map_or(Ok(()), |patch| self.allows_patch(patch))
    }

    /// The same check that `hansei decisions check --diff` makes. No revision lifts it: a proof needs no rejected path.
    fn allows_patch(&self, patch: &str) -> Result<(), BadRescue> {
        let wrong = BadRescue::WrongField { field: "proof_patch" };
        let change = read_patch(patch, self.text_of).ok_or(wrong)?;
        let Some(first) = check_change(self.memory, &change, self.already).into_iter().next() else {
            return Ok(());
        };
        let which =
            format!("{} (proof_patch, {}:{}: {})", first.decision, first.file, first.line, first.text);
        Err(match first.kind {
            ViolationKind::TagRemoved => BadRescue::TakesAway(which),
            ViolationKind::Reintroduced | ViolationKind::Contradicted => BadRescue::Rejected(which),
        })
    }
}

/// Everything that an answer says. What is not to be tried again is all that it does not propose.
fn proposal(answer: &Answer) -> Proposal<'_> {
    let mut said =
        Proposal { may_revise: answer.kind() == AnswerKind::ContractCorrection, ..Proposal::default() };
    if let Some(found) = answer.diagnosis() {
        said.steps.push(&found.action);
        said.claims.push(&found.new_hypothesis);
        said.facts.extend(found.observations.iter().map(String::as_str));
    }
    if let Some(packet) = answer.retry_packet() {
        said.claims.push(&packet.new_hypothesis);
        let lists = [
            &packet.files_to_recheck,
            &packet.forced_checklist,
            &packet.constraints,
            &packet.decision_memory_notes,
        ];
        said.steps.extend(lists.into_iter().flatten().map(String::as_str));
    }
    said
}
