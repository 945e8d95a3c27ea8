//! `hansei unblock` and what was tried: one hypothesis an answer, none twice for a failure, and a failure is known by what
//! is known of it.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::unblock::{Clinic, ESCALATION, always, fix, when};

fn packet(outer: &str, inner: &str) -> Value {
    let mut answer: Value = serde_json::from_str(&fix(outer, "retry")).unwrap();
    answer["kind"] = json!("retry_packet_for_coder");
    answer["retry_packet_for_coder"] = json!({
        "new_hypothesis": inner, "failure_layer": "environment", "files_to_recheck": ["load.py"],
        "forced_checklist": [], "constraints": [], "what_not_to_retry": [], "decision_memory_notes": [],
    });
    answer
}

#[test]
fn an_answer_has_one_hypothesis() {
    let two = packet("the data file is stale", "rows arrive as text").to_string();
    let one = packet("rows arrive as text", "Rows arrive as text.").to_string();
    let clinic = Clinic::with(&[&when("there are two hypotheses", &one), &always(&two)]);
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["new_hypothesis"]), (0, &json!("rows arrive as text")), "{answer}");
    assert!(answer["refused"][0].as_str().unwrap().contains("two hypotheses"), "{answer}");
    assert_eq!(answer["retry_packet_for_coder"]["new_hypothesis"], "rows arrive as text");
}

#[test]
fn a_packet_without_its_seven_fields_is_asked_for_again_and_known_tries_are_put_in() {
    let whole = packet("rows arrive as text", "rows arrive as text");
    let mut part = whole.clone();
    part["retry_packet_for_coder"].as_object_mut().unwrap().remove("constraints");
    let clinic = Clinic::with(&[
        &when("\\\"constraints\\\" is missing", &whole.to_string()),
        &always(&part.to_string()),
    ]);
    let (code, answer) = clinic.ask(&[]);
    assert_eq!(code, 0, "{answer}");
    assert!(answer["refused"][0].as_str().unwrap().contains("constraints"), "{answer}");
    let packet = &answer["retry_packet_for_coder"];
    assert_eq!(
        packet["what_not_to_retry"],
        json!(["the parser drops the last row"]),
        "what the coder tried: {packet}"
    );
    assert_eq!(packet["constraints"], json!([]));
}

#[test]
fn no_number_of_tries_makes_an_old_one_new() {
    let clinic = Clinic::with(&[&always(&fix("the parser drops the last row", "mend it"))]);
    let (_, first) = clinic.ask(&[]);
    let fingerprint = first["fingerprint"].as_str().unwrap();
    let mut log = String::new();
    for n in 0..90 {
        let line = json!({
            "v": 1, "seq": n + 1, "time": "2026-11-16T10:00:00.000000Z", "kind": "rescue_proposed",
            "fingerprint": fingerprint, "attempt": 1, "answer": "environment_fix",
            "hypothesis": format!("VARIABLE_{n} is not set"), "layer": "environment",
        });
        let _ = writeln!(log, "{line}");
    }
    let file = clinic.world.path(".hansei/log/~workspace.jsonl");
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, &log).unwrap();
    let (code, answer) = clinic.ask(&[]);
    assert_eq!(code, 1, "{answer}");
    assert!(answer["refused"][0].as_str().unwrap().contains("the parser drops the last row"), "{answer}");
    let told = answer["tried"].as_array().unwrap();
    assert_eq!(told.len(), 20, "what is told has a bound");
    assert!(told.iter().any(|one| one["hypothesis"] == "VARIABLE_89 is not set"), "{told:?}");
}

