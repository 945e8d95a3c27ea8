//! What every agent must do, whatever it calls its tools.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::agent::Agent;
use crate::records::every_session_can_be_exported;
use crate::world::{CREDENTIAL, World, answered_by, program, story};

/// The agent performs a shell call, tells the model its output and gives the model's answer to the user.
pub fn a_shell_call_is_performed_and_answered(agent: Agent) {
    let world = World::new();
    world.write(&world.project.join("a.txt"), "what the file says\n");
    let model = world.model(
        "
aside: A title
steps:
  - text: I will look.
    tool: { name: shell, input: { command: cat a.txt > copied.txt; cat copied.txt } }
    usage: { input: 1234, output: 56 }
  - text: Copied as asked.
",
    );
    let ran = agent.run(&world, &model, "copy the file");
    let requests = model.stop();
    let story = story(&requests);
    assert_eq!(ran.code, Some(0), "{ran}\n{story}");
    assert!(ran.stdout.contains("Copied as asked."), "{ran}\n{story}");
    assert_eq!(world.read("copied.txt").as_deref(), Some("what the file says\n"), "{ran}\n{story}");
    let (first, second) = (answered_by(&requests, "step 1"), answered_by(&requests, "step 2"));
    assert_eq!((first.len(), second.len()), (1, 1), "{story}");
    assert!(first[0].body.to_string().contains("copy the file"), "{}", first[0].body);
    assert_eq!((first[0].step, second[0].step), (Some(0), Some(1)));
    assert!(second[0].body.to_string().contains("what the file says"), "{}", second[0].body);
    assert!(answered_by(&requests, "refusal").is_empty(), "{story}");
    assert!(!format!("{requests:?}").contains(CREDENTIAL), "credentials are not recorded");
}

