//! `hansei run`: modes, budgets, reflection and endings, with a scripted model in a provider's own wire format.

use serde_json::Value;

use crate::local_model::LocalModel;
use crate::run_support::{PLAN, Stage, says, shell};
use crate::support::{Ran, World};
use crate::verify_support::search_path;

const CALC: &[(&str, &str)] = &[
    ("calc.py", "def add(a, b):\n    return a - b\n"),
    ("test_calc.py", "from calc import add\n\n\ndef test_add():\n    assert add(2, 2) == 4\n"),
    ("pyproject.toml", "[project]\nname = \"calc\"\nversion = \"0.1.0\"\n"),
];

const FIX: &str = "  - tool: { name: str_replace_editor, input: { command: str_replace, path: calc.py, old_str: \"a - b\", new_str: \"a + b\" } }\n";
const PLAN_CALC: &str =
    "  - text: |\n      goal: add adds\n      steps: [find the mistake, mend it]\n      files: [calc.py]\n";

/// A Python project whose test fails, and a model that works on it.
fn calc(steps: &[&str]) -> Stage {
    let world = World::new();
    for (name, text) in CALC {
        world.write(name, text);
    }
    world.commit("A calculator with a mistake");
    Stage::of(world, &format!("steps:\n{}", steps.concat()))
}

fn run(stage: &Stage, arguments: &[&str]) -> crate::run_support::Told {
    crate::run_support::Told::of(stage.command(arguments).env("PATH", search_path()))
}

#[test]
fn ae1_a_red_check_is_reflected_upon_and_the_retry_is_verified() {
    let stage = calc(&[
        PLAN_CALC,
        &says("All done!"),
        &says("I changed nothing. I will mend add."),
        FIX,
        &says("Now it adds."),
    ]);
    let told = run(&stage, &["--yes"]);
    assert_eq!(told.ending(), "complete", "{:#?}", told.lines);
    let gates: Vec<&Value> = told.all("verified").into_iter().map(|line| &line["gate"]).collect();
    assert_eq!(gates, ["red", "green"]);
    let red = told.all("verified")[0];
    assert!(red["failing"].to_string().contains("test_add"), "{red}");
    assert!(
        red["checks"].to_string().contains("pytest -x -q"),
        "the project's checks run without being asked for"
    );
    assert_eq!(told.last()["reflections"], 1);
    assert_eq!(told.last()["verified"], true);
    // What failed reached the model, and so did its own reflection.
    let requests = stage.model.stop();
    let last = requests.last().unwrap().body.to_string();
    assert!(last.contains("test_add") && last.contains("I changed nothing"), "{last}");
    let text = std::fs::read_to_string(stage.world.path("calc.py")).unwrap();
    assert!(text.contains("a + b"));
}

#[test]
fn ae1_whoever_never_mends_it_gave_up_after_reflections() {
    let stage = calc(&[
        PLAN_CALC,
        &says("All done, all tests pass!"),
        &says("I was wrong."),
        &says("Done now, really."),
    ]);
    let told = run(&stage, &["--yes"]);
    assert_eq!(told.ending(), "gave_up_after_reflections");
    assert_eq!(told.count("verified"), 2);
    assert_eq!(told.last()["verified"], false);
    // It is kept as a reflection all the same.
    assert_eq!(told.count("captured"), 1);
    assert_eq!(stage.world.sidecars().len(), 1);
}

#[test]
fn ae2_a_chat_neither_verifies_nor_reflects() {
    let stage = calc(&[&says("Two and two is four.")]);
    let told = run(&stage, &["--mode", "direct_chat"]);
    assert_eq!(told.ending(), "complete");
    assert_eq!(
        told.count("verify_started") + told.count("spec_review_request") + told.count("tool_called"),
        0
    );
    assert_eq!(told.last()["last_words"], "Two and two is four.");
    let requests = stage.model.stop();
    assert_eq!(requests.len(), 1);
    assert!(requests[0].body.get("tools").is_none_or(|tools| tools.as_array().is_some_and(Vec::is_empty)));
}

