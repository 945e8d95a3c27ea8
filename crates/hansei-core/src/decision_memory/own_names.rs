//! Names that a file gives to something of its own: a variable, a parameter, a loop. An ordinary word that is one is not the
//! package of that name.

use super::file_kind::FileKind;
use super::file_kind::{base_name, extension, holds};
use super::import::{is_import, is_module, occurrences};
use super::names::Name;
use super::syntax::{ReadLine, Stretch};

/// Whether a name is an ordinary word, as people call their variables: small letters and nothing else.
pub(super) fn is_ordinary_word(name: &str) -> bool {
    name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
}

/// What a file has of its own that is called like something rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Own {
    Nothing,
    /// A variable, a parameter, a function: the package may be imported beside it.
    Value,
    /// A module, which is imported as the package would be.
    Module,
}

/// To what of its own a file binds `name`.
pub(super) fn own_of(path: &str, kind: FileKind, reads: &[ReadLine], name: &Name) -> Own {
    let text = name.text.as_str();
    if kind != FileKind::Program || !is_ordinary_word(text) {
        return Own::Nothing;
    }
    let is_named = |read: &&ReadLine| occurrences(&read.code(), text, false).next().is_some();
    let binds = |read: &ReadLine| {
        // Who rejects a call does not want the function back, whoever writes it.
        binds(path, kind, read, text) || !name.called && defines_function(path, &read.code(), text)
    };
    if reads.iter().filter(is_named).any(|read| is_module_of_own(&read.code(), text)) {
        Own::Module
    } else if reads.iter().filter(is_named).any(binds)
        || reads.iter().any(|read| imports_own(kind, read, text))
    {
        Own::Value
    } else {
        Own::Nothing
    }
}

/// `mod name;`
fn is_module_of_own(code: &str, name: &str) -> bool {
    let starts = ["mod ", "pub mod ", "pub(crate) mod "];
    let module = starts.iter().find_map(|start| code.trim_start().strip_prefix(start));
    module.is_some_and(|module| module.trim_start().trim_end_matches([';', '{', ' ']) == name)
}

/// Whether a line defines a function of that name. A method has its owner in front of it wherever it is called.
fn defines_function(path: &str, code: &str, name: &str) -> bool {
    let typed = holds("c h cc cpp hpp cxx cs java dart", extension(&base_name(path)));
    occurrences(code, name, false).any(|at| {
        let before = code[..at].trim_end();
        let last = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let behind = code[at + name.len()..].trim_start();
        let first = behind.trim_start_matches(['(', '&', ' ']).trim_start_matches("mut ");
        let of_an_owner =
            ["self", "cls"].iter().any(|owner| occurrences(first, owner, false).next() == Some(0));
        let keyword = holds("def defp fn func function fun sub proc", last) && before.len() < at;
        let by_type = typed
            && before.ends_with(|c: char| c.is_alphanumeric() || matches!(c, '>' | '*' | '&' | ']'))
            && !holds("return new else throw await case in", last)
            && behind.starts_with('(')
            && code.trim_end().ends_with('{');
        (keyword || by_type) && !of_an_owner
    })
}

/// `import "example.com/shop/internal/errors"`: called by its last part, and not the package of that name.
fn imports_own(kind: FileKind, read: &ReadLine, name: &str) -> bool {
    let is_own = |text: &str| {
        text.rsplit_once('/').is_some_and(|(_, last)| last == name) && !is_module(text, name, true)
    };
    is_import(read, kind) && read.of(Stretch::Text).any(is_own)
}

/// Whether the statement brings in a thing of that name out of another module.
pub(super) fn is_member_of_another(read: &ReadLine, name: &str) -> bool {
    let code = read.code();
    let trimmed = code.trim_start();
    if let Some(rest) = trimmed.strip_prefix("from ") {
        return rest.split_once(" import ").is_some_and(|(module, what)| {
            let module = module.trim();
            module != name
                && !module.starts_with(&format!("{name}."))
                && occurrences(what, name, false).next().is_some()
        });
    }
    if let Some(path) = trimmed.strip_prefix("use ").or_else(|| trimmed.strip_prefix("pub use ")) {
        let root = path.trim_start_matches(':').split("::").next().unwrap_or_default().trim();
        let listed = |at: usize| !path[at + name.len()..].starts_with("::");
        return path.contains("::") && root != name && occurrences(path, name, false).any(listed);
    }
    let from_text =
        trimmed.starts_with("import ") || trimmed.starts_with("export ") || trimmed.contains("require(");
    let modules: Vec<&str> = read.of(Stretch::Text).collect();
    let renamed = trimmed.contains(&format!(" as {name}")) && trimmed.starts_with("import ");
    renamed
        || (from_text && !modules.is_empty() && !modules.iter().any(|module| is_module(module, name, true)))
}

fn binds(path: &str, kind: FileKind, read: &ReadLine, name: &str) -> bool {
    let code = read.code();
    if is_import(read, kind) {
        return is_member_of_another(read, name);
    }
    let defines = ["def ", "fn ", "func ", "function", "=>", "lambda", "fun ", "sub ", "|"]
        .iter()
        .any(|word| code.contains(word));
    let typed = holds("c h cc cpp hpp cxx cs java dart", extension(&base_name(path)));
    let declares = ["const ", "let ", "var "].iter().any(|word| code.trim_start().starts_with(word));
    occurrences(&code, name, false).any(|at| {
        let before = code[..at].trim_end();
        let behind = code[at + name.len()..].trim_start();
        if before.ends_with('.') || before.ends_with("->") {
            return false;
        }
        let assigned = (behind.starts_with('=') && !behind.starts_with("==") && !behind.starts_with("=>")) || behind.starts_with(":=");
        let last = before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next().unwrap_or_default();
        let introduced = holds("let const var val mut my local auto for as lambda each", last);
        let parameter = defines
            && (before.ends_with(['(', ',', '|', '&', '*']) || last == "mut")
            && (behind.is_empty() || behind.starts_with([',', ')', ':', '=', '|', '*']) || behind.starts_with(char::is_alphabetic))
            && !behind.starts_with("::");
        let keyword = holds("return new in not and or await yield throw typeof else case delete goto import use from if while", last);
        let of_a_type = typed && !last.is_empty() && !keyword && before.len() < at && behind.starts_with([';', ',', ')', '=', ':', '[']);
        let field = extension(&base_name(path)) == "go"
            && before.is_empty()
            && !code.contains(['(', '='])
            && behind.starts_with(|c: char| c.is_alphabetic() || matches!(c, '*' | '['));
        let unpacked = declares && before.contains('{') && behind.contains('}') && !code.contains("require(");
        assigned || introduced || parameter || of_a_type || field || unpacked
    })
}
