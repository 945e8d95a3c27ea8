//! What kind of file a path names: prose, a program, a list of packages, something that tools wrote.

/// What kind of file a path names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// Prose for people: nothing in it is a use.
    Prose,
    /// Written by tools, from manifests, or by others: nothing in it is anybody's choice here.
    Generated,
    /// A list of what is relied on.
    Manifest,
    /// Settings and scripts whose words are not quoted: a hyphen is part of a word.
    Words,
    /// Markup: only attributes and whole elements count.
    Markup,
    /// Prose with commands in it: only what they load counts.
    Typeset,
    /// A program.
    Program,
}

const OTHERS: &str = "node_modules/ vendor/ third_party/ dist/ .hansei/ .git/ target/debug/ target/release/";
const LOCKS: &str = "package-lock.json npm-shrinkwrap.json pnpm-lock.yaml go.sum gradle.lockfile bun.lockb";
const MANIFESTS: &str = "package.json cargo.toml pyproject.toml setup.cfg pipfile go.mod pom.xml gemfile composer.json \
    environment.yml environment.yaml deno.json bower.json pubspec.yaml libs.versions.toml conanfile.txt vcpkg.json \
    packages.config directory.packages.props brewfile";
const MANIFEST_KINDS: &str = "csproj fsproj vbproj gemspec cabal nimble";
const PROSE_KINDS: &str = "md mdx markdown rst adoc asciidoc txt org log diff patch po";
const TOLD: &str = "license licence readme changelog changes authors notice contributing news copying todo codeowners history";
const MARKUP_KINDS: &str = "html htm xml svg xaml xhtml plist props targets config resx";
const WORD_KINDS: &str = "yml yaml toml ini cfg conf env sh bash zsh fish bat cmd ps1 properties tf hcl dockerfile service mk json \
    json5 jsonc css scss less just nix el clj lisp scm m4 nginx";
const TYPESET_KINDS: &str = "tex sty ltx";
const WORD_NAMES: &str = "makefile containerfile jenkinsfile procfile justfile vagrantfile";

const PROGRAMS_WITH_PACKAGES: &str = "build.gradle.kts settings.gradle.kts mix.exs package.swift setup.py project.clj deps.edn conanfile.py rebar.config \
    podfile cartfile workspace build.zig.zon noxfile.py rakefile flake.nix";
const LANGUAGES: &str =
    "locale locales i18n l10n lang langs languages translations translation messages intl nls";
const FED: &str = "fixtures fixture testdata test-data __fixtures__ __snapshots__ snapshots cassettes golden";

/// Whether a list of words holds `word`.
pub(super) fn holds(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// The name of a path without its folders, in lower case.
pub(super) fn base_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase()
}

pub(super) fn extension(name: &str) -> &str {
    name.rsplit_once('.').map_or("", |(_, extension)| extension)
}

/// Whether a program lists packages: `build.gradle`, `mix.exs`.
pub(super) fn lists_packages(path: &str) -> bool {
    let name = base_name(path);
    holds(PROGRAMS_WITH_PACKAGES, &name)
        || matches!(extension(&name), "sbt" | "bazel" | "podspec" | "rockspec" | "gradle")
}

/// Whether a file pins what a manifest asks for.
pub(super) fn is_lock(path: &str) -> bool {
    let name = base_name(path);
    holds(LOCKS, &name) || extension(&name) == "lock"
}

/// Texts that people read, in their languages, and data that tests are fed with.
fn is_data_for_people(path: &str, kind: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut folders: Vec<&str> = lower.split('/').collect();
    folders.pop();
    let translated = folders.iter().any(|part| holds(LANGUAGES, part));
    let fed = folders.iter().any(|part| holds(FED, part));
    (translated && holds("json yml yaml properties xml strings arb ftl toml", kind))
        || (fed && holds("json yml yaml xml html csv tsv toml sql snap txt", kind))
        || holds("snap csv tsv strings arb ftl xlf xliff", kind)
}

