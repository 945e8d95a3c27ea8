//! Real agents that say they are done: who is not is sent back with the evidence, who is stops at once, and nobody is
//! kept for ever.

use std::fmt::Write as _;

use hansei_model_server::{ModelServer, Options, Recorded};
use serde_json::Value;

use crate::agent::Agent;
use crate::world::{Ran, World, answered_by, story};

/// What a session left: the agent's own words, what reached the model, and what Hansei kept.
pub struct Course {
    pub world: World,
    pub ran: Ran,
    pub requests: Vec<Recorded>,
    /// The lines of the session's log.
    pub log: Vec<Value>,
    /// The records of the verdicts, the oldest first.
    pub verdicts: Vec<Value>,
}

impl Course {
    /// Has `agent` work on `prompt` in a project with these files, with a model that follows `script`.
    pub fn of(agent: Agent, files: &[(&str, &str)], script: &str, prompt: &str) -> Self {
        let (world, model) = agent.world(script);
        for (name, content) in files {
            world.write(&world.project.join(name), content);
        }
        let ran = agent.run(&world, &model, prompt);
        Self::told(world, ran, model.stop())
    }

    /// What is found in the world when the agent has ended.
    pub fn told(world: World, ran: Ran, requests: Vec<Recorded>) -> Self {
        let log = texts(&world, ".hansei/log", |name| {
            std::path::Path::new(name).extension().is_some_and(|ending| ending == "jsonl")
        });
        let log = log.iter().flat_map(|text| text.lines()).map(parsed).collect();
        let mut verdicts = texts(&world, ".hansei/verdicts", |name| !name.starts_with("verdict_"));
        verdicts.sort_by_key(|text| parsed(text)["timestamp"].to_string());
        let verdicts = verdicts.iter().map(|text| parsed(text)).collect();
        Self { world, ran, requests, log, verdicts }
    }

    /// The lines of the log that say `kind`.
    pub fn logged(&self, kind: &str) -> Vec<&Value> {
        self.log.iter().filter(|line| line["kind"] == kind).collect()
    }

    /// What the agent was told, each time it was sent back.
    pub fn feedback(&self) -> Vec<&str> {
        self.logged("sent_back").into_iter().map(|line| line["feedback"].as_str().unwrap()).collect()
    }

    /// The agent ended well, and its last words are among what it gives its user.
    pub fn ended_with(&self, words: &str) {
        assert_eq!(self.ran.code, Some(0), "{self}");
        assert!(self.ran.stdout.contains(words), "{self}");
    }

    /// How the one stop that was not kept from being one is recorded: why, and how it stands.
    pub fn let_go(&self) -> (&str, &str) {
        let let_go = self.logged("let_go");
        assert_eq!(let_go.len(), 1, "{self}");
        let last = self.verdicts.last().unwrap_or_else(|| panic!("no verdict: {self}"));
        assert_eq!(last["action"], "let_stop", "{self}");
        assert_eq!((&last["why"], &last["ending"]), (&let_go[0]["why"], &let_go[0]["standing"]), "{self}");
        (let_go[0]["why"].as_str().unwrap(), let_go[0]["standing"].as_str().unwrap())
    }

    /// Every stop was judged and recorded: so many that the agent was kept from, and the last.
    pub fn sent_back(&self, times: usize) {
        assert_eq!(self.feedback().len(), times, "{self}");
        assert_eq!(self.logged("judged").len(), times + 1, "{self}");
        let actions: Vec<&str> = self.verdicts.iter().map(|one| one["action"].as_str().unwrap()).collect();
        let mut expected = vec!["send_back"; times];
        expected.push("let_stop");
        assert_eq!(actions, expected, "{self}");
    }
}

impl std::fmt::Display for Course {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(formatter, "{}\n{}", self.ran, story(&self.requests))?;
        self.log.iter().try_for_each(|line| writeln!(formatter, "{line}"))?;
        self.verdicts.iter().try_for_each(|verdict| writeln!(formatter, "{verdict:#}"))
    }
}

fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

