//! Reflections on disk: `<session>-<time>.reflection.json`, written once and whole.

use std::io;

use hansei_core::reflection::Reflection;
use hansei_core::session_name;

use crate::folder::Folder;
use crate::redacted::Redacted;

const ENDING: &str = ".reflection.json";
const LARGEST: u64 = 64 * 1024 * 1024;

/// A reflection on disk.
#[derive(Debug)]
pub struct Stored {
    /// Its file name without the ending.
    pub id: String,
    /// What it says, or why it cannot be read.
    pub reflection: Result<Reflection, String>,
}

/// The file name of a reflection.
pub fn file_name(reflection: &Reflection) -> String {
    format!("{}-{}{ENDING}", session_name::safe(&reflection.session_id), reflection.timestamp.compact())
}

/// Writes `reflection`, redacted, under its name.
pub fn write(folder: &Folder, reflection: &Reflection) -> io::Result<String> {
    let name = file_name(reflection);
    folder.write_atomically(&name, &Redacted::new(reflection)?.pretty())?;
    Ok(name)
}

/// All reflections in `folder`, the newest first.
pub fn list(folder: &Folder) -> io::Result<Vec<Stored>> {
    let mut all: Vec<Stored> = folder
        .names()?
        .into_iter()
        .filter(|name| !name.starts_with('.'))
        .filter_map(|name| {
            let id = name.strip_suffix(ENDING)?.to_owned();
            let reflection = folder
                .read(&name, LARGEST)
                .map_err(|error| error.to_string())
                .and_then(|bytes| Reflection::from_json(&bytes).map_err(|error| error.to_string()));
            Some(Stored { id, reflection })
        })
        .collect();
    let moment =
        |stored: &Stored| stored.reflection.as_ref().ok().map(|reflection| reflection.timestamp.clone());
    all.sort_by(|a, b| moment(b).cmp(&moment(a)).then_with(|| b.id.cmp(&a.id)));
    Ok(all)
}
