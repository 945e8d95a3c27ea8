//! All that is looked at for a stop, kept so that looking may take longer than anybody waits for it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hansei_core::decision_memory::{Change, Violation};
use hansei_core::evidence::{Claim, Evidence, Found, Instructions, Shape, Situation, Touched, look_telling};
use hansei_core::session::Session;

use crate::in_time::within;

/// What a [`Situation`] borrows.
pub(crate) struct Scene {
    pub(crate) session: Session,
    pub(crate) instructions: Vec<Instructions>,
    pub(crate) background: usize,
    pub(crate) broken: Vec<Violation>,
    /// Why the change was not held against the decisions of the repository.
    pub(crate) decisions_unchecked: Option<String>,
    pub(crate) changed: Option<Change>,
    pub(crate) touched: Vec<Touched>,
}

/// Looks at a stop, and tells what was found so far after each step.
pub(crate) type Looker = fn(&Situation<'_>, &mut dyn FnMut(&[Evidence])) -> Found;

/// What was found.
pub(crate) struct Looked {
    pub(crate) evidence: Vec<Evidence>,
    pub(crate) claims: Vec<Claim>,
    pub(crate) shape: Option<Shape>,
    /// Why there may be more.
    pub(crate) unfinished: Option<String>,
}

impl Scene {
    /// The stop as detectors see it.
    pub(crate) fn situation(&self) -> Situation<'_> {
        Situation {
            session: &self.session,
            instructions: &self.instructions,
            background: self.background,
            broken: &self.broken,
            changed: self.changed.as_ref(),
            touched: &self.touched,
        }
    }

    /// What the detectors find within `patience`, or what they had found by then.
    pub(crate) fn look(self: &Arc<Self>, patience: Duration) -> Looked {
        self.look_by(look_telling, patience)
    }

    /// What `search` finds within `patience`, or what it had told of by then.
    pub(crate) fn look_by(self: &Arc<Self>, search: Looker, patience: Duration) -> Looked {
        let so_far = Arc::new(Mutex::new(Vec::new()));
        let (scene, told) = (Arc::clone(self), Arc::clone(&so_far));
        let looked = within(patience, move || {
            let mut tell = |found: &[Evidence]| {
                found.clone_into(&mut told.lock().unwrap_or_else(PoisonError::into_inner));
            };
            search(&scene.situation(), &mut tell)
        });
        match looked {
            Some(found) => Looked {
                evidence: found.evidence,
                claims: found.claims,
                shape: found.shape,
                unfinished: None,
            },
            None => Looked {
                evidence: so_far.lock().unwrap_or_else(PoisonError::into_inner).clone(),
                claims: Vec::new(),
                shape: None,
                unfinished: Some("the time ran out before everything was looked at".to_owned()),
            },
        }
    }
}
