//! Folders of a home in which toolchains keep programs and what they downloaded. They are shown read-only; everything
//! else of a home is hidden. What may hold a login is not on the list, so some tools have several rows.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Relative to the home.
const IN_HOME: &[&str] = &[
    ".cargo/bin",
    ".cargo/registry",
    ".cargo/git",
    ".rustup",
    ".pyenv",
    ".local/share/uv/python",
    ".local/share/uv/tools",
    ".local/share/virtualenvs",
    ".local/lib",
    ".local/bin",
    ".cache/uv",
    "miniconda3",
    "miniforge3",
    "anaconda3",
    ".nvm",
    ".volta",
    ".fnm",
    ".local/share/fnm",
    ".local/share/pnpm",
    ".bun/bin",
    ".bun/install",
    ".deno/bin",
    ".cache/deno",
    ".cache/ms-playwright",
    "go/bin",
    "go/pkg/mod",
    ".goenv",
    ".sdkman/candidates",
    ".jenv",
    ".m2/repository",
    ".m2/wrapper",
    ".gradle/caches",
    ".gradle/wrapper",
    ".rbenv",
    ".gem/ruby",
    ".dotnet",
    ".nuget/packages",
    ".asdf",
    ".local/share/mise/installs",
    ".local/share/mise/shims",
    ".ghcup/bin",
    ".ghcup/ghc",
    ".cabal/packages",
    ".cabal/store",
    ".stack/programs",
    ".stack/snapshots",
    ".opam",
    ".juliaup",
    ".julia/packages",
    ".julia/artifacts",
    ".julia/compiled",
    ".julia/registries",
    ".pub-cache/hosted",
    ".pub-cache/bin",
    ".hex/packages",
    ".mix/elixir",
];

/// Variables that name a toolchain's folder where it is not in its usual place.
const NAMED: &[&str] = &[
    "RUSTUP_HOME", "GOROOT", "GOMODCACHE", "JAVA_HOME", "JDK_HOME", "MAVEN_HOME", "M2_HOME", "GRADLE_HOME",
    "PYENV_ROOT", "VIRTUAL_ENV", "CONDA_PREFIX", "NVM_DIR", "VOLTA_HOME", "FNM_DIR", "BUN_INSTALL",
    "RBENV_ROOT", "GEM_HOME", "DOTNET_ROOT", "ASDF_DIR", "SDKMAN_DIR",
];

/// What lies in a toolchain's folder; a variable that names any other folder shows nothing of it.
const LOOKS: &[&str] = &[
    "bin", "shims", "versions", "toolchains", "installs", "candidates", "gems", "cache/download",
    "pyvenv.cfg",
];

/// Below a folder that a variable names for a toolchain which also keeps logins there.
const BELOW_NAMED: &[(&str, &[&str])] =
    &[("CARGO_HOME", &["bin", "registry", "git"]), ("GOPATH", &["bin", "pkg/mod"])];

/// The folders of toolchains that are there, of a user with this home and these variables.
pub(super) fn folders(home: &Path, variable: impl Fn(&str) -> Option<std::ffi::OsString>) -> Vec<PathBuf> {
    let in_home = IN_HOME.iter().map(|folder| home.join(folder));
    let named = NAMED.iter().filter_map(|name| variable(name)).map(PathBuf::from);
    let named = named.filter(|folder| LOOKS.iter().any(|part| folder.join(part).exists()));
    let below =
        BELOW_NAMED.iter().filter_map(|(name, folders)| Some((PathBuf::from(variable(name)?), folders)));
    let below = below.flat_map(|(root, folders)| folders.iter().map(move |folder| root.join(folder)));
    let on_path = variable("PATH").map(|path| of_search_path(&path)).unwrap_or_default();
    let mut found = Vec::new();
    for folder in in_home.chain(named).chain(below).chain(on_path) {
        // A variable that names a home, or what a home lies in, would show what is to be hidden.
        if folder.is_absolute() && !home.starts_with(&folder) && folder.is_dir() {
            found.push(folder);
        }
    }
    without_covered(found)
}

/// The folders of programs on the search path, with the toolchain around them where there is one.
fn of_search_path(path: &OsStr) -> Vec<PathBuf> {
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute() && !is_system(folder))
        .map(|folder| match folder.parent() {
            Some(around) if is_toolchain(around) => around.to_owned(),
            _ => folder,
        })
        .collect()
}

/// Whether programs in a folder come with their libraries beside it. `~/.local` looks the same, and holds far more.
fn is_toolchain(around: &Path) -> bool {
    let libraries = ["lib", "libexec", "pyvenv.cfg"].iter().any(|part| around.join(part).exists());
    libraries && around.components().count() > 2 && !around.ends_with(".local")
}

fn is_system(folder: &Path) -> bool {
    ["/usr", "/bin", "/sbin", "/lib", "/proc", "/dev", "/sys", "/run"]
        .iter()
        .any(|root| folder.starts_with(root))
}

/// Without those that lie in another.
pub(super) fn without_covered(mut folders: Vec<PathBuf>) -> Vec<PathBuf> {
    folders.sort();
    folders.dedup();
    let mut kept: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if !kept.iter().any(|over| folder.starts_with(over)) {
            kept.push(folder);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn toolchains_are_shown_and_a_home_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home/me");
        let opt = folder.path().join("opt/go/1.25");
        for made in [
            ".cargo/bin", ".cargo/registry", ".rustup", ".ssh", "bin", "venv/bin", ".local/lib", ".local/bin",
        ] {
            std::fs::create_dir_all(home.join(made)).unwrap();
        }
        std::fs::write(home.join("venv/pyvenv.cfg"), "").unwrap();
        for part in ["bin", "lib"] {
            std::fs::create_dir_all(opt.join(part)).unwrap();
        }
        let path = std::env::join_paths([
            home.join(".cargo/bin"),
            home.join("bin"),
            home.join("venv/bin"),
            opt.join("bin"),
            PathBuf::from("/usr/bin"),
            PathBuf::from("relative"),
        ])
        .unwrap();
        let variable = |name: &str| match name {
            "PATH" => Some(path.clone()),
            "JAVA_HOME" => Some(home.clone().into_os_string()),
            "GOROOT" => Some(folder.path().as_os_str().to_owned()),
            _ => None,
        };
        let found = folders(&home, variable);
        let mut expected: Vec<_> =
            [".cargo/bin", ".cargo/registry", ".rustup", "bin", "venv", ".local/lib", ".local/bin"]
                .map(|name| home.join(name))
                .into();
        expected.push(opt);
        expected.sort();
        assert_eq!(found, expected);
    }
}
