//! What scripts and programs ask git for and this repository does not have: a branch, a tag, another repository's branch, a clean
//! work tree.

use std::path::Path;

use hansei_core::escalation::Probe;
use hansei_core::path_text;

use super::git_state::read_small;
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::base;
use crate::changes::{self, Base};
use crate::git::Git;

/// Asks for the name of the branch; the first way fails by itself where there is none.
static ASKS: Pattern =
    Pattern::new(r"symbolic-ref|--abbrev-ref|--show-current|\bshow-current\b|\.git['\x22/, )]+HEAD\b");
/// Goes on without a branch.
static GOES_ON: Pattern =
    Pattern::new(r"\|\|\s*(?:true|:|echo|printf|\w+=|git\b|return 0)|\bcheck\s*=\s*False");
/// Ends where something is not as it must be.
static ENDS: Pattern = Pattern::new(
    r"\bexit\b|\braise\b|\bthrow\b|\bdie\b|\bfail\w*\b|[Ff]atal|\bpanic|\bbail\b|\babort|\berrors\.New|\bErrorf\b|\bassert|\brefus|\.exit\(|\bErr\(|\bexpect\(|\bunwrap\(|check_output|check\s*=\s*True|set -e|execSync|execFileSync",
);
static DESCRIBES: Pattern = Pattern::new(r#"\bgit\s+(?:-\w+\s+\S+\s+)?describe\b|["']describe["']"#);
static TOLERANT: Pattern = Pattern::new(r"--all\b|--contains|\.ok\(\)|unwrap_or|\breturn None\b");
/// The same in the line of a shell itself.
static FALLS_BACK: Pattern = Pattern::new(r"\|\||2>/dev/null");
static REMOTE: Pattern = Pattern::new(r"\bgit\b[^\n]*?[\s'\x22](origin|upstream)/([A-Za-z][\w./-]*)");
static CLEAN: Pattern = Pattern::new(
    r#"git[^\n]*\bdiff\b[^\n]*(?:--quiet|--exit-code)|git[^\n]*diff-index|git[^\n]*status[^\n]*(?:--porcelain|-s\b)|["']--porcelain["']"#,
);

const CODE: &[&str] =
    &[".py", ".js", ".mjs", ".cjs", ".ts", ".go", ".rs", ".java", ".rb", ".php", ".pl", ".c", ".cpp"];

/// A file that may ask git: its path, and its text without comments.
struct Asker {
    path: String,
    text: String,
}

pub(super) fn probe(ground: &Ground<'_>, git: &Path) {
    let all = askers(ground);
    detached(ground, git, &all);
    unclean(ground, &all);
    sparse(ground, git);
    // A linked work tree keeps its references elsewhere.
    if git.join("commondir").exists() || !git.join("refs").is_dir() {
        return;
    }
    untagged(ground, git, &all);
    remote(ground, git, &all);
    unborn(ground, git, &all);
}

fn askers(ground: &Ground<'_>) -> Vec<Asker> {
    let tree = &ground.tree;
    let mut all = Vec::new();
    let scripts = ground.scripts().all.iter().map(|it| (it.path.as_str(), Language::Hash));
    let manifests = tree.named("package.json").map(|it| (it.path.as_str(), Language::C));
    let sources = tree.examined(CODE).map(|it| {
        let is_hash = [".py", ".rb", ".pl"].iter().any(|ending| it.path.ends_with(ending));
        (it.path.as_str(), if is_hash { Language::Hash } else { Language::C })
    });
    for (path, language) in scripts.chain(manifests).chain(sources) {
        let Some(text) = tree.text(path).filter(|text| text.contains("git")) else { continue };
        // What makes repositories of its own asks those.
        let makes = ["git init", "\"init\"", "'init'", "git clone"].iter().any(|it| text.contains(it));
        if !makes {
            all.push(Asker { path: path.to_owned(), text: code(&text, language) });
        }
    }
    all
}

fn detached(ground: &Ground<'_>, git: &Path, all: &[Asker]) {
    let Some(head) = read_small(&git.join("HEAD")) else { return };
    if head.starts_with("ref: ") {
        return;
    }
    let expects = [
        "detached",
        "not currently on a branch",
        "ref HEAD is not a symbolic ref",
        "does not point to a branch",
        "invalid refspec 'HEAD'",
    ];
    let fix = "git switch <branch>, or git switch --create <new branch>";
    for asker in all {
        let lines: Vec<&str> = asker.text.lines().collect();
        for hit in ASKS.all(&asker.text) {
            let at = hit.line() - 1;
            let line = lines[at];
            let near = lines[at..(at + 14).min(lines.len())].join("\n");
            let own = hit.group(0) == "symbolic-ref";
            let is_test =
                line.trim_start().starts_with("if ") || line.contains(" if ") || line.contains("while ");
            if GOES_ON.is_in(line) || (own && is_test && !ENDS.is_in(&near)) {
                continue;
            }
            if !own && !ENDS.is_in(&near) && !all.iter().any(demands) {
                continue;
            }
            let shown: String = line.trim().chars().take(100).collect();
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("HEAD is detached, and {} asks for the branch", asker.path),
                    format!("{}:{}: {shown}", asker.path, at + 1),
                    fix.to_owned(),
                )
                .naming([
                    "symbolic ref".to_owned(),
                    "HEAD".to_owned(),
                    "branch".to_owned(),
                    base(&asker.path).to_owned(),
                ]),
            );
            return;
        }
    }
    if ground.hint.says(&expects) {
        ground.suspect(
            Suspicion::new(
                Probe::GitState,
                "HEAD is detached, and the command expects a branch".to_owned(),
                format!(".git/HEAD is {}", head.trim().chars().take(12).collect::<String>()),
                fix.to_owned(),
            )
            .strength(Strength::Certain)
            .naming(["HEAD", "branch"]),
        );
    }
}

