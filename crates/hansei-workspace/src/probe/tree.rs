//! The project's files as the probes see them: one bounded walk that follows no link, and texts that are read once.

use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// The most entries that are walked, and the deepest folder.
const MOST_FILES: usize = 60_000;
const DEEPEST: usize = 24;
/// The largest source that is read, the largest lock file, and the most of all texts together.
const LARGEST: u64 = 512 << 10;
const LARGEST_LOCK: u64 = 24 << 20;
const MOST_TEXT: u64 = 96 << 20;

/// Folders that are never walked: what they hold was installed, cached or built.
const CLOSED: &[&str] = &[
    ".git", ".hansei", ".hg", ".svn", "node_modules", "bower_components", "jspm_packages", ".venv", "venv",
    "__pycache__", ".tox", ".nox", ".eggs", ".mypy_cache", ".pytest_cache", ".ruff_cache", "site-packages",
    ".gradle", ".idea", ".next", ".nuxt", ".svelte-kit", ".terraform", ".cache", ".parcel-cache", "coverage",
    ".dart_tool", "Pods", ".bundle", ".yarn",
];
/// Folders whose files are known but not examined, wherever they are: data of tests, which may be broken on purpose, and
/// copies of what others wrote.
const DATA: &[&str] = &[
    "fixtures", "fixture", "__fixtures__", "testdata", "test-data", "test_data", "corpus", "golden",
    "snapshots", "__snapshots__", "cassettes", "_vendor", "_vendored",
];
/// The same outside the sources: somebody else's, generated, or not part of what is run.
const ASIDE: &[&str] = &[
    "dist", "build", "out", "vendor", "third_party", "thirdparty", "third-party", "external", "samples",
    "templates", "examples", "docs", "doc", "generated", "benchmarks", "demos", ".github", ".gitlab",
    ".circleci", ".devcontainer",
];

/// A file or a link.
#[derive(Debug)]
pub(super) struct File {
    /// Its path below the root, with `/`.
    pub(super) path: String,
    pub(super) size: u64,
    /// When it was last written, in seconds since 1970.
    pub(super) modified: i64,
    /// Its rights.
    pub(super) mode: u32,
}

/// What lies at a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Presence {
    File,
    Folder,
    /// Nothing, but something whose name differs only in case: its path.
    OtherCase(String),
    Absent,
    /// Outside the root, or not a path that can be judged.
    Unknown,
}

impl Presence {
    /// Whether something is there, or may be.
    pub(super) fn may_be(&self) -> bool {
        matches!(self, Self::File | Self::Folder | Self::Unknown)
    }
}

/// The files below a root.
#[derive(Debug)]
pub(super) struct Tree {
    root: PathBuf,
    /// The folder that is examined, below the root: empty, or with a `/` at its end.
    scope: String,
    files: Vec<File>,
    places: BTreeMap<String, usize>,
    folders: BTreeSet<String>,
    lower: BTreeMap<String, Vec<String>>,
    texts: RefCell<BTreeMap<String, Option<Rc<str>>>>,
    left: Cell<u64>,
    deadline: Instant,
}

impl Tree {
    /// Walks the root. Both paths are canonical.
    pub(super) fn walk(root: &Path, folder: &Path, deadline: Instant) -> Self {
        let below = folder.strip_prefix(root).ok().and_then(Path::to_str).unwrap_or("");
        let mut tree = Self {
            root: root.to_owned(),
            scope: if below.is_empty() { String::new() } else { format!("{below}/") },
            files: Vec::new(),
            places: BTreeMap::new(),
            folders: BTreeSet::new(),
            lower: BTreeMap::new(),
            texts: RefCell::default(),
            left: Cell::new(MOST_TEXT),
            deadline,
        };
        tree.collect();
        tree.files.sort_by(|one, other| one.path.cmp(&other.path));
        tree.places = tree.files.iter().enumerate().map(|(at, file)| (file.path.clone(), at)).collect();
        let mut lower: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for path in tree.files.iter().map(|file| &file.path).chain(&tree.folders) {
            lower.entry(path.to_lowercase()).or_default().push(path.clone());
        }
        tree.lower = lower;
        tree
    }

