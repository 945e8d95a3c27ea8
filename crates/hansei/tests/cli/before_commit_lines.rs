//! What others write into git's hook beside Hansei's part, and where that part is found again.

use std::os::unix::fs::{PermissionsExt as _, symlink};

use crate::before_commit::{commit, decided, executable, hook, install, names};
use crate::support::{Ran, World};

const KEPT: &str = ".git/hooks/pre-commit.before-hansei";
/// The hook as it was written before our part had an end.
const EARLIER: &str = r#"#!/bin/sh
# Put here by `hansei install --before-commit`; `hansei uninstall --before-commit` takes it out.
hansei='/nowhere/hansei'
kept="$(dirname "$0")/pre-commit.before-hansei"
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
"$hansei" decisions check --staged ${GIT_INDEX_FILE:+--index "$GIT_INDEX_FILE"} >&2
case $? in
0) exit 0 ;;
1) exit 1 ;;
esac
echo "this commit could not be held against the decisions of the repository" >&2
exit 0
"#;

fn uninstall(world: &World) -> Ran {
    world.run(&["uninstall", "--before-commit"])
}

fn written(world: &World) -> String {
    std::fs::read_to_string(hook(world)).unwrap()
}

fn stage(world: &World, text: &str) {
    world.write("src/n.py", text);
    world.git(&["add", "src/n.py"]);
}

fn mark_of(text: &str) -> String {
    text.lines().nth(1).unwrap().to_owned()
}

#[test]
fn lines_of_others_run_survive_a_second_install_and_stay_when_ours_goes() {
    let line = "echo ran >> .git/ran";
    let places: [fn(&str, &str) -> String; 5] = [
        |hook, line| hook.replacen("#!/bin/sh\n", &format!("#!/bin/sh\n{line}\n"), 1),
        |hook, line| hook.replacen(&mark_of(hook), &format!("{}\n{line}", mark_of(hook)), 1),
        |hook, line| hook.replacen("\nhansei=", &format!("\n{line}\nhansei="), 1),
        |hook, line| format!("{hook}{line}\n"),
        |hook, line| hook.replacen("#!/bin/sh\n", &format!("#!/bin/sh\nset -eu\n{line}\n"), 1),
    ];
    for place in places {
        for earlier in [false, true] {
            let world = decided();
            install(&world);
            let ours = if earlier { EARLIER.to_owned() } else { written(&world) };
            let changed = place(&ours, line);
            executable(&hook(&world), &changed);
            let again = install(&world);
            assert_eq!(again.code, 0, "{}", again.stderr);
            assert!(!world.path(KEPT).exists(), "ours is not somebody else's: {changed}");
            assert!(earlier || written(&world).len() == changed.len(), "{}", written(&world));
            stage(&world, "x = 1\n");
            assert_eq!(commit(&world, &[]).code, 0);
            assert_eq!(std::fs::read_to_string(world.path(".git/ran")).unwrap(), "ran\n", "{changed}");
            stage(&world, "import redis\n");
            assert_ne!(commit(&world, &[]).code, 0, "{}", written(&world));
            let gone = uninstall(&world);
            assert!(gone.code == 0 && gone.stdout.contains("no longer"), "{} {}", gone.stdout, gone.stderr);
            let set = if changed.contains("set -eu") { "set -eu\n" } else { "" };
            assert_eq!(written(&world), format!("#!/bin/sh\n{set}{line}\n"));
            assert_eq!(hook(&world).metadata().unwrap().permissions().mode() & 0o777, 0o755);
            assert_eq!(commit(&world, &[]).code, 0, "theirs still runs, and nobody looks");
        }
    }
}

#[test]
fn the_earlier_form_goes_without_a_trace() {
    let world = decided();
    let before = names(&world);
    executable(&hook(&world), EARLIER);
    assert_eq!(uninstall(&world).code, 0);
    assert_eq!(names(&world), before);
}

#[test]
fn ours_that_was_kept_as_somebody_elses_is_mended() {
    let mixed = EARLIER.replacen("#!/bin/sh\n", "#!/bin/sh\ntrue # mine\n", 1);
    for (kept, left) in [(mixed.as_str(), Some("#!/bin/sh\ntrue # mine\n")), (EARLIER, None)] {
        for installs in [true, false] {
            let world = decided();
            executable(&hook(&world), EARLIER);
            executable(&world.path(KEPT), kept);
            if installs {
                assert_eq!(install(&world).code, 0);
                assert_eq!(std::fs::read_to_string(world.path(KEPT)).ok().as_deref(), left);
                stage(&world, "x = 1\n");
                assert_eq!(commit(&world, &[]).code, 0);
            }
            assert_eq!(uninstall(&world).code, 0);
            assert_eq!(std::fs::read_to_string(hook(&world)).ok().as_deref(), left);
            assert!(!world.path(KEPT).exists());
        }
    }
}

