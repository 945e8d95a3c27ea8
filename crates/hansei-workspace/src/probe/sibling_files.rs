//! Files that are named like others of their kind: where a function is handed the names of several files and all but one lie in
//! one folder, the one that does not is missing, however the function puts the path together.

use std::collections::{BTreeMap, BTreeSet};

use hansei_core::escalation::Probe;

use super::flow::{Kind, Sources, Token, enclosing_call};
use super::ground::{Ground, Strength, Suspicion};
use super::tree::{base, ends_in, is_test, parent, under};

/// Endings of files that are data.
const DATA: &[&str] = &[
    "json", "yaml", "yml", "toml", "ini", "csv", "tsv", "txt", "xml", "sql", "html", "tmpl", "golden",
    "jsonl", "dat", "log", "gpx", "md", "svg", "wav", "bin", "ics", "properties", "conf", "cfg", "geojson",
    "proto", "tpl", "j2", "mustache", "eml", "pdf", "png",
];
/// Words of functions that make files, or say whether there is one.
const MAKES: &[&str] = &[
    "write", "save", "export", "create", "dump", "output", "out", "touch", "remove", "unlink", "delete",
    "exists", "upload", "download", "fetch", "print", "log", "assert", "expect", "eq", "equal", "match",
    "contains", "endswith", "startswith", "compare", "route", "get", "rename", "copy", "move", "temp", "tmp",
    "skip", "raises", "join", "path", "resolve",
];
/// Words of names that are meant to be absent.
const ABSENT: &[&str] = &[
    "missing", "absent", "nonexistent", "nonexisting", "nosuch", "no", "not", "nope", "unknown", "bogus",
    "invalid", "does", "nothing", "out", "output", "tmp", "temp", "new",
];
/// Words of lines that take it that the file is absent.
const EXPECTS: &[&str] = &[
    "raises", "Raises", "assertThrows", "is_err", "expect_err", "err == nil", "rejects", "exists", "toThrow",
    "should_panic", "write", "create", "None", "null",
];

/// Names of functions that everybody has.
const ANY: &[&str] = &[
    "new", "from", "push", "insert", "if", "elif", "while", "for", "return", "Some", "Ok", "add", "append",
    "set", "with", "of", "into", "String", "Path", "PathBuf", "File", "URL", "switch", "case", "not", "and",
    "or", "in", "format", "println", "print", "str", "test", "it",
];
/// Folders whose files are read by nobody here.
const ASIDE: &[&str] = &["examples", "example", "docs", "doc", "samples", "website", "guide", "book", "demo"];

/// A name that a function is handed.
struct Handed<'s> {
    name: &'s str,
    path: &'s str,
    line: usize,
    /// Whether what stands around takes it that there is none.
    is_expected: bool,
}

pub(super) fn probe(ground: &Ground<'_>) {
    let sources = Sources::of(ground, |_| true);
    let mut groups: BTreeMap<(String, String), Vec<Handed<'_>>> = BTreeMap::new();
    for source in sources.iter() {
        for (at, token) in source.tokens.iter().enumerate() {
            let Some(ending) = file_ending(token) else { continue };
            let Some(function) = enclosing_call(&source.tokens, at.saturating_sub(30), at) else { continue };
            let lower = function.to_lowercase();
            if MAKES.iter().any(|word| lower.contains(word)) {
                continue;
            }
            let near = |token: &&Token| {
                token.line + 3 > source.tokens[at].line && token.line <= source.tokens[at].line + 1
            };
            let around = &source.tokens[at.saturating_sub(40)..(at + 30).min(source.tokens.len())];
            let is_expected =
                around.iter().filter(near).any(|token| EXPECTS.iter().any(|word| token.text.contains(word)));
            let handed = Handed { name: &token.text, path: &source.path, line: token.line, is_expected };
            groups.entry((function.to_owned(), ending.to_owned())).or_default().push(handed);
        }
    }
    for ((function, _), names) in &groups {
        if !ANY.contains(&function.as_str()) {
            judge(ground, function, names, reads(&sources, function));
        }
    }
}

