//! What defines checks, and how the base commit's definition is put back where the work changed it.
//!
//! Put back are the scripts of `package.json`, what pytest collects, and a Makefile whose test rule changed. The rest of
//! these files stays as the work left it: new dependencies must be there for new code.

use std::collections::BTreeSet;

use serde_json::Value;

use super::contents::{Contents, folder_of, join, name_of};
use super::ecosystem::Ecosystem;
use super::weakened::{Weakened, is_configuration, may_hold_tests};

/// A file that is put back for a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Restored {
    /// Which.
    pub path: String,
    /// Its text.
    pub text: String,
}

/// Parts of `package.json` beside its scripts that say what a runner runs.
const RUNNERS: &[&str] = &["jest", "mocha", "ava", "vitest", "tap", "nyc", "c8"];

/// What pytest collects, as its settings name it.
const COLLECTS: &[&str] =
    &["testpaths", "python_files", "python_classes", "python_functions", "norecursedirs"];

/// Options that leave tests out, or make a failure none.
const LEAVES_OUT: &[&str] = &[
    "--ignore",
    "--deselect",
    "-k",
    "-m",
    "--co",
    "--collect-only",
    "--lf",
    "--last-failed",
    "--sw",
    "--stepwise",
    "--maxfail",
    "-p",
    "--suppress-no-test-exit-code",
    "--noconftest",
    "--pyargs",
    "--runxfail",
    "--help",
    "-h",
    "--version",
    "-V",
    "--setup-plan",
    "--setup-only",
    "--fixtures",
    "--markers",
    "--no-summary",
];

/// The files whose texts a plan needs, of all paths that are there now or were at the base.
pub fn wanted(contents: &Contents, ecosystems: &[Ecosystem]) -> BTreeSet<String> {
    let changed = |path: &str| contents.changed.as_ref().is_none_or(|changed| changed.contains(path));
    let wanted = contents.all().filter(|path| {
        ecosystems.iter().any(|ecosystem| ecosystem.has_manifest(name_of(path)))
            || (contents.base.is_some() && changed(path) && (is_configuration(path) || may_hold_tests(path)))
    });
    wanted.map(ToOwned::to_owned).collect()
}

/// The files that are put back.
pub fn restored(contents: &Contents) -> Vec<Restored> {
    let found = contents.texts.iter().filter_map(|(path, texts)| {
        let base = texts.base.as_deref()?;
        let now = texts.now.as_deref();
        if now == Some(base) {
            return None;
        }
        let text = match name_of(path) {
            "package.json" => package_json(base, now)?,
            "Makefile" | "makefile" | "GNUmakefile" if rules(base) != rules(now.unwrap_or_default()) => {
                base.to_owned()
            }
            _ => return None,
        };
        Some(Restored { path: path.clone(), text })
    });
    found.chain(pytest(contents)).collect()
}

/// What the work changed in definitions of checks, in words.
pub(super) fn changes(contents: &Contents) -> Vec<Weakened> {
    let mut found = Vec::new();
    for (path, texts) in &contents.texts {
        let (Some(base), now) = (texts.base.as_deref(), texts.now.as_deref()) else { continue };
        match name_of(path) {
            "package.json" => {
                let (base, now) = (json(base), json(now.unwrap_or("{}")));
                let both = base.as_ref().zip(now.as_ref());
                for (name, text) in both.iter().flat_map(|(base, _)| scripts(base)) {
                    let new = both.and_then(|(_, now)| now.get("scripts")?.get(name)?.as_str());
                    if new != Some(text) && !is_empty_test(name, text) {
                        let what = match new {
                            Some(new) => format!("the script {name:?} was `{text}` and is now `{new}`"),
                            None => format!("the script {name:?} (`{text}`) was taken out"),
                        };
                        found.push(Weakened::new(path, &format!("{what}; the base commit's was run")));
                    }
                }
            }
            "Makefile" | "makefile" | "GNUmakefile" if rules(base) != rules(now.unwrap_or_default()) => {
                found.push(Weakened::new(
                    path,
                    "the rule of its tests changed; the base commit's file was used",
                ));
            }
            _ => {}
        }
    }
    for (path, keys) in changed_collection(contents) {
        let what = format!("what pytest collects changed ({}); the base commit's was used", keys.join(", "));
        found.push(Weakened::new(&path, &what));
    }
    found
}

