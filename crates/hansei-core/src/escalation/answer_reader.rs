//! Reads the unblocker's answer, which may be anything: tolerant of form, strict in meaning. Exactly one kind, with
//! everything that kind needs; and nothing that was tried before or that a decision rejects.

use serde::de::{Deserialize, Deserializer, Error as _};
use serde_json::{Map, Value};

use super::answer::{Answer, AnswerKind, ContextTarget, Diagnosis};
use super::attempt::RescueMode;
use super::hypothesis::is_the_same;
use super::layer::FailureLayer;
use super::payload::Escalation;
use super::payload_extent::extents;
use super::retry_packet::RetryPacket;
use super::tried::AlreadyTried;
use crate::model_text::{objects_with, one_line};

/// The most of an answer that is looked at.
const LONGEST_ANSWER: usize = 64 * 1024;
const LONGEST_TEXT: usize = 1_000;
const LARGEST_PATCH: usize = 4 * 1024;
const LARGEST_PATCH_LINES: usize = 60;
const LONGEST_ITEM: usize = 300;
const MOST_ITEMS: usize = 12;

/// An answer that does not count, in words that a repair can use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadRescue {
    /// Nothing, or no answer of any kind in it.
    #[error("there is no answer of an allowed kind in it")]
    None,
    /// More than one.
    #[error("there are several answers; exactly one is allowed")]
    Several,
    /// A kind that this mode does not allow.
    #[error("{} is not allowed in this mode", .0.name())]
    NotNow(AnswerKind),
    /// A field is missing, empty or of another type.
    #[error("{field:?} is missing or not what it should be")]
    WrongField {
        /// The field.
        field: &'static str,
    },
    /// What it proposes was tried before.
    #[error("{0}")]
    Repeated(Box<AlreadyTried>),
    /// Its packet has another hypothesis than it has itself.
    #[error("there are two hypotheses: the packet's new_hypothesis must be that of the answer")]
    TwoHypotheses,
    /// It would bring back what a decision rejects.
    #[error(
        "it would bring back what a decision rejects: {0}; if new evidence disproves it, answer with a contract_correction that \
         names the decision and says in observations what changed"
    )]
    Rejected(String),
    /// It would take a decision away.
    #[error("it would take a decision away, which nothing allows: {0}")]
    TakesAway(String),
}

/// Reads an answer.
pub fn read_answer(text: &str, mode: RescueMode) -> Result<Answer, BadRescue> {
    let text = &text[..text.floor_char_boundary(LONGEST_ANSWER)];
    let mut found: Vec<Answer> = Vec::new();
    let mut objects = objects_with(text, "kind");
    objects.dedup();
    for object in &objects {
        found.push(whole(object)?);
    }
    if objects.is_empty() {
        found.extend(from_markers(text)?);
    }
    match found.len() {
        0 => Err(BadRescue::None),
        1 => {
            let answer = found.swap_remove(0);
            let kind = answer.kind();
            if kind.is_allowed_in(mode) { Ok(answer) } else { Err(BadRescue::NotNow(kind)) }
        }
        _ => Err(BadRescue::Several),
    }
}

/// The answer of an object that leaves nothing out: a packet has its seven fields, and the hypothesis of its answer.
fn whole(fields: &Map<String, Value>) -> Result<Answer, BadRescue> {
    let mut answer = from_object(fields)?;
    let Answer::RetryPacketForCoder(found, packet) = &mut answer else { return Ok(answer) };
    let given = fields.get("retry_packet_for_coder").unwrap_or(&Value::Null);
    let is_missing = |field: &&&'static str| given.get(field).is_none_or(Value::is_null);
    if let Some(field) = RetryPacket::FIELDS.iter().find(is_missing) {
        return Err(BadRescue::WrongField { field });
    }
    if !is_the_same(&found.new_hypothesis, &packet.new_hypothesis) {
        return Err(BadRescue::TwoHypotheses);
    }
    // Two ways to say it would be two to remember.
    packet.new_hypothesis.clone_from(&found.new_hypothesis);
    Ok(answer)
}

/// Answers in the markers of the protocol.
fn from_markers(text: &str) -> Result<Vec<Answer>, BadRescue> {
    let mut found = Vec::new();
    if !extents(text).is_empty() {
        let payload = Escalation::read(text).map_err(|_| BadRescue::WrongField { field: "escalation" })?;
        found.push(Answer::Escalation(payload));
    }
    let lower = text.to_ascii_lowercase();
    for (at, _) in lower.match_indices("[need_context") {
        let inside = text[at..].split(']').next().unwrap_or_default();
        let target = inside.split_once(':').and_then(|(_, target)| ContextTarget::read(target));
        let answer = Answer::NeedContext(target.ok_or(BadRescue::WrongField { field: "target" })?);
        if !found.contains(&answer) {
            found.push(answer);
        }
    }
    if let Some(at) = lower.find("[coherence_check_failed]") {
        let behind = text[at..].lines().skip(1).map(|line| line.trim().trim_start_matches(['-', '*', ' ']));
        let between =
            behind.filter(|line| !line.is_empty()).take(MOST_ITEMS).map(|line| one_line(line, LONGEST_ITEM));
        let mut between: Vec<String> = between.collect();
        if between.is_empty() {
            between.push("what contradicts what was not said".to_owned());
        }
        found.push(Answer::CoherenceCheckFailed(between));
    }
    Ok(found)
}

