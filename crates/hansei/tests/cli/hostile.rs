//! A hostile repository or payload cannot make us run a program, hang us, or write elsewhere.
//!
//! Each attack is first shown to work: a plain git command (or a naive write) falls for it.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Ran, World, payload, sidecars_in};

/// A program that leaves a mark when it runs.
pub struct Trap {
    pub program: PathBuf,
    mark: PathBuf,
}

impl Trap {
    pub fn set(world: &World) -> Self {
        let trap = Self { program: world.outside().join("trap"), mark: world.outside().join("mark") };
        trap.write_to(&trap.program);
        trap
    }

    /// Passes its input on, so that it can stand in for a filter.
    pub fn write_to(&self, path: &Path) {
        fs::write(path, format!("#!/bin/sh\ntouch '{}'\ncat 2>/dev/null\n", self.mark.display())).unwrap();
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }

    fn name(&self) -> &str {
        self.program.to_str().unwrap()
    }

    pub fn sprung(&self) -> bool {
        let sprung = self.mark.exists();
        let _ = fs::remove_file(&self.mark);
        sprung
    }
}

/// Lets the files' time stamps differ from what the index remembers, so that git has to look at their content.
fn touch(world: &World) {
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(5);
    for name in ["README.md", "data.bin"] {
        let path = world.path(name);
        if path.exists() {
            fs::File::options().append(true).open(path).unwrap().set_modified(later).unwrap();
        }
    }
}

/// Runs every command of ours that asks git.
fn everything_of_ours(world: &World, change: impl Fn(&mut Command)) {
    touch(world);
    for event in ["session-start", "stop"] {
        world.hook_with(event, &payload(&world.repo, "s1"), &change);
    }
    let forms: [&[&str]; 4] = [
        &["risk"],
        &["risk", "--staged"],
        &["risk", "--commit", "HEAD"],
        &["risk", "--base", "HEAD", "--head", "HEAD"],
    ];
    for form in forms {
        let mut command = world.hansei();
        change(command.args(form));
        let ran = Ran::of(&mut command, b"");
        assert!(ran.code < 2, "{form:?}: {}", ran.stderr);
    }
}

/// Shows that plain `git <attack>` springs the trap and that nothing of ours does, and gives the last reflection.
fn check(world: &World, trap: &Trap, attack: &[&str]) {
    touch(world);
    let _ = world.command("git").args(attack).output().unwrap();
    assert!(trap.sprung(), "the attack does not work: git {attack:?}");
    everything_of_ours(world, |_| ());
    assert!(!trap.sprung(), "git {attack:?} got us");
    assert_eq!(world.sidecars().len(), 1);
}

#[test]
fn a_file_system_monitor_is_not_asked() {
    let world = World::new();
    let trap = Trap::set(&world);
    world.git(&["config", "core.fsmonitor", trap.name()]);
    check(&world, &trap, &["status"]);
}

#[test]
fn hooks_do_not_run() {
    for own_folder in [false, true] {
        let world = World::new();
        let trap = Trap::set(&world);
        let hooks = if own_folder { world.outside().join("hooks") } else { world.path(".git/hooks") };
        fs::create_dir_all(&hooks).unwrap();
        trap.write_to(&hooks.join("post-index-change"));
        if own_folder {
            world.git(&["config", "core.hooksPath", hooks.to_str().unwrap()]);
        }
        check(&world, &trap, &["status"]);
    }
}

