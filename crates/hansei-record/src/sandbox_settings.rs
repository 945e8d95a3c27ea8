//! Settings of the sandbox, which stand only in the user's own file: they open windows in its walls.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What sandboxed commands may use and see beside the usual.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SandboxSettings {
    /// The most memory of one command, in mebibytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mib: Option<u64>,
    /// The most processes and threads of one command.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub processes: Option<u32>,
    /// The longest that one command may run, in seconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seconds: Option<u64>,
    /// Further files and folders that may be read; `~` is the home.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub readable: Vec<PathBuf>,
    /// Names of further variables that may be seen.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub environment: Vec<String>,
}

impl SandboxSettings {
    /// Each key with its value, where it is set.
    pub fn rows(&self) -> Vec<(&'static str, Option<Value>)> {
        let list = |set: Value, is_empty: bool| (!is_empty).then_some(set);
        vec![
            ("memory_mib", self.memory_mib.map(|value| json!(value))),
            ("processes", self.processes.map(|value| json!(value))),
            ("seconds", self.seconds.map(|value| json!(value))),
            ("readable", list(json!(self.readable), self.readable.is_empty())),
            ("environment", list(json!(self.environment), self.environment.is_empty())),
        ]
    }
}
