//! What walls were put up on: the plan that they follow, and which files it met.
//!
//! Walls that wait for their command may outlive what they guard. A mount ends when somebody replaces what it lies on, and
//! what was not there when they were put up may be there now. So before a command is let in, everything is looked at again.

use std::fs::Metadata;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::placeholders::Held;
use super::view::Plan;
use super::{Request, walls};

/// The plan of some walls, and what it met.
#[derive(Debug)]
pub(super) struct Ground {
    workspace: PathBuf,
    plan: Plan,
    /// The workspace, then each name that is guarded.
    met: Vec<Option<Identity>>,
    held: Held,
}

/// Which file a name led to. A number is given again once its file is gone, so a time belongs to it.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    device: u64,
    number: u64,
    made: Made,
}

#[derive(Debug, PartialEq, Eq)]
enum Made {
    At(SystemTime),
    /// Any change makes it another file: what stands in has to stay empty, and some file systems tell nothing else.
    ChangedAt(i64, i64),
}

impl Ground {
    pub(super) fn new(workspace: PathBuf, plan: Plan, held: Held) -> Self {
        let met = met(&workspace, &plan, &held);
        Self { workspace, plan, met, held }
    }

    /// The folders that are the command's own.
    pub(super) fn private(&self) -> impl Iterator<Item = &Path> {
        self.plan.private()
    }

    /// Whether walls for the same request would guard the same now.
    pub(super) fn is_the_same(&self, request: &Request) -> bool {
        let Ok((workspace, home)) = walls::places(request) else { return false };
        workspace == self.workspace
            && self.plan.guards_the_same(&workspace, &home)
            && met(&workspace, &self.plan, &self.held) == self.met
    }
}

fn met(workspace: &Path, plan: &Plan, held: &Held) -> Vec<Option<Identity>> {
    let look = |path: &Path, stands_in| Some(identity(&path.symlink_metadata().ok()?, stands_in));
    let names = plan.names.iter().map(|name| look(&workspace.join(name), held.missing.contains(name)));
    std::iter::once(look(workspace, false)).chain(names).collect()
}

fn identity(meta: &Metadata, stands_in: bool) -> Identity {
    let made = meta.created().ok().filter(|_| !stands_in);
    let made = made.map_or_else(|| Made::ChangedAt(meta.ctime(), meta.ctime_nsec()), Made::At);
    Identity { device: meta.dev(), number: meta.ino(), made }
}
