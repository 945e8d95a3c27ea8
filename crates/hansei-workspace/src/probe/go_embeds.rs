//! Files and folders that Go embeds when a program is built: absent, or with nothing in them that can be embedded.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::tree::{Presence, Tree, base, join, parent};

static EMBED: Pattern = Pattern::new(r"^//go:embed\s+(.+)$");

pub(super) fn probe(ground: &Ground<'_>) {
    for file in ground.tree.examined(&[".go"]).filter(|file| !is_left_out(&file.path)) {
        let Some(text) = ground.tree.text(&file.path).filter(|text| text.contains("//go:embed")) else {
            continue;
        };
        for hit in EMBED.all(&text) {
            for written in hit.group(1).split_whitespace() {
                let named = written.trim_matches(['"', '`']);
                let (named, all) = match named.strip_prefix("all:") {
                    Some(named) => (named, true),
                    None => (named, false),
                };
                let Some(target) = join(parent(&file.path), named) else { continue };
                if let Some(why) = nothing_at(&ground.tree, &target, all) {
                    let place = format!("{}:{}", file.path, hit.line());
                    tell(ground, &file.path, named, &target, &place, &why);
                }
            }
        }
    }
}

/// Folders that Go passes over.
pub(super) fn is_left_out(path: &str) -> bool {
    parent(path).split('/').any(|part| part.starts_with(['_', '.']) || part == "testdata")
}

/// Why nothing can be embedded from there; nothing where something can.
fn nothing_at(tree: &Tree, target: &str, all: bool) -> Option<String> {
    if target.contains(['*', '?', '[']) {
        let known = tree
            .files()
            .iter()
            .map(|file| file.path.as_str())
            .chain(tree.folders().iter().map(String::as_str));
        let mut matching = known.filter(|path| fits(target, path));
        return matching.next().is_none().then(|| format!("nothing matches {target}"));
    }
    match tree.presence(target) {
        Presence::File | Presence::Unknown => None,
        Presence::Folder => {
            let inside = format!("{target}/");
            let mut files = tree.files().iter().filter_map(|file| file.path.strip_prefix(&inside));
            let is_hidden = |path: &str| path.split('/').any(|part| part.starts_with(['.', '_']));
            let has = files.any(|path| all || !is_hidden(path));
            (!has).then(|| format!("{target} holds no file that can be embedded"))
        }
        Presence::OtherCase(real) => Some(format!("it is called {real}")),
        Presence::Absent => Some(format!("there is no {target}")),
    }
}

/// Whether a path fits a pattern whose stars stay within one name.
fn fits(pattern: &str, path: &str) -> bool {
    let (wanted, given): (Vec<&str>, Vec<&str>) = (pattern.split('/').collect(), path.split('/').collect());
    wanted.len() == given.len()
        && wanted.iter().zip(&given).all(|(wanted, given)| name_fits(wanted.as_bytes(), given.as_bytes()))
}

fn name_fits(pattern: &[u8], name: &[u8]) -> bool {
    match pattern.first() {
        None => name.is_empty(),
        Some(b'*') => (0..=name.len()).any(|at| name_fits(&pattern[1..], &name[at..])),
        Some(b'?') => !name.is_empty() && name_fits(&pattern[1..], &name[1..]),
        // Sets of characters are rare: they are taken as fitting.
        Some(b'[') => true,
        Some(byte) => name.first() == Some(byte) && name_fits(&pattern[1..], &name[1..]),
    }
}

fn tell(ground: &Ground<'_>, file: &str, named: &str, target: &str, place: &str, why: &str) {
    let folder = if target.contains(['*', '?', '[']) { parent(target) } else { target };
    let word = base(folder);
    // Who makes it stands in a script.
    let maker = ground
        .shell_lines()
        .iter()
        .find(|line| !line.is_failing && super::hint::has_word(&line.text, word))
        .map(|line| line.place.split(" (").next().unwrap_or(&line.place).to_owned());
    let fix = ground.restored(target).unwrap_or_else(|| match maker {
        Some(maker) => format!("build it first: {maker} makes {word}"),
        None => format!("create {folder}, or run what builds it"),
    });
    let ignored =
        if ground.is_ignored(folder) { ", and .gitignore keeps it out of the repository" } else { "" };
    ground.suspect(
        Suspicion::new(
            Probe::Imports,
            format!("{file} embeds {named:?}, and {why}"),
            format!("{place}{ignored}"),
            fix,
        )
        .strength(Strength::Certain)
        .naming([named.to_owned(), target.to_owned()]),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stay_within_a_name() {
        for (pattern, path, wanted) in [
            ("web/dist/*", "web/dist/a.js", true),
            ("web/dist/*", "web/dist/a/b.js", false),
            ("t/*.html", "t/x.html", true),
            ("t/*.html", "t/x.txt", false),
            ("t/?.sql", "t/1.sql", true),
        ] {
            assert_eq!(fits(pattern, path), wanted, "{pattern} {path}");
        }
    }
}
