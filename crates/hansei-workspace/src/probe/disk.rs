//! Space and inodes on the disks of the project, the temporary folder and the cache.

use std::path::PathBuf;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;

/// Less than this, and a build or a test that writes fails.
const LEAST_BYTES: u64 = 32 << 20;
const LEAST_INODES: u64 = 200;

pub(super) fn probe(ground: &Ground<'_>) {
    let temporary = ["TMPDIR", "TMP", "TEMP"].iter().find_map(|name| ground.variable(name));
    let temporary = PathBuf::from(temporary.unwrap_or("/tmp"));
    let home = ground.variable("HOME").map(PathBuf::from);
    let cache = ground.variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| Some(home?.join(".cache")));
    let places = [
        ("the project's folder", Some(ground.tree.root().join(ground.tree.scope()))),
        ("the temporary folder", Some(temporary.clone())),
        ("the cache folder", cache),
    ];
    scratch(ground);
    java_temporary(ground);
    // Values of variables are not shown.
    let named = ["TMPDIR", "TMP", "TEMP"].iter().find(|name| ground.variable(name).is_some());
    let called = named.map_or_else(|| "/tmp".to_owned(), |name| format!("that {name} names"));
    if temporary.is_dir() && !is_writable(&temporary) {
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("the temporary folder {called} cannot be written to"),
                "TMPDIR, TMP, TEMP, or /tmp".to_owned(),
                "export TMPDIR=/tmp, or give the right to write".to_owned(),
            )
            .naming(["TMPDIR", "tmp", "Permission denied"]),
        );
    }
    if !temporary.is_dir() {
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("the temporary folder {called} does not exist"),
                named.map_or_else(|| "/tmp".to_owned(), |name| format!("{name} in the environment")),
                named.map_or_else(|| "mkdir -p /tmp".to_owned(), |name| format!("mkdir -p \"${name}\"")),
            )
            .naming(["TMPDIR", "tmp"]),
        );
    }
    for (what, place) in places {
        let Some(place) = place else { continue };
        let Some((bytes, inodes)) = room(&place) else { continue };
        let lacks = if bytes < LEAST_BYTES {
            format!("{} kB", bytes >> 10)
        } else if inodes.is_some_and(|inodes| inodes < LEAST_INODES) {
            format!("{} inodes", inodes.unwrap_or(0))
        } else {
            continue;
        };
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("the disk of {what} is full: {lacks} left"),
                place.display().to_string(),
                format!("make room: df -h {0}; du -xh {0} | sort -h | tail", place.display()),
            )
            .strength(Strength::Certain)
            .naming(["No space left on device", "ENOSPC", "Disk quota exceeded"]),
        );
    }
}

#[cfg(unix)]
fn is_writable(folder: &std::path::Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    if rustix::process::geteuid().is_root() {
        return folder.metadata().is_ok_and(|it| it.permissions().mode() & 0o222 != 0);
    }
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).is_ok()
}

#[cfg(not(unix))]
fn is_writable(_: &std::path::Path) -> bool {
    true
}

/// The folder for Java's temporary files, where an option names it.
fn java_temporary(ground: &Ground<'_>) {
    if ground.tree.examined(&[".java", ".kt"]).next().is_none() {
        return;
    }
    for name in
        ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "MAVEN_OPTS", "GRADLE_OPTS"]
    {
        let option = ground
            .variable(name)
            .and_then(|it| it.split("-Djava.io.tmpdir=").nth(1)?.split_whitespace().next());
        if option.is_some_and(|it| !PathBuf::from(it).is_dir()) {
            ground.suspect(
                Suspicion::new(
                    Probe::Disk,
                    format!(
                        "the temporary folder java.io.tmpdir that the variable {name} names does not exist"
                    ),
                    format!("-Djava.io.tmpdir in {name}"),
                    format!("create the folder, or take the option out of {name}"),
                )
                .naming(["tmpdir", "No such file or directory", "NoSuchFileException"]),
            );
        }
    }
}