/// Whether a function of the project of this name reads something.
fn reads(sources: &Sources, name: &str) -> bool {
    sources.iter().any(|source| {
        let own = source.functions.iter().filter(|function| function.name == name);
        own.flat_map(|function| &source.tokens[function.body.clone()]).any(|token| {
            let lower = token.text.to_lowercase();
            token.is_word()
                && ["read", "open", "load", "resource", "slurp", "include"]
                    .iter()
                    .any(|word| lower.contains(word))
        })
    })
}

/// The ending of a text that names a file of data, and nothing else.
fn file_ending(token: &Token) -> Option<&str> {
    let text = token.text.as_str();
    let is_name = token.kind == Kind::Text
        && text.len() < 80
        && !text.starts_with(['/', '.', '~', '-', '*'])
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-/".contains(c));
    let (stem, ending) = text.rsplit_once('.')?;
    (is_name && stem.len() > 1 && DATA.contains(&ending)).then_some(ending)
}

fn judge(ground: &Ground<'_>, function: &str, names: &[Handed<'_>], reads: bool) {
    let tree = &ground.tree;
    let lies = |name: &str| {
        tree.files().iter().find(|file| ends_in(&file.path, name)).map(|file| file.path.as_str())
    };
    let folder = names.iter().filter(|one| one.name.len() > 3).find_map(|one| {
        let path = lies(one.name)?;
        let folder = path.strip_suffix(one.name)?.trim_end_matches('/');
        (!folder.is_empty() && !folder.split('/').any(|part| ASIDE.contains(&part))).then_some(folder)
    });
    let Some(folder) = folder else { return };
    let different: BTreeSet<&str> = names.iter().map(|one| one.name).collect();
    let there = different.iter().filter(|name| tree.has(&under(folder, name))).count();
    let gone = different.iter().filter(|name| lies(name).is_none()).count();
    // One that is missing among others says something; of several, nobody seems to expect them.
    if gone != 1 || !(reads || there >= 2) {
        return;
    }
    for one in names.iter().filter(|one| !one.is_expected && lies(one.name).is_none()) {
        let lower = one.name.to_lowercase();
        let target = under(folder, one.name);
        let is_meant =
            base(&lower).split(|c: char| !c.is_ascii_alphanumeric()).any(|part| ABSENT.contains(&part))
                || tree.presence(&target).may_be();
        if is_meant || is_made(ground, base(one.name)) {
            continue;
        }
        let other = tree.files().iter().find(|file| file.path.eq_ignore_ascii_case(&target));
        let place = format!("{}:{}", one.path, one.line);
        let (probe, evidence, fix) = match other {
            Some(other) => (
                Probe::FileCase,
                format!("{place} hands it to {function}; {} differs only in case", other.path),
                format!("write {} as it is called", other.path),
            ),
            None => (
                if is_test(one.path) { Probe::Fixtures } else { Probe::Config },
                format!("{place} hands it to {function}, whose other files lie in {folder}"),
                ground
                    .restored(&target)
                    .unwrap_or_else(|| format!("create {target}, or correct the name in {place}")),
            ),
        };
        ground.suspect(
            Suspicion::new(probe, format!("{target} does not exist"), evidence, fix)
                .strength(Strength::Likely)
                .naming([target.clone(), base(one.name).to_owned()]),
        );
    }
}

/// Whether a line of the project that writes names the file.
fn is_made(ground: &Ground<'_>, name: &str) -> bool {
    let marks = ["write", "save", "dump", "create", ">", "touch", "cp ", "mv ", "output", "-o "];
    let is_script = |path: &str| parent(path).is_empty() || path.contains("script") || path.ends_with(".sh");
    ground
        .tree
        .files()
        .iter()
        .filter(|file| file.size < 256 << 10 && ground.tree.is_examined(&file.path))
        .any(|file| {
            let text = ground.tree.text(&file.path).filter(|text| text.contains(name));
            text.is_some_and(|text| {
                text.lines().filter(|line| line.contains(name)).any(|line| {
                    marks.iter().any(|mark| {
                        line.contains(mark)
                            && (!matches!(*mark, ">" | "cp " | "mv " | "touch" | "-o ")
                                || is_script(&file.path))
                    })
                })
            })
        })
}
