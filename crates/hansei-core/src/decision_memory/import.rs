//! Imports: whether a line is one, of what, and how code writes the name of a package.

use super::file_kind::FileKind;
use super::syntax::{ReadLine, Stretch};

/// Packages whose import has another name than their distribution.
const IMPORTED_AS: &[(&str, &str)] = &[
    ("pyyaml", "yaml"),
    ("beautifulsoup4", "bs4"),
    ("pillow", "PIL"),
    ("scikit-learn", "sklearn"),
    ("python-dateutil", "dateutil"),
    ("opencv-python", "cv2"),
    ("psycopg2-binary", "psycopg2"),
    ("mysqlclient", "MySQLdb"),
    ("python-jose", "jose"),
    ("pyjwt", "jwt"),
    ("djangorestframework", "rest_framework"),
    ("python-dotenv", "dotenv"),
    ("pymongo", "pymongo"),
    ("attrs", "attr"),
    ("pycryptodome", "Crypto"),
];

/// The name, as code writes it too: with `_` for `-`, and under the name by which it is imported.
pub(super) fn spellings(name: &str) -> Vec<String> {
    let mut all = vec![name.to_owned()];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if name.contains('-') && !name.starts_with('-') && is_word {
        all.push(name.replace('-', "_"));
    }
    // A repository of Bazel is loaded by its name without the sign.
    all.extend(
        name.strip_prefix('@').filter(|bare| bare.contains('_') && !bare.contains('/')).map(str::to_owned),
    );
    all.extend(imported_as(name).map(str::to_owned));
    all
}

/// By which other name a package is imported.
pub(super) fn imported_as(name: &str) -> Option<&'static str> {
    IMPORTED_AS.iter().find(|(package, _)| package.eq_ignore_ascii_case(name)).map(|(_, import)| *import)
}

/// Whether a line imports something.
pub(super) fn is_import(read: &ReadLine, kind: FileKind) -> bool {
    if kind != FileKind::Program && kind != FileKind::Words && kind != FileKind::Markup {
        return false;
    }
    let code = read.code();
    let code = code.trim_start();
    let starts = [
        "import ", "import(", "import{", "from ", "use ", "pub use ", "pub(crate) use ", "extern crate ",
        "require ", "require(", "require_once", "include", "#include", "using ", "export ", "@import",
        "load ", "library(", "open ", "alias ", "const ", "let ", "var ", "import static ", "mod ",
        "source ",
    ];
    let declared = ["const ", "let ", "var ", "export "].iter().any(|word| code.starts_with(word));
    let by_call = code.contains("require(")
        || code.contains("import(")
        || code.contains("import_module")
        || code.contains(" from ")
        || code.contains("__import__");
    let in_block = code.trim().is_empty() && read.of(Stretch::Text).count() == 1;
    (starts.iter().any(|start| code.starts_with(start)) && !declared) || by_call || in_block
}

/// Whether a text names the module or package `name`, a part of it, a version of it or an address of it.
pub(super) fn is_module(text: &str, name: &str, import: bool) -> bool {
    if text.starts_with('.') || text.starts_with("@/") || text.starts_with("~/") {
        return false;
    }
    let text = text.strip_prefix("node:").or_else(|| text.strip_prefix("npm:")).unwrap_or(text);
    // `package:hive/hive.dart`, `jsr:@std/path`: where the language looks it up.
    let text = text
        .split_once(':')
        .filter(|(from, rest)| {
            import && from.chars().all(|c| c.is_ascii_lowercase()) && !rest.starts_with(['/', ':'])
        })
        .filter(|(from, _)| *from != name)
        .map_or(text, |(_, rest)| rest);
    if let Some(behind) = text.strip_prefix(name) {
        let ends = behind.chars().next().is_none_or(|c| {
            matches!(
                c,
                '/' | '.' | ':' | '@' | '=' | '>' | '<' | '~' | '^' | '!' | '[' | '(' | ';' | ',' | '*'
            )
        });
        return ends;
    }
    // `https://github.com/Alamofire/Alamofire.git` is where a package is fetched from.
    let source = text.split_once("://").and_then(|(_, rest)| rest.strip_suffix(".git"));
    if source.is_some_and(|source| source.split('/').next_back() == Some(name)) {
        return true;
    }
    // `github.com/go-redis/redis/v8`
    let mut parts = text.split('/');
    let host = parts.next().is_some_and(|first| first.contains('.') && !first.starts_with('.'));
    // Nobody else can import what is `internal`.
    let own = text.contains("/internal/");
    host && import && !own && !name.contains('/') && parts.any(|part| part == name)
        || host
            && name.contains('/')
            && text
                .trim_start_matches("https://")
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `from os import system` for `os.system`, `use std::sync::{Arc, Mutex}` for `std::sync::Mutex`.
pub(super) fn imports_member(read: &ReadLine, name: &str) -> bool {
    let (module, member) = match name.rsplit_once("::").or_else(|| name.rsplit_once('.')) {
        Some(parts) if !parts.0.is_empty() && !parts.1.is_empty() => parts,
        _ => return false,
    };
    let code = read.code();
    let trimmed = code.trim_start();
    let listed = |text: &str| occurrences(text, member, false).next().is_some();
    if let Some(rest) = trimmed.strip_prefix("from ") {
        return rest.split_once(" import ").is_some_and(|(from, what)| from.trim() == module && listed(what));
    }
    if trimmed.starts_with("use ")
        || trimmed.starts_with("pub use ")
        || trimmed.starts_with("import ") && trimmed.contains('{')
    {
        let grouped = format!("{module}::{{");
        let in_group = trimmed.find(&grouped).is_some_and(|at| listed(&trimmed[at + grouped.len()..]));
        let from_text =
            trimmed.contains('{') && listed(trimmed) && read.of(Stretch::Text).any(|text| text == module);
        return in_group || from_text;
    }
    let destructured = trimmed.contains('{') && code.contains("require(") && listed(trimmed);
    destructured && read.of(Stretch::Text).any(|text| text == module)
}

/// Where `name` stands in `text` as a word of its own.
pub(super) fn occurrences<'a>(
    text: &'a str,
    name: &'a str,
    hyphened: bool,
) -> impl Iterator<Item = usize> + 'a {
    let is_flag = name.starts_with('-');
    let in_word =
        move |c: char| c.is_alphanumeric() || c == '_' || ((hyphened || is_flag) && c == '-') || c == '$';
    let first = name.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '_');
    let last = name.chars().next_back().is_some_and(|c| c.is_alphanumeric() || c == '_');
    text.match_indices(name).map(|(at, _)| at).filter(move |at| {
        let before = text[..*at].chars().next_back();
        let behind = text[*at + name.len()..].chars().next();
        let left = if first || is_flag { before.is_none_or(|c| !in_word(c)) } else { true };
        let right = if last || is_flag { behind.is_none_or(|c| !in_word(c)) } else { true };
        left && right
    })
}
