//! What the error itself names, where the world confirms it: files that are absent, variables that are not set, rights that
//! are missing. An error that names nothing, or something that is as it should be, gives nothing here.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{Presence, base, ends_in, is_test, join, parent, under};

/// An error that misses a file; the file is the first group that took part.
static ABSENT: Pattern = Pattern::new(
    r#"No such file or directory: ['"]([^'"\n]+)['"]|ENOENT: no such file or directory, \w+ ['"]([^'"\n]+)['"]|(?:open|stat|lstat|read|chdir) ([^\s:'"]+): no such file or directory|NoSuchFileException: ([^\s:]+)|FileNotFoundException: (\S+) \(No such file|(?:cannot open|can't open|Cannot open|could not open|Could not open|cannot access|cannot stat|failed to open|Failed to open|unable to open|cannot read|could not read|failed to read)(?: file| the file| input file)? ['"`]?([\w./@+-]+\.\w+)['"`]?|No rule to make target ['"`]([^'"`\n]+)['"`]|(?:^|: )([\w./@+-]*[/.][\w./@+-]+): No such file or directory"#,
);
/// An error about rights.
static DENIED: Pattern = Pattern::new(
    r#"Permission denied: ['"]([^'"\n]+)['"]|EACCES: permission denied, \w+ ['"]([^'"\n]+)['"]|(?:open|fork/exec|exec|mkdir|unlink) ([^\s:'"]+): permission denied|AccessDeniedException: ([^\s:]+)|FileNotFoundException: (\S+) \(Permission denied\)|(?:^|: )([\w./@+-]+): Permission denied|spawn (\S+) EACCES"#,
);
/// A name that is written as variables are.
static VARIABLE: Pattern = Pattern::new(r"(?:^|[^\w./$-])([A-Z][A-Z0-9]*_[A-Z0-9_]*[A-Z0-9])(?:$|[^\w(./])");
/// Words of errors about variables and settings.
const ABOUT_SETTINGS: &[&str] = &[
    "environment",
    "env var",
    "not set",
    "unset",
    "missing",
    "required",
    "undefined",
    "keyerror",
    "must be set",
    "not defined",
    "no value",
    "is empty",
    "configure",
    "setting",
    "notpresent",
    "not present",
    "parameter null or not set",
];
/// The most names that are followed.
const MOST: usize = 12;

pub(super) fn probe(ground: &Ground<'_>) {
    if ground.hint.error.is_empty() {
        return;
    }
    for path in named(&ABSENT, &ground.hint.error) {
        absent(ground, &path);
    }
    for path in named(&DENIED, &ground.hint.error) {
        denied(ground, &path);
    }
    variables(ground);
}

/// The different things that a pattern finds.
fn named(pattern: &Pattern, error: &str) -> BTreeSet<String> {
    let hits = pattern.all(error).into_iter().map(|hit| hit.first_from(1).to_owned());
    // An address is no path, and may hold a password.
    hits.filter(|path| path.len() > 1 && path.len() < 400 && !path.contains("://")).take(MOST).collect()
}

/// A path of an error, below the root: as it is where it is absolute, else seen from the examined folder.
fn below(ground: &Ground<'_>, path: &str) -> Option<String> {
    if let Some(absolute) = path.strip_prefix('/') {
        let root = ground.tree.root().to_str()?.trim_start_matches('/');
        return join("", absolute.strip_prefix(root)?.trim_start_matches('/'));
    }
    join(ground.tree.scope(), path)
}

