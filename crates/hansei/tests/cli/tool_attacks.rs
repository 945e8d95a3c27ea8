//! Attempts to get out of the workspace, or at what is protected in it, with the tools that reach files.
//!
//! Each attempt is made twice in a fresh scene: first the naive way, with `root.join(path)`, which must succeed (else it
//! proves nothing and does not count); then with the tool, which must not, and must leave every file as it was.

use std::collections::BTreeMap;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{HANSEI, Ran};

/// What every file has in it that is none of the agent's business.
const MARKER: &str = "SECRET-OF-ANOTHER";
/// The name of a file that is outside alone.
const ONLY_OUTSIDE: &str = "only-outside";

/// A workspace `ws` with a repository in it, and what lies beside it.
struct Scene(tempfile::TempDir);

impl Scene {
    fn new() -> Self {
        let scene = Self(tempfile::tempdir().unwrap());
        for name in ["out/secret.txt", "ws_evil/secret.txt", "ws/.git/config"] {
            scene.file(name, &format!("{MARKER}\n"));
        }
        scene.file(&format!("out/{ONLY_OUTSIDE}.txt"), "");
        scene.file("ws/a.txt", "inside\n");
        scene.file("ws/sub/deep/b.txt", "inside\n");
        scene.file("ws/.git/HEAD", "ref: refs/heads/main\n");
        for name in ["ws/.git/objects", "ws/.git/refs", "ws/.git/hooks"] {
            std::fs::create_dir_all(scene.path(name)).unwrap();
        }
        scene
    }

    fn base(&self) -> PathBuf {
        self.0.path().canonicalize().unwrap()
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base().join(name)
    }

    fn root(&self) -> PathBuf {
        self.path("ws")
    }

    fn file(&self, name: &str, content: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }

    /// `{base}` in a text is where the scene is.
    fn placed(&self, text: &str) -> String {
        text.replace("{base}", self.base().to_str().unwrap())
    }

    fn prepare(&self, steps: &[Step]) {
        for step in steps {
            match *step {
                Step::Link(name, target) => {
                    let path = self.root().join(name);
                    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                    symlink(self.placed(target), path).unwrap();
                }
                Step::Hard(name, target) => {
                    std::fs::hard_link(self.path(target), self.root().join(name)).unwrap();
                }
                Step::File(name) => self.file(&format!("ws/{name}"), &format!("{MARKER}\n")),
                Step::Folder(name) => std::fs::create_dir_all(self.root().join(name)).unwrap(),
                Step::Fifo(name) => {
                    let made = Command::new("mkfifo").arg(self.root().join(name)).status().unwrap();
                    assert!(made.success());
                }
                Step::Move(from, to) => {
                    std::fs::rename(self.root().join(from), self.root().join(to)).unwrap();
                }
            }
        }
    }

    /// Every file, link and folder of the scene, with what is in it.
    fn snapshot(&self) -> BTreeMap<PathBuf, String> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.base()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                let (path, kind) = (entry.path(), entry.file_type().unwrap());
                let content = if kind.is_symlink() {
                    format!("-> {}", std::fs::read_link(&path).unwrap().display())
                } else if kind.is_dir() {
                    folders.push(path.clone());
                    "folder".to_owned()
                } else if kind.is_file() {
                    String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned()
                } else {
                    "special".to_owned()
                };
                found.insert(path, content);
            }
        }
        found
    }
}

