//! A change as a unified diff whose context is the whole of each file, so that whoever reads it needs no other look.

use crate::git::{Git, GitError};

/// Which change.
#[derive(Debug, Clone, Copy)]
pub enum DiffOf<'a> {
    /// The work tree against a commit or tree, without what git does not know.
    WorkTreeSince(&'a str),
    /// What is staged against a commit or tree.
    StagedSince(&'a str),
}

/// The diff. Renames are found, binary files are named and no more.
pub fn whole_diff(git: &Git, of: DiffOf<'_>) -> Result<String, GitError> {
    whole_diff_of(git, of, &[])
}

/// The diff of these paths alone; of all where none is named.
pub fn whole_diff_of(git: &Git, of: DiffOf<'_>, paths: &[&str]) -> Result<String, GitError> {
    let paths: Vec<String> = paths.iter().map(|path| format!(":(top,literal){path}")).collect();
    let mut args = vec![
        "diff",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--find-renames",
        "--unified=1000000",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "--ignore-submodules=all",
        "--no-indent-heuristic",
        "--diff-algorithm=histogram",
    ];
    let base = match of {
        DiffOf::WorkTreeSince(base) => base,
        DiffOf::StagedSince(base) => {
            args.push("--cached");
            base
        }
    };
    args.extend(["--end-of-options", base, "--"]);
    args.extend(paths.iter().map(String::as_str));
    Ok(String::from_utf8_lossy(&git.ask(&args)?).into_owned())
}
