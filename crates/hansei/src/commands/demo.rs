//! `hansei demo`: the story in a throw-away repository, told through the real commands.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use hansei_workspace::git::GitError;
use hansei_workspace::program::{self, Workspace};

use crate::failure::{Answer, Failure};
use crate::terminal;

/// Watch Hansei at work in a throw-away repository: no key, no network, nothing left behind.
///
/// Example: hansei demo
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Print the reflection that the story ends with as JSON.
    #[arg(long)]
    json: bool,
}

const START: &[(&str, &str)] = &[
    ("README.md", "# Orders\n"),
    ("src/login.rs", "pub fn login(user: &str) -> bool {\n    !user.is_empty()\n}\n"),
    ("src/notes.txt", "remember the milk\n"),
];

pub fn run(arguments: &Arguments) -> Answer {
    let folder = tempfile::Builder::new().prefix("hansei-demo-").tempdir()?;
    let story = Story { root: folder.path().join("orders"), quiet: arguments.json };
    std::fs::create_dir_all(story.root.join("src"))?;
    story.set_up()?;

    story.say("An agent starts in a repository where you had already edited src/notes.txt.");
    story.hook("session-start")?;
    story.say(
        "You ask for something. The agent edits the login and commits it, then adds a page of documentation.",
    );
    story.hook("prompt")?;
    story.write("src/login.rs", "pub fn login(user: &str) -> bool {\n    user == \"admin\"\n}\n")?;
    story.git(&["commit", "--quiet", "-m", "Simplify login", "src/login.rs"])?;
    story.write("docs.md", "# Login\n")?;
    story.say("Before it stops it says what the diff does not show. It even pastes a token.");
    let token = format!("ghp_{}", "Demo7Token4NotReal2Only9For1Show8abc");
    let aside = format!("tested by hand with {token}; the rate limiter is off in staging");
    story.hansei(&[
        "self-report",
        "--confidence",
        "0.6",
        "--wrong-surface",
        "auth",
        "--wrong",
        "everyone but admin is locked out",
        "--not-in-diff",
        &aside,
    ])?;
    story.say("It stops. The hook captures the stop in a few milliseconds and lets the agent go.");
    story.hook("stop")?;
    story.say("What is on disk now: the committed and the new file are its change, your notes are not, the token is gone.");
    if arguments.json {
        return story.hansei(&["show", "last", "--json"]).map(|()| ExitCode::SUCCESS);
    }
    story.hansei(&["show", "last"])?;
    story.hansei(&["log"])?;
    story
        .say("And the same question for any change, here the agent's commit (exit code 1 means: review it):");
    story.hansei(&["risk", "--commit", "HEAD"])?;
    super::demo_stop::tell(&story.root, folder.path())?;
    super::demo_run::tell(folder.path(), &|root| {
        let story = Story { root: root.to_owned(), quiet: true };
        story.git(&["init", "--quiet", "--initial-branch=main"])?;
        story.git(&["add", "."])?;
        story.git(&["commit", "--quiet", "-m", "Start"])
    })?;
    terminal::print(
        "\nThe repository of this story is gone. In yours: `hansei risk`, or `hansei help --all`.\n",
    );
    Ok(ExitCode::SUCCESS)
}

struct Story {
    root: std::path::PathBuf,
    quiet: bool,
}

impl Story {
    fn set_up(&self) -> Result<(), Failure> {
        self.git(&["init", "--quiet", "--initial-branch=main"])?;
        for (name, content) in START {
            self.write(name, content)?;
        }
        self.git(&["add", "."])?;
        self.git(&["commit", "--quiet", "-m", "Start"])?;
        self.write("src/notes.txt", "remember the milk, and the eggs\n")
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            terminal::print(&format!("\n{text}\n"));
        }
    }

    fn write(&self, name: &str, content: &str) -> Result<(), Failure> {
        Ok(std::fs::write(self.root.join(Path::new(name)), content)?)
    }

    /// Runs git as this story's author, untouched by the user's own settings.
    fn git(&self, arguments: &[&str]) -> Result<(), Failure> {
        let mut git = Command::new(program::find("git", Workspace::Here).map_err(GitError::from)?);
        git.current_dir(&self.root)
            .args([
                "-c",
                "user.name=Demo",
                "-c",
                "user.email=demo@example.invalid",
                "-c",
                "commit.gpgSign=false",
            ])
            .args(arguments);
        for (name, _) in std::env::vars_os() {
            if name.as_encoded_bytes().starts_with(b"GIT_") {
                git.env_remove(name);
            }
        }
        git.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
        let done = git.stdin(Stdio::null()).output().map_err(|error| {
            Failure::environment(format!("git cannot be started: {error}")).hint("install git and try again")
        })?;
        if done.status.success() {
            Ok(())
        } else {
            Err(Failure::environment(format!("git: {}", String::from_utf8_lossy(&done.stderr).trim())))
        }
    }

    /// Calls the hook as an agent does.
    fn hook(&self, event: &str) -> Result<(), Failure> {
        let call = ["hook", "claude-code", event, "--mode", "orchestrated"];
        self.announce(&call);
        let payload = serde_json::json!({ "session_id": "demo", "cwd": self.root, "hook_event_name": event });
        let mut child = self.command(&call)?.stdin(Stdio::piped()).spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(payload.to_string().as_bytes())?;
        }
        child.wait()?;
        Ok(())
    }

    /// Runs one of our own commands and lets it speak for itself.
    fn hansei(&self, arguments: &[&str]) -> Result<(), Failure> {
        self.announce(arguments);
        let mut command = self.command(arguments)?;
        if self.quiet && arguments[0] != "show" {
            command.stdout(Stdio::null());
        }
        command.stdin(Stdio::null()).status()?;
        Ok(())
    }

    fn announce(&self, arguments: &[&str]) {
        if !self.quiet {
            let quoted =
                arguments.iter().map(|a| if a.contains(' ') { format!("\"{a}\"") } else { (*a).to_owned() });
            terminal::print(&format!("$ hansei {}\n", quoted.collect::<Vec<_>>().join(" ")));
        }
    }

    fn command(&self, arguments: &[&str]) -> Result<Command, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(arguments).current_dir(&self.root);
        command.env(program::STARTED_IN, std::env::current_dir()?);
        for name in [
            "REFLECTION_MODE", "REFLECTION_DIR", "REFLECTION_INPUT", "REFLECTION_AGENT",
            "REFLECTION_TASK_REF",
        ] {
            command.env_remove(name);
        }
        Ok(command)
    }
}
