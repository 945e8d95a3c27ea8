//! `self-report.v1`: what only the agent can say about its work, written by it before it stops.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reflection::{MostLikelyWrong, UnitInterval, object, object_or_null};
use crate::timestamp::Timestamp;

/// What an agent says about its own work. Every key may be left out; no other key is valid.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "SelfReportV1")]
pub struct SelfReport {
    /// The session this report belongs to; without it the next stop takes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub session_id: Option<String>,
    /// How sure the agent is that the work is right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confidence: Option<UnitInterval>,
    /// The single most likely way in which the work is wrong.
    #[serde(default, deserialize_with = "object_or_null", skip_serializing_if = "Option::is_none")]
    pub most_likely_wrong: Option<MostLikelyWrong>,
    /// What the agent knows that the change does not show.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub known_not_in_diff: Option<String>,
}

/// Why a report that was there is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It names another session.
    #[error("the self-report belongs to session {0:?}")]
    OtherSession(String),
    /// It was written before this session began.
    #[error("the self-report was written at {written}, before this session began at {began}")]
    Stale {
        /// When the report was last written.
        written: Timestamp,
        /// When the session began.
        began: Timestamp,
    },
}

impl SelfReport {
    /// Reads a self-report from JSON.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Self> {
        let mut input = serde_json::Deserializer::from_slice(json);
        let report = object(&mut input)?;
        input.end()?;
        Ok(report)
    }

    /// Whether this report, written at `written`, may speak for `session` that began at `began` (if that was recorded).
    pub fn admit(
        &self,
        session: &str,
        written: &Timestamp,
        began: Option<&Timestamp>,
    ) -> Result<(), Refusal> {
        if let Some(named) = &self.session_id
            && named != session
        {
            return Err(Refusal::OtherSession(named.clone()));
        }
        match began {
            Some(began) if written < began => {
                Err(Refusal::Stale { written: written.clone(), began: began.clone() })
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u8) -> Timestamp {
        Timestamp::try_from(format!("2026-11-15T10:40:{second:02}.000000Z")).unwrap()
    }

    #[test]
    fn admission() {
        let anonymous = SelfReport::default();
        let named = SelfReport { session_id: Some("s1".into()), ..SelfReport::default() };
        assert_eq!(anonymous.admit("s1", &at(5), None), Ok(()));
        assert_eq!(anonymous.admit("s1", &at(5), Some(&at(4))), Ok(()));
        assert_eq!(anonymous.admit("s1", &at(5), Some(&at(5))), Ok(()));
        assert_eq!(named.admit("s1", &at(5), None), Ok(()));
        assert!(matches!(named.admit("s2", &at(5), None), Err(Refusal::OtherSession(_))));
        assert!(matches!(anonymous.admit("s1", &at(5), Some(&at(6))), Err(Refusal::Stale { .. })));
    }
}
