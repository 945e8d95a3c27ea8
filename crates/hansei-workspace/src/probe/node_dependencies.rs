//! npm packages: the manifest against its lock, against what is installed, and what installed packages ask of each other.

use std::collections::BTreeMap;

use hansei_core::escalation::Probe;
use serde_json::Value;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::javascript_imports::install;
use super::node_packages::{
    Package, has_modules, installed, installed_manifest, is_plugged, packages, version_of,
};
use super::tree::{under, upwards};
use super::version::{Dialect, Version, satisfies};

/// Locks and their managers.
const LOCKS: [(&str, &str); 4] =
    [("package-lock.json", "npm"), ("yarn.lock", "Yarn"), ("pnpm-lock.yaml", "pnpm"), ("bun.lockb", "Bun")];

pub(super) fn probe(ground: &Ground<'_>) {
    for package in packages(&ground.tree) {
        locks(ground, &package);
        npm_lock(ground, &package);
        yarn_lock(ground, &package);
        pnpm_lock(ground, &package);
        present(ground, &package);
    }
}

/// The ranges that a package declares for itself: those to be installed.
fn wanted(package: &Package) -> impl Iterator<Item = (&'static str, &str, &str)> {
    ["dependencies", "devDependencies", "optionalDependencies"].into_iter().flat_map(move |kind| {
        let table = package.object(kind).into_iter().flatten();
        table.filter_map(move |(name, range)| Some((kind, name.as_str(), range.as_str()?)))
    })
}

/// Whether a range is one of versions, and not a path, an address or a tag.
fn is_range(range: &str) -> bool {
    !range.contains(':')
        && !range.contains('/')
        && range.starts_with(|c: char| "^~<>=*x".contains(c) || c.is_ascii_digit())
}

fn locks(ground: &Ground<'_>, package: &Package) {
    let there: Vec<(&str, &str)> =
        LOCKS.into_iter().filter(|(name, _)| ground.tree.has(&under(package.folder(), name))).collect();
    let manager = package.manifest.get("packageManager").and_then(Value::as_str).unwrap_or_default();
    if let [(one, of_one), (other, of_other), ..] = there.as_slice() {
        let kept = LOCKS
            .iter()
            .find(|(_, it)| manager.starts_with(&it.to_lowercase()))
            .map_or("the one that is used", |(name, _)| *name);
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!("two locks of different managers: {one} ({of_one}) and {other} ({of_other})"),
                format!("{}, {}", under(package.folder(), one), under(package.folder(), other)),
                format!("keep {kept} and delete the other"),
            )
            .strength(Strength::Possible)
            .naming([*one, *other]),
        );
    } else if let [(name, of)] = there.as_slice()
        && !manager.is_empty()
        && !manager.starts_with(&of.to_lowercase())
    {
        ground.suspect(
            Suspicion::new(
                Probe::Dependencies,
                format!(
                    "{} says that {manager} is used, and the lock is {name}, which is {of}'s",
                    package.path
                ),
                package.place("\"packageManager\""),
                format!("install with {manager}, and delete {name}; or correct \"packageManager\""),
            )
            .strength(Strength::Possible)
            .naming([*name, "packageManager"]),
        );
    }
}

fn lacks(ground: &Ground<'_>, package: &Package, lock: &str, name: &str, update: &str) {
    ground.suspect(
        Suspicion::new(
            Probe::Dependencies,
            format!("{lock} lacks {name:?}, which {} declares", package.path),
            package.place(&format!("\"{name}\"")),
            update.to_owned(),
        )
        .naming([name.to_owned(), "lock".to_owned(), "npm ci".to_owned()]),
    );
}

fn outside(
    ground: &Ground<'_>,
    package: &Package,
    lock: &str,
    name: &str,
    fixed: &str,
    range: &str,
    update: &str,
) {
    ground.suspect(
        Suspicion::new(
            Probe::Dependencies,
            format!("{lock} fixes {name} {fixed}, and {} asks for {range}", package.path),
            package.place(&format!("\"{name}\"")),
            update.to_owned(),
        )
        .naming([name.to_owned(), "lock".to_owned(), "npm ci".to_owned()]),
    );
}

fn npm_lock(ground: &Ground<'_>, package: &Package) {
    // A package of a workspace is in the lock of the root.
    let path = under(package.folder(), "package-lock.json");
    let Some(text) = ground.tree.text(&path) else { return };
    let Ok(lock) = serde_json::from_str::<Value>(&text) else { return };
    let mut fixed: BTreeMap<&str, &Value> = BTreeMap::new();
    for (at, entry) in lock.get("packages").and_then(Value::as_object).into_iter().flatten() {
        if let Some(name) = at.strip_prefix("node_modules/").filter(|name| !name.contains("node_modules/")) {
            fixed.insert(name, entry);
        }
    }
    for (name, entry) in lock.get("dependencies").and_then(Value::as_object).into_iter().flatten() {
        fixed.entry(name).or_insert(entry);
    }
    for (kind, name, range) in wanted(package) {
        match fixed.get(name) {
            None if kind != "optionalDependencies" => lacks(ground, package, &path, name, "npm install"),
            Some(entry) if is_range(range) => {
                let text = entry.get("version").and_then(Value::as_str).unwrap_or_default();
                let out = Version::find(text)
                    .is_some_and(|version| satisfies(&version, range, Dialect::Npm) == Some(false));
                if out {
                    outside(ground, package, &path, name, text, range, "npm install");
                }
            }
            _ => {}
        }
    }
    for (name, entry) in &fixed {
        for (peer, range) in entry.get("peerDependencies").and_then(Value::as_object).into_iter().flatten() {
            let optional = entry
                .pointer(&format!("/peerDependenciesMeta/{}/optional", peer.replace('/', "~1")))
                .is_some();
            let there = fixed.get(peer.as_str()).and_then(|it| Version::find(it.get("version")?.as_str()?));
            if let (Some(there), Some(range), false) = (there, range.as_str(), optional) {
                peer_mismatch(ground, name, peer, range, &there, &path);
            }
        }
    }
}