/// What kind of file stands at `path` with these lines. Settings in a `.config` are markup only where they look like it.
pub(super) fn kind_in(path: &str, lines: &[&str]) -> FileKind {
    let kind = kind_of(path);
    let mut said = lines
        .iter()
        .map(|line| line.trim_start_matches(['\u{feff}', ' ', '\t']))
        .filter(|line| !line.is_empty());
    let is_other = extension(path) == "config" && said.next().is_some_and(|line| !line.starts_with('<'));
    if kind == FileKind::Markup && is_other { FileKind::Program } else { kind }
}

/// Folders in which a team keeps what others wrote; a note that stands in one itself is the team's own.
const KEPT_FOR_OTHERS: &str = "vendor third_party";

/// Whether a file is a note of the team about a folder with code of others.
pub(super) fn is_note_about_others(path: &str) -> bool {
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default().to_ascii_lowercase();
    let mut folders = parts;
    folders.next().is_some_and(|folder| holds(KEPT_FOR_OTHERS, folder))
        && holds("md markdown rst adoc txt", extension(&name))
        && !folders.any(|folder| holds("node_modules vendor third_party", folder))
}

/// What kind of file `path` names.
pub(super) fn kind_of(path: &str) -> FileKind {
    let name = base_name(path);
    let kind = extension(&name);
    let of_others = |folder: &str| path.starts_with(folder) || path.contains(&format!("/{folder}"));
    if is_note_about_others(path) {
        return FileKind::Prose;
    }
    if is_lock(path) || name.ends_with(".min.js") || OTHERS.split_whitespace().any(of_others) {
        return FileKind::Generated;
    }
    let folder = path.rsplit('/').nth(1).unwrap_or_default();
    let requires = name.contains("requirements") || name.contains("constraints") || folder == "requirements";
    if holds(MANIFESTS, &name) || holds(MANIFEST_KINDS, kind) || (requires && matches!(kind, "txt" | "in")) {
        return FileKind::Manifest;
    }
    // What tools are told to leave alone, and who answers for what.
    if kind.ends_with("ignore") || name.ends_with("ignore") || is_data_for_people(path, kind) {
        return FileKind::Prose;
    }
    let told = !name.contains('.') && TOLD.split_whitespace().any(|word| name.starts_with(word));
    if told || (holds(PROSE_KINDS, kind) && name != "cmakelists.txt") {
        return FileKind::Prose;
    }
    if holds(TYPESET_KINDS, kind) {
        return FileKind::Typeset;
    }
    if holds(MARKUP_KINDS, kind) {
        return FileKind::Markup;
    }
    let words = holds(WORD_KINDS, kind)
        || holds(WORD_NAMES, &name)
        || name.starts_with("dockerfile")
        || name.starts_with(".env")
        || (name.starts_with('.') && !name[1..].contains('.'));
    if words { FileKind::Words } else { FileKind::Program }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_names() {
        for (path, kind) in [
            ("docs/a.md", FileKind::Prose),
            ("CHANGELOG", FileKind::Prose),
            ("requirements-dev.txt", FileKind::Manifest),
            ("web/package.json", FileKind::Manifest),
            ("web/package-lock.json", FileKind::Generated),
            ("Cargo.lock", FileKind::Generated),
            ("node_modules/x/index.js", FileKind::Generated),
            ("compose.yaml", FileKind::Words),
            ("Dockerfile", FileKind::Words),
            ("src/a.rs", FileKind::Program),
            ("CMakeLists.txt", FileKind::Program),
            ("a.html", FileKind::Markup),
            ("thesis/a.tex", FileKind::Typeset),
            ("third_party/README.md", FileKind::Prose),
            ("third_party/fmt/README.md", FileKind::Generated),
            ("vendor/x/vendor/notes.md", FileKind::Generated),
            ("node_modules/README.md", FileKind::Generated),
        ] {
            assert_eq!(kind_of(path), kind, "{path}");
        }
    }

    #[test]
    fn settings_are_markup_where_they_look_like_it() {
        for (line, kind) in [
            ("<configuration>", FileKind::Markup),
            ("\u{feff}<?xml version=\"1.0\"?>", FileKind::Markup),
            ("{deps, []}.", FileKind::Program),
            ("%% note", FileKind::Program),
        ] {
            assert_eq!(kind_in("a.config", &["", line]), kind, "{line}");
        }
    }
}
