//! What an agent may ask `hansei mcp`: its tools reach the model, a call of the model reaches Hansei, and the answer comes back.

use crate::agent::Agent;
use crate::world::{World, answered_by, program, story};

/// The server is registered, its tools are offered to the model, one is called and answers, and is forgotten again.
pub fn a_tool_is_offered_called_and_answered(agent: Agent, tool: &str) {
    let world = World::new();
    world.offer(agent.program, &program(agent.name, agent.program));
    world.write(&world.project.join("src/login.py"), "print('open')\n");
    let model = world.model(&format!(
        "
aside: A title
steps:
  - tool: {{ name: {tool}, input: {{}} }}
  - text: Somebody has to look at it.
"
    ));
    (agent.prepare)(&world, &model);
    let registered = world.hansei(&["install", "--mcp", agent.name]);
    assert_eq!(registered.code, Some(0), "{registered}");
    let ran = agent.run(&world, &model, "is it risky?");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Somebody has to look at it."), "{ran}\n{story}");
    let offered = answered_by(&requests, "step 1")[0].body.to_string();
    for name in ["self_report", "review", "escalate", "probe", "decisions_check", "risk"] {
        assert!(offered.contains(name), "{name} is not offered: {story}");
    }
    assert!(offered.contains("what a mistake in a change would cost"), "the model is told when to use it");
    let told = answered_by(&requests, "step 2")[0].body.to_string();
    assert!(told.contains("needs_review") && told.contains("auth surface: src/login.py"), "{told}");
    assert!(!told.contains("unrecognized"), "{told}");
    let known = world.hansei(&["doctor", "--json"]);
    assert!(
        known.stdout.contains("\"program\": \"hansei\""),
        "the agent may have written its settings anew: {known}"
    );
    let removed = world.hansei(&["uninstall", agent.name]);
    assert_eq!(removed.code, Some(0), "{removed}");
    let again = world.hansei(&["uninstall", "--mcp", agent.name]);
    assert!(again.stdout.contains("is not registered"), "{again}");
}

/// The agent starts the unblocker as a sub-agent: it is told who it is, and what it answers comes back.
pub fn the_unblocker_is_started(agent: Agent, helper: &str) {
    let (world, model) = agent.world(&unblocked(helper));
    let ran = agent.run(&world, &model, "go on");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("I hand that over."), "{ran}\n{story}");
    let asked = answered_by(&requests, "rule 1");
    assert!(!asked.is_empty(), "{story}");
    let told = asked[0].body.to_string();
    assert!(told.contains("# The unblocker") && told.contains("[NEED_CONTEXT: clean_handoff]"), "{told}");
    for tool in ["\"edit\"", "\"write\"", "\"Edit\"", "\"Write\"", "\"NotebookEdit\""] {
        assert!(!told.contains(&format!("\"name\":{tool}")), "it has the tool {tool}: {told}");
    }
    // Claude Code goes on at once, and tells of a sub-agent's end when it comes.
    let mut others = requests.iter().filter(|request| request.answered_with["by"] != "rule 1");
    let came_back =
        others.any(|request| request.body.to_string().contains("[NEED_CONTEXT: escalation_payload]"));
    assert!(came_back, "{story}");
}

/// A session that hands a task to the unblocker without the payload that it works from.
fn unblocked(helper: &str) -> String {
    format!(
        "
aside: A title
rules:
  - when: {{ last_user: the report still fails, turn: 0 }}
    text: \"[NEED_CONTEXT: escalation_payload]\"
steps:
  - tool: {{ name: task, input: {{ prompt: the report still fails, agent: {helper} }} }}
  - delay_ms: 500
    text: I hand that over.
"
    )
}
