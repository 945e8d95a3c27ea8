//! How comments, texts and documentation are written, by the kind of a file. A file of unknown kind may write them in any way.

use super::file_kind::{FileKind, base_name, extension, kind_in, kind_of};

/// Whether three quotes begin a text, and what it is where nothing stands before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tripled {
    Nowhere,
    /// A text, always.
    Text,
    /// Documentation, where a line begins with it or an attribute names it so.
    Documenting,
}

/// Documentation that stands between lines of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pages {
    Nowhere,
    /// `=head1` and its like, up to `=cut`.
    Pod,
    /// `=begin`, up to `=end`.
    Begun,
}

impl Pages {
    /// How the line begins that ends the page which `line` begins.
    pub(super) fn begun_by(self, line: &str) -> Option<&'static str> {
        let name = line.strip_prefix('=')?;
        match self {
            Self::Pod => (name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.starts_with("cut"))
                .then_some("=cut"),
            Self::Begun => name.starts_with("begin").then_some("=end"),
            Self::Nowhere => None,
        }
    }
}

/// How comments and texts are written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Syntax {
    pub(super) line: &'static [&'static str],
    pub(super) block: &'static [(&'static str, &'static str)],
    pub(super) quotes: &'static [char],
    pub(super) tripled: Tripled,
    pub(super) pages: Pages,
    /// Whether every text may go over lines.
    pub(super) long: bool,
    /// Whether a text may stand between lines, `<<~TEXT` and `TEXT`.
    pub(super) heredocs: bool,
    /// Whether nothing is known of the file, so that any mark may begin a comment.
    pub(super) is_unknown: bool,
}

const BARE: Syntax = Syntax {
    line: &[],
    block: &[],
    quotes: &['"'],
    tripled: Tripled::Nowhere,
    pages: Pages::Nowhere,
    long: false,
    heredocs: false,
    is_unknown: false,
};
const C_LIKE: Syntax = Syntax { line: &["//"], block: &[("/*", "*/")], quotes: &['"', '\'', '`'], ..BARE };
const JVM_LIKE: Syntax = Syntax { tripled: Tripled::Text, ..C_LIKE };
const RUST: Syntax = Syntax { line: &["//"], block: &[("/*", "*/")], ..BARE };
const HASH: Syntax = Syntax { line: &["#"], quotes: &['"', '\''], ..BARE };
const PERL: Syntax = Syntax { pages: Pages::Pod, heredocs: true, ..HASH };
const RUBY: Syntax = Syntax { pages: Pages::Begun, heredocs: true, ..HASH };
const POWERSHELL: Syntax = Syntax { block: &[("<#", "#>")], ..HASH };
const PYTHON: Syntax = Syntax { tripled: Tripled::Documenting, ..HASH };
const JULIA: Syntax = Syntax { block: &[("#=", "=#")], ..PYTHON };
const NIM: Syntax = Syntax { block: &[("#[", "]#"), ("##[", "]##")], ..PYTHON };
const COFFEE: Syntax = Syntax { block: &[("###", "###")], ..HASH };
const PHP: Syntax =
    Syntax { line: &["//", "#"], block: &[("/*", "*/")], quotes: &['"', '\''], heredocs: true, ..BARE };
const DASHES: Syntax = Syntax {
    line: &["--"],
    block: &[("/*", "*/"), ("--[[", "]]"), ("{-", "-}")],
    quotes: &['"', '\''],
    ..BARE
};
const LISP: Syntax = Syntax { line: &[";"], block: &[("#|", "|#")], long: true, ..BARE };
const ASSEMBLER: Syntax = Syntax { line: &[";"], ..BARE };
const INI: Syntax = Syntax { line: &["#", ";"], ..BARE };
const PERCENT: Syntax = Syntax { line: &["%"], ..BARE };
const ERLANG: Syntax = Syntax { tripled: Tripled::Documenting, ..PERCENT };
const MARKUP: Syntax = Syntax { block: &[("<!--", "-->")], ..BARE };
const PAGE: Syntax =
    Syntax { line: &["//"], block: &[("<!--", "-->"), ("/*", "*/")], quotes: &['"', '\'', '`'], ..BARE };
const BATCH: Syntax = Syntax { line: &["REM ", "rem ", "@REM ", "@rem ", "Rem ", "::"], ..BARE };
const BASIC: Syntax = Syntax { line: &["'", "REM ", "Rem "], ..BARE };
const VIM: Syntax = Syntax { line: &["\""], quotes: &['\''], ..BARE };
const FORTRAN: Syntax = Syntax { line: &["!"], quotes: &['"', '\''], ..BARE };
const ML: Syntax = Syntax { block: &[("(*", "*)")], ..BARE };
const FSHARP: Syntax = Syntax { line: &["//"], tripled: Tripled::Text, ..ML };
const PASCAL: Syntax = Syntax { line: &["//"], block: &[("(*", "*)"), ("{", "}")], quotes: &['\''], ..BARE };
const ANY: Syntax = Syntax {
    line: &["//", "#", "-- ", ";;"],
    block: &[("/*", "*/"), ("<!--", "-->")],
    quotes: &['"', '\''],
    is_unknown: true,
    ..BARE
};

