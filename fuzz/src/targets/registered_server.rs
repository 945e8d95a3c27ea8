//! Our MCP server in any settings: put in, found, put in again, taken out.

use std::path::Path;

use hansei_agents::Adapter;
use hansei_agents::servers_file::{Registered, install, registered, uninstall};

/// Whatever `text` is in a file of this name, registering our server there and taking it out again leaves it as it was.
pub(super) fn check(adapter: &Adapter, file: &str, text: &str) {
    let (file, servers) = (Path::new(file), &adapter.setup.servers);
    let edited = match install(file, text, servers, "hansei") {
        Ok(edited) => edited,
        Err(error) => {
            assert!(error.line >= 1 && error.column >= 1, "{error}");
            return;
        }
    };
    let found = registered(file, &edited.text, servers).expect("what was put in can be read");
    assert!(matches!(found, Registered::Ours { ref program, .. } if program == "hansei"), "{found:?}");
    let again = install(file, &edited.text, servers, "hansei").expect("a second time");
    assert_eq!(again.text, edited.text, "a second time changes nothing");
    if registered(file, text, servers) == Ok(Registered::Nobody) {
        let left = uninstall(file, &edited.text, servers, &edited.insertions).expect("it can be taken out");
        assert_eq!(left, text, "every byte of others stays");
    }
}
