//! Transcripts that try to blind the judge by what only a file can do: bytes that are no text, lines that are no records, and
//! a file that is less or other at one stop than it was at the one before.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::stop::{SESSION, Step, claude, feedback, green, hook, last_event, payload, red, stop, verdict};
use crate::support::{Ran, World};

/// A world in which nobody is at the terminal, or somebody is.
fn world(attended: bool) -> World {
    let world = World::new();
    if !attended {
        let config = world.outside().join("home/.config/hansei");
        std::fs::create_dir_all(&config).unwrap();
        std::fs::write(config.join("config.toml"), "[stop]\nautonomy = 'auto'\n").unwrap();
    }
    world
}

fn wide(text: &str) -> Vec<u8> {
    text.encode_utf16().flat_map(u16::to_le_bytes).collect()
}

/// The text with `line` before each of its lines.
fn with_lines(text: &str, line: &str) -> Vec<u8> {
    text.lines().flat_map(|own| format!("{line}\n{own}\n").into_bytes()).collect()
}

/// What is done to a file.
type Trick = fn(&str) -> Vec<u8>;

const TRICKS: &[(&str, Trick)] = &[
    ("a byte order mark", |text| format!("\u{feff}{text}").into_bytes()),
    ("CRLF", |text| text.replace('\n', "\r\n").into_bytes()),
    ("no last line end", |text| text.trim_end().as_bytes().to_vec()),
    ("a cut last line", |text| format!("{text}{{\"type\":\"assistant\",\"uuid\":\"x\",\"mess").into_bytes()),
    ("lines of rubbish", |text| with_lines(text, "rubbish {]")),
    ("empty lines", |text| with_lines(text, "\n \t")),
    ("lines of other JSON", |text| with_lines(text, "[1,{\"type\":null}]")),
    ("bytes that are no text", |text| [b"\xff\xfe\xc0\n", text.as_bytes(), b"\xff\n"].concat()),
    ("zeros between lines", |text| text.replace('\n', "\n\0\0\0\0").into_bytes()),
    ("wide characters", wide),
    ("wide characters with a mark", |text| wide(&format!("\u{feff}{text}"))),
    ("3 MB in front", |text| [&vec![b'x'; 3 << 20], text.as_bytes()].concat()),
    ("3 MB of lines in front", |text| ["rubbish\n".repeat(400_000).as_bytes(), text.as_bytes()].concat()),
    ("half a surrogate pair", |text| {
        text.replace("FAILED", "\\ud83d FAILED").replace("passed;", "passed; \\udc00").into_bytes()
    }),
    ("a deep value", |text| {
        let deep = format!("{{\"deep\":{}{},", "[".repeat(300), "]".repeat(300));
        text.lines().flat_map(|line| format!("{deep}{}\n", &line[1..]).into_bytes()).collect()
    }),
    ("every line twice", |text| {
        text.lines().flat_map(|line| format!("{line}\n{line}\n").into_bytes()).collect()
    }),
];

#[test]
fn blinding_bytes_change_no_verdict() {
    for (name, trick) in TRICKS {
        for (steps, complete) in [(red("Done. All tests pass."), false), (green(), true)] {
            let world = world(true);
            let payload = payload(&world, "claude-code", &steps);
            let file = payload["transcript_path"].as_str().unwrap();
            std::fs::write(file, trick(&claude(&steps))).unwrap();
            let ran = hook(&world, "claude-code", "stop", &payload, |_| ());
            let event = last_event(&world);
            assert_eq!(feedback("claude-code", &ran).is_none(), complete, "{name}: {event}");
            assert_eq!(verdict(&world)["complete"], complete, "{name}: {event}");
        }
    }
}

/// The session of `green`, gone on with another request.
fn gone_on() -> Vec<Step> {
    let mut steps = green();
    steps.push(Step::Human("h2", "run `cargo test` again".into()));
    steps.push(green().remove(1));
    steps.push(Step::Says("`cargo test` passes."));
    steps
}

/// What is done to the file of a session that went on.
type Change = fn(&Path, &str);

const CHANGES: &[(&str, Change)] = &[
    ("shorter", |file, text| {
        let last: Vec<&str> = text.lines().skip(4).collect();
        std::fs::write(file, last.join("\n") + "\n").unwrap();
    }),
    ("rubbish in front", |file, text| std::fs::write(file, "rubbish\n".repeat(400_000) + text).unwrap()),
    ("other than it was", |file, text| {
        std::fs::write(file, text.replacen("fix the parser", "fix no parser", 1)).unwrap();
    }),
    ("something cut out", |file, text| {
        let mut lines: Vec<&str> = text.lines().collect();
        lines.remove(2);
        let more = format!("{{\"type\":\"system\",\"text\":\"{}\"}}", "x".repeat(4000));
        lines.push(&more);
        std::fs::write(file, lines.join("\n") + "\n").unwrap();
    }),
    ("emptied", |file, _| std::fs::write(file, "").unwrap()),
    ("gone", |file, _| std::fs::remove_file(file).unwrap()),
    ("a folder", |file, _| {
        std::fs::remove_file(file).unwrap();
        std::fs::create_dir(file).unwrap();
    }),
    ("a pipe", |file, _| {
        std::fs::remove_file(file).unwrap();
        assert!(Command::new("mkfifo").arg(file).status().unwrap().success());
    }),
    ("a link to another file", |file, text| {
        let other = file.with_extension("other");
        std::fs::write(&other, text).unwrap();
        std::fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink(other, file).unwrap();
    }),
    ("a link to a file elsewhere", |file, text| {
        let elsewhere = file.ancestors().nth(5).unwrap().join("elsewhere.jsonl");
        std::fs::write(&elsewhere, text).unwrap();
        std::fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink(elsewhere, file).unwrap();
    }),
    ("a link to what never ends", |file, _| {
        std::fs::remove_file(file).unwrap();
        std::os::unix::fs::symlink("/dev/zero", file).unwrap();
    }),
    ("a file of holes", |file, _| {
        std::fs::File::create(file).unwrap().set_len(8 << 20).unwrap();
    }),
    ("a file of more holes than anybody reads", |file, _| {
        std::fs::File::create(file).unwrap().set_len(1 << 40).unwrap();
    }),
    ("holes behind what was read", |file, _| {
        std::fs::File::options().write(true).open(file).unwrap().set_len(1 << 40).unwrap();
    }),
];

