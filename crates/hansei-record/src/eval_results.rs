//! The results of the latest run of evals, in `results/latest.json` beside the eval file. The folder ignores itself in git.

use std::io;
use std::path::{Path, PathBuf};

use crate::folder::Folder;
use crate::redacted::Redacted;

const FOLDER: &str = "results";
const LATEST: &str = "latest.json";

/// Writes the results of a run, whole or not at all, below the folder of the eval file. Gives where.
pub fn write(beside: &Path, results: &Redacted) -> io::Result<PathBuf> {
    let folder = Folder::existing(beside)?.child(FOLDER)?;
    folder.write_once(".gitignore", b"*\n")?;
    folder.write_atomically(LATEST, &results.pretty())?;
    Ok(beside.join(FOLDER).join(LATEST))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn results_are_replaced_whole_and_hold_no_secret() {
        let folder = tempfile::tempdir().unwrap();
        let secret = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
        for run in [json!({ "n": 1, "text": secret }), json!({ "n": 2, "text": secret })] {
            write(folder.path(), &Redacted::new(&run).unwrap()).unwrap();
        }
        let results = folder.path().join("results");
        let written = std::fs::read_to_string(results.join("latest.json")).unwrap();
        assert!(written.contains("\"n\": 2") && !written.contains(secret), "{written}");
        assert_eq!(std::fs::read_dir(&results).unwrap().count(), 2);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_the_place_of_the_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(elsewhere.path(), folder.path().join("results")).unwrap();
        assert!(write(folder.path(), &Redacted::new(&1).unwrap()).is_err());
        assert_eq!(std::fs::read_dir(elsewhere.path()).unwrap().count(), 0);
    }
}
