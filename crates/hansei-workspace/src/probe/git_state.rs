//! The state of the repository: something half done, conflict markers, content that was never fetched, a lock left behind.

use std::cell::OnceCell;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::pattern::Pattern;
use super::source_text::{Language, bare, code};
use super::tree::base;
use crate::git::Git;

static SUBMODULE: Pattern = Pattern::new(r"^\s*path\s*=\s*(.+?)\s*$");
static HERE_TEXT: Pattern = Pattern::new(r#"<<[-~]?['"]?([A-Za-z_]\w*)['"]?"#);
static LFS: &[u8] = b"version https://git-lfs.github.com/spec/v1";

/// What is half done, the file that tells, and how it ends.
const HALF_DONE: &[(&str, &str, &str)] = &[
    ("MERGE_HEAD", "a merge", "git merge --continue, or git merge --abort"),
    ("rebase-merge", "a rebase", "git rebase --continue, or git rebase --abort"),
    ("rebase-apply", "a rebase", "git rebase --continue, or git rebase --abort"),
    ("CHERRY_PICK_HEAD", "a cherry-pick", "git cherry-pick --continue, or git cherry-pick --abort"),
    ("REVERT_HEAD", "a revert", "git revert --continue, or git revert --abort"),
    ("BISECT_LOG", "a bisection", "git bisect reset"),
];

pub(super) fn probe(ground: &Ground<'_>) {
    conflicts(ground);
    submodules(ground);
    pointers(ground);
    super::git_owner::probe(ground);
    let Some(git) = git_dir(ground) else { return };
    for (name, what, fix) in HALF_DONE {
        if git.join(name).exists() {
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("{what} is in progress"),
                    format!(".git/{name} is there"),
                    *fix,
                )
                .strength(Strength::Likely)
                .naming([*name, "unmerged", "merge", "rebas"]),
            );
        }
    }
    left_locks(ground, &git);
    shallow(ground, &git);
    super::git_branch::probe(ground, &git);
}

fn git_dir(ground: &Ground<'_>) -> Option<PathBuf> {
    let dot_git = ground.tree.root().join(".git");
    if dot_git.is_dir() {
        return Some(dot_git);
    }
    let text = read_small(&dot_git)?;
    let named = text.strip_prefix("gitdir: ")?.trim();
    let folder = ground.tree.root().join(named);
    if !folder.is_dir() {
        ground.suspect(
            Suspicion::new(
                Probe::GitState,
                format!(".git names {named:?} as the repository, which does not exist"),
                ".git:1".to_owned(),
                "git worktree repair in the main repository, or clone again".to_owned(),
            )
            .strength(Strength::Certain)
            .naming(["not a git repository"]),
        );
        return None;
    }
    Some(folder)
}

pub(super) fn read_small(file: &Path) -> Option<String> {
    (file.metadata().ok()?.len() < 64 << 10).then_some(())?;
    std::fs::read_to_string(file).ok()
}

fn conflicts(ground: &Ground<'_>) {
    let unmerged = OnceCell::new();
    for file in ground.tree.files() {
        // Prose underlines its headings with the same signs.
        let skipped = [".md", ".rst", ".txt", ".adoc", ".diff", ".patch", ".orig"]
            .iter()
            .any(|ending| file.path.ends_with(ending));
        if skipped || !ground.tree.is_examined(&file.path) || file.size > 256 << 10 {
            continue;
        }
        let Some(text) = ground.tree.text(&file.path) else { continue };
        if !text.contains("<<<<<<< ") {
            continue;
        }
        // A text that speaks of markers, as tests of merge tools hold it, is none; unless git itself left it so.
        let outside = outside_of_texts(&file.path, &text);
        let is_unmerged = || {
            let unmerged = unmerged.get_or_init(|| unmerged_paths(ground));
            unmerged.contains(&file.path)
        };
        let mut opened_at = None;
        let mut halved = false;
        for (at, line) in text.lines().enumerate() {
            match opened_at {
                None if line.starts_with("<<<<<<< ") => opened_at = Some(at + 1),
                Some(_) if line == "=======" => halved = true,
                Some(begin) if halved && line.starts_with(">>>>>>> ") => {
                    let is_code =
                        outside.lines().nth(begin - 1).is_some_and(|line| line.starts_with("<<<<<<< "));
                    if !is_code && !is_unmerged() {
                        (opened_at, halved) = (None, false);
                        continue;
                    }
                    ground.suspect(
                        Suspicion::new(
                            Probe::GitState,
                            format!("{} holds conflict markers of a merge", file.path),
                            format!("{}:{begin}", file.path),
                            format!("resolve the conflict in {} and git add it", file.path),
                        )
                        .strength(Strength::Certain)
                        .naming([file.path.clone(), base(&file.path).to_owned()]),
                    );
                    break;
                }
                _ => {}
            }
        }
    }
}

