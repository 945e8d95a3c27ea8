//! Holds a change or a plan against the decisions of its base.

use std::collections::{BTreeMap, BTreeSet};

use super::adr;
use super::change::{Change, FileChange, LineSide};
use super::contradiction::{decides_for, does_what_was_rejected, takes_memory_away};
use super::decision::{Decision, DecisionKind, Memory, Reason, SourceFile, Violation, ViolationKind};
use super::file_kind::{FileKind, kind_of};
use super::names::Name;
use super::revision::is_revised;
use super::syntax::read_lines;
use super::uses::{Place, uses};
use crate::model_text::one_line;

const LONGEST_TEXT: usize = 200;
const MOST_VIOLATIONS: usize = 1_000;
/// Lines above one that are looked at.
const ABOVE: usize = 12;

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
            let wanted: Vec<&&Name> = names.iter().filter(|name| may_use(&lower, name)).collect();
            if wanted.is_empty() {
                continue;
            }
            let used = used_on(file.path, file.text.lines(), &wanted);
            for (name, lines) in used {
                if !lines.is_empty() {
                    by_name.entry(name.text.clone()).or_default().insert(file.path.to_owned());
                }
            }
        }
        Self { by_name }
    }

    fn files(&self, name: &Name) -> Option<&BTreeSet<String>> {
        self.by_name.get(&name.text)
    }
}

impl Memory {
    /// Words that a file holds if it uses something that may not return: what to search a tree for.
    pub fn searched_for(&self) -> Vec<String> {
        let words: BTreeSet<String> = names_of(self).map(|name| clue(name).to_owned()).collect();
        words.into_iter().collect()
    }
}

/// The part of a name that every way to write it has.
fn clue(name: &Name) -> &str {
    if name.is_path() {
        let last = name.text.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        return last.split('.').find(|part| !part.is_empty()).unwrap_or(&name.text);
    }
    let parts =
        name.text.split(|c: char| !c.is_alphanumeric()).filter(|part| part.contains(char::is_alphabetic));
    parts.max_by_key(|part| part.len()).unwrap_or(&name.text)
}

/// Every name that may not return.
fn names_of(memory: &Memory) -> impl Iterator<Item = &Name> {
    memory.binding().flat_map(|decision| &decision.rejected).flat_map(|rejection| &rejection.names)
}

/// Whether a text, in lower case, can use a name at all: a quick look before a slow one.
fn may_use(lower: &str, name: &Name) -> bool {
    let aliased = super::uses::is_imported_otherwise(&name.text);
    aliased || lower.contains(&clue(name).to_lowercase())
}

/// On which lines (from 0) each name is used.
fn used_on<'n, 'a>(
    path: &str,
    lines: impl IntoIterator<Item = &'a str>,
    names: &[&'n &'n Name],
) -> Vec<(&'n Name, Vec<usize>)> {
    let lines: Vec<&str> = lines.into_iter().collect();
    let kind = kind_of(path);
    let mut found: Vec<(&Name, Vec<usize>)> = names.iter().map(|name| (**name, Vec::new())).collect();
    if matches!(kind, FileKind::Prose | FileKind::Generated) {
        return found;
    }
    let read = read_lines(path, lines.iter().copied());
    for (at, line) in lines.iter().enumerate() {
        let above: Vec<String> =
            lines[at.saturating_sub(ABOVE)..at].iter().map(|line| (*line).to_owned()).collect();
        let place = Place { path, kind, above: &above };
        let lower = line.to_lowercase();
        for (name, places) in &mut found {
            if may_use(&lower, name) && uses(&place, line, &read[at], name) {
                places.push(at);
            }
        }
    }
    found
}

/// What a change does against the decisions of its base, in the order of files and lines.
pub fn check_change(base: &Memory, change: &Change, already: &BaseUses) -> Vec<Violation> {
    let binding: Vec<&Decision> = base.binding().filter(|decision| !is_revised(change, decision)).collect();
    let texts: Vec<(String, String)> = change
        .files
        .iter()
        .filter_map(|file| Some((file.new_path.clone()?, file.text(LineSide::Added))))
        .collect();
    let head = Memory::of(texts.iter().map(|(path, text)| SourceFile { path, text }));
    let mut found = BTreeSet::new();
    reintroduced(&binding, change, already, &mut found);
    for decision in &binding {
        removed(decision, change, base, &head, &mut found);
    }
    contradicted(&binding, change, &head, &mut found);
    let mut found: Vec<Violation> = found.into_iter().collect();
    found.sort_by(|one, other| {
        (&one.file, one.line, one.kind, &one.decision).cmp(&(
            &other.file,
            other.line,
            other.kind,
            &other.decision,
        ))
    });
    found.truncate(MOST_VIOLATIONS);
    found
}

