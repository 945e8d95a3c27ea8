//! `sandbox`: a command behind walls, with its own exit code, and nothing left of it afterwards.

use std::os::unix::process::CommandExt as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::support::{Ran, World};

fn sandbox(world: &World, script: &str) -> Ran {
    Ran::of(world.hansei().args(["sandbox", "--", "sh", "-c", script]), b"")
}

fn entries(world: &World) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(&world.repo)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_workspace_can_be_written_and_nothing_else() {
    let world = World::new();
    let outside = world.outside().join("outside");
    let ran = sandbox(&world, &format!("echo kept > inside; echo x > {}; cat inside", outside.display()));
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "kept\n"));
    assert_eq!(std::fs::read_to_string(world.path("inside")).unwrap(), "kept\n");
    assert!(!outside.exists());
}

/// What an agent said and tried before is in our records: whoever begins anew must not come upon it with a search.
#[test]
fn our_own_records_are_out_of_sight_and_stay_as_they_are() {
    let world = World::new();
    let log = world.write(".hansei/log/run-1.jsonl", "{\"said\": \"CANARY\"}\n");
    world.write(".hansei/specs/run-1.yaml", "steps: [CANARY]\n");
    let ran = sandbox(
        &world,
        "grep -rn CANARY . ; ls -A .hansei; echo x > .hansei/log/run-1.jsonl; rm -rf .hansei; true",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(std::fs::read_to_string(log).unwrap().contains("CANARY"));
}

#[test]
fn the_exit_code_is_the_commands_own() {
    let world = World::new();
    for (script, code) in [("exit 0", 0), ("exit 7", 7), ("kill -9 $$", 137), ("no-such-program", 127)] {
        assert_eq!(sandbox(&world, script).code, code, "{script}");
    }
    let ran = Ran::of(world.hansei().args(["sandbox", "--", "no-such-program"]), b"");
    assert_eq!(ran.code, 127, "{}", ran.stderr);
}

#[test]
fn time_memory_and_processes_are_limited() {
    let world = World::new();
    let cases: [(&[&str], &str, i32, &str); 3] = [
        (&["--timeout", "1"], "trap '' TERM; sleep 60", 124, "its time of 1 s was over"),
        (&["--memory", "64"], "head -c 128M /dev/zero | tail -c 128M > /dev/null; exit 9", 137, "64 MiB"),
        (
            &["--processes", "10"],
            "for n in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 9 & done; exit 9",
            1,
            "10 processes",
        ),
    ];
    for (flags, script, code, said) in cases {
        let ran = Ran::of(world.hansei().arg("sandbox").args(flags).args(["--", "sh", "-c", script]), b"");
        assert_eq!(ran.code, code, "{script}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
}

#[test]
fn a_blocked_network_call_is_told_as_that() {
    let world = World::new();
    let script = "python3 -c 'import socket; socket.create_connection((\"192.0.2.1\", 80), 5)'";
    let ran = Ran::of(world.hansei().args(["sandbox", "--json", "--", "sh", "-c", script]), b"");
    let told = ran.json();
    assert_eq!((ran.code, &told["wanted_network"]), (1, &true.into()), "{told}");
    assert!(told["output"].as_str().unwrap().contains("Network is unreachable"), "{told}");
}

#[test]
fn input_and_output_pass_through() {
    let world = World::new();
    let ran = Ran::of(world.hansei().args(["sandbox", "--", "sh", "-c", "cat; echo wrong >&2"]), b"given\n");
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.trim()), (0, "given\n", "wrong"));
}

#[test]
fn names_that_stood_in_are_gone_afterwards() {
    let world = World::new();
    let before = entries(&world);
    let ran = sandbox(&world, "ls -A | wc -l; mkdir .claude/hooks; echo x > hansei.toml; touch .bashrc/x");
    assert!(ran.stdout.trim().parse::<usize>().unwrap() > before.len(), "they are there meanwhile");
    assert_eq!(entries(&world), before);
    assert_eq!(world.git(&["status", "--porcelain"]), "");
}

#[test]
fn two_at_once_do_not_take_them_from_each_other() {
    let world = World::new();
    let before = entries(&world);
    let script = "touch started; while [ ! -e go-on ]; do sleep 0.01; done; echo x > hansei.toml";
    let mut first = world.hansei().args(["sandbox", "--", "sh", "-c", script]).spawn().unwrap();
    let patience = Instant::now() + Duration::from_mins(1);
    while !world.path("started").exists() {
        assert!(Instant::now() < patience, "the first never started");
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(sandbox(&world, "true").code, 0);
    assert!(world.path("hansei.toml").exists(), "the first still needs it");
    std::fs::write(world.path("go-on"), "").unwrap();
    assert_ne!(first.wait().unwrap().code(), Some(0), "it could write");
    for made in ["started", "go-on"] {
        std::fs::remove_file(world.path(made)).unwrap();
    }
    assert_eq!(entries(&world), before);
}

#[test]
fn whatever_ends_it_ends_everything_and_leaves_nothing() {
    let world = World::new();
    let before = entries(&world);
    for (signal, leaves) in [("-INT", false), ("-TERM", false), ("-KILL", true)] {
        let script = "setsid sh -c 'while :; do date +%N > alive; sleep 0.02; done' & wait";
        let mut command = world.hansei();
        command.args(["sandbox", "--", "sh", "-c", script]).process_group(0).stderr(Stdio::null());
        let mut running = command.spawn().unwrap();
        let patience = Instant::now() + Duration::from_mins(1);
        while !world.path("alive").exists() {
            assert!(Instant::now() < patience, "it never started");
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args([signal, &running.id().to_string()]).status().unwrap().success());
        running.wait().unwrap();
        if leaves {
            // Nobody waits for those inside then; they end as soon as the kernel has told them.
            std::thread::sleep(Duration::from_millis(500));
            assert_eq!(sandbox(&world, "true").code, 0, "the next one tidies up");
        }
        let last = std::fs::read(world.path("alive")).unwrap();
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(std::fs::read(world.path("alive")).unwrap(), last, "{signal}: it lives on");
        std::fs::remove_file(world.path("alive")).unwrap();
        assert_eq!(entries(&world), before, "{signal}");
    }
}

#[test]
fn without_bubblewrap_it_is_refused() {
    let world = World::new();
    let ran = Ran::of(world.hansei().env("PATH", "/nowhere").args(["sandbox", "--", "/bin/true"]), b"");
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("apt-get install bubblewrap"), "{}", ran.stderr);
}

#[test]
fn a_workspace_in_which_nothing_can_be_protected_is_refused() {
    let world = World::new();
    let home = world.outside().join("home");
    for folder in ["/", "/usr", home.to_str().unwrap()] {
        let ran = Ran::of(world.hansei().args(["sandbox", "--workspace", folder, "--", "true"]), b"");
        assert_eq!(ran.code, 2, "{folder}: {}", ran.stderr);
    }
    std::os::unix::fs::symlink("elsewhere", world.path(".claude")).unwrap();
    let ran = sandbox(&world, "true");
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("symbolic link"), "{}", ran.stderr);
}

#[test]
fn a_linked_work_tree_works_and_its_repository_is_safe() {
    let world = World::new();
    let linked = world.outside().join("linked");
    world.git(&["worktree", "add", "--quiet", linked.to_str().unwrap()]);
    let script = "git log --format=%s && git status --porcelain && echo x > made && ! git add made";
    let ran = Ran::of(
        world.hansei().args(["sandbox", "--workspace", linked.to_str().unwrap(), "--", "sh", "-c", script]),
        b"",
    );
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "Start\n"), "{}", ran.stderr);
}

#[test]
fn the_doctor_proves_every_wall() {
    let world = World::new();
    let told = Ran::of(world.hansei().args(["doctor", "--json"]), b"").json();
    let proofs = told["sandbox"]["protections"].as_array().unwrap();
    assert!(proofs.len() >= 18, "{told}");
    for proof in proofs {
        assert_eq!(proof["holds"], true, "{proof}");
    }
    let without = Ran::of(world.hansei().env("PATH", "/nowhere").args(["doctor", "--json"]), b"").json();
    assert_eq!(without["sandbox"]["active"], false);
}
