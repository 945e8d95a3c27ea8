//! Git's `pre-commit` hook: what is staged is held against the decisions of the repository.
//!
//! A hook that is already there is kept beside ours and called first. Where that cannot be done safely nothing is changed.
//! What is taken out is exactly what was put in: our part of the file, and the file where nothing else is in it.

mod part;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use hansei_agents::hook_command::quoted;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use self::part::Others;
use crate::failure::Failure;
use crate::workspace::Workspace;

const HOOK: &str = "pre-commit";
/// Where a hook that was there before is kept.
const KEPT: &str = "pre-commit.before-hansei";
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

/// A hook file, and whose it is.
#[derive(Debug)]
enum Hook {
    Missing,
    /// There is no part of ours in it.
    Theirs(Vec<u8>),
    /// Our part is in it, beside what others wrote.
    Ours(Others),
}

impl Hook {
    /// The hook in the text of `file`.
    fn of(file: &Path, there: Option<Vec<u8>>) -> Result<Self, Failure> {
        let Some(text) = there else { return Ok(Self::Missing) };
        let others = part::taken_out(&text).map_err(|_| changed(file))?;
        Ok(others.map_or(Self::Theirs(text), Self::Ours))
    }
}

/// Puts the hook in its place. Gives what was done, and the file.
pub fn install(dry_run: bool) -> Result<(Done, PathBuf), Failure> {
    let folder = folder()?;
    let file = folder.path.join(HOOK);
    let there = what_is_at(&file).map_err(|why| refused(&file, why))?;
    let program = program(&folder)?;
    let done = match Hook::of(&file, there.clone())? {
        Hook::Ours(others) => {
            let renewed = others.with_part(&program);
            if !dry_run {
                clear_kept(&folder)?;
            }
            if there.as_deref() == Some(&renewed) {
                Done::WasInstalled
            } else {
                if !dry_run {
                    write(&file, &renewed)?;
                }
                Done::Installed
            }
        }
        Hook::Theirs(text) => {
            install_beside(&folder, &file, &text, &program, dry_run)?;
            Done::InstalledBeside
        }
        Hook::Missing => {
            let missing = folder.path.ancestors().take_while(|path| !path.exists()).count();
            if !dry_run {
                std::fs::create_dir_all(&folder.path)?;
                write(&file, &Others::nobody(missing).with_part(&program))?;
            }
            Done::Installed
        }
    };
    Ok((done, file))
}

/// Puts our hook where `theirs` is, which is kept beside it.
fn install_beside(
    folder: &HookFolder,
    file: &Path,
    theirs: &[u8],
    program: &str,
    dry_run: bool,
) -> Result<(), Failure> {
    let kept = folder.path.join(KEPT);
    if kept_without_ours(folder)?.is_some() {
        return Err(refused(file, &format!("{} is there already", kept.display())));
    }
    may_be_renamed(theirs).map_err(|why| refused(file, why))?;
    if dry_run {
        return Ok(());
    }
    std::fs::rename(file, &kept)?;
    write(file, &Others::nobody(0).with_part(program)).inspect_err(|_| {
        // The error that is told is the first.
        let _ = std::fs::rename(&kept, file);
    })
}

/// Takes the hook out. Gives what was done, and the file.
pub fn uninstall(dry_run: bool) -> Result<(Done, PathBuf), Failure> {
    let folder = folder()?;
    let file = folder.path.join(HOOK);
    let there = match what_is_at(&file) {
        Ok(there) => there,
        Err(_) if !is_ours_elsewhere(&file) => return Ok((Done::NotInstalled, file)),
        Err(why) => return Err(by_hand(&file, &format!("holds Hansei's part, but {why}"))),
    };
    let Hook::Ours(others) = Hook::of(&file, there)? else { return Ok((Done::NotInstalled, file)) };
    let left = others.without_part().map_err(|_| changed(&file))?;
    let kept = kept_without_ours(&folder)?;
    if left.is_some() && kept.is_some() {
        let why =
            format!("has lines of others beside Hansei's, and the hook that was there before is {KEPT}");
        return Err(by_hand(&file, &why));
    }
    if !dry_run {
        clear_kept(&folder)?;
        match (&left, &kept) {
            (Some(left), _) => write(&file, left)?,
            (None, Some(_)) => std::fs::rename(folder.path.join(KEPT), &file)?,
            (None, None) => {
                std::fs::remove_file(&file)?;
                remove_empty(&folder.path, others.folders);
            }
        }
    }
    Ok((if kept.is_some() { Done::RemovedAndRestored } else { Done::Removed }, file))
}

