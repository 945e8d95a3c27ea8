//! (T4) Whoever wants to be left alone, and whoever has nothing to be sent back for, is left alone.
//!
//! Most of these are the very course that `sent_back::a_failing_check_is_mended` shows to be sent back, with one thing
//! that is different.

use serde_json::{Value, json};

use crate::agent::Agent;
use crate::off_the_road::wait_for;
use crate::running::Running;
use crate::sent_back::{CARELESS, Course, PROMPT, TEST};
use crate::serve::Server;
use crate::world::{Ran, answered_by};

/// What the careless one says when it believes to be done.
const SAYS: &str = "  - text: All done, all tests pass.\n";

/// The agent ended with `words`, was judged once, and the model heard nothing of it.
fn assert_left_alone(course: &Course, words: &str, next: &str) {
    course.ended_with(words);
    course.sent_back(0);
    assert!(answered_by(&course.requests, next).is_empty(), "{course}");
}

/// The human's latest word, whatever the agent made of it.
pub fn who_is_told_to_stop_is_left_alone(agent: Agent) {
    let course = Course::of(agent, &[TEST], CARELESS, "Stop here, I'll review tomorrow.");
    assert_left_alone(&course, "All done, all tests pass.", "step 4");
    assert_eq!(course.let_go().1, "waiting_for_user", "{course}");
}

/// An agent that may only plan.
pub fn a_plan_is_left_alone(agent: Agent) {
    let course = Course::of(Agent { drive: agent.plan, ..agent }, &[TEST], CARELESS, PROMPT);
    assert_left_alone(&course, "All done, all tests pass.", "step 4");
    assert_eq!(course.let_go(), ("plan_mode", "waiting_for_user"), "{course}");
}

/// The agent ends with a question that only the human can decide.
pub fn a_question_is_left_alone(agent: Agent) {
    let words = "The test wants a sum and the issue a difference. Which of the two is right?";
    let script = CARELESS.replacen("All done, all tests pass.", words, 1);
    let course = Course::of(agent, &[TEST], &script, PROMPT);
    assert_left_alone(&course, "Which of the two is right?", "step 4");
    assert_eq!(course.let_go(), ("pending_question", "waiting_for_user"), "{course}");
}

/// A call of the agent's tool for questions.
fn question(agent: &Agent) -> String {
    let options = json!([
        { "label": "A sum", "description": "As the test wants" },
        { "label": "A difference", "description": "As the issue says" },
    ]);
    let question = json!({
        "id": "which", "header": "Which", "question": "Is it a sum or a difference?", "options": options,
        "multiSelect": false, "type": "choice",
    });
    json!({ "name": agent.question, "input": { "questions": [question] } }).to_string()
}

/// The agent asks through its tool, where nobody is there to answer, and stops.
pub fn a_question_by_a_tool_is_left_alone(agent: Agent) {
    let says = format!("  - tool: {}\n  - text: The question is put to you.\n", question(&agent));
    let course = Course::of(agent, &[TEST], &CARELESS.replacen(SAYS, &says, 1), PROMPT);
    assert_left_alone(&course, "The question is put to you.", "step 5");
    assert_eq!(course.let_go(), ("pending_question", "waiting_for_user"), "{course}");
}

/// A question was asked and answered: nothing was to be done.
pub fn a_chat_is_left_alone(agent: Agent) {
    let script = "
aside: A title
steps:
  - text: It tests an addition. All tests pass when calc.js adds.
  - text: It was not to be asked again.
";
    let course = Course::of(agent, &[TEST], script, "What does calc.test.js test?");
    assert_left_alone(&course, "It tests an addition.", "step 2");
}

/// Stands in for GitHub's program: the checks of a pull request, which take their time.
const GH: &str = "#!/bin/sh
echo asked >> \"$HOME/asked\"
case $(wc -l < \"$HOME/asked\") in
  1|2|3) echo 'build  pending  0  https://ci.example.invalid/1'; exit 8;;
esac
echo 'build  pass  41s  https://ci.example.invalid/1'
";

