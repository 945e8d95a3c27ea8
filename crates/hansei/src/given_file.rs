//! A file that an option names, or standard input for `-`.

use std::io::Read as _;
use std::path::Path;

use crate::failure::Failure;

/// What is in the file that `option` names, which may be no larger than `most` bytes.
pub fn bytes(option: &str, file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let bytes = beginning(option, file, most)?;
    if bytes.len() as u64 > most {
        let wrong = format!("{option} {}: it is larger than {} MB", file.display(), most >> 20);
        return Err(Failure::usage(wrong));
    }
    Ok(bytes)
}

/// The same, where whoever asked judges what is too large: of a larger file there is one byte more than `most`.
pub fn beginning(option: &str, file: &Path, most: u64) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    let enough = most.saturating_add(1);
    let read = if file == Path::new("-") {
        std::io::stdin().take(enough).read_to_end(&mut bytes)
    } else {
        std::fs::File::open(file).and_then(|file| file.take(enough).read_to_end(&mut bytes))
    };
    read.map_err(|error| Failure::usage(format!("{option} {}: {error}", file.display())))?;
    Ok(bytes)
}
