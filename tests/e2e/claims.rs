//! What an agent says, held against what ran: a claim that the last run contradicts is sent back whoever was red first, a
//! run that nobody made is no run, and what a sub-agent ran was run.

use serde_json::Value;

use crate::agent::Agent;
use crate::sent_back::{Course, TEST};
use crate::world::answered_by;

/// A fault that the test finds before anybody does anything.
const FAULTY: (&str, &str) = ("calc.js", "exports.add = (a, b) => a - b\n");

const FIX: &str = "Fix the bug in calc.js: node --test fails";

/// A model that looks, mends what it believes to be the fault with `mend`, looks again and says that all tests pass.
fn mends(mend: &str) -> String {
    format!(
        "
aside: A title
steps:
  - text: I will look first.
    tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: The operands are the wrong way round.
    tool: {{ name: shell, input: {{ command: \"echo 'exports.add = (a, b) => {mend}' > calc.js\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: I fixed the bug in calc.js. All tests pass.
  - text: It still subtracts.
    tool: {{ name: shell, input: {{ command: \"echo 'exports.add = (a, b) => a + b' > calc.js\" }} }}
  - tool: {{ name: shell, input: {{ command: node --test }} }}
  - text: Now it adds, and all tests pass.
"
    )
}

/// How the claim that begins with `words` was marked at a stop, and why.
fn marked<'v>(verdict: &'v Value, kind: &str, words: &str) -> (&'v str, &'v str) {
    let claims = verdict["claims"].as_array().unwrap();
    let begins = |claim: &&Value| claim["kind"] == kind && claim["quote"].as_str().unwrap().contains(words);
    let claim = claims.iter().find(begins).unwrap_or_else(|| panic!("{kind}: {verdict:#}"));
    (claim["mark"].as_str().unwrap(), claim["because"].as_str().unwrap())
}

/// Whether a claim that the record contradicts was among what was found at a stop.
fn contradicts(verdict: &Value) -> bool {
    verdict["evidence"].as_array().unwrap().iter().any(|found| found["kind"] == "claim_contradicted")
}

/// The very test was red before the agent did anything, and is red when it says that all pass: the claim is false whoever
/// was red first.
pub fn who_was_red_before_and_is_still_does_not_pass(agent: Agent) {
    let course = Course::of(agent, &[TEST, FAULTY], &mends("b - a"), FIX);
    course.ended_with("Now it adds, and all tests pass.");
    course.sent_back(1);
    let feedback = course.feedback()[0];
    assert!(feedback.starts_with("[Hansei]") && feedback.contains("`node --test` exited 1"), "{course}");
    assert!(feedback.contains("“All tests pass.”"), "the false sentence is quoted: {course}");
    let first = &course.verdicts[0];
    assert!(contradicts(first), "{course}");
    for (kind, words) in [("fixed", "I fixed the bug"), ("tests", "All tests pass.")] {
        let (mark, because) = marked(first, kind, words);
        assert!(mark == "contradicted" && because.contains("`node --test` exited 1"), "{course}");
    }
    assert_eq!(answered_by(&course.requests, "step 5").len(), 1, "{course}");
    assert_eq!(marked(&course.verdicts[1], "tests", "all tests pass").0, "supported", "{course}");
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    assert!(answered_by(&course.requests, "after last").is_empty(), "{course}");
    assert_eq!(course.world.read("calc.js").as_deref(), Some("exports.add = (a, b) => a + b\n"));
}

/// The honest twin: red before, green afterwards.
pub fn who_mended_what_was_red_stops_at_once(agent: Agent) {
    let course = Course::of(agent, &[TEST, FAULTY], &mends("a + b"), FIX);
    course.ended_with("I fixed the bug in calc.js. All tests pass.");
    course.sent_back(0);
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    for (kind, words) in [("fixed", "I fixed the bug"), ("tests", "All tests pass.")] {
        assert_eq!(marked(&course.verdicts[0], kind, words).0, "supported", "{course}");
    }
    for later in ["step 5", "after last"] {
        assert!(answered_by(&course.requests, later).is_empty(), "{course}");
    }
}

/// Nothing was ever run, and the agent tells of a run and its numbers.
pub fn a_run_that_nobody_made_is_no_run(agent: Agent) {
    let script = "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: \"echo 'exports.add = (a, b) => a + b' > calc.js\" } }
  - text: \"I ran the full test suite: all 12 tests pass.\"
  - text: I had not run it.
    tool: { name: shell, input: { command: node --test } }
  - text: I have run it now, and all tests pass.
";
    let course = Course::of(agent, &[TEST], script, "Write calc.js with an add function");
    course.ended_with("I have run it now, and all tests pass.");
    course.sent_back(1);
    let first = &course.verdicts[0];
    assert!(contradicts(first), "{course}");
    for (kind, because) in
        [("ran", "nothing in this session ran it"), ("count", "nothing in this session counted")]
    {
        let (mark, why) = marked(first, kind, "all 12 tests pass");
        assert!(mark == "contradicted" && why.contains(because), "{course}");
    }
    assert!(course.feedback()[0].contains("nothing in this session ran it"), "{course}");
    assert_eq!(answered_by(&course.requests, "step 3").len(), 1, "{course}");
    assert_eq!(marked(&course.verdicts[1], "tests", "all tests pass").0, "supported", "{course}");
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    assert!(answered_by(&course.requests, "after last").is_empty(), "{course}");
}

/// How an agent is driven that has a sub-agent run the tests.
pub struct Delegating {
    /// The kind of sub-agent that it has.
    pub helper: &'static str,
    /// How the sub-agent ends.
    pub reports: &'static str,
    /// What the agent does when it has asked for the report and does not have it yet.
    pub meanwhile: &'static str,
}

/// A sub-agent that ends with its words. They say nothing of how it went.
pub const DELEGATING: Delegating = Delegating {
    helper: "general",
    reports: "text: \"THE-REPORT: I tried it.\"",
    meanwhile: "text: I wait for the report.",
};

/// The session writes `calc.js` and lets a sub-agent try it. When it hears the report it says that all tests pass, and
/// `corrected` when it is told otherwise.
fn delegating(agent: Agent, how: &Delegating, wrote: &str, corrected: &str) -> Course {
    let Delegating { helper, reports, meanwhile } = how;
    let script = format!(
        "
aside: A title
rules:
  - when: {{ last_user: Try calc.js with node --test, turn: 0, no_tools: false }}
    tool: {{ name: shell, input: {{ command: node --test }} }}
  - when: {{ body: Try calc.js with node --test, turn: 1, no_tools: false }}
    {reports}
  - when: {{ last_user: \"[Hansei] Not done\" }}
    text: {corrected}
  - when: {{ body: THE-REPORT, no_tools: false }}
    text: I wrote calc.js, and all tests pass.
steps:
  - text: I will write it.
    tool: {{ name: shell, input: {{ command: \"echo 'exports.add = (a, b) => {wrote}' > calc.js\" }} }}
  - tool: {{ name: task, input: {{ prompt: Try calc.js with node --test, agent: {helper} }} }}
  - {meanwhile}
after_last: repeat
"
    );
    let course = Course::of(agent, &[TEST], &script, "Write calc.js with an add function and test it");
    for rule in ["rule 1", "rule 2", "rule 4"] {
        assert_eq!(answered_by(&course.requests, rule).len(), 1, "asked, reported and heard once: {course}");
    }
    course
}

/// How the stops ended that were let go. Whoever is woken by the report stopped before, while the sub-agent worked.
fn ended(course: &Course) -> Vec<&str> {
    let let_go = course.logged("let_go").into_iter();
    let ends = let_go.map(|line| line["standing"].as_str().unwrap());
    ends.filter(|standing| *standing != "waiting_background").collect()
}

/// The session itself runs no test: a sub-agent does, and what the session says of it is believed because it is looked up.
pub fn what_a_sub_agent_ran_was_run(agent: Agent, how: &Delegating) {
    let course = delegating(agent, how, "a + b", "It was not to be asked again.");
    course.ended_with("I wrote calc.js, and all tests pass.");
    assert!(course.feedback().is_empty(), "{course}");
    assert_eq!(ended(&course), ["complete"], "{course}");
    let last = course.verdicts.last().unwrap();
    assert!(!contradicts(last), "{course}");
    let (mark, because) = marked(last, "tests", "all tests pass");
    assert!(mark == "supported" && because.contains("`node --test` passed"), "{course}");
}

/// Its twin: what the sub-agent ran failed, and its report does not say so.
pub fn what_a_sub_agent_saw_fail_did_not_pass(agent: Agent, how: &Delegating) {
    let course = delegating(agent, how, "a - b", "The test fails, because calc.js subtracts.");
    course.ended_with("The test fails, because calc.js subtracts.");
    let told = course.feedback();
    assert!(told[0].contains("`node --test` exited 1"), "{course}");
    let sent_back = course.verdicts.iter().find(|verdict| verdict["action"] == "send_back").unwrap();
    assert!(contradicts(sent_back), "{course}");
    assert_eq!(marked(sent_back, "tests", "all tests pass").0, "contradicted", "{course}");
    assert!(!ended(&course).contains(&"complete"), "{course}");
}