#[test]
fn filters_do_not_run_whatever_their_name() {
    for driver in ["evil", "with.dots", "with=equals", "MiXed", "with space"] {
        for (key, required) in [("clean", false), ("clean", true), ("process", true)] {
            let world = World::new();
            let trap = Trap::set(&world);
            world.write("data.bin", "data");
            world.commit("Data");
            // A driver's name with a space cannot stand in an attributes file; its key must still be survived.
            let named = if driver.contains(' ') { "evil" } else { driver };
            world.write(".git/info/attributes", format!("data.bin filter={named}\n"));
            let config = format!("[filter \"{driver}\"]\n{key} = {}\nrequired = {required}\n", trap.name());
            let config = if driver == named {
                config
            } else {
                format!("{config}[filter \"{named}\"]\n{key} = {}\n", trap.name())
            };
            let file = world.path(".git/config");
            fs::write(&file, fs::read_to_string(&file).unwrap() + &config).unwrap();
            check(&world, &trap, &["status"]);
        }
    }
}

#[test]
fn a_filter_from_an_included_file_does_not_run() {
    let world = World::new();
    let trap = Trap::set(&world);
    world.write("data.bin", "data");
    world.write(".gitattributes", "data.bin filter=evil\n");
    world.commit("Data");
    world.write(".git/more", format!("[filter \"evil\"]\nclean = {}\n", trap.name()));
    world.git(&["config", "include.path", "more"]);
    check(&world, &trap, &["status"]);
}

#[test]
fn external_diffs_and_text_conversions_do_not_run() {
    for key in ["diff.external", "diff.evil.textconv", "diff.evil.command"] {
        let world = World::new();
        let trap = Trap::set(&world);
        world.write(".gitattributes", "README.md diff=evil\n");
        world.commit("Attributes");
        world.write("README.md", "changed\n");
        world.git(&["add", "README.md"]);
        world.git(&["config", key, trap.name()]);
        check(&world, &trap, &["diff", "HEAD"]);
    }
}

#[test]
fn pagers_do_not_run_on_a_terminal_either() {
    let world = World::new();
    let trap = Trap::set(&world);
    for key in
        ["core.pager", "pager.status", "pager.diff", "pager.rev-parse", "pager.diff-tree", "pager.config"]
    {
        world.git(&["config", key, trap.name()]);
    }
    let on_terminal = |line: &str| {
        let ran =
            world.command("script").env("TERM", "xterm").args(["-qec", line, "/dev/null"]).output().unwrap();
        String::from_utf8_lossy(&ran.stdout).into_owned()
    };
    on_terminal("git status");
    assert!(trap.sprung(), "the attack does not work");
    world.write("login.rs", "x");
    for form in ["risk", "risk --commit HEAD", "risk --staged", "hook claude-code stop --mode solo"] {
        let printed = on_terminal(&format!("{} {form} </dev/null", crate::support::HANSEI));
        assert!(!trap.sprung(), "{form}: {printed}");
    }
    assert_eq!(world.sidecars().len(), 1);
}

#[test]
fn aliases_do_not_run() {
    let world = World::new();
    let trap = Trap::set(&world);
    for name in ["st", "status", "config", "diff", "diff-tree", "rev-parse", "cat-file", "merge-base"] {
        world.git(&["config", &format!("alias.{name}"), &format!("!{}", trap.name())]);
    }
    check(&world, &trap, &["st"]);
}

#[test]
fn a_submodules_own_settings_run_nothing() {
    for setting in ["core.fsmonitor", "filter.evil.clean"] {
        let world = World::new();
        let trap = Trap::set(&world);
        let inside = with_submodule(&world);
        world.git_in(&inside, &["config", setting, trap.name()]);
        fs::write(world.path(".git/modules/library/info/attributes"), "* filter=evil\n").unwrap();
        fs::write(inside.join("lib.rs"), "y").unwrap();
        check(&world, &trap, &["status"]);
        assert_eq!(world.last().files_changed, Vec::<String>::new(), "edited before the session began");
        fs::write(inside.join("lib.rs"), "z").unwrap();
        assert_eq!(world.capture().files_changed, ["library/lib.rs"]);
        let probe = ["probe", "--command", "python release.py", "--error", "-"];
        let found = Ran::of(world.hansei().args(probe), b"release.py: the work tree is not clean");
        assert!(!trap.sprung(), "{setting}: {}", found.stdout);
        assert!(found.stdout.contains("not clean (library/lib.rs)"), "{}", found.stdout);
    }
}

