//! Copies of a package of the project that `PYTHONPATH` leads to, and that are behind the sources they were made from.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::search_paths::{given_to_python, set_for_python};
use super::tree::{File, base, parent};

/// Folders that copies are made in.
const BUILT: &[&str] = &["build", "dist", "out", "lib", "target", "staging"];

pub(super) fn probe(ground: &Ground<'_>) {
    for folder in set_for_python(ground).into_iter().chain(given_to_python(ground)) {
        let folder = folder.trim_end_matches('/');
        if folder.split('/').any(|part| BUILT.contains(&part)) {
            look(ground, folder);
        }
    }
}

/// The first module below a folder whose source elsewhere says something else and is newer.
fn look(ground: &Ground<'_>, folder: &str) {
    let tree = &ground.tree;
    let inside = format!("{folder}/");
    let copies =
        tree.files().iter().filter(|file| file.path.starts_with(&inside) && file.path.ends_with(".py"));
    for copy in copies {
        let module = &copy.path[inside.len()..];
        if !module.contains('/') {
            continue;
        }
        let Some(source) = source_of(ground, &inside, module) else { continue };
        let differs = tree.text(&copy.path) != tree.text(&source.path);
        if differs && source.modified > copy.modified {
            ground.suspect(
                Suspicion::new(
                    Probe::StaleBuild,
                    format!(
                        "PYTHONPATH leads to {folder}, an old copy: {} is behind {}",
                        copy.path, source.path
                    ),
                    format!("{} is newer and says something else", source.path),
                    format!("build {folder} anew, or export PYTHONPATH={}", root_of(&source.path, module)),
                )
                .naming([
                    folder.to_owned(),
                    base(&copy.path).to_owned(),
                    "PYTHONPATH".to_owned(),
                ]),
            );
            return;
        }
    }
}

/// The same module among the sources.
fn source_of<'a>(ground: &'a Ground<'_>, copies: &str, module: &str) -> Option<&'a File> {
    let tail = format!("/{module}");
    ground
        .tree
        .examined(&[".py"])
        .find(|file| !file.path.starts_with(copies) && (file.path == module || file.path.ends_with(&tail)))
}

/// The folder that a module is imported from.
fn root_of(path: &str, module: &str) -> String {
    let root = path.strip_suffix(module).unwrap_or_else(|| parent(path)).trim_end_matches('/');
    if root.is_empty() { ".".to_owned() } else { root.to_owned() }
}
