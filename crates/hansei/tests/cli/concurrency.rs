//! Many captures at once, and captures that are killed.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use crate::support::{World, payload};

/// A small generator with a fixed seed (xorshift): the same moments on every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, below: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % below
    }
}

fn start(world: &World, session: &str) -> Child {
    let input = world.outside().join(format!("{session}.payload"));
    fs::write(&input, payload(&world.repo, session)).unwrap();
    let mut command: Command = world.hansei();
    command.args(["hook", "claude-code", "stop", "--mode", "solo"]);
    command.stdin(fs::File::open(input).unwrap()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

/// Captures of `sessions` distinct sessions, `killed` of them killed at random moments.
fn storm(sessions: usize, killed: usize, seed: u64) {
    let world = Arc::new(World::new());
    for number in 0..200 {
        world.write(&format!("src/file{number}.rs"), "x");
    }
    let mut dice = Dice(seed);
    let mut victims: BTreeMap<usize, Duration> = BTreeMap::new();
    while victims.len() < killed {
        let victim = usize::try_from(dice.roll(sessions as u64)).unwrap();
        victims.insert(victim, Duration::from_micros(dice.roll(60_000)));
    }
    let threads: Vec<_> = (0..sessions)
        .map(|number| {
            let (world, moment) = (Arc::clone(&world), victims.get(&number).copied());
            std::thread::spawn(move || {
                let mut child = start(&world, &format!("session-{number}"));
                if let Some(moment) = moment {
                    std::thread::sleep(moment);
                    let _ = child.kill();
                }
                let status = child.wait().unwrap();
                assert!(moment.is_some() || status.success());
                status.success()
            })
        })
        .collect();
    let finished: Vec<bool> = threads.into_iter().map(|thread| thread.join().unwrap()).collect();

    let mut left: BTreeMap<String, usize> = BTreeMap::new();
    for entry in fs::read_dir(world.path(".hansei/reflections")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if !name.ends_with(".reflection.json") {
            assert!(
                name.starts_with('.') && name.strip_suffix(".tmp").is_some(),
                "{name} is neither a sidecar nor a temporary file"
            );
            continue;
        }
        let reflection: hansei_core::reflection::Reflection =
            serde_json::from_slice(&fs::read(&path).unwrap())
                .unwrap_or_else(|error| panic!("{name} is not complete: {error}"));
        assert_eq!(reflection.files_changed.len(), 200);
        *left.entry(reflection.session_id).or_default() += 1;
    }
    for (number, finished) in finished.into_iter().enumerate() {
        let count = left.get(&format!("session-{number}")).copied().unwrap_or_default();
        assert!(if finished { count == 1 } else { count <= 1 }, "session-{number} left {count}");
    }
    assert_eq!(world.run(&["log", "--json", "--limit", "1000"]).json().as_array().unwrap().len(), left.len());

    // No lock stays: every session can be captured again at once, and its log is whole.
    for victim in victims.keys() {
        let session = format!("session-{victim}");
        world.hook_in(&world.repo, "stop", &session);
        assert_eq!(world.last().session_id, session);
    }
    for entry in fs::read_dir(world.path(".hansei/log")).unwrap() {
        let path = entry.unwrap().path();
        assert_eq!(path.extension().unwrap(), "jsonl", "no lock file");
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.ends_with('\n'));
        for (line, number) in text.lines().zip(1_u64..) {
            let line: serde_json::Value = serde_json::from_str(line).expect("no torn or glued line");
            assert_eq!(line["seq"], number);
        }
    }
}

#[test]
fn concurrent_captures_with_kills() {
    let long = std::env::var_os("HANSEI_TEST_LONG").is_some();
    let rounds = if long { 10 } else { 1 };
    for round in 0..rounds {
        storm(200, 50, 0x5eed_0000 + round);
    }
}

/// A capture that is surely still running: git waits at a pipe that nobody writes to.
fn held_up_capture(world: &World) -> Child {
    assert!(Command::new("mkfifo").arg(world.path(".git/fifo")).status().unwrap().success());
    world.git(&["config", "include.path", "fifo"]);
    let capture = start(world, "s1");
    let log = world.path(".hansei/log/s1.jsonl");
    while !fs::read_to_string(&log).is_ok_and(|text| text.contains("capture_started")) {
        std::thread::sleep(Duration::from_millis(5));
    }
    capture
}

#[test]
fn a_second_stop_hook_for_the_same_stop_gives_way() {
    let world = World::new();
    let mut first = held_up_capture(&world);
    assert!(start(&world, "s1").wait().unwrap().success());
    assert!(first.try_wait().unwrap().is_none(), "the second came and went while the first was running");
    assert!(first.wait().unwrap().success());
    assert_eq!(world.sidecars().len(), 1);
}

#[test]
fn a_capture_that_was_killed_does_not_block_the_next() {
    let world = World::new();
    let mut first = held_up_capture(&world);
    first.kill().unwrap();
    first.wait().unwrap();
    // The git that it may have started goes on when somebody opens the pipe; for both ends, so as not to wait for it.
    fs::File::options().read(true).write(true).open(world.path(".git/fifo")).unwrap();
    fs::remove_file(world.path(".git/fifo")).unwrap();
    world.capture();
    assert_eq!(world.sidecars().len(), 1);
}
