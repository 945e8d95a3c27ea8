//! The modes of a run, and what each does by default.

use serde::{Deserialize, Serialize};

use super::budget::Quotas;

/// How a task is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// One answer of the model, without tools.
    DirectChat,
    /// Tools, until the model says that it is done.
    React,
    /// A reviewed plan, tools, checks, and reflection where they fail.
    PlanExec,
    /// The same by several who share the work.
    TeamCollab,
    /// One of those: tools, until it says that it is done. The whole is checked, and not its part.
    Expert,
}

/// Modes that are known and not there.
const DEFERRED: &[&str] = &["rewoo", "reflexion"];

/// A name that is no mode.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadMode {
    /// It is known, and not built.
    #[error(
        "the mode {0} is deferred: it is not built; what there is: direct_chat, react, plan_exec, team_collab"
    )]
    Deferred(String),
    /// It is not known.
    #[error("{0:?} is no mode; there are direct_chat, react, plan_exec, team_collab")]
    Unknown(String),
}

impl std::str::FromStr for Mode {
    type Err = BadMode;

    fn from_str(name: &str) -> Result<Self, BadMode> {
        let name = name.to_ascii_lowercase().replace('-', "_");
        match name.as_str() {
            "direct_chat" => Ok(Self::DirectChat),
            "react" => Ok(Self::React),
            "plan_exec" => Ok(Self::PlanExec),
            "team_collab" => Ok(Self::TeamCollab),
            _ if DEFERRED.contains(&name.as_str()) => Err(BadMode::Deferred(name)),
            _ => Err(BadMode::Unknown(name)),
        }
    }
}

impl Mode {
    /// What it is called by.
    pub fn name(self) -> &'static str {
        match self {
            Self::DirectChat => "direct_chat",
            Self::React => "react",
            Self::PlanExec => "plan_exec",
            Self::TeamCollab => "team_collab",
            Self::Expert => "expert",
        }
    }

    /// Whether this is for complex tasks: it is planned, verified, reflected upon, and goes on until it is done.
    pub fn keeps_working(self) -> bool {
        matches!(self, Self::PlanExec | Self::TeamCollab)
    }

    /// Whether the model has tools.
    pub fn has_tools(self) -> bool {
        self != Self::DirectChat
    }

    /// The quotas of its phases, where it has phases.
    pub fn quotas(self) -> Option<Quotas> {
        self.keeps_working().then(Quotas::default)
    }

    /// How often the same call with the same result makes a loop. Whoever keeps working tries similar things again, and
    /// two alike are no loop there.
    pub fn loop_threshold(self) -> usize {
        if self.keeps_working() || self == Self::Expert { 3 } else { 2 }
    }
}
