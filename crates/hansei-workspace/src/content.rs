//! What a file contained, as a short text that can be compared later.

use std::fs;
use std::io::Read;
use std::path::Path;

use sha1::{Digest, Sha1};

/// Files larger than this are known by size and time instead of content.
const LARGEST_READ: u64 = 8 * 1024 * 1024;

/// The content of the file at `path` as git's blob hash; `absent` when there is none; `stat:…` when it is too large to
/// read; `folder` for a folder; `special` for what is none of these. Links are not followed.
pub fn fingerprint(path: &Path) -> String {
    let Ok(meta) = fs::symlink_metadata(path) else {
        return "absent".to_owned();
    };
    if meta.is_symlink() {
        let target = fs::read_link(path).unwrap_or_default();
        return blob_hash(target.as_os_str().as_encoded_bytes());
    }
    if meta.is_dir() {
        return "folder".to_owned();
    }
    if !meta.is_file() {
        return "special".to_owned();
    }
    let by_stat = || {
        let changed = meta.modified().ok().and_then(|time| time.duration_since(std::time::UNIX_EPOCH).ok());
        format!("stat:{}:{}", meta.len(), changed.unwrap_or_default().as_nanos())
    };
    if meta.len() > LARGEST_READ {
        return by_stat();
    }
    let mut content = Vec::new();
    match fs::File::open(path).and_then(|file| file.take(LARGEST_READ + 1).read_to_end(&mut content)) {
        Ok(_) => blob_hash(&content),
        Err(_) => by_stat(),
    }
}

fn blob_hash(content: &[u8]) -> String {
    use std::fmt::Write as _;
    let mut hasher = Sha1::new();
    hasher.update(format!("blob {}\0", content.len()));
    hasher.update(content);
    let mut text = String::with_capacity(40);
    for byte in hasher.finalize() {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_is_gits() {
        // `printf 'hello\n' | git hash-object --stdin`
        assert_eq!(blob_hash(b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
    }

    #[test]
    fn what_is_not_a_file_has_a_name() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(fingerprint(&folder.path().join("x")), "absent");
        assert_eq!(fingerprint(folder.path()), "folder");
        let large = folder.path().join("large");
        fs::File::create(&large).unwrap().set_len(LARGEST_READ + 1).unwrap();
        assert!(fingerprint(&large).starts_with("stat:8388609:"));
    }
}
