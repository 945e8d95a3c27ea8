//! `hansei unblock`: the trigger, the clean handoff, the modes, the answers, and what is refused.

use std::fmt::Write as _;

use hansei_model_server::{ModelServer, Options};
use serde_json::{Value, json};

use crate::support::{Ran, World};

pub(crate) const ESCALATION: &str = "<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 4]\ntask_scope: make the import pass\nsuspected_failure_layer:\n- unknown\nwhat_was_tried:\n- the parser drops the last row\nwhat_did_not_work:\n- test_import is still red\n</ESCALATION>\n";
pub(crate) const ERROR: &str =
    "FAILED tests/test_import.py::test_import - AssertionError: assert 3 == 4\n1 failed in 0.31s\n";

/// A workspace with a blocked task, and a model that says these steps, where there is one.
pub(crate) struct Clinic {
    pub(crate) world: World,
    model: Option<ModelServer>,
}

impl Clinic {
    pub(crate) fn with(steps: &[&str]) -> Self {
        let world = World::new();
        world.write(
            "tests/test_import.py",
            "from load import load\n\ndef test_import():\n    assert len(load()) == 4\n",
        );
        world.write("load.py", "def load():\n    return [1, 2, 3]\n");
        world.commit("Import");
        for (name, text) in
            [("escalation.md", ESCALATION), ("task.md", "Make test_import pass.\n"), ("error.txt", ERROR)]
        {
            std::fs::write(world.outside().join(name), text).unwrap();
        }
        let model = (!steps.is_empty()).then(|| {
            // Rules, because each question is a conversation of its own.
            let script = format!("rules:\n{}steps: []\n", steps.concat());
            ModelServer::start(script.parse().unwrap(), Options::default()).unwrap()
        });
        if let Some(model) = &model {
            let folder = world.outside().join("home/.config/hansei");
            std::fs::create_dir_all(&folder).unwrap();
            let url = model.url();
            let text = format!("[unblock]\nmodel = \"anthropic/claude-scripted\"\nbase_url = \"{url}\"\n");
            std::fs::write(folder.join("config.toml"), text).unwrap();
        }
        Self { world, model }
    }

    pub(crate) fn put(&self, name: &str, text: &str) {
        std::fs::write(self.world.outside().join(name), text).unwrap();
    }

    pub(crate) fn hansei(&self, arguments: &[&str], input: &str) -> Ran {
        let mut command = self.world.hansei();
        command.env("ANTHROPIC_API_KEY", "sk-ant-fake-000").arg("unblock").args(arguments);
        Ran::of(&mut command, input.as_bytes())
    }

    /// With a whole handoff, and these arguments more.
    pub(crate) fn ask(&self, more: &[&str]) -> (i32, Value) {
        let file = |name: &str| self.world.outside().join(name).to_string_lossy().into_owned();
        let (escalation, task, error) = (file("escalation.md"), file("task.md"), file("error.txt"));
        let mut arguments = vec![
            "--json",
            "--escalation",
            &escalation,
            "--task",
            &task,
            "--command",
            "pytest -q tests/test_import.py",
            "--error",
            &error,
        ];
        arguments.extend(more);
        let ran = self.hansei(&arguments, "");
        let answer =
            serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr));
        (ran.code, answer)
    }

    pub(crate) fn heard(self) -> Vec<String> {
        self.model
            .map(|model| model.stop().iter().map(|request| request.body.to_string()).collect())
            .unwrap_or_default()
    }
}

/// The answer to a question that holds `part`.
pub(crate) fn when(part: &str, words: &str) -> String {
    format!("  - when: {}\n    text: {}\n", json!({ "body": part }), json!(words))
}

pub(crate) fn always(words: &str) -> String {
    when("", words)
}

