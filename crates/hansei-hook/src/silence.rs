//! Looks at a session that has gone silent: is it stuck, and may it be told so? Recorded before it is told.

use hansei_agents::reply::{self, Word};
use hansei_core::event::{Event, NudgeCause};
use hansei_core::notice::About;
use hansei_core::stuck::{LeftAlone, Signs, TOO_RECENT, assess, counted_silence, deliver};
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_record::redact::redact;
use hansei_record::settings::Layers;

use crate::environment::Environment;
use crate::judging::Bench;
use crate::look::Look;
use crate::time_limit::LOG_PATIENCE;
use crate::{HookError, Outcome, notices};

/// After how many seconds of silence a session is looked at.
pub(crate) fn after(environment: &Environment) -> u64 {
    let layers = Layers::load(None, environment.user_settings.as_deref());
    layers.ok().and_then(|layers| layers.stuck().0.after_seconds).unwrap_or(TOO_RECENT)
}

/// Looks at the silent session of this call.
pub(crate) fn look(bench: &Bench<'_>) -> Result<Outcome, HookError> {
    let folder = bench.session.log_folder()?;
    let mut log = SessionLog::lock(&folder, &bench.session.id, WhenCapturing::Wait, LOG_PATIENCE)?;
    let Some(look) = Look::at(bench, &log)? else { return Ok(Outcome::default()) };
    let payload = &bench.session.payload;
    let (situation, evidence, stop) = look.situation(payload.background_tasks);
    let idle = payload.idle_seconds.map(|seconds| counted_silence(seconds, after(bench.environment)));
    let assessment = assess(&situation, &evidence, Signs { idle, ..Signs::default() });
    let delivery = deliver(&stop, log.ledger(), &assessment, &look.rules);
    // Two copies of the plugin ask twice.
    if delivery == Err(LeftAlone::SaidBefore) {
        return Ok(Outcome::default());
    }
    log.append(Event::SilenceSeen {
        stop: stop.id.clone(),
        task: stop.task.clone(),
        reason: assessment.reason,
        left_alone: delivery.err(),
    })?;
    let mut outcome = Outcome::default();
    match delivery {
        Ok(()) => {
            let text = redact(&assessment.nudge_message).into_owned();
            log.append(Event::Nudged {
                stop: stop.id,
                task: stop.task,
                epoch: stop.epoch,
                because: NudgeCause::Silence,
                text: text.clone(),
            })?;
            outcome.reply = reply::nudge(look.adapter, &Word { nudge: Some(&text), notice: None });
        }
        // Nothing more is said to the agent, so somebody should know.
        Err(LeftAlone::Spent | LeftAlone::Concluded | LeftAlone::ObserveOnly) if assessment.stuck => {
            let about = (About::Stuck, stop.id.as_str());
            outcome.notice = notices::due(
                bench.call,
                bench.environment,
                bench.session,
                &mut log,
                about,
                &situation.last_words(),
            )?;
        }
        Err(_) => {}
    }
    log.sync()?;
    Ok(outcome)
}
