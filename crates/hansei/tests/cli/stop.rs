//! A stop is judged: payload in, the agent's own protocol and records out.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Ran, World};

pub const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini", "opencode", "kilo"];
pub const SESSION: &str = "4322b69d-edac-4fcb-8b8a-018644b82ef2";
const RED: &str = "test parse::empty ... FAILED\n\nfailures:\n    parse::empty\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
const RED_ELSEWHERE: &str = "test lex::long ... FAILED\n\nfailures:\n    lex::long\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";
const GREEN: &str =
    "test result: ok. 4 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n";

/// What happens in a session, for any agent to have recorded.
#[derive(Clone)]
pub enum Step {
    Human(&'static str, String),
    Runs {
        command: &'static str,
        exit: i32,
        output: &'static str,
    },
    Says(&'static str),
    /// The stop hook's words, as the agent records them.
    Fed(String),
}

pub fn red(words: &'static str) -> Vec<Step> {
    vec![
        Step::Human("h1", "fix the parser so that `cargo test` passes".into()),
        Step::Runs { command: "cargo test", exit: 101, output: RED },
        Step::Says(words),
    ]
}

pub fn green() -> Vec<Step> {
    vec![
        Step::Human("h1", "fix the parser so that `cargo test` passes".into()),
        Step::Runs { command: "cargo test", exit: 0, output: GREEN },
        Step::Says("Fixed; `cargo test` passes."),
    ]
}

fn at(number: usize) -> String {
    // Far enough apart that nothing looks like a hook's answer by its time alone.
    format!("2026-11-15T10:{:02}:{:02}.000Z", number / 6, number % 6 * 10)
}

fn joined(lines: &[Value]) -> String {
    let mut text = String::new();
    for line in lines {
        text += &line.to_string();
        text.push('\n');
    }
    text
}

pub fn claude(steps: &[Step]) -> String {
    let mut lines = Vec::new();
    let mut push = |number: usize, kind: &str, id: String, content: Value, meta: bool| {
        let message = json!({ "id": format!("m{number}"), "role": kind, "content": content });
        lines.push(json!({
            "type": kind, "uuid": id, "timestamp": at(number), "sessionId": SESSION, "version": "2.1.325",
            "entrypoint": "cli", "isMeta": meta, "message": message,
        }));
    };
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Human(id, text) => push(number, "user", (*id).into(), json!(text), false),
            Step::Runs { command, exit, output } => {
                let call = format!("t{number}");
                let used = json!([{ "type": "tool_use", "id": call, "name": "Bash", "input": { "command": command } }]);
                push(number, "assistant", format!("a{number}"), used, false);
                let text =
                    if *exit == 0 { (*output).to_owned() } else { format!("Exit code {exit}\n{output}") };
                let result = json!([{ "type": "tool_result", "tool_use_id": call, "is_error": *exit != 0, "content": text }]);
                push(number, "user", format!("r{number}"), result, false);
            }
            Step::Says(text) => {
                push(
                    number,
                    "assistant",
                    format!("a{number}"),
                    json!([{ "type": "text", "text": text }]),
                    false,
                );
            }
            Step::Fed(text) => {
                push(
                    number,
                    "user",
                    format!("f{number}"),
                    json!(format!("Stop hook feedback:\n{text}")),
                    true,
                );
            }
        }
    }
    joined(&lines)
}

