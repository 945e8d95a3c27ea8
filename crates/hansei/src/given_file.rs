//! A file that an option names, or standard input for `-`.

use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// What is in the file that `option` names, which may be no larger than `most` bytes.
pub fn bytes(option: &str, file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let enough = most.saturating_add(1);
    let read = if file == Path::new("-") {
        std::io::stdin().take(enough).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(enough).read_to_end(&mut bytes))
    };
    let wrong = |what: &str| Failure::usage(format!("{option} {}: {what}", file.display()));
    read.map_err(|error| wrong(&error.to_string()))?;
    if bytes.len() as u64 > most {
        return Err(wrong(&format!("it is larger than {} MB", most >> 20)));
    }
    Ok(bytes)
}
