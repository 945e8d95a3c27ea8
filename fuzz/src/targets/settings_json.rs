//! Settings of agents in JSON with comments: putting our hooks and our server in and taking them out again.

use hansei_agents::hooks_file::{found, install, uninstall};
use hansei_agents::setup::Way;
use hansei_agents::{ADAPTERS, Adapter};
use hansei_core::reflection::Mode;

use super::registered_server;
use super::wanted_hooks::wanted;
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "settings_json", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for adapter in ADAPTERS.into_iter().filter(|adapter| matches!(adapter.setup.way, Way::Hooks(_))) {
        check_for(adapter, text);
    }
    for adapter in ADAPTERS.into_iter().filter(|adapter| adapter.name != "codex") {
        registered_server::check(adapter, "settings.json", text);
    }
}

fn check_for(adapter: &Adapter, text: &str) {
    let agent = adapter.name;
    let solo = wanted(adapter, Mode::Solo);
    let edited = match install(text, agent, &solo) {
        Ok(edited) => edited,
        Err(error) => {
            assert!((1..=text.matches('\n').count() + 1).contains(&error.line), "{error}");
            return;
        }
    };
    let ours = found(&edited.text, agent).expect("what was put in can be read");
    for hook in &solo {
        assert!(
            ours.iter().any(|found| found.event == hook.event && found.command == hook.command),
            "{ours:?}"
        );
    }
    let again = install(&edited.text, agent, &solo).expect("a second time");
    assert_eq!(again.text, edited.text, "a second time changes nothing");
    let other = install(&edited.text, agent, &wanted(adapter, Mode::Orchestrated)).expect("in another mode");
    assert!(other.insertions.is_empty(), "{other:?}");

    let left = uninstall(&edited.text, agent, &edited.insertions).expect("what was put in can be taken out");
    assert!(found(&left, agent).expect("what is left can be read").is_empty(), "{left}");
    uninstall(&edited.text, agent, &[]).expect("also without a record");
    if found(text, agent).expect("it was read before").is_empty() {
        assert_eq!(left, text, "every byte of others stays");
        let left = uninstall(&other.text, agent, &edited.insertions).expect("in another mode too");
        assert_eq!(left, text, "every byte of others stays, in another mode too");
    }
}
