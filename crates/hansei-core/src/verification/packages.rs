//! The packages of a workspace, and which of them a change concerns.

use std::collections::BTreeSet;

use super::contents::{Contents, folder_of, join, name_of, within};
use super::ecosystem::{Ecosystem, Reach, Reads};
use super::manifest::{self, Manifest};

/// Folders whose packages are other people's, or material for tests.
const NOT_OURS: &[&str] = &[
    "node_modules", "vendor", "third_party", ".venv", "venv", "site-packages", "fixtures", "testdata",
    "__fixtures__",
];

/// Files that concern every package beside and below them.
const SHARED: &[&str] = &[
    "Cargo.lock", "rust-toolchain.toml", "package-lock.json", "pnpm-lock.yaml", "pnpm-workspace.yaml",
    "yarn.lock", "bun.lock", "bun.lockb", "go.work", "uv.lock", "poetry.lock",
];

/// A folder that can be checked by itself.
#[derive(Debug, Clone)]
pub(super) struct Package<'a> {
    pub(super) ecosystem: &'a Ecosystem,
    pub(super) folder: String,
    /// The file that makes it one; none where files of its language do.
    pub(super) manifest: Option<String>,
    pub(super) read: Manifest,
}

/// All packages, in the order of their folders.
pub(super) fn find<'a>(contents: &Contents, ecosystems: &'a [Ecosystem]) -> Vec<Package<'a>> {
    let mut packages = Vec::new();
    for ecosystem in ecosystems {
        let manifests = contents.all().filter(|path| {
            ecosystem.has_manifest(name_of(path)) && !is_foreign(path) && is_still_there(path, contents)
        });
        let mut folders = BTreeSet::new();
        let mut found: Vec<&str> = manifests.collect();
        // Of several manifests in one folder the one that the table names first says most.
        let place = |path: &str| ecosystem.files.iter().position(|file| file == name_of(path));
        found.sort_by_key(|path| (folder_of(path), place(path)));
        for path in found {
            let folder = folder_of(path);
            let inside = |outer: &String| outer != folder && within(folder, outer);
            if folders.contains(folder) || (ecosystem.reach == Reach::Outermost && folders.iter().any(inside))
            {
                continue;
            }
            let text = contents.defining(path).unwrap_or_default();
            let read = manifest::read(ecosystem.reads, text);
            if read.is_frame || !counts(ecosystem.reads, text, folder, contents) {
                continue;
            }
            folders.insert(folder.to_owned());
            packages.push(Package {
                ecosystem,
                folder: folder.to_owned(),
                manifest: Some(path.to_owned()),
                read,
            });
        }
    }
    if packages.is_empty() {
        packages.extend(bare_python(contents, ecosystems));
    }
    // Make is how other worlds are often called; where one of them is known, it speaks for itself.
    let known: BTreeSet<String> = packages
        .iter()
        .filter(|package| package.ecosystem.reads != Reads::Make)
        .map(|package| package.folder.clone())
        .collect();
    packages.retain(|package| package.ecosystem.reads != Reads::Make || !known.contains(&package.folder));
    packages.sort_by(|a, b| a.folder.cmp(&b.folder));
    packages
}

/// Scripts without any manifest: where a workspace has nothing else, they are what it is about.
fn bare_python<'a>(contents: &Contents, ecosystems: &'a [Ecosystem]) -> Option<Package<'a>> {
    let ecosystem = ecosystems.iter().find(|ecosystem| ecosystem.reads == Reads::Python)?;
    let is_python = |path: &String| path.strip_suffix(".py").is_some() && !is_foreign(path);
    contents.now.iter().any(is_python).then(|| Package {
        ecosystem,
        folder: String::new(),
        manifest: None,
        read: Manifest::default(),
    })
}

fn is_foreign(path: &str) -> bool {
    folder_of(path).split('/').any(|part| NOT_OURS.contains(&part))
}

/// A manifest that was deleted still counts while other files of its folder are there: otherwise deleting it would be a
/// way round the checks.
fn is_still_there(path: &str, contents: &Contents) -> bool {
    contents.now.contains(path) || contents.now.iter().any(|file| within(file, folder_of(path)))
}

