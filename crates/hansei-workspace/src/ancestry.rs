//! The programs that started this one, from the nearest on. Where the system does not say, there are none.

use std::path::PathBuf;

/// How far up is looked.
const FARTHEST: usize = 24;
const LONGEST: usize = 64 * 1024;

/// The command lines of the processes above this one, the nearest first.
pub fn command_lines() -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let mut process = parent(&PathBuf::from("/proc/self"));
    while let Some(id) = process.filter(|id| *id > 1 && found.len() < FARTHEST) {
        let folder = PathBuf::from(format!("/proc/{id}"));
        found.push(command_line(&folder));
        process = parent(&folder);
    }
    found
}

fn command_line(process: &std::path::Path) -> Vec<String> {
    let mut bytes = std::fs::read(process.join("cmdline")).unwrap_or_default();
    bytes.truncate(LONGEST);
    let words = bytes.split(|byte| *byte == 0).filter(|word| !word.is_empty());
    words.map(|word| String::from_utf8_lossy(word).into_owned()).collect()
}

/// The parent stands second behind the name, which is in brackets and may hold anything.
fn parent(process: &std::path::Path) -> Option<u32> {
    let stat = std::fs::read_to_string(process.join("stat")).ok()?;
    let (_, behind) = stat.rsplit_once(')')?;
    behind.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn whoever_started_this_test_is_found() {
        let lines = command_lines();
        assert!(!lines.is_empty() && lines.iter().any(|line| !line.is_empty()), "{lines:?}");
    }
}
