//! A package's scripts: which is its test, and which others that one calls.

use std::collections::{BTreeMap, BTreeSet};

use crate::check::commands;

/// The script called `test`, unless it is the one that npm writes into every new package.
pub(super) fn test_script(scripts: &BTreeMap<String, String>) -> Option<&str> {
    let script = scripts.get("test")?.trim();
    (!script.is_empty() && !script.contains("no test specified")).then_some(script)
}

/// The texts of the script `name` and of all that it calls: a failure may be hidden in any of them.
pub(super) fn reached(scripts: &BTreeMap<String, String>, name: &str) -> Vec<String> {
    let mut open = vec![name.to_owned()];
    let mut seen = BTreeSet::new();
    let mut texts = Vec::new();
    while let Some(name) = open.pop() {
        if !seen.insert(name.clone()) {
            continue;
        }
        let Some(text) = scripts.get(&name) else { continue };
        texts.push(text.clone());
        open.extend([format!("pre{name}"), format!("post{name}")]);
        for command in commands(text) {
            if matches!(
                command.program(),
                "npm" | "pnpm" | "yarn" | "bun" | "npm-run-all" | "run-s" | "run-p"
            ) {
                open.extend(command.arguments().iter().filter(|word| scripts.contains_key(*word)).cloned());
            }
        }
    }
    texts
}
