//! Which world of tools a file belongs to, by its name alone, and where it lies.

use crate::check::Ecosystem::{
    self, C, Deno, DotNet, Elixir, Go, Java, Node, Other, Php, Python, Ruby, Rust, Shell, Swift,
};

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum World {
    /// Text for people. No check covers it.
    Docs,
    /// Source or settings of these ecosystems.
    Of(&'static [Ecosystem]),
    /// Data that tests compare with.
    TestData,
    /// Nothing that a check is known to read.
    Unknown,
}

/// Names of files, whole, with the world they are settings of.
const NAMES: &[(&str, &[Ecosystem])] = &[
    ("Cargo.lock", &[Rust]),
    ("Cargo.toml", &[Rust]),
    ("Gemfile", &[Ruby]),
    ("Gemfile.lock", &[Ruby]),
    ("Rakefile", &[Ruby]),
    ("CMakeLists.txt", &[C]),
    ("build.gradle", &[Java]),
    ("composer.json", &[Php]),
    ("deno.json", &[Deno]),
    ("go.mod", &[Go]),
    ("go.sum", &[Go]),
    ("mix.exs", &[Elixir]),
    ("pom.xml", &[Java]),
    ("pyproject.toml", &[Python]),
    ("pytest.ini", &[Python]),
    ("rust-toolchain.toml", &[Rust]),
    ("setup.cfg", &[Python]),
    ("tox.ini", &[Python]),
];

/// Endings of names, with the world they belong to.
const ENDINGS: &[(&[&str], &[Ecosystem])] = &[
    (&["rs"], &[Rust]),
    (&["js", "jsx", "ts", "tsx", "mjs", "cjs", "mts", "cts"], &[Node, Deno]),
    (&["vue", "svelte", "astro", "css", "scss", "sass", "less", "html", "json", "json5"], &[Node]),
    (&["py", "pyi", "pyx", "ipynb"], &[Python]),
    (&["go"], &[Go]),
    (&["java", "kt", "kts", "scala", "groovy", "gradle", "clj", "cljs"], &[Java]),
    (&["cs", "fs", "vb", "csproj", "fsproj", "sln", "razor", "cshtml"], &[DotNet]),
    (&["rb", "rake", "gemspec", "erb", "haml"], &[Ruby]),
    (&["php", "phtml"], &[Php]),
    (&["c", "cc", "cpp", "cxx", "hpp", "hh", "cmake"], &[C]),
    (&["h", "m", "mm"], &[C, Swift]),
    (&["swift"], &[Swift]),
    (&["ex", "exs", "eex", "heex", "erl", "hrl"], &[Elixir]),
    (&["sh", "bash", "zsh", "bats", "fish", "ps1"], &[Shell]),
    (
        &[
            "dart", "zig", "hs", "ml", "mli", "elm", "nim", "cr", "lua", "pl", "pm", "jl", "r", "sol", "tf",
            "proto", "gleam", "lean",
        ],
        &[Other],
    ),
];

const DOCS: &[&str] = &[
    "md", "mdx", "rst", "adoc", "txt", "org", "pdf", "png", "jpg", "jpeg", "gif", "svg", "ico", "webp",
    "mp4", "log",
];

/// Folders whose content is made by tools: deleting or writing it changes nothing that a check reads.
const MADE: &[&str] = &[
    "node_modules", "target", "dist", "build", "out", "coverage", "__pycache__", ".pytest_cache",
    ".mypy_cache", ".ruff_cache", ".next", ".nuxt", ".cache", ".venv", "venv", ".turbo", ".gradle", ".tox",
    "htmlcov", ".git",
];

/// The world of the file at `path`.
pub(super) fn world_of(path: &str) -> World {
    let name = name_of(path);
    let ending = ending_of(path);
    if let Some((_, of)) = NAMES.iter().find(|(known, _)| *known == name) {
        return World::Of(of);
    }
    if name.starts_with("requirements") && ending == "txt" {
        return World::Of(&[Python]);
    }
    let has = |folder: &str| path.split('/').any(|part| part == folder);
    if ["fixtures", "testdata", "__snapshots__", "snapshots", "golden"].iter().any(|folder| has(folder)) {
        return World::TestData;
    }
    if DOCS.contains(&ending) || (ending.is_empty() && matches!(name, "LICENSE" | "README" | "CHANGELOG")) {
        return World::Docs;
    }
    ENDINGS
        .iter()
        .find(|(endings, _)| endings.contains(&ending))
        .map_or(World::Unknown, |(_, of)| World::Of(of))
}

/// Whether a check may read the file at all.
pub(super) fn is_code(path: &str) -> bool {
    matches!(world_of(path), World::Of(_) | World::TestData) && !is_aside(path)
}

/// Whether the file lies outside the work: in a folder for scratch, or in one that tools fill.
pub(super) fn is_aside(path: &str) -> bool {
    let scratch = ["/tmp/", "/var/tmp/", "/private/tmp/", "/dev/", "/proc/"];
    scratch.iter().any(|folder| path.starts_with(folder))
        || path.contains("/AppData/Local/Temp/")
        || path == "/tmp"
        || path.contains("/.claude/plans/")
        || path.split('/').any(|part| MADE.contains(&part))
}

/// Whether the file holds tests, by its name or its folder.
pub(crate) fn is_test_file(path: &str) -> bool {
    let name = name_of(path);
    let stem = name.split('.').next().unwrap_or(name);
    let code = matches!(world_of(path), World::Of(_) | World::TestData);
    code && (stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_tests")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || stem.ends_with("Spec")
        || matches!(stem, "tests" | "test" | "conftest")
        || name.contains(".test.")
        || name.contains(".spec.")
        || path.rsplit('/').skip(1).any(|part| {
            matches!(
                part,
                "test" | "tests" | "spec" | "specs" | "__tests__" | "e2e" | "__snapshots__" | "testdata"
            ) || part.ends_with("Tests")
                || part.ends_with(".Test")
        }))
}

/// The last part of a path.
pub(super) fn name_of(path: &str) -> &str {
    path.trim_end_matches('/').rsplit('/').next().unwrap_or(path)
}

/// What stands behind the last dot of a name.
pub(super) fn ending_of(path: &str) -> &str {
    name_of(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// `path` as seen from the folder `root` that the session works in, if it was written in `folder`.
pub(super) fn placed(path: &str, folder: Option<&str>, root: Option<&str>) -> String {
    // `/c/proj` is a drive only where drives are spoken of.
    let drives =
        [Some(path), folder, root].into_iter().flatten().any(|path| has_drive(&path.replace('\\', "/")));
    let mounts: &[&str] = if drives { &["/mnt/", "/cygdrive/", "/"] } else { &["/mnt/", "/cygdrive/"] };
    let path = one_spelling(path, mounts);
    let whole = match folder {
        Some(folder) if !is_absolute(&path) => format!("{}/{path}", one_spelling(folder, mounts)),
        _ => path,
    };
    let root = one_spelling(root.unwrap_or_default(), mounts);
    let root = root.trim_end_matches('/');
    let inside = whole
        .strip_prefix(root)
        .filter(|rest| !root.is_empty() && (rest.is_empty() || rest.starts_with('/')));
    let whole = inside.map_or(whole.as_str(), |rest| rest.trim_start_matches('/'));
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "." => {}
            "" if !parts.is_empty() => {}
            ".." if parts.last().is_some_and(|last| !matches!(*last, "" | "..")) => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}

/// Whether `path` is seen from no folder.
pub(super) fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '~']) || has_drive(path)
}

