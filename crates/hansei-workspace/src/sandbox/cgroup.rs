//! Limits that the kernel keeps: a control group for one command, of either version.
//!
//! Limits of a process (`setrlimit`) count by user and do not bind root, so they are no wall here. Where no group can
//! be made, a [supervisor](super::supervisor) counts instead.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use super::Limits;

/// A group for one command. Dropping it removes it.
#[derive(Debug)]
pub(super) struct Group {
    /// Where the group lies: one folder, or one for each of the two controllers.
    memory: Home,
    processes: Home,
}

#[derive(Debug)]
struct Home {
    folder: PathBuf,
    version: Version,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Version {
    One,
    Two,
}

/// What the group's limits had to do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Struck {
    /// Somebody was ended for wanting more memory.
    pub(super) memory: bool,
    /// Somebody was refused a process.
    pub(super) processes: bool,
}

impl Group {
    /// Makes a group with these limits, where this user may make one.
    pub(super) fn new(limits: &Limits) -> Option<Self> {
        LEFT.lock().unwrap_or_else(PoisonError::into_inner).retain(|folder| is_busy(folder));
        let (own, mounts) = (read("/proc/self/cgroup")?, read("/proc/self/mountinfo")?);
        let name = format!("hansei-{}-{}", std::process::id(), next_number());
        let memory = parent("memory", &own, &mounts)?.child(&name).ok()?;
        let processes = match parent("pids", &own, &mounts) {
            Some(home) if home.folder.join(&name) == memory.folder => {
                Some(Home { folder: memory.folder.clone(), version: home.version })
            }
            Some(home) => home.child(&name).ok(),
            None => None,
        };
        let Some(processes) = processes else {
            let _ = fs::remove_dir(&memory.folder);
            return None;
        };
        let group = Self { memory, processes };
        group.set(limits).ok()?;
        Some(group)
    }

    fn set(&self, limits: &Limits) -> io::Result<()> {
        let memory = limits.memory.to_string();
        match self.memory.version {
            Version::One => {
                self.memory.write("memory.limit_in_bytes", &memory)?;
                // Where swapping is counted it must not make room; elsewhere the file is not there.
                let _ = self.memory.write("memory.memsw.limit_in_bytes", &memory);
            }
            Version::Two => {
                self.memory.write("memory.max", &memory)?;
                let _ = self.memory.write("memory.swap.max", "0");
            }
        }
        self.processes.write("pids.max", &limits.processes.to_string())
    }

    /// Runs `start` in the group, so that what it starts is born there; false where the group takes processes only
    /// once they run.
    ///
    /// Moving another process stops the kernel for many milliseconds; moving the thread that asks does not. Only
    /// groups of the first version take a single thread.
    pub(super) fn born_in<T>(&self, start: impl FnOnce() -> T) -> (T, bool) {
        let homes = [&self.memory, &self.processes];
        let single = homes.iter().all(|home| home.version == Version::One);
        let inside = single && homes.iter().all(|home| home.write("tasks", "0").is_ok());
        let started = start();
        if single {
            for home in homes {
                let around = home.folder.parent().unwrap_or(&home.folder);
                let _ = fs::write(around.join("tasks"), "0");
            }
        }
        (started, inside)
    }

    /// Puts a process into the group, and with it whatever it starts from now on.
    pub(super) fn admit(&self, process: u32) -> io::Result<()> {
        let process = process.to_string();
        self.memory.write("cgroup.procs", &process)?;
        if self.processes.folder != self.memory.folder {
            self.processes.write("cgroup.procs", &process)?;
        }
        Ok(())
    }

    /// Whether nobody is left in the group but some of these.
    pub(super) fn holds_only(&self, processes: &[u32]) -> bool {
        let listed = fs::read_to_string(self.processes.folder.join("cgroup.procs"));
        listed.is_ok_and(|listed| {
            listed.lines().all(|line| line.parse().is_ok_and(|process| processes.contains(&process)))
        })
    }

    /// What the limits had to do so far.
    pub(super) fn struck(&self) -> Struck {
        let (file, key) = match self.memory.version {
            Version::One => ("memory.oom_control", "oom_kill"),
            Version::Two => ("memory.events", "oom_kill"),
        };
        Struck {
            memory: self.memory.count(file, key) > 0,
            processes: self.processes.count("pids.events", "max") > 0,
        }
    }
}

/// Groups whose last process was still ending when they were to go.
static LEFT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

impl Drop for Group {
    fn drop(&mut self) {
        let _ = self.memory.write("cgroup.kill", "1");
        // Where the namespace's first process is still taking its mounts down, nobody waits for it: the next command
        // removes the group, of this program or of another.
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        for folder in [&self.memory.folder, &self.processes.folder] {
            left.extend(is_busy(folder).then(|| folder.clone()));
        }
    }
}

