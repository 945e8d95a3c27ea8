//! The published schemas, generated from the Rust types that read and write the records.

mod typescript;

use schemars::generate::SchemaSettings;
use serde_json::Value;

use crate::reflection::Reflection;
use crate::report::receipt::Receipt;
use crate::self_report::SelfReport;

/// A published format.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// What an agent knew and touched when it stopped.
    ReflectionV1,
    /// What an agent says about its own work.
    SelfReportV1,
    /// What supports the claims about a change.
    ReceiptV1,
}

impl Format {
    /// Every published format.
    pub const ALL: [Self; 3] = [Self::ReflectionV1, Self::SelfReportV1, Self::ReceiptV1];

    /// The name it is published under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ReflectionV1 => "reflection.v1",
            Self::SelfReportV1 => "self-report.v1",
            Self::ReceiptV1 => "receipt.v1",
        }
    }

    /// The format called `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Its JSON Schema (draft 2020-12).
    pub fn json_schema(self) -> Value {
        let mut settings = SchemaSettings::draft2020_12().for_serialize();
        settings.inline_subschemas = true;
        let generator = settings.into_generator();
        match self {
            Self::ReflectionV1 => generator.into_root_schema_for::<Reflection>().to_value(),
            Self::SelfReportV1 => generator.into_root_schema_for::<SelfReport>().to_value(),
            Self::ReceiptV1 => generator.into_root_schema_for::<Receipt>().to_value(),
        }
    }

    /// Whether `json` is a valid record of this format, by the Rust type itself.
    pub fn accepts(self, json: &str) -> Result<(), serde_json::Error> {
        match self {
            Self::ReflectionV1 => Reflection::from_json(json.as_bytes()).map(|_| ()),
            Self::SelfReportV1 => SelfReport::from_json(json.as_bytes()).map(|_| ()),
            Self::ReceiptV1 => Receipt::from_json(json.as_bytes()).map(|_| ()),
        }
    }
}

/// One TypeScript module with a zod schema and a type for every published format.
pub fn typescript() -> Result<String, typescript::Unsupported> {
    typescript::module(&Format::ALL.map(|format| (format.name(), format.json_schema())))
}
