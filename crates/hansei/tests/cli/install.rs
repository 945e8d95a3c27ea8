//! `install`, `uninstall`, `init`: into five agents' settings and out again, to the byte.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{HANSEI, Ran, World, payload};

/// A world whose search path holds this program, the system's tools, and the agents that a test puts there.
pub struct Machine {
    pub world: World,
}

impl Machine {
    pub fn new() -> Self {
        let machine = Self::without_hansei();
        symlink(HANSEI, machine.bin().join("hansei")).unwrap();
        machine
    }

    /// A machine whose search path has no `hansei`.
    pub fn without_hansei() -> Self {
        let machine = Self { world: World::new() };
        std::fs::create_dir(machine.bin()).unwrap();
        machine
    }

    pub fn bin(&self) -> PathBuf {
        self.world.outside().join("bin")
    }

    pub fn home(&self, name: &str) -> PathBuf {
        self.world.outside().join("home").join(name)
    }

    /// Puts an agent that prints `version` on the search path.
    pub fn agent(&self, name: &str, version: &str) {
        let file = self.bin().join(name);
        std::fs::write(&file, format!("#!/bin/sh\necho '{version}'\n")).unwrap();
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    pub fn write_home(&self, name: &str, text: &str) -> PathBuf {
        let file = self.home(name);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        file
    }

    /// `program` on this machine.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = self.world.command(program);
        command.env("PATH", format!("{}:/usr/bin:/bin", self.bin().display()));
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Ran {
        Ran::of(self.command(HANSEI).args(arguments), b"")
    }

    /// Runs `hansei <arguments>`, which must be fine.
    pub fn fine(&self, arguments: &[&str]) -> String {
        let ran = self.run(arguments);
        assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran.stdout
    }

    /// Every file and folder in the home folder with its content.
    pub fn home_now(&self) -> Vec<(PathBuf, Option<Vec<u8>>)> {
        fn walk(folder: &Path, all: &mut Vec<(PathBuf, Option<Vec<u8>>)>) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                all.push((path.clone(), std::fs::read(&path).ok()));
                if path.is_dir() {
                    walk(&path, all);
                }
            }
        }
        let mut all = Vec::new();
        walk(&self.home(""), &mut all);
        all.sort();
        all
    }
}

pub fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

const ODD: &str = "\u{feff}{\r\n\t// mine\r\n\t\"env\": {\"A\":  1}, // why\r\n\t\"hooks\": { \"Stop\": [\r\n\t\t{\"hooks\":[{\"type\":\"command\",\"command\":\"theirs\"}]}, // theirs\r\n\t] }\r\n}";

#[test]
fn every_agent_is_installed_and_removed_without_a_trace() {
    let machine = Machine::new();
    std::fs::create_dir_all(machine.home(".local/state")).unwrap();
    let before = machine.home_now();
    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        machine.fine(&["install", agent]);
    }
    for (file, part) in [
        (".claude/settings.json", "\"hansei hook claude-code stop --mode solo\", \"timeout\": 60 "),
        (".codex/hooks.json", "\"hansei hook codex session-end --mode solo\", \"timeout\": 3 "),
        (".gemini/settings.json", "\"hansei hook gemini stop --mode solo\", \"timeout\": 60000 "),
        (
            ".config/opencode/plugin/hansei.js",
            "const AGENT = \"opencode\"\nconst PROGRAM = \"hansei\"\nconst MODE = \"solo\"\n",
        ),
        (".config/kilo/plugin/hansei.js", "const AGENT = \"kilo\"\n"),
        (".config/opencode/agent/hansei-unblocker.md", "mode: subagent"),
        (".config/kilo/agent/hansei-unblocker.md", "[NEED_CONTEXT: clean_handoff]"),
    ] {
        let text = text(&machine.home(file));
        assert!(text.contains(part), "{file}: {text}");
        if file.ends_with("json") {
            serde_json::from_str::<serde_json::Value>(&text).unwrap();
        }
    }
    let installed = machine.home_now();
    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        assert!(machine.fine(&["install", agent]).starts_with("Hansei is already installed in "));
    }
    assert_eq!(machine.home_now(), installed, "a second time changes nothing");
    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        machine.fine(&["uninstall", agent]);
    }
    assert_eq!(machine.home_now(), before);
    assert!(machine.fine(&["uninstall", "kilo"]).starts_with("Hansei is not installed in Kilo"));
}

