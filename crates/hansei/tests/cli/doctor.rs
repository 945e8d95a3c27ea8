//! `doctor`: right about what is there, what is wrong, and what mends it.

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::install::Machine;
use crate::support::{HANSEI, Ran, payload};

/// What the doctor says of `agent`, and with which exit code.
fn of(machine: &Machine, agent: &str) -> (i32, Value) {
    let ran = Ran::of(machine.command(HANSEI).args(["doctor", "--json"]), b"");
    let all = ran.json();
    let one = all["agents"].as_array().unwrap().iter().find(|one| one["agent"] == agent).unwrap().clone();
    assert_eq!(ran.code == 0, all["well"].as_bool().unwrap());
    (ran.code, one)
}

fn problems(agent: &Value) -> String {
    let mut said = Vec::new();
    for problem in agent["problems"].as_array().unwrap() {
        let part = |key: &str| problem[key].as_str().unwrap().to_owned();
        said.push(format!("{} → {}\n", part("what"), part("repair")));
    }
    said.concat()
}

fn stop(machine: &Machine, agent: &str) {
    let mut command = machine.command("hansei");
    command.args(["hook", agent, "stop", "--mode", "solo"]);
    assert_eq!(Ran::of(&mut command, &payload(&machine.world.repo, "s1")).code, 0);
}

