//! Payloads of hooks.

use hansei_agents::ADAPTERS;
use hansei_agents::payload::read;
use hansei_core::session_name;
use serde_json::Value;

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "payload", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    for adapter in ADAPTERS {
        let Ok(payload) = read(bytes, &adapter.payload) else { return };
        // What is not quite JSON is read as far as it goes.
        let Ok(value) = serde_json::from_slice::<Value>(bytes) else { continue };
        assert!(value.is_object(), "a payload is an object");
        assert_eq!(payload.session_id.as_deref(), value["session_id"].as_str());
        assert!(!session_name::safe(payload.session_id.as_deref().unwrap_or_default()).contains('/'));
    }
}
