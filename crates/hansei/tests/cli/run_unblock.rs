//! The ladder of a run through the binary: told, reflected upon, a second look with a clean context, handed up.

use serde_json::{Value, json};

use crate::run_support::{Stage, Told, says};
use crate::support::World;
use crate::verify_support::search_path;

const RATES: &[(&str, &str)] = &[
    ("rates.py", "def total(items):\n    return round(sum(items) * 1.1, 1)\n"),
    ("test_rates.py", "from rates import total\n\n\ndef test_total():\n    assert total([1, 2]) == 3.75\n"),
    ("pyproject.toml", "[project]\nname = \"rates\"\nversion = \"0.1.0\"\n"),
];
const PLAN: &str = "  - text: |\n      goal: total is right\n      steps: [PLANNED-IDEA round to two digits]\n      files: [rates.py]\n";
const WRONG_IDEA: &str = "WRONG-IDEA the rounding is off, so I round to two digits";
/// The system prompt of whoever looks with a clean context.
pub const LOOKS: &str = "unblocks a coding task";
/// What the coder that begins anew is told.
pub const ANEW: &str = "What a second look found";
const FIX: &str = "    tool: { name: str_replace_editor, input: { command: str_replace, path: rates.py, old_str: \"1.1, 1\", new_str: \"1.25, 2\" } }\n";

pub fn packet(hypothesis: &str) -> String {
    json!({
        "kind": "retry_packet_for_coder", "failure_layer": "contract",
        "observations": ["the test expects 3.75 of [1, 2]"], "new_hypothesis": hypothesis,
        "action": "retry", "retry_packet_for_coder": {
            "new_hypothesis": hypothesis, "failure_layer": "contract", "files_to_recheck": ["rates.py"],
            "forced_checklist": ["what is 3.75 / 3?"], "constraints": ["keep the test"],
            "what_not_to_retry": ["rounding"], "decision_memory_notes": [],
        },
    })
    .to_string()
}

/// A rule of the model: what it does when a request looks so.
pub fn when(condition: &Value, does: &str) -> String {
    format!("  - when: {condition}\n{does}")
}

pub fn text(words: &str) -> String {
    format!("    text: {}\n", json!(words))
}

/// Whoever looks with a clean context says this.
pub fn looks(words: &str) -> String {
    when(&json!({ "system": LOOKS }), &text(words))
}

/// The coder that begins anew mends it.
pub fn mends() -> String {
    let fixes = when(&json!({ "body": ANEW, "turn": 0 }), FIX);
    fixes + &when(&json!({ "body": ANEW }), &text("Done."))
}

pub fn model(rules: &str) -> hansei_model_server::ModelServer {
    let (again, wrong) = (says("All done, REALLY-DONE."), says(WRONG_IDEA));
    let script = format!("rules:\n{rules}steps:\n{PLAN}{again}{wrong}{again}");
    let options = hansei_model_server::Options::default();
    hansei_model_server::ModelServer::start(script.parse().unwrap(), options).unwrap()
}

/// A coder that repeats one wrong idea, but for these rules.
pub fn looping(rules: &str) -> Stage {
    let world = World::new();
    for (name, text) in RATES {
        world.write(name, text);
    }
    world.commit("Rates");
    Stage { world, model: model(rules) }
}

pub fn run(stage: &Stage, arguments: &[&str]) -> Told {
    Told::of(stage.command(&[&["--yes"], arguments].concat()).env("PATH", search_path()))
}

