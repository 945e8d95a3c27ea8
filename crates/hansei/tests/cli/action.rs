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
    let report = world.run(&["risk", "--base", "main", "--head", "HEAD", "--json"]).json();
    let (likelihood, rank) = (&report["likelihood"]["score"], &report["rank"]);
    assert_eq!(
        outputs,
        format!("needs-review=true\nscore=1\nsurface=auth\nlikelihood={likelihood}\nrank={rank}\n")
    );
    assert!(summary.contains(&format!("\nlikelihood of a mistake {likelihood}, rank {rank}\n")), "{summary}");
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
    assert_eq!(ran.code, 0);
    assert!(outputs.starts_with("needs-review=false\nscore=0.1\nsurface=docs\nlikelihood=0.0"), "{outputs}");
    assert!(summary.starts_with("### No review needed\n"));
    let (ran, outputs, _) = action(&world, &[("INPUT_THRESHOLD", "0.1"), ("INPUT_FAIL", "true")]);
    assert_eq!((ran.code, outputs.lines().next()), (1, Some("needs-review=true")));
    let (ran, _, _) = action(&world, &[("INPUT_BASE", "")]);
    assert!(ran.code != 0 && ran.stderr.contains("the base commit is unknown"), "{}", ran.stderr);
    let (ran, _, _) = action(&world, &[("INPUT_BASE", "nonsense")]);
    assert!(ran.code == 2 && ran.stderr.contains("names no commit"), "{}", ran.stderr);
}

/// A world in which the receipt's action runs: a base branch that declares checks, a pull request that is checked out, and a
/// `gh` that notes what it is asked.
struct Receipts {
    world: World,
    base: String,
}

impl Receipts {
    fn new(settings: &str) -> Self {
        let world = World::new();
        world.write("hansei.toml", settings);
        world.write("check.sh", "test -f good\n");
        world.commit("Settings");
        let base = world.git(&["rev-parse", "HEAD"]).trim().to_owned();
        world.git(&["checkout", "--quiet", "-b", "feature"]);
        let bin = world.outside().join("bin");
        std::fs::create_dir(&bin).unwrap();
        let gh = bin.join("gh");
        let script = "#!/bin/sh\nprintf '%s\\n' \"$*\" >> \"$GH_CALLS\"\n\
                      case \"$*\" in *--paginate*) cat \"$GH_COMMENTS\" ;; esac\nexit \"${GH_EXIT:-0}\"\n";
        // Written by another process: one of ours that forks meanwhile would keep it open, and it could not be run.
        let mut write = world.command("sh");
        write.args(["-c", "cat > \"$0\" && chmod 755 \"$0\""]).arg(&gh);
        assert_eq!(Ran::of(&mut write, script.as_bytes()).code, 0);
        for file in ["calls", "comments", "outputs", "summary"] {
            std::fs::write(world.outside().join(file), "").unwrap();
        }
        Self { world, base }
    }

    fn commit(&self, message: &str) {
        self.world.commit(message);
    }

    fn read(&self, file: &str) -> String {
        std::fs::read_to_string(self.world.outside().join(file)).unwrap()
    }

    fn step(&self, script: &str, variables: &[(&str, &str)]) -> Ran {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/github-action/receipt");
        let outside = self.world.outside();
        let path = std::env::var("PATH").unwrap();
        let head = self.world.git(&["rev-parse", "HEAD"]);
        let mut command = self.world.command("bash");
        command
            .arg(folder.join(script))
            .env("PATH", format!("{}:{path}", outside.join("bin").display()))
            .env("GITHUB_ACTION_PATH", &folder)
            .env("GITHUB_OUTPUT", outside.join("outputs"))
            .env("GITHUB_STEP_SUMMARY", outside.join("summary"))
            .env("GITHUB_REPOSITORY", "me/shop")
            .env("RUNNER_TEMP", &outside)
            .env("GH_CALLS", outside.join("calls"))
            .env("GH_COMMENTS", outside.join("comments"))
            .env("INPUT_HANSEI", HANSEI)
            .env("INPUT_BASE", &self.base)
            .env("INPUT_HEAD", head.trim())
            .env("INPUT_PULL_REQUEST", "7")
            .envs(variables.iter().copied());
        Ran::of(&mut command, b"")
    }

