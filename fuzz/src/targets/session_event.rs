//! Session events as JSON, one a line: what the fold does with events that no reader would make.

use hansei_core::session::SessionEvent;

use crate::{Target, corpus, session_holds};

pub(crate) const TARGET: Target = Target {
    name: "session_event",
    run: |bytes| {
        let lines = bytes.split(|byte| *byte == b'\n');
        let events: Vec<SessionEvent> = lines.filter_map(|line| serde_json::from_slice(line).ok()).collect();
        session_holds::check(&events);
    },
    samples: corpus::none,
};