fn violation(decision: &Decision, kind: ViolationKind, file: &str, line: u32, text: &str) -> Violation {
    Violation {
        decision: decision.id.clone(),
        kind,
        file: file.to_owned(),
        line,
        text: one_line(text, LONGEST_TEXT),
    }
}

fn reintroduced(binding: &[&Decision], change: &Change, already: &BaseUses, found: &mut BTreeSet<Violation>) {
    let gone: BTreeSet<&str> = change
        .files
        .iter()
        .flat_map(|file| file.lines.iter().filter(|line| line.side == LineSide::Removed))
        .map(|line| line.text.trim())
        .filter(|text| text.len() > 3)
        .collect();
    let names: BTreeSet<&Name> = binding
        .iter()
        .flat_map(|decision| &decision.rejected)
        .flat_map(|rejection| &rejection.names)
        .collect();
    for file in &change.files {
        let Some(path) = file.new_path.as_deref() else { continue };
        returned_paths(binding, file, path, found);
        let came = file.lines.iter().filter(|line| line.side == LineSide::Added);
        let lower = came.map(|line| line.text.to_lowercase()).collect::<Vec<_>>().join("\n");
        let wanted: Vec<&&Name> = names.iter().filter(|name| may_use(&lower, name)).collect();
        if wanted.is_empty() {
            continue;
        }
        let new: Vec<_> = file.side(LineSide::Added).collect();
        let old: Vec<_> = file.side(LineSide::Removed).collect();
        let old_path = file.old_path.as_deref().unwrap_or(path);
        let went = used_on(old_path, old.iter().map(|line| line.text.as_str()), &wanted);
        let came = used_on(path, new.iter().map(|line| line.text.as_str()), &wanted);
        for ((name, after), (_, before)) in came.into_iter().zip(went) {
            // Lines that stay are on both sides: what the old side had more of was there before.
            if before.len() >= after.len() || before.iter().any(|at| old[*at].side == LineSide::Kept) {
                continue;
            }
            if already.files(name).is_some_and(|files| files.contains(old_path)) {
                continue;
            }
            for at in after {
                let line = new[at];
                if line.side != LineSide::Added || gone.contains(line.text.trim()) {
                    continue;
                }
                for decision in binding
                    .iter()
                    .filter(|decision| rejects(decision, name) && reaches(decision, name, path, already))
                {
                    found.insert(violation(
                        decision,
                        ViolationKind::Reintroduced,
                        path,
                        line.new,
                        &line.text,
                    ));
                }
            }
        }
    }
}

fn rejects(decision: &Decision, name: &Name) -> bool {
    decision.rejected.iter().any(|rejection| rejection.names.contains(name))
}

/// Whether a rejection reaches a file. A tag in code speaks of its surroundings where others use the name already.
fn reaches(decision: &Decision, name: &Name, path: &str, already: &BaseUses) -> bool {
    let elsewhere = already.files(name).is_some_and(|files| files.iter().any(|file| *file != decision.file));
    decision.kind != DecisionKind::Tag || !elsewhere || path == decision.file
}

/// A file that comes to stand where none may.
fn returned_paths(binding: &[&Decision], file: &FileChange, path: &str, found: &mut BTreeSet<Violation>) {
    let is_at = |path: &str, name: &str| {
        let name = name.trim_start_matches("./");
        if let Some(folder) = name.strip_suffix('/') {
            return path.starts_with(&format!("{folder}/"))
                || path.contains(&format!("/{folder}/")) && !folder.contains('/');
        }
        path == name
            || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'))
            || (!name.contains('/') && path.rsplit('/').next() == Some(name))
    };
    for decision in binding {
        for name in
            decision.rejected.iter().flat_map(|rejection| &rejection.names).filter(|name| name.is_path())
        {
            let was = file.old_path.as_deref().is_some_and(|old| is_at(old, &name.text));
            if is_at(path, &name.text) && !was {
                let first = file.lines.iter().find(|line| line.side == LineSide::Added);
                found.insert(violation(
                    decision,
                    ViolationKind::Reintroduced,
                    path,
                    1,
                    first.map_or(path, |line| &line.text),
                ));
            }
        }
    }
}

