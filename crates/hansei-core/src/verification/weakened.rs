//! What the work took away from its own checks: tests that are gone or skipped, settings that leave something out.
//!
//! This accuses nobody and decides nothing by itself. It stands beside the answer, and "nothing to run" is no pass where
//! it has something to say.

use std::collections::BTreeSet;

use serde::Serialize;

use super::contents::{Contents, Texts, name_of, within};
use super::packages::Package;
use crate::evidence::file_world::is_test_file;
use crate::evidence::test_text::{is_trivially_true, loosened_threshold, skips, switched_off, test_names};

/// Most entries that are kept.
const MOST: usize = 50;

/// Something that was taken away.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Weakened {
    /// The file.
    pub path: String,
    /// What.
    pub what: String,
}

impl Weakened {
    pub(super) fn new(path: &str, what: &str) -> Self {
        Self { path: path.to_owned(), what: what.to_owned() }
    }
}

/// Words that switch checks off where they appear in a file of this name.
const MARKS: &[(&str, &[&str])] = &[
    (
        "conftest.py",
        &[
            "collect_ignore",
            "pytest_collection_modifyitems",
            "pytest_ignore_collect",
            "os._exit",
            "sys.exit",
            "deselect",
        ],
    ),
    ("Cargo.toml", &["test = false", "harness = false", "autotests = false", "doctest = false"]),
    ("pom.xml", &["<skipTests>", "<maven.test.skip>", "<testFailureIgnore>", "<skip>", "<excludes>"]),
    ("maven.config", &["skipTests", "maven.test.skip", "testFailureIgnore", "maven.test.failure.ignore"]),
    ("build.gradle", &["ignoreFailures", "enabled = false", "exclude"]),
    ("build.gradle.kts", &["ignoreFailures", "enabled = false", "exclude"]),
    ("gradle.properties", &["skipTests", "ignoreFailures"]),
    ("CMakeLists.txt", &["WILL_FAIL", "DISABLED", "SKIP_RETURN_CODE", "SKIP_REGULAR_EXPRESSION"]),
    ("pyproject.toml", &["per-file-ignores", "extend-ignore", "extend-exclude", "ignore =", "exclude ="]),
    ("ruff.toml", &["per-file-ignores", "extend-ignore", "extend-exclude", "ignore =", "exclude ="]),
    (".ruff.toml", &["per-file-ignores", "extend-ignore", "extend-exclude", "ignore =", "exclude ="]),
    ("config.toml", &["runner ="]),
];

/// Words whose disappearance switches checks off.
const ANCHORS: &[(&str, &[&str])] =
    &[("CMakeLists.txt", &["add_test", "enable_testing", "gtest_discover_tests"])];

/// Whether a file of this path can configure a check.
pub(super) fn is_configuration(path: &str) -> bool {
    let name = name_of(path);
    MARKS.iter().any(|(file, _)| *file == name)
        || ["jest.config.", "vitest.config.", ".mocharc", "playwright.config.", "ava.config."]
            .iter()
            .any(|start| name.starts_with(start))
        || matches!(name, "pytest.ini" | "tox.ini" | "setup.cfg" | ".coveragerc" | "Makefile" | "makefile")
}

/// Whether a file of this path can hold tests.
pub(super) fn may_hold_tests(path: &str) -> bool {
    is_test_file(path) || path.strip_suffix(".rs").is_some()
}

/// Everything that was taken away, the definitions that are put back left out.
pub(super) fn find(contents: &Contents, packages: &[Package<'_>]) -> Vec<Weakened> {
    let Some(base) = &contents.base else { return Vec::new() };
    let mut found = BTreeSet::new();
    for manifest in packages.iter().filter_map(|package| package.manifest.as_deref()) {
        if base.contains(manifest) && !contents.now.contains(manifest) {
            found.insert(Weakened::new(manifest, "it was deleted"));
        }
    }
    let kept: BTreeSet<String> =
        contents.texts.values().filter_map(|texts| texts.now.as_deref()).flat_map(test_names).collect();
    for (path, texts) in &contents.texts {
        if may_hold_tests(path) {
            tests(path, texts, &kept, &mut found);
        }
        if is_configuration(path) || may_hold_tests(path) || name_of(path) == "package.json" {
            settings(path, texts, &mut found);
        }
    }
    found.into_iter().take(MOST).collect()
}

/// Whether something was taken away in `folder` or below.
pub(super) fn in_folder(weakened: &[Weakened], folder: &str) -> bool {
    weakened.iter().any(|entry| within(&entry.path, folder))
}

fn tests(path: &str, texts: &Texts, kept: &BTreeSet<String>, found: &mut BTreeSet<Weakened>) {
    let Some(base) = texts.base.as_deref() else { return };
    let names = test_names(base);
    let gone: Vec<&String> = names.iter().filter(|name| !kept.contains(*name)).collect();
    if !gone.is_empty() {
        let listed: Vec<&str> = gone.iter().take(5).map(|name| name.as_str()).collect();
        let more = if gone.len() > listed.len() { ", …" } else { "" };
        found.insert(Weakened::new(path, &format!("tests are gone: {}{more}", listed.join(", "))));
    }
    match texts.now.as_deref() {
        None if is_test_file(path) && !gone.is_empty() => {
            found.insert(Weakened::new(path, "the test file was deleted"));
        }
        Some(now) if skips(now) > skips(base) => {
            found.insert(Weakened::new(path, "a test is switched off (skip, ignore or only)"));
        }
        Some(now) if is_trivially_true(now) && !is_trivially_true(base) => {
            found.insert(Weakened::new(path, "an assertion can no longer fail"));
        }
        _ => {}
    }
}

fn settings(path: &str, texts: &Texts, found: &mut BTreeSet<Weakened>) {
    let base = texts.base.as_deref().unwrap_or_default();
    let Some(now) = texts.now.as_deref() else { return };
    if now == base {
        return;
    }
    let marks = |table: &'static [(&str, &[&str])]| {
        table.iter().filter(|(file, _)| *file == name_of(path)).flat_map(|(_, marks)| marks.iter())
    };
    for mark in marks(MARKS).filter(|mark| now.matches(**mark).count() > base.matches(**mark).count()) {
        found.insert(Weakened::new(path, &format!("`{mark}` was added")));
    }
    for mark in marks(ANCHORS).filter(|mark| now.matches(**mark).count() < base.matches(**mark).count()) {
        found.insert(Weakened::new(path, &format!("`{mark}` was taken out")));
    }
    // A setting that only leaves something out can be weakened in place, without a new key.
    if let Some(what) = switched_off(path, now).filter(|what| switched_off(path, base) != Some(what)) {
        found.insert(Weakened::new(path, what));
    }
    if let Some(what) = loosened_threshold(base, now) {
        found.insert(Weakened::new(path, &format!("{what} was lowered")));
    }
}
