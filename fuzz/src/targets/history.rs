//! What git tells of a history: commits, patches, and the words of their messages.

use std::io::BufReader;

use hansei_core::history::message::{Named, read, title_key};
use hansei_workspace::history::{Authors, LONGEST_MESSAGE, LogReader, PatchReader};

use crate::{Target, corpus};

pub(crate) const TARGET: Target = Target { name: "history", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    // A tiny buffer and a large one cut the input in different places, and must read the same.
    let commits = commits(bytes, 3);
    assert_eq!(commits, self::commits(bytes, 4096));
    assert_eq!(patches(bytes, 3), patches(bytes, 4096));

    let text = String::from_utf8_lossy(bytes);
    let (subject, body) = text.split_once('\n').unwrap_or((&text, ""));
    message(subject, body);
    for line in body.lines().take(50) {
        message(line, subject);
    }
}

fn commits(bytes: &[u8], buffer: usize) -> Vec<hansei_core::history::Commit> {
    let mut reader = LogReader::new(BufReader::with_capacity(buffer, bytes));
    let mut authors = Authors::default();
    let mut commits = Vec::new();
    while let Ok(Some(commit)) = reader.next_commit(&mut authors) {
        // What is no text is shown by a mark of three bytes.
        assert!(commit.subject.len() + commit.body.len() <= 3 * LONGEST_MESSAGE);
        assert!(commit.files.iter().all(|file| !file.path.is_empty()));
        commits.push(commit);
    }
    commits
}

fn patches(bytes: &[u8], buffer: usize) -> Vec<hansei_core::history::patch::Patch> {
    let mut reader = PatchReader::new(BufReader::with_capacity(buffer, bytes));
    std::iter::from_fn(|| reader.next_patch()).collect()
}

fn message(subject: &str, body: &str) {
    let message = read(subject, body);
    for named in message.takes_back.iter().chain(&message.brings_back) {
        if let Named::Hash(digits) = named {
            assert!(
                (7..=64).contains(&digits.len()) && digits.bytes().all(|digit| digit.is_ascii_hexdigit())
            );
        }
    }
    let key = title_key(subject);
    assert_eq!(title_key(&key), key, "a key is its own");
}
