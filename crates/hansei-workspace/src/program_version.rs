//! What a program says of its version, or what the package that it lies in says.

use std::io::Read as _;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::bounded_process;

/// The longest that a program may take to say its version.
const VERSION_LIMIT: Duration = Duration::from_secs(2);

/// The most that is read of a package's manifest.
const LARGEST_MANIFEST: u64 = 1 << 20;

/// The version of a program: that of the npm package that it lies in, else what `program --version` prints, if it does
/// so in time. An agent that is asked may start whole, write into its folder and be ended half-way, so reading is better.
pub fn version_text(program: &Path) -> Option<String> {
    packaged_version(program).or_else(|| printed_version(program))
}

/// The version of the npm package that holds `program`, where it is one that npm put there.
pub fn packaged_version(program: &Path) -> Option<String> {
    let program = program.canonicalize().ok()?;
    program.ancestors().skip(1).find_map(|folder| {
        let manifest = std::fs::File::open(folder.join("package.json")).ok()?;
        let manifest: Manifest = serde_json::from_reader(manifest.take(LARGEST_MANIFEST)).ok()?;
        folder.ends_with(Path::new("node_modules").join(&manifest.name)).then_some(manifest.version)
    })
}

/// What we read of a package's `package.json`.
#[derive(serde::Deserialize)]
struct Manifest {
    name: String,
    version: String,
}

fn printed_version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").env("NO_COLOR", "1").env("DISABLE_AUTOUPDATER", "1");
    let finished = bounded_process::run(&mut command, Instant::now() + VERSION_LIMIT).ok()?;
    finished.status.success().then(|| String::from_utf8_lossy(&finished.stdout).trim().to_owned())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    #[test]
    fn programs_are_asked() {
        let folder = tempfile::tempdir().unwrap();
        for (name, does, said) in
            [("agent", "echo agent 1.2.3", Some("agent 1.2.3")), ("silent", "sleep 60", None)]
        {
            let program = folder.path().join(name);
            std::fs::write(&program, format!("#!/bin/sh\n{does}\n")).unwrap();
            std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
            assert_eq!(version_text(&program).as_deref(), said);
        }
    }

    #[test]
    fn a_package_is_read_and_its_program_not_started() {
        let folder = tempfile::tempdir().unwrap();
        let package = folder.path().join("node_modules/@some/agent");
        std::fs::create_dir_all(package.join("bundle")).unwrap();
        std::fs::write(package.join("bundle/package.json"), r#"{"type":"module"}"#).unwrap();
        std::fs::write(package.join("package.json"), r#"{"name":"@some/agent","version":"0.61.0"}"#).unwrap();
        let program = package.join("bundle/agent.js");
        std::fs::write(&program, "#!/bin/sh\necho 9.9.9\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
        let link = folder.path().join("agent");
        std::os::unix::fs::symlink(&program, &link).unwrap();
        assert_eq!(version_text(&link).as_deref(), Some("0.61.0"));

        std::fs::write(package.join("package.json"), r#"{"name":"another","version":"0.61.0"}"#).unwrap();
        assert_eq!(version_text(&link).as_deref(), Some("9.9.9"), "a manifest of something else");
    }
}
