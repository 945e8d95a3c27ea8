//! What agents remember of the hooks and folders that they trust.

use std::path::Path;

use hansei_agents::hooks_file::{Found, found, install};
use hansei_agents::trust::{Trusted, codex_hook, codex_project, gemini_folder};
use hansei_agents::{Adapter, adapter_named};
use hansei_core::reflection::Mode;

use super::wanted_hooks::wanted;
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "trust", run: check, samples: corpus::none };

fn hooks(codex: &Adapter) -> Vec<Found> {
    let installed = install("", codex.name, &wanted(codex, Mode::Solo)).expect("an empty file takes hooks");
    found(&installed.text, codex.name).expect("what was put in can be read")
}

fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let root = Path::new("/w/p");
    if codex_project(&text, root) {
        assert!(text.contains("trust"), "nobody is trusted unsaid");
    }
    if gemini_folder(&text, root) {
        assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok(), "nobody is trusted unsaid");
    }
    let codex = adapter_named("codex").expect("the agent is known");
    for hook in hooks(codex) {
        if codex_hook(&text, &root.join("hooks.json"), &hook) == Trusted::Yes {
            assert!(text.contains("sha256"), "no hook is trusted without its hash");
        }
    }
}
