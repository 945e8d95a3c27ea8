//! The second half of the demo: an agent says that it is done, is sent back with the evidence, and finishes.
//!
//! The agent is played by its transcript; the hook that judges it is the real one.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use hansei_workspace::program;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::terminal;

const SESSION: &str = "demo-stop";
const RED: &str = "Exit code 101\nrunning 2 tests\ntest login::tests::nobody ... FAILED\n\nfailures:\n    login::tests::nobody\n\n\
                   test result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";
const GREEN: &str = "running 2 tests\ntest result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s";

/// Tells the story in the repository `root`, with an own home below `folder`.
pub fn tell(root: &Path, folder: &Path) -> Result<(), Failure> {
    let home = folder.join("home");
    let transcript = home.join(".claude/projects/demo").join(format!("{SESSION}.jsonl"));
    if let Some(parent) = transcript.parent() {
        std::fs::create_dir_all(parent)?;
    }
    let mut play = Play { root, home: &home, transcript: &transcript, lines: 0 };
    terminal::print(
        "\nAnother agent, with `hansei install claude-code`: it edits the login, its test fails, and it says:\n",
    );
    play.human("let nobody log in without a password, and make sure `cargo test` passes")?;
    play.calls("Edit", &json!({ "file_path": "src/login.rs", "old_string": "user == \"admin\"", "new_string": "!user.is_empty()" }), "The file has been updated.", false)?;
    play.calls(
        "Bash",
        &json!({ "command": "cargo test 2>&1 | tail -20 || true" }),
        RED.trim_start_matches("Exit code 101\n"),
        false,
    )?;
    let claim = "All done! The login is safe now and all tests pass.";
    play.says(claim)?;
    terminal::print(&format!("  “{claim}”\n"));
    let reply = play.stops(claim)?;
    let feedback = reply["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .or_else(|| reply["reason"].as_str())
        .unwrap_or_default();
    terminal::print("\nHansei compares that with what really ran, and sends it back:\n");
    for line in feedback.lines() {
        terminal::print(&format!("  {}\n", terminal::one_line(line)));
    }
    play.fed(feedback)?;
    play.calls(
        "Edit",
        &json!({ "file_path": "src/login.rs", "old_string": "!user.is_empty()", "new_string": "false" }),
        "The file has been updated.",
        false,
    )?;
    play.calls("Bash", &json!({ "command": "cargo test" }), GREEN, false)?;
    let finished = "Fixed: `nobody` is refused now, and `cargo test` passes.";
    play.says(finished)?;
    terminal::print(&format!(
        "\nThe agent fixes it, runs the check in the open, and says:\n  “{finished}”\n"
    ));
    let reply = play.stops(finished)?;
    let goes = reply["hookSpecificOutput"]["additionalContext"].is_null() && reply["decision"].is_null();
    terminal::print(if goes { "\nThis time it may stop.\n" } else { "\nIt was sent back once more.\n" });
    Ok(())
}

/// An agent, as its transcript.
struct Play<'a> {
    root: &'a Path,
    home: &'a Path,
    transcript: &'a Path,
    lines: usize,
}

impl Play<'_> {
    fn line(&mut self, kind: &str, content: &Value, meta: bool) -> Result<(), Failure> {
        self.lines += 1;
        let number = self.lines;
        let line = json!({
            "type": kind, "uuid": format!("u{number}"), "sessionId": SESSION, "version": "2.1.325", "cwd": self.root, "isMeta": meta,
            "timestamp": format!("2026-11-15T10:{:02}:{:02}.000Z", number / 6, number % 6 * 10),
            "message": { "id": format!("m{number}"), "role": kind, "content": content },
        });
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(self.transcript)?;
        Ok(writeln!(file, "{line}")?)
    }

    fn human(&mut self, text: &str) -> Result<(), Failure> {
        self.line("user", &json!(text), false)
    }

    fn fed(&mut self, text: &str) -> Result<(), Failure> {
        self.line("user", &json!(format!("Stop hook feedback:\n{text}")), true)
    }

    fn says(&mut self, text: &str) -> Result<(), Failure> {
        self.line("assistant", &json!([{ "type": "text", "text": text }]), false)
    }

    fn calls(&mut self, tool: &str, input: &Value, result: &str, failed: bool) -> Result<(), Failure> {
        let call = format!("t{}", self.lines);
        self.line(
            "assistant",
            &json!([{ "type": "tool_use", "id": call, "name": tool, "input": input }]),
            false,
        )?;
        self.line(
            "user",
            &json!([{ "type": "tool_result", "tool_use_id": call, "is_error": failed, "content": result }]),
            false,
        )
    }

    /// Calls the stop hook as the agent does, and gives what it answered.
    fn stops(&self, words: &str) -> Result<Value, Failure> {
        let payload = json!({
            "session_id": SESSION, "cwd": self.root, "transcript_path": self.transcript, "hook_event_name": "Stop",
            "last_assistant_message": words, "stop_hook_active": false,
        });
        let mut command = Command::new(std::env::current_exe()?);
        command
            .args(["hook", "claude-code", "stop", "--mode", "solo"])
            .current_dir(self.root)
            .env("HOME", self.home)
            .env(program::STARTED_IN, std::env::current_dir()?)
            .env("CLAUDE_CODE_SESSION_ATTENDED", "0")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        for name in [
            "REFLECTION_MODE", "REFLECTION_DIR", "REFLECTION_INPUT", "CLAUDE_CONFIG_DIR", "XDG_CONFIG_HOME",
            "XDG_STATE_HOME", "HANSEI_CHILD",
        ] {
            command.env_remove(name);
        }
        let mut child = command.spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(payload.to_string().as_bytes())?;
        }
        let output = child.wait_with_output()?;
        Ok(serde_json::from_slice(&output.stdout).unwrap_or_default())
    }
}
