//! A run of our own as a session: what was there when it began, and what is kept of it when it ends.

use hansei_agents::payload::Payload;
use hansei_core::event::HookEvent;
use hansei_core::reflection::Mode;
use hansei_record::places::Places;
use hansei_workspace::layout::Layout;

use crate::environment::Environment;
use crate::session::Session;
use crate::time_limit::TimeLimit;
use crate::{Call, HookError, capture, session_start};

/// The name of the built-in agent in records.
pub const AGENT: &str = "hansei";

/// Records the commit and the files that somebody else already changed.
pub fn begin(environment: &Environment, layout: &Layout, run: &str) -> Result<(), HookError> {
    session_start::record(&session(environment, layout, run), &TimeLimit::of_a_step())
}

/// Keeps what is known of the run, as a reflection beside those of other agents.
pub fn keep(environment: &Environment, layout: &Layout, run: &str) -> Result<(), HookError> {
    let call = Call { agent: Some(AGENT.to_owned()), event: HookEvent::Stop, mode: Mode::Solo };
    let session = session(environment, layout, run);
    capture::capture(&call, environment, &session, &TimeLimit::of_a_step()).map(drop)
}

fn session(environment: &Environment, layout: &Layout, run: &str) -> Session {
    let places = Places::new(layout.home(), environment.reflections.clone(), environment.self_report.clone());
    Session {
        id: run.to_owned(),
        layout: layout.clone(),
        places,
        gaps: Vec::new(),
        payload: Payload::default(),
        messages: None,
    }
}