/// Words by which a rejection says less than it did.
const WEAKER: &[&str] = &[
    "allowed",
    "acceptable",
    "permitted",
    "reconsidered",
    "temporarily",
    "for now",
    "unless",
    "except",
    "optional",
    "no longer",
    "anymore",
    "discouraged",
    "may be used",
    "is fine",
    "ok to",
    "was rejected",
    "used to be",
    "can be used",
    "is okay",
    "not recommended",
    "formerly",
    "previously",
    "outdated",
    "obsolete",
    "lifted",
    "ok in",
    "ok for",
    "okay",
    "fine in",
    "fine for",
    "exempt",
];

fn removed(
    decision: &Decision,
    change: &Change,
    base: &Memory,
    head: &Memory,
    found: &mut BTreeSet<Violation>,
) {
    let Some(file) =
        change.files.iter().find(|file| file.old_path.as_deref() == Some(decision.file.as_str()))
    else {
        return;
    };
    if !file.lines.iter().any(|line| line.side == LineSide::Removed)
        && file.new_path.is_some()
        && file.lines.iter().all(|line| line.side == LineSide::Kept)
    {
        return;
    }
    let kind = ViolationKind::TagRemoved;
    let told = |line: u32| {
        file.lines
            .iter()
            .find(|known| known.old == line && known.side != LineSide::Added)
            .map(|known| known.text.clone())
    };
    let mut lost = |line: u32, text: &str| {
        let text = told(line).unwrap_or_else(|| text.to_owned());
        found.insert(violation(decision, kind, &decision.file, line, &text));
    };
    let is_successor = |other: &&Decision| {
        other.id == decision.id
            || (decision.kind == DecisionKind::AdrFile && other.is_called(&decision.id))
            || (decision.kind == DecisionKind::Def
                && other.kind == DecisionKind::Def
                && moved_with(decision, other))
    };
    let successor = head.decisions.iter().find(is_successor);
    if let Some(successor) = successor
        && !successor.standing.binds()
    {
        // Taking its place is for another document, which the change or the base must hold.
        let by_another = base.decisions.iter().chain(&head.decisions).any(|other| {
            other.id != decision.id
                && other.kind != DecisionKind::Tag
                && other.standing.binds()
                && change_names(change, decision, other)
        });
        if !by_another {
            lost(decision.line, &decision.title);
        }
        return;
    }
    if successor.is_none() && decision.kind != DecisionKind::Tag {
        lost(decision.line, &decision.title);
        return;
    }
    for rejection in &decision.rejected {
        let others = head
            .decisions
            .iter()
            .filter(|other| other.standing.binds())
            .flat_map(|other| other.rejected.iter().map(move |kept| (other, kept)));
        let kept = others.filter(|(other, kept)| {
            let all = rejection.names.iter().all(|name| kept.names.iter().any(|kept| kept.text == name.text));
            same_words(&kept.text, &rejection.text)
                || (!rejection.names.is_empty() && all)
                || (rejection.names.is_empty() && other.id == decision.id && kept.names.is_empty())
        });
        let kept: Vec<&str> = kept.map(|(_, kept)| kept.text.as_str()).collect();
        // Several tags of a decision may share what one of them said.
        let spread = successor.is_some_and(|successor| {
            !rejection.names.is_empty()
                && rejection.names.iter().all(|name| {
                    successor.rejected.iter().any(|kept| kept.names.iter().any(|kept| kept.text == name.text))
                })
        });
        let weakened = |text: &&str| {
            let (now, then) = (text.to_lowercase(), rejection.text.to_lowercase());
            WEAKER.iter().any(|word| now.contains(word) && !then.contains(word))
        };
        if (kept.is_empty() && !spread) || (!kept.is_empty() && kept.iter().all(weakened)) {
            lost(rejection.line, &rejection.text);
        }
    }
    // The context of a document may be told anew; a tag may not go.
    if decision.kind != DecisionKind::AdrFile {
        for reason in reasons_removed(decision, base, head) {
            lost(reason.line, &reason.text);
        }
    }
}

/// The reasons of a decision that nobody gives any more.
fn reasons_removed<'a>(decision: &'a Decision, base: &Memory, head: &Memory) -> Vec<&'a Reason> {
    let left = head
        .decisions
        .iter()
        .filter(|other| other.id == decision.id || other.file == decision.file || moved_with(decision, other))
        .map(|other| other.rationale.len())
        .sum::<usize>();
    let before = base
        .decisions
        .iter()
        .filter(|other| other.file == decision.file && other.kind != DecisionKind::AdrFile)
        .map(|other| other.rationale.len())
        .sum::<usize>();
    let is_kept = |reason: &Reason| {
        let kept = head.decisions.iter().flat_map(|other| &other.rationale);
        left >= before.max(1) || kept.into_iter().any(|kept| same_words(&kept.text, &reason.text))
    };
    decision.rationale.iter().filter(|reason| !is_kept(reason)).collect()
}

