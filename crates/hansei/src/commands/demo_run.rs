//! The last part of the demo: a whole run, from the plan to what is captured of it. The model is scripted; everything else
//! is real.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use hansei_model_server::{ModelServer, Options};
use hansei_workspace::program;
use serde_json::Value;

use crate::failure::Failure;
use crate::terminal;

const FILES: &[(&str, &str)] = &[
    ("add.sh", "# Adds two numbers.\necho $(($1 - $2))\n"),
    ("check.sh", "test \"$(sh add.sh 2 3)\" = 5 || { echo \"2 + 3 is not $(sh add.sh 2 3)\"; exit 1; }\n"),
];

/// What the model says: it plans, mends it wrongly, is told, thinks again, and mends it.
const SCRIPT: &str = r#"
steps:
  - text: |
      goal: add.sh adds
      steps:
        - read add.sh
        - mend the sum
      files: [add.sh]
      verification: ["sh check.sh"]
      risks: ["other scripts may rely on the wrong sum"]
  - text: "I see: it subtracts."
    tool: { name: str_replace_editor, input: { command: str_replace, path: add.sh, old_str: "$1 - $2", new_str: "$1 * $2" } }
  - text: "All done! add.sh works now."
  - text: "The check says that 2 + 3 is 6: I wrote a product, and never ran it. I will write the sum and run the check."
  - tool: { name: str_replace_editor, input: { command: str_replace, path: add.sh, old_str: "$1 * $2", new_str: "$1 + $2" } }
  - tool: { name: shell, input: { command: "sh check.sh && echo fine" } }
  - text: "add.sh adds now, and the check passes."
"#;

/// How long the story waits for the plan.
const PATIENCE: Duration = Duration::from_mins(1);

/// Tells the story in a repository of its own below `folder`, where `commit` makes the first commit.
pub fn tell(folder: &Path, commit: &dyn Fn(&Path) -> Result<(), Failure>) -> Result<(), Failure> {
    let root = folder.join("sums");
    std::fs::create_dir_all(&root)?;
    for (name, text) in FILES {
        std::fs::write(root.join(name), text)?;
    }
    commit(&root)?;
    terminal::print(
        "\nAnd the loop around it: `hansei run` plans, waits for you, works, checks, and thinks again when it is red.\n",
    );
    let script = SCRIPT.parse().map_err(|bad| Failure::environment(format!("the story's script: {bad}")))?;
    let model = ModelServer::start(script, Options::default())?;
    let mut arguments = vec!["run".to_owned(), "--model".to_owned(), "anthropic/scripted".to_owned()];
    if hansei_workspace::sandbox::ready().is_err() {
        terminal::print("(There is no bubblewrap here, so the story runs without its sandbox.)\n");
        arguments.push("--no-sandbox".to_owned());
    }
    terminal::print(&format!("$ hansei {} \"make add.sh add\"\n", arguments.join(" ")));
    let (program, here) = (std::env::current_exe()?, std::env::current_dir()?);
    let command = |words: &[&str]| {
        let mut command = Command::new(&program);
        command
            .args(words)
            .current_dir(&root)
            .env(program::STARTED_IN, &here)
            .env("ANTHROPIC_API_KEY", "none-is-needed")
            .env("HOME", folder.join("home"));
        command.env_remove("XDG_CONFIG_HOME").stdin(Stdio::null());
        command
    };
    let mut run = command(&[]);
    run.args(&arguments).args(["--base-url", &model.url(), "make add.sh add"]);
    let mut child = run.stderr(Stdio::null()).spawn()?;
    let until = Instant::now() + PATIENCE;
    loop {
        let listed = command(&["runs", "--json"]).output()?;
        let listed: Value = serde_json::from_slice(&listed.stdout).unwrap_or_default();
        if listed[0]["standing"] == "waiting_for_review" {
            break;
        }
        if Instant::now() > until || child.try_wait()?.is_some() {
            let _ = child.kill();
            let _ = child.wait();
            return Err(Failure::environment("the run of this story did not come to its plan"));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    terminal::print("\nIt waits. In another terminal:\n$ hansei approve last\n");
    // The story is told by the user's own program; where an agent tells it, the plan is confirmed by its own flag.
    let approved = command(&["approve", "last"]).stderr(Stdio::null()).status()?;
    if !approved.success() {
        child.kill()?;
        child.wait()?;
        terminal::print("(An agent's shell may not approve, so the run is taken up with --yes.)\n");
        let mut resume = command(&["resume", "last", "--yes"]);
        resume.args(arguments.iter().filter(|word| *word == "--no-sandbox"));
        child = resume.stderr(Stdio::null()).spawn()?;
    }
    child.wait()?;
    Ok(())
}