/// The hook that is kept beside ours, without a part of ours that went there by mistake; nothing where there is none.
fn kept_without_ours(folder: &HookFolder) -> Result<Option<Vec<u8>>, Failure> {
    let kept = folder.path.join(KEPT);
    let Ok(there) = what_is_at(&kept) else { return Ok(Some(Vec::new())) };
    match Hook::of(&kept, there)? {
        Hook::Missing => Ok(None),
        Hook::Theirs(text) => Ok(Some(text)),
        Hook::Ours(others) => others.without_part().map_err(|_| changed(&kept)),
    }
}

/// Takes our part out of the hook that is kept: ours calls that one, and must not call itself.
fn clear_kept(folder: &HookFolder) -> Result<(), Failure> {
    let kept = folder.path.join(KEPT);
    let there = what_is_at(&kept).unwrap_or_default();
    if !matches!(Hook::of(&kept, there)?, Hook::Ours(_)) {
        return Ok(());
    }
    match kept_without_ours(folder)? {
        Some(theirs) => write(&kept, &theirs),
        None => Ok(std::fs::remove_file(&kept)?),
    }
}

/// Removes the innermost `count` folders of `path`, as far as they are empty.
fn remove_empty(path: &Path, count: usize) {
    for folder in path.ancestors().take(count) {
        if std::fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

/// Whether something that is no plain file leads to a part of ours.
fn is_ours_elsewhere(file: &Path) -> bool {
    let is_script = file.metadata().is_ok_and(|meta| meta.is_file() && meta.len() <= LARGEST);
    is_script && std::fs::read(file).is_ok_and(|text| !matches!(part::taken_out(&text), Ok(None)))
}

fn refused(file: &Path, why: &str) -> Failure {
    Failure::environment(format!("{} cannot be kept beside another hook: {why}", file.display()))
        .hint("add `hansei decisions check --staged` to it by hand; nothing was changed")
}

fn changed(file: &Path) -> Failure {
    by_hand(file, "was changed since it was put there, inside Hansei's part")
}

fn by_hand(file: &Path, why: &str) -> Failure {
    Failure::environment(format!("{} {why}", file.display()))
        .hint("take out what Hansei put there by hand; nothing was changed")
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

/// The hook that is there, if any, or why it is not looked into.
fn what_is_at(file: &Path) -> Result<Option<Vec<u8>>, &'static str> {
    match file.symlink_metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Ok(meta) if !meta.is_file() => Err("it is not a plain file"),
        Ok(meta) if meta.len() > LARGEST => Err("it is larger than a script"),
        _ => std::fs::read(file).map(Some).map_err(|_| "it cannot be read"),
    }
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

/// The program that the hook calls, as a shell reads it.
fn program(folder: &HookFolder) -> Result<String, Failure> {
    // A folder of the work tree is for everybody: no path of this machine belongs there.
    if folder.shared {
        return Ok("hansei".to_owned());
    }
    Ok(quoted(&std::env::current_exe()?.to_string_lossy()))
}

/// Writes a hook at once; one that was there keeps its permissions.
fn write(file: &Path, text: &[u8]) -> Result<(), Failure> {
    let mut temporary = tempfile::NamedTempFile::new_in(file.parent().unwrap_or(Path::new(".")))?;
    temporary.write_all(text)?;
    temporary.as_file().sync_all()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = file.metadata().map_or(0o755, |meta| meta.permissions().mode());
        temporary.as_file().set_permissions(std::fs::Permissions::from_mode(mode))?;
    }
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}
