//! What manifests say: a package's name, what it uses, and its scripts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::ecosystem::Reads;

/// What was read of one manifest.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Manifest {
    /// What others call the package.
    pub(super) name: Option<String>,
    /// Names of packages that it uses.
    pub(super) uses: Vec<String>,
    /// Its scripts by name.
    pub(super) scripts: BTreeMap<String, String>,
    /// The package manager that it names.
    pub(super) manager: Option<String>,
    /// Folders of its modules, relative to its own.
    pub(super) modules: Vec<String>,
    /// Whether it only holds others together and is no package itself.
    pub(super) is_frame: bool,
}

/// Reads a manifest; what cannot be read says nothing.
pub(super) fn read(reads: Reads, text: &str) -> Manifest {
    match reads {
        Reads::Cargo => cargo(text),
        Reads::Node => node(text),
        Reads::Python => python(text),
        Reads::Go => go(text),
        Reads::Maven => maven(text),
        Reads::Nothing | Reads::Make | Reads::Deno => Manifest::default(),
    }
}

fn cargo(text: &str) -> Manifest {
    let Ok(table) = text.parse::<toml::Table>() else { return Manifest::default() };
    let mut uses = Vec::new();
    let mut take = |table: Option<&toml::Value>| {
        for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(dependencies) = table.and_then(|table| table.get(kind)?.as_table()) else { continue };
            for (name, value) in dependencies {
                let renamed = value.get("package").and_then(toml::Value::as_str);
                uses.push(renamed.unwrap_or(name).to_owned());
            }
        }
    };
    let whole = toml::Value::Table(table.clone());
    take(Some(&whole));
    for target in table.get("target").and_then(toml::Value::as_table).into_iter().flat_map(|all| all.values())
    {
        take(Some(target));
    }
    let package = table.get("package").and_then(toml::Value::as_table);
    Manifest {
        name: package.and_then(|package| Some(package.get("name")?.as_str()?.to_owned())),
        uses,
        is_frame: package.is_none() && table.contains_key("workspace"),
        ..Manifest::default()
    }
}

fn node(text: &str) -> Manifest {
    let Ok(value) = serde_json::from_str::<Value>(text) else { return Manifest::default() };
    let dependencies = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let uses = dependencies.iter().filter_map(|kind| value.get(kind)?.as_object()).flat_map(|all| all.keys());
    let scripts = value.get("scripts").and_then(Value::as_object).into_iter().flatten();
    Manifest {
        name: value.get("name").and_then(Value::as_str).map(ToOwned::to_owned),
        uses: uses.cloned().collect(),
        scripts: scripts.filter_map(|(name, text)| Some((name.clone(), text.as_str()?.to_owned()))).collect(),
        manager: value.get("packageManager").and_then(Value::as_str).map(ToOwned::to_owned),
        ..Manifest::default()
    }
}

fn python(text: &str) -> Manifest {
    let Ok(table) = text.parse::<toml::Table>() else { return Manifest::default() };
    let Some(project) = table.get("project").and_then(toml::Value::as_table) else {
        return Manifest::default();
    };
    let listed = project.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
    // `some-package[extra] >= 1.0`
    let name = |text: &str| {
        text.split(|c: char| !c.is_ascii_alphanumeric() && !"-_.".contains(c)).next().unwrap_or("").to_owned()
    };
    Manifest {
        name: project.get("name").and_then(toml::Value::as_str).map(ToOwned::to_owned),
        uses: listed.filter_map(|text| text.as_str().map(name)).collect(),
        ..Manifest::default()
    }
}

fn go(text: &str) -> Manifest {
    let words = |line: &str| line.split_whitespace().map(ToOwned::to_owned).collect::<Vec<_>>();
    let mut manifest = Manifest::default();
    for line in text.lines().map(|line| line.split("//").next().unwrap_or("").trim()) {
        match words(line).as_slice() {
            [word, name] if word == "module" => manifest.name = Some(name.clone()),
            [word, name, ..] if word == "require" && name != "(" => manifest.uses.push(name.clone()),
            [name, version, ..] if version.starts_with('v') => manifest.uses.push(name.clone()),
            _ => {}
        }
    }
    manifest
}

fn maven(text: &str) -> Manifest {
    let modules = text.split("<module>").skip(1).filter_map(|rest| rest.split_once("</module>"));
    Manifest {
        modules: modules.map(|(folder, _)| folder.trim().trim_end_matches('/').to_owned()).collect(),
        ..Manifest::default()
    }
}

/// The targets that a Makefile defines.
pub(super) fn make_targets(text: &str) -> impl Iterator<Item = &str> {
    let rules = text.lines().filter(|line| !line.starts_with(['\t', ' ', '#', '.']));
    rules
        .filter_map(|line| line.split_once(':').filter(|(_, rest)| !rest.starts_with('=')))
        .flat_map(|(names, _)| names.split_whitespace())
}
