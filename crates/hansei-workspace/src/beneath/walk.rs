//! From the root to a place, one name at a time, each opened from the folder before it.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};

use cap_fs_ext::DirExt as _;
use cap_std::fs::Dir;

use super::{Refusal, RelativePath, Root};

/// As many links on one way as Linux itself follows.
const MOST_LINKS: usize = 40;

/// A place below the root, with no link left on the way to it.
#[derive(Debug)]
pub(super) struct Place {
    /// The path as it was asked for.
    pub asked: PathBuf,
    /// The folders on the way that are there, each opened from the one before it.
    pub opened: Vec<(OsString, Dir)>,
    /// The folders on the way that are not there. Nothing can be below the first of them.
    pub missing: Vec<OsString>,
    /// The name in the last folder; none if the place is that folder itself.
    pub name: Option<OsString>,
}

enum Step {
    Down(OsString),
    Up,
}

impl Place {
    /// The last folder on the way that is there.
    pub fn folder<'a>(&'a self, root: &'a Root) -> &'a Dir {
        self.opened.last().map_or(&root.dir, |(_, dir)| dir)
    }

    /// Where the place really is, from the root.
    pub fn real_path(&self) -> PathBuf {
        let names = self.opened.iter().map(|(name, _)| name).chain(&self.missing).chain(&self.name);
        names.collect()
    }

    pub fn system(&self, source: io::Error) -> Refusal {
        Refusal::System { path: self.asked.clone(), source }
    }
}

impl Root {
    /// Walks to a place. What its last name is, and whether it is there, is for whoever opens it.
    pub(super) fn walk(&self, path: &RelativePath) -> Result<Place, Refusal> {
        let mut place = Place { asked: path.to_path(), opened: Vec::new(), missing: Vec::new(), name: None };
        let mut steps: Vec<Step> = path.names().iter().rev().map(|name| Step::Down(name.into())).collect();
        let mut links = 0;
        while let Some(step) = steps.pop() {
            let name = match step {
                Step::Down(name) => name,
                Step::Up if !place.missing.is_empty() => return Err(not_there(&place, &place.missing[0])),
                Step::Up if place.opened.pop().is_some() => continue,
                Step::Up => return Err(Refusal::Outside { link: place.asked.clone(), path: place.asked }),
            };
            if !place.missing.is_empty() {
                place.missing.push(name);
                continue;
            }
            let folder = place.folder(self);
            if let Some(target) = link_at(folder, &name).map_err(|source| place.system(source))? {
                links += 1;
                if links > MOST_LINKS {
                    return Err(Refusal::TooManyLinks { path: place.asked });
                }
                let Some(followed) = self.steps_of(&target) else {
                    let link = place.real_path().join(name);
                    return Err(Refusal::Outside { path: place.asked, link });
                };
                if followed.begins_at_root {
                    place.opened.clear();
                }
                steps.extend(followed.steps.into_iter().rev());
                continue;
            }
            if steps.is_empty() {
                place.name = Some(name);
                return Ok(place);
            }
            match folder.open_dir_nofollow(&name) {
                Ok(dir) => place.opened.push((name, dir)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => place.missing.push(name),
                Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
                    return Err(Refusal::NotAFolder { path: place.real_path().join(name) });
                }
                Err(error) => return Err(place.system(error)),
            }
        }
        // The way ended in a folder: the root itself, or a link to one by way of `.` or `..`; or below what is missing.
        place.name = place.missing.pop();
        Ok(place)
    }

    /// Where a link leads on to; none if that is outside.
    fn steps_of(&self, target: &Path) -> Option<Followed> {
        let begins_at_root = target.is_absolute();
        let target = if begins_at_root {
            self.spellings.iter().find_map(|root| target.strip_prefix(root).ok())?
        } else {
            target
        };
        let mut steps = Vec::new();
        for component in target.components() {
            match component {
                Component::Normal(name) => steps.push(Step::Down(name.to_owned())),
                Component::ParentDir => steps.push(Step::Up),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => return None,
            }
        }
        Some(Followed { begins_at_root, steps })
    }
}

struct Followed {
    begins_at_root: bool,
    steps: Vec<Step>,
}

/// What a link says, if the name is one.
fn link_at(folder: &Dir, name: &OsStr) -> io::Result<Option<PathBuf>> {
    match folder.read_link_contents(name) {
        Ok(target) => Ok(Some(target)),
        // Not a link, or not there: opening it will say.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::NotFound) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

fn not_there(place: &Place, first: &OsStr) -> Refusal {
    let names = place.opened.iter().map(|(name, _)| name.as_os_str()).chain([first]);
    Refusal::NotFound { missing: names.collect() }
}