#[test]
fn react_does_not_verify_and_has_ten_steps() {
    let stage = calc(&[&shell("echo 1"), &says("Done.")]);
    let told = run(&stage, &["--mode", "react"]);
    assert_eq!(told.ending(), "complete");
    assert_eq!(told.count("verify_started"), 0, "the test is red, and nobody asked: that is react");
    let steps: Vec<String> = (0..20).map(|number| shell(&format!("echo {number}"))).collect();
    let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
    let stage = Stage::with(&steps);
    let told = stage.run(&["--mode", "react"]);
    assert_eq!((told.ending(), told.count("tool_called")), ("budget_spent", 10));
    let stage = Stage::with(&steps);
    let told = stage.run(&["--mode", "react", "--max-steps", "3"]);
    assert_eq!((told.ending(), told.count("tool_called")), ("budget_spent", 3));
}

#[test]
fn whoever_ran_the_tests_red_and_says_done_is_not_complete_in_any_mode() {
    let test = shell("python3 -m pytest -q");
    let stage = calc(&[&test, &says("All done, all tests pass.")]);
    let told = run(&stage, &["--mode", "react"]);
    assert_eq!(told.ending(), "failed");
    assert!(told.last()["why"].as_str().unwrap().contains("pytest"), "{}", told.last());
    let own = "  - tool: { name: run_tests, input: {} }\n";
    let stage = calc(&[own, &says("All done.")]);
    assert_eq!(run(&stage, &["--mode", "react"]).ending(), "failed");
}

/// Nobody runs the checks in this mode: then the agent's words are held against what it ran, as at everybody's stop.
#[test]
fn whoever_claims_what_it_never_ran_does_not_end_complete_in_silence() {
    let test = shell("python3 -m pytest -q");
    let own = "  - tool: { name: run_tests, input: {} }\n".to_owned();
    let claims = || says("I mended add. All tests pass.");
    for (steps, ending, named) in [
        (vec![FIX.to_owned(), claims()], "failed", true),
        (vec![FIX.to_owned(), shell("ls"), claims()], "failed", true),
        (vec![FIX.to_owned(), test, claims()], "complete", false),
        (vec![FIX.to_owned(), own, claims()], "complete", false),
        (vec![FIX.to_owned(), says("I mended add. I did not run the tests.")], "complete", false),
    ] {
        let steps: Vec<&str> = steps.iter().map(String::as_str).collect();
        let stage = calc(&steps);
        let told = run(&stage, &["--mode", "react"]);
        assert_eq!(told.ending(), ending, "{steps:?}: {}", told.last());
        let why = told.last()["why"].as_str().unwrap();
        assert_eq!(why.contains("All tests pass"), named, "{steps:?}: {why}");
        // Its page says the same.
        let page = stage.hansei(&["runs", "show", told.run()]).stdout;
        assert_eq!(page.contains("All tests pass"), named, "{page}");
    }
}

#[test]
fn think_stops_at_seven_the_checks_run_and_reflection_at_most_once() {
    let steps: Vec<String> = (0..20).map(|number| shell(&format!("echo {number}"))).collect();
    let mut script = vec![PLAN];
    script.extend(steps.iter().map(String::as_str));
    let stage = Stage::with(&script);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "budget_spent");
    assert_eq!(told.last()["used"]["think"], 7);
    assert_eq!(told.count("verify_started"), 1, "{:?}", told.kinds());
    assert!(told.last()["used"]["reflect"].as_u64().unwrap() <= 1);
}

#[test]
fn calls_of_the_last_thought_are_finished_before_the_checks() {
    let three = "  - tools:\n      - { name: shell, input: { command: \"echo 1\" } }\n      - { name: shell, input: { command: \"echo 2\" } }\n      - { name: shell, input: { command: \"touch done.txt\" } }\n";
    let stage = Stage::with(&[PLAN, three]);
    let told = stage.run(&["--yes", "--budget", "think=1,verify=1,reflect=0"]);
    assert_eq!(told.count("tool_returned"), 3);
    assert_eq!(told.ending(), "complete", "{}", told.last());
    assert!(told.last()["why"].as_str().unwrap().contains("steps were spent"), "{}", told.last());
}

#[test]
fn without_a_reflection_left_a_red_check_ends_as_budget_spent() {
    let stage = Stage::with(&[PLAN, &says("Done.")]);
    let told = stage.run(&["--yes", "--budget", "reflect=0"]);
    assert_eq!((told.ending(), told.count("verified")), ("budget_spent", 1));
}