#[test]
fn what_others_wrote_stays_to_the_byte() {
    let machine = Machine::new();
    let file = machine.write_home(".claude/settings.json", ODD);
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
    let told = machine.fine(&["install", "claude-code"]);
    let backup = machine.home(".local/state/hansei/backups/claude-code-1-settings.json");
    assert!(
        told.contains("the file as it was: ~/.local/state/hansei/backups/claude-code-1-settings.json"),
        "{told}"
    );
    assert_eq!(text(&backup), ODD);
    machine.fine(&["install", "claude-code", "--observe"]);
    let now = text(&file);
    assert!(now.contains("--mode orchestrated") && !now.contains("--mode solo"), "{now}");
    assert!(now.find("theirs").unwrap() < now.find("hansei").unwrap(), "appended");
    // Others go on editing: a value, a comment, a hook of their own behind ours.
    let edit =
        |text: &str| text.replace("{\"A\":  1}", "{\"A\": 2 /* two */}").replace("// mine", "// yours");
    std::fs::write(&file, edit(&now)).unwrap();
    let told = machine.fine(&["uninstall", "claude-code"]);
    assert_eq!(text(&file), edit(ODD));
    assert!(told.contains("others changed the file"), "{told}");
    assert!(backup.exists(), "nobody copies it back, and nobody loses it");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_dry_run_shows_and_changes_nothing() {
    let machine = Machine::new();
    machine.write_home(".gemini/settings.json", "{\n  \"a\": 1\n}\n");
    let before = machine.home_now();
    let told = machine.fine(&["install", "gemini", "--dry-run"]);
    assert!(told.starts_with("Hansei would be installed in Gemini CLI: ~/.gemini/settings.json (mode solo)\n-   \"a\": 1\n+   \"a\": 1,\n+   \"hooks\": {\n"), "{told}");
    let json =
        Ran::of(machine.command(HANSEI).args(["install", "gemini", "--dry-run", "--json"]), b"").json();
    assert_eq!((&json["changes"], &json["dry_run"]), (&true.into(), &true.into()));
    assert_eq!(machine.home_now(), before);
    machine.fine(&["install", "gemini"]);
    let installed = machine.home_now();
    assert!(machine.fine(&["uninstall", "gemini", "--dry-run"]).contains("-   \"hooks\": {\n"));
    assert_eq!(machine.home_now(), installed);
}

#[test]
fn only_events_that_the_installed_version_knows() {
    for (version, knows) in [
        ("2.1.325 (Claude Code)", true),
        ("2.1.78 (Claude Code)", true),
        ("2.1.44 (Claude Code)", false),
        ("?", false),
    ] {
        let machine = Machine::new();
        machine.agent("claude", version);
        machine.fine(&["install", "claude-code"]);
        let text = text(&machine.home(".claude/settings.json"));
        assert_eq!(text.contains("StopFailure"), knows, "{version}");
        assert!(text.contains("\"SessionEnd\""));
    }
}

#[test]
fn a_program_off_the_path_is_called_by_a_quoted_path_that_stays() {
    let machine = Machine::without_hansei();
    let place = machine.world.outside().join("my tools");
    std::fs::create_dir_all(place.join("hansei-0.1.0")).unwrap();
    // Copied by another process: one of ours that forks meanwhile would keep the copy open, and it could not be run.
    let mut copy = machine.world.command("cp");
    assert!(copy.arg(HANSEI).arg(place.join("hansei-0.1.0/hansei")).status().unwrap().success());
    symlink("hansei-0.1.0/hansei", place.join("hansei")).unwrap();
    let install = |program: PathBuf| Ran::of(machine.command(program).args(["install", "codex"]), b"");
    let versioned = install(place.join("hansei-0.1.0/hansei"));
    assert!(versioned.code == 3 && versioned.stderr.contains("names a version"), "{}", versioned.stderr);
    assert!(!machine.home(".codex").exists());
    assert_eq!(install(place.join("hansei")).code, 0);
    let hooks: serde_json::Value = serde_json::from_str(&text(&machine.home(".codex/hooks.json"))).unwrap();
    let command = hooks["hooks"]["Stop"][0]["hooks"][0]["command"].as_str().unwrap();
    assert_eq!(command, format!("'{}' hook codex stop --mode solo", place.join("hansei").display()));
    let ran = Ran::of(machine.command("sh").args(["-c", command]), &payload(&machine.world.repo, "s1"));
    assert_eq!((ran.code, ran.stderr.as_str(), machine.world.sidecars().len()), (0, "", 1));
}

#[test]
fn a_team_repository_works_with_and_without_hansei_and_across_upgrades() {
    let machine = Machine::new();
    let theirs = "{\n    \"hooks\": {\n        \"Stop\": [ { \"hooks\": [ { \"type\": \"command\", \"command\": \"theirs\" } ] } ]\n    }\n}\n";
    machine.world.write(".codex/hooks.json", theirs);
    machine.world.commit("Their hooks");
    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        machine.fine(&["install", agent, "--scope", "project"]);
    }
    assert_eq!(machine.home_now(), Vec::new(), "nothing outside of the project");
    let status = machine.world.git(&["status", "--porcelain", "--untracked-files=all"]);
    assert!(!status.contains(".hansei/"), "records are not committed: {status}");
    machine.world.commit("Hansei for everybody");
    let hooks: serde_json::Value =
        serde_json::from_str(&text(&machine.world.path(".codex/hooks.json"))).unwrap();
    assert_eq!(hooks["hooks"]["Stop"][0]["hooks"][0]["command"], "theirs", "trust hangs on the place");
    let command = hooks["hooks"]["Stop"][1]["hooks"][0]["command"].as_str().unwrap().to_owned();

    // A teammate in a folder with a space, first without Hansei, then with it.
    let clone = machine.world.outside().join("my clone");
    machine.world.git(&["clone", "--quiet", ".", clone.to_str().unwrap()]);
    let long = [payload(&clone, "s1"), vec![b' '; 200_000]].concat();
    let call = || Ran::of(machine.command("sh").args(["-c", &command]).current_dir(&clone), &long);
    std::fs::remove_file(machine.bin().join("hansei")).unwrap();
    let ran = call();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    assert!(!clone.join(".hansei").exists());
    symlink(HANSEI, machine.bin().join("hansei")).unwrap();
    let ran = call();
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "", ""));
    assert!(clone.join(".hansei/reflections").exists());

    // An upgrade is another program under the same name: nothing in the project changes.
    std::fs::remove_file(machine.bin().join("hansei")).unwrap();
    let upgraded = machine.bin().join("hansei");
    // By another process: a program that this one has open for writing, as has whatever it starts meanwhile, is busy.
    assert!(machine.command("cp").arg(HANSEI).arg(&upgraded).status().unwrap().success());
    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        let ran = Ran::of(machine.command(&upgraded).args(["install", agent, "--scope", "project"]), b"");
        assert!(ran.stdout.contains("already installed"), "{}{}", ran.stdout, ran.stderr);
    }
    assert_eq!(machine.world.git(&["status", "--porcelain"]), "");

    for agent in ["claude-code", "codex", "gemini", "opencode", "kilo"] {
        machine.fine(&["uninstall", agent, "--scope", "project"]);
    }
    assert_eq!(text(&machine.world.path(".codex/hooks.json")), theirs);
    for gone in [".claude", ".gemini", ".opencode", ".kilo", ".hansei"] {
        assert!(!machine.world.path(gone).exists(), "{gone}");
    }
    // The teammate has no record of what was installed, and gets rid of it all the same.
    let ran = Ran::of(
        machine.command(HANSEI).args(["uninstall", "codex", "--scope", "project"]).current_dir(&clone),
        b"",
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(text(&clone.join(".codex/hooks.json")), theirs);
}