pub(crate) fn fix(hypothesis: &str, action: &str) -> String {
    json!({
            "kind": "environment_fix", "failure_layer": "environment", "observations": ["load.py returns three rows"],
            "new_hypothesis": hypothesis, "action": action, "retry_packet_for_coder": null,
            "target": null, "contradictions": [], "proof_patch": null,
        })
        .to_string()
}

#[test]
fn a_missing_trigger_is_misrouted() {
    let clinic = Clinic::with(&[]);
    let ran = clinic.hansei(&[], "");
    assert_eq!((ran.code, ran.stdout.trim()), (1, "[NEED_CONTEXT: escalation_payload]"));
    clinic.put("escalation.md", &ESCALATION.replace("[ATTEMPT: 4]", "[ATTEMPT: 3]"));
    let (code, answer) = clinic.ask(&[]);
    assert_eq!(
        (code, &answer["target"]),
        (1, &json!("escalation_payload")),
        "below 4 the coder may still try"
    );
    clinic.put("escalation.md", &ESCALATION.replace("status: blocked", "status: fine"));
    assert_eq!(clinic.ask(&[]).1["target"], "escalation_payload");
}

#[test]
fn a_polluted_handoff_is_refused() {
    let clinic = Clinic::with(&[]);
    let turns = "User: it is still red\nAssistant: I now think that the loop drops a row\n".repeat(12);
    clinic.put("context.md", &turns);
    let context = clinic.world.outside().join("context.md").to_string_lossy().into_owned();
    let (code, answer) = clinic.ask(&["--context", &context]);
    assert_eq!(
        (code, &answer["kind"], &answer["target"]),
        (1, &json!("need_context"), &json!("clean_handoff"))
    );
    clinic.put("context.md", "[CHECKLIST]\n- [x] the file has four rows\n");
    assert_ne!(clinic.ask(&["--context", &context]).1["target"], "clean_handoff");
}

#[test]
fn a_handoff_without_its_parts_says_which_is_missing() {
    let clinic = Clinic::with(&[]);
    let escalation = clinic.world.outside().join("escalation.md").to_string_lossy().into_owned();
    let ran = clinic.hansei(&["--escalation", &escalation], "");
    assert_eq!((ran.code, ran.stdout.trim()), (1, "[NEED_CONTEXT: original_task]"));
    assert_eq!(clinic.ask(&["--snapshot", "no-such-branch"]).1["target"], "source_snapshot");
    assert_eq!(clinic.ask(&["--snapshot", "HEAD..HEAD~1"]).1["target"], "source_snapshot");
}

#[test]
fn without_a_model_nothing_is_made_up() {
    let (code, answer) = Clinic::with(&[]).ask(&[]);
    assert_eq!(
        (code, &answer["kind"], &answer["target"]),
        (1, &json!("need_context"), &json!("an unblocker model"))
    );
    assert_eq!(answer["new_hypothesis"], Value::Null);
}

#[test]
fn without_a_model_the_strongest_finding_is_the_answer_and_not_twice() {
    let clinic = Clinic::with(&[]);
    clinic.world.write(
        "load.py",
        "import os\n\nROWS = int(os.environ[\"IMPORT_ROWS\"])\n\ndef load():\n    return [0] * ROWS\n",
    );
    clinic.world.commit("Rows by a variable");
    clinic.put(
        "error.txt",
        "load.py:3: in <module>\n    ROWS = int(os.environ[\"IMPORT_ROWS\"])\nE   KeyError: 'IMPORT_ROWS'\n",
    );
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (0, &json!("environment_fix")), "{answer}");
    assert!(answer["new_hypothesis"].as_str().unwrap().contains("IMPORT_ROWS"), "{answer}");
    assert!(answer["action"].as_str().unwrap().contains("IMPORT_ROWS"), "{answer}");
    assert!(answer["observations"][0].as_str().unwrap().contains("load.py:3"), "{answer}");
    let (code, answer) = clinic.ask(&[]);
    assert_eq!(
        (code, &answer["kind"]),
        (1, &json!("need_context")),
        "it was proposed, and did not help: {answer}"
    );
}

