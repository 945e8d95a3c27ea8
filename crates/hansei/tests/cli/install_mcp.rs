//! `install --mcp` and `uninstall`: the MCP server in five agents' settings and out again, to the byte.

use serde_json::{Value, json};

use crate::install::{Machine, text};

const AGENTS: [&str; 5] = ["claude-code", "codex", "gemini", "opencode", "kilo"];
/// Where each agent's servers lie for a user, and what registers ours there.
const FILES: [(&str, &str); 5] = [
    (
        ".claude.json",
        r#""mcpServers": {
    "hansei": { "type": "stdio", "command": "hansei", "args": ["mcp"] }
  }"#,
    ),
    (".codex/config.toml", "[mcp_servers.hansei]\ncommand = \"hansei\"\nargs = [\"mcp\"]\n"),
    (".gemini/settings.json", r#""hansei": { "command": "hansei", "args": ["mcp"] }"#),
    (".config/opencode/opencode.json", r#""hansei": { "type": "local", "command": ["hansei", "mcp"] }"#),
    (".config/kilo/kilo.json", r#""hansei": { "type": "local", "command": ["hansei", "mcp"] }"#),
];

fn doctor(machine: &Machine, agent: &str) -> Value {
    let report = machine.run(&["doctor", "--json"]).json();
    report["agents"].as_array().unwrap().iter().find(|one| one["agent"] == agent).unwrap().clone()
}

#[test]
fn every_agent_is_told_of_the_server_and_forgets_it_without_a_trace() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.home(".local/state")).unwrap();
    let before = machine.home_now();
    let all: Vec<&str> = ["install", "--mcp"].into_iter().chain(AGENTS).collect();
    let told = machine.fine(&all);
    assert!(told.contains("Claude Code may now ask `hansei mcp`: ~/.claude.json"), "{told}");
    for (file, part) in FILES {
        assert!(text(&machine.home(file)).contains(part), "{file}: {}", text(&machine.home(file)));
    }
    let installed = machine.home_now();
    assert!(machine.fine(&all).contains("Codex may already ask"));
    assert_eq!(machine.home_now(), installed, "a second time changes nothing");
    let codex = doctor(&machine, "codex");
    assert_eq!(
        (&codex["mcp"][0]["scope"], &codex["mcp"][0]["program"]),
        (&json!("user"), &json!("hansei")),
        "{codex}"
    );
    assert_eq!(
        (&codex["installations"], &codex["problems"]),
        (&json!([]), &json!([])),
        "asking is not hooking"
    );
    for agent in AGENTS {
        let told = machine.fine(&["uninstall", "--mcp", agent]);
        assert!(told.starts_with("`hansei mcp` is removed from"), "{told}");
    }
    assert_eq!(machine.home_now(), before);
    assert_eq!(doctor(&machine, "codex")["mcp"], json!([]));
    assert!(
        machine.fine(&["uninstall", "--mcp", "kilo"]).starts_with("`hansei mcp` is not registered in Kilo")
    );
}

#[test]
fn hooks_and_server_come_and_go_in_any_order() {
    let hooks: &[&str] = &["install"];
    let server: &[&str] = &["install", "--mcp"];
    let no_server: &[&str] = &["uninstall", "--mcp"];
    let nothing: &[&str] = &["uninstall"];
    // Gemini CLI has both in one file; Codex has where others have hooks in its TOML.
    for (agent, file, theirs) in [
        ("gemini", ".gemini/settings.json", None),
        ("gemini", ".gemini/settings.json", Some("{\n  // mine\n  \"ui\": {},\n}\n")),
        ("codex", ".codex/config.toml", None),
        (
            "codex",
            ".codex/config.toml",
            Some("[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"theirs\"\n"),
        ),
        ("claude-code", ".claude.json", Some("{\"numStartups\":3}")),
        ("opencode", ".config/opencode/opencode.jsonc", Some("{ // mine\n}\n")),
    ] {
        for order in [
            [hooks, server, no_server, nothing],
            [server, hooks, no_server, nothing],
            [hooks, server, server, nothing],
            [server, hooks, hooks, nothing],
        ] {
            let machine = Machine::new();
            std::fs::create_dir_all(machine.home(".local/state")).unwrap();
            if let Some(theirs) = theirs {
                machine.write_home(file, theirs);
            }
            let before = machine.home_now();
            for step in order {
                let words: Vec<&str> = step.iter().copied().chain([agent]).collect();
                machine.fine(&words);
                if step == no_server {
                    let known = doctor(&machine, agent);
                    assert_eq!(
                        (
                            known["mcp"].as_array().unwrap().len(),
                            known["installations"].as_array().unwrap().len()
                        ),
                        (0, 1),
                        "{known}"
                    );
                    assert_eq!(known["installations"][0]["modified"], false, "{known}");
                }
            }
            assert_eq!(machine.home_now(), before, "{agent} {order:?} {theirs:?}");
        }
    }
}

