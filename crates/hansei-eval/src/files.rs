//! Files that an eval file names with `file://`: only those in its own folder or below the folder we were started in,
//! links followed first, and none larger than a text that somebody wrote.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::Problem;

/// The largest file that is read.
const LARGEST: u64 = 8 << 20;

/// Where `file://` may lead.
#[derive(Debug, Clone)]
pub struct Files {
    /// The eval file's folder, which relative names start from.
    folder: PathBuf,
    /// Folders below which files may lie.
    roots: Vec<PathBuf>,
}

impl Files {
    /// Files around the eval file at `file`, or below `current`.
    pub fn around(file: &Path, current: &Path) -> Self {
        let folder = match file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => current.to_owned(),
            Some(parent) => current.join(parent),
            None => current.to_owned(),
        };
        let roots = [&folder, current].into_iter().filter_map(|root| root.canonicalize().ok()).collect();
        Self { folder, roots }
    }

    /// The folder that relative names start from.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The text of the file that `reference` names, with or without `file://`.
    pub fn read(&self, reference: &str, place: &str) -> Result<String, Problem> {
        let name = reference.strip_prefix("file://").unwrap_or(reference);
        if name.contains(['*', '?', '[']) {
            return Err(Problem::new(place, format!("{reference}: patterns of files are not supported")));
        }
        let path = self.folder.join(name);
        let failed =
            |error: std::io::Error| Problem::new(place, format!("{reference} cannot be read: {error}"));
        let path = path.canonicalize().map_err(failed)?;
        if !self.roots.iter().any(|root| path.starts_with(root)) {
            let what = format!("{reference} lies outside the eval file's folder and the current one");
            return Err(Problem::new(place, what));
        }
        read_text(&path).map_err(failed)
    }
}

/// The text of a plain file.
pub fn read_text(path: &Path) -> std::io::Result<String> {
    let bad = |why: &str| std::io::Error::new(std::io::ErrorKind::InvalidData, why.to_owned());
    if !std::fs::metadata(path)?.is_file() {
        return Err(bad("it is not a plain file"));
    }
    let mut bytes = Vec::new();
    std::fs::File::open(path)?.take(LARGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LARGEST {
        return Err(bad("it is larger than 8 MiB"));
    }
    let text = String::from_utf8(bytes).map_err(|_| bad("it is not UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').map(ToOwned::to_owned).unwrap_or(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_around_the_eval_file_and_nowhere_else() {
        let world = tempfile::tempdir().unwrap();
        let write = |name: &str| {
            let path = world.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, name).unwrap();
        };
        for name in ["project/evals/a.yaml", "project/evals/p/x.txt", "project/y.txt", "secret.txt"] {
            write(name);
        }
        #[cfg(unix)]
        std::os::unix::fs::symlink(
            world.path().join("secret.txt"),
            world.path().join("project/evals/link.txt"),
        )
        .unwrap();
        let inside = Files::around(Path::new("evals/a.yaml"), &world.path().join("project"));
        assert_eq!(inside.read("file://p/x.txt", "p").unwrap(), "project/evals/p/x.txt");
        assert_eq!(inside.read("file://../y.txt", "p").unwrap(), "project/y.txt", "below the current folder");
        let elsewhere = Files::around(&world.path().join("project/evals/a.yaml"), Path::new("/nowhere"));
        for (files, name, part) in [
            (&inside, "file://../../secret.txt", "outside"),
            (&inside, "file://link.txt", "outside"),
            (&elsewhere, "file://../y.txt", "outside"),
            (&inside, "file:///etc/passwd", "outside"),
            (&inside, "file://p", "not a plain file"),
            (&inside, "file://none.txt", "cannot be read"),
            (&inside, "file://*.txt", "patterns"),
        ] {
            let problem = files.read(name, "here").unwrap_err().to_string();
            assert!(problem.starts_with("here: ") && problem.contains(part), "{problem}");
        }
    }
}
