//! Sockets of other programs that lie where a sandboxed command can reach them.
//!
//! A socket with a path is no part of the network, so a network namespace does not hold it: whoever can see the file can
//! talk to whoever listens. The kernel lists all of them.

use std::path::{Path, PathBuf};

/// The sockets below `folders` that somebody listens at.
pub(super) fn below(folders: &[PathBuf]) -> Vec<PathBuf> {
    let Ok(list) = std::fs::read("/proc/net/unix") else { return Vec::new() };
    let mut found: Vec<_> = names(&list)
        .flat_map(|name| if name.is_absolute() { vec![name] } else { wherever_it_is(&name) })
        .filter_map(|path| path.canonicalize().ok())
        .filter(|path| folders.iter().any(|folder| path.starts_with(folder)))
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The paths in the kernel's list: the eighth column, where there is one. Names that begin with `@` belong to a network
/// namespace.
fn names(list: &[u8]) -> impl Iterator<Item = PathBuf> {
    list.split(|byte| *byte == b'\n').skip(1).filter_map(|line| {
        let mut rest = line;
        for _ in 0..7 {
            rest = rest.trim_ascii_start();
            let end = rest.iter().position(|byte| *byte == b' ')?;
            rest = &rest[end..];
        }
        let name = rest.strip_prefix(b" ")?;
        (!name.is_empty() && !name.starts_with(b"@")).then(|| crate::layout::path_from_bytes(name))
    })
}

/// A name that is not absolute is one from the folder of whoever bound it, which the list does not tell.
fn wherever_it_is(name: &Path) -> Vec<PathBuf> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    processes
        .filter(|entry| entry.file_name().to_string_lossy().bytes().all(|byte| byte.is_ascii_digit()))
        .filter_map(|entry| std::fs::read_link(entry.path().join("cwd")).ok())
        .map(|folder| folder.join(name))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_that_somebody_listens_at_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().canonicalize().unwrap().join("a name.sock");
        let _listener = std::os::unix::net::UnixListener::bind(&path).unwrap();
        assert_eq!(below(&[path.parent().unwrap().to_owned()]), [path.as_path()]);
        assert!(below(&[path.parent().unwrap().join("elsewhere")]).is_empty());
    }
}
