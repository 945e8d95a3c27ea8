//! Which files use which names: of a base, because what is there does not return, and of a change.

use std::collections::{BTreeMap, BTreeSet};

use super::change::{Change, LineSide};
use super::decision::{Memory, SourceFile};
use super::file_kind::{FileKind, kind_in};
use super::names::Name;
use super::notebook::code_of;
use super::own_names::{Own, own_of};
use super::place::Place;
use super::syntax::read_lines;
use super::technology;
use super::uses::uses;

/// Which files of the base use which rejected names already: what is there does not return.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BaseUses {
    by_name: BTreeMap<String, BTreeSet<String>>,
}

impl BaseUses {
    /// The uses in these files of the base.
    pub fn of<'a>(memory: &Memory, files: impl IntoIterator<Item = SourceFile<'a>>) -> Self {
        let names: BTreeSet<&Name> = names_of(memory).collect();
        let mut by_name: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for file in files {
            let lower = file.text.to_lowercase();
            let wanted: Vec<&Name> = names.iter().copied().filter(|name| may_use(&lower, name)).collect();
            if wanted.is_empty() {
                continue;
            }
            for (name, lines) in used_on(file.path, file.text.lines(), &wanted) {
                if !lines.is_empty() {
                    by_name.entry(name.text.clone()).or_default().insert(file.path.to_owned());
                }
            }
        }
        Self { by_name }
    }

    pub(super) fn files(&self, name: &Name) -> Option<&BTreeSet<String>> {
        self.by_name.get(&name.text)
    }
}

impl Memory {
    /// Words that a file holds if it uses something that may not return: what to search a tree for.
    pub fn searched_for(&self) -> Vec<String> {
        let words: BTreeSet<String> = names_of(self).flat_map(clues).collect();
        words.into_iter().collect()
    }
}

impl Memory {
    /// The same for those names alone that the new lines of a change may use: often none.
    pub fn searched_for_in(&self, change: &Change) -> Vec<String> {
        let added =
            change.files.iter().flat_map(|file| &file.lines).filter(|line| line.side == LineSide::Added);
        let lower = added.map(|line| line.text.to_lowercase()).collect::<Vec<_>>().join("\n");
        let names = names_of(self).filter(|name| may_use(&lower, name));
        names.flat_map(clues).collect::<BTreeSet<String>>().into_iter().collect()
    }
}

/// Every name that may not return.
fn names_of(memory: &Memory) -> impl Iterator<Item = &Name> {
    memory.binding().flat_map(|decision| &decision.rejected).flat_map(|rejection| &rejection.names)
}

/// The parts of a name of which every way to write it has one, in lower case.
fn clues(name: &Name) -> Vec<String> {
    if !name.quoted {
        // `Akka HTTP` is `akka-http`, `akka_http` and `akka.http`.
        return technology::called(&name.text).iter().map(|called| longest_part(called).to_owned()).collect();
    }
    let mut all = vec![clue(name).to_lowercase()];
    all.extend(super::import::imported_as(&name.text).map(str::to_lowercase));
    all
}

fn clue(name: &Name) -> &str {
    if name.is_path() {
        let last = name.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return last.split('.').find(|part| !part.is_empty()).unwrap_or(&name.text);
    }
    longest_part(&name.text)
}

fn longest_part(text: &str) -> &str {
    let parts = text.split(|c: char| !c.is_alphanumeric()).filter(|part| part.contains(char::is_alphabetic));
    parts.max_by_key(|part| part.len()).unwrap_or(text)
}

/// Whether a text, in lower case, can use a name at all: a quick look before a slow one.
pub(super) fn may_use(lower: &str, name: &Name) -> bool {
    clues(name).iter().any(|clue| lower.contains(clue))
}

/// On which lines (from 0) each name is used.
pub(super) fn used_on<'n, 'a>(
    path: &str,
    lines: impl IntoIterator<Item = &'a str>,
    names: &[&'n Name],
) -> Vec<(&'n Name, Vec<usize>)> {
    let mut found: Vec<(&Name, Vec<usize>)> = names.iter().map(|name| (*name, Vec::new())).collect();
    let cells: Vec<String>;
    let mut lines: Vec<&str> = lines.into_iter().collect();
    let kind = kind_in(path, &lines);
    if matches!(kind, FileKind::Prose | FileKind::Generated) {
        return found;
    }
    let mut read_as = path;
    if let Some(notebook) = path.strip_suffix(".ipynb") {
        cells = code_of(&lines);
        lines = cells.iter().map(String::as_str).collect();
        read_as = notebook;
    }
    let as_python = format!("{read_as}.py");
    let read_as = if read_as.len() < path.len() { as_python.as_str() } else { path };
    let reads = read_lines(read_as, lines.iter().copied());
    for (name, places) in &mut found {
        let own = if name.quoted { own_of(read_as, kind, &reads, name) } else { Own::Nothing };
        for (at, line) in lines.iter().enumerate() {
            let place = Place { path: read_as, kind, lines: &lines, reads: &reads, at };
            if may_use(&line.to_lowercase(), name) && uses(&place, name, own) {
                places.push(at);
            }
        }
    }
    found
}
