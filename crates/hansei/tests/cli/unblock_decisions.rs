//! `hansei unblock` and decisions: what is rejected comes back in no field of an answer and in no patch, and who is asked is told
//! the decisions that are nearest.

use serde_json::{Value, json};

use crate::unblock::{Clinic, always, fix};

const LOAD: &str = "# @RATIONALE: types must be exact\n# @REJECTED: `pandas`, because it guesses types\ndef load():\n    return [1, 2, 3]\n";

/// A workspace in which `pandas` is rejected, and a model that always says this.
fn deciding(answer: &Value) -> Clinic {
    let clinic = Clinic::with(&[&always(&answer.to_string())]);
    clinic.world.write("load.py", LOAD);
    clinic.world.commit("Decide");
    clinic
}

fn with(field: &str, value: Value) -> Value {
    let mut answer: Value =
        serde_json::from_str(&fix("data.csv is truncated", "git checkout data.csv")).unwrap();
    answer[field] = value;
    answer
}

fn in_packet(field: &str, value: Value) -> Value {
    let mut answer = with("kind", json!("retry_packet_for_coder"));
    answer["retry_packet_for_coder"] = json!({
        "new_hypothesis": "data.csv is truncated", "failure_layer": "environment", "files_to_recheck": ["load.py"],
        "forced_checklist": ["count its lines"], "constraints": [], "what_not_to_retry": [], "decision_memory_notes": [],
    });
    answer["retry_packet_for_coder"][field] = value;
    answer
}

fn correction(action: &str) -> Value {
    let mut answer = with("action", json!(action));
    answer["kind"] = json!("contract_correction");
    answer
}

fn patch(lines: &str) -> Value {
    with("proof_patch", json!(format!("--- a/load.py\n+++ b/load.py\n{lines}")))
}

#[test]
fn no_field_and_no_patch_goes_against_a_decision() {
    for (answer, why) in [
        (
            patch(
                "@@ -1,3 +1,2 @@\n # @RATIONALE: types must be exact\n-# @REJECTED: `pandas`, because it guesses types\n def load():",
            ),
            "take a decision away",
        ),
        (
            patch("@@ -3,2 +3,3 @@\n def load():\n+    import pandas\n     return [1, 2, 3]"),
            "decision rejects",
        ),
        (in_packet("constraints", json!(["use pandas for reading"])), "decision rejects"),
        (in_packet("files_to_recheck", json!(["use pandas"])), "decision rejects"),
        (
            in_packet(
                "decision_memory_notes",
                json!(["remove the @REJECTED tag in load.py; pandas is fine now"]),
            ),
            "take a decision away",
        ),
        (with("new_hypothesis", json!("the csv module cannot; pandas is needed")), "decision rejects"),
        (correction("Remove the @REJECTED tag from load.py"), "take a decision away"),
        (correction("parse it with `pandas`"), "decision rejects"),
        (
            with("action", json!("Delete the comment in line 2 of load.py that forbids pandas")),
            "take a decision away",
        ),
    ] {
        let (code, said) = deciding(&answer).ask(&[]);
        assert_eq!((code, &said["kind"]), (1, &json!("need_context")), "{answer}: {said}");
        assert!(said["refused"][0].as_str().unwrap().contains(why), "{answer}: {said}");
        assert!(said["reason"].as_str().unwrap().contains(why), "{said}");
    }
}

#[test]
fn what_keeps_to_a_decision_comes_through() {
    for answer in [
        patch("@@ -3,2 +3,2 @@\n def load():\n-    return [1, 2, 3]\n+    return [1, 2, 3, 4]"),
        in_packet("decision_memory_notes", json!(["keep avoiding pandas"])),
        in_packet("what_not_to_retry", json!(["use pandas"])),
        in_packet("files_to_recheck", json!(["load.py"])),
        with("new_hypothesis", json!("pandas is not used, so the rows stay texts")),
    ] {
        let (code, said) = deciding(&answer).ask(&[]);
        assert_eq!((code, said.get("refused")), (0, None), "{answer}: {said}");
    }
}

#[test]
fn a_decision_that_was_taken_away_since_the_snapshot_still_binds() {
    let clinic = deciding(&with("action", json!("parse it with `pandas`")));
    let before = clinic.world.git(&["rev-parse", "HEAD"]);
    clinic.world.write("load.py", "def load():\n    return [1, 2, 3]\n");
    clinic.world.commit("Tidy up");
    let (code, said) = clinic.ask(&["--snapshot", before.trim()]);
    assert_eq!(code, 1, "{said}");
    assert!(said["refused"][0].as_str().unwrap().contains("decision rejects"), "{said}");
    assert_eq!(clinic.ask(&[]).0, 0, "the state that is checked out holds it no more");
}

#[test]
fn the_nearest_decisions_are_told_with_their_reasons() {
    let clinic = Clinic::with(&[&always(&fix("data.csv is truncated", "git checkout data.csv"))]);
    for n in 0..40 {
        clinic.world.write(&format!("a{n:02}.py"), format!("# @REJECTED: `far{n:02}` is slow\nx = 1\n"));
    }
    clinic.world.write("load.py", LOAD);
    clinic.world.write(
        "docs/adr/0001-rows.md",
        "# 1. Rows are tuples\n\nStatus: Accepted\n\n## Decision\n\n`load.py` gives rows as tuples.\n",
    );
    clinic.world.commit("Decide");
    clinic.put("error.txt", "load.py:3: KeyError\nE   KeyError: 'row'\n");
    assert_eq!(clinic.ask(&[]).0, 0);
    let heard = clinic.heard();
    for part in ["because it guesses types", "@RATIONALE: types must be exact", "Rows are tuples", "more"] {
        assert!(heard[0].contains(part), "{part}: {}", heard[0]);
    }
}