fn codex(steps: &[Step]) -> String {
    let mut lines = vec![json!({
        "timestamp": at(0), "type": "session_meta",
        "payload": { "id": SESSION, "cwd": "/w", "cli_version": "0.166.0", "source": "cli" },
    })];
    let mut push = |number: usize, payload: Value| {
        lines.push(json!({ "timestamp": at(number), "type": "response_item", "payload": payload }));
    };
    let message = |id: String, role: &str, kind: &str, text: &str| json!({ "type": "message", "id": id, "role": role, "content": [{ "type": kind, "text": text }] });
    for (number, step) in steps.iter().enumerate() {
        match step {
            Step::Human(id, text) => push(number, message((*id).into(), "user", "input_text", text)),
            Step::Runs { command, exit, output } => {
                let call = format!("t{number}");
                let input = json!({ "cmd": command }).to_string();
                push(
                    number,
                    json!({ "type": "function_call", "name": "exec_command", "arguments": input, "call_id": call }),
                );
                let text = format!(
                    "Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code {exit}\nOriginal token count: 9\nOutput:\n{output}"
                );
                push(number, json!({ "type": "function_call_output", "call_id": call, "output": text }));
            }
            Step::Says(text) => push(number, message(format!("a{number}"), "assistant", "output_text", text)),
            Step::Fed(text) => {
                let text = format!("<hook_prompt hook_run_id=\"stop:0:h\">{text}</hook_prompt>");
                push(number, message(format!("f{number}"), "user", "input_text", &text));
            }
        }
    }
    joined(&lines)
}

fn gemini(steps: &[Step]) -> String {
    let mut lines = vec![json!({ "sessionId": SESSION, "startTime": at(0), "kind": "main" })];
    for (number, step) in steps.iter().enumerate() {
        let (id, at) = (format!("g{number}"), at(number));
        lines.push(match step {
            Step::Human(id, text) => json!({ "id": id, "timestamp": at, "type": "user", "content": [{ "text": text }] }),
            // It takes a hook's words for the human's.
            Step::Fed(text) => json!({ "id": id, "timestamp": at, "type": "user", "content": [{ "text": text }] }),
            Step::Says(text) => json!({ "id": id, "timestamp": at, "type": "gemini", "content": text }),
            Step::Runs { command, exit, output } => {
                let said = format!("Output: {output}\nExit Code: {exit}\nProcess Group PGID: 7");
                let response = json!([{ "functionResponse": { "id": "c", "name": "run_shell_command", "response": { "output": said } } }]);
                let call = json!({ "id": format!("c{number}"), "name": "run_shell_command", "args": { "command": command }, "result": response, "status": "success", "timestamp": at });
                json!({ "id": id, "timestamp": at, "type": "gemini", "content": "", "toolCalls": [call] })
            }
        });
    }
    joined(&lines)
}

fn opencode(steps: &[Step]) -> Value {
    let mut messages = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        let id = format!("msg_{number}");
        let time = json!({ "created": 1_794_744_000_000_u64 + 1000 * number as u64 });
        let (id, role, part) = match step {
            Step::Human(id, text) => ((*id).to_owned(), "user", json!({ "type": "text", "text": text })),
            Step::Fed(text) => (id, "user", json!({ "type": "text", "text": text, "synthetic": true })),
            Step::Says(text) => (id, "assistant", json!({ "type": "text", "text": text })),
            Step::Runs { command, exit, output } => {
                let state = json!({ "status": "completed", "input": { "command": command }, "output": output, "metadata": { "exit": exit } });
                (
                    id,
                    "assistant",
                    json!({ "type": "tool", "tool": "bash", "callID": format!("c{number}"), "state": state }),
                )
            }
        };
        let mut part = part;
        part["id"] = json!(format!("prt_{number}"));
        messages.push(json!({ "info": { "id": id, "role": role, "time": time }, "parts": [part] }));
    }
    json!(messages)
}

/// Puts the session where the agent keeps it.
fn keep(world: &World, agent: &str, steps: &[Step]) -> Option<PathBuf> {
    let (name, text) = match agent {
        "claude-code" => (format!(".claude/projects/p/{SESSION}.jsonl"), claude(steps)),
        "codex" => {
            (format!(".codex/sessions/2026/11/15/rollout-2026-11-15T10-00-00-{SESSION}.jsonl"), codex(steps))
        }
        "gemini" => {
            (format!(".gemini/tmp/p/chats/session-2026-11-15T10-00-{}.jsonl", &SESSION[..8]), gemini(steps))
        }
        _ => return None,
    };
    let file = world.outside().join("home").join(name);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    Some(file)
}

