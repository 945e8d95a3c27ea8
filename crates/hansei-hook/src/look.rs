//! What a session that does not stop is looked at with: the session as it stands, and what may be done in it. Shared by
//! the look at a silence and by the one after a compaction.

use hansei_agents::{Adapter, adapter_named};
use hansei_core::evidence::{Evidence, Situation, gather};
use hansei_core::interrupt::{Orders, Rules, Stop, admissible};
use hansei_core::session::Session as CoreSession;
use hansei_record::log::{self, SessionLog};
use hansei_record::settings::Layers;
use hansei_record::stop_settings::StopSettings;

use crate::HookError;
use crate::judging::{Bench, rules};
use crate::live_session::Source;

/// What is seen of a session.
pub(crate) struct Look {
    pub(crate) adapter: &'static Adapter,
    pub(crate) session: CoreSession,
    pub(crate) rules: Rules,
}

impl Look {
    /// Reads the session; none where there is nothing to read, or nobody is to look.
    pub(crate) fn at(bench: &Bench<'_>, log: &SessionLog) -> Result<Option<Self>, HookError> {
        let Some(adapter) = bench.call.agent.as_deref().and_then(adapter_named) else { return Ok(None) };
        let source = Source::of(adapter, bench.environment, bench.session).and_then(Result::ok);
        let (Some(source), false) = (source, bench.environment.child) else { return Ok(None) };
        let Ok(session) = source.read(adapter, bench.session, bench.limit) else { return Ok(None) };
        // What an agent runs for itself has nobody's request.
        if session.tasks.is_empty() {
            return Ok(None);
        }
        let folder = bench.session.log_folder()?;
        let orders = Orders::of(&log::read_workspace(&folder).unwrap_or_default(), log.ledger());
        // The workspace's file can only lower what these two say, and neither looks at what was asked of the agent.
        let layers = Layers::load(None, bench.environment.user_settings.as_deref());
        let settings = layers.map_or_else(|_| StopSettings::default(), |layers| layers.stop());
        let rules = rules(bench, adapter, &session, &settings, orders);
        Ok(Some(Self { adapter, session, rules }))
    }

    /// The session as detectors see it, with the evidence and where it stands.
    pub(crate) fn situation(&self, background: usize) -> (Situation<'_>, Vec<Evidence>, Stop) {
        let situation = Situation { background, ..Situation::of(&self.session) };
        let evidence = admissible(gather(&situation), &self.rules.muted);
        let stop = Stop::of(&situation, &evidence, self.rules.policy);
        (situation, evidence, stop)
    }
}