fn has_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', rest @ ..] if drive.is_ascii_alphabetic() && rest.first().is_none_or(|c| *c == b'/'))
}

/// `C:\proj`, `/c/proj` and `/mnt/c/proj` as `c:/proj`, and what WSL's machine calls `\\wsl$\Name\home` as `/home`.
fn one_spelling(path: &str, mounts: &[&str]) -> String {
    let path = path.replace('\\', "/");
    let machine = path.strip_prefix("//wsl$/").or_else(|| path.strip_prefix("//wsl.localhost/"));
    if let Some((_, inside)) = machine.and_then(|path| path.split_once('/')) {
        return format!("/{inside}");
    }
    let mounted = mounts.iter().find_map(|mount| path.strip_prefix(mount));
    let drive = mounted.filter(|rest| {
        matches!(rest.as_bytes(), [drive, rest @ ..] if drive.is_ascii_alphabetic() && rest.first().is_none_or(|c| *c == b'/'))
    });
    match drive {
        Some(rest) => format!("{}:{}", rest[..1].to_ascii_lowercase(), &rest[1..]),
        None if has_drive(&path) => path[..1].to_ascii_lowercase() + &path[1..],
        None => path,
    }
}

/// Whether `path` is `folder` or lies in it.
pub(super) fn is_within(path: &str, folder: &str) -> bool {
    let folder = folder.trim_end_matches('/');
    folder.is_empty()
        || path.strip_prefix(folder).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_have_worlds() {
        for (path, world) in [
            ("src/a.rs", World::Of(&[Rust])),
            ("Cargo.toml", World::Of(&[Rust])),
            ("web/app.tsx", World::Of(&[Node, Deno])),
            ("requirements-dev.txt", World::Of(&[Python])),
            ("CMakeLists.txt", World::Of(&[C])),
            ("notes.txt", World::Docs),
            ("docs/guide.md", World::Docs),
            ("LICENSE", World::Docs),
            ("tests/fixtures/in.xml", World::TestData),
            (".github/workflows/ci.yml", World::Unknown),
            ("", World::Unknown),
        ] {
            assert_eq!(world_of(path), world, "{path}");
        }
    }

    #[test]
    fn tests_are_known_by_name_and_folder() {
        for path in
            ["tests/a.rs", "a_test.go", "src/x.test.ts", "test_x.py", "spec/m_spec.rb", "src/FooTest.java"]
        {
            assert!(is_test_file(path), "{path}");
        }
        for path in ["src/a.rs", "contest.py", "latest.js", "tests/README.md", "attestation.go"] {
            assert!(!is_test_file(path), "{path}");
        }
    }

    #[test]
    fn paths_are_seen_from_the_root() {
        for (path, folder, root, expected) in [
            ("/w/p/src/a.rs", None, Some("/w/p"), "src/a.rs"),
            ("/w/pp/a.rs", None, Some("/w/p"), "/w/pp/a.rs"),
            ("./src/../a.rs", None, None, "a.rs"),
            ("a.ts", Some("web"), Some("/w/p"), "web/a.ts"),
            ("a.ts", Some("/w/p/web"), Some("/w/p"), "web/a.ts"),
            ("../x.ts", Some("web"), None, "x.ts"),
            ("/tmp/x", Some("web"), Some("/w/p"), "/tmp/x"),
            ("/w/p", None, Some("/w/p"), ""),
            ("src\\a.rs", None, None, "src/a.rs"),
            ("C:\\proj\\src\\a.rs", None, Some("C:\\proj"), "src/a.rs"),
            ("/c/proj/src/a.rs", None, Some("C:\\proj"), "src/a.rs"),
            ("/mnt/c/proj/src/a.rs", None, Some("c:/proj"), "src/a.rs"),
            ("c:\\proj\\a.rs", None, Some("/mnt/c/proj"), "a.rs"),
            ("src\\a.rs", Some("/c/proj"), Some("C:\\proj"), "src/a.rs"),
            ("\\\\wsl$\\Ubuntu\\home\\me\\p\\a.rs", None, Some("/home/me/p"), "a.rs"),
            ("D:\\other\\a.rs", Some("web"), Some("C:\\proj"), "d:/other/a.rs"),
            ("/cc/proj/a.rs", None, Some("C:\\proj"), "/cc/proj/a.rs"),
        ] {
            assert_eq!(placed(path, folder, root), expected, "{path}");
        }
    }

    #[test]
    fn a_tools_input_and_a_command_line_mean_the_same_file() {
        use crate::evidence::Kind::CheckStale;
        use crate::evidence::shorthand::{GREEN, Tale, assert_finds};
        let edited = |cwd: &str, path: &str| {
            let tale = Tale::of("Add a flag").in_folder(cwd).edits(path);
            tale.run("cd src && cargo test", 0, GREEN).edits(path)
        };
        assert_finds(
            CheckStale,
            true,
            [
                ("Windows", edited("D:\\proj", "D:\\proj\\src\\a.rs")),
                ("MSYS in a command line", edited("D:\\proj", "/d/proj/src/a.rs")),
                ("WSL", edited("/mnt/d/proj", "d:/proj/src/a.rs")),
            ],
        );
        assert_finds(
            CheckStale,
            false,
            [
                ("another drive", edited("D:\\proj", "E:\\proj\\src\\a.rs")),
                ("a folder of one letter", edited("/w", "/d/proj/src/a.rs")),
            ],
        );
    }
}
