//! A checkout that belongs to somebody else: git refuses to work in it. And submodules that are not at their commit.

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use crate::git::Git;

static CALLS: Pattern = Pattern::new(
    r#"(?:^|[\s;&|(@$`"'])git\s+(?:-C\s+\S+\s+)?(?:rev-parse|describe|log|status|diff|show|ls-files|rev-list|symbolic-ref|branch|tag|config|archive|submodule)\b|["']git["']|setuptools[-_]scm|hatch-vcs|versioneer"#,
);

pub(super) fn probe(ground: &Ground<'_>) {
    owner(ground);
    submodule_commits(ground);
}

#[cfg(unix)]
fn owner(ground: &Ground<'_>) {
    use std::os::unix::fs::MetadataExt as _;
    let root = ground.tree.root();
    let me = rustix::process::geteuid().as_raw();
    let by_sudo = ground.variable("SUDO_UID").and_then(|it| it.parse::<u32>().ok()).filter(|_| me == 0);
    let strange = [root.join(".git"), root.to_owned()].into_iter().find_map(|path| {
        let owner = path.symlink_metadata().ok()?.uid();
        (owner != me && Some(owner) != by_sudo).then_some((path, owner))
    });
    let Some((path, owner)) = strange.filter(|_| ground.is_repository && !is_trusted(ground)) else { return };
    let shown = if path == root { "the project's folder" } else { ".git" };
    let caller = caller(ground);
    let stamps = ground.tree.named("go.mod").next().is_some();
    ground.suspect(
        Suspicion::new(
            Probe::Permissions,
            format!("{shown} belongs to another user (number {owner}), so git refuses the repository: dubious ownership (safe.directory)"),
            caller.clone().unwrap_or_else(|| format!("this user has the number {me}")),
            format!("chown -R \"$USER\" {0}, or git config --global --add safe.directory {0}", root.display()),
        )
        .strength(if caller.is_some() || stamps { Strength::Likely } else { Strength::Hinted })
        .naming(["dubious ownership", "safe.directory", "VCS status", "not a git repository"]),
    );
}

#[cfg(not(unix))]
fn owner(_: &Ground<'_>) {}

/// Whether the user's own settings trust the folder.
fn is_trusted(ground: &Ground<'_>) -> bool {
    let home = ground.variable("HOME").unwrap_or("/");
    let global = ground.variable("GIT_CONFIG_GLOBAL").map(std::path::PathBuf::from);
    let own = if let Some(global) = global {
        vec![global]
    } else {
        let xdg = ground.variable("XDG_CONFIG_HOME").map_or_else(|| format!("{home}/.config"), str::to_owned);
        vec![format!("{home}/.gitconfig").into(), format!("{xdg}/git/config").into()]
    };
    let root = ground.tree.root().display().to_string();
    let by_variable = ground
        .environment
        .iter()
        .any(|(name, value)| name.starts_with("GIT_CONFIG_KEY") && value.to_lowercase() == "safe.directory");
    by_variable
        || own.into_iter().chain(["/etc/gitconfig".into()]).any(|file| {
            let text = super::git_state::read_small(&file).unwrap_or_default();
            text.lines().any(|line| {
                let Some((key, value)) = line.split_once('=') else { return false };
                let value = value.trim().trim_matches('"');
                key.trim().eq_ignore_ascii_case("directory")
                    && (value == "*"
                        || value == root
                        || value.strip_suffix("/*").is_some_and(|it| root.starts_with(it)))
            })
        })
}

/// Where the project itself calls git.
fn caller(ground: &Ground<'_>) -> Option<String> {
    let tree = &ground.tree;
    let endings = [".py", ".js", ".mjs", ".ts", ".go", ".rs", ".java", ".rb", ".toml", ".cfg"];
    let scripts = ground.scripts().all.iter().map(|it| it.path.as_str());
    let files = tree.examined(&endings).map(|it| it.path.as_str());
    let mut all = scripts.chain(files);
    all.find_map(|path| {
        let text = tree.text(path)?;
        let hit = CALLS.first(&text)?;
        Some(format!("{path}:{} calls git", hit.line()))
    })
}

/// Submodules whose content is of another commit than the repository asks for.
fn submodule_commits(ground: &Ground<'_>) {
    if !ground.is_repository || !ground.tree.has(".gitmodules") {
        return;
    }
    let Ok(git) = Git::new(ground.tree.root(), ground.deadline) else { return };
    let Ok(answer) = git.ask(&["ls-files", "-z", "--stage"]) else { return };
    for entry in String::from_utf8_lossy(&answer).split('\0').filter(|it| it.starts_with("160000 ")) {
        let Some((head, path)) = entry.split_once('\t') else { continue };
        let wanted = head.split(' ').nth(1).unwrap_or_default();
        let Some(found) = commit_at(ground, path).filter(|it| it != wanted && !wanted.is_empty()) else {
            continue;
        };
        let short = |commit: &str| commit.chars().take(10).collect::<String>();
        ground.suspect(
            Suspicion::new(
                Probe::GitState,
                format!(
                    "the submodule {path} is at {}, and the repository asks for {}",
                    short(&found),
                    short(wanted)
                ),
                format!("git submodule status {path}"),
                format!("git submodule update --init {path}"),
            )
            .naming([path.to_owned(), super::tree::base(path).to_owned()]),
        );
    }
}

/// The commit that is checked out in a submodule.
fn commit_at(ground: &Ground<'_>, path: &str) -> Option<String> {
    let folder = ground.tree.root().join(path);
    let dot_git = folder.join(".git");
    let git = if dot_git.is_dir() {
        dot_git
    } else {
        folder.join(super::git_state::read_small(&dot_git)?.strip_prefix("gitdir: ")?.trim())
    };
    let head = super::git_state::read_small(&git.join("HEAD"))?;
    let Some(name) = head.trim().strip_prefix("ref: ") else { return Some(head.trim().to_owned()) };
    if let Some(commit) = super::git_state::read_small(&git.join(name)) {
        return Some(commit.trim().to_owned());
    }
    let packed = super::git_state::read_small(&git.join("packed-refs"))?;
    packed.lines().find_map(|line| Some(line.strip_suffix(&format!(" {name}"))?.to_owned()))
}
