//! An agent's `package.json`, from which its version is read.

use hansei_agents::version::Version;
use hansei_workspace::program_version::packaged_version;

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "package_manifest", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let package = scratch::folder("node_modules/agent");
    scratch::write(&package.join("package.json"), bytes);
    scratch::write(&package.join("agent.js"), b"");
    if let Some(version) = packaged_version(&package.join("agent.js")) {
        Version::find(&version);
        // What is passed over need not be Unicode, so not all that can be read can be read whole.
        let Ok(manifest) = serde_json::from_slice::<serde_json::Value>(bytes) else { return };
        assert_eq!(manifest["name"], "agent", "a manifest of something else");
        assert_eq!(manifest["version"], version.as_str());
    }
}
