//! Whether a line of a file uses a name: imports it, calls it, depends on it, configures it. A mention in a comment, in
//! prose, in a message or in a list of what is forbidden is none.

use super::file_kind::{FileKind, holds, kind_of};
use super::names::Name;
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

/// Functions that everybody has: `model.eval()` is another one.
const GLOBAL: &str = "eval exec compile input print alert Function require system gets open fetch any assert delete format \
    filter map id confirm";

/// Words around a name that say it is forbidden, not used.
const FORBIDDING: &[&str] = &[
    "no-restricted",
    "restricted",
    "banned",
    "ban-",
    "deny",
    "denied",
    "forbid",
    "blocklist",
    "denylist",
    "blacklist",
    "disallow",
    "prohibited",
    "rejected",
    "exclusion",
    "exclude",
    "not in ",
    "assertnotin",
    "not.tocontain",
    "not.toinclude",
    "refute",
    "unsupported",
    "removed_",
    "uninstall",
    "not_to include",
    "ignored",
    "legacy_blocked",
];

/// Where in a file a line stands: what the lines above it say about it.
pub(super) struct Place<'a> {
    pub(super) path: &'a str,
    pub(super) kind: FileKind,
    /// The lines above, the nearest last, at most a few.
    pub(super) above: &'a [String],
}

/// Whether a line uses a name.
pub(super) fn uses(place: &Place<'_>, line: &str, read: &ReadLine, name: &Name) -> bool {
    if matches!(place.kind, FileKind::Prose | FileKind::Generated) || !read.does_something() {
        return false;
    }
    let lower = line.to_lowercase();
    let forbids = |text: &str| FORBIDDING.iter().any(|word| text.contains(word));
    let told: String = read
        .stretches
        .iter()
        .filter(|(kind, _)| *kind != Stretch::Comment)
        .map(|(_, text)| text.to_lowercase())
        .collect();
    // A program that imports something does so whatever its names are; an element of a list may stand in one of bans.
    let is_program = place.kind == FileKind::Program;
    let is_element = !read.code().contains(char::is_alphabetic);
    if (!is_program || !is_import(read, place.kind) || is_element) && forbids(&told) {
        return false;
    }
    if (!is_program || is_element) && stands_in_a_ban(place.above, line, &forbids) {
        return false;
    }
    if let Some((package, version)) = versioned(&name.text) {
        let package = Name { text: package.to_owned(), quoted: true };
        return line.contains(version) && uses_plainly(place, line, &lower, read, &package);
    }
    uses_plainly(place, line, &lower, read, name)
}

fn uses_plainly(place: &Place<'_>, line: &str, lower: &str, read: &ReadLine, name: &Name) -> bool {
    if name.is_path() {
        return names_path(place.path, read, &name.text);
    }
    if place.kind == FileKind::Manifest {
        return depends(place, line, lower, read, &name.text);
    }
    let import = is_import(read, place.kind);
    if !name.quoted {
        // Nobody quoted it: it is looked for where packages are named, and nowhere else.
        let wanted = name.text.to_lowercase();
        let lowered = lowered(read);
        return (import || is_image(place, lower))
            && spellings(&wanted).iter().any(|text| used_in(place, &lowered, text, import));
    }
    // Statements of SQL are written in any case.
    let sql = place.path.to_lowercase().ends_with(".sql").then(|| (lowered(read), name.text.to_lowercase()));
    let (read, text) = sql.as_ref().map_or((read, name.text.as_str()), |(read, text)| (read, text.as_str()));
    spellings(text).iter().any(|text| used_in(place, read, text, import)) || imports_member(read, text)
}

fn lowered(read: &ReadLine) -> ReadLine {
    ReadLine { stretches: read.stretches.iter().map(|(kind, text)| (*kind, text.to_lowercase())).collect() }
}

/// The name, as code writes it too: with `_` for `-`, and under the name by which it is imported.
fn spellings(name: &str) -> Vec<String> {
    let mut all = vec![name.to_owned()];
    let is_word = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'));
    if name.contains('-') && !name.starts_with('-') && is_word {
        all.push(name.replace('-', "_"));
    }
    let known = IMPORTED_AS.iter().find(|(package, _)| package.eq_ignore_ascii_case(name));
    all.extend(known.map(|(_, import)| (*import).to_owned()));
    all
}

/// Whether code writes another name than the package has.
pub(super) fn is_imported_otherwise(name: &str) -> bool {
    IMPORTED_AS.iter().any(|(package, _)| package.eq_ignore_ascii_case(name))
}

/// `react@16`, `django==1.11`: a package and the version that may not return.
fn versioned(name: &str) -> Option<(&str, &str)> {
    let at = || name.rfind('@').filter(|at| *at > 0).map(|at| (&name[..at], &name[at + 1..]));
    let (package, version) = name.split_once("==").or_else(at)?;
    let starts = version.starts_with(|c: char| c.is_ascii_digit());
    (starts && !package.is_empty()).then_some((package, version))
}

