//! What is put in goes again to the byte, whoever wrote the file and whoever wrote it anew.

use std::path::Path;

use super::{Registered, install, registered, uninstall};
use crate::ADAPTERS;
use crate::setup::{Scope, Servers, UserFolders};

/// Settings of others, in JSON.
const JSON: &[&str] = &[
    "",
    "\n",
    "{}",
    "{\n}\n",
    "{ \"a\": 1 }",
    "{\"a\":1,\"mcp\":{},\"mcpServers\":{}}",
    "{\n\t\"a\": [1, 2] // mine\n}\n",
    "// head\n{\n  \"mcp\": { // servers\n    \"other\": { \"command\": [\"x\"], }, // theirs\n  },\n  \"mcpServers\": { \"b\": {\"command\":\"x\"} },\n}\n",
    "\u{feff}{\r\n  \"mcpServers\": {\r\n    \"b\": {}\r\n  },\r\n  \"mcp\": {\r\n  }\r\n}\r\n",
];
/// The same in TOML.
const TOML: &[&str] = &[
    "",
    "model = \"x\" # mine",
    "model = \"x\"\r\n\r\n[mcp_servers.other]\r\ncommand = 'y' # theirs\r\n",
    "[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ncommand = \"x\"\n\n[mcp_servers]\n",
];

/// Each agent's servers, with a file and settings of others in its format.
fn each(check: impl Fn(&Servers, &Path, &str)) {
    for adapter in ADAPTERS {
        let user = UserFolders { home: "/h".into(), config: "/h/.config".into(), ..UserFolders::default() };
        let files = (adapter.setup.servers.files)(&adapter.setup, Scope::User, &user, Path::new("/p"));
        let file = files.last().unwrap();
        for text in if file.extension().is_some_and(|ending| ending == "toml") { TOML } else { JSON } {
            check(&adapter.setup.servers, file, text);
        }
    }
}

#[test]
fn what_was_put_in_goes_again_to_the_byte() {
    each(|servers, file, text| {
        let edited = install(file, text, servers, "hansei").unwrap();
        let found = registered(file, &edited.text, servers).unwrap();
        assert!(matches!(found, Registered::Ours { program, .. } if program == "hansei"), "{}", edited.text);
        assert_eq!(
            install(file, &edited.text, servers, "hansei").unwrap().text,
            edited.text,
            "a second time changes nothing"
        );
        assert_eq!(
            uninstall(file, &edited.text, servers, &edited.insertions).unwrap(),
            *text,
            "{}",
            edited.text
        );
        let moved = install(file, &edited.text, servers, "/a \"b\"/hansei").unwrap();
        assert!(moved.insertions.is_empty() && moved.changed.len() == 1);
        let found = registered(file, &moved.text, servers).unwrap();
        assert!(
            matches!(found, Registered::Ours { program, .. } if program == "/a \"b\"/hansei"),
            "{}",
            moved.text
        );
    });
}

#[test]
fn a_file_that_was_written_anew_still_loses_ours_alone() {
    let servers = &crate::adapter_named("claude-code").unwrap().setup.servers;
    let file = Path::new("/h/.claude.json");
    let edited = install(file, "", servers, "hansei").unwrap();
    let anew = "{\n  \"mcpServers\": {\n    \"hansei\": {\n      \"type\": \"stdio\",\n      \"command\": \"hansei\",\n      \"args\": [\n        \"mcp\"\n      ],\n      \"env\": {}\n    }\n  },\n  \"numStartups\": 1\n}";
    assert_eq!(uninstall(file, anew, servers, &edited.insertions).unwrap(), "{\n  \"numStartups\": 1\n}");
    assert_eq!(
        uninstall(file, anew, servers, &[]).unwrap(),
        "{\n  \"numStartups\": 1\n}",
        "also without a record"
    );
}

