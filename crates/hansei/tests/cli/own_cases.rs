//! The cases in `evals/`: what Hansei itself answers to them, through `hansei eval`.

use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::support::World;

const FILES: [&str; 4] =
    ["promptfooconfig.yaml", "stuck-detection.yaml", "post-compression.yaml", "agent-evaluation.yaml"];

fn evals() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals").canonicalize().unwrap()
}

/// How many of the cases of a file pass, of how many, and what failed.
fn passed(folder: &Path, file: &str) -> (usize, usize, Vec<String>) {
    let world = World::without_repository();
    let file = folder.join(file);
    // Results are written beside the file: not into this tree.
    let copy = world.path("evals");
    std::fs::create_dir_all(&copy).unwrap();
    let name = file.file_name().unwrap();
    std::fs::copy(&file, copy.join(name)).unwrap();
    let prompts = copy.join("prompts");
    std::fs::create_dir_all(&prompts).unwrap();
    for prompt in std::fs::read_dir(evals().join("prompts")).unwrap() {
        let prompt = prompt.unwrap().path();
        std::fs::copy(&prompt, prompts.join(prompt.file_name().unwrap())).unwrap();
    }
    let ran = world.run(&["eval", &format!("evals/{}", name.display()), "--provider", "hansei", "--json"]);
    assert!(ran.code <= 1, "{}: {}", file.display(), ran.stderr);
    let results = ran.json()["results"]["results"].as_array().unwrap().clone();
    let failed: Vec<String> = results
        .iter()
        .filter(|result| result["success"] != true)
        .map(|result| result["description"].as_str().unwrap_or_default().to_owned())
        .collect();
    (results.len() - failed.len(), results.len(), failed)
}

#[test]
fn our_own_cases_pass() {
    let mut all = (0, 0);
    for (file, least) in FILES.into_iter().zip([60, 40, 40, 20]) {
        let (passed, cases, failed) = passed(&evals(), file);
        println!("{file}: {passed} of {cases}, failed: {failed:?}");
        assert!(cases >= least, "{file} has {cases} cases");
        all = (all.0 + passed, all.1 + cases);
    }
    assert!(all.0 * 100 >= all.1 * 95, "{} of {}", all.0, all.1);
}

/// The figures of these cases' first runs are on record; here is what became of them.
#[test]
fn independent_cases_are_those_whose_digests_were_committed_first() {
    let written = std::fs::read_to_string(evals().join("README.md")).unwrap();
    for set in ["first", "second"] {
        let folder = evals().join("independent").join(set);
        let mut all = (0, 0);
        for file in FILES {
            let bytes = std::fs::read(folder.join(file)).unwrap();
            let digest =
                Sha256::digest(&bytes).iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"));
            assert!(written.contains(&digest), "{set}/{file} is {digest}");
            let (passed, cases, failed) = passed(&folder, file);
            println!("{set}/{file}: {passed} of {cases}, failed: {failed:?}");
            all = (all.0 + passed, all.1 + cases);
        }
        assert!(all.0 * 100 >= all.1 * 90, "{set}: {} of {}", all.0, all.1);
    }
}

/// One JSON object and nothing around it, of each decision's own form, for whichever provider is named.
#[test]
fn native_providers_answer_with_their_own_object() {
    let world = World::without_repository();
    let file = "prompts: [x]\nproviders: [echo]\ntests:\n- { vars: { task: Fix it, tools_used: 'bash: npm test -> exit 1', agent_response: Fixed. } }\n- { vars: { time_since_activity: 90 seconds, message_completed: 'false', output_tokens: 3, last_user_message: build, last_assistant_response: Building., tool_calls: 'bash: make (running)' } }\n- { vars: { task_summary: Fix PR 7, last_assistant_response: The first half is pushed. The second half is next., tools_used: 'bash: git push', has_git_commands: true, has_pr_issue_ref: true } }\n- { vars: { task: Fix it, trace: 'bash: npm test -> exit 1', output: Fixed. } }\n";
    world.write("vars.yaml", file);
    let ran = world.run(&["eval", "vars.yaml", "--provider", "hansei", "--json"]);
    let results = ran.json()["results"]["results"].as_array().unwrap().clone();
    let answers: Vec<Value> = results
        .iter()
        .map(|result| serde_json::from_str(result["response"]["output"].as_str().unwrap()).unwrap())
        .collect();
    for (answer, keys) in answers.iter().zip([
        &["complete", "severity", "requires_human_action", "feedback", "missing", "next_actions"][..],
        &["stuck", "reason", "confidence", "shouldNudge", "nudgeMessage"],
        &["action", "hasActiveGitWork", "confidence", "nudgeMessage"],
        &["reasoning", "score", "verdict", "feedback", "strengths", "issues", "recommendations"],
    ]) {
        for key in keys {
            assert!(answer.get(key).is_some(), "{key} in {answer}");
        }
    }
    assert_eq!(answers[0]["complete"], false);
    assert_eq!(answers[1]["reason"], "working");
    assert_eq!(answers[2]["action"], "needs_github_update");
    assert!(answers[3]["score"].as_u64().unwrap() <= 2);
    let refused = world.run(&["eval", "vars.yaml", "--provider", "hansei:nudge", "--filter", "", "--json"]);
    let first = &refused.json()["results"]["results"][0];
    assert_ne!(first["success"], true, "a decision that the vars do not fit answers nothing: {first}");
}
