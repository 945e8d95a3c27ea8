//! A walk over the workspace for `list_files` and `search`: no link is followed, git's own folder is left out, and so
//! is what `.gitignore` says.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use hansei_workspace::beneath::{EntryKind, OpenFolder, Refusal, RelativePath, Root};
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::ToolError;

/// Folders below each other that are gone into.
const DEEPEST: usize = 64;
/// Entries that are looked at in one walk.
const MOST_SEEN: usize = 200_000;
/// The longest `.gitignore` that is honoured.
const LONGEST_RULES: u64 = 64 * 1024;

/// How to walk.
#[derive(Debug)]
pub(super) struct Walk {
    /// Folders below each other, from the one that the walk begins in.
    pub depth: usize,
    /// What files must look like.
    pub glob: Option<Glob>,
    /// Also what `.gitignore` leaves out.
    pub include_ignored: bool,
}

/// What was not walked.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Entries that `.gitignore` names.
    pub ignored: usize,
    /// Git's own folders.
    pub git: usize,
    /// Folders that are too deep.
    pub deep: usize,
    /// Folders that could not be opened.
    pub unreadable: usize,
    /// There was more than is looked at in one walk.
    pub rest: bool,
}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Go {
    On,
    Stop,
}

/// What the walk is at.
#[derive(Debug)]
pub(super) struct Visit<'a> {
    /// The folder that it is in.
    pub folder: &'a OpenFolder,
    /// Its name there.
    pub name: &'a Path,
    /// What it is.
    pub kind: &'a EntryKind,
}

impl Visit<'_> {
    /// Its path from the root of the workspace.
    pub fn path(&self) -> PathBuf {
        self.folder.path().join(self.name)
    }
}

/// Which files are meant: by name where the pattern has no slash, else by the path from where the walk began.
#[derive(Debug)]
pub(super) struct Glob {
    matcher: GlobMatcher,
    by_name: bool,
}

impl Glob {
    pub fn parse(pattern: &str) -> Result<Self, ToolError> {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        let glob = glob.map_err(|error| ToolError::bad_input(format!("\"glob\" is no glob: {error}")))?;
        Ok(Self { matcher: glob.compile_matcher(), by_name: !pattern.contains('/') })
    }

    fn matches(&self, name: &Path, path: &Path) -> bool {
        self.matcher.is_match(if self.by_name { name } else { path })
    }
}

impl Walk {
    /// Visits what is in the folder at `start`, files and folders by name, what is in a folder right after it.
    pub fn over(
        &self,
        root: &Root,
        start: &RelativePath,
        visit: &mut dyn FnMut(&Visit<'_>) -> Go,
    ) -> Result<LeftOut, ToolError> {
        let folder = root.folder(start)?;
        let rules = self.rules_above(root, &folder);
        let begin = folder.path().to_owned();
        let mut walking = Walking { walk: self, begin, rules, seen: 0, left_out: LeftOut::default(), visit };
        walking.folder(&folder, 0)?;
        Ok(walking.left_out)
    }

    /// The rules of the folders above the one that the walk begins in.
    fn rules_above(&self, root: &Root, folder: &OpenFolder) -> Vec<Gitignore> {
        let mut rules = Vec::new();
        let mut above = root.folder(&RelativePath::root()).ok();
        for name in folder.path().components().filter(|_| !self.include_ignored) {
            let Some(here) = above else { break };
            rules.extend(rules_in(&here));
            above = here.child(name).ok();
        }
        rules
    }
}

struct Walking<'a> {
    walk: &'a Walk,
    begin: PathBuf,
    rules: Vec<Gitignore>,
    seen: usize,
    left_out: LeftOut,
    visit: &'a mut dyn FnMut(&Visit<'_>) -> Go,
}

impl Walking<'_> {
    fn folder(&mut self, folder: &OpenFolder, depth: usize) -> Result<Go, Refusal> {
        let (entries, has_more) = folder.entries(MOST_SEEN.saturating_sub(self.seen))?;
        self.seen += entries.len();
        self.left_out.rest |= has_more;
        let rules = self.rules.len();
        if !self.walk.include_ignored {
            self.rules.extend(rules_in(folder));
        }
        let mut go = Go::On;
        for entry in entries {
            let name = Path::new(&entry.name);
            let is_folder = entry.kind == EntryKind::Folder;
            if name == ".git" {
                self.left_out.git += 1;
            } else if self.is_ignored(&folder.path().join(name), is_folder) {
                self.left_out.ignored += 1;
            } else {
                go = self.entry(folder, name, &entry.kind, depth);
            }
            if go == Go::Stop {
                break;
            }
        }
        self.rules.truncate(rules);
        Ok(go)
    }

    fn entry(&mut self, folder: &OpenFolder, name: &Path, kind: &EntryKind, depth: usize) -> Go {
        let visit = Visit { folder, name, kind };
        let path = visit.path();
        let from_begin = path.strip_prefix(&self.begin).unwrap_or(&path);
        let is_meant = self.walk.glob.as_ref().is_none_or(|glob| glob.matches(name, from_begin));
        if is_meant && (self.visit)(&visit) == Go::Stop {
            return Go::Stop;
        }
        if *kind != EntryKind::Folder {
            return Go::On;
        }
        if depth + 1 >= self.walk.depth.min(DEEPEST) {
            self.left_out.deep += 1;
            return Go::On;
        }
        // What cannot be listed, or is no folder any more, is left out and counted.
        let below = folder.child(name).and_then(|child| self.folder(&child, depth + 1));
        below.unwrap_or_else(|_| {
            self.left_out.unreadable += 1;
            Go::On
        })
    }

    fn is_ignored(&self, path: &Path, is_folder: bool) -> bool {
        let path = Path::new("/").join(path);
        let decided = self.rules.iter().rev().map(|rules| rules.matched(&path, is_folder));
        decided.into_iter().find(|matched| !matched.is_none()).is_some_and(|matched| matched.is_ignore())
    }
}

/// What the `.gitignore` of a folder says. One that is a link, too long or no text says nothing.
fn rules_in(folder: &OpenFolder) -> Option<Gitignore> {
    let content = folder.file(".gitignore").ok()?.read(LONGEST_RULES).ok()?;
    let mut builder = GitignoreBuilder::new(Path::new("/").join(folder.path()));
    for line in String::from_utf8(content).ok()?.lines() {
        // A rule that is none is left out, as git does.
        let _ = builder.add_line(None, line);
    }
    builder.build().ok()
}

impl LeftOut {
    /// What was left out, in words; empty if nothing was.
    pub fn words(&self) -> Vec<String> {
        let mut words = Vec::new();
        let mut say = |count: usize, what: &str| {
            if count > 0 {
                words.push(format!("{count} {what}"));
            }
        };
        say(self.ignored, "ignored by .gitignore (include_ignored shows them)");
        say(self.git, "of git's own (.git)");
        say(self.deep, "folders not gone into (too deep)");
        say(self.unreadable, "folders that cannot be read");
        if self.rest {
            words.push(format!("all after the first {MOST_SEEN} entries"));
        }
        words
    }
}