#[test]
fn a_submodules_own_settings_run_nothing_where_patches_are_read() {
    let world = World::new();
    let trap = Trap::set(&world);
    let inside = with_submodule(&world);
    fs::write(inside.join("lib.rs"), "y").unwrap();
    world.git_in(&inside, &["commit", "--quiet", "--all", "-m", "More"]);
    world.git(&["add", "library"]);
    world.commit("The submodule moves");
    world.git(&["config", "diff.submodule", "diff"]);
    world.git_in(&inside, &["config", "diff.external", trap.name()]);
    check(&world, &trap, &["log", "--patch", "--no-ext-diff", "--no-textconv"]);
    let ran = world.run(&["experiment", "board-history", "--input-format", "git", "."]);
    assert!(ran.code < 2, "{}", ran.stderr);
    assert!(!trap.sprung(), "{}", ran.stdout);
}

/// Commits a submodule, and a script that insists on a clean work tree. Gives the submodule's folder.
fn with_submodule(world: &World) -> PathBuf {
    let library = world.outside().join("library");
    world.git(&["init", "--quiet", library.to_str().unwrap()]);
    fs::write(library.join("lib.rs"), "x").unwrap();
    world.git_in(&library, &["add", "."]);
    world.git_in(&library, &["commit", "--quiet", "-m", "Library"]);
    world.git(&["submodule", "--quiet", "add", library.to_str().unwrap(), "library"]);
    world.write(
        "release.py",
        "import subprocess\nif subprocess.check_output(['git', 'status', '--porcelain']):\n    raise SystemExit('the work tree is not clean')\n",
    );
    world.commit("With a submodule");
    world.path("library")
}

#[test]
fn a_missing_object_is_not_fetched() {
    let world = World::new();
    let trap = Trap::set(&world);
    world.write("src/a.rs", "x");
    world.commit("Second");
    world.git(&["config", "uploadpack.allowFilter", "true"]);
    let partial = world.outside().join("partial");
    let url = format!("file://{}", world.repo.display());
    world.git(&["clone", "--quiet", "--filter=tree:0", &url, partial.to_str().unwrap()]);
    fs::write(&trap.program, format!("#!/bin/sh\ntouch '{}'\nexit 1\n", trap.mark.display())).unwrap();
    world.git_in(&partial, &["config", "remote.origin.uploadpack", trap.name()]);
    let _ = world
        .command("git")
        .current_dir(&partial)
        .args(["diff-tree", "-r", "HEAD~1", "HEAD"])
        .output()
        .unwrap();
    assert!(trap.sprung(), "the attack does not work");
    let ran = Ran::of(world.hansei().args(["risk", "--commit", "HEAD"]).current_dir(&partial), b"");
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    world.hook_in(&partial, "session-start", "s1");
    world.hook_in(&partial, "stop", "s1");
    assert!(!trap.sprung());
}

/// Variables, and a git command that falls for them.
type Attack<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str]);

