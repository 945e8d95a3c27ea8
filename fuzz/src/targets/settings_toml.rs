//! Codex's settings in TOML: putting our hooks and our server in and taking them out again.

use hansei_agents::adapter_named;
use hansei_agents::settings_edit::toml::{found, holds_hooks, install, uninstall};
use hansei_core::reflection::Mode;

use super::registered_server;
use super::wanted_hooks::wanted;
use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "settings_toml", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let adapter = adapter_named("codex").expect("the agent is known");
    registered_server::check(adapter, "config.toml", text);
    let agent = adapter.name;
    let solo = wanted(adapter, Mode::Solo);
    let edited = match install(text, agent, &solo) {
        Ok(edited) => edited,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "{error}");
            return;
        }
    };
    assert!(holds_hooks(&edited.text).expect("what was put in can be read"));
    let ours = found(&edited.text, agent).expect("what was put in can be read");
    for hook in &solo {
        assert!(
            ours.iter().any(|found| found.event == hook.event && found.command == hook.command),
            "{ours:?}"
        );
    }
    let again = install(&edited.text, agent, &solo).expect("a second time");
    assert_eq!(again.text, edited.text, "a second time changes nothing");
    if found(text, agent).expect("it was read before").is_empty() {
        let left =
            uninstall(&edited.text, agent, &edited.insertions).expect("what was put in can be taken out");
        assert_eq!(left, text, "every byte of others stays");
    }
}
