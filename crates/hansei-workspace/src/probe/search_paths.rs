//! Folders that `PYTHONPATH` and `NODE_PATH` name, in the environment and in scripts, and that do not exist.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{base, join, parent, under};

/// `PYTHONPATH=a:b`, `export NODE_PATH := a`.
static GIVEN: Pattern =
    Pattern::new(r#"(?:^|[\s;&"'])(PYTHONPATH|NODE_PATH)\s*(?::=|\?=|=)\s*["']?([\w./:-]+)"#);
const VARIABLES: [&str; 2] = ["PYTHONPATH", "NODE_PATH"];

pub(super) fn probe(ground: &Ground<'_>) {
    let scope = ground.tree.scope().trim_end_matches('/');
    for name in VARIABLES {
        let Some(value) = ground.variable(name) else { continue };
        let gone =
            value.split(':').filter(|entry| !entry.is_empty()).any(|entry| is_gone(ground, scope, entry));
        if gone && let Some((package, folder)) = homeless(ground, name, value) {
            ground.suspect(
                Suspicion::new(
                    Probe::Imports,
                    format!("{name} names a folder that does not exist, and {package:?} lies in {folder}/"),
                    format!("the environment sets {name}"),
                    format!("export {name}={folder}"),
                )
                .strength(Strength::Certain)
                .naming([package, name.to_owned()]),
            );
        }
    }
    in_scripts(ground);
}

/// The folders that scripts of the project put on `PYTHONPATH`.
pub(super) fn given_to_python(ground: &Ground<'_>) -> Vec<String> {
    let tree = &ground.tree;
    let scripts =
        tree.files().iter().filter(|file| is_script(base(&file.path)) && tree.is_examined(&file.path));
    let mut found = Vec::new();
    for file in scripts {
        let Some(text) = tree.text(&file.path).filter(|text| text.contains("PYTHONPATH")) else { continue };
        for hit in GIVEN.all(&text).iter().filter(|hit| hit.group(1) == "PYTHONPATH") {
            found.extend(hit.group(2).split(':').filter_map(|entry| join(parent(&file.path), entry)));
        }
    }
    found
}

fn is_script(name: &str) -> bool {
    matches!(name, "Makefile" | "makefile" | "GNUmakefile" | "package.json" | "justfile" | ".envrc")
        || name.ends_with(".sh")
}

/// Where an entry inside the project leads, seen from a folder of it.
fn placed(ground: &Ground<'_>, folder: &str, entry: &str) -> Option<String> {
    let root = ground.tree.root().to_string_lossy().into_owned();
    match entry.strip_prefix(&root) {
        Some(below) => join("", below.trim_start_matches('/')),
        None => join(folder, entry),
    }
}

/// The folders that the environment puts on `PYTHONPATH`, inside the project.
pub(super) fn set_for_python(ground: &Ground<'_>) -> Vec<String> {
    let scope = ground.tree.scope().trim_end_matches('/');
    let entries = ground.variable("PYTHONPATH").unwrap_or_default().split(':');
    entries.filter(|entry| !entry.is_empty()).filter_map(|entry| placed(ground, scope, entry)).collect()
}

/// Whether an entry inside the project leads nowhere.
fn is_gone(ground: &Ground<'_>, folder: &str, entry: &str) -> bool {
    placed(ground, folder, entry).is_some_and(|path| !ground.tree.presence(&path).may_be())
}

/// A package that others import by its name, and that lies in a folder which the variable does not name.
fn homeless(ground: &Ground<'_>, variable: &str, value: &str) -> Option<(String, String)> {
    let tree = &ground.tree;
    let python = variable == "PYTHONPATH";
    let named: Vec<&str> = value.split(':').map(|entry| entry.trim_end_matches('/')).collect();
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let is_package =
            if python { base(&file.path) == "__init__.py" } else { base(&file.path) == "index.js" };
        let package = parent(&file.path);
        let folder = parent(package);
        let is_inner = tree.has(&under(folder, base(&file.path)));
        if !is_package
            || folder.is_empty()
            || is_inner
            || named.iter().any(|entry| join("", entry).as_deref() == Some(folder))
        {
            continue;
        }
        let word = base(package);
        let asks = if python {
            [format!("import {word}"), format!("from {word}")]
        } else {
            [format!("require('{word}"), format!("require(\"{word}")]
        };
        let ending = if python { ".py" } else { ".js" };
        let used = tree.examined(&[ending]).any(|other| {
            !other.path.starts_with(&format!("{package}/"))
                && tree.text(&other.path).is_some_and(|text| {
                    text.lines().any(|line| asks.iter().any(|ask| line.trim_start().contains(ask.as_str())))
                })
        });
        let shown = folder.strip_prefix(tree.scope()).unwrap_or(folder);
        if used {
            return Some((word.to_owned(), shown.to_owned()));
        }
    }
    None
}

fn in_scripts(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let name = base(&file.path);
        let reads = is_script(name);
        let Some(text) = tree
            .text(&file.path)
            .filter(|text| reads && text.contains("_PATH") | text.contains("PYTHONPATH"))
        else {
            continue;
        };
        for hit in GIVEN.all(&text) {
            let line = text.lines().nth(hit.line() - 1).unwrap_or_default();
            if line.trim_start().starts_with('#')
                || line.contains("cd ")
                || line.contains('$') && !line.contains("$(")
            {
                continue;
            }
            let gone = hit.group(2).split(':').find(|entry| {
                !entry.is_empty()
                    && !entry.starts_with('/')
                    && is_gone(ground, parent(&file.path), entry)
                    && is_gone(ground, "", entry)
            });
            if let Some(gone) = gone {
                ground.suspect(
                    Suspicion::new(
                        Probe::Imports,
                        format!(
                            "{} puts {gone:?} on {}, and there is no such folder",
                            file.path,
                            hit.group(1)
                        ),
                        format!("{}:{}", file.path, hit.line()),
                        format!("name the folder that the modules lie in, in {}:{}", file.path, hit.line()),
                    )
                    .naming([gone.to_owned(), hit.group(1).to_owned()]),
                );
            }
        }
    }
}
