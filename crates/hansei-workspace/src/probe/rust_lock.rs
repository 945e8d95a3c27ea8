//! `Cargo.lock` against the manifests: versions, members of the workspace, and packages that lie in the project.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;
use toml::{Table, Value};

use super::ground::{Strength, Suspicion};
use super::rust_project::{Manifest, dependencies};
use super::tree::{parent, under, upwards};
use super::version::{Dialect, Version, satisfies};

/// A lock, and where it lies.
struct Lock {
    path: String,
    table: Table,
}

impl Lock {
    fn packages(&self) -> impl Iterator<Item = &Value> {
        self.table.get("package").and_then(Value::as_array).into_iter().flatten()
    }

    /// The project's own package of this name.
    fn own(&self, name: &str) -> Option<&Value> {
        let mut own =
            self.packages().filter(|it| it.get("source").is_none() && text_of(it, "name") == Some(name));
        own.next().filter(|_| own.next().is_none())
    }
}

fn text_of<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value.get(key)?.as_str()
}

pub(super) fn probe(manifest: &Manifest<'_>) {
    let tree = &manifest.ground.tree;
    let found = upwards(manifest.folder()).find_map(|folder| {
        let path = under(folder, "Cargo.lock");
        Some(Lock { table: tree.text(&path)?.parse::<Table>().ok()?, path })
    });
    let Some(lock) = found else { return };
    let mut fixed: BTreeMap<&str, Vec<Version>> = BTreeMap::new();
    for package in lock.packages() {
        if let (Some(name), Some(version)) =
            (text_of(package, "name"), text_of(package, "version").and_then(Version::find))
        {
            fixed.entry(name).or_default().push(version);
        }
    }
    let own = manifest.table.get("package").and_then(|it| text_of(it, "name"));
    // A lock that does not know the package is another's, unless it is that of its workspace.
    if let Some(own) = own.filter(|own| !fixed.contains_key(own)) {
        unknown_member(manifest, &lock, own);
        return;
    }
    own_version(manifest, &lock);
    own_dependencies(manifest, &lock);
    for (_, table) in dependencies(manifest.table) {
        for (name, value) in table {
            let called = value.get("package").and_then(Value::as_str).unwrap_or(name);
            if ["path", "git", "workspace"].iter().any(|key| value.get(key).is_some()) {
                continue;
            }
            let range = value.as_str().or_else(|| text_of(value, "version")).unwrap_or("*");
            let path = &lock.path;
            let what = match fixed.get(called) {
                None => format!("{path} lacks {called:?}, which {} declares", manifest.path),
                Some(versions) => {
                    let fits = |version: &Version| {
                        satisfies(version, range, Dialect::Cargo) != Some(false) || version.is_early
                    };
                    if versions.iter().any(fits) {
                        continue;
                    }
                    let shown: Vec<String> = versions.iter().map(Version::to_string).collect();
                    format!(
                        "{path} fixes {called} {}, and {} asks for {range}",
                        shown.join(", "),
                        manifest.path
                    )
                }
            };
            behind(
                manifest,
                what,
                name,
                called,
                &format!("cargo update --package {called} (or cargo generate-lockfile)"),
            );
        }
    }
}

fn behind(manifest: &Manifest<'_>, what: String, part: &str, name: &str, fix: &str) {
    manifest.ground.suspect(
        Suspicion::new(Probe::Dependencies, what, manifest.place(part), fix.to_owned()).naming([
            name.to_owned(),
            "Cargo.lock".to_owned(),
            "--locked".to_owned(),
            "lock file".to_owned(),
        ]),
    );
}

/// A member of the workspace that its lock does not know.
fn unknown_member(manifest: &Manifest<'_>, lock: &Lock, own: &str) {
    let Some((root, workspace)) = manifest.workspace() else { return };
    let list = |key: &str| -> Vec<String> {
        let list = workspace.get("workspace").and_then(|it| it.get(key)?.as_array()).into_iter().flatten();
        list.filter_map(Value::as_str).map(|it| it.trim_matches(['.', '/']).to_owned()).collect()
    };
    let below = manifest.folder().strip_prefix(parent(&root)).unwrap_or_default().trim_start_matches('/');
    let covers = |pattern: &String| {
        pattern == below
            || pattern.strip_suffix("/*").is_some_and(|head| parent(below) == head)
            || pattern == "*"
    };
    let is_member = list("members").iter().any(covers) && !list("exclude").iter().any(covers);
    if is_member && parent(&root) == parent(&lock.path) && lock.packages().next().is_some() {
        let what = format!("{} lacks {own:?}, which is a member of the workspace {root}", lock.path);
        behind(manifest, what, "name", own, "cargo update --workspace");
    }
}

