//! A stop whose session cannot be read. That lets the agent go; but where our log knows that there was more to read, the
//! lack of it is evidence by itself, and an agent that nobody watches is sent back for it, once a session.

use hansei_agents::Adapter;
use hansei_agents::reply::StopReply;
use hansei_core::event::Event;
use hansei_core::evidence::{Kind, may_act};
use hansei_core::interrupt::{Orders, Why};
use hansei_core::reflection::Mode;
use hansei_core::session::Session as CoreSession;
use hansei_core::transcript_mark::Fault;
use hansei_record::log::SessionLog;
use hansei_record::stop_settings::StopSettings;

use crate::judging::{Bench, debug, rules};
use crate::transcript_seen::is_same;
use crate::{HookError, Outcome};

/// Why a session was not read.
pub(crate) enum Unread {
    /// There was not enough time.
    TimeRanOut,
    /// There is no file to be read.
    NoFile(String),
    /// There is a file, and nothing of the session in it.
    Fault(Fault),
}

impl Unread {
    /// What it is called in records, and what it says against the agent.
    fn told(self, bench: &Bench<'_>, log: &SessionLog) -> (String, Option<Fault>) {
        match self {
            Self::TimeRanOut => ("the time ran out while the session was read".to_owned(), None),
            Self::Fault(fault) => (fault.told().to_owned(), Some(fault)),
            Self::NoFile(reason) => {
                let known = log.ledger().transcript().filter(|known| is_same(known, bench.session));
                (reason, known.map(|_| Fault::Gone))
            }
        }
    }
}

/// Decides about such a stop, and records it.
pub(crate) fn decide(
    bench: &Bench<'_>,
    adapter: &Adapter,
    log: &mut SessionLog,
    settings: &StopSettings,
    orders: Orders,
    unread: Unread,
) -> Result<Outcome, HookError> {
    let (reason, fault) = unread.told(bench, log);
    let rules = rules(bench, adapter, &CoreSession::default(), settings, orders);
    let fault = fault.filter(|_| {
        let ledger = log.ledger();
        !rules.muted.contains(&Kind::TranscriptChanged)
            && rules.mode == Mode::Solo
            && bench.session.payload.planning != Some(true)
            && !ledger.was_aborted("")
            && !ledger.was_told_of_transcript()
    });
    log.append(Event::JudgeUnavailable { reason: reason.clone() })?;
    let acts = fault.filter(|fault| may_act(&fault.evidence(log.ledger()), rules.policy.attended));
    if let Some(fault) = acts {
        log.append(Event::SentBack {
            stop: String::new(),
            task: String::new(),
            epoch: 0,
            attempt: 1,
            grounds: vec![Kind::TranscriptChanged],
            failures: fault.failures(),
            feedback: fault.feedback(),
            escalation: None,
        })?;
        log.sync()?;
    } else {
        log.append(Event::LetGo {
            stop: String::new(),
            task: String::new(),
            epoch: 0,
            why: Why::Unreadable,
            standing: None,
        })?;
    }
    let decided = if acts.is_some() { "sent back" } else { "let stop" };
    debug(bench, &[reason, format!("{decided}: the session cannot be read")]);
    let Some(fault) = fault else { return Ok(Outcome::default()) };
    let feedback = acts.map(Fault::feedback);
    let notice = feedback.is_none().then(|| format!("Not judged: {}", fault.told()));
    let reply = (adapter.reply)(&StopReply {
        feedback: feedback.as_deref(),
        notice: notice.as_deref(),
        assess_after: None,
        version: None,
    });
    Ok(Outcome { reply, notice: None })
}
