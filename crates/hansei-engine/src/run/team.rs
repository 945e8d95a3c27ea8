//! Drives a team: does what [`hansei_core::run::team`] asks for, and records it before and after.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};

use hansei_core::run::team::{Stage, TeamStep};
use hansei_core::run::{RunEvent, RunLine, Step};
use hansei_core::verdict::Ending;
use hansei_record::folder::Folder;
use hansei_workspace::team_trees::{Merged, TeamTrees};

use super::driver::GLANCE;
use super::expert::{self, Assignment, News, Staff, Wire};
use super::{DriveError, Driver, Halt};

/// What a team needs.
pub struct TeamCrew<'a> {
    /// Its trees, or why there are none.
    pub trees: Result<&'a mut TeamTrees, String>,
    /// Whoever gives experts what they work with.
    pub staff: &'a dyn Staff,
    /// Where work is kept that does not reach the user's tree.
    pub keeps: Folder,
    /// The name of the patch there.
    pub patch: String,
}

impl Driver<'_> {
    /// Goes on until everybody is through; a halt where the user ended it.
    pub(super) fn team(&mut self) -> Result<Option<Halt>, DriveError> {
        let Some(crew) = &self.crew.team else {
            self.record(RunEvent::TeamImpossible { why: "nobody is here who could set one up".to_owned() })?;
            return Ok(None);
        };
        let staff = crew.staff;
        std::thread::scope(|scope| {
            // Made here, so that it goes before the threads are waited for: whoever still tells something then learns that
            // nobody hears it.
            let (tell, news) = channel();
            let is_spent = Arc::new(AtomicBool::new(false));
            let mut at_work = 0_usize;
            loop {
                let is_over = (self.crew.is_over)();
                if is_over && at_work == 0 {
                    return self.interrupted().map(Some);
                }
                let step = match self.run.next(self.seconds()) {
                    _ if is_over => TeamStep::Wait,
                    Step::Team(step) => step,
                    _ => return Ok(None),
                };
                match step {
                    TeamStep::Gather => self.gather()?,
                    TeamStep::Start { expert, conflicts } => {
                        if let Some(assignment) = self.assign(&expert, conflicts)? {
                            at_work += 1;
                            let (tell, is_spent): (Sender<News>, _) = (tell.clone(), Arc::clone(&is_spent));
                            scope.spawn(move || {
                                let wire = Wire { expert: expert.clone(), tell: tell.clone(), is_spent };
                                let came = expert::work(staff, &assignment, &wire);
                                let _ = tell.send(News::Left { expert, came });
                            });
                        }
                    }
                    TeamStep::Merge { expert } => self.merge(expert)?,
                    TeamStep::Skip { expert, why } => self.record(RunEvent::ExpertSkipped { expert, why })?,
                    TeamStep::GiveUpOn { expert, why } => self.fail(expert, Ending::Failed, why)?,
                    TeamStep::Wait if at_work == 0 => self.lose_all()?,
                    TeamStep::Wait => at_work -= usize::from(self.listen(&news)?),
                }
                is_spent.store(self.run.is_spent(self.seconds()), Ordering::SeqCst);
            }
        })
    }

    fn gather(&mut self) -> Result<(), DriveError> {
        let trees = self.crew.team.as_ref().map(|team| team.trees.as_ref());
        let event = match trees {
            Some(Ok(trees)) => RunEvent::TeamReady { base: trees.base().to_owned() },
            Some(Err(why)) => RunEvent::TeamImpossible { why: why.clone() },
            None => RunEvent::TeamImpossible { why: "there are no trees for it".to_owned() },
        };
        self.record(event)
    }

    /// Gives an expert its part and its tree; none where it cannot be set to work.
    fn assign(&mut self, expert: &str, conflicts: Vec<String>) -> Result<Option<Assignment>, DriveError> {
        let seconds = self.seconds();
        let started = self.run.assignment(expert, &conflicts, seconds);
        self.intend(RunEvent::ExpertStarted { expert: expert.to_owned(), conflicts })?;
        let trees = self.crew.team.as_mut().and_then(|team| team.trees.as_mut().ok());
        let tree = match (trees, started) {
            (Some(trees), Some(started)) => trees
                .tree_of(expert)
                .map(|tree| Assignment { started, tree, readable: trees.readable().to_vec() })
                .map_err(|error| error.to_string()),
            _ => Err("there is no tree for it".to_owned()),
        };
        match tree {
            Ok(assignment) => Ok(Some(assignment)),
            // What was ended by the user did not fail.
            Err(_) if (self.crew.is_over)() => Ok(None),
            Err(why) => self.fail(expert.to_owned(), Ending::Failed, why).map(|()| None),
        }
    }

    fn merge(&mut self, expert: String) -> Result<(), DriveError> {
        self.intend(RunEvent::ExpertMerging { expert: expert.clone() })?;
        self.crew.watcher.doing(&format!("the work of {expert} is merged"));
        let trees = self.crew.team.as_mut().and_then(|team| team.trees.as_mut().ok());
        let merged = match trees {
            Some(trees) => trees.merge(&expert).map_err(|error| error.to_string()),
            None => Err("there are no trees".to_owned()),
        };
        if (self.crew.is_over)() {
            return Ok(());
        }
        match merged {
            Ok(Merged::Whole { commit, files }) => {
                self.record(RunEvent::ExpertMerged { expert, commit, files })
            }
            Ok(Merged::Contradicts { files }) => self.record(RunEvent::ExpertConflicted { expert, files }),
            Err(why) => self.fail(expert, Ending::Failed, format!("its work could not be merged: {why}")),
        }
    }

    fn fail(&mut self, expert: String, ending: Ending, why: String) -> Result<(), DriveError> {
        self.record(RunEvent::ExpertFailed { expert, ending, why })
    }

    /// Somebody is said to be at work, and nobody is.
    fn lose_all(&mut self) -> Result<(), DriveError> {
        let experts = self.run.team().map(|team| team.experts().to_vec()).unwrap_or_default();
        for expert in experts.into_iter().filter(|expert| expert.stage == Stage::AtWork) {
            self.fail(expert.role.name, Ending::Failed, "nobody is at work for it".to_owned())?;
        }
        Ok(())
    }

    /// Hears what an expert has to tell, if one does; true where it is through.
    fn listen(&mut self, news: &Receiver<News>) -> Result<bool, DriveError> {
        let Ok(news) = news.recv_timeout(GLANCE) else { return Ok(false) };
        match news {
            News::Event { expert, event, reply } => {
                let line = self.log.append(RunEvent::ExpertDid { expert, event })?;
                self.show(&line);
                self.run.apply(&line.event);
                if let RunEvent::ExpertDid { event, .. } = line.event {
                    let line = RunLine { v: line.v, seq: line.seq, time: line.time, event: *event };
                    let _ = reply.send(Ok(line));
                }
            }
            News::Sync { reply } => {
                let _ = reply.send(self.log.sync());
            }
            News::Doing { expert, what } => self.crew.watcher.doing(&format!("{expert}: {what}")),
            News::Left { expert, came } => {
                self.left(expert, came)?;
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn left(&mut self, expert: String, came: Result<Halt, String>) -> Result<(), DriveError> {
        if (self.crew.is_over)() {
            return Ok(());
        }
        match came {
            Ok(Halt::Ended(ended)) if ended.ending == Ending::Complete => {
                self.record(RunEvent::ExpertDone { expert, said: ended.last_words })
            }
            Ok(Halt::Ended(ended)) => {
                let is_spent = self.run.is_spent(self.seconds());
                let ending = if is_spent { Ending::BudgetSpent } else { ended.ending };
                self.fail(expert, ending, ended.why)
            }
            Ok(Halt::Parked { reason, .. }) => self.fail(expert, Ending::Failed, reason),
            Ok(Halt::Interrupted) => self.fail(expert, Ending::Failed, "it was interrupted".to_owned()),
            Err(why) => self.fail(expert, Ending::Failed, why),
        }
    }
}
