//! The part of a system that a change touches, ordered by what a mistake there would cost.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A review surface. The order of the variants is the order of precedence: the first that matches a path wins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub enum Surface {
    /// Who may do what: logins, sessions, tokens, permissions, secrets.
    Auth,
    /// What is stored and in which shape.
    Data,
    /// What runs where.
    Infra,
    /// What people see.
    Ui,
    /// How the program is put together.
    Build,
    /// Checks.
    Test,
    /// Prose.
    Docs,
    /// Nothing that the floor knows.
    None,
}

impl Surface {
    /// Every surface, in the order in which the schemas list them.
    pub const ALL: [Self; 8] =
        [Self::Auth, Self::Data, Self::Infra, Self::Ui, Self::Build, Self::Test, Self::Docs, Self::None];

    /// What a mistake on this surface costs, between 0 and 1.
    pub const fn weight(self) -> f64 {
        match self {
            Self::Auth => 1.0,
            Self::Data => 0.9,
            Self::Infra => 0.85,
            Self::Build => 0.6,
            Self::Ui => 0.4,
            Self::Test => 0.2,
            Self::Docs => 0.1,
            Self::None => 0.0,
        }
    }

    /// The name in records and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Auth => "auth",
            Self::Data => "data",
            Self::Infra => "infra",
            Self::Ui => "ui",
            Self::Build => "build",
            Self::Test => "test",
            Self::Docs => "docs",
            Self::None => "none",
        }
    }

    /// The surface called `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|surface| surface.name() == name)
    }
}

impl std::fmt::Display for Surface {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}
