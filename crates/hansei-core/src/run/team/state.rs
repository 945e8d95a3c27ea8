//! How a team stands, and what follows from it.

use serde::{Deserialize, Serialize};

use super::template::{Role, Template};
use crate::run::Run;
use crate::run::event::{RunEvent, Started};
use crate::verdict::Ending;

/// The most experts who work at once.
pub const MOST_AT_ONCE: usize = 3;
/// How often a conflict is handed back to the same expert.
const MOST_HANDED_BACK: u32 = 2;

/// A team at work.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Team {
    template: Template,
    /// Whether the ground is there on which work trees stand.
    is_ready: bool,
    /// In the order in which their work is merged: nobody before those it depends on.
    experts: Vec<Expert>,
}

/// One of a team.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Expert {
    /// The role.
    pub role: Role,
    /// How far it is.
    pub stage: Stage,
    /// How often a conflict was handed back to it.
    pub handed_back: u32,
    /// What it said when it was done.
    pub said: String,
    /// The work that it does, as a run of its own.
    pub run: Option<Box<Run>>,
}

/// How far an expert is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "stage", rename_all = "snake_case")]
pub enum Stage {
    /// It has not begun.
    Waiting,
    /// It works.
    AtWork,
    /// It says that it is done: its work is to be merged.
    Done,
    /// Its work contradicts what others did in these files: it is to be put right by it.
    Conflicted {
        /// The files.
        files: Vec<String>,
    },
    /// Its work is part of the whole.
    Merged,
    /// It failed.
    Failed {
        /// How.
        ending: Ending,
        /// Why.
        why: String,
    },
    /// It never began.
    Skipped,
}

/// What is to be done for a team.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TeamStep {
    /// Prepare the ground.
    Gather,
    /// Set an expert to work.
    Start {
        /// Who.
        expert: String,
        /// The files that it has to put right, where its work was handed back.
        conflicts: Vec<String>,
    },
    /// Commit what an expert did, and merge it.
    Merge {
        /// Whose work.
        expert: String,
    },
    /// Record that an expert does not begin.
    Skip {
        /// Who.
        expert: String,
        /// Why.
        why: String,
    },
    /// Record that an expert failed.
    GiveUpOn {
        /// Who.
        expert: String,
        /// Why.
        why: String,
    },
    /// Wait for somebody who works.
    Wait,
}

impl Team {
    /// A team that begins; none where no order can be found for its roles.
    pub(in crate::run) fn new(template: &Template) -> Option<Self> {
        // What is on record may be anything.
        let template = template.clone().checked().ok()?;
        let order = template.order().ok()?;
        let expert = |at: usize| Expert {
            role: template.roles[at].clone(),
            stage: Stage::Waiting,
            handed_back: 0,
            said: String::new(),
            run: None,
        };
        Some(Self { experts: order.into_iter().map(expert).collect(), template, is_ready: false })
    }

    /// What it was put together from.
    pub fn template(&self) -> &Template {
        &self.template
    }

    /// Everybody, in the order in which their work is merged.
    pub fn experts(&self) -> &[Expert] {
        &self.experts
    }

    /// The expert called `name`.
    pub fn expert(&self, name: &str) -> Option<&Expert> {
        self.experts.iter().find(|expert| expert.role.name == name)
    }

    /// Takes in what happened to the team.
    pub(in crate::run) fn apply(&mut self, event: &RunEvent) {
        if matches!(event, RunEvent::TeamReady { .. }) {
            self.is_ready = true;
            return;
        }
        let Some(name) = event.expert() else { return };
        let Some(expert) = self.experts.iter_mut().find(|expert| expert.role.name == name) else { return };
        match event {
            RunEvent::ExpertStarted { conflicts, .. } => {
                expert.stage = Stage::AtWork;
                expert.handed_back += u32::from(!conflicts.is_empty());
            }
            RunEvent::ExpertDid { event, .. } => match (&mut expert.run, event.as_ref()) {
                (run, RunEvent::RunStarted(started)) => {
                    // An expert has no team of its own, whatever a record says.
                    let started = Started { team: None, ..started.clone() };
                    *run = Some(Box::new(Run::new(started)));
                }
                (Some(run), event) => run.apply(event),
                (None, _) => {}
            },
            RunEvent::ExpertDone { said, .. } => {
                expert.stage = Stage::Done;
                expert.said.clone_from(said);
            }
            RunEvent::ExpertMerged { .. } => expert.stage = Stage::Merged,
            RunEvent::ExpertConflicted { files, .. } => {
                expert.stage = Stage::Conflicted { files: files.clone() };
            }
            RunEvent::ExpertFailed { ending, why, .. } => {
                expert.stage = Stage::Failed { ending: *ending, why: why.clone() };
            }
            RunEvent::ExpertSkipped { .. } => expert.stage = Stage::Skipped,
            _ => {}
        }
    }