#[test]
fn a_model_answers_from_the_clean_handoff_alone() {
    let clinic =
        Clinic::with(&[&always(&fix("load.py reads a file of three rows", "git checkout data.csv"))]);
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (0, &json!("environment_fix")), "{answer}");
    for field in ["failure_layer", "observations", "new_hypothesis", "action", "retry_packet_for_coder"] {
        assert!(answer.get(field).is_some(), "{field}");
    }
    let heard = clinic.heard();
    assert_eq!(heard.len(), 1);
    for part in
        ["Make test_import pass", "[ATTEMPT: 4]", "pytest -q tests/test_import.py", "from load import load"]
    {
        assert!(heard[0].contains(part), "{part}: {}", heard[0]);
    }
}

#[test]
fn the_model_is_asked_without_chance() {
    let clinic = Clinic::with(&[&always(&fix("the fourth row is blank", "add the fourth row"))]);
    clinic.ask(&[]);
    let heard = clinic.heard();
    assert!(!heard.is_empty());
    for body in heard {
        let body: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(body["temperature"].as_f64(), Some(0.0), "{body}");
    }
}

#[test]
fn every_kind_of_answer_comes_through_and_only_ways_on_exit_0() {
    let packet = json!({
        "new_hypothesis": "rows arrive as text", "failure_layer": "contract", "files_to_recheck": ["load.py"],
        "forced_checklist": ["print one row"], "constraints": [], "what_not_to_retry": ["the parser"],
        "decision_memory_notes": [],
    });
    for (kind, more, code) in [
        ("contract_correction", json!({}), 0),
        ("architecture_correction", json!({}), 0),
        ("environment_fix", json!({}), 0),
        ("test_harness_fix", json!({}), 0),
        ("retry_packet_for_coder", json!({ "retry_packet_for_coder": packet }), 0),
        ("need_context", json!({ "target": "the data file" }), 1),
        ("coherence_check_failed", json!({ "contradictions": ["the task says 4 rows, the file has 3"] }), 1),
    ] {
        let mut said = json!({
            "kind": kind, "failure_layer": "contract", "observations": ["load.py returns three rows"],
            "new_hypothesis": "rows arrive as text", "action": "look at one",
        });
        for (key, value) in more.as_object().unwrap() {
            said[key] = value.clone();
        }
        let (exit, answer) = Clinic::with(&[&always(&said.to_string())]).ask(&[]);
        assert_eq!((exit, answer["kind"].as_str()), (code, Some(kind)), "{answer}");
    }
}

#[test]
fn the_third_rescue_questions_what_it_was_given_and_the_fourth_only_hands_up() {
    let clinic = Clinic::with(&[
        &when("Stop trusting", &fix("the data file is another one", "look")),
        &always(&fix("the clock is wrong", "set it")),
    ]);
    assert_eq!(clinic.ask(&["--attempt", "2"]).0, 0);
    assert_eq!(clinic.ask(&["--attempt", "3"]).0, 0);
    let (code, answer) = clinic.ask(&["--attempt", "4"]);
    assert_eq!((code, &answer["kind"]), (1, &json!("escalation")));
    let text = answer["escalation"].as_str().unwrap();
    assert!(text.starts_with("<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 4]\n"), "{text}");
    assert!(text.contains("the data file is another one"), "what was proposed before is in it: {text}");
    assert!(text.contains("Escalate above reflection layer. Do not re-run coder or reflection"), "{text}");
    assert_eq!(answer["retry_packet_for_coder"], Value::Null, "nothing speculative beside it");
    let heard = clinic.heard();
    assert_eq!(heard.len(), 2, "the fourth asks nobody");
    assert!(!heard[0].contains("Stop trusting the current rescue hypothesis"));
    assert!(heard[1].contains("Stop trusting the current rescue hypothesis"));
}