/// The same command again and again, which fails until the checks are through: that is waiting, not a loop. (At the fifth
/// time Gemini CLI itself would call it one.)
pub fn polling_is_left_alone(agent: Agent) {
    let polls = "  - tool: { name: shell, input: { command: gh pr checks 7 } }\n".repeat(4);
    let script = CARELESS.replacen("a - b", "a + b", 1).replacen(
        SAYS,
        &format!("{polls}  - text: All tests pass, and so do the checks of the pull request.\n"),
        1,
    );
    let (world, model) = agent.world(&script);
    world.write(&world.project.join(TEST.0), TEST.1);
    world.script("gh", GH);
    let ran = agent.run(
        &world,
        &model,
        "Write calc.js with an add function, run node --test and wait for the checks of pull request 7",
    );
    let course = Course::told(world, ran, model.stop());
    assert_left_alone(&course, "All tests pass, and so do the checks of the pull request.", "step 8");
    assert_eq!(course.let_go(), ("complete", "complete"), "{course}");
    let kinds = course.logged("judged")[0]["evidence"].as_array().unwrap();
    assert!(!kinds.iter().any(|kind| kind.as_str().unwrap().starts_with("loop")), "{course}");
}

/// What the careless one does when it has seen the test fail, until somebody stops it.
const WAITS: &str = "  - tool: { name: shell, input: { command: echo begun > begun.txt; sleep 120 } }\n";

/// A human presses Ctrl-C after a check has failed: whatever was found, nobody is driven on.
pub fn who_was_interrupted_is_left_alone(agent: Agent) {
    let (world, model) = agent.world(&CARELESS.replacen(SAYS, WAITS, 1));
    world.write(&world.project.join(TEST.0), TEST.1);
    let running = Running::of(&mut (agent.command)(&world, &model, PROMPT));
    wait_for(|| world.read("begun.txt").is_some());
    running.signal("INT");
    let ran = running.end();
    let course = Course::told(world, ran, model.stop());
    assert!(course.feedback().is_empty() && course.logged("judged").is_empty(), "{course}");
    assert!(answered_by(&course.requests, "step 4").is_empty(), "{course}");
}

/// The same in a server, which lives on: in one session a human presses Esc and says thanks, in another a question waits,
/// is turned down, and nobody is driven on by either.
pub fn who_was_aborted_or_turned_down_is_left_alone(agent: Agent) {
    let rules = format!(
        "aside: A title
rules:
  - when: {{ last_user: Thanks }}
    text: You are welcome.
  - when: {{ body: ask me first, turn: 2, no_tools: false }}
    tool: {}
  - when: {{ body: ask me first, turn: 3, no_tools: false }}
    text: It was not to be asked again.
",
        question(&agent)
    );
    let script = CARELESS.replacen(SAYS, WAITS, 1).replacen("aside: A title\n", &rules, 1);
    let (world, model) = agent.world(&script);
    world.write(&world.project.join(TEST.0), TEST.1);
    let (running, server) = Server::of(&agent, &world, &model);
    let log = |session: &str| world.read(&format!(".hansei/log/{session}.jsonl")).unwrap_or_default();

    let aborted = server.session();
    std::thread::scope(|scope| {
        scope.spawn(|| server.prompt(&aborted, PROMPT));
        wait_for(|| world.read("begun.txt").is_some());
        server.post(&format!("/session/{aborted}/abort"), &json!({}));
    });
    wait_for(|| log(&aborted).contains("\"abort\""));
    assert!(!log(&aborted).contains("\"judged\""), "{}", log(&aborted));
    server.prompt(&aborted, "Thanks, I will look at it myself.");
    wait_for(|| log(&aborted).contains("\"let_go\""));

    let asked = server.session();
    std::thread::scope(|scope| {
        scope.spawn(|| server.prompt(&asked, &format!("{PROMPT}, and ask me first")));
        let open = || server.get("/question").as_array().and_then(|all| all.first().cloned());
        wait_for(|| open().is_some());
        assert!(!log(&asked).contains("\"judged\""), "{}", log(&asked));
        let id = open().unwrap()["id"].as_str().unwrap().to_owned();
        server.post(&format!("/question/{id}/reject"), &json!({}));
    });
    wait_for(|| log(&asked).contains("\"let_go\""));
    running.signal("TERM");
    let stderr = running.end().stderr;
    let ran = Ran { code: Some(0), stdout: String::new(), stderr };
    let course = Course::told(world, ran, model.stop());
    assert!(course.feedback().is_empty(), "{course}");
    let why: Vec<&Value> = course.logged("let_go").into_iter().map(|line| &line["why"]).collect();
    assert_eq!(why.len(), 2, "{course}");
    assert!(why.contains(&&json!("pending_question")), "{course}");
}
