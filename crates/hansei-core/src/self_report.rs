//! `self-report.v1`: what only the agent can say about its work, written by it before it stops.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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

    /// Reads a self-report that may hold keys which nobody knows: they are left out, and named.
    pub fn known_part(json: &[u8]) -> serde_json::Result<(Self, Vec<String>)> {
        let strict = Self::from_json(json);
        let Ok(Value::Object(mut fields)) = serde_json::from_slice(json) else {
            return strict.map(|report| (report, Vec::new()));
        };
        let mut unknown = take_unknown(&mut fields, &KEYS, "");
        if let Some(Value::Object(wrong)) = fields.get_mut("most_likely_wrong") {
            unknown.extend(take_unknown(wrong, &KEYS_OF_WRONG, "most_likely_wrong."));
        }
        if unknown.is_empty() {
            return strict.map(|report| (report, unknown));
        }
        Ok((serde_json::from_value(Value::Object(fields))?, unknown))
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

/// The keys of a self-report.
const KEYS: [&str; 4] = ["session_id", "confidence", "most_likely_wrong", "known_not_in_diff"];
/// Those of its part about what is wrong.
const KEYS_OF_WRONG: [&str; 2] = ["surface", "description"];

/// Takes out what is not in `known`, and names it.
fn take_unknown(fields: &mut Map<String, Value>, known: &[&str], within: &str) -> Vec<String> {
    let unknown: Vec<String> = fields.keys().filter(|key| !known.contains(&key.as_str())).cloned().collect();
    fields.retain(|key, _| known.contains(&key.as_str()));
    unknown.into_iter().map(|key| format!("{within}{key}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: u8) -> Timestamp {
        Timestamp::try_from(format!("2026-11-15T10:40:{second:02}.000000Z")).unwrap()
    }

    #[test]
    fn what_nobody_knows_takes_nothing_else_with_it() {
        for (json, unknown) in [
            (r#"{"confidence": 0.5}"#, vec![]),
            (r#"{"confidence": 0.5, "mood": "good"}"#, vec!["mood"]),
            (
                r#"{"confidence": 0.5, "most_likely_wrong": {"surface": "auth", "description": "x", "line": 7}}"#,
                vec!["most_likely_wrong.line"],
            ),
        ] {
            let (report, named) = SelfReport::known_part(json.as_bytes()).unwrap();
            assert!((report.confidence.unwrap().get() - 0.5).abs() < f64::EPSILON, "{json}");
            assert_eq!(report.most_likely_wrong.is_some(), json.contains("auth"), "{json}");
            assert_eq!(named, unknown, "{json}");
        }
        for json in [r#"{"confidence": 2, "mood": "good"}"#, r#"{"confidence": "high"}"#, "[]", "not json"] {
            assert!(SelfReport::known_part(json.as_bytes()).is_err(), "{json}");
        }
        // Every key of the schema is known.
        let wrong = Some(MostLikelyWrong { surface: crate::surface::Surface::Auth, description: "x".into() });
        let whole = SelfReport {
            session_id: Some("s".into()),
            confidence: UnitInterval::try_from(0.5).ok(),
            most_likely_wrong: wrong,
            known_not_in_diff: Some("y".into()),
        };
        let json = serde_json::to_vec(&whole).unwrap();
        assert_eq!(SelfReport::known_part(&json).unwrap(), (whole, Vec::new()));
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
