//! What is known about one session when people ask: its transcript, folded, and our own records of it. Either may be missing.

use std::collections::BTreeSet;

use serde::Deserialize;

use crate::event::{Event, Line};
use crate::evidence::{Evidence, Kind, Situation, gather};
use crate::interrupt::{SkipWhy, Why, admissible, task_key};
use crate::session::Session;
use crate::timestamp::Timestamp;
use crate::verdict::{Autonomy, Ending, Judgement, Policy, Standing, Verdict, judge};

/// What is known about one session.
#[derive(Debug, Clone, Default)]
pub struct Account {
    /// The agent's id for it.
    pub id: String,
    /// The agent.
    pub agent: String,
    /// The name of the repository.
    pub repo: String,
    /// The branch that was checked out at its last stop, by our own record.
    pub branch: Option<String>,
    /// The paths that had changed at its last stop, by our own record.
    pub files_changed: Vec<String>,
    /// Whether the folder that it worked in is gone.
    pub folder_is_gone: bool,
    /// The session; none when its transcript is gone or cannot be read.
    pub session: Option<Session>,
    /// Our own events about it.
    pub log: Vec<Line>,
    /// Our newest verdict on it.
    pub verdict: Option<RecordedVerdict>,
    /// Detectors that the user marked wrong in its workspace.
    pub muted: BTreeSet<Kind>,
}

/// A verdict as it was recorded. What newer versions add to it is passed over.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedVerdict {
    /// The agent.
    #[serde(default)]
    pub agent: String,
    /// The verdict.
    pub verdict: Verdict,
    /// How the stop stands.
    #[serde(default)]
    pub ending: Option<Standing>,
    /// What was found.
    #[serde(default)]
    pub evidence: Vec<RecordedEvidence>,
}

/// Evidence as it was recorded.
#[derive(Debug, Clone, Deserialize)]
pub struct RecordedEvidence {
    /// Its id within the verdict.
    pub id: String,
    /// Its kind, of this or a newer version.
    pub kind: String,
    /// The fact.
    pub text: String,
}

/// What Hansei did at the newest stop that it looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastDecision {
    /// The agent was sent back, and no stop followed.
    SentBack,
    /// It was let go.
    LetGo(Why, Option<Standing>),
    /// A human had cancelled.
    Aborted,
}

/// What a session's end says, looked at now.
#[derive(Debug, Clone)]
pub struct Findings {
    /// What was found, without what the user marked wrong.
    pub evidence: Vec<Evidence>,
    /// What follows from it.
    pub judgement: Judgement,
}

impl Account {
    /// When something last happened in it.
    pub fn last(&self) -> Option<&Timestamp> {
        let seen = self.session.as_ref().and_then(|session| session.last.as_ref());
        seen.or_else(|| self.log.last().map(|line| &line.time))
    }

    /// Looks at the session's end as the judge would.
    pub fn findings(&self) -> Option<Findings> {
        let session = self.session.as_ref()?;
        let situation = Situation::of(session);
        let evidence = admissible(gather(&situation), &self.muted);
        let attended = session.circumstances.attended.unwrap_or(true);
        let autonomy = if attended { Autonomy::Ask } else { Autonomy::Auto };
        let judgement = judge(&situation, &evidence, Policy { attended, autonomy });
        Some(Findings { evidence, judgement })
    }

    /// Whether the newest judgement rests on a detector that the user marked wrong afterwards.
    pub fn was_judged_wrongly(&self) -> bool {
        let newest = self.log.iter().rev().find_map(|line| match &line.event {
            Event::Judged { evidence, .. } => Some(evidence),
            _ => None,
        });
        newest.is_some_and(|evidence| evidence.iter().any(|kind| self.muted.contains(kind)))
    }

    /// What was done at the newest stop of the task that the session ends with. A stop that nobody looked at for another
    /// reason than an abort says nothing.
    pub fn last_decision(&self) -> Option<LastDecision> {
        let current = self.session.as_ref().and_then(|session| session.tasks.last()).map(task_key);
        let is_current = |task: &str| current.as_deref().is_none_or(|current| current == task);
        self.log.iter().rev().find_map(|line| match &line.event {
            Event::SentBack { task, .. } if is_current(task) => Some(LastDecision::SentBack),
            Event::LetGo { task, why, standing, .. } if is_current(task) => {
                Some(LastDecision::LetGo(*why, *standing))
            }
            Event::Skipped { task, why: SkipWhy::Aborted, .. } if is_current(task) => {
                Some(LastDecision::Aborted)
            }
            _ => None,
        })
    }

    /// Whether the agent was let go in the end with what was found standing, because a cap ran out.
    pub fn was_overridden(&self) -> bool {
        matches!(self.last_decision(), Some(LastDecision::LetGo(why, standing))
            if why.overrides() && standing != Some(Standing::Ended(Ending::Complete)))
    }

    /// How often the agent was sent back, by our own log.
    pub fn send_backs(&self) -> usize {
        self.log.iter().filter(|line| matches!(line.event, Event::SentBack { .. })).count()
    }

    /// The branch: what the transcript says, else our own record.
    pub fn branch(&self) -> Option<&str> {
        let said = self.session.as_ref().and_then(|session| session.circumstances.branch.as_deref());
        said.or(self.branch.as_deref())
    }

    /// The model, if it is known.
    pub fn model(&self) -> Option<&str> {
        self.session.as_ref()?.circumstances.model.as_deref()
    }
}
