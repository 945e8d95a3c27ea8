//! An agent's `package.json`, from which its version is read.

use hansei_agents::version::Version;
use hansei_workspace::program::packaged_version;

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "package_manifest", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    let package = scratch::folder("node_modules/agent");
    scratch::write(&package.join("package.json"), bytes);
    scratch::write(&package.join("agent.js"), b"");
    if let Some(version) = packaged_version(&package.join("agent.js")) {
        let manifest: serde_json::Value = serde_json::from_slice(bytes).expect("a manifest is JSON");
        assert_eq!(manifest["name"], "agent", "a manifest of something else");
        assert_eq!(manifest["version"], version.as_str());
        Version::find(&version);
    }
}
