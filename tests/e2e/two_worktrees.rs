//! (T3) Two worktrees of one repository, an agent in each. One has work in the background, is driven on by something else
//! than us, and waits for an approval that only a human can give; the other works. Neither is told what concerns the
//! other, and what is known of both outlives the worktree.

use std::path::Path;
use std::process::Command;

use hansei_model_server::{ModelServer, Options};
use serde_json::Value;

use crate::agent::Agent;
use crate::running::Running;
use crate::sent_back::{CARELESS, Course, PROMPT, TEST};
use crate::world::World;

/// An agent that waits in a worktree of its own.
pub struct Waiting {
    /// The command that works there on [`RELEASE`], with a driver of its own that keeps it from its first stop.
    pub command: fn(&World, &Path, &ModelServer) -> Command,
    /// The call that leaves something running, and whether the agent tells of it.
    pub background: (&'static str, bool),
}

/// What it is asked for.
pub const RELEASE: &str = "Write the release notes and publish the release";

/// What its driver tells it.
pub const DRIVEN: &str = "The loop goes on.";

/// A hook for a stop, as a loop plugin has it: it keeps the agent from its first one.
pub const LOOP: &str = "if [ -e looped.txt ]; then exit 0; fi; touch looped.txt; echo '{\"decision\":\"block\",\"reason\":\"The loop goes on.\"}'";

/// It waits, whoever asks. Its goal is checked by a model too, which has enough of it at last.
const WAITS: &str = r#"
aside: '{ "ok": false, "reason": "The loop goes on." }'
rules:
  - when: { body: Nothing has changed, no_tools: true }
    text: '{ "ok": true, "reason": "It waits for a human." }'
steps:
  - tool: BACKGROUND
  - tool: { name: shell, input: { command: echo The notes > notes.md } }
  - text: "The notes are written. Publishing needs an approval that only you can give."
  - text: "Still waiting: publishing needs an approval that only you can give."
  - text: "Nothing has changed: publishing needs an approval that only you can give."
"#;

pub fn each_is_judged_for_itself(agent: Agent, waiting: &Waiting) {
    let (world, model) = agent.world(CARELESS);
    world.write(&world.project.join(TEST.0), TEST.1);
    world.git(&["add", "."]);
    world.git(&["commit", "--quiet", "-m", "Begin"]);
    let other = world.home.join("other-worktree");
    world.git(&["worktree", "add", "--quiet", "-b", "other", other.to_str().unwrap()]);
    let script = WAITS.replace("BACKGROUND", waiting.background.0);
    let waits = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();

    let first = Running::of((waiting.command)(&world, &other, &waits).current_dir(&other));
    let second = Running::of(&mut (agent.command)(&world, &model, PROMPT));
    let (waited, worked) = (first.end(), second.end());
    let asked = waits.stop();
    world.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);

    let course = Course::told(world, worked, model.stop());
    course.ended_with("Mended, and all tests pass now.");
    let waits_for_a_human = |verdict: &&Value| verdict["why"] == "blocked_on_human";
    let session = |verdict: &Value| verdict["session_id"].as_str().unwrap().to_owned();
    let blocked = course.verdicts.iter().find(waits_for_a_human).map(session);
    let (blocked, done): (Vec<&Value>, Vec<&Value>) =
        course.verdicts.iter().partition(|verdict| Some(session(verdict)) == blocked);
    let actions: Vec<&Value> = done.iter().map(|verdict| &verdict["action"]).collect();
    assert_eq!(actions, ["send_back", "let_stop"], "{waited}\n{course}");
    assert_eq!(course.feedback().len(), 1, "{course}");
    assert!(!course.feedback()[0].contains("notes"), "{course}");

    assert_eq!(waited.code, Some(0), "{waited}\n{course}");
    assert!(waited.stdout.contains("needs an approval that only you can give."), "{waited}\n{course}");
    let heard = |words: &str| asked.iter().any(|request| request.body.to_string().contains(words));
    assert!(heard(DRIVEN), "it was driven on: {waited}\n{course}");
    assert!(!heard("[Hansei]"), "and not by us: {waited}\n{course}");
    for verdict in &blocked {
        assert_eq!(verdict["action"], "let_stop", "{waited}\n{course}");
        assert_eq!(verdict["ending"], "blocked_on_human", "{waited}\n{course}");
        assert_eq!(verdict["verdict"]["requires_human_action"], true, "{waited}\n{course}");
    }
    let runs = |found: &Value| found["kind"] == "background_running";
    let told = blocked.iter().any(|verdict| verdict["evidence"].as_array().unwrap().iter().any(runs));
    assert_eq!(told, waiting.background.1, "{waited}\n{course}");
}
