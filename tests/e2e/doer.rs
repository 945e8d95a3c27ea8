//! Agents as the ones who work in a run of ours: prompt, stop, verify, reflect, prompt again in a clean session.

use serde_json::Value;

use crate::agent::Agent;
use crate::codex_server;
use crate::world::{Ran, World, story};

const FILES: &[(&str, &str)] = &[
    (
        "package.json",
        "{ \"name\": \"sums\", \"version\": \"1.0.0\", \"scripts\": { \"test\": \"node test.js\" } }\n",
    ),
    ("add.js", "module.exports = (a, b) => a - b;\n"),
    (
        "test.js",
        "const add = require('./add.js');\nif (add(2, 3) !== 5) { console.error('not ok: 2 + 3 is ' + add(2, 3)); process.exit(1); }\nconsole.log('ok');\n",
    ),
];

/// What the model says: that it is done; when it is shown what failed, why; and in the next session it mends it, or not.
fn script(world: &World, mends: bool) -> String {
    let path = world.project.join("add.js");
    let mending = format!(
        "  - when: {{ last_user: \"Now do it differently\", turn: 0 }}\n    tool: {{ name: edit, input: {{ path: {}, old: \"module.exports = (a, b) => a - b;\", new: \"module.exports = (a, b) => a + b;\" }} }}\n",
        path.display()
    );
    format!(
        "aside: A title\nsteps:\n  - text: All done! Everything works.\n  - text: Mended.\nrules:\n{}  - when: {{ last_user: \"Do not change anything yet\", turn: 0 }}\n    text: I never ran the test. It subtracts.\n",
        if mends { mending.as_str() } else { "" }
    )
}

/// A project whose test fails, an agent with our hooks, and `hansei run` with that agent.
fn run(agent: &Agent, named: &str, mends: bool) -> (World, Ran, Vec<Value>, String) {
    let (world, model) = {
        let place = World::new();
        let text = script(&place, mends);
        // The script names the project's path, so the world comes first.
        agent.world_of(place, &text)
    };
    for (name, text) in FILES {
        world.write(&world.project.join(name), text);
    }
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "-m", "Sums"]);
    if agent.name == "codex" {
        // It runs a hook only once a person has trusted it.
        codex_server::trust_all(&world);
    }
    let as_agent = (agent.command)(&world, &model, "x");
    let mut command = world.command(world.home.join("bin/hansei"));
    for (name, value) in as_agent.get_envs().filter_map(|(name, value)| Some((name, value?))) {
        command.env(name, value);
    }
    // Codex' own sandbox is not there in a container.
    command.args(["run", "--json", "--agent", named, "--max-minutes", "10", "--no-sandbox", "mend the sum"]);
    if named == "gemini" {
        // Left to itself it asks a model which model to ask.
        command.args(["--model", "gemini-2.5-flash"]);
    }
    let ran = Ran::of(&mut command);
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let story = story(&model.stop());
    (world, ran, lines, story)
}

fn kinds(lines: &[Value], kind: &str) -> Vec<Value> {
    lines.iter().filter(|line| line["kind"] == kind).cloned().collect()
}

/// What stands in the logs of the agent's own sessions.
fn logged(world: &World, kind: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(world.project.join(".hansei/log")) else { return 0 };
    let names = entries.map(|entry| entry.unwrap()).filter(|entry| {
        let name = entry.file_name().into_string().unwrap();
        name.strip_suffix(".jsonl").is_some_and(|name| !name.starts_with("run-"))
    });
    let texts = names.map(|entry| std::fs::read_to_string(entry.path()).unwrap());
    texts.map(|text| text.matches(&format!("\"kind\":\"{kind}\"")).count()).sum()
}

pub fn a_failing_test_is_brought_to_green(agent: Agent) {
    let (world, ran, lines, story) = run(&agent, agent.name, true);
    let last = lines.last().unwrap_or_else(|| panic!("{ran}\n{story}"));
    assert_eq!(last["ending"], "complete", "{ran}\n{story}");
    let gates: Vec<Value> = kinds(&lines, "verified").iter().map(|line| line["gate"].clone()).collect();
    assert_eq!(gates, ["red", "green"], "{ran}");
    assert_eq!(last["reflections"], 1);
    assert_eq!(world.read("add.js").as_deref(), Some("module.exports = (a, b) => a + b;\n"));
    // Our hooks in its sessions kept what each stop left, once, and judged none: that was done here.
    assert_eq!(logged(&world, "captured"), kinds(&lines, "model_answered").len(), "{ran}");
    assert_eq!(logged(&world, "judged") + logged(&world, "sent_back"), 0, "{ran}");
}

pub fn whoever_never_mends_it_gave_up_after_reflections(agent: Agent) {
    let (world, ran, lines, story) = run(&agent, agent.name, false);
    let last = lines.last().unwrap_or_else(|| panic!("{ran}\n{story}"));
    assert_eq!(last["ending"], "gave_up_after_reflections", "{ran}\n{story}");
    assert_eq!(ran.code, Some(1));
    assert_eq!(kinds(&lines, "verified").len(), 2, "{ran}");
    assert_eq!(world.read("add.js").as_deref(), Some("module.exports = (a, b) => a - b;\n"));
}

/// The same over the Agent Client Protocol, with the command that the agent speaks it by.
pub fn over_acp(agent: Agent, command: &str) {
    let (world, ran, lines, story) = run(&agent, &format!("acp:{command}"), true);
    let last = lines.last().unwrap_or_else(|| panic!("{ran}\n{story}"));
    assert_eq!(last["ending"], "complete", "{ran}\n{story}");
    assert_eq!(last["reflections"], 1, "{ran}");
    assert_eq!(world.read("add.js").as_deref(), Some("module.exports = (a, b) => a + b;\n"));
}
