//! The walls, as arguments of bubblewrap.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{Seek as _, Write as _};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use super::view::{Mount, View};
use super::{Limits, Refusal};
use crate::program::{self, Workspace};

/// How to get bubblewrap.
pub const INSTALL: &str =
    "sudo apt-get install bubblewrap   # or: dnf install bubblewrap, pacman -S bubblewrap";

/// Namespaces of its own for everything, and nothing left to get out of them with. As root bubblewrap keeps every
/// capability unless it is told to drop them, and who may make a user namespace has them all again inside it.
const ALONE: &[&str] = &[
    "--unshare-user", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts",
    "--unshare-cgroup-try", "--disable-userns", "--cap-drop", "ALL", "--new-session", "--die-with-parent",
];

/// Arguments, and the files that they name by number.
#[derive(Debug)]
pub(super) struct Arguments {
    pub(super) list: Vec<OsString>,
    /// The file that becomes number [`FIRST_FILE`] is the first.
    pub(super) files: Vec<OwnedFd>,
}

/// The number of the first file that is handed over; below are the standard streams.
pub(super) const FIRST_FILE: i32 = 10;

/// Where bubblewrap is, for a workspace.
pub(super) fn program(workspace: Workspace<'_>) -> Result<PathBuf, Refusal> {
    program::find("bwrap", workspace).map_err(|error| Refusal::NoSandbox {
        reason: if error.left_out().is_some() {
            error.to_string()
        } else {
            "bubblewrap (bwrap) is not installed".to_owned()
        },
        install: INSTALL,
    })
}

impl Arguments {
    pub(super) fn new() -> Self {
        Self { list: ALONE.iter().map(OsString::from).collect(), files: Vec::new() }
    }

    /// Adds an option that names a file by its number.
    pub(super) fn with_file(&mut self, option: &str, file: OwnedFd) {
        let number = FIRST_FILE + i32::try_from(self.files.len()).unwrap_or(i32::MAX - FIRST_FILE);
        self.files.push(file);
        self.add([OsStr::new(option), OsStr::new(&number.to_string())]);
    }

    /// Adds what is seen.
    pub(super) fn with_view(&mut self, view: &View, limits: &Limits) {
        // Memory is limited as a whole; this is for where only a supervisor counts, which does not see files in memory.
        let size = (limits.memory / 2).to_string();
        self.add(["--proc", "/proc", "--dev", "/dev"].map(OsStr::new));
        // Root owns the kernel's settings and needs no capability to write them; bubblewrap does not see that.
        self.add(["--ro-bind", "/proc/sys", "/proc/sys"].map(OsStr::new));
        for mount in &view.mounts {
            match mount {
                Mount::ReadOnly(path) => self.add([OsStr::new("--ro-bind"), path.as_ref(), path.as_ref()]),
                Mount::Writable(path) => self.add([OsStr::new("--bind"), path.as_ref(), path.as_ref()]),
                Mount::Link { target, at } => {
                    self.add([OsStr::new("--symlink"), target.as_ref(), at.as_ref()]);
                }
                // Told apart when the view is made.
                Mount::Settings => {}
                Mount::SettingsFrom(folder) => {
                    self.add([OsStr::new("--ro-bind"), folder.as_ref(), OsStr::new("/etc")]);
                }
                Mount::Copy(path) => self.copy(path),
                Mount::Text { text, at } => self.text(text, at),
                Mount::Private(path) => {
                    self.add([OsStr::new("--size"), OsStr::new(&size), OsStr::new("--tmpfs"), path.as_ref()]);
                }
                Mount::Empty(path) => {
                    let [perms, mode, tmpfs] = ["--perms", "0555", "--tmpfs"].map(OsStr::new);
                    self.add([perms, mode, tmpfs, path.as_ref()]);
                }
                Mount::Masked(path) => {
                    self.add([OsStr::new("--ro-bind"), OsStr::new("/dev/null"), path.as_ref()]);
                }
            }
        }
        // The first process's memory is a file there.
        self.add(["--perms", "0555", "--tmpfs", "/proc/1"].map(OsStr::new));
        self.add(["--remount-ro", "/"].map(OsStr::new));
    }

    fn text(&mut self, text: &str, at: &Path) {
        if let Ok(file) = in_memory(text.as_bytes()) {
            self.with_file("--file", file);
            self.add([at.as_os_str()]);
        }
    }

    fn copy(&mut self, path: &Path) {
        if let Ok(file) = File::open(path) {
            self.with_file("--file", file.into());
            self.add([path.as_os_str()]);
        }
    }

    pub(super) fn add<const N: usize>(&mut self, arguments: [&OsStr; N]) {
        self.list.extend(arguments.map(OsString::from));
    }
}

/// A file that is nowhere but in memory.
pub(super) fn in_memory(bytes: &[u8]) -> std::io::Result<OwnedFd> {
    let file = rustix::fs::memfd_create("hansei", rustix::fs::MemfdFlags::CLOEXEC)?;
    let mut file = File::from(file);
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file.into())
}
