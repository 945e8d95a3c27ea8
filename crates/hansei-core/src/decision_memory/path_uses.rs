//! Paths that may not return: whether a line refers to one, and whether a file stands at one.

use super::file_kind::{holds, kind_of};
use super::import::{is_import, occurrences};
use super::names::Name;
use super::syntax::{ReadLine, Stretch};

/// Whether a line refers to a path: as a text, or as the module it is.
pub(super) fn names_path(file: &str, read: &ReadLine, path: &str) -> bool {
    let path = path.trim_start_matches("./");
    let folder = path.ends_with('/');
    let bare = path.trim_end_matches('/');
    let stem = if folder {
        bare
    } else {
        bare.rsplit_once('.').filter(|(_, kind)| !kind.contains('/')).map_or(bare, |(stem, _)| stem)
    };
    let dotted = stem.trim_start_matches("src/").replace('/', ".");
    let colons = stem.trim_start_matches("src/").replace('/', "::");
    let import = is_import(read, kind_of(file));
    read.of(Stretch::Text).any(|text| {
        let text = text.trim();
        if text.contains(char::is_whitespace) {
            return false;
        }
        let resolved = match text.strip_prefix("@/").or_else(|| text.strip_prefix("~/")) {
            // By custom the folder of the sources.
            Some(rest) => format!("src/{rest}"),
            None if text.starts_with('.') => joined(file, text),
            None => text.trim_start_matches('/').to_owned(),
        };
        let under = |whole: &str| {
            resolved == whole || resolved.strip_prefix(whole).is_some_and(|rest| rest.starts_with('/'))
        };
        under(bare)
            || (!folder && resolved == stem && (import || stem.contains('/')))
            || (!folder && resolved == format!("{stem}.js"))
    }) || read.of(Stretch::Code).any(|code| {
        let as_module = import
            && stem.contains('/')
            && (occurrences(code, &dotted, false).next().is_some()
                || occurrences(code, &colons, false).next().is_some());
        let included = import && occurrences(code, bare, true).next().is_some();
        as_module || included || (bare.contains('/') && occurrences(code, bare, true).next().is_some())
    })
}

/// A relative path from the folder of a file.
fn joined(file: &str, relative: &str) -> String {
    let mut parts: Vec<&str> = file.split('/').collect();
    parts.pop();
    for part in relative.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Names of files that have no ending.
const BARE_FILES: &str = "Makefile Dockerfile Jenkinsfile Gemfile Vagrantfile Procfile Rakefile Brewfile Pipfile Containerfile Justfile \
    justfile BUILD WORKSPACE CODEOWNERS";

/// Whether a file at `path` stands where `name` says that none may.
pub(super) fn stands_at(path: &str, name: &Name) -> bool {
    let text = name.text.trim_start_matches("./");
    if name.is_glob() {
        let whole = text.contains('/');
        let base = path.rsplit('/').next().unwrap_or(path);
        return fits(text, if whole { path } else { base }) || (whole && fits(&format!("*/{text}"), path));
    }
    let base = path.rsplit('/').next();
    if !name.is_path() {
        // Only what cannot be anything else: `.babelrc`, `Makefile`.
        let is_file = text.starts_with('.') && !name.called && !text.contains(' ') || holds(BARE_FILES, text);
        return is_file && name.quoted && base == Some(text);
    }
    if let Some(folder) = text.strip_suffix('/') {
        return path.starts_with(&format!("{folder}/"))
            || path.contains(&format!("/{folder}/")) && !folder.contains('/');
    }
    path == text
        || path.strip_prefix(text).is_some_and(|rest| rest.starts_with('/'))
        || (!text.contains('/') && base == Some(text))
}

/// Whether a path fits a pattern, in which a star stands for anything.
fn fits(pattern: &str, path: &str) -> bool {
    let parts: Vec<&str> = pattern.split('*').filter(|part| !part.is_empty()).collect();
    let mut rest = path;
    for (at, part) in parts.iter().enumerate() {
        let found = if at == 0 && !pattern.starts_with('*') {
            rest.starts_with(part).then_some(0)
        } else {
            rest.find(part)
        };
        let Some(place) = found else { return false };
        rest = &rest[place + part.len()..];
    }
    let last = parts.last().copied().unwrap_or_default();
    pattern.ends_with('*') || rest.is_empty() || path.ends_with(last)
}
