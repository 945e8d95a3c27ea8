//! The map of names that `package.json` gives to files of its own (`imports`), where it leads nowhere.

use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::node_packages::packages;
use super::tree::{Presence, join, parent};

pub(super) fn probe(ground: &Ground<'_>) {
    for package in packages(&ground.tree) {
        let Some(text) = ground.tree.text(&package.path) else { continue };
        let Ok(manifest) = serde_json::from_str::<Value>(&text) else { continue };
        for (name, target) in manifest["imports"].as_object().into_iter().flatten() {
            for target in targets(target) {
                judge(ground, &package.path, name, target);
            }
        }
    }
}

/// The paths of an entry, whatever they depend on.
fn targets(value: &Value) -> Vec<&str> {
    match value {
        Value::String(target) => vec![target],
        Value::Object(by_condition) => by_condition.values().flat_map(targets).collect(),
        Value::Array(list) => list.iter().flat_map(targets).collect(),
        _ => Vec::new(),
    }
}

fn judge(ground: &Ground<'_>, manifest: &str, name: &str, target: &str) {
    let Some(relative) = target.strip_prefix("./") else { return };
    let (wanted, is_folder) = match relative.split_once('*') {
        Some((before, _)) => (parent(before), true),
        None => (relative, false),
    };
    let is_built = wanted.split('/').any(|part| matches!(part, "dist" | "build" | "out" | "generated"));
    let Some(path) = join(parent(manifest), wanted).filter(|path| !path.is_empty() && !is_built) else {
        return;
    };
    if !matches!(ground.tree.presence(&path), Presence::Absent | Presence::OtherCase(_))
        || ground.is_ignored(&path)
    {
        return;
    }
    let kind = if is_folder { "folder" } else { "file" };
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{manifest} maps {name:?} to the {kind} {path}, which does not exist"),
            format!("imports in {manifest}"),
            format!("correct {target:?} in {manifest}"),
        )
        .strength(Strength::Certain)
        .naming([path.clone(), name.trim_end_matches('*').trim_end_matches('/').to_owned()]),
    );
}
