//! What a target is run on without a fuzzer: the files of its folder in `corpus/`, and samples that lie elsewhere.
//!
//! A file in the corpus is a seed made by hand, or a finding: an input that once broke something, cut down, with a name
//! that says what.

use std::path::{Path, PathBuf};

use crate::Target;

/// The root of the repository.
pub fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The folder of a target's corpus.
pub fn folder(target: &Target) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target.name)
}

/// Every input of a target, each with a name to find it by.
pub fn inputs(target: &Target) -> Vec<(String, Vec<u8>)> {
    let committed = files_of(&folder(target));
    let samples = (target.samples)().into_iter().enumerate();
    committed.into_iter().chain(samples.map(|(number, bytes)| (format!("sample {number}"), bytes))).collect()
}

/// The files of a folder in the order of their names, each with its name.
fn files_of(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<(String, Vec<u8>)> = entries
        .flatten()
        .filter(|entry| entry.path().is_file())
        .map(|entry| {
            let content = std::fs::read(entry.path()).expect("a file of the corpus can be read");
            (entry.file_name().to_string_lossy().into_owned(), content)
        })
        .collect();
    files.sort();
    files
}

/// The files of these folders of the repository.
pub(crate) fn files(folders: &[&str]) -> Vec<Vec<u8>> {
    let all = folders.iter().flat_map(|folder| {
        let files = files_of(&repository().join(folder));
        assert!(!files.is_empty(), "{folder} holds samples");
        files
    });
    all.map(|(_, content)| content).collect()
}

/// The texts under `key` in the lines of a JSONL file of the repository.
pub(crate) fn texts(file: &str, key: &str) -> Vec<Vec<u8>> {
    let content = std::fs::read_to_string(repository().join(file)).expect("the samples are there");
    let text = |line: &str| {
        let line: serde_json::Value = serde_json::from_str(line).ok()?;
        Some(line[key].as_str()?.as_bytes().to_vec())
    };
    content.lines().filter_map(text).collect()
}

/// No samples: what is in the corpus is enough.
pub(crate) fn none() -> Vec<Vec<u8>> {
    Vec::new()
}
