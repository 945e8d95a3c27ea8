//! Chat messages of other tools.

use hansei_agents::messages::import;

use crate::{Target, corpus, session_holds};

pub(crate) const TARGET: Target = Target {
    name: "messages",
    run: |bytes| {
        if let Ok(events) = import(bytes) {
            session_holds::check(&events);
        }
    },
    samples: corpus::none,
};
