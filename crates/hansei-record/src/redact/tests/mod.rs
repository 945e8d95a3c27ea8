//! Tests of the redactor, and the corpus they share.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod corpus;
mod hostile;
mod properties;

/// Texts with a secret each: token formats and names, then structure.
const POSITIVES: [&str; 2] = [
    include_str!("../../../corpus/positives.jsonl"),
    include_str!("../../../corpus/structure_positives.jsonl"),
];
/// Texts that must stay as they are.
const NEGATIVES: [&str; 2] = [
    include_str!("../../../corpus/negatives.jsonl"),
    include_str!("../../../corpus/structure_negatives.jsonl"),
];

fn cases(files: &[&str]) -> Vec<serde_json::Value> {
    files.iter().flat_map(|f| f.lines()).map(|l| serde_json::from_str(l).unwrap()).collect()
}

fn positives() -> Vec<serde_json::Value> {
    cases(&POSITIVES)
}

fn negatives() -> Vec<serde_json::Value> {
    cases(&NEGATIVES)
}