#[test]
fn a_kept_hook_that_comes_back_to_ours_is_called_once() {
    let world = decided();
    let called = "echo x >> .git/called\ntest $(wc -l < .git/called) -lt 5 || exit 9\n";
    let theirs =
        format!("#!/bin/sh\n{called}exec \"$(dirname \"$0\")/pre-commit.legacy\" # what was there before\n");
    install(&world);
    std::fs::rename(hook(&world), world.path(".git/hooks/pre-commit.legacy")).unwrap();
    executable(&hook(&world), &theirs);
    assert_eq!(install(&world).code, 0);
    stage(&world, "x = 1\n");
    let ran = commit(&world, &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(std::fs::read_to_string(world.path(".git/called")).unwrap(), "x\n");
    stage(&world, "import redis\n");
    assert_ne!(commit(&world, &[]).code, 0);
}

#[test]
fn what_was_changed_inside_ours_is_left_and_named() {
    let world = decided();
    install(&world);
    let ours = written(&world);
    for changed in [
        ours.replacen("exit 1 ;;", "exit 2 ;;", 1),
        ours.replace("# <<< hansei\n", ""),
        ours.replace(&format!("{}\n", mark_of(&ours)), ""),
    ] {
        executable(&hook(&world), &changed);
        for ran in [install(&world), uninstall(&world)] {
            assert!(ran.code == 3 && ran.stderr.contains("was changed since"), "{}", ran.stderr);
        }
        assert_eq!(written(&world), changed);
        assert!(!world.path(KEPT).exists());
    }
    let wrapped = format!("#!/bin/sh\nif true; then\n{}fi\n", ours.replace("#!/bin/sh\n", ""));
    executable(&hook(&world), &wrapped);
    assert_eq!((install(&world).code, uninstall(&world).code), (0, 3), "an `if` with nothing to do");
    assert_eq!(written(&world), wrapped);
}

#[test]
fn a_hook_before_ours_and_lines_beside_ours_are_not_mixed() {
    let world = decided();
    executable(&hook(&world), "#!/bin/sh\ntrue\n");
    install(&world);
    let changed = format!("{}mine\n", written(&world));
    executable(&hook(&world), &changed);
    let ran = uninstall(&world);
    assert!(ran.code == 3 && ran.stderr.contains("pre-commit.before-hansei"), "{}", ran.stderr);
    assert_eq!(written(&world), changed);
    assert_eq!(std::fs::read_to_string(world.path(KEPT)).unwrap(), "#!/bin/sh\ntrue\n");
}

#[test]
fn folders_that_were_made_for_the_hook_go_with_it() {
    let world = decided();
    let hooks = world.path(".git/hooks");
    let _ = std::fs::remove_dir_all(&hooks);
    install(&world);
    install(&world);
    assert_eq!(uninstall(&world).code, 0);
    assert!(!hooks.exists());
    std::fs::create_dir(&hooks).unwrap();
    install(&world);
    uninstall(&world);
    assert!(hooks.is_dir(), "it was there before");
    world.git(&["config", "core.hooksPath", ".tools/git/hooks"]);
    install(&world);
    uninstall(&world);
    assert!(!world.path(".tools").exists());
    install(&world);
    world.write(".tools/mine", "");
    uninstall(&world);
    assert!(world.path(".tools/mine").is_file() && !world.path(".tools/git").exists());
}

#[test]
fn a_linked_hook_is_told_by_where_it_leads() {
    let world = decided();
    std::fs::create_dir_all(world.path(".git/hooks")).unwrap();
    symlink("/bin/true", hook(&world)).unwrap();
    let theirs = uninstall(&world);
    assert!(theirs.code == 0 && theirs.stdout.contains("no hook of Hansei's"), "{}", theirs.stderr);
    std::fs::remove_file(hook(&world)).unwrap();
    install(&world);
    std::fs::rename(hook(&world), world.path("tools-hook")).unwrap();
    symlink(world.path("tools-hook"), hook(&world)).unwrap();
    let ours = uninstall(&world);
    assert!(ours.code == 3 && ours.stderr.contains("not a plain file"), "{}", ours.stderr);
    assert!(!ours.stderr.contains("beside another hook"), "{}", ours.stderr);
    assert!(world.path("tools-hook").is_file() && hook(&world).is_symlink());
}
