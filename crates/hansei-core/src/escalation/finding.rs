//! A cause that a probe found outside the code's logic, with the place where it was seen and what mends it.

use serde::{Deserialize, Serialize};

use super::FailureLayer;

/// One blind zone that a probe looks into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Probe {
    /// Imports, includes and paths in manifests and scripts.
    Imports,
    /// Configuration files and environment variables.
    Config,
    /// Manifest, lock and what is installed.
    Dependencies,
    /// Versions of compilers, interpreters and build tools.
    Toolchain,
    /// Fixtures, mocks and the set-up of tests.
    Fixtures,
    /// Built or generated files that are older than what they come from.
    StaleBuild,
    /// The folder that a command runs in.
    WrongFolder,
    /// Ports that are already listened on.
    Port,
    /// Rights of files and interpreters of scripts.
    Permissions,
    /// The clock, time zones, locales and encodings.
    ClockLocale,
    /// Names that differ only in case.
    FileCase,
    /// Carriage returns where they break something.
    LineEndings,
    /// The state of the repository.
    GitState,
    /// Space on the disk.
    Disk,
}

impl Probe {
    /// Every probe.
    pub const ALL: [Self; 14] = [
        Self::Imports,
        Self::Config,
        Self::Dependencies,
        Self::Toolchain,
        Self::Fixtures,
        Self::StaleBuild,
        Self::WrongFolder,
        Self::Port,
        Self::Permissions,
        Self::ClockLocale,
        Self::FileCase,
        Self::LineEndings,
        Self::GitState,
        Self::Disk,
    ];

    /// Its name in findings.
    pub fn name(self) -> &'static str {
        match self {
            Self::Imports => "imports",
            Self::Config => "config",
            Self::Dependencies => "dependencies",
            Self::Toolchain => "toolchain",
            Self::Fixtures => "fixtures",
            Self::StaleBuild => "stale_build",
            Self::WrongFolder => "wrong_folder",
            Self::Port => "port",
            Self::Permissions => "permissions",
            Self::ClockLocale => "clock_locale",
            Self::FileCase => "file_case",
            Self::LineEndings => "line_endings",
            Self::GitState => "git_state",
            Self::Disk => "disk",
        }
    }
}

/// What a probe found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    /// Who found it.
    pub probe: Probe,
    /// What is wrong, in one sentence that names the thing.
    pub cause: String,
    /// Where it was seen.
    pub evidence: String,
    /// What mends it: a command or an edit.
    pub fix: String,
}

impl Finding {
    /// The layer that the cause lies in.
    pub fn layer(&self) -> FailureLayer {
        match self.probe {
            Probe::Dependencies => FailureLayer::Dependency,
            Probe::Fixtures => FailureLayer::TestHarness,
            Probe::StaleBuild | Probe::GitState => FailureLayer::SourceSnapshot,
            Probe::Imports | Probe::Config | Probe::FileCase | Probe::LineEndings => {
                FailureLayer::HiddenAssumption
            }
            Probe::Toolchain
            | Probe::WrongFolder
            | Probe::Port
            | Probe::Permissions
            | Probe::ClockLocale
            | Probe::Disk => FailureLayer::Environment,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_finding_has_four_fields_and_a_layer_that_is_known() {
        for probe in Probe::ALL {
            let finding =
                Finding { probe, cause: "c".to_owned(), evidence: "e".to_owned(), fix: "f".to_owned() };
            let written = serde_json::to_value(&finding).unwrap();
            assert_eq!(written["probe"], probe.name());
            assert_eq!(written.as_object().unwrap().len(), 4);
            assert_ne!(finding.layer(), FailureLayer::Unknown);
            assert_eq!(serde_json::from_value::<Finding>(written).unwrap(), finding);
        }
    }
}