/// The files of a folder of the project, by their names in order.
fn texts(world: &World, folder: &str, wanted: fn(&str) -> bool) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(world.project.join(folder)) else { return Vec::new() };
    let name = |entry: std::fs::DirEntry| entry.file_name().into_string().unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| name(entry.unwrap())).filter(|name| wanted(name)).collect();
    names.sort();
    names.iter().map(|name| world.read(&format!("{folder}/{name}")).unwrap()).collect()
}

/// A test that wants an addition.
pub const TEST: (&str, &str) = (
    "calc.test.js",
    "const test = require('node:test')
const assert = require('node:assert')
test('adds', () => assert.equal(require('./calc.js').add(1, 2), 3))
",
);

pub const PROMPT: &str = "Write calc.js with an add function and run the tests with node --test";

/// A model that writes a subtraction, sees the test fail, and says it is done; it does better when it is told.
pub const CARELESS: &str = "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: \"echo 'exports.add = (a, b) => a - b' > calc.js\" } }
  - tool: { name: shell, input: { command: node --test } }
  - text: All done, all tests pass.
  - text: That was a subtraction.
    tool: { name: shell, input: { command: \"echo 'exports.add = (a, b) => a + b' > calc.js\" } }
  - tool: { name: shell, input: { command: node --test } }
  - text: Mended, and all tests pass now.
";

/// (a) The one who stops with a failing check is told what failed, mends it and stops.
pub fn a_failing_check_is_mended(agent: Agent) {
    let course = Course::of(agent, &[TEST], CARELESS, PROMPT);
    course.ended_with("Mended, and all tests pass now.");
    course.sent_back(1);
    let told = answered_by(&course.requests, "step 4");
    assert_eq!(told.len(), 1, "{course}");
    let feedback = course.feedback()[0];
    assert!(feedback.starts_with("[Hansei]") && feedback.contains("`node --test` exited 1"), "{course}");
    assert!(feedback.contains("adds"), "the test is named: {course}");
    // The model read it as it stands in the record.
    for line in feedback.lines() {
        let line = Value::from(line).to_string();
        assert!(told[0].body.to_string().contains(line.trim_matches('"')), "{line}: {}", told[0].body);
    }
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    assert!(answered_by(&course.requests, "after last").is_empty(), "{course}");
    assert_eq!(course.world.read("calc.js").as_deref(), Some("exports.add = (a, b) => a + b\n"));
}

/// (b) The one who is done stops, and the model hears nothing more.
pub fn who_is_done_stops_at_once(agent: Agent) {
    let script = CARELESS.replacen("a - b", "a + b", 1);
    let course = Course::of(agent, &[TEST], &script, PROMPT);
    course.ended_with("All done, all tests pass.");
    course.sent_back(0);
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    for later in ["step 4", "after last"] {
        assert!(answered_by(&course.requests, later).is_empty(), "{course}");
    }
}

/// (c) The one who only says it again is let go, with what it did not do on record.
pub fn who_only_repeats_it_is_let_go(agent: Agent) {
    let script = CARELESS.replace("a + b", "a - b - 0");
    let course = Course::of(agent, &[TEST], &script, PROMPT);
    course.ended_with("Mended, and all tests pass now.");
    course.sent_back(1);
    assert_eq!(course.let_go(), ("said_before", "gave_up_after_reflections"), "{course}");
    assert!(answered_by(&course.requests, "after last").is_empty(), "{course}");
}

/// (c) The one who gets a little further each time is let go all the same, after `most` times.
pub fn nobody_is_kept_for_ever(agent: Agent, cap: Option<usize>, most: usize, why: &str) {
    let mut tests = "const test = require('node:test')\nconst assert = require('node:assert')\n".to_owned();
    let mut script = "aside: A title\nsteps:\n".to_owned();
    for part in 0..most + 3 {
        let _ = writeln!(tests, "test('part {part}', () => assert.ok(require('./calc.js').part{part}))");
        let _ = write!(
            script,
            "  - tool: {{ name: shell, input: {{ command: \"echo 'exports.part{part} = true' >> calc.js\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: Part {part} was the last, all tests pass.
"
        );
    }
    let (world, model) = agent.world(&script);
    world.write(&world.project.join("calc.test.js"), &tests);
    if let Some(cap) = cap {
        let settings = format!("[stop]\nmax_attempts = {cap}\nmax_attempts_attended = {cap}\n");
        world.write(&world.home.join(".config/hansei/config.toml"), &settings);
    }
    let ran = agent.run(&world, &model, "Write all parts of calc.js and run the tests with node --test");
    let course = Course::told(world, ran, model.stop());
    course.ended_with(&format!("Part {most} was the last, all tests pass."));
    course.sent_back(most);
    assert_eq!(course.let_go(), (why, "gave_up_after_reflections"), "{course}");
    let all: std::collections::BTreeSet<&str> = course.feedback().into_iter().collect();
    assert_eq!(all.len(), most, "never the same twice: {course}");
}

/// (d) The one whom nothing helps is told once to stop and to hand over, with everything written down that somebody else needs.
pub fn who_makes_no_progress_is_told_to_hand_over(agent: Agent) {
    let mut script = "aside: A title\nsteps:\n".to_owned();
    for round in 1..=4 {
        let _ = write!(
            script,
            "  - tool: {{ name: shell, input: {{ command: \"echo 'exports.what = \\\"round {round}\\\"' > calc.js\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: Round {round} mended it, all tests pass.
"
        );
    }
    script += "  - text: It is blocked, and I hand it over.\n";
    let (world, model) = agent.world(&script);
    let tests = "const test = require('node:test')\nconst { what } = require('./calc.js')\ntest(what, () => { throw new Error(what) })\n";
    world.write(&world.project.join("calc.test.js"), tests);
    world.write(&world.home.join(".config/hansei/config.toml"), "[stop]\nautonomy = 'auto'\n");
    let ran = agent.run(&world, &model, "Write calc.js so that node --test passes");
    let course = Course::told(world, ran, model.stop());
    course.ended_with("It is blocked, and I hand it over.");
    course.sent_back(4);
    assert_eq!(course.let_go(), ("no_progress", "stuck"), "{course}");
    let told = course.feedback()[3];
    assert!(told.starts_with("[Hansei] Stop: 3 attempts brought no progress"), "{course}");
    let heard = course
        .requests
        .iter()
        .any(|request| request.body.to_string().contains("3 attempts brought no progress"));
    assert!(heard, "the model read it: {course}");
    let name = course.logged("sent_back")[3]["escalation"].as_str().unwrap();
    let payload = course.world.read(&format!(".hansei/escalations/{name}")).unwrap();
    assert!(payload.contains("[ATTEMPT: 4]") && payload.contains("round 4"), "{payload}");
    assert!(payload.contains("latest blocking signal: node --test"), "{payload}");
    let task =
        course.world.read(&format!(".hansei/escalations/{}", name.replace(".md", ".task.md"))).unwrap();
    assert!(task.contains("so that node --test passes"), "{task}");
}

/// A judge's model that does not answer: the evidence decides alone, and why the model said nothing is on record.
pub fn a_judge_that_hangs_is_not_waited_for(agent: Agent) {
    let script = "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: \"echo 'exports.add = (a, b) => a + b' > calc.js\" } }
  - text: I wrote calc.js with an add function. Please run the tests yourself.
  - text: It was not to be asked again.
";
    let (world, model) = agent.world(script);
    let hanging = "steps: [{ delay_ms: 600000, text: too late }]".parse().unwrap();
    let judge = ModelServer::start(hanging, Options::default()).unwrap();
    let settings = format!(
        "[judge]\nmodel = 'compatible/judge'\nbase_url = '{}/v1'\ntimeout_seconds = 2\n",
        judge.url()
    );
    world.write(&world.home.join(".config/hansei/config.toml"), &settings);
    let ran = agent.run(&world, &model, "Write calc.js with an add function");
    let course = Course::told(world, ran, model.stop());
    let asked = judge.stop();
    course.ended_with("Please run the tests yourself.");
    assert_eq!(asked.len(), 1, "the judge's model was asked where evidence left it open: {course}");
    let unavailable = course.logged("judge_unavailable");
    assert_eq!(unavailable.len(), 1, "{course}");
    assert_eq!(course.verdicts[0]["judge_unavailable"], unavailable[0]["reason"], "{course}");
    assert_eq!(course.verdicts[0]["verdict"]["decided_by"], "said", "{course}");
    course.sent_back(0);
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
}