/// `package.json` as it is now, with the base's scripts and runners' settings; none where they are the same.
fn package_json(base: &str, now: Option<&str>) -> Option<String> {
    let base = json(base)?;
    let Some(mut now) = now.and_then(json) else { return serde_json::to_string_pretty(&base).ok() };
    let before = now.clone();
    for (name, text) in scripts(&base) {
        // npm's placeholder is no check that could be weakened.
        if !is_empty_test(name, text) {
            let object = now.as_object_mut()?;
            let scripts = object.entry("scripts").or_insert_with(|| Value::Object(serde_json::Map::new()));
            scripts.as_object_mut()?.insert(name.to_owned(), Value::String(text.to_owned()));
        }
    }
    for key in RUNNERS {
        if let Some(value) = base.get(key) {
            now.as_object_mut()?.insert((*key).to_owned(), value.clone());
        }
    }
    (now != before).then(|| serde_json::to_string_pretty(&now).ok())?
}

fn json(text: &str) -> Option<Value> {
    serde_json::from_str::<Value>(text).ok().filter(Value::is_object)
}

fn scripts(package: &Value) -> impl Iterator<Item = (&str, &str)> {
    let scripts = package.get("scripts").and_then(Value::as_object).into_iter().flatten();
    scripts.filter_map(|(name, text)| Some((name.as_str(), text.as_str()?)))
}

fn is_empty_test(name: &str, text: &str) -> bool {
    name == "test" && (text.trim().is_empty() || text.contains("no test specified"))
}

/// The rules of a Makefile that its tests are made by.
fn rules(text: &str) -> Vec<&str> {
    let mut inside = false;
    text.lines()
        .filter(|line| {
            if !line.starts_with(['\t', ' ', '#']) && !line.trim().is_empty() {
                inside = line.split_once(':').is_some_and(|(names, _)| {
                    names.split_whitespace().any(|name| matches!(name, "test" | "check" | "tests"))
                });
            }
            inside && !line.trim().is_empty()
        })
        .collect()
}

/// pytest's settings in one file, each value as lines.
type Settings = std::collections::BTreeMap<String, Vec<String>>;

fn pytest_settings(name: &str, text: &str) -> Option<Settings> {
    match name {
        "pytest.ini" | "tox.ini" => ini(text, "[pytest]"),
        "setup.cfg" => ini(text, "[tool:pytest]"),
        "pyproject.toml" => {
            let table = text.parse::<toml::Table>().ok()?;
            let pytest = table.get("tool")?.get("pytest")?;
            let options = pytest.get("ini_options").unwrap_or(pytest).as_table()?;
            Some(options.iter().map(|(key, value)| (key.clone(), lines(value))).collect())
        }
        _ => None,
    }
}

fn lines(value: &toml::Value) -> Vec<String> {
    match value {
        toml::Value::Array(values) => values.iter().flat_map(lines).collect(),
        toml::Value::String(text) => vec![text.clone()],
        toml::Value::Boolean(value) => vec![value.to_string()],
        toml::Value::Integer(value) => vec![value.to_string()],
        toml::Value::Float(value) => vec![value.to_string()],
        // pytest takes no others.
        toml::Value::Datetime(_) | toml::Value::Table(_) => Vec::new(),
    }
}

