//! Redaction: what clean text costs, against reading the same text line by line.

use std::hint::black_box;
use std::io::BufRead as _;
use std::path::{Path, PathBuf};

use anyhow::{Result, ensure};

use crate::timing::{Subject, compare};

const SIZE: usize = 5 * 1024 * 1024;

/// 5 MB of this project's sources and documents; and of the redactor's own sources alone, the worst clean text there is:
/// every other line has a word in it that the redactor looks at twice.
pub fn clean_text() -> Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["crates", "docs", "benches", "tests"] {
        sources(&root.join(folder), &mut files)?;
    }
    files.sort();
    let (dense, ordinary): (Vec<PathBuf>, Vec<PathBuf>) =
        files.into_iter().partition(|file| file.components().any(|part| part.as_os_str() == "redact"));
    measure("redacting 5 MB of sources and documents", &ordinary)?;
    measure("redacting 5 MB of the redactor's own sources", &dense)
}

fn measure(title: &str, files: &[PathBuf]) -> Result<()> {
    let text = clean(files)?;
    ensure!(hansei_record::redact::scan(text.as_bytes()).is_empty(), "the text is not clean");
    compare(
        title,
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

/// The files' lines that hold no secret, over and over until there are enough.
fn clean(files: &[PathBuf]) -> Result<String> {
    let mut text = String::with_capacity(SIZE);
    loop {
        for file in files {
            let content = std::fs::read_to_string(file)?;
            if hansei_record::redact::scan(content.as_bytes()).is_empty() {
                text.push_str(&content);
            }
            if text.len() >= SIZE {
                return Ok(text);
            }
        }
    }
}

fn sources(folder: &Path, found: &mut Vec<PathBuf>) -> Result<()> {
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