#[test]
fn two_reflections_where_the_budget_has_them() {
    let done: Vec<String> = (0..9).map(|number| says(&format!("Done {number}."))).collect();
    let mut script = vec![PLAN];
    script.extend(done.iter().map(String::as_str));
    for (arguments, reflections) in [
        (vec!["--budget", "think=9,verify=9,reflect=9"], 2),
        (vec!["--budget", "think=9,verify=9,reflect=9", "--max-reflections", "3"], 3),
        (vec!["--budget", "think=9,verify=9,reflect=1", "--max-reflections", "3"], 1),
    ] {
        let stage = Stage::with(&script);
        let mut all = vec!["--yes"];
        all.extend(&arguments);
        let told = stage.run(&all);
        assert_eq!(told.ending(), "gave_up_after_reflections", "{arguments:?}");
        assert_eq!(told.last()["reflections"], reflections, "{arguments:?}");
        assert_eq!(told.count("verified"), reflections + 1);
    }
}

#[test]
fn a_failure_is_told_before_it_is_reflected_upon_where_the_user_wants_that() {
    let stage = Stage::with(&[PLAN, &says("Done."), &shell("touch done.txt"), &says("Now.")]);
    stage.configure("[run]\nmax_reinjections = 1\n");
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete");
    assert_eq!((told.last()["reflections"].as_u64(), told.count("verified")), (Some(0), 2));
}

#[test]
fn a_reflection_that_fails_is_skipped() {
    // The third turn is the reflection; the server refuses it for good, and answers again once the agent goes on.
    let script = format!(
        "steps:\n{PLAN}{}{}{}rules:\n  - when: {{ last_user: \"do differently now\" }}\n    error: {{ status: 400, message: no }}\n",
        says("Done."),
        shell("touch done.txt"),
        says("Now it is there.")
    );
    let stage = Stage::of(World::new(), &script);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete", "{:?}", told.kinds());
    assert_eq!(told.count("model_unavailable"), 1);
}

