//! A Python package in `src/` that is started or tested as if it lay where Python looks, and that nobody installed.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{is_test, parent, under};

static STARTS: Pattern = Pattern::new(r"\bpython3?\s+-m\s+(\w+)");

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let here = tree.scope().trim_end_matches('/');
    let root = under(here, "src");
    if !tree.has_folder(&root) {
        return;
    }
    let is_named = |value: &str| value.split(':').any(|part| part.trim_end_matches('/').ends_with("src"));
    let texts = || {
        tree.examined(&[".py", ".toml", ".cfg", ".ini", ".sh", "Makefile", ".pth"])
            .filter_map(|file| tree.text(&file.path))
    };
    let is_told = || {
        texts().any(|text| {
            text.contains("PYTHONPATH")
                || text.contains("pythonpath")
                || text.lines().any(|line| line.contains("sys.path"))
        })
    };
    if ground.variable("PYTHONPATH").is_some_and(is_named) || is_told() {
        return;
    }
    let world = ground.python();
    let Some(installed) = &world.installed else { return };
    for package in tree.files().iter().filter(|file| file.path.ends_with("/__init__.py")) {
        let folder = parent(&package.path);
        let Some(name) = folder.strip_prefix(&format!("{root}/")).filter(|name| !name.contains('/')) else {
            continue;
        };
        if installed.modules.contains(name) || tree.has_folder(&under(here, name)) {
            continue;
        }
        let tested = tree.examined(&[".py"]).filter(|file| is_test(&file.path)).find(|file| {
            tree.text(&file.path).is_some_and(|text| {
                text.lines().any(|line| {
                    (line.starts_with("import ") || line.starts_with("from ")) && has_word(line, name)
                })
            })
        });
        let starts = |text: &str| {
            STARTS
                .all(text)
                .iter()
                .any(|hit| hit.group(1) == name || (hit.group(1) == "unittest" && tested.is_some()))
        };
        let is_elsewhere = |text: &str| text.contains("src") || text.contains("pip ");
        let line = ground
            .shell_lines()
            .iter()
            .find(|line| starts(&line.text) && !is_elsewhere(&line.text) && !line.before.contains("pip "));
        let place = match line {
            Some(line) => line.place.clone(),
            None if starts(&ground.hint.command) && !is_elsewhere(&ground.hint.command) => {
                "the command".to_owned()
            }
            None => continue,
        };
        ground.suspect(
            Suspicion::new(
                Probe::Imports,
                format!("the package {name:?} lies in {root}/, where Python does not look: it is not installed, and PYTHONPATH does not name src"),
                format!("{place} starts it"),
                "export PYTHONPATH=src, or pip install -e .".to_owned(),
            )
            .strength(Strength::Likely)
            .naming([name.to_owned()]),
        );
    }
}
