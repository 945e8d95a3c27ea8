//! Which files' lines tell whether one change repairs another, and which files are the build's.

use crate::risk::belongs_to;
use crate::surface::Surface;

/// Whether lines of this file can be the same by more than chance. Prose never: notes of releases, lists of things to do.
/// Nor manifests and lists of versions, which many changes share without having to do with each other.
pub(super) fn is_compared(path: &str) -> bool {
    if is_build_script(path) || belongs_to(Surface::Test, path) && !is_prose(path) {
        return true;
    }
    !is_prose(path) && !is_build(path)
}

/// Whether a file is the build's: what it is made of, and how.
pub(super) fn is_build(path: &str) -> bool {
    belongs_to(Surface::Build, path) || is_build_script(path) || {
        let name = name(path);
        name.ends_with("constraints.txt") || name == ".gitmodules"
    }
}

/// A program that builds, rather than a list of what is built.
fn is_build_script(path: &str) -> bool {
    let name = name(path);
    let stem = name.split('.').next().unwrap_or_default();
    matches!(
        stem,
        "makefile" | "gnumakefile" | "cmakelists" | "configure" | "rakefile" | "justfile" | "jakefile"
    ) || matches!(name.as_str(), "build.rs" | "meson.build" | "setup.py")
        || [".mk", ".cmake", ".m4", ".gradle", ".gradle.kts", ".bzl"].iter().any(|end| name.ends_with(end))
}

/// Texts for people; also by the custom of writing their names in capitals without an ending (`TODO`, `NEWS`).
fn is_prose(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    let shouted = name.len() >= 3
        && name
            .bytes()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_'));
    let marked_up = [".textile", ".rdoc", ".markdown", ".mediawiki", ".wiki"];
    shouted || marked_up.iter().any(|end| name.ends_with(end)) || belongs_to(Surface::Docs, path)
}

fn name(path: &str) -> String {
    path.rsplit('/').next().unwrap_or(path).to_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_and_manifests_are_not_compared() {
        for (path, compared, build) in [
            ("src/a.rs", true, false),
            ("tests/a.rs", true, false),
            ("tests/README.md", false, false),
            ("tests/expected.txt", false, false),
            ("TODO", false, false),
            ("00-RELEASENOTES", false, false),
            ("docs/a.rst", false, false),
            ("guides/a.textile", false, false),
            ("CHANGELOG.md", false, false),
            ("Cargo.lock", false, true),
            ("package_constraints.txt", false, true),
            ("Makefile.in", true, true),
            ("src/CMakeLists.txt", true, true),
            ("configure.in", true, true),
            ("build.rs", true, true),
        ] {
            assert_eq!((is_compared(path), is_build(path)), (compared, build), "{path}");
        }
    }
}
