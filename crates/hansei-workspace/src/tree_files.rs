//! The files of a tree, now and in a commit: their names, and the texts of a few.

use std::collections::BTreeMap;
use std::io::{BufRead as _, Read as _};
use std::path::{Path, PathBuf};

use crate::git::{Git, GitError};
use crate::layout::path_from_bytes;

/// The most files that a walk without git looks at, and the deepest folder.
const MOST_WALKED: usize = 50_000;
const DEEPEST: usize = 20;
/// The largest text that is read.
const LARGEST: u64 = 1 << 20;
/// Folders that hold what was installed or built, where no `.gitignore` says so.
const BUILT: &[&str] =
    &["node_modules", "target", ".venv", "venv", "__pycache__", "dist", "build", ".git", ".hansei"];

/// A file of a commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its path, as git has it.
    pub path: Vec<u8>,
    /// Its kind and rights, as git writes them: `100644`, `100755`, `120000`.
    pub mode: String,
    /// The name of its content.
    pub object: String,
}

/// The paths that git does not know and does not ignore.
pub fn untracked(git: &Git) -> Result<Vec<Vec<u8>>, GitError> {
    let answer = git.ask(&["ls-files", "-z", "--others", "--exclude-standard"])?;
    Ok(answer.split(|byte| *byte == 0).filter(|path| !path.is_empty()).map(<[u8]>::to_vec).collect())
}

/// All files of a work tree that git knows or would add, and that are there.
pub fn now(git: &Git) -> Result<Vec<Vec<u8>>, GitError> {
    let answer = git.ask(&["ls-files", "-z", "--cached", "--others", "--exclude-standard"])?;
    let mut paths: Vec<Vec<u8>> = answer
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .filter(|path| {
            git.folder().join(path_from_bytes(path)).symlink_metadata().is_ok_and(|meta| !meta.is_dir())
        })
        .map(<[u8]>::to_vec)
        .collect();
    paths.sort();
    paths.dedup();
    Ok(paths)
}

/// All files below a folder that is no repository, folders of built things left out.
pub fn walk(root: &Path) -> Vec<Vec<u8>> {
    let mut found = Vec::new();
    let mut open = vec![(PathBuf::new(), 0)];
    while let Some((folder, depth)) = open.pop() {
        for entry in std::fs::read_dir(root.join(&folder)).into_iter().flatten().flatten() {
            let (name, Ok(kind)) = (entry.file_name(), entry.file_type()) else { continue };
            let path = folder.join(&name);
            if kind.is_dir() {
                if depth < DEEPEST && !BUILT.iter().any(|built| name == *built) {
                    open.push((path, depth + 1));
                }
            } else if found.len() < MOST_WALKED {
                found.push(path.as_os_str().as_encoded_bytes().to_vec());
            }
        }
    }
    found.sort();
    found
}

/// All files of a commit.
pub fn of_commit(git: &Git, commit: &str) -> Result<Vec<Entry>, GitError> {
    let answer = git.ask(&["ls-tree", "-r", "-z", "--full-tree", "--end-of-options", commit])?;
    let entries = answer.split(|byte| *byte == 0).filter(|entry| !entry.is_empty()).map(|entry| {
        let at = entry.iter().position(|byte| *byte == b'\t')?;
        let head = std::str::from_utf8(&entry[..at]).ok()?;
        let mut fields = head.split(' ');
        let (mode, kind, object) = (fields.next()?, fields.next()?, fields.next()?);
        Some((
            kind == "blob",
            Entry { path: entry[at + 1..].to_vec(), mode: mode.into(), object: object.into() },
        ))
    });
    let entries: Option<Vec<_>> = entries.collect();
    let entries = entries.ok_or(GitError::Unreadable("ls-tree"))?;
    // A submodule is a commit of another repository.
    Ok(entries.into_iter().filter(|(is_blob, _)| *is_blob).map(|(_, entry)| entry).collect())
}