    fn collect(&mut self) {
        // Breadth first, and the examined folder before the rest: a limit then cuts off what is far away.
        let mut open = std::collections::VecDeque::from([(String::new(), 0)]);
        while let Some((folder, depth)) = open.pop_front() {
            if self.is_over() || self.files.len() >= MOST_FILES {
                return;
            }
            for entry in std::fs::read_dir(self.root.join(&folder)).into_iter().flatten().flatten() {
                let (Ok(name), Ok(meta)) = (entry.file_name().into_string(), entry.metadata()) else {
                    continue;
                };
                let path = format!("{folder}{name}");
                if meta.is_dir() {
                    let closed = CLOSED.contains(&name.as_str())
                        || self.root.join(&path).join("pyvenv.cfg").is_file()
                        || self.root.join(&path).join("CACHEDIR.TAG").is_file();
                    self.folders.insert(path.clone());
                    if !closed && depth < DEEPEST {
                        open.push_back((format!("{path}/"), depth + 1));
                    }
                } else if self.files.len() < MOST_FILES {
                    self.files.push(File {
                        path,
                        size: meta.len(),
                        modified: seconds(meta.modified().ok()),
                        mode: mode(&meta),
                    });
                }
            }
        }
    }

    /// Whether the time is up.
    pub(super) fn is_over(&self) -> bool {
        Instant::now() >= self.deadline
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    /// The examined folder: empty, or with a `/` at its end.
    pub(super) fn scope(&self) -> &str {
        &self.scope
    }

    /// Every file that is known.
    pub(super) fn files(&self) -> &[File] {
        &self.files
    }

    /// Every folder that is known, closed ones included.
    pub(super) fn folders(&self) -> &BTreeSet<String> {
        &self.folders
    }

    /// The files that are the project's own work, with one of these endings.
    pub(super) fn examined<'a>(&'a self, endings: &'a [&'a str]) -> impl Iterator<Item = &'a File> {
        self.files
            .iter()
            .filter(move |file| self.is_examined(&file.path))
            .filter(move |file| endings.iter().any(|ending| file.path.ends_with(ending)))
    }

    /// Files with this very name that are the project's own work.
    pub(super) fn named<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a File> {
        self.files.iter().filter(move |file| base(&file.path) == name && self.is_examined(&file.path))
    }

    /// Whether the file at this path is the project's own work.
    pub(super) fn is_examined(&self, path: &str) -> bool {
        path.strip_prefix(&self.scope).is_some_and(|below| self.is_own_below(below))
    }

    /// The same for the whole root: what lies beside the examined folder, too.
    pub(super) fn is_own(&self, path: &str) -> bool {
        self.is_own_below(path.strip_prefix(&self.scope).unwrap_or(path))
    }

    /// Whether a path below the examined folder is the project's own work, by its folders.
    fn is_own_below(&self, below: &str) -> bool {
        let folders: Vec<&str> = parent(below).split('/').collect();
        let outside = folders.iter().take_while(|part| !matches!(**part, "src" | "lib" | "app" | "pkg"));
        // Go passes over what begins so.
        let is_hidden = |part: &&str| part.starts_with('_') && self.places.contains_key("go.mod");
        !folders.iter().any(|part| DATA.contains(part) || is_hidden(part))
            && !outside.into_iter().any(|part| ASIDE.contains(part))
    }

    /// The file at a path.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.places.get(path).map(|at| &self.files[*at])
    }

    /// Whether there is a file at a path, or a link to one.
    pub(super) fn has(&self, path: &str) -> bool {
        self.presence(path) == Presence::File
    }

    /// Whether there is a folder at a path.
    pub(super) fn has_folder(&self, path: &str) -> bool {
        path.is_empty() || self.presence(path) == Presence::Folder
    }

    /// What lies at a path below the root.
    pub(super) fn presence(&self, path: &str) -> Presence {
        if path.is_empty() {
            return Presence::Folder;
        }
        // A link is resolved by the file system; what it points at is only asked for, never read.
        match std::fs::metadata(self.root.join(path)) {
            Ok(meta) if meta.is_dir() => Presence::Folder,
            Ok(_) => Presence::File,
            Err(error) if error.kind() == std::io::ErrorKind::PermissionDenied => Presence::Unknown,
            Err(_) => match self.lower.get(&path.to_lowercase()) {
                Some(others) if others[0] != path => Presence::OtherCase(others[0].clone()),
                _ => Presence::Absent,
            },
        }
    }

    /// Whether a relative path that leads out of the root leads nowhere. What lies there is only asked for, never read.
    pub(super) fn leads_nowhere(&self, folder: &str, relative: &str) -> bool {
        let is_outside = relative.starts_with("..") && join(folder, relative).is_none();
        let target = self.root.join(folder).join(relative);
        is_outside
            && std::fs::metadata(target).is_err_and(|error| error.kind() == std::io::ErrorKind::NotFound)
    }

    /// Paths that differ only in case.
    pub(super) fn twins(&self) -> impl Iterator<Item = &Vec<String>> {
        self.lower.values().filter(|paths| paths.len() > 1)
    }

    /// The text of a plain file that lies inside the root and is small.
    pub(super) fn text(&self, path: &str) -> Option<Rc<str>> {
        if let Some(known) = self.texts.borrow().get(path) {
            return known.clone();
        }
        let text = self.read(path, if is_lock(path) { LARGEST_LOCK } else { LARGEST }).map(Rc::from);
        self.texts.borrow_mut().insert(path.to_owned(), text.clone());
        text
    }

    fn read(&self, path: &str, largest: u64) -> Option<String> {
        let bytes = self.bytes(path, largest)?;
        (!bytes.contains(&0)).then(|| String::from_utf8_lossy(&bytes).into_owned())
    }

    /// The bytes of a plain file inside the root that holds no more than `largest`.
    pub(super) fn bytes(&self, path: &str, largest: u64) -> Option<Vec<u8>> {
        let file = self.root.join(path).canonicalize().ok()?;
        let meta = file.metadata().ok()?;
        let fits = file.starts_with(&self.root) && meta.is_file() && meta.len() <= largest;
        (fits && meta.len() <= self.left.get() && !self.is_over()).then_some(())?;
        // Nothing is in it; or it is a kernel's, which says so too and may keep a reader waiting for ever.
        if meta.len() == 0 {
            return Some(Vec::new());
        }
        let mut bytes = Vec::new();
        std::fs::File::open(&file).ok()?.take(largest).read_to_end(&mut bytes).ok()?;
        self.left.set(self.left.get().saturating_sub(bytes.len() as u64));
        Some(bytes)
    }

    /// The names in a folder that may be one of the closed ones, at most `most`.
    pub(super) fn names_in(&self, folder: &str, most: usize) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let mut names: Vec<String> =
            entries.take(most).filter_map(|entry| entry.file_name().into_string().ok()).collect();
        names.sort();
        names
    }
}

