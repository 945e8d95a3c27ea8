//! What git prints, and the files by which a work tree points at its repository.

use hansei_workspace::changes::paths_in;
use hansei_workspace::layout::Layout;
use hansei_workspace::status::parse;

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "git", run: check, samples: corpus::none };

fn check(bytes: &[u8]) {
    if let Some(status) = parse(bytes) {
        assert!(status.paths.len() <= bytes.split(|byte| *byte == 0).count());
    }
    let paths = paths_in(bytes);
    assert!(paths.iter().all(|path| !path.is_empty() && !path.contains(&0)), "{paths:?}");
    let untracked: Vec<u8> = paths.iter().flat_map(|path| [b"? ", path.as_slice(), b"\0"].concat()).collect();
    let status = parse(&untracked).expect("paths that are not tracked");
    assert_eq!(status.paths, paths.into_iter().collect::<Vec<_>>(), "a path stays as it is");

    // No repository lists this work tree, so whatever its `.git` says, its records stay with it.
    let root = scratch::folder("work tree");
    scratch::write(&root.join(".git"), bytes);
    assert_eq!(Layout::of(&root), Layout::WorkTree { root: root.clone(), home: root });
}