#[test]
fn what_others_wrote_stays_whoever_wrote_it_anew() {
    let machine = Machine::new();
    let file = machine.write_home(".claude.json", "{\"numStartups\":3}");
    machine.fine(&["install", "--mcp", "claude-code"]);
    let anew: Value = serde_json::from_str(&text(&file)).unwrap();
    std::fs::write(&file, format!("{anew:#}").replace("\"numStartups\": 3", "\"numStartups\": 4")).unwrap();
    machine.fine(&["uninstall", "claude-code"]);
    assert_eq!(text(&file), "{\n  \"numStartups\": 4\n}");

    let file = machine
        .write_home(".config/kilo/kilo.jsonc", "{\n  // mine\n  \"mcp\": { \"a\": {} }, // theirs\n}\n");
    let before = text(&file);
    machine.fine(&["install", "--mcp", "kilo"]);
    assert!(!machine.home(".config/kilo/kilo.json").exists(), "the file that is there is taken");
    assert!(text(&file).contains("\"a\": {}, \"hansei\": {"), "{}", text(&file));
    machine.fine(&["uninstall", "--mcp", "kilo"]);
    assert_eq!(text(&file), before);
}

#[test]
fn what_was_put_into_our_table_falls_to_nobody_else() {
    let theirs = "[mcp_servers.o]\ncommand = \"p\"\n";
    for (added, stays) in [
        ("enabled = false\n", ""),
        ("startup_timeout_sec = 20\n", "\n# the other\n[mcp_servers.q]\ncommand = \"q\"\n"),
    ] {
        let machine = Machine::new();
        let file = machine.write_home(".codex/config.toml", theirs);
        machine.fine(&["install", "--mcp", "codex"]);
        std::fs::write(&file, format!("{}{added}{stays}", text(&file))).unwrap();
        machine.fine(&["uninstall", "--mcp", "codex"]);
        assert_eq!(text(&file), format!("{theirs}{stays}"));
    }
}

#[test]
fn what_is_not_ours_or_cannot_be_read_is_left() {
    let machine = Machine::new();
    for (agent, file, theirs, says) in [
        (
            "gemini",
            ".gemini/settings.json",
            "{\"mcpServers\":{\"hansei\":{\"command\":\"npx\"}}}",
            "starts another program",
        ),
        ("codex", ".codex/config.toml", "a = = 1\n", "config.toml:1:5"),
        ("codex", ".codex/config.toml", "[[mcp_servers]]\nx = 1\n", "cannot be added to"),
        ("claude-code", ".claude.json", "[]", "is not an object"),
    ] {
        let file = machine.write_home(file, theirs);
        let refused = machine.run(&["install", "--mcp", agent]);
        assert!(refused.code == 3 && refused.stderr.contains(says), "{}", refused.stderr);
        machine.run(&["uninstall", "--mcp", agent]);
        assert_eq!(text(&file), theirs);
    }
    let agent = machine.write_home(".config/opencode/agent/hansei-unblocker.md", "mine\n");
    let refused = machine.run(&["install", "opencode"]);
    assert!(refused.code == 3 && refused.stderr.contains("is not Hansei's"), "{}", refused.stderr);
    assert!(text(&agent) == "mine\n" && !machine.home(".config/opencode/plugin").exists());
}

#[test]
fn without_a_name_it_is_all_that_are_here_and_a_dry_run_changes_nothing() {
    let machine = Machine::new();
    let none = machine.run(&["install", "--mcp"]);
    assert!(none.code == 3 && none.stderr.contains("no agent was found here"), "{}", none.stderr);
    machine.agent("codex", "codex-cli 0.166.0");
    std::fs::create_dir(machine.home(".gemini")).unwrap();
    let before = machine.home_now();
    let shown = machine.fine(&["install", "--mcp", "--dry-run"]);
    assert!(
        shown.contains("Codex would be allowed to ask") && shown.contains("+ [mcp_servers.hansei]"),
        "{shown}"
    );
    assert_eq!(machine.home_now(), before);
    let done: Value = serde_json::from_str(&machine.fine(&["install", "--mcp", "--json"])).unwrap();
    let agents: Vec<&Value> = done.as_array().unwrap().iter().map(|one| &one["agent"]).collect();
    assert_eq!(agents, ["codex", "gemini"]);
    for wrong in [
        &["install"][..],
        &["install", "codex", "gemini"],
        &["install", "--mcp", "--observe"],
        &["install", "--mcp", "vim"],
    ] {
        assert_eq!(machine.run(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn a_project_names_the_program_that_everybody_has_and_says_who_is_asked() {
    let machine = Machine::without_hansei();
    for (agent, file, next) in [
        ("claude-code", ".mcp.json", "allow the project's server"),
        ("codex", ".codex/config.toml", "trust the folder"),
        ("gemini", ".gemini/settings.json", "trust the folder"),
        ("opencode", ".opencode/opencode.json", ""),
        ("kilo", ".kilo/kilo.json", ""),
    ] {
        let told = machine.fine(&["install", "--mcp", agent, "--scope", "project"]);
        assert!(told.contains(next), "{told}");
        let file = machine.world.path(file);
        assert!(text(&file).contains("\"hansei\""), "{}", text(&file));
        let known = doctor(&machine, agent);
        assert!(known["problems"].to_string().contains("that program is not there"), "{known}");
        machine.fine(&["uninstall", agent, "--scope", "project"]);
        assert!(!file.exists(), "{}", file.display());
    }
    let path = machine.fine(&["install", "--mcp", "codex"]);
    assert!(path.contains("Codex may now ask"), "{path}");
    let written = text(&machine.home(".codex/config.toml"));
    assert!(
        written.contains("command = \"/") && written.contains("hansei\"\n"),
        "off the PATH it is called by its path: {written}"
    );
}