#[test]
fn what_is_not_ours_is_left_and_named() {
    let (claude, codex) =
        (crate::adapter_named("claude-code").unwrap(), crate::adapter_named("codex").unwrap());
    for (adapter, file, text) in [
        (claude, ".claude.json", r#"{"mcpServers":{"hansei":{"command":"npx","args":["mcp"]}}}"#),
        (claude, ".claude.json", r#"{"mcpServers":{"hansei":{"url":"https://example.invalid"}}}"#),
        (claude, ".claude.json", r#"{"mcpServers":{"hansei":null}}"#),
        (codex, "config.toml", "[mcp_servers.hansei]\nurl = 'https://example.invalid'\n"),
        (codex, "config.toml", "mcp_servers.hansei = 1\n"),
    ] {
        let servers = &adapter.setup.servers;
        let error = install(Path::new(file), text, servers, "hansei").unwrap_err();
        assert!(error.message.contains("starts another program"), "{text}: {error}");
        assert_eq!(uninstall(Path::new(file), text, servers, &[]).unwrap(), text);
    }
    for (file, text, says) in [
        (".claude.json", "[]", "is not an object"),
        (".claude.json", r#"{"mcpServers":[]}"#, "\"mcpServers\" is not an object"),
        ("config.toml", "mcp_servers = { a = { command = 'x' } }\n", "cannot be added to"),
        ("config.toml", "[[mcp_servers]]\nx = 1\n", "cannot be added to"),
        ("config.toml", "mcp_servers = [{ x = 1 }]\n", "cannot be added to"),
        ("config.toml", "mcp_servers = 1\n", "cannot be added to"),
    ] {
        let servers = if file == "config.toml" { &codex.setup.servers } else { &claude.setup.servers };
        assert!(
            install(Path::new(file), text, servers, "hansei").unwrap_err().message.contains(says),
            "{text}"
        );
    }
    let servers = &codex.setup.servers;
    let edited = install(Path::new("config.toml"), "", servers, "hansei").unwrap();
    let added = format!("{}\n[mcp_servers.hansei.tools.risk]\napproval_mode = \"approve\"\n", edited.text);
    let error = uninstall(Path::new("config.toml"), &added, servers, &edited.insertions).unwrap_err();
    assert!(
        error.message.contains("by hand"),
        "what was added to ours would not be readable without it: {error}"
    );
}

/// What a user puts into our table goes with it, and what stands around it stays.
#[test]
fn our_table_goes_as_a_whole() {
    let servers = &crate::adapter_named("codex").unwrap().setup.servers;
    let file = Path::new("config.toml");
    let theirs = "[mcp_servers.o]\ncommand = \"p\"\n";
    let edited = install(file, theirs, servers, "hansei").unwrap();
    let last = "args = [\"mcp\"]\n";
    for (ours, stays) in [
        ("enabled = false\n", ""),
        ("enabled = false # off", ""),
        ("\n# mine\nenabled = false\n", ""),
        ("env.A = \"1\"\nenv.B.C = \"2\"\n", ""),
        ("env = { A = \"\"\"\n[not.a.header]\n\"\"\" }\n", ""),
        ("tools = [\n  \"a\", # one\n  \"b\",\n]\n", "\n# of p\n[mcp_servers.p]\nenabled = true\n"),
        ("", "# of nobody\n"),
        ("", "\n# of the next\n[[hooks.Stop]]\n"),
        ("enabled = false\n", "\n[mcp_servers.hansei_2]\ncommand = \"x\"\n"),
    ] {
        let text = edited.text.replace(last, &format!("{last}{ours}{stays}"));
        let left = uninstall(file, &text, servers, &edited.insertions).unwrap();
        assert_eq!(left, format!("{theirs}{stays}"), "{text}");
    }
    for (from, to) in [
        ("command = \"hansei\"", "# mine\ncommand = \"hansei\""),
        ("[mcp_servers.hansei]", "  [mcp_servers.\"hansei\"] # x"),
    ] {
        let text = edited.text.replace(from, to);
        assert_eq!(uninstall(file, &text, servers, &edited.insertions).unwrap(), theirs, "{text}");
    }
    let moved = edited.text.replace("\n\n[mcp_servers.hansei]", "\n[mcp_servers.hansei]");
    assert_eq!(
        uninstall(file, &moved, servers, &edited.insertions).unwrap(),
        theirs,
        "the line before stays ended"
    );
    assert_eq!(uninstall(file, &moved, servers, &[]).unwrap(), theirs, "also without a record");
    let inline = "[mcp_servers]\nhansei = { command = \"hansei\", args = [\"mcp\"] }\n";
    let error = uninstall(file, inline, servers, &[]).unwrap_err();
    assert!(error.message.contains("by hand"), "{error}");
}
