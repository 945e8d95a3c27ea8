//! Which answers count: nothing that was tried, nothing that a decision rejects, in whatever field it stands.

use serde_json::{Value, json};

use super::answer::{Answer, ContextTarget};
use super::answer_reader::{BadRescue, read_answer};
use super::attempt::RescueMode;
use super::fingerprint::Fingerprint;
use super::layer::FailureLayer;
use super::tried::{Tried, Try};
use super::weighing::{Guard, weigh};
use crate::decision_memory::{BaseUses, Memory, SourceFile};

const LOAD: &str = "# @RATIONALE: types must be exact\n# @REJECTED: `pandas`, because it guesses types\ndef load():\n    return [1, 2, 3]\n";

fn fix() -> Value {
    json!({
        "kind": "environment_fix", "failure_layer": "environment", "observations": ["load.py returns three rows"],
        "new_hypothesis": "data.csv is truncated", "action": "git checkout data.csv",
    })
}

fn packet() -> Value {
    json!({
        "kind": "retry_packet_for_coder", "failure_layer": "contract", "observations": ["rows are texts"],
        "new_hypothesis": "rows arrive as texts", "action": "retry",
        "retry_packet_for_coder": {
            "new_hypothesis": "rows arrive as texts", "failure_layer": "contract", "files_to_recheck": ["load.py"],
            "forced_checklist": ["print one row"], "constraints": ["keep the schema"], "what_not_to_retry": ["casting twice"],
            "decision_memory_notes": [],
        },
    })
}

fn with(mut answer: Value, field: &str, value: Value) -> Value {
    answer[field] = value;
    answer
}

/// A packet with this in one of its fields; its hypothesis is that of the answer as well.
fn in_packet(field: &str, value: Value) -> Value {
    let mut answer = packet();
    if field == "new_hypothesis" {
        answer[field] = value.clone();
    }
    answer["retry_packet_for_coder"][field] = value;
    answer
}

fn weighed(answer: &Value, tried: &Tried) -> Result<Answer, BadRescue> {
    let memory = Memory::of([SourceFile { path: "load.py", text: LOAD }]);
    let text_of = |path: &str| (path == "load.py").then(|| LOAD.to_owned());
    let guard = Guard { memory: &memory, already: &BaseUses::default(), text_of: &text_of };
    let answer = read_answer(&answer.to_string(), RescueMode::Unblocker)?;
    weigh(answer, &Fingerprint::of_text("f"), tried, &guard)
}

#[test]
fn what_was_tried_does_not_count_and_is_told_to_a_packet_that_leaves_it_out() {
    let mut tried = Tried::default();
    let print = Fingerprint::of_text("f");
    let try_of = |hypothesis: &str| Try {
        hypothesis: hypothesis.into(),
        layer: FailureLayer::Contract,
        outcome: String::new(),
    };
    tried.record(&print, &try_of("the parser drops a row"));
    let empty = weighed(&in_packet("what_not_to_retry", json!([])), &tried).unwrap();
    assert_eq!(empty.retry_packet().unwrap().what_not_to_retry, ["the parser drops a row"]);
    let own = weighed(&packet(), &tried).unwrap();
    assert_eq!(own.retry_packet().unwrap().what_not_to_retry, ["casting twice"]);
    tried.record(&print, &try_of("The rows arrive as texts."));
    let again = weighed(&packet(), &tried);
    assert!(matches!(&again, Err(BadRescue::Repeated(same)) if same.tried.len() == 2), "{again:?}");
    let memory = Memory::default();
    let guard = Guard { memory: &memory, already: &BaseUses::default(), text_of: &|_| None };
    let nowhere = Answer::NeedContext(ContextTarget::CleanHandoff);
    assert!(weigh(nowhere, &print, &tried, &guard).is_ok());
}

#[test]
fn a_rejected_path_comes_back_in_no_field() {
    for answer in [
        with(fix(), "action", json!("parse it with `pandas`")),
        with(fix(), "action", json!("Allow pandas in load.py")),
        with(fix(), "new_hypothesis", json!("the csv module cannot; pandas is needed")),
        with(fix(), "new_hypothesis", json!("Only pandas can read this file")),
        with(fix(), "observations", json!(["use pandas instead"])),
        in_packet("new_hypothesis", json!("pandas should be used")),
        in_packet("constraints", json!(["use pandas for reading"])),
        in_packet("files_to_recheck", json!(["use pandas"])),
        in_packet("forced_checklist", json!(["read one row with pandas"])),
        in_packet("decision_memory_notes", json!(["pandas is fine now"])),
    ] {
        let came = weighed(&answer, &Tried::default());
        assert!(
            matches!(&came, Err(BadRescue::Rejected(which)) if which == "load.py:1"),
            "{answer}: {came:?}"
        );
    }
}