/// The package itself in the lock: Cargo writes the new version there, unless it is told not to.
fn own_version(manifest: &Manifest<'_>, lock: &Lock) {
    let package = manifest.table.get("package");
    let of = |key: &str| package.and_then(|it| text_of(it, key));
    let (Some(name), Some(version)) = (of("name"), of("version")) else { return };
    if let Some(fixed) = lock.own(name).and_then(|it| text_of(it, "version")).filter(|it| *it != version) {
        let what = format!("{} has {name} {fixed}, and {} is at {version}", lock.path, manifest.path);
        behind(manifest, what, "version", name, "cargo update --workspace");
    }
}

/// What the lock lists for the package, against what the package declares.
fn own_dependencies(manifest: &Manifest<'_>, lock: &Lock) {
    let Some(name) = manifest.table.get("package").and_then(|it| text_of(it, "name")) else { return };
    let Some(own) = lock.own(name).filter(|_| !manifest.ground.is_published) else { return };
    let listed = own.get("dependencies").and_then(Value::as_array).into_iter().flatten();
    let listed: BTreeSet<&str> =
        listed.filter_map(Value::as_str).map(|it| it.split(' ').next().unwrap_or(it)).collect();
    let workspace = manifest.workspace();
    let mut declared: BTreeSet<&str> = BTreeSet::new();
    let mut is_whole = true;
    for (_, table) in dependencies(manifest.table) {
        for (key, value) in table {
            let shared = || {
                let (_, root) = workspace.as_ref()?;
                root.get("workspace")?.get("dependencies")?.get(key)
            };
            let is_shared = value.get("workspace").is_some();
            let source = if is_shared { shared() } else { Some(value) };
            is_whole &= source.is_some();
            let called = source.and_then(|it| text_of(it, "package")).unwrap_or(key);
            declared.insert(called);
            if !listed.contains(called)
                && (value.get("path").is_some()
                    || is_shared
                    || source.is_some_and(|it| it.get("git").is_some()))
            {
                let what = format!(
                    "{} does not list {called:?} for {name}, and {} declares it",
                    lock.path, manifest.path
                );
                behind(manifest, what, key, called, "cargo update --workspace");
            }
        }
    }
    for gone in listed.iter().filter(|it| is_whole && !declared.contains(**it)) {
        let what =
            format!("{} lists {gone:?} for {name}, and {} no longer declares it", lock.path, manifest.path);
        behind(manifest, what, "dependencies", gone, "cargo update --workspace");
    }
}

/// The version that is asked for, against that of the package at the path.
pub(super) fn path_version(manifest: &Manifest<'_>, name: &str, value: &Value, target: &str, other: &Table) {
    let Some(range) = text_of(value, "version") else { return };
    let package = other.get("package");
    let plain = package.and_then(|it| text_of(it, "version")).map(str::to_owned);
    let version = plain.or_else(|| {
        let (_, root) = manifest.workspace()?;
        Some(text_of(root.get("workspace")?.get("package")?, "version")?.to_owned())
    });
    let Some(version) = version.as_deref().and_then(Version::find).filter(|it| !it.is_early) else { return };
    if satisfies(&version, range, Dialect::Cargo) == Some(false) {
        manifest.ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!(
                    "{} asks for {name} {range}, and the package at {} is {version}",
                    manifest.path,
                    parent(target)
                ),
                manifest.place(name),
                format!(
                    "write version = \"{}\" for {name} in {}, or raise it in {target}",
                    version.short(2),
                    manifest.path
                ),
            )
            .strength(Strength::Certain)
            .naming([name.to_owned()]),
        );
    }
}