#[test]
fn git_variables_are_dropped() {
    let other = World::new();
    other.write("secret-plans.txt", "x");
    let world = World::new();
    let trap = Trap::set(&world);
    world.write("README.md", "changed\n");
    let trace = world.outside().join("trace");
    let config = world.outside().join("config");
    fs::write(&config, format!("[core]\nfsmonitor = {}\n", trap.name())).unwrap();
    let hostile: [Attack<'_>; 4] = [
        (&[("GIT_EXTERNAL_DIFF", trap.name())], &["diff"]),
        (&[("GIT_CONFIG_GLOBAL", config.to_str().unwrap())], &["status"]),
        (
            &[
                ("GIT_CONFIG_COUNT", "1"),
                ("GIT_CONFIG_KEY_0", "core.fsmonitor"),
                ("GIT_CONFIG_VALUE_0", trap.name()),
            ],
            &["status"],
        ),
        (&[("GIT_EXEC_PATH", world.repo.to_str().unwrap())], &["stats"]),
    ];
    trap.write_to(&world.path("git-stats"));
    for (variables, attack) in hostile {
        let _ = world.command("git").args(attack).envs(variables.iter().copied()).output().unwrap();
        assert!(trap.sprung(), "the attack does not work: {variables:?}");
        everything_of_ours(&world, |command| {
            command.envs(variables.iter().copied());
        });
        assert!(!trap.sprung(), "{variables:?}");
    }
    let elsewhere = [
        ("GIT_DIR", other.path(".git")),
        ("GIT_WORK_TREE", other.repo.clone()),
        ("GIT_TRACE", trace.clone()),
    ];
    let plain = world.command("git").args(["status", "--short"]).envs(elsewhere.clone()).output().unwrap();
    assert!(
        String::from_utf8_lossy(&plain.stdout).contains("secret-plans") && trace.exists(),
        "the attack does not work"
    );
    fs::remove_file(&trace).unwrap();
    world.hook_with("stop", &payload(&world.repo, "s2"), |command| {
        command.envs(elsewhere.clone());
    });
    assert_eq!(world.last().files_changed, ["README.md", "git-stats"]);
    assert!(!trace.exists());
}

#[test]
fn a_linked_folder_is_not_written_through() {
    for link in [".hansei", ".hansei/reflections", ".hansei/log"] {
        let world = World::new();
        let victim = world.outside().join("victim");
        fs::create_dir_all(&victim).unwrap();
        if link != ".hansei" {
            fs::create_dir_all(world.path(".hansei")).unwrap();
        }
        symlink(&victim, world.path(link)).unwrap();
        fs::create_dir_all(world.path(link).join("naive")).unwrap();
        assert!(victim.join("naive").exists(), "the attack does not work");
        fs::remove_dir(victim.join("naive")).unwrap();
        for event in ["session-start", "prompt", "stop", "session-end"] {
            let ran = world.hook(event);
            assert!(
                event != "stop" || link == ".hansei/log" || !ran.stderr.is_empty(),
                "said why nothing was written"
            );
        }
        world.run(&["self-report", "--confidence", "0.5"]);
        assert_eq!(fs::read_dir(&victim).unwrap().count(), 0, "{link}");
        if link == ".hansei/log" {
            assert_eq!(world.sidecars().len(), 1, "the reflection does not need the log");
            assert!(world.last().provenance.degraded);
        }
    }
}

#[test]
fn a_linked_file_is_not_written_or_read_through() {
    let world = World::new();
    let victim = world.outside().join("victim");
    let report = r#"{"confidence": 0.25, "known_not_in_diff": "from outside"}"#;
    let plant = |name: &str, hard: bool| {
        fs::write(&victim, report).unwrap();
        let place = world.path(name);
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&place);
        if hard { fs::hard_link(&victim, &place).unwrap() } else { symlink(&victim, &place).unwrap() }
    };
    for hard in [false, true] {
        plant(".hansei/log/s1.jsonl", hard);
        world.hook("stop");
        assert_eq!(fs::read_to_string(&victim).unwrap(), report, "the log, hard link: {hard}");
        fs::remove_file(world.path(".hansei/log/s1.jsonl")).unwrap();
    }
    plant(".hansei/reflection-input.json", false);
    world.hook("stop");
    assert_eq!(world.last().known_not_in_diff, None);
    assert!(world.reasons("s1")[0].starts_with("the self-report cannot be read"));
    assert!(world.run(&["self-report", "--confidence", "0.5"]).stderr.is_empty());
    assert_eq!(fs::read_to_string(&victim).unwrap(), report, "the link was replaced, not followed");
}

