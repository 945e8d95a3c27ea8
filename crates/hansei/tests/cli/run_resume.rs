//! Runs that are killed at any moment and taken up again: nothing is lost, and nothing is silently done twice.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::run_support::{Beside, PLAN, Stage, Told, says, shell};
use crate::support::World;

/// How many steps the killed runs have.
const STEPS: usize = 6;
/// How many runs are killed in the full suite; a tenth of them in every other one.
const KILLS: u32 = 300;

fn kills() -> u32 {
    if std::env::var_os("HANSEI_TEST_LONG").is_some() { KILLS } else { KILLS / 10 }
}

/// A run that writes a file a step, each in a way that may be repeated, and says once that it did.
fn stage() -> Stage {
    let world = World::new();
    let all = (1..=STEPS).map(|number| format!("test -f f{number}")).collect::<Vec<_>>().join(" && ");
    world.write("verify.sh", format!("{all}\n"));
    let again = (1..=STEPS).map(|number| format!("echo {number} > f{number}")).collect::<Vec<_>>().join("\n");
    world.write("again.sh", again);
    world.commit("What proves it");
    let mut script = String::from(
        "steps:\n  - text: |\n      goal: all files\n      steps: [write them]\n      verification: [\"sh verify.sh\"]\n",
    );
    for number in 1..=STEPS {
        script.push_str(&shell(&format!("echo {number} > f{number}; echo {number} >> trace")));
    }
    script.push_str(&says("Done."));
    // Whoever hears that nobody knows what came of a step writes what may be missing again. That turn takes the place of the
    // next step, so it does all of them.
    script.push_str("rules:\n  - when: { tool_result: outcome_unknown }\n");
    script.push_str("    tool: { name: shell, input: { command: \"sh again.sh\" } }\n");
    Stage::of(world, &script)
}

fn files(stage: &Stage) -> BTreeMap<String, String> {
    let entries = std::fs::read_dir(&stage.world.repo).unwrap().map(|entry| entry.unwrap());
    entries
        .filter(|entry| entry.file_type().unwrap().is_file() && entry.file_name() != "trace")
        .map(|entry| {
            let name = entry.file_name().into_string().unwrap();
            (name, std::fs::read_to_string(entry.path()).unwrap())
        })
        .collect()
}

/// Runs a command and kills it after a while; true where it had ended by then.
fn killed_after(command: &mut Command, time: Duration) -> bool {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let until = Instant::now() + time;
    while Instant::now() < until {
        if child.try_wait().unwrap().is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    let _ = child.kill();
    child.wait().unwrap();
    false
}

/// What must hold of a log, whatever happened to the process.
fn check(lines: &[Value], stage: &Stage, what: &str) -> usize {
    let ids = |kind: &str| -> Vec<String> {
        let of_kind = lines.iter().filter(|line| line["kind"] == kind);
        of_kind.map(|line| line["call"].as_str().unwrap().to_owned()).collect()
    };
    let (called, returned, unknown) = (ids("tool_called"), ids("tool_returned"), ids("outcome_unknown"));
    for id in &called {
        let times = called.iter().filter(|other| *other == id).count();
        assert_eq!(times, 1, "{what}: {id} was called {times} times");
        let ends = returned.iter().chain(&unknown).filter(|other| *other == id).count();
        assert_eq!(ends, 1, "{what}: {id} has {ends} results");
    }
    // Every call that the model made was made, or is known to be lost.
    let made = lines
        .iter()
        .filter(|line| line["kind"] == "model_answered")
        .flat_map(|line| line["calls"].as_array().cloned().unwrap_or_default())
        .count();
    assert_eq!(made, called.len(), "{what}: a call of the model was left out");
    let trace = std::fs::read_to_string(stage.world.path("trace")).unwrap_or_default();
    for number in 1..=STEPS {
        let times = trace.lines().filter(|line| *line == number.to_string()).count();
        assert!(times <= 1, "{what}: step {number} was done {times} times");
    }
    unknown.len()
}

#[test]
fn killed_at_any_moment_it_ends_as_if_nothing_had_been() {
    let whole = stage();
    let start = Instant::now();
    let told = whole.run(&["--yes"]);
    let long = start.elapsed();
    assert_eq!(told.ending(), "complete");
    let expected = files(&whole);
    assert_eq!(check(&told.lines, &whole, "whole"), 0);
    let mut random: u64 = 0x5eed;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        u32::try_from(random >> 33).unwrap()
    };
    let (mut unborn, mut unkilled, mut lost, mut moments) = (0, 0, 0, BTreeMap::new());
    let mut killed = 0;
    for number in 0.. {
        if killed == kills() {
            break;
        }
        let stage = stage();
        let moment = long.mul_f64(f64::from(next() % 1000) / 1000.0);
        let what = format!("kill {number} after {moment:?}");
        if killed_after(&mut stage.command(&["--yes"]), moment) {
            unkilled += 1;
            continue;
        }
        killed += 1;
        let Some(run) = stage.hansei(&["runs", "--json"]).json()[0]["run"].as_str().map(str::to_owned) else {
            unborn += 1;
            assert!(!stage.world.path("f1").exists(), "{what}: nothing happens before it is on record");
            continue;
        };
        let at = stage.world.log(&run).last().map(|line| line["kind"].to_string());
        *moments.entry(at.unwrap_or_default()).or_insert(0) += 1;
        // Every third is killed again while it goes on.
        if next() % 3 == 0 {
            let mut again = stage.world.hansei();
            again.env("ANTHROPIC_API_KEY", "sk-ant-fake-000").args(["resume", &run, "--json"]);
            killed_after(&mut again, long.mul_f64(f64::from(next() % 1000) / 1000.0));
        }
        let shown = stage.hansei(&["runs", "show", &run, "--json"]).json();
        if shown["ending"].is_null() {
            let resumed = stage.resume(&run, &[]);
            assert_eq!(resumed.ending(), "complete", "{what}: {}", resumed.last());
        } else {
            assert_eq!(shown["ending"], "complete", "{what}");
        }
        let lines = whole_lines(&stage, &run);
        lost += check(&lines, &stage, &what);
        assert_eq!(lines.iter().filter(|line| line["kind"] == "run_ended").count(), 1, "{what}");
        assert_eq!(files(&stage), expected, "{what}");
    }
    println!(
        "{} kills: {unborn} before the run was on record, {unkilled} after its end, {lost} calls with unknown outcome; last lines: {moments:?}",
        kills()
    );
}

