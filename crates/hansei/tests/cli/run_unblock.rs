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
const FIX: &str = "  - tool: { name: str_replace_editor, input: { command: str_replace, path: rates.py, old_str: \"1.1, 1\", new_str: \"1.25, 2\" } }\n";

fn packet(hypothesis: &str) -> String {
    says(
        &json!({
            "kind": "retry_packet_for_coder", "failure_layer": "contract",
            "observations": ["the test expects 3.75 of [1, 2]"], "new_hypothesis": hypothesis,
            "action": "retry", "retry_packet_for_coder": {
                "new_hypothesis": hypothesis, "failure_layer": "contract", "files_to_recheck": ["rates.py"],
                "forced_checklist": ["what is 3.75 / 3?"], "constraints": ["keep the test"],
                "what_not_to_retry": ["rounding"], "decision_memory_notes": [],
            },
        })
        .to_string(),
    )
}

/// A coder that repeats one wrong idea, and what comes after it.
fn looping(after: &[&str]) -> Stage {
    let world = World::new();
    for (name, text) in RATES {
        world.write(name, text);
    }
    world.commit("Rates");
    let again = says("All done, REALLY-DONE.");
    let wrong = says(WRONG_IDEA);
    let steps = [PLAN, &again, &wrong, &again];
    Stage::of(world, &format!("steps:\n{}{}", steps.concat(), after.concat()))
}

fn run(stage: &Stage, arguments: &[&str]) -> Told {
    Told::of(stage.command(&[&["--yes"], arguments].concat()).env("PATH", search_path()))
}

#[test]
fn without_the_unblocker_a_coder_that_repeats_one_idea_gives_up() {
    let stage = looping(&[&packet("the rate is 25 %"), FIX, &says("Done.")]);
    let told = run(&stage, &["--max-unblocks", "0"]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    assert_eq!(told.count("unblock_started"), 0);
    assert_eq!(told.last()["escalation"]["attempt"], 4, "it is handed up all the same: {}", told.last());
}

#[test]
fn with_it_the_packet_reaches_a_clean_context_and_the_run_goes_green() {
    let stage = looping(&[&packet("the rate is 25 %"), FIX, &says("Done.")]);
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    assert_eq!(told.last()["verified"], true);
    let gates: Vec<&Value> = told.all("verified").into_iter().map(|line| &line["gate"]).collect();
    assert_eq!(gates, ["red", "red", "green"]);
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
    let stage = looping(&[&same, &says("Done."), &same, &again]);
    let told = run(&stage, &[]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    let looks = told.all("unblocked");
    assert_eq!(looks.len(), 2);
    assert_eq!(looks[0]["refused"], Value::Null);
    assert_eq!(looks[1]["answer"]["kind"], "need_context");
    let refused = looks[1]["refused"].as_array().unwrap();
    assert_eq!(refused.len(), 2, "one answer, one repair: {refused:?}");
    assert!(refused.iter().all(|why| why.as_str().unwrap().contains("tried before")), "{refused:?}");
    let escalation = &told.last()["escalation"];
    assert!(escalation["request"][0].as_str().unwrap().starts_with("Escalate above reflection layer"));
    let tried = escalation["what_was_tried"].to_string();
    assert!(tried.contains("WRONG-IDEA") && tried.contains("25 %"), "{tried}");
    // Also from outside, for the same failure: the same is refused, another is not.
    let stage = Stage { model: model(&[&same, &again, &packet("the test is wrong about tax")]), ..stage };
    let url = stage.model.url();
    stage.configure(&format!("[unblock]\nmodel = \"anthropic/claude-scripted\"\nbase_url = \"{url}\"\n"));
    let refused = stage.hansei(&["unblock", "--run", "last", "--json"]);
    let answer: Value = serde_json::from_str(&refused.stdout).unwrap();
    assert_eq!((refused.code, &answer["kind"]), (1, &json!("need_context")), "{answer}");
    assert!(answer["tried"].to_string().contains("25 %"), "it says what was tried: {answer}");
    let taken = stage.hansei(&["unblock", "--run", "last", "--json"]);
    let answer: Value = serde_json::from_str(&taken.stdout).unwrap();
    assert_eq!((taken.code, &answer["kind"]), (0, &json!("retry_packet_for_coder")), "{answer}");
}

fn model(steps: &[&str]) -> hansei_model_server::ModelServer {
    let script = format!("steps:\n{}", steps.concat());
    hansei_model_server::ModelServer::start(script.parse().unwrap(), hansei_model_server::Options::default())
        .unwrap()
}

#[test]
fn a_person_sees_the_ladder_and_what_is_handed_up() {
    let stage = looping(&[&says("I have no idea."), &says("Still none.")]);
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
    let slow = packet("the rate is 25 %").replacen("  - text", "  - delay: 20s\n    text", 1);
    let stage = looping(&[&slow, &packet("the rate is 25 %"), FIX, &says("Done.")]);
    let mut beside = crate::run_support::Beside::start(stage.command(&["--yes"]).env("PATH", search_path()));
    let begun = beside.until("unblock_started");
    let name = begun["run"].as_str().unwrap().to_owned();
    beside.child.kill().unwrap();
    beside.end();
    let mut command = stage.world.hansei();
    command
        .env("ANTHROPIC_API_KEY", "sk-ant-fake-000")
        .env("PATH", search_path())
        .args(["resume", &name, "--json"]);
    let told = Told::of(&mut command);
    assert_eq!(told.ending(), "complete", "{:?} {}", told.kinds(), told.stderr);
    assert_eq!(told.count("unblocked"), 1);
}
