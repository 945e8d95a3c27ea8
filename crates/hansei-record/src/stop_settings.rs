//! Settings of what happens at a stop.
//!
//! A repository is not trusted: its file may lower how far Hansei goes, and only the user's own raises it.

use hansei_core::interrupt::Caps;
use hansei_core::verdict::Autonomy;
use serde::{Deserialize, Serialize};

/// What happens at a stop.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopSettings {
    /// What "shall I go on?" means. `auto` also says that nobody sits there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub autonomy: Option<Autonomy>,
    /// How often an agent is sent back for one task with nobody there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts: Option<u32>,
    /// How often an agent is sent back for one task with a human at the terminal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_attempts_attended: Option<u32>,
}

impl StopSettings {
    /// These settings of a workspace under those of the user.
    #[must_use]
    pub fn under(&self, user: &Self) -> Self {
        let defaults = Caps::default();
        let lower = |workspace: Option<u32>, user: Option<u32>, default: u32| {
            Some(workspace.unwrap_or(u32::MAX).min(user.unwrap_or(default)))
        };
        let autonomy = match (self.autonomy, user.autonomy) {
            (Some(Autonomy::Ask), _) => Some(Autonomy::Ask),
            (_, user) => user,
        };
        Self {
            autonomy,
            max_attempts: lower(self.max_attempts, user.max_attempts, defaults.unattended),
            max_attempts_attended: lower(
                self.max_attempts_attended,
                user.max_attempts_attended,
                defaults.attended,
            ),
        }
    }

    /// How often, with what an agent itself puts up with.
    pub fn caps(&self, in_a_row: Option<u32>) -> Caps {
        let defaults = Caps::default();
        Caps {
            attended: self.max_attempts_attended.unwrap_or(defaults.attended),
            unattended: self.max_attempts.unwrap_or(defaults.unattended),
            in_a_row,
            ..defaults
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repository_lowers_and_never_raises() {
        let set = |autonomy, most| StopSettings { autonomy, max_attempts: most, max_attempts_attended: most };
        let none = StopSettings::default();
        for (workspace, user, autonomy, attended) in [
            (none.clone(), none.clone(), None, 2),
            (set(Some(Autonomy::Auto), Some(99)), none.clone(), None, 2),
            (set(Some(Autonomy::Ask), Some(0)), set(Some(Autonomy::Auto), Some(9)), Some(Autonomy::Ask), 0),
            (none.clone(), set(Some(Autonomy::Auto), Some(9)), Some(Autonomy::Auto), 9),
        ] {
            let both = workspace.under(&user);
            assert_eq!(
                (both.autonomy, both.caps(None).attended),
                (autonomy, attended),
                "{workspace:?} {user:?}"
            );
        }
    }
}