/// How a scene is made ready. Names are below the workspace, targets as they are written into the link.
#[derive(Clone, Copy)]
enum Step {
    Link(&'static str, &'static str),
    Hard(&'static str, &'static str),
    File(&'static str),
    Folder(&'static str),
    Fifo(&'static str),
    Move(&'static str, &'static str),
}

use Step::{Fifo, File, Folder, Hard, Link, Move};

/// What is tried on a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Try {
    View,
    ReadFile,
    Replace,
    Insert,
    Create,
    Search,
    List,
}

/// What can be tried on a file that is there.
const FILE: &[Try] = &[Try::View, Try::ReadFile, Try::Replace, Try::Insert];
const WRITE: &[Try] = &[Try::Replace, Try::Insert];
const FOLDER: &[Try] = &[Try::Search, Try::List];
const NEW: &[Try] = &[Try::Create];

impl Try {
    fn call(self, path: &str) -> (&'static str, Value) {
        let editor = "str_replace_editor";
        match self {
            Self::View => (editor, json!({ "command": "view", "path": path })),
            Self::ReadFile => ("read_file", json!({ "path": path })),
            Self::Replace => (
                editor,
                json!({ "command": "str_replace", "path": path, "old_str": MARKER, "new_str": "PWNED" }),
            ),
            Self::Insert => {
                (editor, json!({ "command": "insert", "path": path, "insert_line": 0, "new_str": "PWNED" }))
            }
            Self::Create => (editor, json!({ "command": "create", "path": path, "file_text": "PWNED" })),
            Self::Search => {
                ("search", json!({ "pattern": "SECRET-OF-", "path": path, "include_ignored": true }))
            }
            Self::List => ("list_files", json!({ "path": path, "include_ignored": true })),
        }
    }

    /// The same without any defence. Gives what was seen.
    fn naively(self, path: &Path) -> String {
        match self {
            Self::View | Self::ReadFile => std::fs::read_to_string(path).unwrap_or_default(),
            Self::Replace => {
                let content = std::fs::read_to_string(path).unwrap_or_default();
                let _ = std::fs::write(path, content.replace(MARKER, "PWNED"));
                content
            }
            Self::Insert => {
                let content = std::fs::read_to_string(path).unwrap_or_default();
                let _ = std::fs::write(path, format!("PWNED\n{content}"));
                content
            }
            Self::Create => {
                let _ = std::fs::create_dir_all(path.parent().unwrap());
                let _ = std::fs::write(path, "PWNED");
                String::new()
            }
            Self::Search | Self::List => everything_below(path, 4),
        }
    }

    fn writes(self) -> bool {
        matches!(self, Self::Replace | Self::Insert | Self::Create)
    }
}

/// Names and contents, links followed; without git's own folder, which the tools leave out as well.
fn everything_below(path: &Path, depth: usize) -> String {
    if path.is_file() {
        return std::fs::read_to_string(path).unwrap_or_default();
    }
    let Ok(entries) = std::fs::read_dir(path) else { return String::new() };
    let mut seen = String::new();
    for entry in entries.flatten().filter(|entry| depth > 0 && entry.file_name() != ".git") {
        seen += &entry.file_name().to_string_lossy();
        seen += &everything_below(&entry.path(), depth - 1);
    }
    seen
}

/// A way out: how it is prepared, the path that is given to the tool, what is tried on it, and for writing the file
/// (from the base of the scene) that it is aimed at.
struct Attack(&'static [Step], &'static str, &'static [Try], &'static str);

const SECRET: &str = "out/secret.txt";
const CONFIG: &str = "ws/.git/config";

/// Spellings that lead out without any link.
const TRAVERSAL: &[Attack] = &[
    Attack(&[], "../out/secret.txt", FILE, SECRET),
    Attack(&[], "./../out/secret.txt", FILE, SECRET),
    Attack(&[], "..//out///secret.txt", FILE, SECRET),
    Attack(&[], ".././out/./secret.txt", FILE, SECRET),
    Attack(&[], "sub/../../out/secret.txt", FILE, SECRET),
    Attack(&[], "sub/deep/../../../out/secret.txt", FILE, SECRET),
    Attack(&[], "sub/./deep/.././../../out/secret.txt", FILE, SECRET),
    Attack(&[], "../ws/../out/secret.txt", FILE, SECRET),
    Attack(&[], "../ws_evil/secret.txt", FILE, "ws_evil/secret.txt"),
    Attack(&[], "../out", FOLDER, ""),
    Attack(&[], "sub/../../out/", FOLDER, ""),
    Attack(&[], "../out/new.txt", NEW, "out/new.txt"),
    Attack(&[], "sub/../../out/deep/new.txt", NEW, "out/deep/new.txt"),
    Attack(&[], "../ws_evil/new.txt", NEW, "ws_evil/new.txt"),
    Attack(&[], "{base}/out/secret.txt", FILE, SECRET),
    Attack(&[], "/{base}/out/secret.txt", FILE, SECRET),
    Attack(&[], "{base}/ws/../out/secret.txt", FILE, SECRET),
    Attack(&[], "{base}/ws_evil/secret.txt", FILE, "ws_evil/secret.txt"),
    Attack(&[], "{base}/out", FOLDER, ""),
    Attack(&[], "{base}/out/new.txt", NEW, "out/new.txt"),
    Attack(&[], "/proc/self/root{base}/out/secret.txt", FILE, SECRET),
    Attack(&[], "/proc/thread-self/root{base}/out/secret.txt", FILE, SECRET),
    Attack(&[], "/proc/self/root{base}/out/new.txt", NEW, "out/new.txt"),
    Attack(&[], "/proc/self/root{base}/out", FOLDER, ""),
];

/// Links that lead out.
const LINKS: &[Attack] = &[
    Attack(&[Link("x", "{base}/out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "../out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "../ws_evil/secret.txt")], "x", FILE, "ws_evil/secret.txt"),
    Attack(&[Link("x", "{base}/ws_evil/secret.txt")], "x", FILE, "ws_evil/secret.txt"),
    Attack(&[Link("x", "{base}/ws/../out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "{base}/ws/./sub/../../out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "../ws/../out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "sub/deep/../../../out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("x", "/proc/self/root{base}/out/secret.txt")], "x", FILE, SECRET),
    Attack(&[Link("sub/x", "../../out/secret.txt")], "sub/x", FILE, SECRET),
    Attack(&[Link("sub/x", "../../out/secret.txt"), Link("in", "sub")], "in/x", FILE, SECRET),
    Attack(&[Link("a", "b"), Link("b", "c"), Link("c", "../out/secret.txt")], "a", FILE, SECRET),
    Attack(
        &[Link("a", "sub/b"), Link("sub/b", "deep/c"), Link("sub/deep/c", "../../../out/secret.txt")],
        "a",
        FILE,
        SECRET,
    ),
    Attack(&[Link("d", "{base}/out")], "d/secret.txt", FILE, SECRET),
    Attack(&[Link("d", "../out")], "d/secret.txt", FILE, SECRET),
    Attack(&[Link("d", "../out/")], "./d//secret.txt", FILE, SECRET),
    Attack(&[Link("d", "e"), Link("e", "../out")], "d/secret.txt", FILE, SECRET),
    Attack(&[Link("up", "..")], "up/out/secret.txt", FILE, SECRET),
    Attack(&[Link("up", "sub/../..")], "up/out/secret.txt", FILE, SECRET),
    Attack(&[Link("here", "."), Link("up", "..")], "here/here/up/out/secret.txt", FILE, SECRET),
    Attack(&[Link("root", "/")], "root/{base}/out/secret.txt", FILE, SECRET),
    Attack(&[Link("root", "/proc/self/root")], "root/{base}/out/secret.txt", FILE, SECRET),
    Attack(&[Link("d", "{base}/out")], "d", FOLDER, ""),
    Attack(&[Link("d", "../out")], "d/", FOLDER, ""),
    Attack(&[Link("d", "../out")], ".", FOLDER, ""),
    Attack(&[Link("x", "../out/secret.txt")], ".", &[Try::Search], ""),
    Attack(&[Link("sub/d", "{base}/out")], "sub", FOLDER, ""),
    Attack(&[Link("up", "..")], "up/out", FOLDER, ""),
    Attack(&[Link("d", "{base}/out")], "d/new.txt", NEW, "out/new.txt"),
    Attack(&[Link("d", "../out")], "d/new.txt", NEW, "out/new.txt"),
    Attack(&[Link("d", "../out")], "d/deep/er/new.txt", NEW, "out/deep/er/new.txt"),
    Attack(&[Link("up", "..")], "up/out/new.txt", NEW, "out/new.txt"),
    Attack(&[Link("root", "/")], "root/{base}/out/new.txt", NEW, "out/new.txt"),
    Attack(&[Link("sub/d", "../../out")], "sub/d/new.txt", NEW, "out/new.txt"),
    // Links that lead nowhere yet.
    Attack(&[Link("x", "{base}/out/new.txt")], "x", NEW, "out/new.txt"),
    Attack(&[Link("x", "../out/new.txt")], "x", NEW, "out/new.txt"),
    Attack(&[Link("x", "y"), Link("y", "../out/new.txt")], "x", NEW, "out/new.txt"),
    Attack(&[Link("sub/x", "../up/out/new.txt"), Link("up", "..")], "sub/x", NEW, "out/new.txt"),
    Attack(&[Link("x", "{base}/ws/../out/new.txt")], "x", NEW, "out/new.txt"),
];

/// Other names of files outside.
const HARD_LINKS: &[Attack] = &[
    Attack(&[Hard("h", SECRET)], "h", FILE, SECRET),
    Attack(&[Hard("sub/h", SECRET)], "sub/h", FILE, SECRET),
    Attack(&[Hard("h", SECRET), Link("x", "h")], "x", FILE, SECRET),
    Attack(&[Hard("h", SECRET)], "h", &[Try::Search], ""),
    Attack(&[Hard("h", SECRET), Link("x", "h")], ".", &[Try::Search], ""),
    Attack(&[Hard("h", CONFIG)], "h", WRITE, CONFIG),
];

/// What is protected, by its name and by other ways.
const PROTECTED: &[Attack] = &[
    Attack(&[], ".git/config", WRITE, CONFIG),
    Attack(&[], "./.git//config", WRITE, CONFIG),
    Attack(&[], "sub/../.git/config", WRITE, CONFIG),
    Attack(&[], ".git/hooks/pre-commit", NEW, "ws/.git/hooks/pre-commit"),
    Attack(&[], ".git/info/attributes", NEW, "ws/.git/info/attributes"),
    Attack(&[Link("g", ".git")], "g/config", WRITE, CONFIG),
    Attack(&[Link("g", ".git")], "g/hooks/post-checkout", NEW, "ws/.git/hooks/post-checkout"),
    Attack(&[Link("g", "{base}/ws/.git")], "g/config", WRITE, CONFIG),
    Attack(&[Link("g", "sub/../.git/.")], "g/config", WRITE, CONFIG),
    Attack(&[Link("c", ".git/config")], "c", WRITE, CONFIG),
    Attack(&[Link("c", "d"), Link("d", ".git/config")], "c", WRITE, CONFIG),
    Attack(&[Link("sub/g", "../.git")], "sub/g/config", WRITE, CONFIG),
    Attack(&[Link("h", ".git/hooks")], "h/pre-push", NEW, "ws/.git/hooks/pre-push"),
    Attack(&[Link("h", ".git/hooks/post-merge")], "h", NEW, "ws/.git/hooks/post-merge"),
    Attack(&[Link("t", "hansei.toml")], "t", NEW, "ws/hansei.toml"),
    Attack(&[Link("s", ".claude/settings.json"), Folder(".claude")], "s", NEW, "ws/.claude/settings.json"),
    Attack(&[Link("s", ".claude"), Folder(".claude")], "s/settings.json", NEW, "ws/.claude/settings.json"),
    Attack(&[File("hansei.toml"), Link("here", ".")], "here/hansei.toml", WRITE, "ws/hansei.toml"),
    Attack(&[Folder(".hansei"), Link("here", "sub/..")], "here/.hansei/log", NEW, "ws/.hansei/log"),
    // Repositories in the workspace, and repositories under other names.
    Attack(&[File("vendor/lib/.git/config")], "vendor/lib/.git/config", WRITE, "ws/vendor/lib/.git/config"),
    Attack(&[], "vendor/lib/.git/hooks/pre-commit", NEW, "ws/vendor/lib/.git/hooks/pre-commit"),
    Attack(&[File("vendor/lib/.git")], "vendor/lib/.git", WRITE, "ws/vendor/lib/.git"),
    Attack(&[Move(".git", "g")], "g/config", WRITE, "ws/g/config"),
    Attack(&[Move(".git", "g")], "g/hooks/pre-commit", NEW, "ws/g/hooks/pre-commit"),
    Attack(&[Move(".git", ".bare"), File(".git")], ".bare/config", WRITE, "ws/.bare/config"),
    Attack(&[Move(".git", ".bare"), File(".git")], ".git", WRITE, "ws/.git"),
    Attack(&[Move(".git", "sub/g"), Link("x", "sub/g")], "x/config", WRITE, "ws/sub/g/config"),
];

/// Names that are protected before they are there.
const PROTECTED_NAMES: &[&str] = &[
    "hansei.toml", "opencode.json", "opencode.jsonc", "kilo.json", "kilo.jsonc", ".mcp.json", ".envrc",
    ".gitconfig", ".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".profile", ".zshrc", ".zshenv",
    ".zprofile", ".zlogin", ".zlogout", ".hansei/x", ".claude/settings.json", ".codex/config.toml",
    ".gemini/settings.json", ".opencode/plugin/x.js", ".kilo/x", ".kilocode/x", ".mosaic/x", ".reflection/x",
    ".vscode/tasks.json", ".idea/x", ".cursor/mcp.json",
];

/// Calls the tool in the scene. A tool that waits for a pipe would wait forever, so somebody ends it.
fn call(scene: &Scene, attempt: Try, path: &str, input: impl FnOnce(&mut Command)) -> Ran {
    let (tool, value) = attempt.call(path);
    let mut command = Command::new("timeout");
    command
        .args(["20", HANSEI, "tool", tool, "--input", &value.to_string(), "--workspace"])
        .arg(scene.root());
    command.env_clear().env("PATH", std::env::var_os("PATH").unwrap()).current_dir(scene.root());
    let mut child = command.stdin(std::process::Stdio::null());
    input(child);
    child = child.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let output = child.output().unwrap();
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// The tool must say no, or for a walk show nothing of it, and every file must stay as it was.
fn defended(scene: &Scene, attempt: Try, path: &str) {
    let before = scene.snapshot();
    let ran = call(scene, attempt, path, |_| ());
    let told = format!("{attempt:?} {path:?}: {} {}", ran.stdout, ran.stderr);
    let walks = matches!(attempt, Try::Search | Try::List);
    assert!(ran.code == 1 || (walks && ran.code == 0), "{told}");
    assert_eq!(ran.json()["ok"], ran.code == 0, "{told}");
    assert!(!ran.stdout.contains(MARKER) && !ran.stdout.contains(ONLY_OUTSIDE), "{told}");
    assert_eq!(scene.snapshot(), before, "{told}");
}

/// Makes every attempt of an attack, and gives how many there were.
fn attack(Attack(steps, path, attempts, target): &Attack) -> usize {
    for attempt in *attempts {
        let naive = Scene::new();
        naive.prepare(steps);
        let path_there = naive.placed(path);
        let target_there = naive.path(target);
        let before = std::fs::read_to_string(&target_there).ok();
        let seen = attempt.naively(&naive.root().join(&path_there));
        if attempt.writes() {
            let after = std::fs::read_to_string(&target_there).ok();
            assert!(after != before && after.unwrap().contains("PWNED"), "no attack: {attempt:?} {path:?}");
        } else {
            let reached = seen.contains(MARKER) || seen.contains(ONLY_OUTSIDE);
            assert!(reached, "no attack: {attempt:?} {path:?} saw {seen:?}");
        }
        let scene = Scene::new();
        scene.prepare(steps);
        defended(&scene, *attempt, &scene.placed(path));
    }
    attempts.len()
}

fn all(attacks: &[Attack], class: &str, least: usize) {
    let count: usize = attacks.iter().map(attack).sum();
    println!("{class}: {count} attempts, each shown to work without the defence; none succeeded");
    assert!(count >= least, "{count} attempts");
}

#[test]
fn no_spelling_leads_out() {
    all(TRAVERSAL, "spellings", 60);
}

#[test]
fn no_link_leads_out() {
    all(LINKS, "links", 100);
}

#[test]
fn no_other_name_of_a_file_outside_is_reached() {
    all(HARD_LINKS, "hard links", 15);
}

#[test]
fn nothing_protected_is_written() {
    all(PROTECTED, "protected files", 35);
    let mut count = 0;
    for name in PROTECTED_NAMES {
        let naive = Scene::new();
        Try::Create.naively(&naive.root().join(name));
        assert!(naive.root().join(name).exists(), "no attack: {name}");
        let scene = Scene::new();
        defended(&scene, Try::Create, name);
        count += 1;
    }
    println!("protected names: {count} attempts, none succeeded");
}

#[test]
fn names_that_another_file_system_would_take_for_protected_are_refused() {
    let scene = Scene::new();
    let names = [
        ".GIT/config",
        ".Git/hooks/x",
        ".git./config",
        ".git /config",
        "git~1/config",
        ".git::$INDEX_ALLOCATION/x",
        ".g\u{200c}it/config",
        "HANSEI.toml",
        "Hansei.Toml",
        ".CLAUDE/settings.json",
        ".BashRC",
        "han\u{17f}ei.toml",
    ];
    for name in names {
        let ran = call(&scene, Try::Create, name, |_| ());
        assert_eq!(ran.json()["error"]["code"], "protected", "{name}: {}", ran.stdout);
    }
    assert!(call(&scene, Try::Create, ".github/workflows/ci.yml", |_| ()).json()["ok"] == true);
    assert!(call(&scene, Try::Create, "sub/.gitignore", |_| ()).json()["ok"] == true);
}

#[test]
fn spellings_that_some_decode_are_only_names_here() {
    let names = [
        "%2e%2e/out/secret.txt",
        "..%2fout%2fsecret.txt",
        "%252e%252e/out/secret.txt",
        "..%c0%af../out/secret.txt",
        "....//out/secret.txt",
        "..../out/secret.txt",
        ".../out/secret.txt",
        "\u{ff0e}\u{ff0e}/out/secret.txt",
        "\u{2025}/out/secret.txt",
        "..\u{2215}out\u{2215}secret.txt",
        "..;/out/secret.txt",
        "file:../out/secret.txt",
        "..\\out\\secret.txt",
        "sub\\..\\..\\out\\secret.txt",
        ".. /out/secret.txt",
        "a.txt\0.png",
        "$HOME/x",
        "~root/x",
    ];
    for name in names {
        for attempt in FILE {
            let scene = Scene::new();
            defended(&scene, *attempt, name);
        }
        // Created, it is a name inside or refused; nothing outside changes.
        let scene = Scene::new();
        let outside = |scene: &Scene| {
            let all = scene.snapshot().into_iter();
            all.filter(|(path, _)| !path.starts_with(scene.root())).collect::<Vec<_>>()
        };
        let before = outside(&scene);
        call(&scene, Try::Create, name, |_| ());
        assert_eq!(outside(&scene), before, "{name}");
    }
}

#[test]
fn a_pipe_is_refused_without_waiting_for_it() {
    let cases: [(&[Step], &str); 3] = [
        (&[Fifo("p")], "p"),
        (&[Fifo("sub/p"), Link("x", "sub/p")], "x"),
        (&[Fifo("sub/p"), Link("d", "sub")], "d/p"),
    ];
    let mut count = 0;
    for (steps, path) in cases {
        let scene = Scene::new();
        scene.prepare(steps);
        // Whoever opens it naively is still waiting when the second is over.
        let naive =
            Command::new("timeout").arg("1").arg("cat").arg(scene.root().join(path)).status().unwrap();
        assert_eq!(naive.code(), Some(124), "no attack: {path}");
        for attempt in FILE {
            let ran = call(&scene, *attempt, path, |_| ());
            assert_eq!(ran.json()["error"]["code"], "special_file", "{attempt:?} {path}: {}", ran.stdout);
            count += 1;
        }
        for attempt in FOLDER {
            let ran = call(&scene, *attempt, ".", |_| ());
            assert_eq!(ran.code, 0, "{attempt:?} {path}: {}", ran.stdout);
        }
    }
    println!("pipes: {count} attempts, none waited");
}

#[test]
fn nothing_that_the_process_holds_open_is_reached_by_its_number() {
    let cases: [(&[Step], &str); 6] = [
        (&[], "/dev/fd/0"),
        (&[], "/dev/stdin"),
        (&[], "/proc/self/fd/0"),
        (&[Link("x", "/dev/fd/0")], "x"),
        (&[Link("x", "/proc/self/fd/0")], "x"),
        (&[Link("d", "/proc/self/fd")], "d/0"),
    ];
    let mut count = 0;
    for (steps, path) in cases {
        for attempt in [Try::View, Try::ReadFile] {
            let scene = Scene::new();
            scene.prepare(steps);
            let secret = || std::fs::File::open(scene.path(SECRET)).unwrap();
            let naive = Command::new("cat").arg(scene.root().join(path)).stdin(secret()).output().unwrap();
            assert!(String::from_utf8_lossy(&naive.stdout).contains(MARKER), "no attack: {path}");
            let ran = call(&scene, attempt, path, |command| {
                command.stdin(secret());
            });
            assert_eq!(ran.code, 1, "{path}: {}", ran.stdout);
            assert!(!ran.stdout.contains(MARKER), "{path}: {}", ran.stdout);
            count += 1;
        }
    }
    println!("descriptors: {count} attempts, none succeeded");
}

#[test]
fn links_in_circles_end() {
    let scene = Scene::new();
    scene.prepare(&[
        Link("a", "b"),
        Link("b", "a"),
        Link("self", "self"),
        Link("grow", "grow/x"),
        Link("here", "."),
    ]);
    for path in ["a", "self", "grow", "a/x"] {
        let ran = call(&scene, Try::View, path, |_| ());
        assert_eq!(ran.json()["error"]["code"], "too_many_links", "{path}: {}", ran.stdout);
        assert_eq!(call(&scene, Try::Create, path, |_| ()).code, 1, "{path}");
    }
    // A walk follows none of them.
    assert_eq!(call(&scene, Try::Search, ".", |_| ()).code, 0);
    let long = "here/".repeat(50) + "a.txt";
    assert_eq!(call(&scene, Try::View, &long, |_| ()).json()["error"]["code"], "too_many_links");
}

#[test]
fn a_temporary_file_that_somebody_planted_is_not_written_through() {
    // The naive way: a temporary file with a name that can be guessed, then renamed.
    let naive = Scene::new();
    naive.prepare(&[Link("sub/.b.txt.tmp", "{base}/out/secret.txt"), File("sub/b.txt")]);
    std::fs::write(naive.root().join("sub/.b.txt.tmp"), "PWNED").unwrap();
    std::fs::rename(naive.root().join("sub/.b.txt.tmp"), naive.root().join("sub/b.txt")).unwrap();
    assert_eq!(std::fs::read_to_string(naive.path(SECRET)).unwrap(), "PWNED");
    // Ours can be guessed as well; every one that the next processes would take is planted.
    let scene = Scene::new();
    scene.prepare(&[File("sub/b.txt")]);
    let next = std::process::id();
    for process in next..next + 3000 {
        let name = scene.root().join(format!("sub/.hansei-{process}-0.tmp"));
        symlink(scene.path(SECRET), name).unwrap();
    }
    let ran = call(&scene, Try::Replace, "sub/b.txt", |_| ());
    assert_eq!(ran.json()["ok"], true, "{}", ran.stdout);
    assert_eq!(std::fs::read_to_string(scene.path(SECRET)).unwrap(), format!("{MARKER}\n"));
    assert_eq!(std::fs::read_to_string(scene.root().join("sub/b.txt")).unwrap(), "PWNED\n");
    assert_eq!(call(&scene, Try::Create, "sub/new.txt", |_| ()).json()["ok"], true);
    assert_eq!(std::fs::read_to_string(scene.path(SECRET)).unwrap(), format!("{MARKER}\n"));
}
