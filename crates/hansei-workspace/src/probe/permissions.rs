//! Rights: scripts that are called and cannot be run, files and folders that cannot be read or written, interpreters that do not
//! exist.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::tree::{Tree, base};

/// Programs that every system with a shell has.
const INTERPRETERS: &[&str] = &["sh", "bash", "env"];

pub(super) fn probe(ground: &Ground<'_>) {
    for (path, place) in super::called_programs::called(ground) {
        let Some(mode) = file_mode(&ground.tree, &path) else { continue };
        if mode & 0o111 == 0 {
            ground.suspect(
                Suspicion::new(
                    Probe::Permissions,
                    format!("{path} is called and cannot be run: it is not executable"),
                    format!("{place} calls it, its mode is {:o}", mode & 0o777),
                    executable(ground, &path),
                )
                .strength(Strength::Certain)
                .naming([
                    path.clone(),
                    base(&path).to_owned(),
                    "Permission denied".to_owned(),
                    "EACCES".to_owned(),
                ]),
            );
        }
        interpreter(ground, &path, &place);
    }
    for name in ["gradlew", "mvnw"] {
        for file in ground.tree.named(name).filter(|file| file.mode & 0o111 == 0) {
            ground.suspect(
                Suspicion::new(
                    Probe::Permissions,
                    format!("{} is not executable", file.path),
                    format!("its mode is {:o}", file.mode & 0o777),
                    executable(ground, &file.path),
                )
                .naming([name.to_owned(), "Permission denied".to_owned()]),
            );
        }
    }
    unreadable(ground);
    unwritable(ground);
}

fn executable(ground: &Ground<'_>, path: &str) -> String {
    if ground.is_tracked(path) {
        format!("chmod +x {path} && git update-index --chmod=+x {path}")
    } else {
        format!("chmod +x {path}")
    }
}

/// The rights of a plain file inside the root, also in a folder that is not walked.
#[cfg(unix)]
fn file_mode(tree: &Tree, path: &str) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let file = tree.root().join(path).canonicalize().ok().filter(|it| it.starts_with(tree.root()))?;
    let meta = file.metadata().ok()?;
    meta.is_file().then(|| meta.permissions().mode())
}

#[cfg(not(unix))]
fn file_mode(_: &Tree, _: &str) -> Option<u32> {
    None
}

/// The interpreter that the first line of a called file names.
fn interpreter(ground: &Ground<'_>, path: &str, place: &str) {
    let Some(text) = ground.tree.text(path) else { return };
    let Some(line) = text.lines().next().and_then(|line| line.strip_prefix("#!")) else { return };
    // Carriage returns are another probe's.
    if line.ends_with('\r') {
        return;
    }
    let mut words = line.split_whitespace();
    let Some(program) = words.next() else { return };
    let named = if base(program) == "env" {
        words.find(|word| !word.starts_with('-') && !word.contains('='))
    } else {
        None
    };
    let (shown, is_there) = match named {
        Some(name) => (name.to_owned(), ground.programs.is_there(name)),
        None => (program.to_owned(), std::path::Path::new(program).exists()),
    };
    if is_there || INTERPRETERS.contains(&shown.as_str()) || (named.is_none() && base(program) == "env") {
        return;
    }
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{path} names the interpreter {shown:?}, which does not exist here"),
            format!("{path}:1, called in {place}"),
            format!("install {}, or correct the first line of {path}", base(&shown)),
        )
        .strength(Strength::Certain)
        .naming([
            path.to_owned(),
            base(path).to_owned(),
            base(&shown).to_owned(),
            "bad interpreter".to_owned(),
        ]),
    );
}

fn unreadable(ground: &Ground<'_>) {
    for file in ground.tree.files().iter().filter(|file| file.path.starts_with(ground.tree.scope())) {
        if file.mode & 0o170_000 == 0o120_000 || can(&ground.tree, &file.path, file.mode, Right::Read) {
            continue;
        }
        ground.suspect(
            Suspicion::new(
                Probe::Permissions,
                format!("{} cannot be read", file.path),
                format!("its mode is {:o}", file.mode & 0o777),
                format!("chmod u+r {}", file.path),
            )
            .naming([
                file.path.clone(),
                base(&file.path).to_owned(),
                "Permission denied".to_owned(),
                "EACCES".to_owned(),
            ]),
        );
    }
}

/// Folders that builds and tests write into.
fn unwritable(ground: &Ground<'_>) {
    let written = [
        "node_modules", "dist", "build", "target", "out", "logs", "log", "tmp", "temp", "cache", ".cache",
        "data", "output", "coverage", "storage", "var", ".venv", "__pycache__", ".pytest_cache", "uploads",
        "results", "reports", "artifacts",
    ];
    let folders = ground.tree.folders().iter().filter(|folder| folder.starts_with(ground.tree.scope()));
    let folders = folders
        .filter(|folder| written.contains(&base(folder)) || ground.tree.is_examined(&format!("{folder}/x")));
    let own = ground.tree.scope().trim_end_matches('/').to_owned();
    for folder in folders.cloned().chain([own]).take(5_000) {
        let Some(mode) = mode_of(&ground.tree, &folder) else { continue };
        let shown = if folder.is_empty() { "." } else { &folder };
        let (what, right) = if !can(&ground.tree, &folder, mode, Right::Write) {
            ("written to", "w")
        } else if !can(&ground.tree, &folder, mode, Right::Enter) {
            ("entered", "x")
        } else {
            continue;
        };
        ground.suspect(
            Suspicion::new(
                Probe::Permissions,
                format!("the folder {shown} cannot be {what}"),
                format!("its mode is {:o}", mode & 0o777),
                format!("chmod u+{right} {shown}, or sudo chown -R \"$USER\" {shown}"),
            )
            .naming([
                shown.to_owned(),
                base(shown).to_owned(),
                "Permission denied".to_owned(),
                "EACCES".to_owned(),
            ]),
        );
    }
}

#[derive(Debug, Clone, Copy)]
enum Right {
    Read,
    Write,
    Enter,
}

/// Whether we may do it. The superuser may do all, so for one the owner's bits count: whoever works here is not always one.
#[cfg(unix)]
fn can(tree: &Tree, path: &str, mode: u32, right: Right) -> bool {
    use rustix::fs::Access;
    let (bit, access) = match right {
        Right::Read => (0o400, Access::READ_OK),
        Right::Write => (0o200, Access::WRITE_OK),
        Right::Enter => (0o100, Access::EXEC_OK),
    };
    if rustix::process::geteuid().is_root() {
        return mode & bit != 0;
    }
    rustix::fs::access(tree.root().join(path), access).is_ok()
}

#[cfg(not(unix))]
fn can(_: &Tree, _: &str, _: u32, _: Right) -> bool {
    true
}

#[cfg(unix)]
fn mode_of(tree: &Tree, folder: &str) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt as _;
    let meta = std::fs::symlink_metadata(tree.root().join(folder)).ok()?;
    meta.is_dir().then(|| meta.permissions().mode())
}

#[cfg(not(unix))]
fn mode_of(_: &Tree, _: &str) -> Option<u32> {
    None
}
