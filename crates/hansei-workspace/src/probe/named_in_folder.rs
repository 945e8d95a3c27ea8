//! Files whose names stand in a table beside the code that reads them: all but one of them are in the folder.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::file_reads::{How, Read, Reads};
use super::ground::{Ground, Strength, Suspicion};
use super::path_text::{Base, Piece};
use super::tokens::{Kind, Part};
use super::tree::{Presence, base, is_test, join, parent, under, upwards};

/// A name of a file in a table that its folder does not hold, though it holds others of the same table.
pub(super) fn judge(ground: &Ground<'_>, reads: &Reads<'_>) {
    let mut told: BTreeSet<String> = BTreeSet::new();
    let unknown = reads.all.iter().filter(|read| read.how != How::Write && read.within.is_none());
    for read in unknown.filter(|read| read.value.pieces.contains(&Piece::Unknown)) {
        let source = &reads.paths.sources[read.file];
        if !ground.tree.is_examined(&source.path) || is_test(&source.path) {
            continue;
        }
        let Some(folder) = folder_of(ground, reads, read) else { continue };
        let suffix = match read.value.pieces.last() {
            Some(Piece::Text(text)) => text.as_str(),
            _ => "",
        };
        // Names with an ending; where the code adds that, nobody can tell a name from another text.
        if !suffix.is_empty() {
            continue;
        }
        for (file, line, name) in names_near(reads, read) {
            let target = under(&folder, &name);
            let absent = matches!(ground.tree.presence(&target), Presence::Absent | Presence::OtherCase(_));
            let elsewhere = ground.tree.files().iter().any(|file| base(&file.path) == name);
            if !absent || elsewhere || told.contains(&target) || reads.is_optional(ground, read) {
                continue;
            }
            let written = reads.all.iter().any(|write| {
                write.how == How::Write
                    && matches!(write.value.pieces.last(), Some(Piece::Text(text)) if text.ends_with(&name))
            });
            if written || ground.is_ignored(&target) {
                continue;
            }
            told.insert(target.clone());
            let place = format!(
                "{}:{line} names it, {}:{} opens it",
                reads.paths.sources[file].path, source.path, read.line
            );
            let (probe, cause, fix) = match ground.tree.presence(&target) {
                Presence::OtherCase(real) => (
                    Probe::FileCase,
                    format!(
                        "{} names {name:?}, which differs from {real} only in case",
                        reads.paths.sources[file].path
                    ),
                    format!("write {real} as it is called"),
                ),
                _ => (
                    Probe::Config,
                    format!(
                        "the file {target} does not exist, and {} names it",
                        reads.paths.sources[file].path
                    ),
                    ground.restored(&target).unwrap_or_else(|| format!("create {target}")),
                ),
            };
            ground.suspect(
                Suspicion::new(probe, cause, place, fix)
                    .strength(Strength::Likely)
                    .naming([name.clone(), target]),
            );
        }
    }
}

/// The folder that a file with an unknown name is read from.
fn folder_of(ground: &Ground<'_>, reads: &Reads<'_>, read: &Read) -> Option<String> {
    let [Piece::Text(prefix), Piece::Unknown, ..] = read.value.pieces.as_slice() else { return None };
    let (folder, rest) = prefix.rsplit_once('/')?;
    rest.is_empty().then_some(())?;
    let source = &reads.paths.sources[read.file];
    let scope = ground.tree.scope().trim_end_matches('/');
    let candidates: Vec<String> = match (&read.value.base, read.how) {
        (Base::Folder(root), _) => join(root, folder.trim_start_matches('/')).into_iter().collect(),
        (_, How::Resource) => {
            let roots = ground
                .tree
                .folders()
                .iter()
                .filter(|root| matches!(base(root), "resources" | "resource" | "res"));
            roots.filter_map(|root| join(root, folder.trim_start_matches('/'))).collect()
        }
        _ => [scope]
            .into_iter()
            .chain(upwards(parent(&source.path)))
            .filter_map(|root| join(root, folder))
            .collect(),
    };
    let mut there =
        candidates.into_iter().filter(|folder| !folder.is_empty() && ground.tree.has_folder(folder));
    let first = there.next()?;
    there.next().is_none_or(|second| second == first).then_some(first)
}

/// Names of files in the tables of the same file or package, where at least one of them is in the folder.
fn names_near(reads: &Reads<'_>, read: &Read) -> Vec<(usize, usize, String)> {
    let sources = &reads.paths.sources;
    let own = &sources[read.file];
    let ground = reads.paths.ground;
    let Some(folder) = folder_of(ground, reads, read) else { return Vec::new() };
    let mut found = Vec::new();
    for (file, source) in sources.iter().enumerate() {
        if source.dialect != own.dialect || parent(&source.path) != parent(&own.path) || is_test(&source.path)
        {
            continue;
        }
        let names = source.tokens.iter().filter_map(|token| match &token.kind {
            Kind::String(parts) => match parts.as_slice() {
                [Part::Text(text)] if is_name(text) => Some((token.line, text.clone())),
                _ => None,
            },
            _ => None,
        });
        let names: Vec<(usize, String)> = names.collect();
        let ending = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
        for (line, name) in &names {
            let siblings = names.iter().filter(|(_, other)| other != name && ending(other) == ending(name));
            // Rows of one table stand close together.
            let near = siblings.filter(|(other, _)| other.abs_diff(*line) <= 6);
            if near.clone().any(|(_, other)| ground.tree.has(&under(&folder, other))) {
                found.push((file, *line, name.clone()));
            }
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'));
    let ending = text.rsplit_once('.').filter(|(name, _)| !name.is_empty());
    plain
        && ending.is_some_and(|(_, ending)| {
            (2..=6).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphabetic())
        })
}
