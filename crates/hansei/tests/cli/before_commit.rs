//! `hansei install --before-commit` with real git: what is committed is held against the decisions of the repository.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::support::{Ran, World};

const CACHE: &str = "# @RATIONALE: one process less\n# @REJECTED: `redis`\ndef cache(): ...\n";

pub fn decided() -> World {
    let world = World::new();
    world.write("src/cache.py", CACHE);
    world.commit("Decide");
    world
}

pub fn hook(world: &World) -> PathBuf {
    world.path(".git/hooks/pre-commit")
}

pub fn executable(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

pub fn install(world: &World) -> Ran {
    world.run(&["install", "--before-commit"])
}

pub fn commit(world: &World, arguments: &[&str]) -> Ran {
    Ran::of(world.command("git").args(["commit", "--quiet", "-m", "Work"]).args(arguments), b"")
}

#[test]
fn a_commit_that_breaks_a_decision_is_refused_and_any_other_goes_through() {
    let world = decided();
    let ran = install(&world);
    assert!(ran.code == 0 && ran.stdout.contains("pre-commit"), "{} {}", ran.stdout, ran.stderr);
    world.write("src/a.py", "x = 1\n");
    world.git(&["add", "src/a.py"]);
    assert_eq!(commit(&world, &[]).code, 0);
    world.write("src/b.py", "import redis\n");
    world.git(&["add", "src/b.py"]);
    let refused = commit(&world, &[]);
    assert_ne!(refused.code, 0);
    for part in ["src/b.py:1", "src/cache.py:1", "hansei decisions revise"] {
        assert!(refused.stderr.contains(part), "{part}: {}", refused.stderr);
    }
    assert_eq!(world.git(&["log", "--format=%s", "-1"]).trim(), "Work", "nothing was committed");
    world.git(&["rm", "--quiet", "--cached", "src/b.py"]);
    assert_eq!(commit(&world, &["--allow-empty"]).code, 0, "what is not staged is not committed");
    // What git puts into an index of its own for this commit alone.
    world.write("src/a.py", "import redis\n");
    assert_ne!(commit(&world, &["--all"]).code, 0);
    assert_ne!(commit(&world, &["src/a.py"]).code, 0);
    assert_eq!(commit(&world, &["--all", "--no-verify"]).code, 0, "a human may");
}

#[test]
fn the_hook_works_in_a_linked_work_tree_and_from_a_folder() {
    let world = decided();
    let linked = world.outside().join("linked");
    world.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    assert_eq!(
        Ran::of(world.hansei().current_dir(&linked).args(["install", "--before-commit"]), b"").code,
        0
    );
    assert!(hook(&world).is_file(), "hooks are the repository's");
    std::fs::write(linked.join("src/b.py"), "import redis\n").unwrap();
    world.git_in(&linked, &["add", "."]);
    let ran = Ran::of(world.command("git").current_dir(linked.join("src")).args(["commit", "-m", "x"]), b"");
    assert!(ran.code != 0 && ran.stderr.contains("src/b.py:1"), "{}", ran.stderr);
}

#[test]
fn installing_twice_changes_nothing_and_removing_leaves_nothing() {
    let world = decided();
    let before: Vec<_> = names(&world);
    install(&world);
    let text = std::fs::read(hook(&world)).unwrap();
    let again = install(&world);
    assert!(again.code == 0 && again.stdout.contains("already"), "{}", again.stdout);
    assert_eq!(std::fs::read(hook(&world)).unwrap(), text);
    let dry = world.run(&["uninstall", "--before-commit", "--dry-run"]);
    assert!(dry.code == 0 && hook(&world).is_file(), "{}", dry.stdout);
    assert_eq!(world.run(&["uninstall", "--before-commit"]).code, 0);
    assert_eq!(names(&world), before);
    let none = world.run(&["uninstall", "--before-commit", "--json"]);
    assert_eq!((none.code, &none.json()["changes"]), (0, &false.into()));
}

pub fn names(world: &World) -> Vec<String> {
    let entries = std::fs::read_dir(world.path(".git/hooks")).into_iter().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn a_hook_that_was_there_is_called_first_and_comes_back() {
    let world = decided();
    let theirs = "#!/bin/sh\necho theirs >> \"$(dirname \"$0\")/called\"\ntest ! -e stop\n";
    executable(&hook(&world), theirs);
    let ran = install(&world);
    assert!(ran.code == 0 && ran.stdout.contains("behind the hook that was there"), "{}", ran.stdout);
    let called =
        || std::fs::read_to_string(world.path(".git/hooks/called")).unwrap_or_default().lines().count();
    world.write("a.py", "x = 1\n");
    world.git(&["add", "a.py"]);
    assert_eq!((commit(&world, &[]).code, called()), (0, 1));
    world.write("stop", "");
    assert_ne!(commit(&world, &["--allow-empty"]).code, 0, "theirs says no");
    std::fs::remove_file(world.path("stop")).unwrap();
    world.write("b.py", "import redis\n");
    world.git(&["add", "b.py"]);
    assert_ne!(commit(&world, &[]).code, 0, "ours says no");
    assert_eq!(called(), 3);
    assert_eq!(world.run(&["uninstall", "--before-commit"]).code, 0);
    assert_eq!(std::fs::read_to_string(hook(&world)).unwrap(), theirs);
    assert_eq!(hook(&world).metadata().unwrap().permissions().mode() & 0o777, 0o755);
    assert!(!world.path(".git/hooks/pre-commit.before-hansei").exists());
    assert_eq!(commit(&world, &[]).code, 0, "and nobody looks any more");
}

#[test]
fn what_cannot_be_kept_safely_is_left_as_it_is() {
    let world = decided();
    for (text, why) in [
        ("#!/bin/sh\n. \"$(dirname \"$0\")/_/h\" \"$(basename \"$0\")\"\n", "its own name"),
        ("\u{7f}ELF", "by what it is run"),
    ] {
        executable(&hook(&world), text);
        let ran = install(&world);
        assert!(ran.code == 3 && ran.stderr.contains(why), "{} {}", ran.code, ran.stderr);
        assert_eq!(std::fs::read_to_string(hook(&world)).unwrap(), text);
    }
    std::fs::remove_file(hook(&world)).unwrap();
    std::os::unix::fs::symlink("/bin/true", hook(&world)).unwrap();
    let ran = install(&world);
    assert!(ran.code == 3 && ran.stderr.contains("not a plain file"), "{}", ran.stderr);
}

#[test]
fn the_folder_that_git_is_told_of_is_respected() {
    let world = decided();
    world.git(&["config", "core.hooksPath", ".githooks"]);
    assert_eq!(install(&world).code, 0);
    let shared = std::fs::read_to_string(world.path(".githooks/pre-commit")).unwrap();
    assert!(shared.contains("\nhansei=hansei\n(\n"), "no path of this machine: {shared}");
    assert!(!hook(&world).exists());
    assert_eq!(world.run(&["uninstall", "--before-commit"]).code, 0);
    world.git(&["config", "core.hooksPath", world.outside().join("hooks").to_str().unwrap()]);
    let outside = install(&world);
    assert!(outside.code == 3 && outside.stderr.contains("outside this repository"), "{}", outside.stderr);
    world.git(&["config", "--unset", "core.hooksPath"]);
    world.git(&["config", "--global", "core.hooksPath", "/somewhere"]);
    let everywhere = install(&world);
    assert!(
        everywhere.code == 3 && everywhere.stderr.contains("all your repositories"),
        "{}",
        everywhere.stderr
    );
    let bare = World::without_repository();
    assert_eq!(install(&bare).code, 2);
}

#[test]
fn where_hansei_is_gone_commits_go_through_with_a_note() {
    let world = decided();
    install(&world);
    let text = std::fs::read_to_string(hook(&world)).unwrap();
    let program = text.lines().find(|line| line.starts_with("hansei=")).unwrap();
    executable(&hook(&world), &text.replace(program, "hansei='/nowhere/hansei'"));
    world.write("b.py", "import redis\n");
    world.git(&["add", "b.py"]);
    let ran = commit(&world, &[]);
    assert!(ran.code == 0 && ran.stderr.contains("hansei was not found"), "{} {}", ran.code, ran.stderr);
}