fn counts(reads: Reads, text: &str, folder: &str, contents: &Contents) -> bool {
    match reads {
        Reads::Make => manifest::make_targets(text).any(|target| matches!(target, "test" | "check")),
        // A package of Node that Deno can also run is Node's.
        Reads::Deno => !contents.knows(&join(folder, "package.json")),
        _ => true,
    }
}

/// The packages that a change concerns: those that hold a changed file, and those that use them. All where nothing
/// changed, where nobody knows, and where something changed that belongs to none.
pub(super) fn concerned(packages: &[Package<'_>], contents: &Contents) -> BTreeSet<usize> {
    let all = || (0..packages.len()).collect();
    let Some(changed) = contents.changed.as_ref().filter(|changed| !changed.is_empty()) else { return all() };
    let mut concerned = BTreeSet::new();
    for path in changed {
        if SHARED.contains(&name_of(path)) {
            let folder = folder_of(path);
            concerned.extend((0..packages.len()).filter(|at| within(&packages[*at].folder, folder)));
        }
        let around = packages.iter().filter(|package| within(path, &package.folder));
        match around.map(|package| package.folder.len()).max() {
            Some(longest) => {
                concerned.extend((0..packages.len()).filter(|at| {
                    packages[*at].folder.len() == longest && within(path, &packages[*at].folder)
                }));
            }
            None if is_prose(path) => {}
            None => return all(),
        }
    }
    if concerned.is_empty() {
        return all();
    }
    with_users(packages, concerned)
}

fn with_users(packages: &[Package<'_>], mut concerned: BTreeSet<usize>) -> BTreeSet<usize> {
    loop {
        let names: BTreeSet<(&str, &str)> = concerned
            .iter()
            .filter_map(|at| {
                Some((packages[*at].ecosystem.name.as_str(), packages[*at].read.name.as_deref()?))
            })
            .collect();
        let uses = |package: &Package<'_>| {
            package
                .read
                .uses
                .iter()
                .any(|name| names.contains(&(package.ecosystem.name.as_str(), name.as_str())))
        };
        let before = concerned.len();
        concerned.extend((0..packages.len()).filter(|at| uses(&packages[*at])));
        if concerned.len() == before {
            return concerned;
        }
    }
}

/// The modules of a package of many that a change concerns, as folders relative to it; none for all of it.
pub(super) fn changed_modules(package: &Package<'_>, contents: &Contents) -> Option<Vec<String>> {
    let changed = contents.changed.as_ref()?;
    if package.read.modules.is_empty() {
        return None;
    }
    let mut modules = BTreeSet::new();
    for path in changed.iter().filter(|path| within(path, &package.folder)) {
        let inside = path.strip_prefix(&package.folder).unwrap_or(path).trim_start_matches('/');
        let module =
            package.read.modules.iter().filter(|module| within(inside, module)).max_by_key(|m| m.len());
        match module {
            Some(module) => modules.insert(module.clone()),
            None if is_prose(path) => continue,
            None => return None,
        };
    }
    (!modules.is_empty()).then(|| modules.into_iter().collect())
}

/// Whether a file is text or pictures for people: changing it is no change of code.
pub(super) fn is_prose(path: &str) -> bool {
    let name = name_of(path);
    let ending = name.rsplit_once('.').map_or("", |(_, ending)| ending).to_ascii_lowercase();
    let manifest =
        matches!(name, "CMakeLists.txt" | "requirements.txt" | "requirements-dev.txt" | "constraints.txt");
    let plain = matches!(name, "LICENSE" | "NOTICE" | "AUTHORS" | "CODEOWNERS" | "README" | "CHANGELOG");
    let endings = [
        "md", "markdown", "rst", "adoc", "txt", "png", "jpg", "jpeg", "gif", "svg", "webp", "pdf", "docx",
        "odt",
    ];
    !manifest && (plain || endings.contains(&ending.as_str()))
}
