//! A folder that is swapped for a link while the tools look at it.
//!
//! The naive way (resolve the path, compare it with the root, then use it) is raced first, until it loses; the tools must
//! never lose. `HANSEI_TEST_LONG=1` makes ten times as many calls.

use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};

use crate::support::{Ran, World};

const MARKER: &str = "SECRET-OF-ANOTHER";
/// The naive way loses within this many tries, or the race is no race.
const NAIVE_TRIES: usize = 20_000_000;

fn calls() -> usize {
    if std::env::var_os("HANSEI_TEST_LONG").is_some() { 1000 } else { 100 }
}

/// A workspace in which `name` is swapped with `other` as fast as one thread can.
struct Swapped {
    world: World,
    name: &'static str,
    other: &'static str,
}

impl Swapped {
    /// Runs `during` while the two names are swapped.
    fn while_swapping<T>(&self, during: impl FnOnce() -> T) -> T {
        let (name, other) = (self.world.path(self.name), self.world.path(self.other));
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    // In one step, so that there is always something under either name.
                    let exchange = rustix::fs::RenameFlags::EXCHANGE;
                    rustix::fs::renameat_with(rustix::fs::CWD, &name, rustix::fs::CWD, &other, exchange)
                        .unwrap();
                }
            });
            let _stop = StopAtEnd(&stop);
            during()
        })
    }

    fn call(&self, tool: &str, input: &Value) -> Value {
        let mut command = self.world.hansei();
        Ran::of(command.args(["tool", tool, "--input", "-"]), input.to_string().as_bytes()).json()
    }

    fn outside(&self) -> PathBuf {
        self.world.outside().join("out")
    }
}

/// Ends the swapping also when an assertion fails.
struct StopAtEnd<'a>(&'a AtomicBool);

impl Drop for StopAtEnd<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// `d` is a folder of the workspace, and `e` a link to one outside; or a file and a link to one.
fn folder_or_link() -> Swapped {
    let world = World::without_repository();
    std::fs::create_dir(world.outside().join("out")).unwrap();
    std::fs::write(world.outside().join("out/f.txt"), format!("{MARKER}\n")).unwrap();
    world.write("d/f.txt", "inside\n");
    symlink("../out", world.path("e")).unwrap();
    Swapped { world, name: "d", other: "e" }
}

fn file_or_link() -> Swapped {
    let swapped = folder_or_link();
    swapped.world.write("f", "inside\n");
    symlink(swapped.outside().join("f.txt"), swapped.world.path("g")).unwrap();
    Swapped { name: "f", other: "g", ..swapped }
}

/// Resolves, compares, uses: the way that loses.
fn checked_then_used(root: &Path, path: &str, act: impl Fn(&Path) -> bool) -> bool {
    let path = root.join(path);
    path.canonicalize().is_ok_and(|real| real.starts_with(root)) && act(&path)
}

fn loses_naively(swapped: &Swapped, path: &str, act: impl Fn(&Path) -> bool) -> bool {
    let root = swapped.world.repo.canonicalize().unwrap();
    swapped.while_swapping(|| (0..NAIVE_TRIES).any(|_| checked_then_used(&root, path, &act)))
}

#[test]
fn reading_never_leaves_through_a_folder_or_a_file_that_is_swapped() {
    for (make, path) in [(folder_or_link as fn() -> Swapped, "d/f.txt"), (file_or_link, "f")] {
        let naive = make();
        let reads = |path: &Path| std::fs::read_to_string(path).is_ok_and(|text| text.contains(MARKER));
        assert!(loses_naively(&naive, path, reads), "no attack: {path}");
        let swapped = make();
        let (mut inside, mut refused) = (0, 0);
        swapped.while_swapping(|| {
            for number in 0..calls() {
                let (tool, input) = match number % 3 {
                    0 => ("read_file", json!({ "path": path })),
                    1 => ("search", json!({ "pattern": "SECRET-OF-|ins" })),
                    _ => ("str_replace_editor", json!({ "command": "view", "path": path })),
                };
                let answer = swapped.call(tool, &input);
                assert!(!answer.to_string().contains(MARKER), "{tool}: {answer}");
                if answer.to_string().contains("inside") { inside += 1 } else { refused += 1 }
            }
        });
        println!(
            "{path}: {} calls while swapping, {inside} read inside, {refused} refused, none outside",
            calls()
        );
    }
}

#[test]
fn writing_never_leaves_through_a_folder_that_is_swapped() {
    let naive = folder_or_link();
    let outside = naive.outside();
    let written = |path: &Path| {
        let _ = std::fs::write(path, "PWNED");
        outside.join("new.txt").exists()
    };
    let root = naive.world.repo.canonicalize().unwrap();
    let lost = naive.while_swapping(|| {
        (0..NAIVE_TRIES).any(|_| {
            // The file is new, so it is its folder that is compared.
            let folder = root.join("d");
            folder.canonicalize().is_ok_and(|real| real.starts_with(&root))
                && written(&folder.join("new.txt"))
        })
    });
    assert!(lost, "no attack");

    let swapped = folder_or_link();
    let before = std::fs::read(swapped.outside().join("f.txt")).unwrap();
    let mut done = 0;
    swapped.while_swapping(|| {
        for number in 0..calls() {
            let input = if number % 2 == 0 {
                json!({ "command": "create", "path": format!("d/deep{number}/new.txt"), "file_text": "PWNED" })
            } else {
                json!({ "command": "insert", "path": "d/f.txt", "insert_line": 0, "new_str": "PWNED" })
            };
            done += usize::from(swapped.call("str_replace_editor", &input)["ok"] == true);
        }
    });
    println!("{} writes while swapping, {done} inside, none outside", calls());
    let left: Vec<_> =
        std::fs::read_dir(swapped.outside()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left, ["f.txt"]);
    assert_eq!(std::fs::read(swapped.outside().join("f.txt")).unwrap(), before);
}

#[test]
fn writing_never_reaches_gits_own_folder_through_a_folder_that_is_swapped() {
    fn folder_or_git() -> Swapped {
        let world = World::new();
        world.write("d/keep", "");
        symlink(".git", world.path("e")).unwrap();
        Swapped { world, name: "d", other: "e" }
    }
    let naive = folder_or_git();
    let git = naive.world.path(".git");
    let lost = naive.while_swapping(|| {
        let folder = naive.world.path("d");
        (0..NAIVE_TRIES).any(|_| {
            let is_free = folder.canonicalize().is_ok_and(|real| !real.starts_with(&git));
            let _ = is_free && std::fs::write(folder.join("planted"), "PWNED").is_ok();
            git.join("planted").exists()
        })
    });
    assert!(lost, "no attack");

    let swapped = folder_or_git();
    let mut done = 0;
    swapped.while_swapping(|| {
        for number in 0..calls() {
            let input =
                json!({ "command": "create", "path": format!("d/planted{number}"), "file_text": "PWNED" });
            done += usize::from(swapped.call("str_replace_editor", &input)["ok"] == true);
        }
    });
    println!("{} writes while swapping with .git, {done} beside it, none in it", calls());
    let planted = |entry: std::fs::DirEntry| entry.file_name().to_string_lossy().contains("planted");
    assert!(!std::fs::read_dir(swapped.world.path(".git")).unwrap().any(|entry| planted(entry.unwrap())));
}
