//! Programs on the search path, and what they say about themselves.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bounded_process;

/// The longest that a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(2);

/// The first program called `name` on the search path. Entries that are not absolute are left out: what they find
/// depends on where we stand.
pub fn on_path(name: &str, search_path: &OsStr) -> Option<PathBuf> {
    std::env::split_paths(search_path)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_executable(file))
}

/// What `program --version` prints, if it does so in time.
pub fn version_text(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").env("NO_COLOR", "1").env("DISABLE_AUTOUPDATER", "1");
    let finished = bounded_process::run(&mut command, Instant::now() + VERSION_LIMIT).ok()?;
    finished.status.success().then(|| String::from_utf8_lossy(&finished.stdout).trim().to_owned())
}

#[cfg(unix)]
fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(file: &Path) -> bool {
    file.is_file()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn programs_are_found_and_asked() {
        let folder = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str, mode: u32| {
            let file = folder.path().join(name);
            std::fs::write(&file, text).unwrap();
            std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
            file
        };
        let asked = write("agent", "#!/bin/sh\necho 'agent 1.2.3'\n", 0o755);
        write("text", "agent", 0o644);
        let silent = write("silent", "#!/bin/sh\nsleep 60\n", 0o755);
        let path = std::env::join_paths([Path::new("."), folder.path()]).unwrap();
        assert_eq!(on_path("agent", &path), Some(asked.clone()));
        assert_eq!(on_path("text", &path), None);
        assert_eq!(version_text(&asked).as_deref(), Some("agent 1.2.3"));
        assert_eq!(version_text(&silent), None);
    }
}
