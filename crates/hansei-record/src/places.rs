//! Which folders and files belong to a workspace's records.

use std::io;
use std::path::{Path, PathBuf};

use crate::folder::Folder;

/// Our folder in a workspace.
pub const OWN: &str = ".hansei";
/// A folder from earlier tools: where it exists, reflections and self-reports stay there.
pub const MOSAIC: &str = ".mosaic";
/// A folder from earlier tools: where it exists, verdicts stay there.
pub const REFLECTION: &str = ".reflection";

const SELF_REPORT: &str = "reflection-input.json";

/// Where a workspace's records lie.
#[derive(Debug)]
pub struct Places {
    home: PathBuf,
    reflections: Option<PathBuf>,
    self_report: Option<PathBuf>,
}

/// A self-report's place.
#[derive(Debug)]
pub enum SelfReportPlace {
    /// A file the user named.
    Named(PathBuf),
    /// The usual file in one of our folders.
    Usual(Folder, &'static str),
}

/// Paths in a work tree that are Hansei's own.
#[derive(Debug)]
pub struct Ours {
    folders: Vec<Vec<u8>>,
    file: Option<Vec<u8>>,
}

impl Ours {
    /// Whether `path`, relative to the root, is ours.
    pub fn has(&self, path: &[u8]) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
            || self
                .file
                .as_deref()
                .is_some_and(|file| path == file || path.strip_suffix(b".merged") == Some(file))
    }
}

impl Places {
    /// The records of the workspace at `home`, with the places that the user named instead, if any.
    pub fn new(home: &Path, reflections: Option<PathBuf>, self_report: Option<PathBuf>) -> Self {
        Self { home: home.to_owned(), reflections, self_report }
    }

    /// Our own folder, created where it is missing and hidden from git by its own ignore file.
    pub fn own(&self) -> io::Result<Folder> {
        let own = Folder::existing(&self.home)?.child(OWN)?;
        own.write_once(".gitignore", b"*\n")?;
        Ok(own)
    }

    /// The folder of the logs.
    pub fn log(&self) -> io::Result<Folder> {
        self.own()?.child("log")
    }

    /// The folder of the logs, if there is one.
    pub fn existing_log(&self) -> io::Result<Folder> {
        Folder::existing(&self.home)?.existing_child(OWN)?.existing_child("log")
    }

    /// The folder of the verdicts, if there is one.
    pub fn existing_verdicts(&self) -> io::Result<Folder> {
        let home = Folder::existing(&self.home)?;
        home.existing_child(REFLECTION).or_else(|_| home.existing_child(OWN)?.existing_child("verdicts"))
    }

    /// The folder of the reflections, created where it is missing.
    pub fn reflections(&self) -> io::Result<Folder> {
        match &self.reflections {
            Some(named) => Folder::named_by_user(named),
            None => match self.mosaic() {
                Some(mosaic) => mosaic.child("reflections"),
                None => self.own()?.child("reflections"),
            },
        }
    }

    /// The folder of the reflections, if there is one.
    pub fn existing_reflections(&self) -> io::Result<Folder> {
        match &self.reflections {
            Some(named) => Folder::existing(named),
            None => match self.mosaic() {
                Some(mosaic) => mosaic.existing_child("reflections"),
                None => Folder::existing(&self.home)?.existing_child(OWN)?.existing_child("reflections"),
            },
        }
    }

    /// The folder of the verdicts, created where it is missing.
    pub fn verdicts(&self) -> io::Result<Folder> {
        match Folder::existing(&self.home)?.existing_child(REFLECTION) {
            Ok(older) => Ok(older),
            Err(_) => self.own()?.child("verdicts"),
        }
    }

    /// Where a self-report is written.
    pub fn self_report(&self) -> io::Result<SelfReportPlace> {
        match &self.self_report {
            Some(named) => Ok(SelfReportPlace::Named(named.clone())),
            None => match self.mosaic() {
                Some(mosaic) => Ok(SelfReportPlace::Usual(mosaic, SELF_REPORT)),
                None => Ok(SelfReportPlace::Usual(self.own()?, SELF_REPORT)),
            },
        }
    }

    /// Where a self-report for a stop in the work tree `root` may lie, the nearest first. An agent in a linked work
    /// tree knows only that one.
    pub fn self_reports(&self, root: &Path) -> Vec<SelfReportPlace> {
        let near = if root == self.home || self.self_report.is_some() {
            None
        } else {
            Folder::existing(root).and_then(|root| root.existing_child(OWN)).ok()
        };
        let near = near.map(|folder| SelfReportPlace::Usual(folder, SELF_REPORT));
        near.into_iter().chain(self.self_report().ok()).collect()
    }

    /// What in the work tree `root` is ours and never the agent's.
    pub fn ours_in(&self, root: &Path) -> Ours {
        let inside = |path: &Path| {
            let path = path.canonicalize().ok()?;
            let inside = path.strip_prefix(root.canonicalize().ok()?).ok()?;
            (inside != Path::new("")).then(|| inside.as_os_str().as_encoded_bytes().to_vec())
        };
        let older = [MOSAIC, REFLECTION].into_iter().filter(|older| root.join(older).is_dir());
        let mut folders: Vec<Vec<u8>> = older.chain([OWN]).map(|name| name.as_bytes().to_vec()).collect();
        folders.extend(self.reflections.as_deref().and_then(inside));
        for folder in &mut folders {
            folder.push(b'/');
        }
        let self_report = self.self_report.as_deref();
        let file = self_report.and_then(|file| {
            let folder = file.parent()?;
            let name = file.file_name()?.as_encoded_bytes();
            Some(
                inside(folder)
                    .map_or_else(|| name.to_vec(), |folder| [&folder, b"/".as_slice(), name].concat()),
            )
        });
        Ours { folders, file }
    }

    fn mosaic(&self) -> Option<Folder> {
        Folder::existing(&self.home).ok()?.existing_child(MOSAIC).ok()
    }
}