/// Whether a ban opened above the line still holds: a key or an element that is less indented.
fn stands_in_a_ban(above: &[String], line: &str, forbids: &dyn Fn(&str) -> bool) -> bool {
    let indent = |line: &str| line.len() - line.trim_start().len();
    let mut outer = indent(line);
    for before in above.iter().rev().take(12) {
        let trimmed = before.trim();
        if trimmed.is_empty() {
            continue;
        }
        let is_table = trimmed.starts_with('[') && trimmed.ends_with(']');
        let opens = is_table || trimmed.ends_with(['[', '{', '(', ':', '>']) || trimmed.ends_with("= [");
        if indent(before) < outer || is_table {
            outer = indent(before);
            if opens && forbids(&trimmed.to_lowercase()) {
                return true;
            }
        }
        if is_table || (outer == 0 && opens) {
            return false;
        }
    }
    false
}

fn is_import(read: &ReadLine, kind: FileKind) -> bool {
    if kind != FileKind::Program && kind != FileKind::Words && kind != FileKind::Markup {
        return false;
    }
    let code = read.code();
    let code = code.trim_start();
    let starts = [
        "import ",
        "import(",
        "import{",
        "from ",
        "use ",
        "pub use ",
        "pub(crate) use ",
        "extern crate ",
        "require ",
        "require(",
        "require_once",
        "include",
        "#include",
        "using ",
        "export ",
        "@import",
        "load ",
        "library(",
        "open ",
        "alias ",
        "const ",
        "let ",
        "var ",
        "import static ",
        "mod ",
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

/// `image: redis:7`, `FROM redis`, a command that installs.
fn is_image(place: &Place<'_>, lower: &str) -> bool {
    let line = lower.trim().trim_start_matches("- ");
    place.kind == FileKind::Words
        && (["image:", "from ", "uses:"].iter().any(|start| line.starts_with(start))
            || [
                "pip install",
                "npm install",
                "npm i ",
                "yarn add",
                "pnpm add",
                "cargo add",
                "go get",
                "apt-get install",
                "apt install",
                "apk add",
                "brew install",
                "gem install",
            ]
            .iter()
            .any(|command| line.contains(command)))
}

fn used_in(place: &Place<'_>, read: &ReadLine, name: &str, import: bool) -> bool {
    let code = read.code();
    if place.kind == FileKind::Words && is_label(&code) {
        return false;
    }
    let markup = place.kind == FileKind::Markup;
    read.stretches.iter().any(|(kind, text)| match kind {
        Stretch::Comment => false,
        Stretch::Code if markup => {
            text.contains(&format!(">{name}<"))
                || text.contains(&format!("<{name} "))
                || text.contains(&format!("<{name}>"))
        }
        Stretch::Code => in_code(place, text, name, import, &code),
        Stretch::Text => in_text(text, name, &code, import),
    })
}

/// A key whose value people read.
fn is_label(code: &str) -> bool {
    let key = code.trim().trim_start_matches("- ").split([':', '=']).next().unwrap_or_default().trim();
    matches!(
        key,
        "name"
            | "description"
            | "title"
            | "summary"
            | "comment"
            | "message"
            | "label"
            | "help"
            | "echo"
            | "about"
    ) || code.trim().starts_with("echo ")
}

fn in_code(place: &Place<'_>, text: &str, name: &str, import: bool, code: &str) -> bool {
    let wordy = place.kind == FileKind::Words;
    occurrences(text, name, wordy).any(|at| {
        let before = text[..at].trim_end_matches(' ');
        let member = before.ends_with('.') || before.ends_with("::") || before.ends_with("->");
        let owner: String = before
            .trim_end_matches(['.', ':', '>', '-'])
            .chars()
            .rev()
            .take_while(|c| c.is_alphanumeric() || *c == '_')
            .collect();
        let owner: String = owner.chars().rev().collect();
        if import && member && !name.contains(['.', ':']) {
            // `from .redis import x`, `use crate::redis` are one's own.
            return false;
        }
        if member && holds(GLOBAL, name) {
            return matches!(
                owner.as_str(),
                "window" | "globalThis" | "builtins" | "__builtins__" | "os" | "global" | "Kernel"
            );
        }
        // The name of a parameter, a field of one's own, a method that is defined: only for what everybody has.
        let defines = ["def ", "fn ", "func ", "function "]
            .iter()
            .any(|word| code.trim_start().starts_with(word) && before.trim_end().ends_with(word.trim_end()));
        if defines && holds(GLOBAL, name) {
            return false;
        }
        if wordy && before.ends_with('/') {
            // A folder of that name is not the thing; an image of somebody's is.
            return code.contains("image") || code.trim_start().starts_with("FROM");
        }
        true
    })
}

/// Where `name` stands in `text` as a word of its own.
fn occurrences<'a>(text: &'a str, name: &'a str, hyphened: bool) -> impl Iterator<Item = usize> + 'a {
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

/// Whether a text between quotes is the name, as a module, a package or the beginning of an address; or a command or a
/// statement that holds it.
fn in_text(text: &str, name: &str, code: &str, import: bool) -> bool {
    let text = text.trim();
    let sentence = text.contains(char::is_whitespace);
    if name.contains(' ') || name.starts_with('-') {
        return occurrences(text, name, true).next().is_some();
    }
    if sentence {
        let runs = [
            "subprocess",
            "exec",
            "spawn",
            "system(",
            "run(",
            "shell",
            "popen",
            "cmd",
            "sh(",
            "Command",
            "RUN",
            "ENTRYPOINT",
            "script",
        ];
        let lower = code.to_lowercase();
        let is_statement = ["SELECT", "INSERT", "CREATE", "UPDATE", "DELETE", "DROP", "ALTER"]
            .iter()
            .any(|word| text.to_uppercase().starts_with(word));
        let is_run = runs.iter().any(|run| lower.contains(&run.to_lowercase()));
        return (is_run || is_statement) && text.split_whitespace().any(|word| is_module(word, name, false));
    }
    is_module(text, name, import)
}

fn is_module(text: &str, name: &str, import: bool) -> bool {
    if text.starts_with('.') || text.starts_with("@/") || text.starts_with("~/") {
        return false;
    }
    let text = text.strip_prefix("node:").or_else(|| text.strip_prefix("npm:")).unwrap_or(text);
    if let Some(behind) = text.strip_prefix(name) {
        let ends = behind.chars().next().is_none_or(|c| {
            matches!(
                c,
                '/' | '.' | ':' | '@' | '=' | '>' | '<' | '~' | '^' | '!' | '[' | '(' | ';' | ',' | '*'
            )
        });
        return ends;
    }
    // `github.com/go-redis/redis/v8`
    let mut parts = text.split('/');
    let host = parts.next().is_some_and(|first| first.contains('.') && !first.starts_with('.'));
    host && import && !name.contains('/') && parts.any(|part| part == name)
        || host
            && name.contains('/')
            && text
                .trim_start_matches("https://")
                .strip_prefix(name)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// `from os import system` for `os.system`, `use std::sync::{Arc, Mutex}` for `std::sync::Mutex`.
fn imports_member(read: &ReadLine, name: &str) -> bool {
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

/// Whether a line of a manifest depends on a package.
fn depends(place: &Place<'_>, line: &str, lower: &str, read: &ReadLine, name: &str) -> bool {
    let normal = |text: &str| text.to_lowercase().replace('_', "-");
    let name = normal(name);
    // A member of a package is none; its manifest names the package.
    let wanted = name.strip_prefix("dep:").unwrap_or(&name).to_owned();
    let key = lower
        .trim()
        .trim_start_matches('"')
        .split(['"', ':', '=', ' '])
        .next()
        .unwrap_or_default()
        .to_owned();
    if matches!(
        key.as_str(),
        "name"
            | "description"
            | "keywords"
            | "homepage"
            | "repository"
            | "author"
            | "authors"
            | "classifiers"
            | "readme"
            | "documentation"
    ) || line.contains("// indirect")
    {
        return false;
    }
    let whole = normal(line.trim());
    if place.path.ends_with("pom.xml") || whole.starts_with('<') {
        let artifact = wanted.rsplit(':').next().unwrap_or(&wanted);
        let named =
            |text: &str| whole.contains(&format!(">{text}<")) || whole.contains(&format!("\"{text}\""));
        let group = wanted.split_once(':').map(|(group, _)| group);
        let grouped = group.is_none_or(|group| {
            place.above.iter().rev().take(3).any(|before| before.contains(group)) || line.contains(group)
        });
        return named(artifact) && grouped
            || group.is_none() && whole.contains(&format!("<groupid>{wanted}<"));
    }
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let is_package = |text: &str| {
        let text = normal(text);
        let found = text.match_indices(&wanted).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let behind = text[at + wanted.len()..].chars();
            let scoped = before == Some('/') && !wanted.contains('/') && text.contains('@');
            let mut behind = behind.peekable();
            let next = behind.peek().copied();
            // `lodash.merge` is another package than `lodash`.
            let dotted = next == Some('.')
                && text[at + wanted.len() + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
            before.is_none_or(|c| !in_word(c) && c != '.' && c != '@')
                && !scoped
                && next.is_none_or(|c| !in_word(c))
                && !dotted
        });
        let sentence = text.split_whitespace().count() > 4;
        found && !sentence
    };
    let code = read.code();
    read.of(Stretch::Text).any(is_package)
        || is_package(code.trim())
        || code.trim().starts_with('[')
            && code.trim().trim_matches(['[', ']']).rsplit('.').next().is_some_and(is_package)
}

/// Whether a line refers to a path: as a text, or as the module it is.
fn names_path(file: &str, read: &ReadLine, path: &str) -> bool {
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
        let resolved =
            if text.starts_with('.') { joined(file, text) } else { text.trim_start_matches('/').to_owned() };
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
