//! What the workspace contains, now and at the base commit.

use std::collections::BTreeSet;

use hansei_core::verification::{Contents, Texts, definitions};
use hansei_workspace::changes::{self, Base};
use hansei_workspace::tree_files::{self, Entry};

use super::{Request, Unverified};

/// Our own records are no part of anybody's work.
const OURS: &str = ".hansei/";

/// Looks at files, at what changed, and at the texts that a plan needs.
pub(super) fn contents(request: &Request<'_>) -> Result<Contents, Unverified> {
    let now = match request.git {
        Some(git) => tree_files::now(git)?,
        None => tree_files::walk(&request.root),
    };
    let mut contents = Contents { now: named(now), ..Contents::default() };
    let mut entries: Vec<Entry> = Vec::new();
    if let (Some(git), Some(base)) = (request.git, &request.base) {
        entries = tree_files::of_commit(git, base)?;
        contents.base = Some(named(entries.iter().map(|entry| entry.path.clone()).collect()));
        let change = changes::since(git, Base::Commit(base))?;
        // A gap means that nobody knows what changed, and then everything is checked.
        contents.changed = change.gaps.is_empty().then(|| named(change.paths.into_iter().collect()));
    }
    let wanted = definitions::wanted(&contents, &request.ecosystems);
    let is_wanted = |entry: &&Entry| std::str::from_utf8(&entry.path).is_ok_and(|path| wanted.contains(path));
    let at_base: Vec<&Entry> = entries.iter().filter(is_wanted).collect();
    let base_texts = match request.git {
        Some(git) => tree_files::texts_of_commit(&at_base, git)?,
        None => std::collections::BTreeMap::new(),
    };
    for path in wanted {
        let texts = Texts {
            now: contents
                .now
                .contains(&path)
                .then(|| tree_files::text_now(&request.root, path.as_bytes()))
                .flatten(),
            base: base_texts.get(path.as_bytes()).cloned(),
        };
        contents.texts.insert(path, texts);
    }
    Ok(contents)
}

/// Paths as text. One that is no text names no check.
fn named(paths: Vec<Vec<u8>>) -> BTreeSet<String> {
    let texts = paths.into_iter().filter_map(|path| String::from_utf8(path).ok());
    texts.filter(|path| !path.starts_with(OURS)).collect()
}
