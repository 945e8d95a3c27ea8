//! Records in JSON: self-reports, reflections, and what was installed.

use hansei_core::reflection::Reflection;
use hansei_core::self_report::SelfReport;
use hansei_record::folder::Folder;
use hansei_record::installed::Installed;
use hansei_record::sidecar;

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target {
    name: "records",
    run: check,
    samples: || corpus::files(&["crates/hansei/tests/golden/0.1.0/hansei/reflections"]),
};

fn check(bytes: &[u8]) {
    if let Ok(report) = SelfReport::from_json(bytes) {
        let written = serde_json::to_vec(&report).expect("a report can be written");
        assert_eq!(SelfReport::from_json(&written).expect("and read again"), report);
    }
    if let Ok(reflection) = Reflection::from_json(bytes) {
        let written = serde_json::to_vec(&reflection).expect("a reflection can be written");
        assert_eq!(Reflection::from_json(&written).expect("and read again"), reflection);
        let name = sidecar::file_name(&reflection);
        assert!(name.len() < 255 && !name.contains(['/', '\0']), "{name}");
    }
    let path = scratch::folder("installed");
    scratch::write(&path.join("installed.json"), bytes);
    if let Ok(installed) = Installed::read(&path) {
        let folder = Folder::existing(&path).expect("the folder is there");
        // A path that looks like a secret is refused.
        if installed.write(&folder).is_ok() {
            let again = Installed::read(&path).expect("what was written can be read");
            assert_eq!(again.entries, installed.entries);
        }
    }
}
