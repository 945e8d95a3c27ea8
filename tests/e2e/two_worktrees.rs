//! (T3) Two worktrees of one repository, an agent in each: one waits for an approval that only a human can give while a
//! loop of somebody else's drives it on, the other works. Neither is told what concerns the other.

use hansei_model_server::{ModelServer, Options};
use serde_json::{Value, json};

use crate::off_the_road::Agent;
use crate::running::Running;
use crate::sent_back::{CARELESS, Course, PROMPT, TEST};
use crate::world::answered_by;

const WAITS: &str = "
aside: A title
steps:
  - text: I will write them.
    tool: { name: shell, input: { command: echo The notes > notes.md } }
  - text: \"Publishing needs an approval that only you can give: please log in to the console and approve the release.\"
  - text: Still waiting for your approval in the console.
  - text: It was not to be asked again.
";

/// A hook that keeps an agent from its first stop, as loop plugins do.
const LOOP: &str = "if [ -e looped.txt ]; then exit 0; fi; touch looped.txt; echo '{\"decision\":\"block\",\"reason\":\"The loop goes on.\"}'";

/// `looping` puts the loop into the settings of the worktree.
pub fn each_is_judged_for_itself(agent: Agent, looping: fn(&str) -> (&'static str, String)) {
    let (world, model) = agent.world(CARELESS);
    world.write(&world.project.join(TEST.0), TEST.1);
    world.git(&["add", "."]);
    world.git(&["commit", "--quiet", "-m", "Begin"]);
    let other = world.home.join("other-worktree");
    world.git(&["worktree", "add", "--quiet", "-b", "other", other.to_str().unwrap()]);
    let (file, settings) = looping(LOOP);
    world.write(&other.join(file), &settings);
    let waits = ModelServer::start(WAITS.parse().unwrap(), Options::default()).unwrap();

    let waiting = Running::of(
        (agent.command)(&world, &waits, "Write the release notes and publish the release")
            .current_dir(&other),
    );
    let working = Running::of(&mut (agent.command)(&world, &model, PROMPT));
    let (waiting, worked) = (waiting.end(), working.end());
    let asked = waits.stop();
    world.git(&["worktree", "remove", "--force", other.to_str().unwrap()]);

    // Everything is kept with the repository, so it is still there.
    let course = Course::told(world, worked, model.stop());
    let (blocked, done): (Vec<&Value>, Vec<&Value>) =
        course.verdicts.iter().partition(|verdict| verdict["task"] == course.verdicts[0]["task"]);
    let (blocked, done) = if blocked.iter().any(|one| one["why"] == "blocked_on_human") {
        (blocked, done)
    } else {
        (done, blocked)
    };
    course.ended_with("Mended, and all tests pass now.");
    let actions: Vec<&Value> = done.iter().map(|verdict| &verdict["action"]).collect();
    assert_eq!(actions, ["send_back", "let_stop"], "{course}");
    assert!(!format!("{:?}", course.feedback()).contains("notes"), "{course}");
    assert_eq!(course.feedback().len(), 1, "{course}");

    assert_eq!(waiting.code, Some(0), "{waiting}\n{course}");
    assert!(waiting.stdout.contains("Still waiting for your approval"), "{waiting}\n{course}");
    assert_eq!(answered_by(&asked, "step 3").len(), 1, "the loop went on once: {waiting}\n{course}");
    assert!(answered_by(&asked, "step 4").is_empty(), "and we added nothing: {waiting}\n{course}");
    assert_eq!(blocked[0]["ending"], "blocked_on_human", "{waiting}\n{course}");
    assert!(blocked.iter().all(|verdict| verdict["action"] == "let_stop"), "{waiting}\n{course}");
}

/// The settings of Claude Code with `command` as a hook for a stop.
pub fn in_claude_code(command: &str) -> (&'static str, String) {
    let settings = json!({ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": command }] }] } });
    (".claude/settings.json", settings.to_string())
}
