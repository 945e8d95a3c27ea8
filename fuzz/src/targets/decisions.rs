//! Decisions in files, diffs and plans. The input is three texts between NULs: a file of the base, a diff, a plan.

use hansei_core::decision_memory::{BaseUses, Change, Memory, SourceFile, check_change, check_plan};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target {
    name: "decisions",
    run: |bytes| {
        let text = String::from_utf8_lossy(bytes);
        let mut parts = text.split('\0');
        let (base, diff, plan) = (
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
            parts.next().unwrap_or_default(),
        );
        for path in ["a.py", "a.rs", "docs/adr/0001-x.md", "package.json", "pom.xml", "x"] {
            let file = || [SourceFile { path, text: base }];
            let memory = Memory::of(file());
            let uses = BaseUses::of(&memory, file());
            if let Ok(mut change) = Change::read(diff) {
                change.files.iter_mut().for_each(|file| file.complete(base));
                for violation in check_change(&memory, &change, &uses) {
                    assert!(violation.text.len() <= 200, "what is told is bounded");
                }
            }
            let _ = check_plan(&memory, "plan", plan);
        }
    },
    samples: corpus::none,
};