/// The file without what stands in texts that go over several lines.
fn outside_of_texts(path: &str, text: &str) -> String {
    match path.rsplit('.').next() {
        Some("py" | "java" | "kt" | "toml" | "swift" | "scala") => code(text, Language::Python),
        Some("js" | "ts" | "mjs" | "cjs" | "tsx" | "jsx" | "go") => code(text, Language::JavaScript),
        Some("rs") => bare(text, Language::Rust),
        Some("sh" | "bash" | "rb" | "php" | "pl") => {
            let mut end: Option<&str> = None;
            let lines = text.lines().map(|line| {
                if end.is_some_and(|end| line.trim() == end) {
                    end = None;
                } else if end.is_none() {
                    end = HERE_TEXT.first(line).map(|hit| hit.group(1));
                    return line;
                }
                if end.is_some() { "" } else { line }
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Some(
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "cs" | "json" | "yaml" | "yml" | "ini" | "cfg"
            | "conf" | "html" | "css" | "scss" | "less" | "vue" | "svelte" | "sql" | "xml" | "gradle"
            | "properties" | "cmake" | "mk" | "lock" | "mod" | "sum" | "proto" | "tf" | "lua" | "ex" | "exs"
            | "dart",
        ) => text.to_owned(),
        // A name without an ending is a file of some tool; any other kind of file may be data that holds whatever it likes.
        _ if !path.rsplit('/').next().unwrap_or(path).contains('.') => text.to_owned(),
        _ => String::new(),
    }
}

/// What git's index holds in several versions.
fn unmerged_paths(ground: &Ground<'_>) -> Vec<String> {
    let ask = || {
        let git = Git::new(ground.tree.root(), ground.deadline).ok()?;
        git.ask(&["ls-files", "-z", "--unmerged"]).ok()
    };
    let answer = if ground.is_repository { ask().unwrap_or_default() } else { Vec::new() };
    let entries = answer.split(|byte| *byte == 0).map(|entry| String::from_utf8_lossy(entry).into_owned());
    entries.filter_map(|entry| Some(entry.split_once('\t')?.1.to_owned())).collect()
}

fn submodules(ground: &Ground<'_>) {
    let Some(text) = ground.tree.text(".gitmodules").filter(|_| !ground.is_published) else {
        return;
    };
    for hit in SUBMODULE.all(&text) {
        let path = hit.group(1);
        if ground.tree.names_in(path, 1).is_empty() && super::tree::join("", path).is_some() {
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("the submodule {path} was not fetched: its folder is empty or absent"),
                    format!(".gitmodules:{}", hit.line()),
                    format!("git submodule update --init --recursive {path}"),
                )
                .strength(Strength::Certain)
                .naming([path.to_owned(), base(path).to_owned()]),
            );
        }
    }
}

fn pointers(ground: &Ground<'_>) {
    for file in ground.tree.files().iter().filter(|file| (100..400).contains(&file.size)) {
        if file.path.ends_with(".md") || !file.path.starts_with(ground.tree.scope()) {
            continue;
        }
        if ground.tree.bytes(&file.path, 400).is_some_and(|bytes| bytes.starts_with(LFS)) {
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("{} is a pointer of Git LFS, not its content", file.path),
                    format!("{}:1", file.path),
                    "git lfs install && git lfs pull".to_owned(),
                )
                .strength(Strength::Certain)
                .naming([file.path.clone(), base(&file.path).to_owned()]),
            );
        }
    }
}

/// A lock that stays: git itself holds one only for moments.
fn left_locks(ground: &Ground<'_>, git: &Path) {
    let held = |name: &&&str| git.join(name).exists();
    let names = ["index.lock", "HEAD.lock", "config.lock", "shallow.lock"];
    let first: Vec<&&str> = names.iter().filter(held).collect();
    if first.is_empty() {
        return;
    }
    std::thread::sleep(Duration::from_millis(300));
    for name in first.into_iter().filter(held) {
        ground.suspect(
            Suspicion::new(
                Probe::GitState,
                format!("a git that ended early left its lock .git/{name}: every change of the repository is refused"),
                format!(".git/{name} is there"),
                format!("make sure that no git runs here, then rm .git/{name}"),
            )
            .strength(Strength::Certain)
            .naming([(*name).to_owned()]),
        );
    }
}

/// A clone without history where something asks for it.
fn shallow(ground: &Ground<'_>, git: &Path) {
    if !git.join("shallow").exists() {
        return;
    }
    let asks = |text: &str| {
        [
            "setuptools_scm", "setuptools-scm", "versioneer", "hatch-vcs", "git describe", "git rev-list",
            "git merge-base", "git log ", "nbgv", "GitVersion",
        ]
        .iter()
        .find(|asked| text.contains(**asked))
        .copied()
    };
    let names = [
        "pyproject.toml", "setup.py", "setup.cfg", "Makefile", "package.json", "CMakeLists.txt", "build.rs",
        "build.gradle",
    ];
    let scripts = ground.tree.examined(&[".sh"]);
    for file in names.iter().flat_map(|name| ground.tree.named(name)).chain(scripts) {
        let Some(text) = ground.tree.text(&file.path) else { continue };
        if let Some(asked) = asks(&text) {
            let line = text.lines().position(|line| line.contains(asked)).map_or(1, |at| at + 1);
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("the clone is shallow, and {} needs its history ({})", file.path, asked.trim()),
                    format!("{}:{line}, .git/shallow is there", file.path),
                    "git fetch --unshallow --tags".to_owned(),
                )
                .naming(["shallow", "describe", "tags"]),
            );
        }
    }
}