/// Removes the groups that were left, for a program that is about to end: nobody may come after it.
pub(super) fn tidy() {
    for _ in 0..100 {
        let mut left = LEFT.lock().unwrap_or_else(PoisonError::into_inner);
        left.retain(|folder| is_busy(folder));
        if left.is_empty() {
            return;
        }
        drop(left);
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Removes a group, unless somebody is in it.
fn is_busy(folder: &Path) -> bool {
    fs::remove_dir(folder).is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
}

impl Home {
    /// A group of this name below this one, without those that ended with their maker.
    fn child(&self, name: &str) -> io::Result<Self> {
        self.sweep();
        if self.version == Version::Two {
            // Refused where a group holds processes itself, unless it already hands these down.
            let down = fs::read_to_string(self.folder.join("cgroup.subtree_control"))?;
            for controller in ["memory", "pids"] {
                if !down.split_whitespace().any(|word| word == controller) {
                    self.write("cgroup.subtree_control", &format!("+{controller}"))?;
                }
            }
        }
        let folder = self.folder.join(name);
        fs::create_dir(&folder)?;
        Ok(Self { folder, version: self.version })
    }

    /// Removes groups of ours whose maker is gone, with whoever is still in them: a bubblewrap that was orphaned before it
    /// could tie its life to its parent's waits for ever.
    fn sweep(&self) {
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let name = entry.file_name();
            let maker = name
                .to_str()
                .and_then(|name| name.strip_prefix("hansei-")?.split('-').next()?.parse::<u32>().ok());
            if maker.is_some_and(|maker| !Path::new(&format!("/proc/{maker}")).exists()) {
                let members = fs::read_to_string(entry.path().join("cgroup.procs")).unwrap_or_default();
                for member in
                    members.lines().filter_map(|id| rustix::process::Pid::from_raw(id.trim().parse().ok()?))
                {
                    let _ = rustix::process::kill_process(member, rustix::process::Signal::KILL);
                }
                let _ = fs::remove_dir(entry.path());
            }
        }
    }

    fn write(&self, file: &str, value: &str) -> io::Result<()> {
        fs::write(self.folder.join(file), value)
    }

    fn count(&self, file: &str, key: &str) -> u64 {
        let text = fs::read_to_string(self.folder.join(file)).unwrap_or_default();
        let mut lines = text.lines().filter_map(|line| line.split_once(' '));
        lines.find(|(name, _)| *name == key).and_then(|(_, value)| value.trim().parse().ok()).unwrap_or(0)
    }
}

/// The group that we are in ourselves, in the hierarchy that has `controller`.
fn parent(controller: &str, own: &str, mounts: &str) -> Option<Home> {
    let mut unified = None;
    for line in own.lines() {
        let mut parts = line.splitn(3, ':');
        let (_, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        if controllers.split(',').any(|one| one == controller) {
            let root = mount_point(mounts, |kind, options| {
                kind == "cgroup" && options.split(',').any(|one| one == controller)
            })?;
            return Some(Home { folder: inside(&root, path), version: Version::One });
        }
        if controllers.is_empty() {
            unified = Some(path.to_owned());
        }
    }
    let root = mount_point(mounts, |kind, _| kind == "cgroup2")?;
    let folder = inside(&root, &unified?);
    let offered = fs::read_to_string(folder.join("cgroup.controllers")).ok()?;
    offered.split_whitespace().any(|one| one == controller).then_some(Home { folder, version: Version::Two })
}

/// A group's folder; in a container its path is often that of another root.
fn inside(root: &Path, path: &str) -> PathBuf {
    let folder = root.join(path.trim_start_matches('/'));
    if folder.is_dir() { folder } else { root.to_owned() }
}

/// Where a file system lies whose type and options satisfy.
fn mount_point(mounts: &str, satisfies: impl Fn(&str, &str) -> bool) -> Option<PathBuf> {
    mounts.lines().find_map(|line| {
        let (place, kind) = line.split_once(" - ")?;
        let mut kind = kind.split(' ');
        let (kind, _, options) = (kind.next()?, kind.next()?, kind.next()?);
        satisfies(kind, options).then(|| place.split(' ').nth(4).map(PathBuf::from))?
    })
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn next_number() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};
    static NUMBER: AtomicU32 = AtomicU32::new(0);
    NUMBER.fetch_add(1, Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_is_left_in_a_group_of_the_dead_is_ended() {
        use std::os::unix::process::ExitStatusExt as _;
        let Some(group) = Group::new(&Limits::default()) else { return };
        let mut maker = std::process::Command::new("true").spawn().unwrap();
        maker.wait().unwrap();
        let around =
            Home { folder: group.memory.folder.parent().unwrap().to_owned(), version: group.memory.version };
        // The id of one who has ended stands in the name, as after kill -9.
        let orphaned = around.folder.join(format!("hansei-{}-0", maker.id()));
        let mut left = std::process::Command::new("sleep").arg("1000").spawn().unwrap();
        // Whoever makes a group meanwhile takes an empty one away.
        let joins = || {
            let _ = fs::create_dir(&orphaned);
            fs::write(orphaned.join("cgroup.procs"), left.id().to_string()).is_ok()
        };
        assert!((0..100).any(|_| joins()));
        around.sweep();
        assert_eq!(left.wait().unwrap().signal(), Some(9));
        for _ in 0..1000 {
            around.sweep();
            if !orphaned.exists() {
                return;
            }
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        panic!("the group is still there");
    }

    #[test]
    fn the_hierarchy_of_a_controller_is_found() {
        let mounts = "\
30 23 0:26 / /sys/fs/cgroup/memory rw,relatime shared:11 - cgroup cgroup rw,memory
31 23 0:27 / /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids
32 23 0:28 / /sys/fs/cgroup/unified rw,relatime - cgroup2 cgroup2 rw,nsdelegate
";
        let found = mount_point(mounts, |kind, options| kind == "cgroup" && options.ends_with("pids"));
        assert_eq!(found.as_deref(), Some(Path::new("/sys/fs/cgroup/pids")));
        let found = mount_point(mounts, |kind, _| kind == "cgroup2");
        assert_eq!(found.as_deref(), Some(Path::new("/sys/fs/cgroup/unified")));
        assert_eq!(mount_point(mounts, |kind, _| kind == "ext4"), None);
    }
}