/// Whether two texts have the same letters in the same order.
fn same_words(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    plain(one) == plain(other)
}

/// Whether a decision in another file is this one, moved with its code.
fn moved_with(decision: &Decision, other: &Decision) -> bool {
    !decision.rejected.is_empty()
        && decision.rejected.iter().all(|rejection| {
            other.rejected.iter().any(|kept| !kept.names.is_empty() && kept.names == rejection.names)
        })
}

/// Whether the status that a decision has now names `other`.
fn change_names(change: &Change, decision: &Decision, other: &Decision) -> bool {
    let files = change.files.iter().filter(|file| file.old_path.as_deref() == Some(decision.file.as_str()));
    files.flat_map(|file| &file.lines).any(|line| {
        let lower = line.text.to_lowercase();
        line.side == LineSide::Added
            && ["superseded by", "superceded by", "replaced by", "superseded-by"]
                .iter()
                .any(|word| lower.contains(word))
            && adr::references(&line.text).iter().any(|name| other.is_called(name))
    })
}

fn contradicted(binding: &[&Decision], change: &Change, head: &Memory, found: &mut BTreeSet<Violation>) {
    let mut says = |file: &str, line: u32, text: &str| {
        for decision in binding {
            if decision_is_denied(decision, text) {
                found.insert(violation(decision, ViolationKind::Contradicted, file, line, text));
            }
        }
    };
    for file in &change.files {
        let Some(path) = file.new_path.as_deref() else { continue };
        let added: BTreeMap<u32, &str> = file
            .lines
            .iter()
            .filter(|line| line.side == LineSide::Added)
            .map(|line| (line.new, line.text.as_str()))
            .collect();
        let text = file.text(LineSide::Added);
        if let Some(document) = adr::read(SourceFile { path, text: &text }) {
            if document.decision.standing == super::Standing::Accepted {
                for (line, _) in document.decides.iter().filter(|(line, _)| added.contains_key(line)) {
                    says(path, *line, added[line].trim_start_matches(['#', ' ']));
                }
            }
            continue;
        }
        for decision in
            head.decisions.iter().filter(|decision| decision.file == path && decision.standing.binds())
        {
            for reason in decision.rationale.iter().filter(|reason| added.contains_key(&reason.line)) {
                says(path, reason.line, &reason.text);
            }
            if decision.kind == DecisionKind::Def && added.contains_key(&decision.line) {
                says(path, decision.line, &decision.title);
            }
        }
    }
}

/// Whether a sentence decides for what a decision rejects.
fn decision_is_denied(decision: &Decision, text: &str) -> bool {
    decision.rejected.iter().any(|rejection| {
        rejection.names.iter().any(|name| decides_for(text, name))
            || (rejection.names.is_empty() && does_what_was_rejected(text, &rejection.text))
    })
}

/// The decision that a proposal in words would go against, by its id.
pub fn rejected_by(memory: &Memory, proposal: &str) -> Option<String> {
    let denied = |decision: &&Decision| {
        decision_is_denied(decision, proposal) || takes_memory_away(proposal, decision)
    };
    memory.binding().find(denied).map(|decision| decision.id.clone())
}

/// What a plan would do against the decisions. The plan is text: Markdown, YAML, a list.
pub fn check_plan(memory: &Memory, file: &str, plan: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    for (line, number) in plan.lines().zip(1..) {
        let item = line.trim().trim_start_matches(['-', '*', '+', ' ']).trim_matches(['`', '"', '\'']);
        for decision in memory.binding() {
            let names_path = |name: &Name| {
                let path = name.text.trim_start_matches("./");
                name.is_path()
                    && (item == path
                        || (path.ends_with('/') && item.starts_with(path) && !item.contains(' ')))
            };
            let by_path = decision.rejected.iter().flat_map(|rejection| &rejection.names).any(names_path);
            if by_path || decision_is_denied(decision, line) || takes_memory_away(line, decision) {
                found.push(violation(decision, ViolationKind::Contradicted, file, number, line));
            }
        }
        if found.len() >= MOST_VIOLATIONS {
            break;
        }
    }
    found
}
