//! The GitHub Action's script, run as a runner runs it.

use std::path::Path;

use crate::support::{HANSEI, Ran, World};

fn action(world: &World, variables: &[(&str, &str)]) -> (Ran, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/github-action");
    let (outputs, summary) = (world.outside().join("outputs"), world.outside().join("summary"));
    for file in [&outputs, &summary] {
        std::fs::write(file, "").unwrap();
    }
    let mut command = world.command("bash");
    command
        .arg(folder.join("risk.sh"))
        .env("GITHUB_ACTION_PATH", &folder)
        .env("GITHUB_OUTPUT", &outputs)
        .env("GITHUB_STEP_SUMMARY", &summary)
        .env("INPUT_HANSEI", HANSEI)
        .env("INPUT_BASE", "main")
        .env("INPUT_HEAD", "HEAD")
        .envs(variables.iter().copied());
    let ran = Ran::of(&mut command, b"");
    (ran, std::fs::read_to_string(outputs).unwrap(), std::fs::read_to_string(summary).unwrap())
}

#[test]
fn a_risky_pull_request_is_annotated() {
    let world = World::new();
    world.git(&["checkout", "--quiet", "-b", "feature"]);
    world.write("src/login.rs", "x");
    world.write("src/~~~~~~\n<b>auth</b>.rs", "x");
    world.commit("Feature");
    let sarif = world.outside().join("out.sarif");
    let (ran, outputs, summary) = action(&world, &[("INPUT_SARIF", sarif.to_str().unwrap())]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(
        ran.stdout.contains("::warning file=src/login.rs,title=Review needed%3A auth::"),
        "{}",
        ran.stdout
    );
    assert_eq!(outputs, "needs-review=true\nscore=1\nsurface=auth\n");
    assert!(summary.starts_with("### Review needed\n\n~~~~~~text\nauth surface: "), "{summary}");
    assert_eq!(summary.matches("~~~~~~").count(), 2, "a path cannot end the code block: {summary}");
    assert!(std::fs::read_to_string(&sarif).unwrap().contains("review-risk/auth"));
    let (ran, _, _) = action(&world, &[("INPUT_FAIL", "true")]);
    assert_eq!(ran.code, 1);
}

#[test]
fn a_calm_pull_request_and_a_wrong_call() {
    let world = World::new();
    world.git(&["checkout", "--quiet", "-b", "feature"]);
    world.write("guide.md", "x");
    world.commit("Docs");
    let (ran, outputs, summary) = action(&world, &[("INPUT_FAIL", "true")]);
    assert_eq!((ran.code, outputs.as_str()), (0, "needs-review=false\nscore=0.1\nsurface=docs\n"));
    assert!(summary.starts_with("### No review needed\n"));
    let (ran, outputs, _) = action(&world, &[("INPUT_THRESHOLD", "0.1"), ("INPUT_FAIL", "true")]);
    assert_eq!((ran.code, outputs.lines().next()), (1, Some("needs-review=true")));
    let (ran, _, _) = action(&world, &[("INPUT_BASE", "")]);
    assert!(ran.code != 0 && ran.stderr.contains("the base commit is unknown"), "{}", ran.stderr);
    let (ran, _, _) = action(&world, &[("INPUT_BASE", "nonsense")]);
    assert!(ran.code == 2 && ran.stderr.contains("names no commit"), "{}", ran.stderr);
}
