//! What is worth telling a person who is elsewhere: a run that needs a human, that hit a usage limit, or that is stuck.

use serde::{Deserialize, Serialize};

use crate::interrupt::Why;
use crate::session::is_usage_limit;
use crate::verdict::{Ending, Pause, Policy, Standing};

/// What a person is told about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Only a human can go on.
    NeedsHuman,
    /// The provider's limit was hit.
    UsageLimit,
    /// It stopped in the middle, or goes round in circles.
    Stuck,
}

impl About {
    /// What there is to tell of a stop that was let go.
    pub fn stop(why: Why, standing: Standing, policy: Policy) -> Option<Self> {
        // A human who spoke, or who asked for no more than an answer, waits for nothing.
        let asks = matches!(why, Why::AwaitingUser | Why::PendingQuestion | Why::PlanMode);
        match standing {
            Standing::Paused(Pause::BlockedOnHuman) => Some(Self::NeedsHuman),
            // A human at the terminal sees the question.
            Standing::Paused(Pause::WaitingForUser) if asks && !policy.attended => Some(Self::NeedsHuman),
            Standing::Ended(Ending::UsageLimit) => Some(Self::UsageLimit),
            Standing::Ended(Ending::Stuck) => Some(Self::Stuck),
            _ => None,
        }
    }

    /// What there is to tell of a turn that failed with these words.
    pub fn failure(error: &str) -> Option<Self> {
        is_usage_limit(error).then_some(Self::UsageLimit)
    }

    /// The words for a person.
    pub fn words(self) -> &'static str {
        match self {
            Self::NeedsHuman => "needs you",
            Self::UsageLimit => "hit a usage limit",
            Self::Stuck => "is stuck",
        }
    }
}

/// What is sent: the same for a command and for a webhook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// What about.
    pub event: About,
    /// The agent's id for the session.
    pub session: String,
    /// The agent.
    pub agent: String,
    /// The folder.
    pub workspace: String,
    /// The one line that matters.
    pub line: String,
}

/// The longest line.
const LONGEST: usize = 300;

impl Notice {
    /// A notice whose line is what was said about it, or the general words.
    pub fn new(event: About, session: &str, agent: &str, workspace: &str, said: &str) -> Self {
        let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
        let line = if said.is_empty() { event.words().to_owned() } else { said };
        Self {
            event,
            session: session.to_owned(),
            agent: agent.to_owned(),
            workspace: workspace.to_owned(),
            line: line.chars().take(LONGEST).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Autonomy;

    #[test]
    fn only_what_a_human_must_know_is_told() {
        let policy = |attended| Policy { attended, autonomy: Autonomy::Auto };
        let (waiting, asked) = (Standing::Paused(Pause::WaitingForUser), Why::PendingQuestion);
        for (why, standing, attended, expected) in [
            (Why::Complete, Standing::Ended(Ending::Complete), false, None),
            (Why::NotEnough, Standing::Ended(Ending::Failed), false, None),
            (Why::NotEnough, Standing::Ended(Ending::UsageLimit), true, Some(About::UsageLimit)),
            (Why::NoProgress, Standing::Ended(Ending::Stuck), false, Some(About::Stuck)),
            (Why::BlockedOnHuman, Standing::Paused(Pause::BlockedOnHuman), true, Some(About::NeedsHuman)),
            (asked, waiting, false, Some(About::NeedsHuman)),
            (Why::AwaitingUser, waiting, false, Some(About::NeedsHuman)),
            (asked, waiting, true, None),
            (Why::HumanSpoke, waiting, false, None),
            (Why::HumanSaid, waiting, false, None),
            (Why::ChatTurn, waiting, false, None),
            (Why::Background, Standing::Paused(Pause::WaitingBackground), false, None),
        ] {
            assert_eq!(
                About::stop(why, standing, policy(attended)),
                expected,
                "{why:?} {standing:?} {attended}"
            );
        }
        assert_eq!(About::failure("Claude usage limit reached"), Some(About::UsageLimit));
        assert_eq!(About::failure("connection refused"), None);
    }
}