static SCRATCH: Pattern = Pattern::new(
    r#"["']?\b((?:[\w.-]*[_.-])?(?:tmp|temp|scratch|spool|workdir|work_dir|staging|cache|upload|buffer)(?:[_-]?(?:dir|path|folder|root|directory))?)["']?\s*[=:]\s*["']?(/[\w./-]+)"#,
);
static MAKES_FOLDERS: Pattern = Pattern::new(
    r"makedirs\(|\bmkdir\b|mkdirSync|mkdirp|MkdirAll|create_dir_all|createDirector|mkdirs\(|ensureDir|install -d",
);

/// Folders for passing files that settings or variables name, which nothing makes.
fn scratch(ground: &Ground<'_>) {
    let tree = &ground.tree;
    let endings = [".ini", ".toml", ".yaml", ".yml", ".json", ".properties", ".conf", ".cfg", ".env"];
    let code = [".py", ".js", ".mjs", ".ts", ".go", ".rs", ".java", ".rb", ".c", ".sh"];
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let sources = tree.examined(&code).map(|it| it.path.as_str()).chain(scripts);
    let texts: Vec<_> = sources.filter_map(|path| tree.text(path)).collect();
    let last = |key: &str| key.rsplit(['.', '-']).next().unwrap_or_default().to_owned();
    let users = |key: &str| texts.iter().filter(|text| has_word(text, key)).collect::<Vec<_>>();
    let is_needed = |key: &str| {
        let users = users(key);
        !users.is_empty() && !users.iter().any(|text| MAKES_FOLDERS.is_in(text))
    };
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path)) {
        let is_settings = endings.iter().any(|it| file.path.ends_with(it)) || file.path.ends_with(".env");
        if !is_settings || file.path.contains("example") || file.path.contains("compose") {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        for hit in SCRATCH.all(&text) {
            let key = last(hit.group(1));
            let place = PathBuf::from(hit.group(2));
            if place.exists() || !is_needed(&key) {
                continue;
            }
            ground.suspect(
                Suspicion::new(
                    Probe::Disk,
                    format!(
                        "the folder {} that {} names as {} does not exist",
                        place.display(),
                        file.path,
                        hit.group(1)
                    ),
                    format!("{}:{}", file.path, hit.line()),
                    format!("mkdir -p {}, or correct {}", place.display(), file.path),
                )
                .naming([hit.group(2).to_owned(), hit.group(1).to_owned()]),
            );
        }
    }
    for (name, value) in &ground.environment {
        let lower = name.to_lowercase();
        let speaks = ["tmp", "temp", "scratch", "spool", "staging", "work_dir", "workdir"]
            .iter()
            .any(|it| lower.contains(it));
        let is_system = matches!(*name, "TMPDIR" | "TMP" | "TEMP" | "GOTMPDIR");
        if speaks && !is_system && value.starts_with('/') && !PathBuf::from(value).exists() && is_needed(name)
        {
            ground.suspect(
                Suspicion::new(
                    Probe::Disk,
                    format!("the folder that the variable {name} names does not exist"),
                    format!("{name} in the environment"),
                    format!("create the folder, or set {name} to one that is there"),
                )
                .naming([(*name).to_owned(), (*value).to_owned()]),
            );
        }
    }
}

/// Free bytes, and free inodes where the file system counts them.
#[cfg(unix)]
fn room(place: &std::path::Path) -> Option<(u64, Option<u64>)> {
    let state = rustix::fs::statvfs(place).ok()?;
    // A file system that counts no blocks, such as an overlay of nothing, has nothing to say.
    (state.f_blocks > 0).then_some(())?;
    let inodes = (state.f_files > 0).then_some(state.f_favail);
    Some((state.f_bavail.saturating_mul(state.f_frsize), inodes))
}

#[cfg(not(unix))]
fn room(_: &std::path::Path) -> Option<(u64, Option<u64>)> {
    None
}