#[test]
fn a_finding_that_was_tried_is_refused_with_what_was_tried() {
    let clinic = Clinic::with(&[]);
    clinic.world.write(
        "load.py",
        "import os\n\nROWS = int(os.environ[\"IMPORT_ROWS\"])\n\ndef load():\n    return [0] * ROWS\n",
    );
    clinic.world.commit("Rows by a variable");
    clinic.put("error.txt", "load.py:3: in <module>\nE   KeyError: 'IMPORT_ROWS'\n");
    assert_eq!(clinic.ask(&[]).0, 0);
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["kind"]), (1, &json!("need_context")), "{answer}");
    for field in ["refused", "reason", "tried"] {
        assert!(answer[field].to_string().contains("IMPORT_ROWS"), "{field}: {answer}");
    }
    let file = |name: &str| clinic.world.outside().join(name).to_string_lossy().into_owned();
    let (escalation, task, error) = (file("escalation.md"), file("task.md"), file("error.txt"));
    let command = "pytest -q tests/test_import.py";
    let ran = clinic
        .hansei(&["--escalation", &escalation, "--task", &task, "--command", command, "--error", &error], "");
    assert_eq!(
        ran.stdout.trim(),
        "[NEED_CONTEXT: an unblocker model]",
        "one allowed output, and nothing else"
    );
    assert!(
        ran.stderr.contains("tried before") && ran.stderr.contains("tried for this failure"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("the parser drops the last row"),
        "the coder's own tries too: {}",
        ran.stderr
    );
}

/// What comes of a handoff without output, for a payload and these arguments.
fn silent(clinic: &Clinic, payload: &str, more: &[&str]) -> (i32, Value) {
    clinic.put("silent.md", payload);
    let file = |name: &str| clinic.world.outside().join(name).to_string_lossy().into_owned();
    let (escalation, task) = (file("silent.md"), file("task.md"));
    let mut arguments = vec!["--json", "--escalation", &escalation, "--task", &task];
    arguments.extend(more);
    let ran = clinic.hansei(&arguments, "");
    (ran.code, serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{} {}", ran.stdout, ran.stderr)))
}

#[test]
fn failures_of_which_nothing_was_printed_are_known_by_their_payload() {
    let clinic = Clinic::with(&[&always(&fix("DATABASE_URL is not set", "export DATABASE_URL=x"))]);
    let login = ESCALATION.replace("test_import is still red", "test_login is still red");
    for command in [&[][..], &["--command", "pytest -q"]] {
        let (code, first) = silent(&clinic, ESCALATION, command);
        assert_eq!(code, 0, "{first}");
        let (code, other) = silent(&clinic, &login, command);
        assert_eq!(code, 0, "another failure has receipts of its own: {other}");
        assert_ne!(first["fingerprint"], other["fingerprint"]);
        assert_eq!(silent(&clinic, ESCALATION, command).0, 1, "the same failure does not");
    }
}

#[test]
fn an_exit_code_is_part_of_a_failure_and_may_be_left_out() {
    let clinic = Clinic::with(&[&always(&fix("DATABASE_URL is not set", "export DATABASE_URL=x"))]);
    assert_eq!(clinic.ask(&["--exit-code", "137"]).0, 0);
    let (code, answer) = clinic.ask(&[]);
    assert_eq!(code, 1, "who does not know the code means the same failure: {answer}");
    assert_eq!(clinic.ask(&["--exit-code", "139"]).0, 0, "another code is another failure");
    let prints: Vec<Value> = [&["--exit-code", "1"][..], &["--exit-code", "2"], &[]]
        .iter()
        .map(|more| clinic.ask(more).1["fingerprint"].clone())
        .collect();
    assert_eq!((&prints[0], &prints[1]), (&prints[1], &prints[2]), "that it failed says nothing more");
    clinic.put("error.txt", "error: the server left\nprocess exited with code 7\n");
    let (said, given) = (clinic.ask(&[]).1, clinic.ask(&["--exit-code", "7"]).1);
    assert_eq!(said["fingerprint"], given["fingerprint"], "what was printed says it");
    assert!(said["fingerprint"].as_str().unwrap().ends_with("-7"), "{said}");
}
