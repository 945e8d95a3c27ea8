//! Git's `pre-commit` hook: what is staged is held against the decisions of the repository.
//!
//! A hook that is already there is kept beside ours and called first. Where that cannot be done safely nothing is changed.
//! What is taken out is exactly what was put in.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansei_agents::hook_command::quoted;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use crate::failure::Failure;
use crate::workspace::Workspace;

const HOOK: &str = "pre-commit";
/// Where a hook that was there before is kept.
const KEPT: &str = "pre-commit.before-hansei";
/// The second line of our hook: by this it is known.
const MARK: &str =
    "# Put here by `hansei install --before-commit`; `hansei uninstall --before-commit` takes it out.";
const PATIENCE: Duration = Duration::from_secs(30);
/// The largest hook that is looked into.
const LARGEST: u64 = 1 << 20;

/// Where git looks for hooks, and whether the folder is part of the work tree.
#[derive(Debug)]
struct HookFolder {
    path: PathBuf,
    shared: bool,
}

/// What was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Done {
    /// The hook is in its place now.
    Installed,
    /// The same, and the hook that was there is called first.
    InstalledBeside,
    /// It was in its place before.
    WasInstalled,
    /// It is taken out.
    Removed,
    /// The same, and the hook that was there before is back.
    RemovedAndRestored,
    /// There is none of ours.
    NotInstalled,
}

impl Done {
    /// In words.
    pub fn told(self) -> &'static str {
        match self {
            Self::Installed => "commits are held against the decisions of this repository",
            Self::InstalledBeside => {
                "commits are held against the decisions of this repository, behind the hook that was there"
            }
            Self::WasInstalled => "commits are already held against the decisions of this repository",
            Self::Removed => "commits are no longer held against the decisions of this repository",
            Self::RemovedAndRestored => {
                "commits are no longer held against the decisions of this repository; the hook that was there is back"
            }
            Self::NotInstalled => "no hook of Hansei's is there",
        }
    }
}

/// Puts the hook in its place. Gives what was done, and the file.
pub fn install(dry_run: bool) -> Result<(Done, PathBuf), Failure> {
    let folder = folder()?;
    let file = folder.path.join(HOOK);
    let kept = folder.path.join(KEPT);
    let script = script(&folder)?;
    let there = what_is_at(&file)?;
    if there.as_deref().is_some_and(is_ours) {
        if there.as_deref() == Some(script.as_bytes()) {
            return Ok((Done::WasInstalled, file));
        }
        if !dry_run {
            write(&folder.path, &file, &script)?;
        }
        return Ok((Done::Installed, file));
    }
    if there.is_some() && kept.symlink_metadata().is_ok() {
        return Err(refused(&file, &format!("{} is there already", kept.display())));
    }
    if let Some(text) = &there {
        may_be_renamed(text).map_err(|why| refused(&file, why))?;
    }
    if !dry_run {
        std::fs::create_dir_all(&folder.path)?;
        if there.is_some() {
            std::fs::rename(&file, &kept)?;
        }
        if let Err(error) = write(&folder.path, &file, &script) {
            if there.is_some() {
                std::fs::rename(&kept, &file)?;
            }
            return Err(error);
        }
    }
    Ok((if there.is_some() { Done::InstalledBeside } else { Done::Installed }, file))
}

/// Takes the hook out. Gives what was done, and the file.
pub fn uninstall(dry_run: bool) -> Result<(Done, PathBuf), Failure> {
    let folder = folder()?;
    let file = folder.path.join(HOOK);
    let kept = folder.path.join(KEPT);
    let Some(there) = what_is_at(&file)? else { return Ok((Done::NotInstalled, file)) };
    if !is_ours(&there) {
        return Ok((Done::NotInstalled, file));
    }
    let body = |text: &str| text.split_once(CALLED).map(|(_, body)| body.to_owned());
    let script = script(&folder)?;
    if std::str::from_utf8(&there).ok().and_then(body) != body(&script) {
        return Err(Failure::environment(format!("{} was changed since it was put there", file.display()))
            .hint("take out what Hansei put there by hand; nothing was changed"));
    }
    let restores = kept.symlink_metadata().is_ok();
    if !dry_run {
        std::fs::remove_file(&file)?;
        if restores {
            std::fs::rename(&kept, &file)?;
        }
    }
    Ok((if restores { Done::RemovedAndRestored } else { Done::Removed }, file))
}

fn refused(file: &Path, why: &str) -> Failure {
    Failure::environment(format!("{} cannot be kept beside another hook: {why}", file.display()))
        .hint("add `hansei decisions check --staged` to it by hand; nothing was changed")
}