fn peer_mismatch(ground: &Ground<'_>, owner: &str, peer: &str, range: &str, there: &Version, place: &str) {
    if there.is_early || satisfies(there, range, Dialect::Npm) != Some(false) {
        return;
    }
    ground.suspect(
        Suspicion::new(
            Probe::Dependencies,
            format!("{owner} needs {peer} {range} beside it, and {there} is there"),
            place.to_owned(),
            format!("npm install {peer}@\"{range}\", or a version of {owner} that goes with {peer} {there}"),
        )
        .naming([owner.to_owned(), peer.to_owned(), "ERESOLVE".to_owned(), "peer".to_owned()]),
    );
}

fn yarn_lock(ground: &Ground<'_>, package: &Package) {
    let path = under(package.folder(), "yarn.lock");
    let Some(text) = ground.tree.text(&path) else { return };
    for (kind, name, range) in wanted(package).filter(|(_, _, range)| is_range(range)) {
        let there = [format!("{name}@{range}"), format!("{name}@npm:{range}")]
            .iter()
            .any(|key| text.contains(key.as_str()));
        if there || kind == "optionalDependencies" {
            continue;
        }
        let other = text.lines().find(|line| line.trim_start_matches('"').starts_with(&format!("{name}@")));
        match other {
            None => lacks(ground, package, &path, name, "yarn install"),
            Some(line) => {
                let fixed = line.trim_matches(['"', ':']).rsplit('@').next().unwrap_or_default().to_owned();
                outside(ground, package, &path, name, &format!("for {fixed:?}"), range, "yarn install");
            }
        }
    }
}

fn pnpm_lock(ground: &Ground<'_>, package: &Package) {
    let found = upwards(package.folder()).find_map(|folder| {
        let path = under(folder, "pnpm-lock.yaml");
        Some((folder, ground.tree.text(&path)?, path))
    });
    let Some((folder, text, path)) = found else { return };
    let Ok(lock) = super::config_syntax::yaml(&text) else { return };
    let below = package.folder().strip_prefix(folder).unwrap_or_default().trim_start_matches('/');
    let importer = if below.is_empty() { "." } else { below };
    let Some(of) = lock.get("importers").and_then(|it| it.get(importer)) else { return };
    for (kind, name, range) in wanted(package) {
        let entry = of.get(kind).and_then(|it| it.get(name));
        let specifier = entry.and_then(|it| it.get("specifier")).and_then(Value::as_str);
        match specifier {
            None => lacks(ground, package, &path, name, "pnpm install --no-frozen-lockfile"),
            Some(specifier) if specifier != range && !specifier.contains(':') && !range.contains(':') => {
                outside(
                    ground,
                    package,
                    &path,
                    name,
                    &format!("for {specifier:?}"),
                    range,
                    "pnpm install --no-frozen-lockfile",
                );
            }
            _ => {}
        }
    }
}

/// What is installed, where something is.
fn present(ground: &Ground<'_>, package: &Package) {
    let tree = &ground.tree;
    let folder = package.folder();
    if !has_modules(tree, folder) || is_plugged(tree, folder) {
        return;
    }
    let place = |name: &str| package.place(&format!("\"{name}\""));
    for (kind, name, range) in wanted(package) {
        let Some(there) = installed(tree, folder, name) else {
            let used = kind == "dependencies"
                || package.scripts().any(|(_, line)| has_word(line, name.rsplit('/').next().unwrap_or(name)));
            if used && kind != "optionalDependencies" && (is_range(range) || range.starts_with("workspace:"))
            {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!("the package {name:?} is declared and not installed, while others are"),
                        place(name),
                        install(tree, folder),
                    )
                    .naming([name.to_owned()]),
                );
            }
            continue;
        };
        let Some(manifest) = installed_manifest(&there) else {
            if there.read_dir().is_ok_and(|mut entries| entries.next().is_none()) {
                ground.suspect(
                    Suspicion::new(
                        Probe::Dependencies,
                        format!("the folder of the package {name:?} in node_modules is empty"),
                        place(name),
                        format!("rm -rf node_modules && {}", install(tree, folder)),
                    )
                    .naming([name.to_owned()]),
                );
            }
            continue;
        };
        let Some(version) = version_of(&manifest) else { continue };
        if is_range(range) && !version.is_early && satisfies(&version, range, Dialect::Npm) == Some(false) {
            ground.suspect(
                Suspicion::new(
                    Probe::Dependencies,
                    format!("{name} {version} is installed, and {} asks for {range}", package.path),
                    place(name),
                    install(tree, folder),
                )
                .naming([name.to_owned()]),
            );
        }
        for (peer, range) in manifest.get("peerDependencies").and_then(Value::as_object).into_iter().flatten()
        {
            let optional = manifest
                .pointer(&format!("/peerDependenciesMeta/{}/optional", peer.replace('/', "~1")))
                .is_some();
            let found = installed(tree, folder, peer).and_then(|it| version_of(&installed_manifest(&it)?));
            if let (Some(found), Some(range), false) = (found, range.as_str(), optional) {
                peer_mismatch(
                    ground,
                    name,
                    peer,
                    range,
                    &found,
                    &format!("node_modules/{name}/package.json"),
                );
            }
        }
    }
}
