//! Space and inodes on the disks of the project, the temporary folder and the cache.

use std::path::PathBuf;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};

/// Less than this, and a build or a test that writes fails.
const LEAST_BYTES: u64 = 32 << 20;
const LEAST_INODES: u64 = 200;

pub(super) fn probe(ground: &Ground<'_>) {
    let temporary = ["TMPDIR", "TMP", "TEMP"].iter().find_map(|name| ground.variable(name));
    let temporary = PathBuf::from(temporary.unwrap_or("/tmp"));
    let home = ground.variable("HOME").map(PathBuf::from);
    let cache = ground.variable("XDG_CACHE_HOME").map(PathBuf::from).or_else(|| Some(home?.join(".cache")));
    let places = [
        ("the project's folder", Some(ground.tree.root().join(ground.tree.scope()))),
        ("the temporary folder", Some(temporary.clone())),
        ("the cache folder", cache),
    ];
    if !temporary.is_dir() {
        let named = ["TMPDIR", "TMP", "TEMP"].iter().find(|name| ground.variable(name).is_some());
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("the temporary folder {} does not exist", temporary.display()),
                named.map_or_else(|| "/tmp".to_owned(), |name| format!("the variable {name} names it")),
                format!("mkdir -p {}", temporary.display()),
            )
            .naming(["TMPDIR", "tmp"]),
        );
    }
    for (what, place) in places {
        let Some(place) = place else { continue };
        let Some((bytes, inodes)) = room(&place) else { continue };
        let lacks = if bytes < LEAST_BYTES {
            format!("{} kB", bytes >> 10)
        } else if inodes.is_some_and(|inodes| inodes < LEAST_INODES) {
            format!("{} inodes", inodes.unwrap_or(0))
        } else {
            continue;
        };
        ground.suspect(
            Suspicion::new(
                Probe::Disk,
                format!("the disk of {what} is full: {lacks} left"),
                place.display().to_string(),
                format!("make room: df -h {0}; du -xh {0} | sort -h | tail", place.display()),
            )
            .strength(Strength::Certain)
            .naming(["No space left on device", "ENOSPC", "Disk quota exceeded"]),
        );
    }
}

/// Free bytes, and free inodes where the file system counts them.
#[cfg(unix)]
fn room(place: &std::path::Path) -> Option<(u64, Option<u64>)> {
    let state = rustix::fs::statvfs(place).ok()?;
    // A file system that counts no blocks, such as an overlay of nothing, has nothing to say.
    (state.f_blocks > 0).then_some(())?;
    let inodes = (state.f_files > 0).then_some(state.f_favail);
    Some((state.f_bavail.saturating_mul(state.f_frsize), inodes))
}

#[cfg(not(unix))]
fn room(_: &std::path::Path) -> Option<(u64, Option<u64>)> {
    None
}