#[test]
fn nothing_installed() {
    let machine = Machine::new();
    machine.agent("gemini", "0.61.0");
    let ran = machine.run(&["doctor"]);
    assert_eq!(ran.code, 1);
    insta::assert_snapshot!(ran.stdout, @r"
    Claude Code (not on your PATH)
      not installed
    Codex (not on your PATH)
      not installed
    Gemini CLI 0.61.0
      not installed
    OpenCode (not on your PATH)
      not installed
    Kilo (not on your PATH)
      not installed
    Sandbox
      proven     network, local ports, home, temporary files, services, environment, descriptors, repository, settings, system files, capabilities, namespaces, system calls, kernel settings, number of processes, memory, time, end
    wrong      Hansei is not installed in any agent
               run `hansei install gemini`, or `hansei init`
    ");
    assert!(!machine.world.path(".hansei").exists(), "looking leaves no trace");
}

/// A session of Claude Code in `folder`, begun and ended long ago.
fn session(machine: &Machine, name: &str, folder: &std::path::Path) -> std::path::PathBuf {
    let sample = include_str!("../../samples/sample-honest.jsonl");
    let text = sample.replace("/home/you/shop", folder.to_str().unwrap());
    let file = machine.write_home(&format!(".claude/projects/p/{name}.jsonl"), &text);
    written(&file, 3);
    file
}

/// Makes `file` one that was last written so many days after 1 November 2026; the sample session is of the 3rd.
fn written(file: &std::path::Path, days: u64) {
    let first = std::time::UNIX_EPOCH + std::time::Duration::from_hours(498_192);
    let time = first + std::time::Duration::from_hours(24 * days);
    std::fs::File::options().append(true).open(file).unwrap().set_modified(time).unwrap();
}

#[test]
fn hooks_that_had_no_chance_to_fire_yet_and_hooks_that_fired() {
    let machine = Machine::new();
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.fine(&["install", "claude-code"]);
    let (code, claude) = of(&machine, "claude-code");
    assert_eq!((code, &claude["version"], &claude["last_stop"]), (0, &"2.1.325".into(), &Value::Null));
    assert_eq!((problems(&claude).as_str(), &claude["firing"]), ("", &"not_yet".into()));
    let told = machine.fine(&["doctor"]);
    assert!(
        told.contains("  not yet    no stop was captured in this workspace: let Claude Code do a task here"),
        "{told}"
    );
    assert!(told.ends_with("nothing is wrong so far\n"), "{told}");
    stop(&machine, "claude-code");
    let (code, claude) = of(&machine, "claude-code");
    assert_eq!((code, problems(&claude).as_str(), &claude["last_stop"]["mode"]), (0, "", &"solo".into()));
    assert_eq!((&claude["installations"][0]["trusted"], &claude["firing"]), (&"yes".into(), &"yes".into()));
    assert!(machine.fine(&["doctor"]).ends_with("all is well\n"));
    // Another agent's stop is not this one's.
    machine.agent("kilo", "7.7.7");
    machine.fine(&["install", "kilo"]);
    assert_eq!(of(&machine, "kilo").1["firing"], "not_yet");
    assert_eq!(of(&machine, "codex").1["firing"], Value::Null, "not installed");
    let off = Ran::of(machine.command(HANSEI).arg("doctor").env("REFLECTION_MODE", "off"), b"");
    assert!(off.code == 1 && off.stdout.contains("run `unset REFLECTION_MODE`"), "{}", off.stdout);
}

#[test]
fn a_hook_that_never_fired() {
    let machine = Machine::new();
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.fine(&["install", "claude-code"]);
    let settings = machine.home(".claude/settings.json");
    let firing = |machine: &Machine| of(machine, "claude-code").1["firing"].clone();
    // Begun before the hooks were there.
    let repo = machine.world.repo.clone();
    session(&machine, "before", &repo);
    written(&settings, 3);
    assert_eq!(firing(&machine), "not_yet");
    // Elsewhere, and still at work.
    written(&settings, 1);
    std::fs::remove_file(machine.home(".claude/projects/p/before.jsonl")).unwrap();
    session(&machine, "elsewhere", &machine.world.outside().join("other"));
    let at_work = session(&machine, "at-work", &repo);
    std::fs::File::options()
        .append(true)
        .open(&at_work)
        .unwrap()
        .set_modified(std::time::SystemTime::now())
        .unwrap();
    assert_eq!(firing(&machine), "not_yet");
    session(&machine, "silent", &repo.join("src"));
    let (code, claude) = of(&machine, "claude-code");
    assert_eq!((code, &claude["firing"]), (1, &"never".into()));
    assert_eq!(
        problems(&claude),
        "Claude Code worked here once since the hooks were installed, and no stop was captured → run `hansei install claude-code` again, start Claude Code anew and let it do a task\n"
    );
    stop(&machine, "claude-code");
    assert_eq!(of(&machine, "claude-code").0, 0);
}

#[test]
fn untrusted_hooks() {
    let machine = Machine::new();
    machine.agent("codex", "codex-cli 0.166.0");
    machine.fine(&["install", "codex"]);
    stop(&machine, "codex");
    let (code, codex) = of(&machine, "codex");
    assert_eq!(code, 1);
    assert_eq!(
        problems(&codex),
        "Codex does not trust the hooks yet, so it skips them without a word → start `codex`, open /hooks and trust Hansei's hooks\n"
    );
    // As Codex writes it when the user says yes.
    let file = machine.home(".codex/hooks.json");
    let config: String = [
        ("session_start", "session-start", 60),
        ("user_prompt_submit", "prompt", 60),
        ("stop", "stop", 60),
        ("subagent_stop", "subagent-stop", 60),
        ("pre_compact", "compact", 60),
        ("interrupt", "abort", 3),
        ("session_end", "session-end", 3),
    ]
    .map(|(label, event, timeout)| {
        let identity = format!(
            r#"{{"event_name":"{label}","hooks":[{{"async":false,"command":"hansei hook codex {event} --mode solo","timeout":{timeout},"type":"command"}}]}}"#
        );
        let hash = Sha256::digest(identity).iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
        format!("[hooks.state.\"{}:{label}:0:0\"]\ntrusted_hash = \"sha256:{hash}\"\n", file.display())
    })
    .concat();
    machine.write_home(".codex/config.toml", &config);
    let (code, codex) = of(&machine, "codex");
    assert_eq!((code, &codex["installations"][0]["trusted"]), (0, &"yes".into()), "{codex}");
    // Another mode is another hook.
    machine.fine(&["install", "codex", "--observe"]);
    assert!(problems(&of(&machine, "codex").1).contains("trusted other hooks than these"));
    assert_eq!(std::fs::read_to_string(machine.home(".codex/config.toml")).unwrap(), config, "never granted");

    let machine = Machine::new();
    machine.agent("gemini", "0.61.0");
    machine.fine(&["install", "gemini", "--scope", "project"]);
    stop(&machine, "gemini");
    assert_eq!(
        problems(&of(&machine, "gemini").1),
        "Gemini CLI does not trust the hooks yet, so it skips them without a word → start `gemini` in this folder and trust it\n"
    );
    let rule = format!("{{\"{}\": \"TRUST_FOLDER\"}}", machine.world.repo.display());
    machine.write_home(".gemini/trustedFolders.json", &rule);
    assert_eq!(of(&machine, "gemini").0, 0);
}

#[test]
fn an_old_agent_and_one_that_is_gone() {
    let machine = Machine::new();
    machine.agent("claude", "2.1.325 (Claude Code)");
    machine.fine(&["install", "claude-code"]);
    stop(&machine, "claude-code");
    machine.agent("claude", "2.1.44 (Claude Code)");
    let said = problems(&of(&machine, "claude-code").1);
    assert!(said.contains("2.1.44 does not know the event StopFailure and may ignore all hooks"), "{said}");
    assert!(
        said.contains("run `hansei uninstall claude-code --scope user`, then `hansei install claude-code`"),
        "{said}"
    );
    machine.fine(&["uninstall", "claude-code"]);
    machine.fine(&["install", "claude-code"]);
    assert_eq!(of(&machine, "claude-code").0, 0);
    machine.agent("claude", "1.0.20 (Claude Code)");
    let said = problems(&of(&machine, "claude-code").1);
    assert!(said.contains("1.0.20 is older than 1.0.85") && said.contains("run `claude update`"), "{said}");
    std::fs::remove_file(machine.bin().join("claude")).unwrap();
    let said = problems(&of(&machine, "claude-code").1);
    assert!(said.contains("`claude` is not on your PATH"), "{said}");
}

#[test]
fn broken_changed_and_doubled_settings() {
    let machine = Machine::new();
    machine.agent("claude", "2.1.325 (Claude Code)");
    let file = machine.write_home(".claude/settings.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n");
    let (code, claude) = of(&machine, "claude-code");
    assert!(
        code == 1 && problems(&claude).contains("/.claude/settings.json:2:9: expected comma"),
        "{claude}"
    );
    std::fs::remove_file(&file).unwrap();
    machine.fine(&["install", "claude-code"]);
    stop(&machine, "claude-code");
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(
        &file,
        text.replace("claude-code stop --mode solo", "claude-code stop --mode solo --loud"),
    )
    .unwrap();
    let (_, claude) = of(&machine, "claude-code");
    assert_eq!(claude["installations"][0]["modified"], true);
    assert!(problems(&claude).contains("somebody changed Hansei's part of"), "{claude}");
    machine.fine(&["install", "claude-code"]);
    assert_eq!((of(&machine, "claude-code").0, std::fs::read_to_string(&file).unwrap()), (0, text));
    machine.fine(&["install", "claude-code", "--scope", "project"]);
    assert!(problems(&of(&machine, "claude-code").1).contains("in user and in project scope"));
    std::fs::remove_file(machine.bin().join("hansei")).unwrap();
    assert!(problems(&of(&machine, "claude-code").1).contains("`hansei` on your PATH, which is not there"));
}

/// The rows of `rights.tsv`, as fields.
fn rights() -> Vec<Vec<&'static str>> {
    let table = include_str!("../../../hansei-core/src/evidence/rights.tsv");
    let rows = table.lines().filter(|line| !line.starts_with('#'));
    rows.map(|line| line.split('\t').collect()).collect()
}

