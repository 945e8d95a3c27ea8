//! What the unblocker may answer: exactly one of eight, and in its terminal mode only the last.

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use super::attempt::RescueMode;
use super::layer::FailureLayer;
use super::payload::Escalation;
use super::retry_packet::RetryPacket;

/// One answer of the unblocker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// What was promised is not what is needed: the delta.
    ContractCorrection(Diagnosis),
    /// A bounded correction of a boundary.
    ArchitectureCorrection(Diagnosis),
    /// A precise fix of the environment.
    EnvironmentFix(Diagnosis),
    /// A fix of tests, fixtures or mocks themselves.
    TestHarnessFix(Diagnosis),
    /// The task goes back to a coder, who starts clean.
    RetryPacketForCoder(Diagnosis, RetryPacket),
    /// Something is missing.
    NeedContext(ContextTarget),
    /// The contract, the forced context, what was seen at run time and decision memory contradict each other.
    CoherenceCheckFailed(Vec<String>),
    /// The rescue is blocked as well.
    Escalation(Escalation),
}

/// What was found, compactly.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnosis {
    /// Where the failure lies.
    pub failure_layer: FailureLayer,
    /// Facts that speak for it.
    pub observations: Vec<String>,
    /// What is wrong, in a sentence.
    pub new_hypothesis: String,
    /// The one bounded action.
    pub action: String,
    /// The smallest unified diff that proves it, where one came along. Nobody applies it but whoever works on the task.
    pub proof_patch: Option<String>,
}

/// What is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ContextTarget {
    /// The trigger: there is no payload, or its attempt is below the fourth.
    EscalationPayload,
    /// The handoff carries what it must not.
    CleanHandoff,
    /// Anything else, named in a few words.
    Other(String),
}

impl ContextTarget {
    /// Its name in the marker.
    pub fn name(&self) -> &str {
        match self {
            Self::EscalationPayload => "escalation_payload",
            Self::CleanHandoff => "clean_handoff",
            Self::Other(name) => name,
        }
    }

    /// The target that a marker names.
    pub fn read(name: &str) -> Option<Self> {
        let name = crate::model_text::one_line(name, 120).replace(['[', ']'], "");
        match name.trim().to_ascii_lowercase().replace([' ', '-'], "_").as_str() {
            "" | "target" => None,
            "escalation_payload" => Some(Self::EscalationPayload),
            "clean_handoff" => Some(Self::CleanHandoff),
            _ => Some(Self::Other(name.trim().to_owned())),
        }
    }
}

/// The kinds of answers, for prompts and readers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerKind {
    /// See [`Answer::ContractCorrection`].
    ContractCorrection,
    /// See [`Answer::ArchitectureCorrection`].
    ArchitectureCorrection,
    /// See [`Answer::EnvironmentFix`].
    EnvironmentFix,
    /// See [`Answer::TestHarnessFix`].
    TestHarnessFix,
    /// See [`Answer::RetryPacketForCoder`].
    RetryPacketForCoder,
    /// See [`Answer::NeedContext`].
    NeedContext,
    /// See [`Answer::CoherenceCheckFailed`].
    CoherenceCheckFailed,
    /// See [`Answer::Escalation`].
    Escalation,
}

impl AnswerKind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::ContractCorrection,
        Self::ArchitectureCorrection,
        Self::EnvironmentFix,
        Self::TestHarnessFix,
        Self::RetryPacketForCoder,
        Self::NeedContext,
        Self::CoherenceCheckFailed,
        Self::Escalation,
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::ContractCorrection => "contract_correction",
            Self::ArchitectureCorrection => "architecture_correction",
            Self::EnvironmentFix => "environment_fix",
            Self::TestHarnessFix => "test_harness_fix",
            Self::RetryPacketForCoder => "retry_packet_for_coder",
            Self::NeedContext => "need_context",
            Self::CoherenceCheckFailed => "coherence_check_failed",
            Self::Escalation => "escalation",
        }
    }

    /// The kind that a text names.
    pub fn read(text: &str) -> Option<Self> {
        let plain = text.trim().trim_matches(|c: char| !c.is_ascii_alphanumeric());
        let name = plain.to_ascii_lowercase().replace(['-', ' '], "_");
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Whether a rescue in this mode may answer so: the terminal payload is for the terminal mode, and for it alone.
    pub fn is_allowed_in(self, mode: RescueMode) -> bool {
        (self == Self::Escalation) == (mode == RescueMode::Terminal)
    }
}