#[test]
fn codex_hooks_go_where_the_others_are() {
    let machine = Machine::new();
    let theirs =
        "model = \"x\"\n\n[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = \"command\"\ncommand = \"theirs\"";
    let config = machine.write_home(".codex/config.toml", theirs);
    machine.fine(&["install", "codex"]);
    assert!(!machine.home(".codex/hooks.json").exists(), "Codex complains about hooks in both files");
    assert!(text(&config).starts_with(theirs) && text(&config).contains("hook codex stop --mode solo"));
    machine.fine(&["install", "codex", "--observe"]);
    assert!(!text(&config).contains("--mode solo"));
    machine.fine(&["uninstall", "codex"]);
    assert_eq!(text(&config), theirs);
    // What Codex itself remembers of hooks is nobody's hook.
    let state = "[hooks.state.\"x:stop:0:0\"]\ntrusted_hash = \"sha256:1\"\n";
    std::fs::write(&config, state).unwrap();
    machine.fine(&["install", "codex"]);
    assert!(machine.home(".codex/hooks.json").exists());
    assert_eq!(text(&config), state);
}

#[test]
fn what_cannot_be_edited_is_refused_and_left() {
    let machine = Machine::new();
    let file = machine.write_home(".claude/settings.json", "{\n  \"hooks\": {,}\n}");
    let ran = machine.run(&["install", "claude-code"]);
    assert!(ran.code == 3 && ran.stderr.contains("settings.json:2:13: "), "{}", ran.stderr);
    assert_eq!(text(&file), "{\n  \"hooks\": {,}\n}");
    let plugin = machine.write_home(".config/opencode/plugin/hansei.js", "export const Mine = 1\n");
    let ran = machine.run(&["install", "opencode"]);
    assert!(ran.code == 3 && ran.stderr.contains("is not Hansei's"), "{}", ran.stderr);
    machine.fine(&["uninstall", "opencode"]);
    assert!(plugin.exists());
    // A plugin of ours that somebody worked on is kept.
    machine.fine(&["install", "kilo"]);
    let plugin = machine.home(".config/kilo/plugin/hansei.js");
    let worked_on = text(&plugin) + "// mine\n";
    std::fs::write(&plugin, &worked_on).unwrap();
    machine.fine(&["uninstall", "kilo"]);
    assert!(!plugin.exists());
    assert_eq!(text(&machine.home(".local/state/hansei/backups/kilo-1-hansei.js")), worked_on);
    // A repository that leads elsewhere.
    let outside = machine.write_home("victim.json", "{}");
    std::fs::create_dir(machine.world.path(".gemini")).unwrap();
    symlink(&outside, machine.world.path(".gemini/settings.json")).unwrap();
    let ran = machine.run(&["install", "gemini", "--scope", "project"]);
    assert!(ran.code == 3 && ran.stderr.contains("leads out of the project"), "{}", ran.stderr);
    assert_eq!(text(&outside), "{}");
    // The user's own link is followed and stays one.
    let kept = machine.write_home("dotfiles/gemini.json", "{}");
    std::fs::create_dir(machine.home(".gemini")).unwrap();
    symlink(&kept, machine.home(".gemini/settings.json")).unwrap();
    machine.fine(&["install", "gemini"]);
    assert!(machine.home(".gemini/settings.json").is_symlink() && text(&kept).contains("hansei"));
    machine.fine(&["uninstall", "gemini"]);
    assert!(machine.home(".gemini/settings.json").is_symlink() && text(&kept) == "{}");
}