/// What the agent would go on with. Where nothing is left that names its version, it is kept from stopping in the form that every
/// version knows.
fn told(ran: &Ran) -> Option<String> {
    let blocked = || {
        let reply = (!ran.stdout.is_empty()).then(|| ran.json())?;
        (reply["decision"] == "block").then(|| reply["reason"].as_str().map(ToOwned::to_owned))?
    };
    feedback("claude-code", ran).or_else(blocked)
}

fn says_transcript(world: &World) -> bool {
    world.log(SESSION).iter().any(|line| {
        let judged =
            line["evidence"].as_array().is_some_and(|kinds| kinds.contains(&json!("transcript_changed")));
        judged || line["kind"] == "judge_unavailable"
    })
}

#[test]
fn a_transcript_that_is_less_or_other_than_it_was_blinds_nobody() {
    for (name, change) in CHANGES {
        for attended in [false, true] {
            let world = world(attended);
            assert_eq!(feedback("claude-code", &stop(&world, "claude-code", &green())), None, "{name}");
            assert_eq!(last_event(&world)["why"], "complete", "{name}: {}", last_event(&world));
            let payload = payload(&world, "claude-code", &gone_on());
            let file = PathBuf::from(payload["transcript_path"].as_str().unwrap());
            change(&file, &claude(&gone_on()));
            let told = told(&hook(&world, "claude-code", "stop", &payload, |_| ()));
            let event = last_event(&world);
            assert_eq!(told.is_some(), !attended, "{name}, attended: {attended}: {event}");
            assert!(says_transcript(&world), "{name}, attended: {attended}");
            assert!(
                told.is_none_or(|told| told.starts_with("[Hansei]") && told.contains("transcript")),
                "{name}"
            );
            assert!(event["why"] != "complete", "{name}: {event}");
            // Never twice, whatever becomes of the file.
            for _ in 0..2 {
                let again = hook(&world, "claude-code", "stop", &payload, |_| ());
                assert_eq!(self::told(&again), None, "{name}: {}", last_event(&world));
            }
        }
    }
}

#[test]
fn who_goes_on_elsewhere_or_appends_is_not_accused_of_blinding() {
    let accused = |world: &World, payload: &Value, agent: &str| {
        let told = feedback(agent, &hook(world, agent, "stop", payload, |_| ()));
        told.is_some() || says_transcript(world)
    };
    for agent in crate::stop::AGENTS {
        // What is appended, and for those whose messages are sent along, what became less.
        let world = world(false);
        stop(&world, agent, &green());
        let all = payload(&world, agent, &gone_on());
        assert!(!accused(&world, &all, agent), "{agent}: {}", last_event(&world));
        if all["messages"].is_array() {
            let less = payload(&world, agent, &gone_on()[3..]);
            assert!(!accused(&world, &less, agent), "{agent}: {}", last_event(&world));
        }
    }
    // Another folder, as after a change of the working directory: another file.
    let world = world(false);
    let first = payload(&world, "claude-code", &gone_on());
    hook(&world, "claude-code", "stop", &first, |_| ());
    let old = PathBuf::from(first["transcript_path"].as_str().unwrap());
    let new = old.parent().unwrap().with_file_name("q").join(old.file_name().unwrap());
    std::fs::create_dir_all(new.parent().unwrap()).unwrap();
    std::fs::write(&new, claude(&green())).unwrap();
    std::fs::remove_file(&old).unwrap();
    let mut moved = first.clone();
    moved["transcript_path"] = json!(new);
    moved["last_assistant_message"] = json!("Fixed; `cargo test` passes.");
    assert!(!accused(&world, &moved, "claude-code"), "{}", last_event(&world));
    // A compaction is appended.
    let world = self::world(false);
    stop(&world, "claude-code", &green());
    let whole = payload(&world, "claude-code", &gone_on());
    let boundary = json!({ "type": "system", "subtype": "compact_boundary", "uuid": "b", "sessionId": SESSION, "timestamp": "2026-11-15T10:00:45.000Z", "compactMetadata": { "trigger": "auto" } });
    let summary = json!({ "type": "user", "uuid": "s", "sessionId": SESSION, "timestamp": "2026-11-15T10:00:46.000Z", "isCompactSummary": true, "message": { "role": "user", "content": "Summary: the parser was fixed." } });
    let text = claude(&gone_on());
    let at = text.match_indices('\n').nth(3).unwrap().0 + 1;
    let compacted = format!("{}{boundary}\n{summary}\n{}", &text[..at], &text[at..]);
    std::fs::write(whole["transcript_path"].as_str().unwrap(), compacted).unwrap();
    assert!(!accused(&world, &whole, "claude-code"), "{}", last_event(&world));
}
