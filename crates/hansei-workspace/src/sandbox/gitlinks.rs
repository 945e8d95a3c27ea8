//! The folders in which git expects other repositories, read from the index.
//!
//! Git enters them whenever somebody asks for the state of the work tree, and obeys the configuration that it finds
//! there. The index is read here rather than by git because a command should not wait for another program to start.

use std::path::{Path, PathBuf};

/// The mode of an entry that stands for another repository.
const GITLINK: u32 = 0o160_000;
/// Up to the name: times, device, owner, size, the object's name and flags.
const FIXED: usize = 62;
const OBJECT_NAME: usize = 20;

/// The folders that `index` lists as other repositories, or nothing where it is of a kind that only git reads.
pub(super) fn read(index: &[u8]) -> Option<Vec<PathBuf>> {
    let (mut at, version, count) = match index {
        [b'D', b'I', b'R', b'C', header @ ..] => (12, word(header, 0)?, word(header, 4)?),
        _ => return None,
    };
    if !(2..=4).contains(&version) {
        return None;
    }
    let mut found = Vec::new();
    let mut name: Vec<u8> = Vec::new();
    for _ in 0..count {
        let entry = index.get(at..)?;
        let mode = word(entry, 24)?;
        let extended = version >= 3 && entry.get(60)? & 0x40 != 0;
        let mut start = FIXED + if extended { 2 } else { 0 };
        if version == 4 {
            let (strip, read) = varint(entry.get(start..)?)?;
            name.truncate(name.len().checked_sub(strip)?);
            start += read;
        } else {
            name.clear();
        }
        let text = entry.get(start..)?;
        let length = text.iter().position(|byte| *byte == 0)?;
        name.extend_from_slice(&text[..length]);
        if mode == GITLINK {
            found.push(crate::layout::path_from_bytes(&name));
        }
        let end = start + length;
        at += if version == 4 { end + 1 } else { (end + 8) & !7 };
    }
    // An index that is split says so behind its entries, and then these are not all.
    while at + 8 + OBJECT_NAME <= index.len() {
        if index.get(at..at + 4)? == b"link" {
            return None;
        }
        at += 8 + usize::try_from(word(index.get(at..)?, 4)?).ok()?;
    }
    (at + OBJECT_NAME == index.len()).then_some(found)
}

/// The folders that git lists as other repositories below `root`.
pub(super) fn ask(root: &Path) -> Vec<PathBuf> {
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(10);
    let listed = crate::git::Git::new(root, deadline).and_then(|git| git.ask(&["ls-files", "--stage", "-z"]));
    listed
        .unwrap_or_default()
        .split(|byte| *byte == 0)
        .filter(|entry| entry.starts_with(b"160000 "))
        .filter_map(|entry| entry.splitn(2, |byte| *byte == b'\t').nth(1))
        .map(crate::layout::path_from_bytes)
        .collect()
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// A number as version 4 writes it, and how many bytes it takes.
fn varint(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut value = usize::from(*bytes.first()? & 0x7f);
    let mut read = 1;
    while bytes.get(read - 1)? & 0x80 != 0 {
        value = value.checked_add(1)?.checked_mul(128)? + usize::from(*bytes.get(read)? & 0x7f);
        read += 1;
    }
    Some((value, read))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn what_git_wrote_is_read_as_git_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let git = |arguments: &[&str]| {
            let mut command = Command::new("git");
            command.current_dir(folder.path()).env("GIT_CONFIG_GLOBAL", "/dev/null").args(arguments);
            assert!(command.output().unwrap().status.success(), "{arguments:?}");
        };
        git(&["init", "--quiet"]);
        for number in 0..40 {
            std::fs::write(folder.path().join(format!("file-{number}.txt")), "x").unwrap();
        }
        std::fs::write(folder.path().join("meant"), "x").unwrap();
        git(&["add", "."]);
        git(&["add", "--intent-to-add", "meant"]);
        let id = "1234567890123456789012345678901234567890";
        for place in ["vendor/one", "vendor/two", "z"] {
            git(&["update-index", "--add", "--cacheinfo", &format!("160000,{id},{place}")]);
        }
        for version in ["2", "3", "4"] {
            git(&["update-index", "--index-version", version]);
            let index = std::fs::read(folder.path().join(".git/index")).unwrap();
            let expected = ["vendor/one", "vendor/two", "z"].map(PathBuf::from);
            assert_eq!(read(&index).unwrap(), expected, "version {version}");
            assert_eq!(ask(folder.path()), expected);
            for cut in 0..index.len().min(400) {
                assert_eq!(read(&index[..cut]), None, "cut at {cut}");
            }
        }
        git(&["update-index", "--split-index"]);
        assert_eq!(read(&std::fs::read(folder.path().join(".git/index")).unwrap()), None);
    }
}
