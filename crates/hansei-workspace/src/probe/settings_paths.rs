//! Files that a settings file names and the code asks for by that setting, and that do not exist.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Suspicion};
use super::hint::has_word;
use super::opened_files::DATA;
use super::pattern::Pattern;
use super::tokens::Dialect;
use super::tree::{Presence, base, is_test, join, parent};

/// `name = "folder/file.ending"`, in each way of writing settings.
static NAMED: Pattern = Pattern::new(
    r#"^\s*["']?([\w.-]+)["']?\s*[:=]\s*["']?([\w-][\w.-]*(?:/[\w.-]+)+\.[A-Za-z0-9]{1,8})["']?\s*,?\s*(?:[#;].*)?$"#,
);
/// Words in names of settings for what is written.
const WRITTEN: &[&str] = &[
    "out", "log", "cache", "tmp", "temp", "dest", "target", "report", "export", "save", "write", "pid",
    "sock", "db", "result", "backup", "state", "history", "archive", "spool", "dump", "generated", "main",
    "types", "module", "include", "exclude",
];
/// Settings that tools read in their own way.
const TOOLS: &[&str] = &[
    "package.json", "package-lock.json", "tsconfig", "jsconfig", "pyproject.toml", "Cargo.toml",
    "Cargo.lock", "setup.cfg", "tox.ini", "pytest.ini", "compose", "mkdocs", "composer.json", "pom",
    ".pre-commit", "renovate", "angular.json", "nx.json", "jest.config", "vercel.json", "netlify.toml",
    "deno.json", "biome.json", ".eslintrc", "book.toml", "rustfmt.toml", "clippy.toml",
];

pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let endings = [".toml", ".json", ".yaml", ".yml", ".ini", ".cfg", ".conf", ".properties"];
    for file in tree.examined(&endings).filter(|file| file.size < 64 << 10) {
        let name = base(&file.path);
        if TOOLS.iter().any(|tool| name.starts_with(tool) || name.contains(tool))
            || file.path.starts_with('.')
            || !is_for_settings(tree.scope(), &file.path)
            || is_test(&file.path)
            || ["example", "sample", "template"].iter().any(|word| name.contains(word))
        {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        for hit in NAMED.all(&text) {
            let (key, named) = (hit.group(1), hit.group(2));
            let is_data = DATA.iter().any(|ending| named.ends_with(ending));
            let lower = key.to_lowercase();
            if !is_data
                || WRITTEN.iter().any(|word| lower.contains(word))
                || hit.group(0).trim_start().starts_with(['#', ';', '/'])
            {
                continue;
            }
            judge(ground, &file.path, hit.line(), key, named);
        }
    }
}

/// Whether settings of the program lie there: at the top, or in a folder that is called so.
fn is_for_settings(scope: &str, path: &str) -> bool {
    let folder = parent(path.strip_prefix(scope).unwrap_or(path));
    let names = ["conf", "config", "configs", "settings", "etc", "cfg", "configuration", "resources"];
    folder.is_empty() || folder.split('/').any(|part| names.contains(&part))
}

fn judge(ground: &Ground<'_>, settings: &str, line: usize, key: &str, named: &str) {
    let tree = &ground.tree;
    let scope = tree.scope().trim_end_matches('/');
    let code: Vec<_> = tree
        .files()
        .iter()
        .filter(|file| tree.is_own(&file.path) && Dialect::of(&file.path).is_some())
        .collect();
    let word = key.rsplit('.').next().unwrap_or(key);
    let (quoted, owned) = ([format!("\"{word}\""), format!("'{word}'")], format!(".{word}"));
    let asks = |text: &str| quoted.iter().any(|way| text.contains(way.as_str())) || has_word(text, &owned);
    let asking = code.iter().find(|file| tree.text(&file.path).is_some_and(|text| asks(&text)));
    let is_read =
        code.iter().any(|file| tree.text(&file.path).is_some_and(|text| text.contains(base(settings))));
    let Some(asking) = asking.filter(|_| is_read) else { return };
    let roots = [scope, "", parent(settings), parent(parent(settings)), parent(&asking.path)];
    let candidates: Vec<String> = roots.iter().filter_map(|root| join(root, named)).collect();
    let is_gone = |path: &String| matches!(tree.presence(path), Presence::Absent | Presence::OtherCase(_));
    let has_folder = candidates.iter().find(|path| tree.has_folder(parent(path)) && !parent(path).is_empty());
    let Some(path) = has_folder.filter(|_| candidates.iter().all(is_gone)) else { return };
    // What is not kept in the repository, or stands in code that writes, is made.
    let made = code.iter().filter_map(|file| tree.text(&file.path)).any(|text| text.contains(base(named)));
    if made || ground.is_ignored(path) {
        return;
    }
    let other_case = candidates.iter().find_map(|path| match tree.presence(path) {
        Presence::OtherCase(real) => Some(real),
        _ => None,
    });
    let place = format!("{settings}:{line} ({key})");
    if let Some(real) = other_case {
        ground.suspect(
            Suspicion::new(
                Probe::FileCase,
                format!("{settings} names {named:?}, which differs from {real} only in case"),
                place,
                format!("write {real} as it is called"),
            )
            .naming([named.to_owned(), base(named).to_owned()]),
        );
        return;
    }
    let fix = ground.restored(path).unwrap_or_else(|| format!("create {path}, or correct {settings}:{line}"));
    ground.suspect(
        Suspicion::new(
            Probe::Config,
            format!("{settings} names {named}, which does not exist"),
            format!("{place}, {} asks for it", asking.path),
            fix,
        )
        .naming([named.to_owned(), base(named).to_owned()]),
    );
}
