//! What makes Hansei bearable: nobody is accused of what was red before, a failure that is hidden is no pass, and whoever
//! wants to be left alone is.

use hansei_model_server::{ModelServer, Options};

use crate::off_the_road::{Agent, wait_for};
use crate::running::Running;
use crate::sent_back::{CARELESS, Course, Drive, PROMPT, TEST};
use crate::world::answered_by;

/// Three tests that are red and one that is green, before anybody does anything.
const RED_AT_THE_BASE: [(&str, &str); 2] = [
    (
        "calc.test.js",
        "const test = require('node:test')
const assert = require('node:assert')
const calc = require('./calc.js')
for (const name of ['old_one', 'old_two', 'old_three', 'sound']) test(name, () => assert.ok(calc[name]))
",
    ),
    ("calc.js", "exports.sound = true\n"),
];

/// A model that looks first, does as it was asked with `command`, and looks again.
fn looks_first(command: &str) -> String {
    format!(
        "
aside: A title
steps:
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - tool: {{ name: shell, input: {{ command: \"{command}\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: I added mul to calc.js. The tests that fail failed before my change.
  - tool: {{ name: shell, input: {{ command: \"echo 'exports.sound = true' >> calc.js\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: I mended what I broke. The other three tests failed before my change.
"
    )
}

const UNRELATED: &str = "Add a mul function to calc.js";

/// (T1) Three tests are red at the base, and the change has nothing to do with them.
pub fn what_was_red_before_is_nobodys_fault(agent: Agent, drive: Drive) {
    let script = looks_first("echo 'exports.mul = (a, b) => a * b' >> calc.js");
    let course = Course::of(agent, drive, &RED_AT_THE_BASE, &script, UNRELATED);
    course.ended_with("I added mul to calc.js.");
    course.sent_back(0);
    assert!(answered_by(&course.requests, "step 5").is_empty(), "{course}");
    assert_eq!(course.let_go().1, "complete", "{course}");
}

/// (T1) One more is red afterwards: only that one is named.
pub fn what_is_newly_red_is_named_alone(agent: Agent, drive: Drive) {
    let script = looks_first("echo 'exports.mul = 1; exports.sound = false' >> calc.js");
    let course = Course::of(agent, drive, &RED_AT_THE_BASE, &script, UNRELATED);
    course.ended_with("I mended what I broke.");
    course.sent_back(1);
    let feedback = course.feedback()[0];
    assert!(feedback.contains("sound") && !feedback.contains("old_"), "{course}");
    assert_eq!(course.let_go().1, "complete", "{course}");
}

/// (T2) A check whose failure is hidden, or that ran nothing, is no pass, however often it is called one.
pub fn a_hidden_failure_is_no_pass(agent: Agent, drive: Drive, check: &str) {
    let script = CARELESS.replace("a + b", "a - b - 0").replace("node --test", check);
    let course = Course::of(agent, drive, &[TEST], &script, PROMPT);
    course.ended_with("Mended, and all tests pass now.");
    course.sent_back(1);
    assert_ne!(course.let_go().1, "complete", "{course}");
    assert!(!course.logged("judged").iter().any(|line| line["complete"] == true), "{course}");
}

/// (T4) The very course that is sent back otherwise, where the human wants to be left alone.
pub fn the_agent_is_left_alone(agent: Agent, drive: Drive, prompt: &str) {
    let course = Course::of(agent, drive, &[TEST], CARELESS, prompt);
    course.ended_with("All done, all tests pass.");
    course.sent_back(0);
    assert!(answered_by(&course.requests, "step 4").is_empty(), "{course}");
}

/// (T4) A question was asked and answered: nothing was to be done.
pub fn a_chat_is_left_alone(agent: Agent, drive: Drive) {
    let script = "
aside: A title
steps:
  - text: It tests an addition. All tests pass when calc.js adds.
  - text: It was not to be asked again.
";
    let course = Course::of(agent, drive, &[TEST], script, "What does calc.test.js test?");
    course.ended_with("It tests an addition.");
    course.sent_back(0);
    assert!(answered_by(&course.requests, "step 2").is_empty(), "{course}");
}

/// A human presses Ctrl-C after a check has failed: whatever was found, nobody is driven on.
pub fn who_was_interrupted_is_left_alone(agent: Agent) {
    let script = CARELESS.replacen(
        "  - text: All done, all tests pass.",
        "  - tool: { name: shell, input: { command: echo begun > begun.txt; sleep 120 } }",
        1,
    );
    let (world, model) = agent.world(&script);
    world.write(&world.project.join(TEST.0), TEST.1);
    let running = Running::of(&mut (agent.command)(&world, &model, PROMPT));
    wait_for(|| world.read("begun.txt").is_some());
    running.signal("INT");
    let ran = running.end();
    let course = Course::told(world, ran, model.stop());
    assert!(course.feedback().is_empty() && course.logged("judged").is_empty(), "{course}");
    assert!(answered_by(&course.requests, "step 4").is_empty(), "{course}");
}

/// A judge's model that does not answer: the evidence decides alone, and why the model said nothing is on record.
pub fn a_judge_that_hangs_is_not_waited_for(agent: Agent, drive: Drive) {
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
    let ran = drive(agent, &world, &model, "Write calc.js with an add function");
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