#[test]
fn without_the_unblocker_a_coder_that_repeats_one_idea_gives_up() {
    let stage = looping(&(looks(&packet("the rate is 25 %")) + &mends()));
    let told = run(&stage, &["--max-unblocks", "0"]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    assert_eq!(told.count("unblock_started"), 0);
    assert_eq!(told.last()["escalation"]["attempt"], 4, "it is handed up all the same: {}", told.last());
}

#[test]
fn with_it_the_packet_reaches_a_clean_context_and_the_run_goes_green() {
    let stage = looping(&(looks(&packet("the rate is 25 %")) + &mends()));
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    assert_eq!(told.last()["verified"], true);
    let gates: Vec<&Value> = told.all("verified").into_iter().map(|line| &line["gate"]).collect();
    assert_eq!(gates, ["red", "red", "green"]);
    let checks = &told.all("verified")[0]["checks"];
    assert!(checks.as_array().unwrap().iter().any(|check| check["exit_code"] == 1), "{checks}");
    assert_eq!(told.all("unblocked")[0]["answer"]["kind"], "retry_packet_for_coder");
    let requests: Vec<String> = stage.model.stop().iter().map(|request| request.body.to_string()).collect();
    // Plan, work, reflection, work; then the second look, and the coder that begins anew.
    let (before, after) = requests.split_at(5);
    assert!(before[3].contains(WRONG_IDEA), "the old conversation holds what failed");
    let asked = &before[4];
    assert!(asked.contains("<ESCALATION>") && asked.contains("[ATTEMPT: 4]"), "{asked}");
    assert!(asked.contains("def total(items)"), "it sees the clean source that the failure names: {asked}");
    assert!(
        !asked.contains("REALLY-DONE") && !asked.contains("PLANNED-IDEA"),
        "no transcript reaches it: {asked}"
    );
    assert_eq!(after.len(), 2);
    for request in after {
        for part in ["make it so", "the rate is 25 %", "what is 3.75 / 3?", "test_total", "total is right"] {
            assert!(request.contains(part), "{part}: {request}");
        }
        for failed in ["WRONG-IDEA", "REALLY-DONE", "PLANNED-IDEA"] {
            assert!(!request.contains(failed), "{failed} reached the clean context: {request}");
        }
    }
}

#[test]
fn a_second_look_with_the_same_hypothesis_is_refused_and_the_run_is_handed_up() {
    let same = packet("the rate is 25 %");
    let again = packet("The rate is really 25 %!");
    let repaired = when(&json!({ "system": LOOKS, "body": "could not be used" }), &text(&again));
    let stage =
        looping(&(repaired.clone() + &looks(&same) + &when(&json!({ "body": ANEW }), &text("Done."))));
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    let seen = told.all("unblocked");
    assert_eq!(seen.len(), 2);
    assert_eq!(seen[0]["refused"], Value::Null);
    assert_eq!(seen[1]["answer"]["kind"], "need_context");
    let refused = seen[1]["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 2, "one answer, one repair: {refused:?}");
    assert!(refused.iter().all(|why| why.as_str().unwrap().contains("tried before")), "{refused:?}");
    let escalation = &told.last()["escalation"];
    assert!(escalation["request"][0].as_str().unwrap().starts_with("Escalate above reflection layer"));
    let tried = escalation["what_was_tried"].to_string();
    assert!(tried.contains("WRONG-IDEA") && tried.contains("25 %"), "{tried}");
    // Also from outside, for the same failure: the same is refused, another is not.
    let configured = |stage: &Stage| {
        let url = stage.model.url();
        stage.configure(&format!("[unblock]\nmodel = \"anthropic/claude-scripted\"\nbase_url = \"{url}\"\n"));
    };
    let stage = Stage { model: model(&(repaired + &looks(&same))), ..stage };
    configured(&stage);
    let refused = stage.hansei(&["unblock", "--run", "last", "--json"]);
    let answer: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((refused.code, &answer["kind"]), (1, &json!("need_context")), "{answer}");
    assert!(answer["tried"].to_string().contains("25 %"), "it says what was tried: {answer}");
    let stage = Stage { model: model(&looks(&packet("the test is wrong about tax"))), ..stage };
    configured(&stage);
    let taken = stage.hansei(&["unblock", "--run", "last", "--json"]);
    let answer: Value = serde_json::from_str(&taken.stdout).unwrap();
    assert_eq!((taken.code, &answer["kind"]), (0, &json!("retry_packet_for_coder")), "{answer}");
}

#[test]
fn a_person_sees_the_ladder_and_what_is_handed_up() {
    let stage = looping(&looks("I have no idea."));
    let mut command = stage.command(&["--yes"]);
    let words: Vec<_> = command.get_args().filter(|word| *word != "--json").map(ToOwned::to_owned).collect();
    let mut plain = stage.world.hansei();
    plain.env("ANTHROPIC_API_KEY", "sk-ant-fake-000").env("PATH", search_path()).args(words);
    let ran = crate::support::Ran::of(&mut plain, b"");
    command.env_clear();
    assert_eq!(ran.code, 1);
    for part in
        ["unblock", "NEED_CONTEXT", "<ESCALATION>", "gave_up_after_reflections", "a second look did not help"]
    {
        assert!(
            ran.stderr.contains(part) || ran.stdout.contains(part),
            "{part}: {} {}",
            ran.stdout,
            ran.stderr
        );
    }
}

#[test]
fn a_run_that_ends_in_the_middle_of_a_second_look_takes_it_again() {
    let slow = format!("    delay_ms: 20000\n{}", text(&packet("the rate is 25 %")));
    let stage = looping(&when(&json!({ "system": LOOKS }), &slow));
    let mut beside = crate::run_support::Beside::start(stage.command(&["--yes"]).env("PATH", search_path()));
    let begun = beside.until("unblock_started");
    let name = begun["run"].as_str().unwrap().to_owned();
    beside.child.kill().unwrap();
    beside.end();
    let rules = looks(&packet("the rate is 25 %")) + &mends();
    let stage = Stage { model: model(&rules), ..stage };
    let url = stage.model.url();
    let mut command = stage.world.hansei();
    command
        .env("ANTHROPIC_API_KEY", "sk-ant-fake-000")
        .env("PATH", search_path())
        .args(["resume", &name, "--json", "--base-url", &url]);
    let told = Told::of(&mut command);
    assert_eq!(told.ending(), "complete", "{:?} {}", told.kinds(), told.stderr);
    assert_eq!(told.count("unblocked"), 1);
}
