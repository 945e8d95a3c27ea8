//! Files that lists and maps beside them name, as their siblings do, and that do not exist: recorded answers, parts, pages.

use std::collections::BTreeMap;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::opened_files::DATA;
use super::pattern::Pattern;
use super::tree::{File, Presence, base, join, parent};

/// A value that is a path below: `key = folder/file.ending`, `"file": "folder/file.ending"`.
static VALUE: Pattern =
    Pattern::new(r#"[:=]\s*["']?([\w-][\w.-]*(?:/[\w.-]+)+\.[A-Za-z0-9]{1,8})["']?\s*,?\s*$"#);
/// The largest list that is read.
const LARGEST: u64 = 32 << 10;
/// What is no list of files: code, prose, and what tools read in their own way.
const OTHER: &[&str] = &[
    "py", "js", "ts", "mjs", "cjs", "jsx", "tsx", "go", "rs", "java", "kt", "c", "h", "cpp", "hpp", "rb",
    "php", "sh", "bash", "md", "rst", "txt", "html", "css", "lock", "toml", "yml", "yaml", "xml", "gradle",
    "mk", "cfg",
];
/// Words for what is missing on purpose, or is made.
const ON_PURPOSE: &[&str] = &[
    "missing", "absent", "nonexist", "not_found", "not-found", "invalid", "bad", "broken", "out", "tmp",
    "log",
];

/// A path that a list names.
struct Named<'a> {
    list: &'a File,
    line: usize,
    value: String,
    path: String,
}

pub(super) fn probe(ground: &Ground<'_>) {
    let mut groups: BTreeMap<(String, String), Vec<Named<'_>>> = BTreeMap::new();
    for list in ground.tree.files().iter().filter(|file| is_list(ground, file)) {
        let Some(text) = ground.tree.text(&list.path) else { continue };
        let folder = parent(&list.path);
        for hit in VALUE.all(&text) {
            let value = hit.group(1).to_owned();
            if let Some(path) = join(folder, &value).filter(|_| DATA.iter().any(|end| value.ends_with(end))) {
                let group = (folder.to_owned(), ending(&list.path).to_owned());
                groups.entry(group).or_default().push(Named { list, line: hit.line(), value, path });
            }
        }
    }
    for named in groups.values() {
        judge(ground, named);
    }
}

fn is_list(ground: &Ground<'_>, file: &File) -> bool {
    ground.tree.is_own(&file.path)
        && file.size <= LARGEST
        && !base(&file.path).starts_with('.')
        && !OTHER.contains(&ending(&file.path))
        && !matches!(base(&file.path), "package.json" | "composer.json" | "tsconfig.json" | "Makefile")
}

fn ending(path: &str) -> &str {
    base(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// One that is absent among others that are there, all seen from the same folder.
fn judge(ground: &Ground<'_>, named: &[Named<'_>]) {
    let is_there = |one: &&Named<'_>| ground.tree.has(&one.path);
    let known: Vec<&Named<'_>> = named.iter().filter(is_there).collect();
    let absent: Vec<&Named<'_>> = named
        .iter()
        .filter(|one| {
            matches!(ground.tree.presence(&one.path), Presence::Absent | Presence::OtherCase(_))
                && ground.tree.has_folder(parent(&one.path))
        })
        .collect();
    // Where many are absent the list means something else.
    if known.is_empty() || absent.len() > known.len() {
        return;
    }
    for one in absent {
        let lower = one.path.to_lowercase();
        if ON_PURPOSE.iter().any(|word| lower.contains(word)) || ground.is_ignored(&one.path) {
            continue;
        }
        let place = format!("{}:{}", one.list.path, one.line);
        let fix =
            ground.restored(&one.path).unwrap_or_else(|| format!("create {}, or correct {place}", one.path));
        ground.suspect(
            Suspicion::new(
                Probe::Fixtures,
                format!("{} names {}, which does not exist", one.list.path, one.value),
                format!("{place}; {} beside it is there", known[0].path),
                fix,
            )
            .naming([one.path.clone(), base(&one.path).to_owned()]),
        );
    }
}
