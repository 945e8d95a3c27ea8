//! The agents that work through the script, each as a person would start it with nobody at the terminal, and without
//! being asked for permissions.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, ensure};
use serde_json::json;

use super::TASK;
use super::world::World;

pub const BARE_LOOP: &str = "bare loop";
pub const HANSEI: &str = "hansei run";

/// What they are given as the key of their provider.
const KEY: &str = "not-a-real-credential";

/// Somebody who works through the script.
pub struct Agent {
    pub name: &'static str,
    pub program: PathBuf,
    /// Puts its settings where it looks for them.
    pub prepare: fn(&World) -> Result<()>,
    /// The command that works on the task with the model at this address.
    pub command: fn(&Path, &World, &str) -> Command,
}

/// All of them, the bare loop first. It is an error when one is not installed: a table without it would say less than
/// it seems to.
pub fn all(hansei: &Path) -> Result<Vec<Agent>> {
    Ok(vec![
        Agent {
            name: BARE_LOOP,
            program: std::env::current_exe()?,
            prepare: |_| Ok(()),
            command: |program, world, url| {
                let mut command = world.command(program);
                command.args(["bare-loop", url]);
                command
            },
        },
        Agent { name: HANSEI, program: hansei.to_owned(), prepare: |_| Ok(()), command: own },
        Agent {
            name: "Claude Code",
            program: installed("claude-code", "claude")?,
            prepare: |_| Ok(()),
            command: claude,
        },
        Agent {
            name: "Codex",
            program: installed("codex", "codex")?,
            prepare: codex_settings,
            command: codex,
        },
        Agent {
            name: "Gemini CLI",
            program: installed("gemini", "gemini")?,
            prepare: gemini_settings,
            command: gemini,
        },
    ])
}

/// Where `scripts/test` installed the command `name` of an agent.
fn installed(agent: &str, name: &str) -> Result<PathBuf> {
    let usual = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache/hansei-test/agents"));
    let folder = std::env::var_os("HANSEI_TEST_AGENTS").map(PathBuf::from).or_else(usual).unwrap_or_default();
    let program = folder.join(agent).join("node_modules/.bin").join(name);
    ensure!(
        program.exists(),
        "{} is not installed: `scripts/test` installs it, or set HANSEI_TEST_AGENTS to the folder with the agents",
        program.display()
    );
    Ok(program)
}

fn own(program: &Path, world: &World, url: &str) -> Command {
    let mut command = world.command(program);
    command.env("ANTHROPIC_API_KEY", KEY).args(["run", "--mode", "react", "--max-steps", "60", "--json"]);
    command.args(["--model", "anthropic/claude-sonnet-4-5", "--base-url", url, TASK]);
    command
}

fn claude(program: &Path, world: &World, url: &str) -> Command {
    let mut command = world.command(program);
    command
        .env("ANTHROPIC_BASE_URL", url)
        .env("ANTHROPIC_API_KEY", KEY)
        .env("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1")
        .env("DISABLE_AUTOUPDATER", "1")
        // As root it insists on being told that nothing can break.
        .env("IS_SANDBOX", "1")
        .args(["-p", TASK, "--output-format", "json", "--model", "claude-sonnet-4-5"])
        .arg("--dangerously-skip-permissions");
    command
}

fn codex_settings(world: &World) -> Result<()> {
    let settings = format!(
        r#"
model = "stub-model"
model_provider = "stub"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false

[model_providers.stub]
name = "stub"
base_url = "http://127.0.0.1:1/v1"
env_key = "STUB_KEY"
wire_api = "responses"
request_max_retries = 0
stream_max_retries = 0

[analytics]
enabled = false

[projects."{}"]
trust_level = "trusted"
"#,
        world.project.display()
    );
    world.write(".codex/config.toml", &settings)
}

/// The model has another address in every run.
fn codex(program: &Path, world: &World, url: &str) -> Command {
    let mut command = world.command(program);
    let address = format!("model_providers.stub.base_url=\"{url}/v1\"");
    command.env("STUB_KEY", KEY).args(["exec", "--json", "-c", &address, TASK]);
    command
}

fn gemini_settings(world: &World) -> Result<()> {
    let settings = json!({
        "security": { "auth": { "selectedType": "gemini-api-key" } },
        "general": { "enableAutoUpdate": false },
        "privacy": { "usageStatisticsEnabled": false },
        // After thirty turns it would ask the model whether it goes round in circles, and wait for a better answer.
        "model": { "disableLoopDetection": true },
    });
    world.write(".gemini/settings.json", &settings.to_string())?;
    let trusted = json!({ world.project.display().to_string(): "TRUST_FOLDER" });
    world.write(".gemini/trustedFolders.json", &trusted.to_string())
}

fn gemini(program: &Path, world: &World, url: &str) -> Command {
    let mut command = world.command(program);
    command
        .env("GEMINI_API_KEY", KEY)
        .env("GOOGLE_GEMINI_BASE_URL", url)
        .env("GEMINI_CLI_NO_RELAUNCH", "true")
        .args(["-p", TASK, "-m", "gemini-2.5-flash", "-o", "json", "--yolo"]);
    command
}
