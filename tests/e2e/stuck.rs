//! OpenCode and Kilo as servers, whose process lives on: a session that stops in the middle is nudged once and goes on; one
//! that waits for its human is left alone.

use serde_json::Value;

use crate::agent::Agent;
use crate::compaction::holding;
use crate::off_the_road::wait_for;
use crate::serve::Server;
use crate::world::{World, answered_by, story};
use crate::{kilo, opencode};

const SCRIPT: &str = "
aside: A title
rules:
  - when: { body: add persistence, turn: 0, no_tools: false }
    tool: { name: shell, input: { command: ls } }
  - when: { body: add persistence, no_tools: false }
    text: Which database should I use, PostgreSQL or SQLite?
steps:
  - text: I will parse it.
    tool: { name: shell, input: { command: echo parsed > flag.txt } }
  - text: The flag is parsed. Next I will wire it into the writer and then run the
  - text: I go on.
    tool: { name: shell, input: { command: echo wired >> flag.txt } }
  - text: The flag is wired. Next I will document it and then run the
";

fn lines(world: &World, session: &str) -> Vec<Value> {
    let log = world.read(&format!(".hansei/log/{session}.jsonl")).unwrap_or_default();
    log.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

fn kinds(world: &World, session: &str, kind: &str) -> Vec<Value> {
    lines(world, session).into_iter().filter(|line| line["kind"] == kind).collect()
}

fn who_is_stuck_is_nudged_once_and_who_waits_is_left_alone(agent: Agent) {
    let (world, model) = agent.world(SCRIPT);
    world.write(&world.home.join(".config/hansei/config.toml"), "[stuck]\nafter_seconds = 2\n");
    let (running, server) = Server::of(&agent, &world, &model);
    let waiting = server.session();
    server.prompt(&waiting, "add persistence to the service");
    let stuck = server.session();
    server.prompt(&stuck, "Add a --json flag to the export command, wire it into the writer and document it");
    // It is nudged and goes on, stops in the middle again, and is looked at a second time. Meanwhile the other one has been
    // silent for longer than it takes.
    wait_for(|| kinds(&world, &stuck, "silence_seen").len() == 2);
    running.signal("TERM");
    running.end();
    let requests = model.stop();
    let story = story(&requests);

    let nudged = kinds(&world, &stuck, "nudged");
    assert_eq!(nudged.len(), 1, "{:#?}\n{story}", lines(&world, &stuck));
    let seen = kinds(&world, &stuck, "silence_seen");
    let why = (&seen[0]["reason"], &seen[0]["left_alone"], &seen[1]["left_alone"]);
    assert_eq!(why, (&"genuinely_stuck".into(), &Value::Null, &"spent".into()), "{seen:#?}");
    let text = nudged[0]["text"].as_str().unwrap();
    assert!(text.starts_with("[Hansei]"), "{text}");
    let (third, last) = (answered_by(&requests, "step 3"), answered_by(&requests, "step 4"));
    assert_eq!((third.len(), last.len()), (1, 1), "{story}");
    assert_eq!(
        holding(&requests, text)[0].body,
        third[0].body,
        "the model read it as it stands in the record"
    );
    assert_eq!(world.read("flag.txt").as_deref(), Some("parsed\nwired\n"), "{story}");
    assert!(answered_by(&requests, "after last").is_empty(), "{story}");

    assert_eq!(kinds(&world, &waiting, "let_go").len(), 1, "{:#?}", lines(&world, &waiting));
    assert!(kinds(&world, &waiting, "nudged").is_empty(), "{:#?}", lines(&world, &waiting));
    assert_eq!(answered_by(&requests, "rule 2").len(), 1, "{story}");
}

#[test]
fn opencode_who_is_stuck_is_nudged_once_and_who_waits_is_left_alone() {
    who_is_stuck_is_nudged_once_and_who_waits_is_left_alone(opencode::SERVED);
}

#[test]
fn kilo_who_is_stuck_is_nudged_once_and_who_waits_is_left_alone() {
    who_is_stuck_is_nudged_once_and_who_waits_is_left_alone(kilo::SERVED);
}