#[test]
fn every_detector_is_listed_with_its_right_and_the_figures_of_the_table() {
    let machine = Machine::new();
    let page = machine.fine(&["doctor", "--detectors"]);
    let (header, rest) = page.split_once('\n').unwrap();
    let titles: Vec<&str> = header.split("  ").map(str::trim).filter(|title| !title.is_empty()).collect();
    let expected = [
        "detector", "attended", "unattended", "basis", "right runs", "wrong runs", "accepted", "all stops",
        "upheld", "blind: due/not",
    ];
    assert_eq!(titles, expected);
    let (table, words) = rest.split_once("\n\n").unwrap();
    assert!(
        words.starts_with("A detector sends an agent back from the severity that is named on"),
        "{words}"
    );
    let mut shown: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
    let mut wanted: Vec<Vec<String>> = rights().iter().map(|row| as_shown(row)).collect();
    shown.sort_unstable();
    wanted.sort_unstable();
    assert!(wanted.len() >= 40);
    assert_eq!(shown, wanted);
    // One that acts whoever is there, one that acts where nobody is, and one that never does.
    for (name, attended, unattended) in [
        ("check_failed", "high", "medium"),
        ("claim_unsupported", "never", "high"),
        ("check_masked", "never", "never"),
    ] {
        let row = shown.iter().find(|row| row[0] == name).unwrap();
        assert_eq!((row[1], row[2]), (attended, unattended), "{name}");
    }
}

/// A row of the table as people see it.
fn as_shown(row: &[&str]) -> Vec<String> {
    let acts = |from: &str| if from == "-" { "never".to_owned() } else { from.to_owned() };
    let share = |at: usize| format!("{}/{}", row[at], row[at + 1]);
    let upheld = if row[12] == "0" { "-".to_owned() } else { format!("{}/{}", row[13], row[12]) };
    let mut fields = vec![row[0].to_owned(), acts(row[1]), acts(row[2]), row[3].to_owned()];
    fields.extend([4, 6, 8, 10].map(share));
    fields.extend([upheld, share(14)]);
    fields
}

#[test]
fn the_detectors_as_json_are_the_same_table() {
    let machine = Machine::new();
    let told: Value = serde_json::from_str(&machine.fine(&["doctor", "--detectors", "--json"])).unwrap();
    let listed = told["detectors"].as_array().unwrap();
    assert_eq!(listed.len(), rights().len());
    for row in rights() {
        let one = listed.iter().find(|one| one["kind"] == row[0]).unwrap_or_else(|| panic!("{row:?}"));
        let acts = |from: &str| if from == "-" { Value::Null } else { Value::from(from.to_uppercase()) };
        let figures: Vec<u32> = row[4..].iter().map(|figure| figure.parse().unwrap()).collect();
        let wanted = serde_json::json!({
            "kind": row[0], "attended": acts(row[1]), "unattended": acts(row[2]), "basis": row[3],
            "figures": figures,
        });
        assert_eq!(*one, wanted);
    }
}
