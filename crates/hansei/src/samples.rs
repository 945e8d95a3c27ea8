//! Sample sessions that come with the program, for who has none yet.

use crate::failure::Failure;

const SAMPLES: &[(&str, &str)] = &[
    ("sample-honest.jsonl", include_str!("../samples/sample-honest.jsonl")),
    ("sample-masked.jsonl", include_str!("../samples/sample-masked.jsonl")),
    ("sample-red.jsonl", include_str!("../samples/sample-red.jsonl")),
    ("sample-skipped.jsonl", include_str!("../samples/sample-skipped.jsonl")),
    ("sample-unchecked.jsonl", include_str!("../samples/sample-unchecked.jsonl")),
    ("sample-question.jsonl", include_str!("../samples/sample-question.jsonl")),
    ("sample-frank.jsonl", include_str!("../samples/sample-frank.jsonl")),
];

/// Writes the samples into a temporary home, where their agent would have left them.
pub fn unpack() -> Result<tempfile::TempDir, Failure> {
    let home = tempfile::Builder::new().prefix("hansei-samples-").tempdir()?;
    let folder = home.path().join(".claude/projects/sample");
    std::fs::create_dir_all(&folder)?;
    for (name, content) in SAMPLES {
        std::fs::write(folder.join(name), content)?;
    }
    Ok(home)
}
