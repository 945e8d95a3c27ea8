//! Paths in temporary folders: what lies there has another name in every run, unless it is a checkout.

/// Folders of systems for what is temporary.
const ROOTS: &[&str] = &["/tmp/", "/var/tmp/", "/var/folders/", "/private/", "/dev/shm/", "/run/user/"];

/// Whether an absolute path leads to a temporary folder.
pub(super) fn is_temporary(path: &str, parts: &[&str]) -> bool {
    let folders = &parts[..parts.len().saturating_sub(1)];
    ROOTS.iter().any(|root| path.starts_with(root))
        || folders.iter().any(|part| part.eq_ignore_ascii_case("temp") || part.eq_ignore_ascii_case("tmp"))
}

/// Whether a name was made up by a program: `tmpk3j2h1`, `build-abcdef`, `tmp.QwErTy`.
pub(super) fn is_made_up(name: &str) -> bool {
    let stem = name
        .rsplit_once('.')
        .filter(|(stem, _)| !stem.is_empty() && *stem != "tmp")
        .map_or(name, |(stem, _)| stem);
    if stem.len() > 3 && stem.to_ascii_lowercase().starts_with("tmp") {
        return true;
    }
    let last = stem.rsplit(['-', '_', '.']).next().unwrap_or(stem);
    last.len() >= 6 && last.is_ascii() && is_scrambled(last)
}

fn is_scrambled(name: &str) -> bool {
    let changes =
        |is: fn(&u8) -> bool| name.as_bytes().windows(2).filter(|pair| is(&pair[0]) != is(&pair[1])).count();
    let is_hex = name.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f'));
    is_hex || changes(u8::is_ascii_digit) >= 2 || changes(u8::is_ascii_uppercase) >= 3
}