impl Answer {
    /// Of which kind it is.
    pub fn kind(&self) -> AnswerKind {
        match self {
            Self::ContractCorrection(_) => AnswerKind::ContractCorrection,
            Self::ArchitectureCorrection(_) => AnswerKind::ArchitectureCorrection,
            Self::EnvironmentFix(_) => AnswerKind::EnvironmentFix,
            Self::TestHarnessFix(_) => AnswerKind::TestHarnessFix,
            Self::RetryPacketForCoder(..) => AnswerKind::RetryPacketForCoder,
            Self::NeedContext(_) => AnswerKind::NeedContext,
            Self::CoherenceCheckFailed(_) => AnswerKind::CoherenceCheckFailed,
            Self::Escalation(_) => AnswerKind::Escalation,
        }
    }

    /// What was found, where something was.
    pub fn diagnosis(&self) -> Option<&Diagnosis> {
        match self {
            Self::ContractCorrection(found)
            | Self::ArchitectureCorrection(found)
            | Self::EnvironmentFix(found)
            | Self::TestHarnessFix(found)
            | Self::RetryPacketForCoder(found, _) => Some(found),
            Self::NeedContext(_) | Self::CoherenceCheckFailed(_) | Self::Escalation(_) => None,
        }
    }

    /// The packet for the coder, where it goes back.
    pub fn retry_packet(&self) -> Option<&RetryPacket> {
        match self {
            Self::RetryPacketForCoder(_, packet) => Some(packet),
            _ => None,
        }
    }

    /// Whether there is a way on; the other three kinds say no.
    pub fn is_way_on(&self) -> bool {
        self.diagnosis().is_some()
    }

    /// The answer as text, in the markers of the protocol.
    pub fn text(&self) -> String {
        let list = |items: &[String]| items.iter().flat_map(|item| ["- ", item, "\n"]).collect::<String>();
        match self {
            Self::NeedContext(target) => format!("[NEED_CONTEXT: {}]\n", target.name()),
            Self::CoherenceCheckFailed(between) => format!("[COHERENCE_CHECK_FAILED]\n{}", list(between)),
            Self::Escalation(escalation) => escalation.text(),
            _ => {
                let Some(found) = self.diagnosis() else { return String::new() };
                let packet = self.retry_packet().map(RetryPacket::text).unwrap_or_default();
                let patch = found.proof_patch.as_deref().map(|patch| format!("proof_patch:\n{patch}\n"));
                let patch = patch.unwrap_or_default();
                format!(
                    "{}\nfailure_layer: {}\nobservations:\n{}new_hypothesis: {}\naction: {}\n{patch}{packet}",
                    self.kind().name(),
                    found.failure_layer.name(),
                    list(&found.observations),
                    found.new_hypothesis,
                    found.action,
                )
            }
        }
    }
}

/// `{kind, failure_layer, observations, new_hypothesis, action, retry_packet_for_coder}`, each `null` where there is none,
/// and beside them what the other three kinds carry.
impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let found = self.diagnosis();
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("kind", self.kind().name())?;
        map.serialize_entry("failure_layer", &found.map(|found| found.failure_layer))?;
        map.serialize_entry(
            "observations",
            &found.map(|found| found.observations.clone()).unwrap_or_default(),
        )?;
        map.serialize_entry("new_hypothesis", &found.map(|found| &found.new_hypothesis))?;
        map.serialize_entry("action", &found.map(|found| &found.action))?;
        map.serialize_entry("retry_packet_for_coder", &self.retry_packet())?;
        if let Some(patch) = found.and_then(|found| found.proof_patch.as_ref()) {
            map.serialize_entry("proof_patch", patch)?;
        }
        match self {
            Self::NeedContext(target) => map.serialize_entry("target", target.name())?,
            Self::CoherenceCheckFailed(between) => map.serialize_entry("contradictions", between)?,
            Self::Escalation(escalation) => map.serialize_entry("escalation", &escalation.text())?,
            _ => {}
        }
        map.end()
    }
}
