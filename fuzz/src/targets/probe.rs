//! A project that is probed. The input is names and contents of its files in turn, between NULs; the last one is the error.

use std::path::Path;

use hansei_workspace::probe::{Look, look};

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "probe", run: check, samples: corpus::none };

/// The most files of one input.
const MOST_FILES: usize = 12;

fn check(bytes: &[u8]) {
    let root = scratch::folder("probed");
    let _ = std::fs::remove_dir_all(&root);
    let root = scratch::folder("probed");
    let parts: Vec<&[u8]> = bytes.split(|byte| *byte == 0).collect();
    for pair in parts.chunks_exact(2).take(MOST_FILES) {
        let Ok(name) = std::str::from_utf8(pair[0]) else { continue };
        let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
        let stays = name.len() < 100
            && name.chars().all(plain)
            && name.split('/').all(|part| !matches!(part, "" | "." | ".."));
        if stays && !root.join(name).is_dir() && has_folder(&root, name) {
            scratch::write(&root.join(name), pair[1]);
        }
    }
    let error = String::from_utf8_lossy(parts.last().copied().unwrap_or_default()).into_owned();
    // No search path: nothing is started.
    let found = look(&Look {
        root: &root,
        folder: &root,
        command: Some(&error),
        error: Some(&error),
        environment: &[],
    });
    assert!(found.len() <= 40, "what is found is bounded");
    assert!(
        found.iter().all(|it| !it.cause.is_empty() && !it.fix.is_empty()),
        "a finding names its cause and what mends it"
    );
}

/// Whether the folders of a name can be made: none of them is a file already.
fn has_folder(root: &Path, name: &str) -> bool {
    Path::new(name).ancestors().skip(1).all(|folder| !root.join(folder).is_file())
}