fn absent(ground: &Ground<'_>, named: &str) {
    let tree = &ground.tree;
    let Some(path) = below(ground, named).filter(|path| !path.is_empty()) else { return };
    let (probe, evidence, fix) = match tree.presence(&path) {
        Presence::OtherCase(real) => (
            Probe::FileCase,
            format!("the error names it; {real} differs only in case"),
            format!("write {real} as it is called"),
        ),
        Presence::Absent => {
            let same = tree.files().iter().find(|file| is_tail(&file.path, named) && file.path != path);
            let near = same.is_none().then(|| neighbour(ground, &path)).flatten();
            let restored = ground.restored(&path);
            let probe = if is_test(&path) || path.contains("fixture") || path.contains("testdata") {
                Probe::Fixtures
            } else if same.is_some() && !named.starts_with('/') {
                Probe::WrongFolder
            } else {
                Probe::Config
            };
            match (restored, same, near) {
                (Some(restore), ..) => (probe, "the error names it, and git has it".to_owned(), restore),
                (None, Some(same), _) => (
                    probe,
                    format!("the error names it; it lies at {}", same.path),
                    format!("run the command where {named} is right, or open {}", same.path),
                ),
                (None, None, Some(near)) => (
                    probe,
                    format!("the error names it; beside it lies {near}"),
                    format!("call {near} by its name, or rename it to {}", base(&path)),
                ),
                (None, None, None) => {
                    let mut evidence = "the error names it, and it does not exist".to_owned();
                    if ground.is_ignored(&path) {
                        evidence.push_str("; .gitignore keeps it out of the repository");
                    }
                    (probe, evidence, format!("create {path}, or correct the path"))
                }
            }
        }
        _ => return,
    };
    ground.suspect(
        Suspicion::new(probe, format!("{path} does not exist"), evidence, fix)
            .strength(Strength::Likely)
            .naming([path.clone(), base(&path).to_owned()]),
    );
}

/// Whether a path ends in what an error names.
fn is_tail(path: &str, named: &str) -> bool {
    let tail = named.trim_start_matches("./");
    let tail = if tail.starts_with('/') || tail.starts_with("..") { base(tail) } else { tail };
    ends_in(path, tail)
}

/// A file in the same folder that is called nearly so.
fn neighbour(ground: &Ground<'_>, path: &str) -> Option<String> {
    let plain = |name: &str| -> String {
        name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_lowercase()
    };
    let (folder, wanted) = (parent(path), plain(base(path)));
    let names = ground.tree.names_in(folder, 400);
    let close = names.into_iter().find(|name| {
        let other = plain(name);
        let begin = other.bytes().zip(wanted.bytes()).take_while(|(one, other)| one == other).count();
        let end =
            other.bytes().rev().zip(wanted.bytes().rev()).take_while(|(one, other)| one == other).count();
        wanted.len() > 4 && begin + end + 3 >= wanted.len().max(other.len())
    });
    close.map(|name| under(folder, &name))
}

fn denied(ground: &Ground<'_>, named: &str) {
    let Some(path) = below(ground, named) else { return };
    let Some(file) = ground.tree.file(&path) else { return };
    let text = ground.tree.text(&path);
    let is_script = text.as_deref().is_some_and(|text| text.starts_with("#!"));
    let lacks = if is_script && file.mode & 0o111 == 0 {
        ("executed", "x")
    } else if file.mode & 0o400 == 0 {
        ("read", "r")
    } else if file.mode & 0o200 == 0 {
        ("written", "w")
    } else {
        return;
    };
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{path} cannot be {}", lacks.0),
            format!("its mode is {:04o}, and the error names it", file.mode & 0o7777),
            format!("chmod u+{} {path}", lacks.1),
        )
        .strength(Strength::Certain)
        .naming([path.clone(), base(&path).to_owned()]),
    );
}

/// Variables that the error names, that the project names, and that are not set.
fn variables(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let endings = [
        ".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".go", ".rs", ".java", ".kt", ".rb", ".php", ".c",
        ".cpp", ".sh", ".yml", ".yaml", ".toml", ".ini", ".properties", ".env", "Makefile",
    ];
    let mut names = BTreeSet::new();
    for line in ground.hint.error.lines() {
        let lower = line.to_lowercase();
        if ABOUT_SETTINGS.iter().any(|word| lower.contains(word)) {
            names.extend(VARIABLE.all(line).iter().map(|hit| hit.group(1).to_owned()));
        }
    }
    for name in names.into_iter().take(MOST) {
        if ground.environment.contains_key(name.as_str()) {
            continue;
        }
        let place = tree.examined(&endings).find_map(|file| {
            let text = tree.text(&file.path)?;
            let line = text.lines().position(|line| has_word(line, &name))?;
            Some(format!("{}:{}", file.path, line + 1))
        });
        // A name that is put together stands nowhere as a whole.
        let Some(place) = place else { continue };
        ground.suspect(
            Suspicion::new(
                Probe::Config,
                format!("the environment variable {name} is required and not set"),
                format!("{place} names it, and the error says that it is missing"),
                format!("export {name}=…"),
            )
            .strength(Strength::Hinted)
            .naming([name]),
        );
    }
}