#[test]
fn what_was_tried_for_the_same_failure_is_refused_whatever_it_looks_like() {
    let same = fix("the data file has three rows", "git checkout data.csv");
    let clinic = Clinic::with(&[&always(&same)]);
    assert_eq!(clinic.ask(&[]).0, 0);
    clinic.put("error.txt", &ERROR.replace("0.31s", "2.07s"));
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (1, &json!("need_context")), "{answer}");
    assert!(answer["refused"].to_string().contains("tried before"), "{answer}");
    assert!(answer["tried"].to_string().contains("three rows"), "{answer}");
    // What the coder tried is no new hypothesis either.
    let coders = fix("The parser drops the last row", "mend it");
    let clinic = Clinic::with(&[&always(&coders)]);
    assert!(clinic.ask(&[]).1["refused"].to_string().contains("tried before"));
}

#[test]
fn a_rejected_path_is_not_proposed_and_a_formal_revision_is() {
    let shortcut = fix("csv is too strict", "parse it with `pandas`");
    let mut revision: Value = serde_json::from_str(&shortcut).unwrap();
    revision["kind"] = json!("contract_correction");
    revision["action"] = json!("Revise the decision load.py:1: parse it with `pandas`");
    revision["observations"] = json!(["pandas 2.2 keeps the types of data.csv, measured"]);
    let revision = revision.to_string();
    let clinic = Clinic::with(&[&when("SAY-IT-FORMALLY", &revision), &always(&shortcut)]);
    clinic.world.write(
        "load.py",
        "# @REJECTED: `pandas`, because it guesses types\ndef load():\n    return [1, 2, 3]\n",
    );
    clinic.world.commit("Decide");
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (1, &json!("need_context")));
    assert!(answer["refused"].to_string().contains("decision rejects"), "{answer}");
    clinic.put("task.md", "Make test_import pass. SAY-IT-FORMALLY\n");
    assert_eq!(clinic.ask(&[]).1["kind"], "contract_correction");
    let heard = clinic.heard();
    assert!(heard[0].contains("rejects: `pandas`") || heard[0].contains("pandas"), "{}", heard[0]);
}

#[test]
fn a_task_against_a_decision_is_incoherent_before_anybody_is_asked() {
    let clinic = Clinic::with(&[&always(&fix("a", "b"))]);
    clinic.world.write(
        "load.py",
        "# @REJECTED: `pandas`, because it guesses types\ndef load():\n    return [1, 2, 3]\n",
    );
    clinic.world.commit("Decide");
    clinic.put("task.md", "Use `pandas` to read the rows.\n");
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (1, &json!("coherence_check_failed")), "{answer}");
    assert!(answer["contradictions"][0].as_str().unwrap().contains("the original task"), "{answer}");
    assert_eq!(clinic.heard().len(), 0);
}

#[test]
fn secrets_reach_neither_the_model_nor_the_record() {
    let secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    let clinic = Clinic::with(&[&always(&fix(&format!("the token {secret} has expired"), "renew it"))]);
    clinic.put("task.md", &format!("Make it pass with {secret}.\n"));
    let (code, answer) = clinic.ask(&[]);
    assert!(code == 0 && !answer.to_string().contains(secret), "{answer}");
    for form in [&["--attempt", "4"][..], &["--attempt", "4", "--json"]] {
        let ran = clinic.hansei(&[&["--task", "-"], form].concat(), &format!("Renew {secret}.\n"));
        assert!(ran.stdout.contains("Renew") && !ran.stdout.contains(secret), "{}", ran.stdout);
    }
    let log = std::fs::read_to_string(clinic.world.path(".hansei/log/~workspace.jsonl")).unwrap();
    assert!(log.contains("rescue_proposed") && !log.contains(secret), "{log}");
    assert!(!clinic.heard()[0].contains(secret));
}