/// Portable names reach the agent's own tools for files.
pub fn files_are_written_read_and_edited(agent: Agent) {
    let world = World::new();
    let file = world.project.join("notes.txt");
    let path = file.display();
    let model = world.model(&format!(
        "
aside: A title
steps:
  - tool: {{ name: write, input: {{ path: {path}, content: \"one\\ntwo\\n\" }} }}
  - tool: {{ name: read, input: {{ path: {path} }} }}
  - tool: {{ name: edit, input: {{ path: {path}, old: two, new: 2 }} }}
  - text: Written.
"
    ));
    let ran = agent.run(&world, &model, "take notes");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Written."), "{ran}\n{story}");
    assert_eq!(world.read("notes.txt").as_deref(), Some("one\n2\n"), "{ran}\n{story}");
}

/// An error of the provider passes after a retry.
pub fn an_overloaded_model_is_asked_again(agent: Agent) {
    let world = World::new();
    let model = world.model(
        "
aside: A title
steps:
  - error: { status: 503, message: overloaded, retry_after: 0 }
  - text: Here I am.
",
    );
    let ran = agent.run(&world, &model, "say something");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Here I am."), "{ran}\n{story}");
    assert_eq!(answered_by(&requests, "step 1").len(), 1, "{story}");
    assert_eq!(answered_by(&requests, "step 2").len(), 1, "{story}");
}

/// The agent keeps todos; `says` is a part of what its tool answers.
pub fn todos_are_kept(agent: Agent, says: &str) {
    let world = World::new();
    let model = world.model(
        "
aside: A title
steps:
  - tool: { name: todo, input: { items: [{ text: first thing, status: in_progress }, { text: second, status: pending }] } }
  - text: Noted.
",
    );
    let ran = agent.run(&world, &model, "make a plan");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Noted."), "{ran}\n{story}");
    let told = answered_by(&requests, "step 2");
    assert!(told.iter().any(|request| request.body.to_string().contains(says)), "{}\n{story}", told[0].body);
}

/// Everything below HOME that is a settings file of an agent or a plugin, with its content.
fn settings(world: &World) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    for folder in [".claude", ".codex", ".gemini", ".config"] {
        collect(&world.home.join(folder), &mut found);
    }
    found
}

fn collect(folder: &Path, found: &mut BTreeMap<PathBuf, Vec<u8>>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let transcript = path.extension().is_some_and(|ending| ending == "jsonl");
        if path.is_dir() {
            collect(&path, found);
        } else if !transcript {
            found.insert(path.clone(), std::fs::read(&path).unwrap_or_default());
        }
    }
}

/// Hansei is installed, the agent works and stops, the stop is captured, the session can be read back, and uninstalling
/// leaves the agent's settings as they were, to the byte.
pub fn a_stop_is_captured_from_install_to_uninstall(agent: Agent) {
    let world = World::new();
    world.offer(agent.program, &program(agent.name, agent.program));
    let model = world.model(
        "
aside: A title
steps:
  - text: I will write it.
    tool: { name: shell, input: { command: echo open > login.txt } }
  - tool: { name: shell, input: { command: cat login.txt; exit 3 } }
  - text: The login is written.
",
    );
    (agent.prepare)(&world, &model);
    let before = settings(&world);
    let installed = world.hansei(&["install", agent.name]);
    assert_eq!(installed.code, Some(0), "{installed}");
    assert_ne!(settings(&world), before, "{installed}");
    let hooks = settings(&world);
    let again = world.hansei(&["install", agent.name]);
    assert_eq!((again.code, settings(&world)), (Some(0), hooks), "installing twice changes nothing: {again}");

    let ran = agent.run(&world, &model, "write the login");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("The login is written."), "{ran}\n{story}");
    assert_eq!(answered_by(&requests, "step 3").len(), 1, "capturing sends nothing to the model: {story}");
    assert!(
        answered_by(&requests, "step 3")[0].body.to_string().contains('3'),
        "the exit code reached the model"
    );

    let log = world.hansei(&["log", "--json"]);
    let log: Value = serde_json::from_str(&log.stdout).unwrap_or_else(|error| panic!("{error}: {log}"));
    assert_eq!(log.as_array().map(Vec::len), Some(1), "one stop, one reflection: {log:#}\n{ran}");
    let reflection = &log[0];
    assert_eq!(reflection["agent"], agent.name);
    assert!(reflection["files_changed"].as_array().unwrap().contains(&"login.txt".into()), "{reflection:#}");
    assert_eq!(reflection["risk"]["surface"], "auth");
    assert_eq!(reflection["provenance"]["reflection_mode"], "solo");

    let session = reflection["session_id"].as_str().unwrap();
    let shown = world.hansei(&["show", "--session", session, "--json"]);
    let shown: Value = serde_json::from_str(&shown.stdout).unwrap_or_else(|error| panic!("{error}: {shown}"));
    assert_eq!(shown["agent"], agent.name);
    let task = shown["tasks"].as_array().unwrap().last().unwrap();
    assert!(task["request"].as_str().unwrap().contains("write the login"), "{shown:#}");
    let turn = &task["turns"][0];
    assert!(turn["last_words"].as_str().unwrap().contains("The login is written."), "{shown:#}");
    let call =
        turn["calls"].as_array().unwrap().iter().rfind(|call| call["action"]["does"] == "run").unwrap();
    assert!(call["action"]["command"].as_str().unwrap().contains("login.txt"), "{shown:#}");
    assert_eq!(call["end"]["exit_code"], 3, "{shown:#}");
    let listed = world.hansei(&["sessions", "--agent", agent.name, "--json"]);
    assert!(listed.stdout.contains(session), "{listed}");

    every_session_can_be_exported(&world);

    let removed = world.hansei(&["uninstall", agent.name]);
    assert_eq!(removed.code, Some(0), "{removed}");
    let after = settings(&world);
    for (path, content) in &before {
        assert!(after.get(path) == Some(content), "{} is not as it was", path.display());
    }
    let ours: Vec<&PathBuf> = after
        .iter()
        .filter(|(_, content)| String::from_utf8_lossy(content).contains("hansei hook"))
        .map(|(path, _)| path)
        .collect();
    assert!(ours.is_empty(), "{ours:?} still call us");
}