/// How the file at `path` with these lines writes comments.
pub(super) fn syntax_of(path: &str, lines: &[&str]) -> Syntax {
    let name = base_name(path);
    match extension(&name) {
        "rs" => RUST,
        "java" | "kt" | "kts" | "swift" | "scala" | "sbt" | "cs" | "dart" | "groovy" | "gradle" => JVM_LIKE,
        "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "js" | "jsx" | "ts" | "tsx" | "mjs" | "cjs"
        | "mts" | "cts" | "go" | "proto" | "scss" | "less" | "css" | "zig" | "sol" | "json5" | "jsonc"
        | "m" | "mm" | "mod" | "d" | "cu" | "v" | "sv" | "glsl" | "graphql" => C_LIKE,
        "php" => PHP,
        "tf" | "hcl" => Syntax { heredocs: false, ..PHP },
        "py" | "pyi" | "pyx" | "ex" | "exs" => PYTHON,
        "jl" => JULIA,
        "nim" => NIM,
        "coffee" => COFFEE,
        "pl" | "pm" | "pod" | "t" => PERL,
        "rb" | "rake" | "gemspec" => RUBY,
        "ps1" | "psm1" => POWERSHELL,
        "sql" | "lua" | "rockspec" | "hs" | "elm" | "purs" | "cabal" | "adb" | "ads" | "vhd" | "vhdl" => {
            DASHES
        }
        "lisp" | "lsp" | "cl" | "clj" | "cljs" | "cljc" | "edn" | "el" | "scm" | "rkt" => LISP,
        "asm" | "s" => ASSEMBLER,
        "ini" | "cfg" | "conf" | "properties" => INI,
        "tex" | "sty" | "pro" | "prolog" | "mat" | "ps" => PERCENT,
        "erl" | "hrl" => ERLANG,
        "config" if kind_in(path, lines) == FileKind::Program => terms_or_any(lines),
        "xml" | "svg" | "xaml" | "xhtml" | "md" | "mdx" | "markdown" | "csproj" | "fsproj" | "plist"
        | "props" | "targets" | "config" | "rst" | "adoc" | "txt" | "org"
            if name != "cmakelists.txt" && kind_of(path) != FileKind::Manifest
                || name == "pom.xml"
                || name.ends_with("proj") =>
        {
            MARKUP
        }
        "html" | "htm" | "vue" | "svelte" | "astro" => PAGE,
        "bat" | "cmd" => BATCH,
        "vb" | "bas" | "vbs" | "cls" | "frm" => BASIC,
        "vim" => VIM,
        "f" | "f90" | "f95" | "for" => FORTRAN,
        "ml" | "mli" | "sml" => ML,
        "fs" | "fsx" | "fsi" => FSHARP,
        "pas" | "dpr" => PASCAL,
        "json" => BARE,
        "sh" | "bash" | "zsh" | "fish" | "yml" | "yaml" | "toml" | "r" | "mk" | "cmake" | "env" | "nix"
        | "tcl" | "awk" | "service" | "dockerfile" | "in" | "txt" | "cr" => HASH,
        _ if kind_of(path) == FileKind::Words || kind_of(path) == FileKind::Manifest => HASH,
        _ => ANY,
    }
}

/// Settings that are terms of Erlang, told by how they begin; otherwise anything.
fn terms_or_any(lines: &[&str]) -> Syntax {
    let first = lines.iter().map(|line| line.trim_start()).find(|line| !line.is_empty()).unwrap_or_default();
    if first.starts_with(['{', '[', '%']) { ERLANG } else { ANY }
}

/// How long the mark is that makes a comment of a line in a file of unknown kind: signs that repeat, or one that begins
/// nothing else, with a space behind; or one of the few words. Quotes and brackets hold something, a dash lists something.
pub(super) fn leader(line: &str) -> Option<usize> {
    let text = line.trim_start();
    let indent = line.len() - text.len();
    let first = text.chars().next()?;
    let marks = text.chars().take_while(|c| *c == first).count();
    let is_mark = match first {
        '%' | ';' | '!' | '\'' | '⍝' => true,
        '*' | '.' | '\\' | '-' => marks >= 2,
        _ => false,
    };
    let length = marks * first.len_utf8();
    if is_mark && marks <= 80 && text[length..].chars().next().is_none_or(char::is_whitespace) {
        return Some(indent + length);
    }
    let word = text.split(char::is_whitespace).next().unwrap_or_default();
    matches!(word.to_ascii_lowercase().as_str(), "rem" | "dnl" | "nb.").then_some(indent + word.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_an_unknown_file_is_led_by_a_mark() {
        for (line, said) in [
            ("%% note", Some(" note")),
            ("  % note", Some(" note")),
            (";; note", Some(" note")),
            ("! note", Some(" note")),
            ("' note", Some(" note")),
            ("** note", Some(" note")),
            (".\\ note", None),
            ("dnl note", Some(" note")),
            ("NB. note", Some(" note")),
            ("%macro x", None),
            ("- note", None),
            ("* note", None),
            ("!x", None),
            ("\"note\"", None),
            ("word", None),
            ("", None),
        ] {
            assert_eq!(leader(line).map(|length| &line[length..]), said, "{line}");
        }
    }
}