#[test]
fn wrong_use_says_what_is_wrong() {
    let clinic = Clinic::with(&[]);
    for (arguments, part) in [
        (&["--attempt", "0"][..], "0"),
        (&["--escalation", "-", "--task", "-"], "only one"),
        (&["--escalation", "no-such-file"], "no-such-file"),
        (&["--run", "no-such-run"], "no run"),
        (&["--workspace", "no-such-folder"], "not a folder"),
    ] {
        let ran = clinic.hansei(arguments, "");
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{arguments:?}: {}", ran.stderr);
    }
    let ran = clinic.hansei(&["--escalation", "-"], ESCALATION);
    assert_eq!(ran.stdout.trim(), "[NEED_CONTEXT: original_task]", "standard input is read");
}

/// The fingerprint of a failure, as `hansei unblock` tells it.
fn fingerprint(clinic: &Clinic, command: &str, error: &str) -> String {
    let ran = clinic.hansei(&["--json", "--command", command, "--error", "-"], error);
    let answer: Value =
        serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr));
    answer["fingerprint"].as_str().unwrap().to_owned()
}

#[test]
fn fifty_cosmetic_variations_are_one_failure() {
    let clinic = Clinic::with(&[]);
    let mut seen = std::collections::BTreeSet::new();
    for n in 1..=50 {
        let (paint, plain) = if n % 3 == 0 { ("\u{1b}[31m", "\u{1b}[0m") } else { ("", "") };
        let command =
            ["pytest tests", "python -m pytest -q tests", "CI=1 pytest tests -v", "timeout 60 pytest tests"]
                [n % 4];
        let folder = ["/tmp/pytest-of-ci/pytest-", "/var/folders/zz/T/pytest-", "/tmp/tmp.Xa9"][n % 3];
        let order = ["test_rows", "test_types"];
        let mut error =
            format!("============ test session starts ============\ncollected {} items\n", 7 + n % 2);
        for at in [n % 2, (n + 1) % 2] {
            let _ = write!(
                error,
                "{paint}tests/test_import.py:{}: AssertionError: assert <Row at 0x7f{n:04x}a0> == None{plain}\n\
                 FAILED tests/test_import.py::{} - AssertionError: assert <Row at 0x7f{n:04x}a0> == None\n",
                10 + n,
                order[at],
            );
        }
        let _ =
            write!(error, "wrote {folder}{n}/out.log as pid {}\n2 failed in {}.{n:02}s\n", 4000 + n, n % 7);
        seen.insert(fingerprint(&clinic, command, &error));
    }
    assert_eq!(seen.len(), 1, "{seen:?}");
}

#[test]
fn fifty_different_failures_are_fifty() {
    let clinic = Clinic::with(&[]);
    let mut seen = std::collections::BTreeMap::new();
    let errors = [
        "AssertionError: assert a == b",
        "KeyError: 'RATES_URL'",
        "TypeError: 'NoneType' object is not iterable",
        "ModuleNotFoundError: No module named 'rates'",
        "ConnectionRefusedError: [Errno 111] Connection refused",
    ];
    for test in ["test_rows", "test_types", "test_empty", "test_large", "test_unicode"] {
        for error in errors {
            let output = format!("FAILED tests/test_import.py::{test} - {error}\n1 failed in 0.10s\n");
            seen.insert(fingerprint(&clinic, "pytest tests", &output), output);
        }
    }
    for file in ["src/parse.rs", "src/lex.rs", "src/print.rs", "src/main.rs", "build.rs"] {
        for error in [
            "error[E0308]: mismatched types",
            "error[E0425]: cannot find value `x` in this scope",
            "error[E0432]: unresolved import `a::b`",
            "error[E0599]: no method named `go` found",
            "error[E0277]: the trait bound `A: B` is not satisfied",
        ] {
            let output = format!(
                "{error}\n --> {file}:10:5\nerror: could not compile `demo` (lib) due to 1 previous error\n"
            );
            seen.insert(fingerprint(&clinic, "cargo build", &output), output);
        }
    }
    assert_eq!(seen.len(), 50, "{seen:#?}");
}
