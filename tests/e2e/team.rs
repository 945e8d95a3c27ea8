//! A team's repository: hooks for all agents are committed, in a folder with a space in its name, beside other people's. A
//! teammate may have no Hansei; one that has it may replace it by a newer one.

use hansei_model_server::ModelServer;

use crate::agent::Agent;
use crate::codex_server::{hooks, trust_all};
use crate::records::Told;
use crate::running::Running;
use crate::world::{World, program, story};

const AGENTS: [(&str, &str); 5] = [
    ("claude-code", "claude"),
    ("codex", "codex"),
    ("gemini", "gemini"),
    ("opencode", "opencode"),
    ("kilo", "kilo"),
];

/// Other people's hooks of Codex, in their own style.
const THEIRS: &str = "{ \"hooks\": {\n\t\"Stop\": [ {\"hooks\":[{\"type\":\"command\", \"command\": \"cat >>theirs.log\"}]} ] } }";

const SCRIPT: &str = "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: echo open > login.txt } }
  - text: The login is written.
";

/// The repository with everybody's hooks in it, committed, and what was there before.
fn repository(agent: &Agent) -> (World, ModelServer) {
    let world = World::with_project("our project");
    // Installed are only events that the installed versions know.
    for (name, command) in AGENTS {
        world.offer(command, &program(name, command));
    }
    let model = world.model(SCRIPT);
    (agent.prepare)(&world, &model);
    world.write(&world.project.join(".codex/hooks.json"), THEIRS);
    // OpenCode and Kilo write into their own settings when they start.
    world.write(&world.project.join(".gitignore"), "*.log\nlogin.txt\nopencode.json\nkilo.json\n");
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "-m", "Before"]);
    (world, model)
}

fn install(world: &World) {
    for (name, _) in AGENTS {
        let ran = world.hansei(&["install", name, "--scope", "project"]);
        assert_eq!(ran.code, Some(0), "{ran}");
    }
}

/// The agent does its task, and finds nothing wrong with its hooks. (Gemini CLI names a project's hooks once.)
fn works(agent: &Agent, world: &World, model: &ModelServer, prompt: &str) {
    let ran = Running::of(&mut (agent.command)(world, model, prompt)).end();
    assert!(ran.code == Some(0) && ran.stdout.contains("The login is written."), "{ran}");
    assert_eq!(world.read("login.txt").as_deref(), Some("open\n"), "{ran}");
    for line in ran.stdout.lines().chain(ran.stderr.lines()) {
        let line = line.to_lowercase();
        let is_about_us = line.contains("hansei") || line.contains("hook");
        let wrong = ["error", "fail", "not found", "exited", "timed out", "invalid"];
        assert!(!is_about_us || !wrong.iter().any(|word| line.contains(word)), "{line}\n{ran}");
    }
}

/// With committed hooks, `agent` works where there is no Hansei, and is captured where there is one.
pub fn a_teammate_needs_no_hansei(agent: Agent) {
    let (world, model) = repository(&agent);
    install(&world);
    world.git(&["add", "--all"]);
    world.git(&["commit", "--quiet", "-m", "Hooks for everybody"]);
    let committed = world.git(&["ls-tree", "-r", "HEAD"]);
    if agent.name == "codex" {
        trust_all(&world);
    }

    world.withdraw("hansei");
    works(&agent, &world, &model, "write the login");
    assert!(!world.project.join(".hansei/log").exists(), "nobody was there to record it");

    world.offer_hansei();
    works(&agent, &world, &model, "write it once more");
    let session = Told::about(&world, "write it once more");
    assert_eq!(session.reflections.len(), 1, "{session}\n{}", story(&model.stop()));

    // Another program under the same name is the same to every agent.
    world.upgrade();
    install(&world);
    assert_eq!(world.git(&["diff", "HEAD"]), "", "an upgrade changes no file");
    assert_eq!(world.git(&["ls-tree", "-r", "HEAD"]), committed);

    for (name, _) in AGENTS {
        let ran = world.hansei(&["uninstall", name, "--scope", "project"]);
        assert_eq!(ran.code, Some(0), "{ran}");
    }
    // Agents leave files of their own beside ours; what is compared is what was committed.
    assert_eq!(world.git(&["diff", "HEAD~"]), "", "everything is as it was before, to the byte");
}

/// Whoever trusted other people's hooks in Codex still does after an install, an upgrade and an uninstall.
pub fn codex_still_trusts_what_it_trusted(agent: Agent) {
    let (world, _model) = repository(&agent);
    trust_all(&world);
    let before = hooks(&world);
    assert_eq!(before.len(), 1, "{before:?}");
    assert!(before.values().all(|(_, trust)| trust == "trusted"), "{before:?}");

    install(&world);
    let installed = hooks(&world);
    assert!(installed.len() > before.len(), "{installed:?}");
    for (key, hook) in &installed {
        let ours = (hook.0.clone(), "untrusted".to_owned());
        assert_eq!(hook, before.get(key).unwrap_or(&ours), "{key}: never granted, never lost");
    }
    trust_all(&world);
    let trusted = hooks(&world);
    assert!(trusted.values().all(|(_, trust)| trust == "trusted"), "{trusted:?}");

    world.upgrade();
    install(&world);
    assert_eq!(hooks(&world), trusted, "a newer Hansei is trusted as the old one was");
    let ran = world.hansei(&["uninstall", "codex", "--scope", "project"]);
    assert_eq!(ran.code, Some(0), "{ran}");
    assert_eq!(hooks(&world), before);
    assert_eq!(world.read(".codex/hooks.json").as_deref(), Some(THEIRS));
}