    /// The value of an output of the first step.
    fn output(&self, name: &str) -> String {
        let outputs = self.read("outputs");
        let line = outputs.lines().rev().find_map(|line| line.strip_prefix(&format!("{name}=")));
        line.unwrap_or_else(|| panic!("{name}: {outputs}")).to_owned()
    }
}

const CHECKS: &str = "[checks]\ncommands = ['bash check.sh', 'test \"$GITHUB_OUTPUT$GH_TOKEN\" = \"\"']\n";

#[test]
fn the_checks_of_the_base_branch_run_again_and_stand_beside_the_receipt() {
    let receipts = Receipts::new(CHECKS);
    // The pull request would like another check to run, and its receipt claims what is not so.
    receipts.world.write("hansei.toml", "[checks]\ncommands = ['true', 'touch ran-the-wrong-check']\n");
    receipts.commit("Feature");
    let head = receipts.world.git(&["rev-parse", "HEAD"]);
    let claim = serde_json::json!({
        "schema": "receipt.v1", "repo": "shop", "base": receipts.base, "head": head.trim(), "branch": "feature",
        "bound": true, "unbound_because": [],
        "sessions": [{
            "session": "s", "agent": "codex", "model": null, "task": "@me <img src=x>",
            "claims": [{ "text": "All tests pass | [x](https://evil.example)", "standing": "supported", "commands": [{
                "command": "touch ran-a-claimed-command", "exit_code": 0, "result": "passed", "stale": false, "at": null,
            }] }],
        }],
    });
    let file = receipts.world.outside().join("receipt.json");
    std::fs::write(&file, claim.to_string()).unwrap();
    let given = ("INPUT_RECEIPT", file.to_str().unwrap());
    let ran = receipts.step("check.sh", &[given, ("GH_TOKEN", "fake-token")]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    assert_eq!(receipts.output("checks-passed"), "false");
    let comment = std::fs::read_to_string(receipts.output("comment")).unwrap();
    assert_eq!(comment, receipts.read("summary"));
    for part in [
        "<!-- hansei-receipt -->\n### Hansei receipt\n\n#### Run again here\n",
        "| `bash check.sh` | 1 | **failed** |\n| `test \"$GITHUB_OUTPUT$GH_TOKEN\" = \"\"` | 0 | passed |\n",
        "| `All tests pass \\| [x](https://evil.example)` | supported | `touch ran-a-claimed-command` exit 0, passed |",
        "session `s`: `@me <img src=x>`",
    ] {
        assert!(comment.contains(part), "{part}: {comment}");
    }
    for planted in ["ran-the-wrong-check", "ran-a-claimed-command"] {
        assert!(!receipts.world.path(planted).exists(), "{planted}");
    }
    // It is posted, the second time over the first, and the step fails.
    let comment = receipts.output("comment");
    let variables = [("COMMENT", comment.as_str()), ("CHECKS_PASSED", "false"), ("GH_TOKEN", "fake-token")];
    let ran = receipts.step("post.sh", &variables);
    assert_eq!(ran.code, 1, "{} {}", ran.stdout, ran.stderr);
    let post =
        format!("api --silent --method POST repos/me/shop/issues/7/comments --field body=@{comment}\n");
    assert!(receipts.read("calls").ends_with(&post), "{}", receipts.read("calls"));
    std::fs::write(receipts.world.outside().join("comments"), "41\n43\n").unwrap();
    receipts.step("post.sh", &variables);
    let patch =
        format!("api --silent --method PATCH repos/me/shop/issues/comments/41 --field body=@{comment}\n");
    assert!(receipts.read("calls").ends_with(&patch), "{}", receipts.read("calls"));
    let ran =
        receipts.step("post.sh", &[variables[0], variables[1], ("INPUT_FAIL", "false"), ("GH_EXIT", "1")]);
    assert_eq!(ran.code, 0, "whoever may not comment is warned");
    assert!(ran.stdout.contains("::warning::the receipt could not be posted"), "{}", ran.stdout);
}

#[test]
fn a_receipt_comes_from_a_note_or_is_made_on_the_spot_and_a_wrong_checkout_is_refused() {
    let receipts = Receipts::new("");
    receipts.world.write("good", "");
    receipts.commit("Feature");
    let ran = receipts.step("check.sh", &[]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    assert_eq!(receipts.output("checks-passed"), "none");
    let summary = receipts.read("summary");
    assert!(summary.contains("Nothing: the base branch declares no checks."), "{summary}");
    assert!(summary.contains("`no session on this machine worked on this change`"), "{summary}");
    // The workflow names the check, and a note carries a receipt that was made for another commit.
    let other = receipts.world.run(&["receipt", "--base", "main", "--json"]).stdout;
    receipts.world.write("more", "");
    receipts.commit("More");
    receipts.world.write("note.json", &other);
    receipts.world.git(&["notes", "--ref", "hansei-receipt", "add", "-F", "note.json"]);
    let ran = receipts.step("check.sh", &[("INPUT_CHECKS", "bash check.sh\r\n\n  \necho ::error::loud\n")]);
    assert_eq!(ran.code, 0, "{} {}", ran.stdout, ran.stderr);
    assert_eq!(receipts.output("checks-passed"), "true");
    assert!(receipts.read("summary").contains("**Made for another commit**"), "{}", receipts.read("summary"));
    let deaf = ran.stdout.find("::stop-commands::hansei-").unwrap();
    assert!(deaf < ran.stdout.find("::error::loud").unwrap(), "{}", ran.stdout);
    assert_eq!(
        receipts
            .step("post.sh", &[("COMMENT", "x"), ("CHECKS_PASSED", "true"), ("INPUT_PULL_REQUEST", "")])
            .code,
        0
    );
    let ran = receipts.step("check.sh", &[("INPUT_HEAD", receipts.base.as_str())]);
    assert!(ran.code == 2 && ran.stdout.contains("is checked out, not the head"), "{}", ran.stdout);
    let hang = receipts.step("check.sh", &[("INPUT_CHECKS", "sleep 60"), ("INPUT_TIMEOUT", "0.2")]);
    assert_eq!((hang.code, receipts.output("checks-passed").as_str()), (0, "false"), "{}", hang.stderr);
}

#[test]
fn the_actions_name_only_what_there_is() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../integrations/github-action");
    for action in [folder.clone(), folder.join("receipt")] {
        let text = std::fs::read_to_string(action.join("action.yml")).unwrap();
        let keys: Vec<&str> = text
            .lines()
            .filter(|line| !line.starts_with([' ', '#']) && !line.is_empty())
            .filter_map(|line| line.split_once(':').map(|(key, _)| key))
            .collect();
        assert_eq!(keys, ["name", "description", "inputs", "outputs", "runs"]);
        assert!(text.contains("\n  using: composite\n") && !text.contains('\t'));
        let block = |name: &str| {
            let lines = text.lines().skip_while(|line| *line != format!("{name}:")).skip(1);
            let lines = lines.take_while(|line| line.starts_with(' '));
            let keys = lines.filter_map(|line| line.strip_prefix("  ")?.strip_suffix(':'));
            keys.filter(|key| !key.starts_with(' ')).map(ToOwned::to_owned).collect::<Vec<_>>()
        };
        let inputs = block("inputs");
        let used: Vec<&str> = text
            .split("${{ inputs.")
            .skip(1)
            .filter_map(|rest| rest.split_once(" }}").map(|(name, _)| name))
            .collect();
        assert!(
            !inputs.is_empty() && inputs.iter().all(|name| used.contains(&name.as_str())),
            "{inputs:?} {used:?}"
        );
        assert!(used.iter().all(|name| inputs.iter().any(|input| input == name)), "{inputs:?} {used:?}");
        // No expression stands in a script: values reach it as variables.
        for run in text.lines().filter(|line| line.trim_start().trim_start_matches("- ").starts_with("run:"))
        {
            assert!(!run.contains("${{"), "{run}");
            let script = run.split("$GITHUB_ACTION_PATH/").nth(1).unwrap().trim_end_matches('"');
            assert!(action.join(script).is_file(), "{script}");
        }
        let outputs = text.split("${{ steps.").skip(1).filter_map(|rest| rest.split_once(" }}"));
        for (output, _) in outputs {
            let (step, name) = output.split_once(".outputs.").unwrap();
            assert!(text.contains(&format!("- id: {step}\n")), "{step}");
            let written = std::fs::read_dir(&action).unwrap().any(|entry| {
                let script = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
                script.contains(&format!("printf '{name}=%s\\n'"))
            });
            assert!(written, "{name}");
        }
    }
}