/// An answer that was written down.
impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        from_object(&Map::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn from_object(fields: &Map<String, Value>) -> Result<Answer, BadRescue> {
    let kind = fields.get("kind").and_then(Value::as_str).and_then(AnswerKind::read);
    let kind = kind.ok_or(BadRescue::WrongField { field: "kind" })?;
    Ok(match kind {
        AnswerKind::ContractCorrection => Answer::ContractCorrection(diagnosis(fields)?),
        AnswerKind::ArchitectureCorrection => Answer::ArchitectureCorrection(diagnosis(fields)?),
        AnswerKind::EnvironmentFix => Answer::EnvironmentFix(diagnosis(fields)?),
        AnswerKind::TestHarnessFix => Answer::TestHarnessFix(diagnosis(fields)?),
        AnswerKind::RetryPacketForCoder => {
            let Some(Value::Object(packet)) = fields.get("retry_packet_for_coder") else {
                return Err(BadRescue::WrongField { field: "retry_packet_for_coder" });
            };
            let packet = retry_packet(packet)?;
            Answer::RetryPacketForCoder(diagnosis_beside(fields, &packet)?, packet)
        }
        AnswerKind::NeedContext => {
            let target = ["target", "need_context"].iter().find_map(|name| fields.get(*name)?.as_str());
            let target = target.and_then(ContextTarget::read);
            Answer::NeedContext(target.ok_or(BadRescue::WrongField { field: "target" })?)
        }
        AnswerKind::CoherenceCheckFailed => {
            let mut between = texts(fields, "contradictions")?;
            if between.is_empty() {
                between = texts(fields, "observations")?;
            }
            if between.is_empty() {
                return Err(BadRescue::WrongField { field: "contradictions" });
            }
            Answer::CoherenceCheckFailed(between)
        }
        AnswerKind::Escalation => {
            let text = fields.get("escalation").and_then(Value::as_str).unwrap_or_default();
            let payload =
                Escalation::read(text).map_err(|_| BadRescue::WrongField { field: "escalation" })?;
            Answer::Escalation(payload)
        }
    })
}

fn diagnosis(fields: &Map<String, Value>) -> Result<Diagnosis, BadRescue> {
    let observations = texts(fields, "observations")?;
    if observations.is_empty() {
        // A hypothesis that rests on nothing is made up.
        return Err(BadRescue::WrongField { field: "observations" });
    }
    Ok(Diagnosis {
        failure_layer: layer(fields)?,
        observations,
        new_hypothesis: text(fields, "new_hypothesis")?,
        action: text(fields, "action")?,
        proof_patch: proof_patch(fields)?,
    })
}

/// A patch that came along. One that is no unified diff, or a whole implementation, does not count, nor does its answer.
fn proof_patch(fields: &Map<String, Value>) -> Result<Option<String>, BadRescue> {
    let wrong = BadRescue::WrongField { field: "proof_patch" };
    match fields.get("proof_patch") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(patch)) if patch.trim().is_empty() => Ok(None),
        Some(Value::String(patch)) => {
            let is_diff = patch.lines().any(|line| line.starts_with("+++ "))
                && patch.lines().any(|line| line.starts_with("@@"));
            let is_small = patch.lines().count() <= LARGEST_PATCH_LINES && patch.len() <= LARGEST_PATCH;
            if is_diff && is_small { Ok(Some(patch.trim_end().to_owned())) } else { Err(wrong) }
        }
        Some(_) => Err(wrong),
    }
}

/// A packet says its hypothesis and layer itself; where the answer leaves them out beside it, they are the packet's.
fn diagnosis_beside(fields: &Map<String, Value>, packet: &RetryPacket) -> Result<Diagnosis, BadRescue> {
    let mut whole = fields.clone();
    let is_empty =
        |value: Option<&Value>| value.is_none_or(|value| value.is_null() || value.as_str() == Some(""));
    for (name, value) in [
        ("new_hypothesis", packet.new_hypothesis.clone()),
        ("failure_layer", packet.failure_layer.name().to_owned()),
        ("action", "retry with the packet in a clean context".to_owned()),
    ] {
        if is_empty(whole.get(name)) {
            whole.insert(name.to_owned(), Value::String(value));
        }
    }
    diagnosis(&whole)
}

fn retry_packet(fields: &Map<String, Value>) -> Result<RetryPacket, BadRescue> {
    let packet = RetryPacket {
        new_hypothesis: text(fields, "new_hypothesis")?,
        failure_layer: layer(fields)?,
        files_to_recheck: texts(fields, "files_to_recheck")?,
        forced_checklist: texts(fields, "forced_checklist")?,
        constraints: texts(fields, "constraints")?,
        what_not_to_retry: texts(fields, "what_not_to_retry")?,
        decision_memory_notes: texts(fields, "decision_memory_notes")?,
    };
    Ok(packet.bounded())
}

fn layer(fields: &Map<String, Value>) -> Result<FailureLayer, BadRescue> {
    let named = fields.get("failure_layer").and_then(Value::as_str).and_then(FailureLayer::read);
    named.ok_or(BadRescue::WrongField { field: "failure_layer" })
}

fn text(fields: &Map<String, Value>, field: &'static str) -> Result<String, BadRescue> {
    let text = fields.get(field).and_then(Value::as_str).map(|text| one_line(text, LONGEST_TEXT));
    text.filter(|text| !text.is_empty()).ok_or(BadRescue::WrongField { field })
}

/// A list of texts; a single text is a list of one.
fn texts(fields: &Map<String, Value>, field: &'static str) -> Result<Vec<String>, BadRescue> {
    let wrong = BadRescue::WrongField { field };
    let items = match fields.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::String(text)) => vec![one_line(text, LONGEST_ITEM)],
        Some(Value::Array(items)) => {
            let texts = items
                .iter()
                .take(MOST_ITEMS)
                .map(|item| item.as_str().map(|text| one_line(text, LONGEST_ITEM)));
            texts.collect::<Option<Vec<String>>>().ok_or(wrong)?
        }
        Some(_) => return Err(wrong),
    };
    Ok(items.into_iter().filter(|item| !item.is_empty()).collect())
}