/// Whether a file ends where the branch is not one that it wants.
fn demands(asker: &Asker) -> bool {
    let lines: Vec<&str> = asker.text.lines().collect();
    let speaks = |line: &&str| has_word(&line.to_lowercase(), "branch");
    lines.iter().enumerate().filter(|(_, line)| speaks(line)).any(|(at, _)| {
        let near = lines[at..(at + 6).min(lines.len())].join("\n");
        ENDS.is_in(&near)
    })
}

/// Something that asks for the last tag of a repository without tags.
fn untagged(ground: &Ground<'_>, git: &Path, all: &[Asker]) {
    let packed = read_small(&git.join("packed-refs")).unwrap_or_default();
    let has_tags = packed.contains(" refs/tags/")
        || git.join("refs/tags").read_dir().is_ok_and(|mut entries| entries.next().is_some());
    if has_tags || git.join("shallow").exists() {
        return;
    }
    for asker in all {
        let lines: Vec<&str> = asker.text.lines().collect();
        for hit in DESCRIBES.all(&asker.text) {
            let at = hit.line() - 1;
            let near = lines[at.saturating_sub(2)..(at + 4).min(lines.len())].join("\n");
            let ways = ["git describe", "\"git\"", "'git'", "git(", "git.", "git -C"];
            let calls = ways.iter().any(|it| near.contains(it));
            // A list of such texts asks nothing.
            let is_listed = lines[at].trim().starts_with(['"', '\'']) && lines[at].trim().ends_with(',');
            let after = lines[at..(at + 6).min(lines.len())].join("\n");
            let is_handled =
                ["except", "catch", "if err"].iter().any(|it| near.contains(it)) && !ENDS.is_in(&after);
            let is_soft =
                FALLS_BACK.is_in(lines[at]) || TOLERANT.is_in(&near) && !caller_ends(&asker.text, &lines, at);
            if near.contains("--always") || is_soft || is_handled || !calls || is_listed {
                continue;
            }
            let place = format!("{}:{}", asker.path, hit.line());
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("{place} asks git for the last tag, and the repository has no tags"),
                    format!("{place}: {}", lines[at].trim().chars().take(100).collect::<String>()),
                    "git fetch --tags, or git tag v0.0.0".to_owned(),
                )
                .naming([
                    "No names found".to_owned(),
                    "describe".to_owned(),
                    base(&asker.path).to_owned(),
                ]),
            );
            return;
        }
    }
}

/// Whether the function around a line gives nothing where git does, and whoever calls it ends then.
fn caller_ends(text: &str, lines: &[&str], at: usize) -> bool {
    static FUNCTION: Pattern = Pattern::new(r"\b(?:fn|def|func|function)\s+(\w+)");
    let Some(function) = lines[..at].iter().rev().find_map(|line| FUNCTION.first(line)) else { return false };
    let call = format!("{}(", function.group(1));
    let mut places = text.match_indices(&call).map(|(place, _)| place);
    places.any(|place| {
        let line = text[..place].matches('\n').count();
        let is_itself = FUNCTION.is_in(lines[line]);
        let after = lines[line..(line + 5).min(lines.len())].join("\n");
        !is_itself && ENDS.is_in(&after)
    })
}

/// A branch of another repository that was not fetched.
fn remote(ground: &Ground<'_>, git: &Path, all: &[Asker]) {
    let packed = read_small(&git.join("packed-refs")).unwrap_or_default();
    for asker in all.iter().filter(|it| !it.text.contains("fetch")) {
        for hit in REMOTE.all(&asker.text) {
            let name = format!("refs/remotes/{}/{}", hit.group(1), hit.group(2));
            if git.join(&name).exists() || packed.contains(&format!(" {name}")) || !git.join("refs").is_dir()
            {
                continue;
            }
            let shown = format!("{}/{}", hit.group(1), hit.group(2));
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("{} compares with {shown}, which was not fetched", asker.path),
                    format!("{}:{}, there is no {name}", asker.path, hit.line()),
                    format!("git fetch {} {}", hit.group(1), hit.group(2)),
                )
                .strength(Strength::Hinted)
                .naming([shown, base(&asker.path).to_owned(), "unknown revision".to_owned()]),
            );
        }
    }
}

