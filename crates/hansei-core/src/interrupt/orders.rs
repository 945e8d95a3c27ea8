//! What the user said about a workspace and a session: off, on, and which detectors were wrong.

use std::collections::BTreeSet;

use super::failures::kind_named;
use crate::event::{Event, Line};
use crate::evidence::Kind;
use crate::ledger::Ledger;

/// The user's standing orders.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Orders {
    /// Whether nobody is to be judged.
    pub off: bool,
    /// Detectors that were wrong here.
    pub muted: BTreeSet<Kind>,
}

impl Orders {
    /// The orders of a workspace's own log, and of the session: its own word wins.
    pub fn of(workspace: &[Line], session: &Ledger) -> Self {
        let whole = Ledger::fold(workspace);
        let wrong = workspace.iter().filter_map(|line| match &line.event {
            Event::MarkedWrong { detector, .. } => kind_named(detector),
            _ => None,
        });
        Self { off: session.turned_off().or(whole.turned_off()).unwrap_or_default(), muted: wrong.collect() }
    }
}
