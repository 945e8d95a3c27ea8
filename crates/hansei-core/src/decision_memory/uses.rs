//! Whether a line of a file uses a name: imports it, calls it, depends on it, configures it. A mention in a comment, in
//! prose, in a message or in a list of what is forbidden is none.

use super::fetched::{
    is_asked_for, is_fetched, is_image, is_image_with_version, is_in_registry, is_submodule,
};
use super::file_kind::{FileKind, base_name, extension, holds, lists_packages};
use super::import::{imports_member, is_import, is_module, occurrences, spellings};
use super::keeping_out::{code_forbids, is_looked_at, is_taken_away, keeps_out, words_of};
use super::manifest::depends;
use super::module_names::names_module;
use super::names::Name;
use super::own_names::{Own, is_member_of_another, is_ordinary_word};
use super::path_uses::names_path;
use super::place::Place;
use super::syntax::{ReadLine, Stretch, last_word};
use super::technology::uses_technology;
use super::typeset::loads;

/// Functions that everybody has: `model.eval()` is another one.
const GLOBAL: &str = "eval exec compile input print alert Function require system gets open fetch any assert delete format \
    filter map id confirm";
/// Languages in which a word behind a dot is as likely a function as anything.
const METHODS: &str = "rs rb kt swift scala cs java c h cc cpp hpp dart ex";

/// Whether a line uses a name. `own`: what the file has of its own of that name.
pub(super) fn uses(place: &Place<'_>, name: &Name, own: Own) -> bool {
    let read = place.read();
    if matches!(place.kind, FileKind::Prose | FileKind::Generated) {
        return false;
    }
    if name.is_directive() {
        let wanted = name.text.trim_start_matches(['#', '/', ' ']);
        return read.comment().is_some_and(|comment| {
            comment.trim_start_matches(['*', '/', ' ', '#', '!']).starts_with(wanted)
        }) || (read.does_something() && uses_plainly(place, name, own));
    }
    if !read.does_something() {
        return false;
    }
    if place.kind == FileKind::Typeset {
        return loads(place, name);
    }
    // A program that imports something does so whatever its names are; an element of a list may stand in one of bans.
    let imports = place.kind == FileKind::Program && !place.is_element() && is_import(read, place.kind);
    if !imports && place.kind != FileKind::Program && keeps_out(place) {
        return false;
    }
    if place.kind == FileKind::Words && is_taken_away(&read.without_comment(), &name.text) {
        return false;
    }
    if let Some((package, version)) = versioned(&name.text) {
        let package = Name { text: package.to_owned(), ..name.clone() };
        return place.line().contains(version) && uses_plainly(place, &package, own);
    }
    uses_plainly(place, name, own)
}

fn uses_plainly(place: &Place<'_>, name: &Name, own: Own) -> bool {
    let read = place.read();
    if is_submodule(place, &name.text) {
        return true;
    }
    if name.is_path() {
        return names_path(place.path, read, &name.text);
    }
    if !name.quoted {
        return uses_technology(place, name);
    }
    if place.kind == FileKind::Manifest {
        return depends(place, &name.text);
    }
    // `Redis` in back quotes is the same as without.
    let is_proper = name.text.starts_with(char::is_uppercase) && name.text.chars().all(char::is_alphanumeric);
    if is_proper && uses_technology(place, name) {
        return true;
    }
    let import = is_import(read, place.kind);
    // Statements of SQL are written in any case.
    let any_case = place.path.to_lowercase().ends_with(".sql") || is_statement(&name.text);
    let lower = any_case.then(|| (lowered(read), name.text.to_lowercase()));
    let (read, text) =
        lower.as_ref().map_or((read, name.text.as_str()), |(read, text)| (read, text.as_str()));
    spellings(text).iter().any(|text| used_in(place, read, text, import, own, name.called))
        || imports_member(read, text)
        || names_module(place, text)
}

/// Words of SQL in a row.
fn is_statement(name: &str) -> bool {
    name.contains(' ')
        && name.chars().all(|c| c.is_ascii_uppercase() || c.is_whitespace() || matches!(c, '*' | '_'))
}

fn lowered(read: &ReadLine) -> ReadLine {
    ReadLine { stretches: read.stretches.iter().map(|(kind, text)| (*kind, text.to_lowercase())).collect() }
}