fn ini(text: &str, section: &str) -> Option<Settings> {
    let mut found: Option<Settings> = None;
    let mut inside = false;
    let mut key = String::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.starts_with('[') {
            inside = trimmed == section;
            if inside {
                found.get_or_insert_with(Settings::new);
            }
        } else if inside && !trimmed.is_empty() && !trimmed.starts_with(['#', ';']) {
            let settings = found.get_or_insert_with(Settings::new);
            match line.split_once('=').filter(|_| !line.starts_with([' ', '\t'])) {
                Some((name, value)) => {
                    name.trim().clone_into(&mut key);
                    let value = value.trim();
                    let value = if value.is_empty() { Vec::new() } else { vec![value.to_owned()] };
                    settings.insert(key.clone(), value);
                }
                None => settings.entry(key.clone()).or_default().push(trimmed.to_owned()),
            }
        }
    }
    found
}

/// The settings that pytest takes in a folder: those of the first file that has some.
fn pytest_in(folder: &str, text: impl Fn(&str) -> Option<String>) -> Option<Settings> {
    ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]
        .iter()
        .find_map(|name| pytest_settings(name, &text(&join(folder, name))?))
}

/// Folders in which what pytest collects changed: the file that stands for it, and the keys.
fn changed_collection(contents: &Contents) -> Vec<(String, Vec<String>)> {
    // A project without tests at its base has nothing that could be left out.
    let had_tests = contents.base.iter().flatten().any(|path| is_python_test(path));
    if !had_tests {
        return Vec::new();
    }
    let mut found = Vec::new();
    for folder in pytest_folders(contents) {
        let (base, now) = both(&folder, contents);
        let mut keys: Vec<String> = COLLECTS
            .iter()
            .filter(|key| base.get(**key) != now.get(**key))
            .map(|key| (*key).to_owned())
            .collect();
        let options = |settings: &Settings| {
            let words =
                settings.get("addopts").into_iter().flatten().flat_map(|line| line.split_whitespace());
            words.filter(|word| leaves_out(word)).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        if options(&base) != options(&now) {
            keys.push("addopts".to_owned());
        }
        if !keys.is_empty() {
            let file = ["pytest.ini", "pyproject.toml", "tox.ini", "setup.cfg"]
                .iter()
                .map(|name| join(&folder, name));
            let changed =
                |path: &String| contents.texts.get(path).is_some_and(|texts| texts.now != texts.base);
            let path = file.clone().find(changed).unwrap_or_else(|| join(&folder, "pytest.ini"));
            found.push((path, keys));
        }
    }
    found
}

fn leaves_out(word: &str) -> bool {
    LEAVES_OUT.iter().any(|option| {
        word == *option
            || word
                .strip_prefix(option)
                .is_some_and(|rest| rest.starts_with('=') || !option.starts_with("--"))
    })
}

fn is_python_test(path: &str) -> bool {
    let name = name_of(path);
    name.strip_suffix(".py").is_some_and(|stem| stem.starts_with("test_") || stem.ends_with("_test"))
}

fn pytest_folders(contents: &Contents) -> BTreeSet<String> {
    let files = contents
        .texts
        .keys()
        .filter(|path| matches!(name_of(path), "pytest.ini" | "pyproject.toml" | "tox.ini" | "setup.cfg"));
    files.map(|path| folder_of(path).to_owned()).collect()
}

fn both(folder: &str, contents: &Contents) -> (Settings, Settings) {
    let base = pytest_in(folder, |path| contents.texts.get(path)?.base.clone());
    let now = pytest_in(folder, |path| contents.texts.get(path)?.now.clone());
    (base.unwrap_or_default(), now.unwrap_or_default())
}

/// A `pytest.ini` for every folder in which the work changed what is collected: it is asked before all other files.
fn pytest(contents: &Contents) -> Vec<Restored> {
    let made = changed_collection(contents).into_iter().map(|(path, keys)| {
        let folder = folder_of(&path).to_owned();
        let (base, mut now) = both(&folder, contents);
        for key in keys {
            match base.get(&key) {
                Some(value) => now.insert(key, value.clone()),
                None => now.remove(&key),
            };
        }
        let text = now.iter().fold(String::from("[pytest]\n"), |text, (key, value)| {
            format!("{text}{key} = {}\n", value.join("\n    "))
        });
        Restored { path: join(&folder, "pytest.ini"), text }
    });
    made.collect()
}