pub fn payload(world: &World, agent: &str, steps: &[Step]) -> Value {
    let mut payload = json!({ "session_id": SESSION, "cwd": world.repo, "hook_event_name": "Stop", "stop_hook_active": false });
    match keep(world, agent, steps) {
        Some(file) => payload["transcript_path"] = json!(file),
        None => payload["messages"] = opencode(steps),
    }
    if let Some(Step::Says(words)) = steps.last() {
        let field = if agent == "gemini" { "prompt_response" } else { "last_assistant_message" };
        payload[field] = json!(words);
    }
    payload
}

pub fn hook(
    world: &World,
    agent: &str,
    event: &str,
    payload: &Value,
    change: impl FnOnce(&mut Command),
) -> Ran {
    let mut command = world.hansei();
    command.args(["hook", agent, event, "--mode", "solo"]);
    change(&mut command);
    let ran = Ran::of(&mut command, payload.to_string().as_bytes());
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "a hook always exits 0");
    ran
}

pub fn stop(world: &World, agent: &str, steps: &[Step]) -> Ran {
    hook(world, agent, "stop", &payload(world, agent, steps), |_| ())
}

/// What the agent would go on with, in its own protocol.
pub fn feedback(agent: &str, ran: &Ran) -> Option<String> {
    if ran.stdout.is_empty() {
        return None;
    }
    let reply = ran.json();
    let told = match agent {
        "claude-code" => &reply["hookSpecificOutput"]["additionalContext"],
        "codex" | "gemini" => {
            assert!(reply["reason"].is_null() || reply["decision"] == "block", "{reply}");
            &reply["reason"]
        }
        _ => {
            assert_eq!(reply["action"] == "send_back", reply["feedback"].is_string(), "{reply}");
            &reply["feedback"]
        }
    };
    told.as_str().map(ToOwned::to_owned)
}

pub fn last_event(world: &World) -> Value {
    world.log(SESSION).pop().unwrap()
}

