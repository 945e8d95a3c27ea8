//! A program that the search path finds is not ours to start where somebody may have planted it: in the workspace, which a
//! command behind walls may write, or where another user may.
//!
//! Each attack is first shown to work: a shell falls for it.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, chown, symlink};
use std::path::{Path, PathBuf};

use crate::hostile::Trap;
use crate::support::{Ran, World, payload};

/// Programs that we start ourselves.
const STARTED: [&str; 4] = ["bwrap", "claude", "git", "python3"];

/// The search path with `folder` before everything else.
fn path_with(folder: &Path) -> OsString {
    let usual = std::env::var_os("PATH").unwrap();
    std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&usual))).unwrap()
}

/// Shows that a shell springs the trap and that no command of ours does.
fn check(world: &World, trap: &Trap, path: &OsString) {
    let there: Vec<&str> = STARTED
        .into_iter()
        .filter(|name| {
            let _ = world.command("sh").args(["-c", name]).env("PATH", path).output().unwrap();
            trap.sprung()
        })
        .collect();
    assert!(!there.is_empty(), "the attack does not work: {}", path.display());
    for event in ["session-start", "stop"] {
        world.hook_with(event, &payload(&world.repo, "s1"), |command| {
            command.env("PATH", path);
        });
        assert!(!trap.sprung(), "{event} with {}", path.display());
    }
    let forms: [&[&str]; 6] = [
        &["risk"],
        &["probe", "--command", "python release.py", "--error", "-"],
        &["sandbox", "--", "true"],
        &["verify"],
        &["doctor"],
        &["demo", "--json"],
    ];
    for form in forms {
        let ran = Ran::of(world.hansei().args(form).env("PATH", path), b"no module named x");
        assert!(!trap.sprung(), "{form:?} with {}: {}", path.display(), ran.stdout);
        assert!(ran.code < 2, "{form:?} found no other: {}", ran.stderr);
    }
}

/// Puts every program that we start into `folder`, as `put` does.
fn plant(folder: &Path, put: impl Fn(&Path)) -> PathBuf {
    fs::create_dir_all(folder).unwrap();
    for name in STARTED {
        put(&folder.join(name));
    }
    folder.to_owned()
}

#[test]
fn what_lies_in_the_workspace_is_not_started() {
    let world = World::new();
    let trap = Trap::set(&world);
    let inside = plant(&world.path(".venv/bin"), |place| trap.write_to(place));
    check(&world, &trap, &path_with(&inside));

    let linked = world.outside().join("linked");
    symlink(&inside, &linked).unwrap();
    check(&world, &trap, &path_with(&linked));

    let links = plant(&world.outside().join("links"), |place| {
        symlink(inside.join(place.file_name().unwrap()), place).unwrap();
    });
    check(&world, &trap, &path_with(&links));

    // A link of the workspace can be led elsewhere at any time.
    symlink(&trap.program, world.path("through")).unwrap();
    let through = plant(&world.outside().join("through"), |place| {
        symlink(world.path("through"), place).unwrap();
    });
    check(&world, &trap, &path_with(&through));
}

#[test]
fn what_lies_in_a_relative_folder_is_not_started() {
    let world = World::new();
    let trap = Trap::set(&world);
    plant(&world.repo, |place| trap.write_to(place));
    check(&world, &trap, &path_with(Path::new(".")));
}

#[test]
fn what_another_user_may_change_is_not_started() {
    let world = World::new();
    let trap = Trap::set(&world);
    let set = |place: &Path, mode| fs::set_permissions(place, fs::Permissions::from_mode(mode)).unwrap();
    let open = plant(&world.outside().join("open"), |place| trap.write_to(place));
    set(&open, 0o777);
    check(&world, &trap, &path_with(&open));

    let writable = plant(&world.outside().join("writable"), |place| {
        trap.write_to(place);
        set(place, 0o777);
    });
    check(&world, &trap, &path_with(&writable));

    // Only root can give a file away.
    let theirs = plant(&world.outside().join("theirs"), |place| trap.write_to(place));
    if chown(&theirs, Some(12_345), None).is_ok() {
        check(&world, &trap, &path_with(&theirs));
        chown(&theirs, Some(0), None).unwrap();
        for name in STARTED {
            chown(theirs.join(name), Some(12_345), None).unwrap();
        }
        check(&world, &trap, &path_with(&theirs));
    }
}

/// The workspace is another than the one that a command stands in, and the command runs in a copy of it.
#[test]
fn a_workspace_that_is_named_from_elsewhere_plants_nothing_either() {
    let world = World::new();
    let trap = Trap::set(&world);
    let inside = plant(&world.path(".venv/bin"), |place| trap.write_to(place));
    world.write(".gitignore", ".venv\n");
    world.write("Makefile", "test:\n\tfalse\n");
    world.commit("A check that is red");
    let mut command = world.hansei();
    command.args(["verify", "--json", "--workspace", world.repo.to_str().unwrap()]);
    let ran = Ran::of(command.env("PATH", path_with(&inside)).current_dir(world.outside()), b"");
    assert!(!trap.sprung(), "{}", ran.stdout);
    let summary = &ran.json()["summary"];
    assert_eq!(summary, "1 check failed (0 new failures)", "it ran on the base commit too: {}", ran.stdout);
}

#[test]
fn it_is_said_why_the_only_program_is_not_started() {
    let world = World::new();
    let trap = Trap::set(&world);
    let inside = plant(&world.path(".venv/bin"), |place| trap.write_to(place));
    for (form, name) in [(&["risk"][..], "git"), (&["sandbox", "--", "true"], "bwrap")] {
        let ran = Ran::of(world.hansei().args(form).env("PATH", &inside), b"");
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        let said = format!("{name} was not found on PATH; {} is not started", inside.join(name).display());
        assert!(ran.stderr.contains(&said), "{}", ran.stderr);
    }
    assert!(!trap.sprung());
}