/// The folder of this repository's hooks.
fn folder() -> Result<HookFolder, Failure> {
    let workspace = Workspace::at(None)?;
    let Layout::WorkTree { root, .. } = &workspace.layout else {
        return Err(Failure::usage("there is no work tree here whose commits could be looked at"));
    };
    let git = Git::new(root, Instant::now() + PATIENCE)?;
    let common = git.ask(&["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
    let common = PathBuf::from(String::from_utf8_lossy(&common).trim_end_matches('\n'));
    let named = git.ask_maybe(&["config", "--show-scope", "-z", "--get-all", "core.hooksPath"])?;
    let named = named.unwrap_or_default();
    let fields: Vec<&[u8]> = named.split(|byte| *byte == 0).collect();
    // What we tell git ourselves, so that it runs no hook of anybody's, is of the scope `command`.
    let said = fields.chunks_exact(2).rfind(|pair| pair[0] != b"command");
    let Some([scope, path]) = said else {
        return Ok(HookFolder { path: common.join("hooks"), shared: false });
    };
    let path = String::from_utf8_lossy(path).into_owned();
    if !matches!(*scope, b"local" | b"worktree") {
        return Err(Failure::environment(format!(
            "core.hooksPath ({path}) is set for all your repositories, so a hook there would be for all of them"
        ))
        .hint("set core.hooksPath in this repository, or call `hansei decisions check --staged` in your own hook"));
    }
    let folder = root.join(&path);
    let inside = |parent: &Path| {
        let whole = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        parent.canonicalize().is_ok_and(|parent| whole.starts_with(parent))
    };
    if path.starts_with('~')
        || folder.components().any(|part| part.as_os_str() == "..")
        || !(inside(root) || inside(&common))
    {
        return Err(Failure::environment(format!(
            "core.hooksPath ({path}) lies outside this repository, so others may use it too"
        ))
        .hint("call `hansei decisions check --staged` in your own hook"));
    }
    let shared = inside(root) && !inside(&common);
    Ok(HookFolder { path: folder, shared })
}

/// The hook that is there, if any.
fn what_is_at(file: &Path) -> Result<Option<Vec<u8>>, Failure> {
    match file.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.into()),
        Ok(meta) if !meta.is_file() => Err(refused(file, "it is not a plain file")),
        Ok(meta) if meta.len() > LARGEST => Err(refused(file, "it is larger than a script")),
        Ok(_) => Ok(Some(std::fs::read(file)?)),
    }
}

fn is_ours(hook: &[u8]) -> bool {
    hook.split(|byte| *byte == b'\n').nth(1) == Some(MARK.as_bytes())
}

/// Whether a hook works under another name: one that looks at what it is called does not.
fn may_be_renamed(hook: &[u8]) -> Result<(), &'static str> {
    let Ok(text) = std::str::from_utf8(hook) else { return Err("it is no script") };
    if !text.starts_with("#!") {
        return Err("it does not say by what it is run");
    }
    let mut bare = text.to_owned();
    for folder_of_it in [
        "dirname \"$0\"",
        "dirname -- \"$0\"",
        "dirname $0",
        "dirname \"${BASH_SOURCE[0]}\"",
        "dirname -- \"${BASH_SOURCE[0]}\"",
    ] {
        bare = bare.replace(folder_of_it, "");
    }
    let named = ["$0", "${0", "BASH_SOURCE", "basename", "argv[0]", "__FILE__", "__file__", "process.argv"];
    if named.iter().any(|word| bare.contains(word)) {
        return Err("it looks at its own name");
    }
    Ok(())
}

/// Begins the line that says which program is called.
const CALLED: &str = "\nhansei=";

fn script(folder: &HookFolder) -> Result<String, Failure> {
    // A folder of the work tree is for everybody: no path of this machine belongs there.
    let program =
        if folder.shared { "hansei".to_owned() } else { quoted(&std::env::current_exe()?.to_string_lossy()) };
    Ok(format!(
        r#"#!/bin/sh
{MARK}{CALLED}{program}
kept="$(dirname "$0")/{KEPT}"
if [ -x "$kept" ]; then
    "$kept" "$@" || exit $?
fi
if ! command -v "$hansei" >/dev/null 2>&1; then
    hansei=hansei
fi
if ! command -v "$hansei" >/dev/null 2>&1; then
    echo "hansei was not found: this commit was not held against the decisions of the repository" >&2
    exit 0
fi
"$hansei" decisions check --staged ${{GIT_INDEX_FILE:+--index "$GIT_INDEX_FILE"}} >&2
case $? in
0) exit 0 ;;
1) exit 1 ;;
esac
echo "this commit could not be held against the decisions of the repository" >&2
exit 0
"#
    ))
}

fn write(folder: &Path, file: &Path, script: &str) -> Result<(), Failure> {
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    temporary.write_all(script.as_bytes())?;
    temporary.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        temporary.as_file().set_permissions(std::fs::Permissions::from_mode(0o755))?;
    }
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}
