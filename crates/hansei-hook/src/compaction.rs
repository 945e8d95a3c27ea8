//! Looks at a session after its context was compacted, and gives the agent a word to go on with. Recorded before it is
//! told; once a compaction.

use hansei_agents::reply::{self, Word};
use hansei_core::event::{Event, NudgeCause};
use hansei_core::nudge::{Action, Compaction, GithubWork, after_compaction, deliver};
use hansei_core::stuck::LeftAlone;
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_record::redact::redact;

use crate::judging::Bench;
use crate::look::Look;
use crate::time_limit::LOG_PATIENCE;
use crate::{HookError, Outcome};

/// How the agent tells one compaction from the next.
pub(crate) enum Told {
    /// It said that one was coming, and starts its session again when it is over.
    Before,
    /// It says that one is over.
    After,
}

/// Looks at the session of this call after its compaction.
pub(crate) fn look(bench: &Bench<'_>, told: &Told) -> Result<Outcome, HookError> {
    let folder = bench.session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &bench.session.id, WhenCapturing::Wait, LOG_PATIENCE)?;
    let Some(look) = Look::at(bench, &log)? else { return Ok(Outcome::default()) };
    let (situation, evidence, stop) = look.situation(bench.session.payload.background_tasks);
    let nudge = after_compaction(&situation, &evidence, &GithubWork::of(&situation));
    let compaction = match told {
        Told::Before => Compaction::Reported,
        Told::After => Compaction::Counted(stop.epoch),
    };
    let delivery = deliver(&stop, log.ledger(), compaction, &nudge, &look.rules);
    if delivery == Err(LeftAlone::SaidBefore) {
        return Ok(Outcome::default());
    }
    log.append(Event::CompactionSeen {
        task: stop.task.clone(),
        epoch: stop.epoch,
        action: nudge.action,
        left_alone: delivery.err(),
    })?;
    let mut word = Word::default();
    let text = redact(&nudge.nudge_message).into_owned();
    if delivery.is_ok() {
        log.append(Event::Nudged {
            stop: String::new(),
            task: stop.task,
            epoch: stop.epoch,
            because: NudgeCause::Compaction,
            text: text.clone(),
        })?;
        word.nudge = Some(&text);
    } else if nudge.action == Action::TaskComplete && delivery == Err(LeftAlone::NotDue) {
        word.notice = Some("Task complete");
    }
    log.sync()?;
    Ok(Outcome { reply: reply::nudge(look.adapter, &word), notice: None })
}