/// The lines of a log that are whole: a kill may leave a torn one.
fn whole_lines(stage: &Stage, run: &str) -> Vec<Value> {
    let text = std::fs::read_to_string(stage.world.path(&format!(".hansei/log/{run}.jsonl"))).unwrap();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

#[test]
fn a_call_whose_result_is_lost_is_told_and_not_repeated() {
    let stage =
        Stage::with(&[PLAN, &shell("echo x >> trace; sleep 60"), &shell("touch done.txt"), &says("Done.")]);
    let mut run = Beside::start(&mut stage.command(&["--yes"]));
    run.until("tool_called");
    let name = run.lines[0]["run"].as_str().unwrap().to_owned();
    while !stage.world.path("trace").exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    run.child.kill().unwrap();
    run.child.wait().unwrap();
    assert_eq!(stage.hansei(&["runs", "--json"]).json()[0]["standing"], "interrupted");
    let resumed = stage.resume(&name, &[]);
    assert_eq!(resumed.ending(), "complete");
    assert_eq!(resumed.count("outcome_unknown"), 1);
    assert_eq!(std::fs::read_to_string(stage.world.path("trace")).unwrap(), "x\n", "once");
    let requests = stage.model.stop();
    assert!(requests.last().unwrap().body.to_string().contains("outcome_unknown"), "the model is told");
}

#[test]
fn ctrl_c_loses_nothing() {
    let stage = Stage::with(&[PLAN, &shell("sleep 60"), &shell("touch done.txt"), &says("Done.")]);
    let mut run = Beside::start(&mut stage.command(&["--yes"]));
    run.until("tool_called");
    let id = rustix::process::Pid::from_child(&run.child);
    std::thread::sleep(Duration::from_millis(50));
    rustix::process::kill_process(id, rustix::process::Signal::INT).unwrap();
    let told: Told = run.end();
    assert_eq!(told.code, 130, "{}", told.stderr);
    assert_eq!(told.kinds().last(), Some(&"run_interrupted"));
    assert!(told.all("tool_returned")[0]["text"].as_str().unwrap().contains("interrupted"));
    assert_eq!(stage.resume(told.run(), &[]).ending(), "complete");
}

#[test]
fn an_outage_parks_the_run_and_it_goes_on_where_it_was() {
    let down = "  - error: { status: 503, message: down, times: 2 }\n";
    let stage =
        Stage::with(&[PLAN, &shell("echo 1 >> trace"), down, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes"]);
    assert_eq!((told.code, told.kinds().last()), (1, Some(&"run_parked")), "{:?}", told.kinds());
    assert_eq!(told.count("model_unavailable"), 2, "tried once more");
    let resumed = stage.resume(told.run(), &[]);
    assert_eq!(resumed.ending(), "complete");
    assert_eq!(resumed.last()["reflections"], 0);
    assert_eq!(resumed.last()["used"]["think"], 3, "counters go on from the record");
    assert_eq!(std::fs::read_to_string(stage.world.path("trace")).unwrap(), "1\n");
}

#[test]
fn two_processes_do_not_drive_one_run() {
    let stage = Stage::with(&[PLAN, &shell("sleep 60"), &says("Done.")]);
    let mut run = Beside::start(&mut stage.command(&["--yes"]));
    run.until("tool_called");
    let name = run.lines[0]["run"].as_str().unwrap().to_owned();
    let second = stage.resume(&name, &[]);
    assert_eq!((second.code, second.stderr.contains("another process")), (1, true), "{}", second.stderr);
    run.child.kill().unwrap();
    run.child.wait().unwrap();
}
