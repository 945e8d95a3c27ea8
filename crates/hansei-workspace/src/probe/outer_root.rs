//! The top of a project that is no repository, as its own tools see it: the module or workspace that a folder belongs to.

use std::path::{Path, PathBuf};

use serde_json::Value;

/// How far above a folder its project may begin, and the largest manifest that is read.
const HIGHEST: usize = 5;
const LARGEST: u64 = 256 << 10;

/// The folder that the tools take as the project's top; the folder itself where they know no other.
pub(super) fn outer_root(folder: &Path, home: Option<&str>) -> PathBuf {
    let is_common = |place: &Path| {
        place.parent().is_none()
            || home.is_some_and(|home| Path::new(home) == place)
            || place == std::env::temp_dir()
    };
    for place in folder.ancestors().skip(1).take(HIGHEST).take_while(|place| !is_common(place)) {
        let below = folder.strip_prefix(place).unwrap_or(folder);
        if holds(folder, place, below) {
            return place.to_owned();
        }
    }
    folder.to_owned()
}

fn holds(folder: &Path, place: &Path, below: &Path) -> bool {
    // A folder with a module of its own belongs to no other.
    let in_module = place.join("go.mod").is_file() && !folder.join("go.mod").exists();
    let in_workspace = || {
        text(&place.join("Cargo.toml")).is_some_and(|text| text.contains("[workspace]"))
            && folder.join("Cargo.toml").is_file()
    };
    in_module || in_workspace() || text(&place.join("package.json")).is_some_and(|text| lists(&text, below))
}

/// Whether the workspaces of a package mean the folder.
fn lists(manifest: &str, below: &Path) -> bool {
    let Ok(manifest) = serde_json::from_str::<Value>(manifest) else { return false };
    let workspaces = match &manifest["workspaces"] {
        Value::Object(inner) => inner.get("packages").cloned().unwrap_or(Value::Null),
        other => other.clone(),
    };
    let below: Vec<String> = below.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    workspaces.as_array().into_iter().flatten().filter_map(Value::as_str).any(|pattern| {
        let parts: Vec<&str> = pattern.trim_start_matches("./").trim_end_matches('/').split('/').collect();
        parts.len() == below.len()
            && parts.iter().zip(&below).all(|(part, name)| *part == "*" || *part == "**" || part == name)
    })
}

fn text(path: &Path) -> Option<String> {
    let meta = path.metadata().ok().filter(|meta| meta.is_file() && meta.len() <= LARGEST)?;
    (meta.len() > 0).then(|| std::fs::read_to_string(path).ok()).flatten()
}