#[test]
fn a_forged_work_tree_does_not_lead_our_writes_to_another_repository() {
    let victim = World::new();
    let world = World::without_repository();
    let forged = world.path("forged");
    fs::create_dir_all(&forged).unwrap();
    fs::write(forged.join("HEAD"), "ref: refs/heads/main\n").unwrap();
    fs::write(forged.join("commondir"), format!("{}\n", victim.path(".git").display())).unwrap();
    fs::write(forged.join("gitdir"), format!("{}\n", world.path(".git").display())).unwrap();
    world.write(".git", format!("gitdir: {}\n", forged.display()));
    let common = world.git(&["rev-parse", "--git-common-dir"]);
    assert_eq!(Path::new(common.trim()), victim.path(".git"), "the attack does not work");
    world.hook("stop");
    assert!(!victim.path(".hansei").exists());
    assert_eq!(world.sidecars().len(), 1);
}

#[test]
fn pipes_do_not_hold_us() {
    let fifo = |path: &Path| {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(path);
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    let world = World::new();
    for name in [".hansei/reflection-input.json", "hansei.toml", ".gitmodules"] {
        fifo(&world.path(name));
        let naive = world.command("timeout").args(["0.3", "cat"]).arg(world.path(name)).output().unwrap();
        assert_eq!(naive.status.code(), Some(124), "the attack does not work");
        world.hook("session-start");
        world.hook("stop");
        assert!(world.last().provenance.degraded);
        fs::remove_file(world.path(name)).unwrap();
    }
    fifo(&world.path(".hansei/log/s2.jsonl"));
    world.hook_in(&world.repo, "stop", "s2");
    assert_eq!(world.last().session_id, "s2");
}

#[test]
fn a_git_that_hangs_is_given_up_and_leaves_a_degraded_reflection() {
    let world = World::new();
    world.write("login.rs", "x");
    assert!(Command::new("mkfifo").arg(world.path(".git/fifo")).status().unwrap().success());
    world.git(&["config", "include.path", "fifo"]);
    let naive = world.command("timeout").args(["0.5", "git", "status"]).output().unwrap();
    assert_eq!(naive.status.code(), Some(124), "the attack does not work");
    let reflection = world.capture();
    assert!(reflection.files_changed.is_empty() && reflection.provenance.degraded);
    assert!(world.reasons("s1")[0].contains("did not finish in time"), "{:?}", world.reasons("s1"));
    let search = format!("grep -slz '^{}$' /proc/[0-9]*/cmdline || true", world.repo.display());
    let left = world.command("sh").args(["-c", &search]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&left.stdout), "", "no git is left behind");
}

#[test]
fn a_payload_cannot_lead_us_elsewhere() {
    let world = World::new();
    for cwd in ["relative/path", "/no/such/folder", "", "/dev/null", "../.."] {
        let payload = serde_json::json!({ "session_id": "s1", "cwd": cwd }).to_string();
        world.hook_with("stop", payload.as_bytes(), |_| ());
    }
    assert_eq!(world.sidecars().len(), 5, "all recorded where the process runs");
    assert!(world.reasons("s1").contains(&"the payload's cwd is not a folder".to_owned()));
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    world.hook_with("stop", deep.as_bytes(), |_| ());
    assert_eq!(world.last().session_id, "unknown");
}

#[test]
fn what_others_wrote_does_not_drive_the_terminal() {
    let world = World::new();
    world.write("src/\u{1b}[2Jauth.rs", "x");
    world.hook_with("stop", &payload(&world.repo, "s1"), |command| {
        command.env("REFLECTION_TASK_REF", "\u{1b}]0;owned\u{7}\u{202e}");
    });
    for command in [["show", "last"].as_slice(), &["log"], &["risk"]] {
        let printed = world.run(command).stdout;
        assert!(
            printed.contains("\\u{1b}") && !printed.contains(['\u{1b}', '\u{7}', '\u{202e}']),
            "{printed:?}"
        );
    }
    assert_eq!(sidecars_in(&world.path(".hansei/reflections")).len(), 1);
}