pub fn verdict(world: &World) -> Value {
    let file = world.path(&format!(".hansei/verdicts/verdict_{SESSION}.json"));
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

#[test]
fn a_false_done_is_sent_back_with_the_evidence_in_each_agents_protocol() {
    for agent in AGENTS {
        let world = World::new();
        let ran = stop(&world, agent, &red("Done. All tests pass."));
        let told = feedback(agent, &ran)
            .unwrap_or_else(|| panic!("{agent}: {:?} {:?}", ran.stdout, last_event(&world)));
        assert!(
            told.starts_with("[Hansei]") && told.contains("cargo test") && told.contains("101"),
            "{agent}: {told}"
        );
        assert!(told.contains("parse::empty"), "{agent}: {told}");
        let event = last_event(&world);
        assert_eq!((&event["kind"], &event["task"]), (&json!("sent_back"), &json!("h1")), "{agent}");
        let record = verdict(&world);
        assert_eq!((&record["action"], &record["complete"]), (&json!("send_back"), &json!(false)), "{agent}");
        assert_eq!(record["feedback"], told.as_str());
        assert_eq!(record["agent"], agent);
        let names: Vec<_> = std::fs::read_dir(world.path(".hansei/verdicts")).unwrap().collect();
        assert_eq!(names.len(), 2, "each evaluation, and the latest");
    }
}

#[test]
fn what_is_done_stops_at_once_and_without_a_word() {
    for agent in AGENTS {
        let world = World::new();
        let ran = stop(&world, agent, &green());
        assert_eq!(feedback(agent, &ran), None, "{agent}: {}", ran.stdout);
        let event = last_event(&world);
        assert_eq!(
            (&event["kind"], &event["why"]),
            (&json!("let_go"), &json!("complete")),
            "{agent}: {event}"
        );
        assert_eq!(verdict(&world)["ending"], "complete");
    }
}

#[test]
fn our_words_come_back_as_a_hooks_and_the_same_failures_are_said_once() {
    for agent in AGENTS {
        let world = World::new();
        let mut steps = red("Done. All tests pass.");
        let told = feedback(agent, &stop(&world, agent, &steps)).unwrap();
        // With some agents our words come by as a prompt.
        let prompt = json!({ "session_id": SESSION, "cwd": world.repo, "prompt": told });
        hook(&world, agent, "prompt", &prompt, |_| ());
        steps.extend([Step::Fed(told), Step::Says("Everything is fine, all tests pass.")]);
        let ran = stop(&world, agent, &steps);
        assert_eq!(feedback(agent, &ran), None, "{agent}: {}", ran.stdout);
        let event = last_event(&world);
        assert_eq!(
            (&event["why"], &event["task"]),
            (&json!("said_before"), &json!("h1")),
            "{agent}: {event}"
        );
        assert_eq!(event["standing"], "gave_up_after_reflections");
        // The human's next word is a new task.
        steps.push(Step::Human("h2", "try again so that `cargo test` passes".into()));
        steps.extend([
            Step::Runs { command: "cargo test", exit: 101, output: RED_ELSEWHERE },
            Step::Says("All tests pass now."),
        ]);
        assert!(feedback(agent, &stop(&world, agent, &steps)).is_some(), "{agent}: {}", last_event(&world));
    }
}

/// Runs the command line that the agent was told, as its shell would.
fn as_told(world: &World, told: &str) -> Ran {
    let line = told.lines().find(|line| line.starts_with("hansei ")).unwrap_or_else(|| panic!("{told}"));
    let own = world.hansei();
    let mut shell = Command::new("sh");
    let program = own.get_program().to_string_lossy();
    shell.arg("-c").arg(line.replacen("hansei", &program, 1)).current_dir(own.get_current_dir().unwrap());
    for (name, value) in own.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    Ran::of(&mut shell, b"")
}

#[test]
fn three_attempts_without_progress_are_handed_over_once() {
    for agent in AGENTS {
        let world = World::new();
        let config = world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nautonomy = 'auto'\n").unwrap();
        // A crate, so that the command belongs here and probes find nothing to say.
        world.write("Cargo.toml", "[package]\nname = \"parser\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        world.write("src/lib.rs", "pub fn parse() {}\n");
        world.commit("A parser");
        let mut steps = vec![Step::Human("h1", "fix the parser so that `cargo test` passes".into())];
        let mut told = Vec::new();
        for test in ["one", "two", "three", "four", "five"] {
            let output = RED.replace("parse::empty", &format!("parse::{test}"));
            steps.extend([
                Step::Runs { command: "cargo test", exit: 101, output: Box::leak(output.into_boxed_str()) },
                Step::Says("Done. All tests pass."),
            ]);
            let said = feedback(agent, &stop(&world, agent, &steps));
            steps.extend(said.clone().map(Step::Fed));
            told.push(said);
        }
        for said in &told[..3] {
            assert!(said.as_ref().unwrap().contains("Not done yet"), "{agent}: {told:?}");
        }
        let handed = told[3].as_ref().unwrap_or_else(|| panic!("{agent}: {}", last_event(&world)));
        assert!(handed.starts_with("[Hansei] Stop: 3 attempts brought no progress"), "{agent}: {handed}");
        assert!(handed.len() < 1_000, "{}: {handed}", handed.len());
        assert_eq!(told[4], None, "{agent}: it is told once");
        assert_eq!(last_event(&world)["why"], "no_progress");
        let folder = world.path(".hansei/escalations");
        let mut files: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        let [error, payload, task] = files.as_slice() else { panic!("{files:?}") };
        let payload = std::fs::read_to_string(payload).unwrap();
        assert!(payload.starts_with("<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 4]\n"), "{payload}");
        assert!(payload.contains("parse::four") && payload.contains("cargo test"), "{payload}");
        assert!(std::fs::read_to_string(task).unwrap().contains("fix the parser"));
        assert!(std::fs::read_to_string(error).unwrap().contains("parse::four ... FAILED"));
        // What it was told to run works: nobody is configured who could look, and nothing else is wrong with it.
        let ran = as_told(&world, handed);
        assert_eq!(
            (ran.code, ran.stdout.trim()),
            (1, "[NEED_CONTEXT: an unblocker model]"),
            "{agent}: {}",
            ran.stderr
        );
    }
}

/// Whatever wrote a file after a check had passed, the tree shows it.
#[test]
fn a_file_that_was_written_after_the_check_is_seen_in_the_tree() {
    for (written, held) in [("2026-11-15T09:00:00Z", false), ("2026-11-15T12:00:00Z", true)] {
        let world = World::new();
        let config = world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nautonomy = 'auto'\n").unwrap();
        world.write("Cargo.toml", "[package]\nname = \"parser\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        world.write("src/lib.rs", "pub fn parse() {}\n");
        world.commit("A parser");
        world.write("src/lib.rs", "pub fn parse_all() {}\n");
        let time = hansei_core::timestamp::Timestamp::try_from(written.to_owned()).unwrap();
        let time = std::time::UNIX_EPOCH + Duration::from_nanos(time.unix_nanos().unwrap());
        let file = std::fs::File::options().write(true).open(world.path("src/lib.rs")).unwrap();
        file.set_modified(time).unwrap();
        let said = feedback("claude-code", &stop(&world, "claude-code", &green()));
        assert_eq!(
            said.is_some_and(|said| said.contains("src/lib.rs was edited after it")),
            held,
            "{written}"
        );
    }
}

/// The same failure three times over, whether the agent stopped in between or not: it is told of it once, and then to hand
/// over. With a human there as well.
#[test]
fn whoever_loops_on_one_failure_hands_it_over() {
    for (agent, tries_before_stopping) in AGENTS.into_iter().zip([1, 2, 3, 2, 3]) {
        let world = World::new();
        world.write("Cargo.toml", "[package]\nname = \"parser\"\nversion = \"0.1.0\"\nedition = \"2021\"\n");
        world.write("src/lib.rs", "pub fn parse() {}\n");
        world.commit("A parser");
        let attempt = [
            Step::Runs { command: "sed -i 's/parse/parse_all/' src/lib.rs", exit: 0, output: "" },
            Step::Runs { command: "cargo test", exit: 101, output: RED },
        ];
        let says = Step::Says("Done. All tests pass.");
        let mut steps = vec![Step::Human("h1", "fix the parser so that `cargo test` passes".into())];
        steps.extend(std::iter::repeat_n(attempt.clone(), tries_before_stopping).flatten());
        steps.push(says.clone());
        let told = feedback(agent, &stop(&world, agent, &steps)).unwrap();
        assert!(told.contains("Not done yet"), "{agent}: {told}");
        steps.push(Step::Fed(told));
        steps.extend(std::iter::repeat_n(attempt, 2).flatten());
        steps.push(says.clone());
        let handed = feedback(agent, &stop(&world, agent, &steps))
            .unwrap_or_else(|| panic!("{agent}: {}", last_event(&world)));
        let attempts = tries_before_stopping + 2;
        let begin = format!("[Hansei] Stop: {attempts} attempts brought no progress");
        assert!(handed.starts_with(&begin), "{agent}: {handed}");
        steps.extend([Step::Fed(handed), says]);
        assert_eq!(feedback(agent, &stop(&world, agent, &steps)), None, "{agent}: it is told once");
    }
}

#[test]
fn one_stop_is_decided_once() {
    for agent in AGENTS {
        let world = World::new();
        assert!(feedback(agent, &stop(&world, agent, &red("Done. All tests pass."))).is_some());
        assert_eq!(feedback(agent, &stop(&world, agent, &red("Done. All tests pass."))), None, "{agent}");
        assert_eq!(last_event(&world)["why"], "already_judged");
    }
}

#[test]
fn two_hooks_for_one_stop_at_the_same_moment_send_back_once() {
    let world = World::new();
    let payload = payload(&world, "claude-code", &red("Done. All tests pass."));
    let told: Vec<bool> = std::thread::scope(|scope| {
        let call = || {
            scope.spawn(|| {
                feedback("claude-code", &hook(&world, "claude-code", "stop", &payload, |_| ())).is_some()
            })
        };
        let calls: Vec<_> = (0..6).map(|_| call()).collect();
        calls.into_iter().map(|call| call.join().unwrap()).collect()
    });
    assert_eq!(told.iter().filter(|told| **told).count(), 1, "{told:?}");
    let log = world.log(SESSION);
    assert_eq!(log.iter().filter(|line| line["kind"] == "sent_back").count(), 1);
}

#[test]
fn in_orchestrated_mode_nothing_reaches_the_agent() {
    for agent in AGENTS {
        let world = World::new();
        let payload = payload(&world, agent, &red("Done. All tests pass."));
        let ran = hook(&world, agent, "stop", &payload, |command| {
            command.env("REFLECTION_MODE", "orchestrated");
        });
        assert_eq!(ran.stdout, "", "{agent}");
        assert_eq!(verdict(&world)["why"], "observe_only");
    }
}

/// What is different about a payload.
type Change = fn(&mut Value);

#[test]
fn some_situations_are_left_alone() {
    let plan = |payload: &mut Value| payload["permission_mode"] = json!("plan");
    let background =
        |payload: &mut Value| payload["background_tasks"] = json!([{ "id": "b", "status": "running" }]);
    let none = |_: &mut Value| ();
    let asked = |text: &str| {
        let mut steps = red("Done. All tests pass.");
        steps[0] = Step::Human("h1", text.into());
        steps
    };
    let changes: [(&str, Vec<Step>, Change); 4] = [
        ("plan_mode", asked("fix the parser"), plan),
        ("background", asked("fix the parser"), background),
        ("human_said", asked("stop, I'll review tomorrow"), none),
        ("human_said", asked("only analyse why cargo test fails, don't change anything"), none),
    ];
    for agent in AGENTS {
        for (why, steps, change) in &changes {
            let world = World::new();
            let mut payload = payload(&world, agent, steps);
            change(&mut payload);
            let ran = hook(&world, agent, "stop", &payload, |_| ());
            assert_eq!(feedback(agent, &ran), None, "{agent} {why}: {}", ran.stdout);
            let event = last_event(&world);
            // Where nothing was due, there may be nothing against it either.
            let quiet = ["complete", "awaiting_user"].iter().any(|quiet| event["why"] == *quiet);
            assert!(event["why"] == *why || quiet, "{agent} {why}: {event}");
        }
        // A sub-agent's stop is not its session's.
        let world = World::new();
        let mut payload = payload(&world, agent, &red("Done. All tests pass."));
        payload["agent_id"] = json!("a1");
        payload["agent_type"] = json!("general");
        assert_eq!(hook(&world, agent, "stop", &payload, |_| ()).stdout, "", "{agent}");
        assert!(!world.path(".hansei/verdicts").exists());
        // Nor are sessions judged that Hansei started, or that a human aborted.
        let world = World::new();
        let child = self::payload(&world, agent, &red("Done. All tests pass."));
        hook(&world, agent, "stop", &child, |command| {
            command.env("HANSEI_CHILD", "1");
        });
        assert_eq!(last_event(&world)["why"], "own_session");
        let world = World::new();
        hook(&world, agent, "abort", &json!({ "session_id": SESSION, "cwd": world.repo }), |_| ());
        assert_eq!(feedback(agent, &stop(&world, agent, &red("Done. All tests pass."))), None);
        assert_eq!(last_event(&world)["why"], "aborted");
    }
}

#[test]
fn who_is_there_decides_what_counts() {
    let open = vec![
        Step::Human("h1", "add a --json flag to the export command".into()),
        Step::Runs { command: "cargo test", exit: 0, output: GREEN },
        Step::Says(
            "I added the flag to the parser. Next I will wire it up in the export command and write the tests.",
        ),
    ];
    let headless: [(&str, &str, &str); 2] = [
        ("claude-code", "CLAUDE_CODE_SESSION_ATTENDED", "0"),
        ("claude-code", "CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
    ];
    for (agent, variable, value) in headless {
        let world = World::new();
        let payload = payload(&world, agent, &open);
        let ran = hook(&world, agent, "stop", &payload, |command| {
            command.env(variable, value);
        });
        assert!(feedback(agent, &ran).is_some(), "{variable}: {}", last_event(&world));
    }
    for agent in AGENTS {
        let world = World::new();
        assert_eq!(feedback(agent, &stop(&world, agent, &open)), None, "attended: {agent}");
        let world = World::new();
        let config = world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nautonomy = 'auto'\n").unwrap();
        assert!(feedback(agent, &stop(&world, agent, &open)).is_some(), "{agent}: {}", last_event(&world));
        // A repository does not raise it.
        let world = World::new();
        world.write("hansei.toml", "[stop]\nautonomy = 'auto'\nmax_attempts_attended = 99\n");
        world.commit("Settings");
        assert_eq!(feedback(agent, &stop(&world, agent, &open)), None, "{agent}");
    }
    let world = World::new();
    let mut sent = payload(&world, "opencode", &open);
    sent["attended"] = json!(false);
    assert!(feedback("opencode", &hook(&world, "opencode", "stop", &sent, |_| ())).is_some());
}

#[test]
fn only_an_agents_own_transcript_is_read() {
    let world = World::new();
    let honest = payload(&world, "claude-code", &red("Done. All tests pass."));
    let elsewhere = world.outside().join(format!("{SESSION}.jsonl"));
    std::fs::copy(honest["transcript_path"].as_str().unwrap(), &elsewhere).unwrap();
    let folder = world.outside().join("home/.claude/projects/p");
    let link = folder.join("link").join(format!("{SESSION}.jsonl"));
    std::fs::create_dir_all(link.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &link).unwrap();
    let pipe = folder.join("pipe").join(format!("{SESSION}.jsonl"));
    std::fs::create_dir_all(pipe.parent().unwrap()).unwrap();
    assert!(world.command("mkfifo").arg(&pipe).status().unwrap().success());
    let other = folder.join("other.jsonl");
    std::fs::copy(&elsewhere, &other).unwrap();
    for path in [
        elsewhere.as_path(),
        &link,
        &pipe,
        &other,
        Path::new("/dev/zero"),
        Path::new("/no/such.jsonl"),
        &folder,
    ] {
        let mut payload = honest.clone();
        payload["transcript_path"] = json!(path);
        let ran = hook(&world, "claude-code", "stop", &payload, |_| ());
        assert_eq!(ran.stdout, "", "{}", path.display());
        let event = last_event(&world);
        assert_eq!(
            (&event["kind"], &event["why"]),
            (&json!("let_go"), &json!("unreadable")),
            "{}",
            path.display()
        );
    }
}

/// An agent writes its transcript behind its own back: the first answer may be there before the file is.
#[test]
fn a_transcript_that_is_not_there_yet_is_waited_for() {
    let world = World::new();
    let payload = payload(&world, "claude-code", &red("Done. All tests pass."));
    let file = Path::new(payload["transcript_path"].as_str().unwrap());
    let unwritten = file.with_extension("unwritten");
    std::fs::rename(file, &unwritten).unwrap();
    let log = world.path(&format!(".hansei/log/{SESSION}.jsonl"));
    let ran = std::thread::scope(|scope| {
        scope.spawn(|| {
            while !std::fs::read_to_string(&log).is_ok_and(|log| log.contains("\"captured\"")) {
                std::thread::sleep(Duration::from_millis(1));
            }
            // By now whoever would not wait has read it.
            std::thread::sleep(Duration::from_millis(50));
            std::fs::rename(&unwritten, file).unwrap();
        });
        hook(&world, "claude-code", "stop", &payload, |_| ())
    });
    assert!(feedback("claude-code", &ran).is_some(), "{}", last_event(&world));
}

#[test]
fn a_repository_with_a_reflection_folder_keeps_verdicts_there() {
    let world = World::new();
    std::fs::create_dir(world.path(".reflection")).unwrap();
    stop(&world, "claude-code", &green());
    assert!(world.path(&format!(".reflection/verdict_{SESSION}.json")).is_file());
    assert!(!world.path(".hansei/verdicts").exists());
}

#[test]
fn records_and_feedback_hold_no_secret() {
    let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
    let world = World::new();
    let output: &'static str = Box::leak(format!("token {token}\n{RED}").into_boxed_str());
    let mut steps = red("Done. All tests pass.");
    steps[1] = Step::Runs { command: "cargo test", exit: 101, output };
    let ran = stop(&world, "claude-code", &steps);
    assert!(feedback("claude-code", &ran).is_some() && !ran.stdout.contains(&token));
    let found = world.command("grep").args(["-r", &token, ".hansei"]).status().unwrap();
    assert!(!found.success(), "the token is in a record");
}

#[test]
fn each_step_is_told_where_that_is_asked_for() {
    let world = World::new();
    let payload = payload(&world, "claude-code", &green());
    hook(&world, "claude-code", "stop", &payload, |command| {
        command.env("REFLECTION_DEBUG", "1");
    });
    let text = std::fs::read_to_string(world.path(&format!(".hansei/log/debug-{SESSION}.txt"))).unwrap();
    for step in [
        "recently aborted? no",
        "already judged? no",
        "attempts spent: 0 of 2? no",
        "decided: LetStop(Complete)",
    ] {
        assert!(text.contains(step), "{step}: {text}");
    }
    let quiet = World::new();
    stop(&quiet, "claude-code", &green());
    assert!(!quiet.path(&format!(".hansei/log/debug-{SESSION}.txt")).exists());
}

#[test]
fn off_on_and_wrong_are_the_users() {
    let world = World::new();
    let sends = |world: &World, id: &'static str| {
        let mut steps = red("Done. All tests pass.");
        steps[0] = Step::Human(id, "fix the parser so that `cargo test` passes".into());
        feedback("claude-code", &stop(world, "claude-code", &steps)).is_some()
    };
    assert_eq!(world.run(&["off"]).code, 0);
    assert!(!sends(&world, "h1"));
    assert_eq!(last_event(&world)["why"], "turned_off");
    assert_eq!(world.run(&["on"]).code, 0);
    assert!(sends(&world, "h2"));
    assert_eq!(
        world.run(&["off", "--session", SESSION, "--json"]).json(),
        json!({ "off": true, "session": SESSION })
    );
    assert!(!sends(&world, "h3"));
    // The same, typed in the chat.
    let say = |text: &str| {
        let prompt = json!({ "session_id": SESSION, "cwd": world.repo, "prompt": text });
        hook(&world, "claude-code", "prompt", &prompt, |_| ());
    };
    say("/hansei on");
    assert!(sends(&world, "h4"));
    say("/hansei off");
    assert!(!sends(&world, "h5"));
    say("/hansei on");
    let wrong = world.run(&["wrong"]);
    assert_eq!(wrong.code, 0, "{}", wrong.stderr);
    assert!(wrong.stdout.contains("check_failed"), "{}", wrong.stdout);
    assert!(!sends(&world, "h6"), "the detector is muted here");
    assert_eq!(world.run(&["wrong", "--detector", "nonsense"]).code, 2);
    let fresh = World::new();
    assert_eq!(fresh.run(&["wrong"]).code, 2, "nobody was accused");
}

#[test]
fn an_agents_shell_may_not_turn_it_off_and_the_try_is_on_record() {
    for variable in ["CLAUDECODE", "GEMINI_CLI", "OPENCODE", "CODEX_SANDBOX"] {
        for arguments in [&["off"][..], &["on"], &["wrong", "--detector", "check_failed"]] {
            let world = World::new();
            let ran = Ran::of(world.hansei().args(arguments).env(variable, "1"), b"");
            assert_eq!(ran.code, 1, "{variable} {arguments:?}: {}", ran.stderr);
            let log = std::fs::read_to_string(world.path(".hansei/log/~workspace.jsonl")).unwrap();
            assert!(log.contains("refused_inside_agent") && log.lines().count() == 1, "{log}");
        }
    }
    // Also without the variable: a program of that name is above it.
    let world = World::new();
    let agent = world.outside().join("claude");
    let script = format!("#!/bin/sh\n'{}' off\necho code $?\n", crate::support::HANSEI);
    std::fs::write(&agent, script).unwrap();
    std::os::unix::fs::symlink("/bin/sh", world.outside().join("codex")).unwrap();
    let ran = Ran::of(world.command(world.outside().join("codex")).arg(&agent), b"");
    assert!(ran.stdout.contains("code 1"), "{} {}", ran.stdout, ran.stderr);
}