    /// What is next for the team; none when everybody is through. `is_spent` where nobody may begin any more.
    pub fn next(&self, is_spent: bool) -> Option<TeamStep> {
        if !self.is_ready {
            return Some(TeamStep::Gather);
        }
        let first = self.experts.iter().find(|expert| !expert.is_settled())?;
        let name = |expert: &Expert| expert.role.name.clone();
        if first.stage == Stage::Done {
            return Some(TeamStep::Merge { expert: name(first) });
        }
        let failed = self.experts.iter().find(|expert| matches!(expert.stage, Stage::Failed { .. }));
        let stopped = match failed {
            Some(failed) => Some(format!("{} failed", failed.role.name)),
            None => is_spent.then(|| "what the team may use is spent".to_owned()),
        };
        if let Some(why) = stopped {
            // Whoever is at work finishes it, so that it can be kept. Nobody begins.
            let idle = self.experts.iter().find_map(|expert| match &expert.stage {
                Stage::Waiting => Some(TeamStep::Skip { expert: name(expert), why: why.clone() }),
                Stage::Conflicted { files } => Some(TeamStep::GiveUpOn {
                    expert: name(expert),
                    why: format!("its work contradicts that of others in {}, and {why}", files.join(", ")),
                }),
                _ => None,
            });
            return Some(idle.unwrap_or(TeamStep::Wait));
        }
        let at_work = self.experts.iter().filter(|expert| expert.stage == Stage::AtWork).count();
        let next = self.experts.iter().find_map(|expert| match &expert.stage {
            Stage::Conflicted { files } if expert.handed_back >= MOST_HANDED_BACK => {
                Some(TeamStep::GiveUpOn {
                    expert: name(expert),
                    why: format!(
                        "its work contradicts that of others in {}, and it did not put that right in {} tries",
                        files.join(", "),
                        expert.handed_back
                    ),
                })
            }
            Stage::Conflicted { files } if at_work < MOST_AT_ONCE => {
                Some(TeamStep::Start { expert: name(expert), conflicts: files.clone() })
            }
            Stage::Waiting if at_work < MOST_AT_ONCE && self.may_begin(expert) => {
                Some(TeamStep::Start { expert: name(expert), conflicts: Vec::new() })
            }
            _ => None,
        });
        Some(next.unwrap_or(TeamStep::Wait))
    }

    /// Whether everybody whom an expert depends on is part of the whole.
    fn may_begin(&self, expert: &Expert) -> bool {
        let is_merged = |name: &String| self.expert(name).is_some_and(|needed| needed.stage == Stage::Merged);
        expert.role.depends_on.iter().all(is_merged)
    }

    /// Whether the work of everybody is part of the whole.
    pub fn is_merged(&self) -> bool {
        self.experts.iter().all(|expert| expert.stage == Stage::Merged)
    }

    /// Whether the work of anybody is part of the whole.
    pub fn has_work(&self) -> bool {
        self.experts.iter().any(|expert| expert.stage == Stage::Merged)
    }

    /// How the team failed, if everybody is through and somebody did.
    pub(in crate::run) fn failure(&self) -> Option<(Ending, String)> {
        if self.is_merged() || !self.experts.iter().all(Expert::is_settled) {
            return None;
        }
        let failures: Vec<(&Expert, Ending, &str)> = self
            .experts
            .iter()
            .filter_map(|expert| match &expert.stage {
                Stage::Failed { ending, why } => Some((expert, *ending, why.as_str())),
                _ => None,
            })
            .collect();
        let skipped: Vec<&str> = self
            .experts
            .iter()
            .filter(|expert| expert.stage == Stage::Skipped)
            .map(|expert| expert.role.name.as_str())
            .collect();
        let ending = match failures.split_first() {
            Some(((_, first, _), rest)) if rest.iter().all(|(_, other, _)| other == first) => *first,
            Some(_) => Ending::Failed,
            None => Ending::BudgetSpent,
        };
        let nobody = if self.has_work() { "" } else { "nobody came through; " };
        let mut why: Vec<String> =
            failures.iter().map(|(expert, _, why)| format!("{} failed: {why}", expert.role.name)).collect();
        if failures.is_empty() {
            why.push("what it may use is spent".to_owned());
        }
        if !skipped.is_empty() {
            why.push(format!("{} did not begin", skipped.join(", ")));
        }
        Some((ending, format!("the team failed: {nobody}{}", why.join("; "))))
    }
}

impl Expert {
    /// Whether nothing more happens to it.
    fn is_settled(&self) -> bool {
        matches!(self.stage, Stage::Merged | Stage::Failed { .. } | Stage::Skipped)
    }
}