fn is_lock(path: &str) -> bool {
    let name = base(path);
    name.contains("lock") || name == "go.sum" || name == "modules.txt"
}

fn seconds(time: Option<SystemTime>) -> i64 {
    match time.map(|time| time.duration_since(UNIX_EPOCH)) {
        Some(Ok(since)) => i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
        _ => 0,
    }
}

#[cfg(unix)]
fn mode(meta: &std::fs::Metadata) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode()
}

#[cfg(not(unix))]
fn mode(_: &std::fs::Metadata) -> u32 {
    0o100_755
}

/// The folder of a path: empty for one at the root.
pub(super) fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// The last name of a path.
pub(super) fn base(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

/// The last name without its ending.
pub(super) fn stem(path: &str) -> &str {
    let name = base(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// A relative path seen from `folder`; nothing where it leaves the root or is not relative.
pub(super) fn join(folder: &str, relative: &str) -> Option<String> {
    if relative.starts_with('/') || relative.starts_with('~') || relative.contains('\\') {
        return None;
    }
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in relative.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

/// The folder and every one above it, the root (empty) last.
pub(super) fn upwards(folder: &str) -> impl Iterator<Item = &str> {
    let mut next = Some(folder.trim_end_matches('/'));
    std::iter::from_fn(move || {
        let now = next?;
        next = (!now.is_empty()).then(|| parent(now));
        Some(now)
    })
}

/// Whether a path ends in these names.
pub(super) fn ends_in(path: &str, tail: &str) -> bool {
    path == tail || path.strip_suffix(tail).is_some_and(|before| before.ends_with('/'))
}

/// `folder/name`, or the name alone at the root.
pub(super) fn under(folder: &str, name: &str) -> String {
    if folder.is_empty() { name.to_owned() } else { format!("{}/{name}", folder.trim_end_matches('/')) }
}

/// Whether a file belongs to the tests, by its name or folder.
pub(super) fn is_test(path: &str) -> bool {
    let name = base(path);
    let by_name = name.starts_with("test_")
        || name == "conftest.py"
        || [
            "_test.py", "_test.go", "_test.rs", "Test.java", "Tests.java", "_spec.rb", "_test.rb", "Test.php",
        ]
        .iter()
        .any(|ending| name.ends_with(ending))
        || name.contains(".test.")
        || name.contains(".spec.");
    by_name
        || parent(path).split('/').any(|part| matches!(part, "test" | "tests" | "__tests__" | "spec" | "e2e"))
}