/// A work tree with changes, where something refuses these.
fn unclean(ground: &Ground<'_>, all: &[Asker]) {
    let spoken = |asker: &&Asker| {
        let name = base(&asker.path);
        (ground.hint.commands(name) || ground.hint.speaks_of(name))
            && CLEAN.is_in(&asker.text)
            && ENDS.is_in(&asker.text)
    };
    let Some(asker) = all.iter().find(spoken) else { return };
    let change =
        Git::new(ground.tree.root(), ground.deadline).and_then(|git| changes::since(&git, Base::Head));
    let Some(first) = change.ok().and_then(|change| change.paths.into_iter().next()) else { return };
    let first = path_text::encode(&first);
    ground.suspect(
        Suspicion::new(
            Probe::GitState,
            format!("the work tree is not clean ({first}), and {} wants it so", asker.path),
            format!("git status -- {first}"),
            "commit, stash or ignore what has changed".to_owned(),
        )
        .strength(Strength::Hinted)
        .naming([
            base(&asker.path).to_owned(),
            "clean".to_owned(),
            "dirty".to_owned(),
            "uncommitted".to_owned(),
        ]),
    );
}

/// A repository without any commit, where something asks for the last one.
fn unborn(ground: &Ground<'_>, git: &Path, all: &[Asker]) {
    static LAST: Pattern = Pattern::new(
        r#"\bgit\s+(?:-\w+\s+\S+\s+)?(?:rev-parse[^\n|;]*\bHEAD|log\b|rev-list|describe|archive)|["']rev-parse["'][^\n]*HEAD"#,
    );
    let Some(head) = read_small(&git.join("HEAD")) else { return };
    let Some(name) = head.trim().strip_prefix("ref: ") else { return };
    let packed = read_small(&git.join("packed-refs")).unwrap_or_default();
    let has_any = |folder: &str| git.join(folder).read_dir().is_ok_and(|mut it| it.next().is_some());
    if has_any("refs/heads")
        || has_any("refs/tags")
        || git.join(name).exists()
        || packed.contains(&format!(" {name}"))
        || !git.join("refs").is_dir()
        || git.join("reftable").exists()
    {
        return;
    }
    let asker = all.iter().find_map(|it| {
        let hit = LAST.first(&it.text)?;
        let line = it.text.lines().nth(hit.line() - 1)?;
        (!TOLERANT.is_in(line)).then(|| format!("{}:{}", it.path, hit.line()))
    });
    if let Some(place) = asker {
        ground.suspect(
            Suspicion::new(
                Probe::GitState,
                format!(
                    "the branch {} has no commit, and {} asks for the last one",
                    name.trim_start_matches("refs/heads/"),
                    place.split(':').next().unwrap_or("something")
                ),
                place,
                "git commit, or git switch to a branch that has commits".to_owned(),
            )
            .strength(Strength::Possible)
            .naming(["ambiguous argument 'HEAD'", "HEAD", "does not have any commits"]),
        );
    }
}

/// Files of the repository that a sparse checkout leaves out, where something names their folder.
fn sparse(ground: &Ground<'_>, git: &Path) {
    let settings = ["config", "config.worktree"]
        .map(|name| read_small(&git.join(name)).unwrap_or_default().to_lowercase());
    let is_on = settings.iter().any(|it| it.replace(' ', "").contains("sparsecheckout=true"));
    if !is_on || !git.join("info/sparse-checkout").exists() {
        return;
    }
    let Ok(asked) = Git::new(ground.tree.root(), ground.deadline) else { return };
    let Ok(answer) = asked.ask(&["ls-files", "-t", "-z"]) else { return };
    let answer = String::from_utf8_lossy(&answer).into_owned();
    let left_out: std::collections::BTreeSet<&str> =
        answer.split('\0').filter_map(|it| it.strip_prefix("S ")).map(super::tree::parent).collect();
    let endings: Vec<&str> =
        CODE.iter().copied().chain([".toml", ".json", ".yaml", ".sh", ".mod", ".xml"]).collect();
    for folder in left_out.into_iter().filter(|it| !it.is_empty()) {
        let name = base(folder);
        let mut files = ground.tree.examined(&endings);
        let user = files.find(|it| ground.tree.text(&it.path).is_some_and(|text| has_word(&text, name)));
        if let Some(user) = user.filter(|_| name.len() > 2) {
            ground.suspect(
                Suspicion::new(
                    Probe::GitState,
                    format!("the sparse checkout leaves {folder} out, which {} names", user.path),
                    ".git/info/sparse-checkout".to_owned(),
                    format!("git sparse-checkout add {folder}, or git sparse-checkout disable"),
                )
                .naming([folder.to_owned(), name.to_owned()]),
            );
        }
    }
}
