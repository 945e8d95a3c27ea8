//! What every agent must do, whatever it calls its tools.

use hansei_model_server::ModelServer;

use crate::world::{CREDENTIAL, Ran, World, answered_by, story};

/// Runs an agent in a world, against a model, with a prompt.
pub type Run = fn(&World, &ModelServer, &str) -> Ran;

/// The agent performs a shell call, tells the model its output and gives the model's answer to the user.
pub fn a_shell_call_is_performed_and_answered(run: Run) {
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
    let ran = run(&world, &model, "copy the file");
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
pub fn files_are_written_read_and_edited(run: Run) {
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
    let ran = run(&world, &model, "take notes");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Written."), "{ran}\n{story}");
    assert_eq!(world.read("notes.txt").as_deref(), Some("one\n2\n"), "{ran}\n{story}");
}

/// An error of the provider passes after a retry.
pub fn an_overloaded_model_is_asked_again(run: Run) {
    let world = World::new();
    let model = world.model(
        "
aside: A title
steps:
  - error: { status: 503, message: overloaded, retry_after: 0 }
  - text: Here I am.
",
    );
    let ran = run(&world, &model, "say something");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Here I am."), "{ran}\n{story}");
    assert_eq!(answered_by(&requests, "step 1").len(), 1, "{story}");
    assert_eq!(answered_by(&requests, "step 2").len(), 1, "{story}");
}

/// The agent keeps todos; `says` is a part of what its tool answers.
pub fn todos_are_kept(run: Run, says: &str) {
    let world = World::new();
    let model = world.model(
        "
aside: A title
steps:
  - tool: { name: todo, input: { items: [{ text: first thing, status: in_progress }, { text: second, status: pending }] } }
  - text: Noted.
",
    );
    let ran = run(&world, &model, "make a plan");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Noted."), "{ran}\n{story}");
    let told = answered_by(&requests, "step 2");
    assert!(told.iter().any(|request| request.body.to_string().contains(says)), "{}\n{story}", told[0].body);
}

/// A sub-agent of the kind `helper` is asked, and a rule answers it as its model.
pub fn a_helper_is_asked(run: Run, helper: &str) {
    let world = World::new();
    let model = world.model(&format!(
        "
aside: A title
rules:
  - when: {{ last_user: look for the needle, turn: 0 }}
    text: The needle is in the hay.
steps:
  - tool: {{ name: task, input: {{ prompt: look for the needle, agent: {helper} }} }}
  - delay_ms: 500
    text: Found.
"
    ));
    let ran = run(&world, &model, "find it");
    let requests = model.stop();
    let story = story(&requests);
    assert!(ran.code == Some(0) && ran.stdout.contains("Found."), "{ran}\n{story}");
    assert!(!answered_by(&requests, "rule 1").is_empty(), "{ran}\n{story}");
}
