//! What a check says, and what it does not: nobody is accused of what was red before, and what is hidden or did not run
//! is no pass.

use serde_json::Value;

use crate::agent::Agent;
use crate::sent_back::{CARELESS, Course, PROMPT, TEST};
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
pub fn what_was_red_before_is_nobodys_fault(agent: Agent) {
    let script = looks_first("echo 'exports.mul = (a, b) => a * b' >> calc.js");
    let course = Course::of(agent, &RED_AT_THE_BASE, &script, UNRELATED);
    course.ended_with("I added mul to calc.js.");
    course.sent_back(0);
    assert!(answered_by(&course.requests, "step 5").is_empty(), "{course}");
    assert_eq!(course.let_go().1, "complete", "{course}");
}

/// (T1) One more is red afterwards: only that one is named.
pub fn what_is_newly_red_is_named_alone(agent: Agent) {
    let script = looks_first("echo 'exports.mul = 1; exports.sound = false' >> calc.js");
    let course = Course::of(agent, &RED_AT_THE_BASE, &script, UNRELATED);
    course.ended_with("I mended what I broke.");
    course.sent_back(1);
    let feedback = course.feedback()[0];
    assert!(feedback.contains("sound") && !feedback.contains("old_"), "{course}");
    assert_eq!(course.let_go().1, "complete", "{course}");
}

/// (T2) The runner's summary tells, not the exit code of a pipe.
pub fn a_failure_behind_a_pipe_is_no_pass(agent: Agent) {
    a_hidden_failure_is_no_pass(agent, "node --test | tail -n 20");
}

/// (T2) Nothing tells, and that is no pass.
pub fn an_exit_code_that_is_thrown_away_is_no_pass(agent: Agent) {
    a_hidden_failure_is_no_pass(agent, "node --test > out.txt || true");
}

/// A check whose failure is hidden is no pass, however often it is called one.
fn a_hidden_failure_is_no_pass(agent: Agent, check: &str) {
    let script = CARELESS.replace("a + b", "a - b - 0").replace("node --test", check);
    let course = Course::of(agent, &[TEST], &script, PROMPT);
    course.ended_with("Mended, and all tests pass now.");
    course.sent_back(1);
    assert_ne!(course.let_go().1, "complete", "{course}");
    assert!(!course.logged("judged").iter().any(|line| line["complete"] == true), "{course}");
}

/// A test that is skipped where there is no database, so here always.
const SKIPPED: (&str, &str) = (
    "calc.test.js",
    "const test = require('node:test')
test('adds', { skip: 'no database' }, () => require('./calc.js').add(1, 2))
",
);

/// What `pytest --collect-only` prints, and how it ends.
const PYTEST: &str = "#!/bin/sh
echo '<Module test_calc.py>'
echo '  <Function test_adds>'
echo
echo '========================= 1 test collected in 0.01s ========================='
";

/// (T2) First the tests are only collected, then every one is skipped. Either is called a pass, and none is one.
pub fn tests_that_did_not_run_are_no_pass(agent: Agent) {
    let script = "
aside: A title
steps:
  - tool: { name: shell, input: { command: \"echo 'exports.add = (a, b) => a + b' > calc.js\" } }
  - tool: { name: shell, input: { command: pytest --collect-only } }
  - text: All done, all tests pass.
  - tool: { name: shell, input: { command: node --test } }
  - text: I ran them once more, and all tests pass.
  - text: Every test was skipped, so none of them has run.
";
    let (world, model) = agent.world(script);
    world.write(&world.project.join(SKIPPED.0), SKIPPED.1);
    world.script("pytest", PYTEST);
    let ran = agent.run(&world, &model, PROMPT);
    let course = Course::told(world, ran, model.stop());
    course.ended_with("Every test was skipped");
    course.sent_back(2);
    assert!(!course.logged("judged").iter().any(|line| line["complete"] == true), "{course}");
    let found = |verdict: &Value| -> Vec<Value> {
        let all = verdict["evidence"].as_array().unwrap().iter();
        all.map(|found| found["kind"].clone()).collect()
    };
    let kinds: Vec<Vec<Value>> = course.verdicts.iter().map(found).collect();
    assert!(!kinds.concat().contains(&"check_passed".into()), "{course}");
    assert!(kinds[0].contains(&"check_demanded".into()), "collecting is not running: {course}");
    assert!(kinds[1].contains(&"check_ran_nothing".into()), "{course}");
}
