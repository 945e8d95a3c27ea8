//! `reflection.v1`: what an agent knew and what it touched when it stopped.
//!
//! This type is the source of the JSON Schema and of the zod schema. Every key is always present and no other key is
//! valid. Some fields are *mechanical* (measured by us), some are *self-reported* (only the agent can know them) and
//! null when the agent said nothing.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};

use crate::risk::RiskVerdict;
use crate::surface::Surface;
use crate::timestamp::Timestamp;

/// What an agent knew and what it touched when it stopped.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ReflectionV1")]
pub struct Reflection {
    /// Names this format.
    pub schema: SchemaName,
    /// The task this stop belongs to: given by the caller, else `<repo>@<branch>`.
    pub task_ref: String,
    /// The agent or persona that did the work.
    pub agent: String,
    /// The agent's own id for the session, or `unknown`.
    pub session_id: String,
    /// When the agent stopped.
    pub timestamp: Timestamp,
    /// The name of the repository's root folder.
    pub repo: String,
    /// Self-reported: how sure the agent is that the work is right.
    #[serde(deserialize_with = "present")]
    pub confidence: Option<UnitInterval>,
    /// Self-reported: the single most likely way in which the work is wrong.
    #[serde(deserialize_with = "object_or_null")]
    pub most_likely_wrong: Option<MostLikelyWrong>,
    /// Self-reported: what the agent knows that the change does not show.
    #[serde(deserialize_with = "present")]
    pub known_not_in_diff: Option<String>,
    /// The review risk floor of the change.
    #[serde(deserialize_with = "object")]
    pub risk: RiskVerdict,
    /// Paths that changed since the session began, escaped as `path_text` does.
    pub files_changed: Vec<String>,
    /// How this record came about.
    #[serde(deserialize_with = "object")]
    pub provenance: Provenance,
}

impl Reflection {
    /// Reads a reflection from JSON.
    pub fn from_json(json: &[u8]) -> serde_json::Result<Self> {
        let mut input = serde_json::Deserializer::from_slice(json);
        let reflection = object(&mut input)?;
        input.end()?;
        Ok(reflection)
    }
}

/// The literal `reflection.v1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(inline)]
pub enum SchemaName {
    /// The only version so far.
    #[serde(rename = "reflection.v1")]
    ReflectionV1,
}

/// Where and how the work is most likely wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct MostLikelyWrong {
    /// The part of the system.
    pub surface: Surface,
    /// What would be wrong there.
    pub description: String,
}

/// How a reflection came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct Provenance {
    /// What wrote the record.
    pub source: Source,
    /// The how-manieth stop of this task it is, counted from 1.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(range(min = 1, max = 4_294_967_295_u32))]
    pub reflection_attempt: u32,
    /// Whether something that belongs in the record could not be had.
    pub degraded: bool,
    /// The mode the hook ran in.
    pub reflection_mode: Mode,
}

/// What wrote a reflection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(inline)]
pub enum Source {
    /// The hook that an agent calls when it stops.
    StopHook,
}

/// How far Hansei may go in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Mode {
    /// A strict no-op.
    Off,
    /// Capture, and the judge may send the agent back.
    Solo,
    /// Capture and record; never steer the agent.
    Orchestrated,
}

impl Mode {
    /// The mode called `name`. Whatever is not exactly `solo` or `orchestrated` is off.
    pub fn from_name(name: &str) -> Self {
        match name {
            "solo" => Self::Solo,
            "orchestrated" => Self::Orchestrated,
            _ => Self::Off,
        }
    }
}

/// A number from 0 to 1.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64")]
pub struct UnitInterval(f64);

/// A number that is not between 0 and 1.
#[derive(Debug, thiserror::Error)]
#[error("{0} is not a number from 0 to 1")]
pub struct OutOfRange(f64);

impl UnitInterval {
    /// One.
    pub const ONE: Self = Self(1.0);

    /// The number.
    pub fn get(self) -> f64 {
        self.0
    }
}

impl TryFrom<f64> for UnitInterval {
    type Error = OutOfRange;

    fn try_from(value: f64) -> Result<Self, OutOfRange> {
        if (0.0..=1.0).contains(&value) { Ok(Self(value)) } else { Err(OutOfRange(value)) }
    }
}

impl JsonSchema for UnitInterval {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "UnitInterval".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": "number", "minimum": 0, "maximum": 1 })
    }
}

/// Reads an optional value whose key must nevertheless be there.
pub(crate) fn present<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    input: D,
) -> Result<Option<T>, D::Error> {
    Option::deserialize(input)
}

/// Reads a record from a JSON object. By itself serde also takes an array of the fields in order, which no schema does.
pub(crate) fn object<'de, D: Deserializer<'de>, T: DeserializeOwned>(input: D) -> Result<T, D::Error> {
    let fields = serde_json::Map::deserialize(input)?;
    T::deserialize(serde_json::Value::Object(fields)).map_err(serde::de::Error::custom)
}

/// [`object`], or null; the key must be there.
pub(crate) fn object_or_null<'de, D: Deserializer<'de>, T: DeserializeOwned>(
    input: D,
) -> Result<Option<T>, D::Error> {
    match Option::<serde_json::Map<String, serde_json::Value>>::deserialize(input)? {
        Some(fields) => object(serde_json::Value::Object(fields)).map(Some).map_err(serde::de::Error::custom),
        None => Ok(None),
    }
}

/// Reads a list of records, each from a JSON object.
pub(crate) fn objects<'de, D: Deserializer<'de>, T: DeserializeOwned>(input: D) -> Result<Vec<T>, D::Error> {
    let list = Vec::<serde_json::Map<String, serde_json::Value>>::deserialize(input)?;
    let read = |fields| object(serde_json::Value::Object(fields)).map_err(serde::de::Error::custom);
    list.into_iter().map(read).collect()
}

/// Reads an exit code, or null, also when it is written as `1.0`; the key must be there.
pub(crate) fn whole_code<'de, D: Deserializer<'de>>(input: D) -> Result<Option<i32>, D::Error> {
    let Some(number) = Option::<f64>::deserialize(input)? else { return Ok(None) };
    if number.fract() == 0.0 && (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&number) {
        // Checked just above: whole and within range.
        #[allow(clippy::cast_possible_truncation)]
        Ok(Some(number as i32))
    } else {
        Err(serde::de::Error::custom(format_args!("{number} is not an exit code")))
    }
}

/// Reads a whole number also when it is written as `1.0`, as JSON Schema and JavaScript do.
fn whole_number<'de, D: Deserializer<'de>>(input: D) -> Result<u32, D::Error> {
    let number = f64::deserialize(input)?;
    if number.fract() == 0.0 && (1.0..=f64::from(u32::MAX)).contains(&number) {
        // Checked just above: whole and within range.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        Ok(number as u32)
    } else {
        Err(serde::de::Error::custom(format_args!("{number} is not a whole number from 1")))
    }
}