/// Gives the content of each object to `take`, with its place in the list. One git process reads them all.
pub fn contents(
    git: &Git,
    objects: &[String],
    mut take: impl FnMut(usize, Vec<u8>) -> std::io::Result<()>,
) -> Result<(), GitError> {
    if objects.is_empty() {
        return Ok(());
    }
    let args = ["cat-file", "--batch", "--buffer"];
    let mut streamed = git.stream(&args, (objects.join("\n") + "\n").into_bytes())?;
    let unreadable = || GitError::Unreadable("cat-file");
    for at in 0..objects.len() {
        let mut head = String::new();
        streamed.output().read_line(&mut head).map_err(|_| unreadable())?;
        let size = head.trim_end().rsplit_once(' ').and_then(|(_, size)| size.parse::<usize>().ok());
        let size = size.ok_or_else(unreadable)?;
        let mut content = vec![0; size + 1];
        streamed.output().read_exact(&mut content).map_err(|_| unreadable())?;
        content.pop();
        take(at, content).map_err(|_| unreadable())?;
    }
    Git::end_of_stream(&args, streamed)
}

/// The texts of small files of a commit, by path. What is no text or too large is left out.
pub fn texts_of_commit(entries: &[&Entry], git: &Git) -> Result<BTreeMap<Vec<u8>, String>, GitError> {
    let plain: Vec<&&Entry> = entries.iter().filter(|entry| entry.mode != "120000").collect();
    let objects: Vec<String> = plain.iter().map(|entry| entry.object.clone()).collect();
    let mut texts = BTreeMap::new();
    contents(git, &objects, |at, content| {
        if content.len() as u64 <= LARGEST
            && let Ok(text) = String::from_utf8(content)
        {
            texts.insert(plain[at].path.clone(), text);
        }
        Ok(())
    })?;
    Ok(texts)
}

/// What a commit has at some paths.
#[derive(Debug, Default)]
pub struct Named {
    /// The texts of small files.
    pub texts: BTreeMap<String, String>,
    /// How many of the paths it has not, or cannot give.
    pub missing: usize,
}

/// What a commit has at these paths.
pub fn named(git: &Git, commit: &str, paths: &[&str]) -> Result<Named, GitError> {
    let plain: Vec<&&str> = paths.iter().filter(|path| !path.contains('\n')).collect();
    let mut found = Named::default();
    if plain.is_empty() {
        return Ok(found);
    }
    let asked: String = plain.iter().flat_map(|path| [commit, ":", path, "\n"]).collect();
    let args = ["cat-file", "--batch", "--buffer"];
    let mut streamed = git.stream(&args, asked.into_bytes())?;
    let unreadable = || GitError::Unreadable("cat-file");
    for path in plain {
        let mut head = String::new();
        streamed.output().read_line(&mut head).map_err(|_| unreadable())?;
        let head = head.trim_end();
        if head.ends_with(" missing") {
            found.missing += 1;
            continue;
        }
        let mut fields = head.rsplit(' ');
        let size = fields.next().and_then(|size| size.parse::<usize>().ok()).ok_or_else(unreadable)?;
        let is_file = fields.next() == Some("blob");
        let mut content = vec![0; size + 1];
        streamed.output().read_exact(&mut content).map_err(|_| unreadable())?;
        content.pop();
        if is_file
            && content.len() as u64 <= LARGEST
            && let Ok(text) = String::from_utf8(content)
        {
            found.texts.insert((*path).to_owned(), text);
        }
    }
    Git::end_of_stream(&args, streamed)?;
    Ok(found)
}

/// The text of a small plain file below `root`. A link is not followed.
pub fn text_now(root: &Path, path: &[u8]) -> Option<String> {
    let file = root.join(path_from_bytes(path));
    let meta = file.symlink_metadata().ok()?;
    (meta.is_file() && meta.len() <= LARGEST).then_some(())?;
    let mut text = String::new();
    std::fs::File::open(file).ok()?.take(LARGEST).read_to_string(&mut text).ok()?;
    Some(text)
}