#[test]
fn nothing_takes_a_decision_away_whatever_its_kind() {
    for action in [
        "Remove the @REJECTED tag from load.py",
        "Delete the @RATIONALE line of load.py",
        "Delete the comment in line 2 of load.py that forbids pandas",
        "Delete line 2 of load.py",
        "Lift the ban on pandas",
        "Drop the note that rules against pandas",
        "Ignore the decision about pandas for this task",
    ] {
        for kind in ["environment_fix", "architecture_correction", "contract_correction"] {
            let answer = with(with(fix(), "action", json!(action)), "kind", json!(kind));
            let came = weighed(&answer, &Tried::default());
            assert!(matches!(came, Err(BadRescue::TakesAway(_))), "{kind}: {action}: {came:?}");
        }
        let came = weighed(&in_packet("decision_memory_notes", json!([action])), &Tried::default());
        assert!(matches!(came, Err(BadRescue::TakesAway(_))), "{action}: {came:?}");
    }
}

#[test]
fn only_a_revision_that_names_the_decision_and_its_evidence_is_exempt() {
    let correction = |action: &str, observations: Value| {
        let answer = with(with(fix(), "action", json!(action)), "observations", observations);
        weighed(&with(answer, "kind", json!("contract_correction")), &Tried::default())
    };
    let evidence = || json!(["pandas 2.2 keeps integer types with dtype_backend, measured on data.csv"]);
    let revision = "Revise the decision load.py:1: parse it with `pandas`, whose types are exact since 2.2";
    assert!(correction(revision, evidence()).is_ok());
    assert!(
        correction("Correct the @REJECTED decision in load.py: use `pandas` for reading", evidence()).is_ok()
    );
    for (action, observations) in [
        ("parse it with `pandas`", evidence()),
        ("parse it with `pandas`", json!(["load.py returns three rows"])),
        (revision, json!(["load.py returns three rows"])),
        (revision, json!(["we like pandas 2 better"])),
    ] {
        let came = correction(action, observations);
        assert!(matches!(came, Err(BadRescue::Rejected(_))), "{action}: {came:?}");
    }
    let answer = with(with(fix(), "action", json!(revision)), "observations", evidence());
    assert!(weighed(&answer, &Tried::default()).is_err(), "a fix is no revision");
}

#[test]
fn what_keeps_to_a_decision_stays_quiet() {
    for answer in [
        fix(),
        packet(),
        with(fix(), "new_hypothesis", json!("pandas is not used, so types come from the csv module")),
        with(fix(), "new_hypothesis", json!("The csv module reads numbers as texts, unlike pandas")),
        with(
            fix(),
            "observations",
            json!(["requirements.txt does not list pandas", "legacy/report.py uses pandas"]),
        ),
        with(fix(), "action", json!("remove the last import of pandas from tests/test_import.py")),
        with(fix(), "action", json!("delete the comment in line 9 of load.py")),
        in_packet(
            "decision_memory_notes",
            json!(["keep avoiding pandas", "load.py:1 rejects `pandas`; it stays rejected"]),
        ),
        in_packet("decision_memory_notes", json!(["do not remove the @REJECTED tag in load.py"])),
        in_packet("what_not_to_retry", json!(["use pandas", "parsing with pandas"])),
        in_packet("constraints", json!(["no pandas", "use the csv module instead of pandas"])),
        in_packet("forced_checklist", json!(["check that pandas is not imported"])),
    ] {
        let came = weighed(&answer, &Tried::default());
        assert!(came.is_ok(), "{answer}: {came:?}");
    }
}

#[test]
fn a_proof_patch_is_checked_like_any_change() {
    let patched = |kind: &str, hunk: &str| {
        let patch = format!("--- a/load.py\n+++ b/load.py\n{hunk}");
        let answer = with(with(fix(), "proof_patch", json!(patch)), "kind", json!(kind));
        weighed(&answer, &Tried::default())
    };
    for kind in ["environment_fix", "contract_correction"] {
        for hunk in [
            "@@ -1,4 +1,3 @@\n # @RATIONALE: types must be exact\n-# @REJECTED: `pandas`, because it guesses types\n def load():\n     return [1, 2, 3]\n",
            "@@ -1,1 +1,1 @@\n # @RATIONALE: types must be exact\n-# @REJECTED: `pandas`, because it guesses types\n",
            "@@ def load():\n-# @REJECTED: `pandas`, because it guesses types\n+# see the wiki\n",
        ] {
            let came = patched(kind, hunk);
            assert!(matches!(came, Err(BadRescue::TakesAway(_))), "{hunk}: {came:?}");
        }
        for hunk in [
            "@@ -3,2 +3,3 @@\n def load():\n-    return [1, 2, 3]\n+    import pandas\n+    return list(pandas.read_csv(\"data.csv\"))\n",
            "@@ -30,1 +30,1 @@\n def load():\n-    return [1, 2, 3]\n+    import pandas as pd\n+    return pd.read_csv(\"data.csv\")\n",
        ] {
            let came = patched(kind, hunk);
            assert!(matches!(came, Err(BadRescue::Rejected(_))), "{hunk}: {came:?}");
        }
    }
    for hunk in [
        "@@ -3,2 +3,2 @@\n def load():\n-    return [1, 2, 3]\n+    return [1, 2, 3, 4]\n",
        "@@ -7,1 +9,1 @@\n-    return [1, 2, 3]\n+    return [1, 2, 3, 4]\n",
    ] {
        let came = patched("environment_fix", hunk);
        assert!(came.is_ok(), "{hunk}: {came:?}");
    }
}