/// `react@16`, `django==1.11`: a package and the version that may not return.
fn versioned(name: &str) -> Option<(&str, &str)> {
    let at = || name.rfind('@').filter(|at| *at > 0).map(|at| (&name[..at], &name[at + 1..]));
    let (package, version) = name.split_once("==").or_else(at)?;
    let starts = version.starts_with(|c: char| c.is_ascii_digit());
    (starts && !package.is_empty()).then_some((package, version))
}

fn used_in(place: &Place<'_>, read: &ReadLine, name: &str, import: bool, own: Own, called: bool) -> bool {
    let code = read.code();
    if place.kind == FileKind::Words && is_label(&code) && !is_asked_for(place) {
        return false;
    }
    if let Some(setting) = as_setting(name) {
        let line = bare(&read.without_comment());
        return occurrences(&line, &setting, true).next().is_some();
    }
    let markup = place.kind == FileKind::Markup;
    let kept_out = std::cell::LazyCell::new(|| place.kind == FileKind::Program && keeps_out(place));
    let element = place.is_element();
    read.stretches.iter().enumerate().any(|(at, (kind, text))| match kind {
        Stretch::Comment => false,
        Stretch::Code if markup => {
            text.contains(&format!(">{name}<"))
                || text.contains(&format!("<{name} "))
                || text.contains(&format!("<{name}>"))
                || text.trim_end().ends_with(&format!(" {name}="))
                || (name.starts_with('<') && text.contains(name.trim_end_matches('>')))
        }
        Stretch::Code => in_code(&Code { place, read, text, line: &code, import, own, called }, name),
        Stretch::Text => {
            let beside = |at: Option<usize>| {
                at.and_then(|at| read.stretches.get(at)).map_or("", |(_, text)| text.as_str())
            };
            let labelled = place.kind == FileKind::Program
                && (is_labelled(beside(at.checked_sub(1))) || is_labelled(beside(Some(0))));
            let looked_at = labelled
                || place.kind == FileKind::Program
                    && is_looked_at(beside(at.checked_sub(1)), beside(Some(at + 1)));
            let loads = import && !element;
            let loaded = markup && is_loaded(beside(at.checked_sub(1)), text, name);
            let grouped = lists_packages(place.path) && text.split([':', '.']).any(|part| part == name);
            let image = match place.kind {
                FileKind::Program => is_image_with_version(text, name),
                _ => is_image(text, name),
            };
            (in_text(text, name, &code, import) || loaded || grouped || image)
                && (loads || !(looked_at || *kept_out))
        }
    })
}

/// A setting and its value, which are written with quotes and spaces or without: `strict: false`, `debug=on`.
fn as_setting(name: &str) -> Option<String> {
    let (key, value) = name.split_once(':').or_else(|| name.split_once('='))?;
    let plain = |text: &str| {
        let text = text.trim().trim_matches(['"', '\'']);
        !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'))
    };
    let is_image = name.contains(':') && !name.contains(": ") && !name.contains('"');
    (plain(key) && plain(value) && !is_image).then(|| bare(name))
}

fn bare(text: &str) -> String {
    text.chars().filter(|c| !matches!(c, '"' | '\'' | ' ' | '\t')).collect()
}

/// Whether the text of an attribute is the address of something that a page loads, and that is `name`.
fn is_loaded(before: &str, address: &str, name: &str) -> bool {
    let before = before.trim_end();
    let is_named = |part: &str| {
        part.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '@', '-']))
    };
    (before.ends_with("src=") || before.ends_with("href=")) && address.split('/').any(is_named)
}

/// A key whose value people read.
pub(super) fn is_label(code: &str) -> bool {
    let key = code
        .trim()
        .trim_start_matches("- ")
        .split([':', '='])
        .next()
        .unwrap_or_default()
        .trim()
        .trim_matches('"');
    holds(
        "name description title summary comment message label help echo about display_name displayname text",
        &key.to_lowercase(),
    ) || code.trim().starts_with("echo ")
}

/// Whether the code in front of a text gives it to something that people read: `description=`, `keywords: [`.
fn is_labelled(before: &str) -> bool {
    let before = before.trim_end_matches(|c: char| c.is_whitespace() || matches!(c, '[' | '(' | '"' | ','));
    let Some(key) = before.strip_suffix('=').or_else(|| before.strip_suffix(':')) else { return false };
    let key: String = key.trim_end().chars().rev().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let key: String = key.chars().rev().collect();
    is_format(&key)
        || holds(
            "description title summary comment message label help about text keywords tags caption placeholder hint note",
            &key.to_lowercase(),
        )
}

