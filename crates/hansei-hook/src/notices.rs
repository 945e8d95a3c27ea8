//! A person who is to be told. The hook decides and records that; whoever called it sends, because that takes programs
//! and a network, which the hook has not.

use hansei_core::event::Event;
use hansei_core::notice::{About, Notice};
use hansei_record::log::{SessionLog, WhenCapturing};
use hansei_record::places::Places;
use hansei_record::redact::redact;
use hansei_record::settings::Layers;

use crate::environment::Environment;
use crate::session::Session;
use crate::time_limit::LOG_PATIENCE;
use crate::{Call, HookError};

/// A notice that is due. Its intent is on record.
#[derive(Debug)]
pub struct DueNotice {
    /// What is told.
    pub notice: Notice,
    /// The stop that it is about.
    pub stop: String,
    places: Places,
}

impl DueNotice {
    /// Records how telling went.
    pub fn sent(&self, ways: Vec<String>, failed: Vec<String>) -> Result<(), HookError> {
        let folder = self
            .places
            .log()
            .map_err(|source| HookError::Io { what: "the log folder cannot be opened", source })?;
        let mut log = SessionLog::lock(&folder, &self.notice.session, WhenCapturing::Wait, LOG_PATIENCE)?;
        Ok(log.append(Event::NoticeSent { about: self.notice.event, ways, failed })?)
    }
}

/// Records that a person is to be told, where the user's own settings name a way and nobody was told of this since the
/// human last spoke.
pub(crate) fn due(
    call: &Call,
    environment: &Environment,
    session: &Session,
    log: &mut SessionLog,
    (about, stop): (About, &str),
    said: &str,
) -> Result<Option<DueNotice>, HookError> {
    let settings = Layers::load(None, environment.user_settings.as_deref());
    let tells = settings.is_ok_and(|layers| !layers.notify().0.is_empty());
    if !tells || environment.child || log.ledger().was_noticed(about) {
        return Ok(None);
    }
    let workspace = session.layout.root().display().to_string();
    let agent = call.agent.as_deref().unwrap_or("unknown");
    let notice = Notice::new(about, &session.id, agent, &workspace, &redact(said));
    log.append(Event::NoticeDue { about, line: notice.line.clone() })?;
    let places =
        Places::new(session.layout.home(), environment.reflections.clone(), environment.self_report.clone());
    Ok(Some(DueNotice { notice, stop: stop.to_owned(), places }))
}
