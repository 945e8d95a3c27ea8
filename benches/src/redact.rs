//! Redaction: what clean text costs, against reading the same text line by line.

use std::hint::black_box;
use std::io::BufRead as _;
use std::path::Path;

use anyhow::Result;

use crate::timing::{Subject, compare};

const SIZE: usize = 5 * 1024 * 1024;

/// 5 MB of this project's own sources and documents, as many times over as it takes, without what the redactor is about.
pub fn clean_text() -> Result<()> {
    let mut text = String::with_capacity(SIZE);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    sources(&root.join("crates"), &mut files)?;
    sources(&root.join("docs"), &mut files)?;
    files.sort();
    'full: loop {
        for file in &files {
            for line in std::fs::read_to_string(file)?.lines() {
                if hansei_record::redact::scan(line.as_bytes()).is_empty() {
                    text.push_str(line);
                    text.push('\n');
                }
                if text.len() >= SIZE {
                    break 'full;
                }
            }
        }
    }
    compare(
        "redacting 5 MB of clean text",
        25,
        &mut [
            Subject::new("reading it line by line", || {
                let mut line = String::new();
                let mut input = text.as_bytes();
                while input.read_line(&mut line)? > 0 {
                    black_box(&line);
                    line.clear();
                }
                Ok(())
            }),
            Subject::new("hansei's redactor", || {
                black_box(hansei_record::redact::redact(&text));
                Ok(())
            }),
        ],
    )
}

fn sources(folder: &Path, found: &mut Vec<std::path::PathBuf>) -> Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let ending = path.extension().and_then(|ending| ending.to_str());
        if path.is_dir() {
            sources(&path, found)?;
        } else if matches!(ending, Some("rs" | "md")) {
            found.push(path);
        }
    }
    Ok(())
}