/// Whether a key says in which format something is: `bookType`, `export_format`, `ext`. A package may be called like one.
fn is_format(key: &str) -> bool {
    let words = words_of(key);
    let last = words.last().map(String::as_str).unwrap_or_default();
    holds("format formats ext exts extension extensions suffix suffixes mime", last)
        || (words.len() > 1 && matches!(last, "type" | "types"))
}

struct Code<'a> {
    place: &'a Place<'a>,
    read: &'a ReadLine,
    /// The stretch.
    text: &'a str,
    /// All code of the line.
    line: &'a str,
    import: bool,
    own: Own,
    called: bool,
}

fn in_code(stretch: &Code<'_>, name: &str) -> bool {
    let Code { place, read, text, line: code, import, own, called } = *stretch;
    let wordy = place.kind == FileKind::Words;
    let program = place.kind == FileKind::Program;
    let rust = extension(&base_name(place.path)) == "rs";
    let erlang = holds("erl hrl escript", extension(&base_name(place.path)));
    // A module of one's own is used as one is imported.
    if code_forbids(code) || own == Own::Module && (!import || rust) {
        return false;
    }
    let ordinary = is_ordinary_word(name) && program;
    if ordinary && import && is_member_of_another(read, name) {
        return false;
    }
    occurrences(text, name, wordy).any(|at| {
        let before = text[..at].trim_end_matches(' ');
        let behind = text[at + name.len()..].trim_start();
        let member = before.ends_with('.') || before.ends_with("::") || text[..at].ends_with("->");
        if own == Own::Value && !import && !(rust && behind.starts_with("::")) || is_below_own_root(before) {
            return false;
        }
        let owner = last_word(before.trim_end_matches(['.', ':', '>', '-']));
        if import && member && !name.contains(['.', ':']) {
            // `from .redis import x`, `use crate::redis` are one's own.
            return false;
        }
        if member && holds(GLOBAL, name) {
            return matches!(
                owner,
                "window" | "globalThis" | "builtins" | "__builtins__" | "os" | "global" | "Kernel"
            );
        }
        if ordinary && !import {
            // `jsx:encode(x)` is a call of Erlang's.
            let key = behind.starts_with(':') && !behind.starts_with("::") && !erlang;
            let argument = behind.starts_with('=') && !behind.starts_with("==");
            let is_called = called || holds(METHODS, extension(&base_name(place.path)));
            let method = member && !(is_called && behind.starts_with('('));
            if key || argument || method {
                return false;
            }
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
            return is_fetched(code, name)
                || code.contains("image")
                || code.trim_start().starts_with("FROM")
                || is_in_registry(before) && !behind.starts_with('/');
        }
        true
    })
}

/// `luasocket >= 3.0`: a package, and which versions of it are asked for.
fn is_requirement(text: &str, name: &str) -> bool {
    let behind = text.strip_prefix(name).map(str::trim_start).unwrap_or_default();
    let version = behind.trim_start_matches(['<', '>', '=', '~', '^', '!', ' ']);
    version.len() < behind.len() && version.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a path in Rust begins at the program itself: `crate::outcome::`.
fn is_below_own_root(before: &str) -> bool {
    let is_outside = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'));
    let path = before.rsplit(is_outside).next().unwrap_or_default();
    ["crate::", "self::", "super::"].iter().any(|root| path.starts_with(root))
}

/// Whether a text between quotes is the name, as a module, a package or the beginning of an address; or a command or a
/// statement that holds it.
fn in_text(text: &str, name: &str, code: &str, import: bool) -> bool {
    let text = text.trim();
    let sentence = text.contains(char::is_whitespace);
    if name.contains(' ') || name.starts_with('-') {
        return occurrences(text, name, true).next().is_some();
    }
    if is_requirement(text, name) {
        return true;
    }
    if sentence {
        const RUNNING: &str = "subprocess exec execfile execsync spawn spawnsync system run shell popen cmd sh command entrypoint script bash call";
        let is_run = words_of(code).iter().any(|word| holds(RUNNING, word));
        let is_statement = ["SELECT", "INSERT", "CREATE", "UPDATE", "DELETE", "DROP", "ALTER"]
            .iter()
            .any(|word| text.to_uppercase().starts_with(word));
        return (is_run || is_statement) && text.split_whitespace().any(|word| is_module(word, name, false));
    }
    is_module(text, name, import)
}