#[test]
fn two_alike_are_no_loop_and_three_are() {
    let same = shell("cat nothing");
    let stage = Stage::with(&[PLAN, &same, &same, &shell("touch done.txt"), &says("Done.")]);
    assert_eq!(stage.run(&["--yes"]).ending(), "complete");
    let stage = Stage::with(&[PLAN, &same, &same, &same, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "stuck");
    assert!(!stage.world.path("done.txt").exists());
}

#[test]
fn a_retry_begins_with_a_clean_window() {
    let same = shell("cat nothing");
    let stage = Stage::with(&[
        PLAN,
        &same,
        &same,
        &says("Done."),
        &says("I was wrong."),
        &same,
        &same,
        &shell("touch done.txt"),
        &says("Done."),
    ]);
    assert_eq!(stage.run(&["--yes", "--budget", "think=9"]).ending(), "complete");
}

#[test]
fn every_line_has_its_place_and_there_is_exactly_one_ending() {
    let stage = Stage::with(&[PLAN, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete");
    assert_eq!(told.kinds()[0], "run_started");
    assert_eq!(told.count("run_ended"), 1);
    for (number, line) in told.lines.iter().enumerate() {
        assert_eq!(line["seq"], number + 1, "{line}");
        assert_eq!(line["run"], told.run());
        assert!(line["time"].as_str().unwrap().ends_with('Z') && line["kind"].is_string());
    }
    // The same stands on disk, and can be shown and replayed.
    assert_eq!(stage.world.log(told.run()).len(), told.lines.len());
    let shown = stage.hansei(&["runs", "show", "last", "--json"]).json();
    assert_eq!((&shown["ending"], &shown["used"]["think"]), (&"complete".into(), &2.into()), "{shown}");
    let replayed = stage.hansei(&["runs", "show", "last", "--replay", "--json"]);
    assert_eq!(replayed.stdout.lines().count(), told.lines.len());
    let listed = stage.hansei(&["runs"]).stdout;
    assert!(listed.contains(told.run()) && listed.contains("complete"), "{listed}");
}

#[test]
fn modes_that_are_not_built_say_so() {
    let stage = Stage::with(&[&says("Hm.")]);
    for (mode, code, part) in [
        ("rewoo", 2, "deferred"),
        ("reflexion", 2, "deferred"),
        ("dance", 2, "no mode"),
        ("expert", 2, "no mode"),
    ] {
        let ran = Ran::of(&mut stage.command(&["--mode", mode]), b"");
        assert_eq!(ran.code, code, "{mode}: {}", ran.stderr);
        assert!(ran.stderr.contains(part), "{}", ran.stderr);
    }
    assert_eq!(stage.model.stop().len(), 0, "nobody was asked");
}

#[test]
fn wrong_use_is_named() {
    let stage = Stage::with(&[&says("Hm.")]);
    let budget = Ran::of(&mut stage.command(&["--budget", "think=many"]), b"");
    assert_eq!(
        (budget.code, budget.stderr.contains("think=7,verify=2,reflect=1")),
        (2, true),
        "{}",
        budget.stderr
    );
    let phases = Ran::of(&mut stage.command(&["--mode", "react", "--budget", "think=2"]), b"");
    assert_eq!((phases.code, phases.stderr.contains("--max-steps")), (2, true), "{}", phases.stderr);
    let model = stage.hansei(&["run", "do it"]);
    assert_eq!((model.code, model.stderr.contains("run.model")), (2, true), "{}", model.stderr);
    let empty = stage.hansei(&["run", "--model", "anthropic/x", "  "]);
    assert_eq!(empty.code, 2);
    let key = Ran::of(stage.command(&[]).env_remove("ANTHROPIC_API_KEY"), b"");
    assert_eq!((key.code, key.stderr.contains("ANTHROPIC_API_KEY")), (3, true), "{}", key.stderr);
    let only_git = stage.world.outside().join("only-git");
    std::fs::create_dir(&only_git).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let git =
        std::env::split_paths(&path).map(|folder| folder.join("git")).find(|file| file.is_file()).unwrap();
    std::os::unix::fs::symlink(git, only_git.join("git")).unwrap();
    let sandbox = Ran::of(stage.command(&[]).env("PATH", only_git), b"");
    assert_eq!((sandbox.code, sandbox.stderr.contains("bubblewrap")), (3, true), "{}", sandbox.stderr);
}

#[test]
fn a_usage_limit_is_its_own_ending_and_is_waited_for_where_the_user_wants() {
    let limited = "  - error: { status: 429, message: limit, kind: rate_limit_error, retry_after: 1 }\n";
    let stage = Stage::with(&[PLAN, limited, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "usage_limit");
    let over = stage.resume(told.run(), &[]);
    assert_eq!((over.code, over.stderr.contains("is over")), (1, true), "{}", over.stderr);
    let stage = Stage::with(&[PLAN, limited, &shell("touch done.txt"), &says("Done.")]);
    let told = stage.run(&["--yes", "--wait-for-limit"]);
    assert_eq!((told.ending(), told.count("limit_waited_out")), ("complete", 1));
}

#[test]
fn tokens_and_money_are_budgets() {
    let paid =
        "  - tool: { name: shell, input: { command: \"echo 1\" } }\n    usage: { input: 500, output: 600 }\n";
    let stage = Stage::with(&[paid, &says("Done.")]);
    let told = stage.run(&["--mode", "react", "--max-tokens", "1000"]);
    assert_eq!((told.ending(), told.count("model_asked")), ("budget_spent", 1));
    assert_eq!(told.last()["output_tokens"], 600);
}

#[test]
fn secrets_reach_neither_the_log_nor_the_model() {
    let token = format!("ghp_{}", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5");
    let stage = Stage::with(&[&shell("cat token.txt"), &says("Seen.")]);
    stage.world.write("token.txt", &token);
    let told = stage.run(&["--mode", "react"]);
    assert_eq!(told.ending(), "complete");
    assert!(
        !format!("{:?}", told.lines).contains(&token)
            && !format!("{:?}", stage.world.log(told.run())).contains(&token)
    );
    let sent = stage.model.stop().iter().map(|request| request.body.to_string()).collect::<String>();
    assert!(sent.contains("[REDACTED:") && !sent.contains(&token));
}

#[test]
fn an_agents_shell_has_no_network_and_cannot_touch_our_records() {
    let stage = Stage::with(&[
        &shell("rm -rf .hansei .git; echo evil > hansei.toml; ls -a"),
        &shell("curl -sS http://example.com"),
        &says("Tried."),
    ]);
    let told = stage.run(&["--mode", "react"]);
    assert!(stage.world.path(".git/HEAD").exists() && stage.world.path(".hansei/log").exists());
    assert!(!stage.world.path("hansei.toml").is_file());
    let second = told.all("tool_returned")[1];
    assert!(second["text"].as_str().unwrap().contains("network_blocked"), "{second}");
}

#[test]
fn a_run_can_be_exported_and_its_trace_is_sent() {
    use std::io::{Read as _, Write as _};
    let collector = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = collector.local_addr().unwrap();
    let listening = std::thread::spawn(move || {
        let (mut stream, _) = collector.accept().unwrap();
        let mut text = Vec::new();
        let mut piece = vec![0; 65536];
        loop {
            let read = stream.read(&mut piece).unwrap();
            text.extend_from_slice(&piece[..read]);
            let seen = String::from_utf8_lossy(&text).into_owned();
            let Some((head, body)) = seen.split_once("\r\n\r\n") else { continue };
            let length = head
                .lines()
                .find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse::<usize>().ok());
            if body.len() >= length.unwrap() {
                stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}").unwrap();
                return (head.to_owned(), body.to_owned());
            }
        }
    });
    let stage = Stage::with(&[PLAN, &shell("touch done.txt"), &says("Done.")]);
    stage.configure(&format!("[run]\notlp_endpoint = 'http://{address}'\n"));
    let told = stage.run(&["--yes"]);
    assert_eq!(told.ending(), "complete");
    let (head, body) = listening.join().unwrap();
    assert!(head.starts_with("POST /v1/traces "), "{head}");
    let trace: Value = serde_json::from_str(&body).unwrap();
    let spans = trace["resourceSpans"][0]["scopeSpans"][0]["spans"].as_array().unwrap();
    let names: Vec<&str> = spans.iter().map(|span| span["name"].as_str().unwrap()).collect();
    for name in ["invoke_agent hansei", "chat claude-scripted", "execute_tool shell", "verify", "spec_review"]
    {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(
        body.contains("gen_ai.usage.input_tokens") && !body.contains("touch done.txt"),
        "names, not words"
    );
    let root = &spans[0]["spanId"];
    assert!(
        spans[1..].iter().all(|span| span["parentSpanId"] == *root && span["traceId"] == spans[0]["traceId"])
    );
    let same = stage.hansei(&["export", told.run(), "--format", "otlp"]).json();
    assert_eq!(same, trace, "the same spans, whenever they are asked for");
    let atif = stage.hansei(&["export", told.run(), "--format", "atif"]).json();
    assert_eq!(atif["session_id"], told.run());
    assert!(atif["steps"].to_string().contains("touch done.txt"));
}

#[test]
fn a_small_real_model_ends_honestly_within_its_budget() {
    let stage = calc(&[&says("not asked")]);
    let log = stage.world.outside().join("log");
    let model = LocalModel::start(&log);
    stage.configure("[run]\nmax_answer_tokens = 100\n");
    let mut command = stage.world.hansei();
    command
        .env("PATH", search_path())
        .args(["run", "--json", "--yes", "--model", "compatible/smollm2", "--base-url", &model.url]);
    command.args([
        "--budget",
        "think=2,verify=1,reflect=0",
        "--max-minutes",
        "5",
        "Mend add in calc.py, so that its test passes.",
    ]);
    let told = crate::run_support::Told::of(&mut command);
    model.stop();
    let log = std::fs::read_to_string(log).unwrap();
    assert!(log.contains("launch_slot_"), "the model was not asked: {:?}\n{log}", told.lines);
    let red =
        Ran::of(stage.world.command("python3").env("PATH", search_path()).args(["-m", "pytest", "-q"]), b"")
            .code
            != 0;
    // A plan of its own may name a program that nobody has: then the run rests, and says what is missing.
    if told.last()["kind"] == "run_parked" {
        assert_eq!(
            (told.code, &told.last()["pause"]),
            (1, &Value::from("blocked_on_human")),
            "{}",
            told.last()
        );
        return;
    }
    let ending = told.ending();
    println!("the small model's run ended as {ending}: {}", told.last()["why"]);
    assert_eq!(ending == "complete", !red, "{}", told.last());
    let used = &told.last()["used"];
    assert!(used["think"].as_u64() <= Some(2) && used["verify"].as_u64() <= Some(1), "{used}");
}
