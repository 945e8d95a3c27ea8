//! Carriage returns in what code and scripts read: expected results, lines that are split at `\n`, settings that a shell reads.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::file_reads::{How, Read, Reads};
use super::ground::{Ground, Strength, Suspicion};
use super::opened_files::opened;
use super::pattern::Pattern;
use super::tokens::Dialect;
use super::tree::{base, join, parent, upwards};

/// The largest file whose line ends are looked at.
const LARGEST: u64 = 256 << 10;

/// A file that a shell reads: `. FILE`, `source FILE`, `done < FILE`, `$(cat FILE)`, `$(< FILE)`.
static SHELL_READS: [Pattern; 4] = [
    Pattern::new(r#"(?:^|[;&|({]|\bthen|\bdo)[ \t]*(?:source|\.)[ \t]+(?:--[ \t]+)?["']?([^\s"';&|()]+)"#),
    Pattern::new(r#"\bdone[ \t]*<[ \t]*["']?([^\s"';&|()<]+)"#),
    Pattern::new(r#"\$\((?:cat[ \t]+|<[ \t]*)["']?([^\s"';&|()<]+)["']?\)"#),
    Pattern::new(r#"\bcat[ \t]+["']?([^\s"';&|()<]+)["']?[ \t]*\|[ \t]*(?:while|xargs)"#),
];
/// Ways to read that carriage returns do not harm.
const TOLERANT: &[&str] = &[
    "\\r", "splitlines", ".lines(", "lines()", "readlines", "Scanner", "readline", "TrimSpace", "TrimRight",
    "Fields(", "split_whitespace", "trim", "strip(", "json", "JSON", "yaml", "toml", "csv.", "xml",
    "Properties", "template", "\\s", "readLine", "readAllLines", "normaliz", "Normaliz", "eol", "EOL",
    "base64", "crypto", "hash",
];
/// Words for what a result is compared with.
const EXPECTED: &[&str] = &["golden", "expected", "snapshot", "approved", "reference", "want"];

/// Files with carriage returns that the code reads and cannot take.
pub(super) fn judge(ground: &Ground<'_>, reads: &Reads<'_>) {
    let mut told: BTreeSet<String> = BTreeSet::new();
    for read in reads.all.iter().filter(|read| read.how != How::Write) {
        let Some(opened) = opened(ground, reads, read) else { continue };
        let Some(path) = opened.candidates.iter().find(|path| ground.tree.has(path)) else { continue };
        if told.contains(path) || !ground.tree.is_examined(opened.file) {
            continue;
        }
        let Some(line) = windows_line(ground, path).filter(|_| !is_meant(ground, path)) else { continue };
        let Some(why) = harms(ground, reads, read, path) else { continue };
        told.insert(path.clone());
        tell(ground, path, line, &format!("{}:{} reads it", opened.file, opened.line), why, Strength::Likely);
    }
}

/// Settings and lists with carriage returns that a shell script reads.
pub(super) fn probe(ground: &Ground<'_>) {
    let tree = &ground.tree;
    for file in tree.files().iter().filter(|file| tree.is_examined(&file.path) && file.size < LARGEST) {
        let name = base(&file.path);
        let by_name = [".sh", ".bash", ".zsh", ".ksh"].iter().any(|ending| name.ends_with(ending));
        if !by_name && name.contains('.') {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        if !by_name && !text.lines().next().is_some_and(|line| line.starts_with("#!") && line.contains("sh"))
        {
            continue;
        }
        if ["tr -d '\\r'", "tr -d \"\\r\"", "dos2unix", "s/\\r", "$'\\r'"]
            .iter()
            .any(|way| text.contains(way))
        {
            continue;
        }
        let code = super::source_text::code(&text, super::source_text::Language::Hash);
        for pattern in &SHELL_READS {
            for hit in pattern.all(&code) {
                let word = followed(&code, hit.group(1));
                let Some(path) = resolved(ground, &file.path, &word) else { continue };
                // Scripts themselves are told elsewhere.
                let is_script = [".sh", ".bash", ".zsh", ".ksh"].iter().any(|ending| path.ends_with(ending));
                if is_script || is_meant(ground, &path) {
                    continue;
                }
                if let Some(line) = windows_line(ground, &path) {
                    let place = format!("{}:{} reads it", file.path, hit.line());
                    tell(
                        ground,
                        &path,
                        line,
                        &place,
                        "every value that a shell takes from it ends in a carriage return",
                        Strength::Certain,
                    );
                }
            }
        }
    }
}

/// What a variable that stands alone was given in the same script.
fn followed(code: &str, word: &str) -> String {
    let name = word.trim_start_matches('$').trim_matches(['{', '}']);
    if !word.starts_with('$') || name.contains(['/', '$', '{', '(']) {
        return word.to_owned();
    }
    let given = code.lines().find_map(|line| {
        let line = line.trim_start().trim_start_matches("readonly ").trim_start_matches("export ");
        line.strip_prefix(name)?
            .strip_prefix('=')
            .map(|value| value.trim().trim_matches(['"', '\'']).to_owned())
    });
    given.unwrap_or_else(|| word.to_owned())
}

/// The file that a word of a script means: what stands before it in a variable is some folder above.
fn resolved(ground: &Ground<'_>, script: &str, word: &str) -> Option<String> {
    let bare = match word.rsplit_once(['}', ')']) {
        Some((_, rest)) => rest,
        None if word.starts_with('$') => word.split_once('/').map_or("", |(_, rest)| rest),
        None => word,
    };
    let bare = bare.trim_start_matches('/');
    if bare.is_empty() || bare.contains(['$', '*', '`']) || word.starts_with('/') {
        return None;
    }
    let scope = ground.tree.scope().trim_end_matches('/');
    let mut roots = [scope].into_iter().chain(upwards(parent(script)));
    roots.find_map(|root| join(root, bare).filter(|path| ground.tree.has(path)))
}

/// The first line that ends in a carriage return, in a text file.
fn windows_line(ground: &Ground<'_>, path: &str) -> Option<usize> {
    let file = ground.tree.file(path).filter(|file| file.size > 0 && file.size <= LARGEST)?;
    let bytes = ground.tree.bytes(&file.path, LARGEST).filter(|bytes| !bytes.contains(&0))?;
    bytes.split(|byte| *byte == b'\n').position(|line| line.ends_with(b"\r")).map(|at| at + 1)
}

/// Whether somebody wants it so: by its name, or in `.gitattributes`.
fn is_meant(ground: &Ground<'_>, path: &str) -> bool {
    let lower = path.to_lowercase();
    let by_name =
        ["crlf", "windows", "dos", "win32", ".bat", ".cmd", ".ps1"].iter().any(|word| lower.contains(word));
    by_name
        || upwards(parent(path)).any(|folder| {
            let attributes =
                ground.tree.text(&super::tree::under(folder, ".gitattributes")).unwrap_or_default();
            attributes.lines().any(|line| {
                let mut words = line.split_whitespace();
                let pattern = words.next().unwrap_or_default();
                let below = path.strip_prefix(folder).unwrap_or(path).trim_start_matches('/');
                super::line_endings::fits(pattern, below)
                    && words.any(|word| matches!(word, "-text" | "binary" | "eol=crlf"))
            })
        })
}

/// Why carriage returns do harm where this is read; nothing where they do not.
fn harms(ground: &Ground<'_>, reads: &Reads<'_>, read: &Read, path: &str) -> Option<&'static str> {
    let keeps = read.options.iter().any(|(name, value)| name == "newline" && value.is_empty());
    if read.how == How::Text && !keeps {
        return None;
    }
    let text = ground.tree.text(path)?;
    // What the code writes with carriage returns is compared with such.
    let source = &reads.paths.sources[read.file];
    let own = function_text(ground, reads, read.file, read.at);
    let helper = read.within.map(|(file, line)| {
        let at =
            reads.paths.sources[file].tokens.iter().position(|token| token.line == line).unwrap_or_default();
        function_text(ground, reads, file, at)
    });
    let both = format!("{own}\n{}", helper.unwrap_or_default());
    let splits = ["split(\"\\n\")", "split('\\n')", "Split(string(", ", \"\\n\")"]
        .iter()
        .any(|way| both.contains(way));
    // Who trims the whole leaves the ends of the lines inside.
    let inner = both
        .replace(".trim().split(", ".split(")
        .replace(".trim_end().split(", ".split(")
        .replace(".strip().split(", ".split(")
        .replace("Split(strings.TrimSpace(string(", "Split(string(");
    if TOLERANT.iter().any(|way| inner.contains(way)) {
        return None;
    }
    let is_expected = |text: &str| EXPECTED.iter().any(|word| text.to_lowercase().contains(word));
    let siblings = ground.tree.files().iter().filter(|file| {
        parent(&file.path) == parent(path)
            && file.path != path
            && file.path.rsplit('.').next() == path.rsplit('.').next()
            && file.size > 0
    });
    let (mut plain, mut other) = (0, 0);
    for file in siblings.take(30) {
        if windows_line(ground, &file.path).is_some() { other += 1 } else { plain += 1 }
    }
    let writes_returns = ground
        .tree
        .files()
        .iter()
        .filter(|file| Dialect::of(&file.path) == Some(source.dialect) && ground.tree.is_own(&file.path))
        .filter_map(|file| ground.tree.text(&file.path))
        .any(|text| text.contains("\\r\\n") || text.contains("lineSeparator") || text.contains("os.EOL"));
    if writes_returns || other > plain {
        return None;
    }
    let compares = ["==", "!=", "qual(", "quals(", "qual!", "assert_eq", "toBe(", "assertThat", "cmp."]
        .iter()
        .any(|way| both.contains(way));
    let in_test = super::tree::is_test(&source.path) || own.contains("#[test]");
    let lines_all = text.matches('\n').count() == text.matches("\r\n").count();
    // Outside of a function a file is read into a constant, and its own line says what it is for.
    let is_constant = source.functions_at(read.at).is_empty();
    let line = source.tokens.get(read.at).map_or(1, |token| token.line);
    let told = ground.tree.text(&source.path).unwrap_or_default();
    let told = if is_constant { told.lines().nth(line - 1).unwrap_or_default() } else { both.as_str() };
    if in_test && compares && (is_expected(path) || is_expected(told) || plain > 0) && lines_all {
        return Some("it is compared as it is with what the code writes");
    }
    (splits && lines_all).then_some("the code splits it at \\n, so every line keeps a carriage return")
}

/// The text of the function around a token, or of the whole file.
fn function_text(ground: &Ground<'_>, reads: &Reads<'_>, file: usize, at: usize) -> String {
    let source = &reads.paths.sources[file];
    let text = ground.tree.text(&source.path).unwrap_or_default();
    let Some(outermost) = source.functions_at(at).last().copied() else { return text.to_string() };
    let body = &source.functions[outermost].body;
    let first = source.tokens.get(body.start).map_or(1, |token| token.line);
    let last = source.tokens.get(body.end).map_or(first, |token| token.line);
    text.lines().skip(first.saturating_sub(2)).take(last + 2 - first).collect::<Vec<_>>().join("\n")
}

fn tell(ground: &Ground<'_>, path: &str, line: usize, reader: &str, why: &str, strength: Strength) {
    let name = base(path);
    ground.suspect(
        Suspicion::new(
            Probe::LineEndings,
            format!("{path} has Windows line endings (CRLF), and {why}"),
            format!("{path}:{line}, {reader}"),
            format!("sed -i 's/\\r$//' {path}, and keep it so: echo '{path} text eol=lf' >> .gitattributes"),
        )
        .strength(strength)
        .naming([path.to_owned(), name.to_owned(), "\\r".to_owned()]),
    );
}
