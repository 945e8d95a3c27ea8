//! Settings of verification, which stand only in the user's own file: they name programs.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is verified beside the built-in ecosystems.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerifySettings {
    /// Further ecosystems. One with the name of a built-in one takes its place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ecosystems: Vec<EcosystemSettings>,
}

/// One ecosystem.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EcosystemSettings {
    /// Its name.
    pub name: String,
    /// Names of the files that make a folder a package of it; `*.ending` stands for any name.
    pub files: Vec<String>,
    /// Command lines that are run in the package's folder.
    pub commands: Vec<String>,
    /// The program that they need.
    pub tool: String,
    /// How to get the program.
    #[serde(default)]
    pub install: String,
}

impl VerifySettings {
    /// Each key with its value, where it is set.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        let set = (!self.ecosystems.is_empty()).then(|| json!(self.ecosystems));
        vec![("ecosystems", set)]
    }
}