#[test]
fn init_finds_agents_and_changes_nothing_unasked() {
    let machine = Machine::new();
    assert!(machine.fine(&["init"]).starts_with("no agent was found here"));
    machine.agent("codex", "codex-cli 0.166.0");
    std::fs::create_dir(machine.home(".gemini")).unwrap();
    let before = machine.home_now();
    let told = machine.fine(&["init"]);
    assert!(
        told.contains("would be installed in Codex") && told.contains("would be installed in Gemini CLI"),
        "{told}"
    );
    assert!(!told.contains("Claude") && told.contains("nothing was changed"), "{told}");
    assert_eq!(machine.home_now(), before);
    let json = Ran::of(machine.command(HANSEI).args(["init", "--yes", "--observe", "--json"]), b"").json();
    assert_eq!(json.as_array().unwrap().len(), 2);
    assert!(text(&machine.home(".codex/hooks.json")).contains("--mode orchestrated"));
    assert!(text(&machine.home(".gemini/settings.json")).contains("--mode orchestrated"));
}

#[test]
fn the_plugin_folder_for_claude_code_says_what_install_says() {
    let machine = Machine::new();
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.fine(&["install", "claude-code", "--scope", "project"]);
    let read = |path: &Path| serde_json::from_str::<serde_json::Value>(&text(path)).unwrap();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/claude-code");
    assert_eq!(
        read(&folder.join("hooks/hooks.json"))["hooks"],
        read(&machine.world.path(".claude/settings.json"))["hooks"]
    );
    assert_eq!(read(&folder.join(".claude-plugin/plugin.json"))["version"], env!("CARGO_PKG_VERSION"));
}
