//! `hansei eval` through the program: files, providers, reports, results on disk, and what is refused.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use hansei_model_server::{ModelServer, Options};
use serde_json::{Value, json};

use crate::support::{HANSEI, Ran, World};

const TWO: &str = "
prompts: ['{{input}}']
providers: [echo]
tests:
- { description: says hello, vars: { input: hello }, assert: [{ type: contains, value: hello }] }
- { description: says goodbye, vars: { input: hello }, assert: [{ type: contains, value: goodbye }] }
";

fn results(ran: &Ran) -> Vec<Value> {
    ran.json()["results"]["results"].as_array().unwrap().clone()
}

#[test]
fn a_report_is_a_table_with_reasons_and_rates() {
    let world = World::without_repository();
    world.write("evals/two.yaml", TWO);
    let ran = world.run(&["eval", "evals/two.yaml"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout.lines().map(str::trim_end).collect::<Vec<_>>().join("\n"), @r#"
     evals/two.yaml  echo
     1 says hello    pass
     2 says goodbye  FAIL

    FAIL 2 says goodbye (echo): Expected output to contain "goodbye"

    echo: 1 of 2 passed (50.0 %, 95 % interval 9.5–90.5 %), 1 failed
    "#);
    assert_eq!(ran.stderr, "", "no progress when nobody looks");
    for (flags, code) in [
        (&["--threshold", "0.5"][..], 0),
        (&["--threshold", "50%"], 0),
        (&["--threshold", "0.51"], 1),
        (&["--filter", "hel+o$"], 0),
        (&["--filter", "goodbye"], 1),
        (&["--filter", "nobody"], 2),
        (&["--threshold", "95"], 2),
        (&["--repeat", "0"], 2),
        (&["--filter", "("], 2),
    ] {
        let arguments: Vec<&str> = ["eval", "evals/two.yaml"].iter().chain(flags).copied().collect();
        assert_eq!(world.run(&arguments).code, code, "{flags:?}");
    }
}

#[test]
fn results_have_promptfoos_shape_and_are_kept_beside_the_file() {
    let world = World::new();
    let token = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
    world.write(
        "evals/two.yaml",
        TWO.replace(
            "says hello, vars: { input: hello",
            &format!("says hello, vars: {{ input: hello {token}"),
        ),
    );
    let ran = world.run(&["eval", "evals/two.yaml", "--json", "--repeat", "2"]);
    let run = ran.json();
    assert_eq!(run["results"]["stats"]["successes"], 2);
    assert_eq!(
        (&run["results"]["stats"]["failures"], &run["results"]["stats"]["errors"]),
        (&json!(2), &json!(0))
    );
    let result = &results(&ran)[0];
    assert_eq!(result["success"], true);
    assert_eq!(result["description"], "says hello");
    assert_eq!(result["provider"], json!({ "id": "echo" }));
    assert!(result["latencyMs"].is_u64() && result["prompt"]["raw"].is_string());
    assert!(result["response"]["output"].as_str().unwrap().starts_with("hello "));
    let grade = &results(&ran)[3]["gradingResult"];
    assert_eq!((&grade["pass"], &grade["score"]), (&json!(false), &json!(0.0)));
    assert_eq!(grade["componentResults"][0]["assertion"], json!({ "type": "contains", "value": "goodbye" }));
    let kept = std::fs::read_to_string(world.path("evals/results/latest.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), run);
    assert!(!kept.contains(token) && !ran.stdout.contains(token));
    assert_eq!(world.git(&["status", "--porcelain", "--untracked-files=all"]), "?? evals/two.yaml\n");
}

#[test]
fn two_providers_are_compared_in_pairs_and_so_are_two_runs() {
    let world = World::without_repository();
    let cases: String =
        (0..8).map(|n| format!("- {{ description: case {n}, vars: {{ input: '{n}' }} }}\n")).collect();
    let file = format!(
        "prompts: ['{{{{input}}}}']\ndefaultTest: {{ assert: [{{ type: javascript, value: 'Number(output) < 7' }}] }}\ntests:\n{cases}"
    );
    world.write("e.yaml", file);
    let half = "exec:sh -c 'echo $(($1 + 6))' sh";
    let ran = world.run(&["eval", "e.yaml", "--provider", "echo", "--provider", half, "--json"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let run = ran.json();
    assert_eq!(run["results"]["rates"][0]["passed"], 7);
    let compared = &run["results"]["comparison"];
    assert_eq!((&compared["only_first"], &compared["only_second"]), (&json!(6), &json!(0)));
    assert_eq!(compared["p"], 0.03125);
    let told = world.run(&["eval", "e.yaml", "--provider", "echo", "--provider", half]).stdout;
    assert!(told.contains("echo: 7 of 8 passed") && told.contains("McNemar p = 0.031"), "{told}");

    for (provider, name) in [("echo", "a.json"), (half, "b.json")] {
        let ran = world.run(&["eval", "e.yaml", "--provider", provider, "--json"]);
        world.write(name, &ran.stdout);
    }
    let compared = world.run(&["eval", "compare", "a.json", "b.json", "--json"]).json();
    assert_eq!((&compared["only_first"], &compared["p"]), (&json!(6), &json!(0.03125)));
    let told = world.run(&["eval", "compare", "b.json", "a.json"]);
    assert_eq!(told.code, 0);
    for part in ["FAIL -> pass  case 1", "b.json: 1 of 8", "a.json: 7 of 8", "p = 0.031"] {
        assert!(told.stdout.contains(part), "{part:?} is missing in {}", told.stdout);
    }
    world.write("none.json", "{}");
    assert_eq!(world.run(&["eval", "compare", "a.json", "none.json"]).code, 2);
    assert_eq!(world.run(&["eval", "compare", "a.json", "missing.json"]).code, 3);
}

/// The file says of each case what must come of it.
#[test]
fn the_conformance_file_comes_to_what_its_cases_say() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../evals/conformance/promptfooconfig.yaml");
    let world = World::without_repository();
    // A copy, so that its results do not end up in the source tree.
    let from = file.parent().unwrap();
    assert!(
        std::process::Command::new("cp").arg("-r").arg(from).arg(world.path("c")).status().unwrap().success()
    );
    let ran = world.run(&["eval", "c/promptfooconfig.yaml", "--allow-exec", "--json"]);
    let results = results(&ran);
    let mut wrong = Vec::new();
    let mut differing: BTreeMap<String, Vec<bool>> = BTreeMap::new();
    for result in &results {
        let description = result["description"].as_str().unwrap();
        let success = result["success"].as_bool().unwrap();
        match description.rsplit(' ').next().unwrap() {
            "passes" if success => {}
            "fails" if !success => {}
            "differs" => differing.entry(description.to_owned()).or_default().push(success),
            _ => wrong.push(format!("{description}: {}", result["error"])),
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(results.len() >= 280, "{}", results.len());
    assert_eq!(differing["some prompts pass differs"].iter().filter(|success| **success).count(), 4);
    assert_eq!(differing["the program answers otherwise differs"], [true, false]);
    assert_eq!(differing["the program reads its options differs"], [false, true]);
}

fn model(world: &World, script: &str) -> ModelServer {
    let server = ModelServer::start(script.parse().unwrap(), Options::default()).unwrap();
    let folder = world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    let settings = format!("[judge]\nmodel = 'compatible/judge'\nbase_url = '{}'\n", server.url());
    std::fs::write(folder.join("config.toml"), settings).unwrap();
    server
}

#[test]
fn a_model_answers_and_another_grades() {
    let world = World::without_repository();
    let server =
        model(&world, "steps:\n  - text: '{\"pass\": false, \"score\": 0.2, \"reason\": \"It is curt.\"}'\n");
    let token = concat!("ghp_", "FAKEfakeFAKEfakeFAKEfakeFAKEfake0000");
    world.write(
        "e.yaml",
        format!(
            "prompts: ['[{{\"role\":\"system\",\"content\":\"Be {{{{how}}}}\"}},{{\"role\":\"user\",\"content\":\"Key {token}\"}}]']\nproviders: [{{ id: compatible/answers, config: {{ temperature: 0 }} }}]\ntests:\n- {{ description: json, vars: {{ how: kind }}, assert: [{{ type: is-json, value: {{ required: [pass] }} }}] }}\n- {{ description: rubric, vars: {{ how: kind }}, assert: [{{ type: llm-rubric, value: '{{{{how}}}} words', provider: compatible/grader }}] }}\n"
        ),
    );
    let ran = world.run(&["eval", "e.yaml", "--json"]);
    let results = results(&ran);
    assert_eq!(
        (ran.code, &results[0]["success"], &results[1]["success"]),
        (1, &json!(true), &json!(false)),
        "{}",
        ran.stderr
    );
    assert_eq!(results[1]["gradingResult"]["reason"], "It is curt.");
    assert_eq!(results[1]["gradingResult"]["score"], 0.2);
    assert!(results[0]["response"]["tokenUsage"]["total"].as_u64().unwrap() > 0);
    let asked: Vec<Value> = server.stop().into_iter().map(|request| request.body).collect();
    assert_eq!(asked.len(), 3);
    let text: Vec<String> = asked.iter().map(Value::to_string).collect();
    assert!(text.iter().all(|body| !body.contains(token)), "{text:?}");
    assert_eq!(
        text.iter().filter(|body| body.contains("Be kind") && body.contains("\"temperature\":0")).count(),
        2
    );
    assert_eq!(
        text.iter()
            .filter(|body| body.contains("\"compatible/grader\"") || body.contains("\"grader\""))
            .count(),
        1
    );
}

#[test]
fn what_is_missing_is_named_before_anything_is_asked() {
    let world = World::without_repository();
    world.write("key.yaml", "prompts: [p]\nproviders: ['openai:gpt-4o-mini']\n");
    world.write("tool.yaml", "prompts: [p]\nproviders: ['exec:no-such-program x']\n");
    world.write("rubric.yaml", "prompts: [p]\nproviders: [echo]\ntests: [{ description: d, assert: [{ type: llm-rubric, value: r }] }]\n");
    world.write("none.yaml", "prompts: [p]\n");
    for (arguments, code, parts) in [
        (&["key.yaml"][..], 3, &["key.yaml: providers[0]", "OPENAI_API_KEY"][..]),
        (&["key.yaml", "--provider", "anthropic/claude-haiku-4-5"], 3, &["ANTHROPIC_API_KEY"]),
        (&["key.yaml", "--provider", "echo"], 0, &[]),
        (&["tool.yaml", "--allow-exec"], 3, &["no-such-program"]),
        (&["tool.yaml"], 2, &["would start a program", "--allow-exec"]),
        (&["rubric.yaml"], 2, &["\"d\" has an llm-rubric", "--grader"]),
        (&["rubric.yaml", "--grader", "openai/gpt-4o-mini"], 3, &["OPENAI_API_KEY"]),
        (&["none.yaml"], 2, &["names no providers", "--provider"]),
        (&["none.yaml", "--provider", "frob"], 2, &["\"frob\" is not supported"]),
        (&["missing.yaml"], 2, &["missing.yaml", "cannot be read"]),
        (&[], 2, &["FILE"]),
    ] {
        let arguments: Vec<&str> = ["eval"].iter().chain(arguments).copied().collect();
        let ran = world.run(&arguments);
        assert_eq!(ran.code, code, "{arguments:?}: {}", ran.stderr);
        for part in parts {
            assert!(ran.stderr.contains(part), "{part:?} is missing in {}", ran.stderr);
        }
    }
    // A model that is there and gives no answer makes errors of its cases, and no passes.
    let server = model(&world, "steps:\n  - error: { status: 500, message: broken }\n");
    world.write("e.yaml", "prompts: [p]\ntests: [{ vars: { a: 1 } }]\n");
    let ran = world.run(&["eval", "e.yaml", "--provider", "compatible/x", "--json"]);
    assert_eq!((ran.code, &ran.json()["results"]["stats"]["errors"]), (1, &json!(1)), "{}", ran.stdout);
    drop(server);
}

#[test]
fn unknown_parts_of_a_file_are_refused_by_name() {
    let world = World::without_repository();
    for (file, parts) in [
        (
            "prompts: [p]\nproviders: [echo]\ntests: [{ assert: [{ type: frobnicate }] }]\n",
            &["tests[0]", "frobnicate"][..],
        ),
        ("prompts: [p]\nproviders: [echo]\nscenarios: []\n", &["scenarios"]),
        ("prompts: ['{{ a | frob }}']\nproviders: [echo]\n", &["prompts[0]", "frob"]),
        ("prompts: [file:///etc/hostname.txt]\nproviders: [echo]\n", &["hostname"]),
        (
            "prompts: [p]\nproviders: [{ id: 'openai:x', config: { apiBaseUrl: 'http://evil.example' } }]\n",
            &["config.apiBaseUrl"],
        ),
        ("prompts: [p]\nproviders: [{ id: 'openai:x', config: { apiKey: sk-fake } }]\n", &["config.apiKey"]),
    ] {
        world.write("e.yaml", file);
        let ran = world.run(&["eval", "e.yaml"]);
        assert_eq!(ran.code, 2, "{file}: {}{}", ran.stdout, ran.stderr);
        for part in parts.iter().chain([&"e.yaml"]) {
            assert!(ran.stderr.contains(part), "{part:?} is missing in {}", ran.stderr);
        }
        assert!(!world.path("results").exists());
    }
}

/// Scripts and templates of a file that somebody else wrote do no harm and end.
#[test]
fn hostile_files_reach_nothing() {
    let world = World::without_repository();
    let ways = [
        "require('fs').writeFileSync('stolen', 'x'), true",
        "process.binding('fs'), true",
        "globalThis.constructor.constructor('return process')().exit(0), true",
        "import('child_process').then(m => m.execSync('touch stolen')), true",
        "fetch('http://127.0.0.1:9/'), true",
        "(() => { while (true) {} })()",
        "(() => { const a = []; for (;;) a.push(new Array(1e6).fill('x')) })()",
        "/^(a+)+$/.test('a'.repeat(50) + 'b') || true",
    ];
    let tests: String = ways
        .iter()
        .map(|code| format!("- assert: [{{ type: javascript, value: {} }}]\n", json!(code)))
        .collect();
    world.write("e.yaml", format!("prompts: [p]\nproviders: [echo]\ntests:\n{tests}"));
    let ran = world.run(&["eval", "e.yaml", "--json"]);
    let passed: Vec<Value> = results(&ran).into_iter().filter(|result| result["success"] == true).collect();
    // What an import comes to later is nobody's result; it must not have done anything.
    assert!(passed.len() <= 1, "{passed:#?}");
    assert!(!world.path("stolen").exists());
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_keeps_what_is_done() {
    let world = World::without_repository();
    let tests: String = (0..40).map(|n| format!("- {{ vars: {{ input: '{n}' }} }}\n")).collect();
    world.write("e.yaml", format!("prompts: ['{{{{input}}}}']\ntests:\n{tests}"));
    // The first answers come at once, the others never; files tell who waits.
    let provider = "exec:sh -c 'if [ $1 -lt 6 ]; then echo $1; else echo $$ >.$1; mv .$1 waits-$1; exec sleep 600; fi' sh";
    let child = world.command(HANSEI).args(["eval", "e.yaml", "--provider", provider]).spawn().unwrap();
    let waiting = || -> Vec<String> {
        let names = std::fs::read_dir(&world.repo).unwrap().map(|entry| entry.unwrap().path());
        let waits = |path: &Path| path.file_name().unwrap().to_string_lossy().starts_with("waits-");
        names.filter(|path| waits(path)).map(|path| std::fs::read_to_string(path).unwrap()).collect()
    };
    let soon = |what: &dyn Fn() -> bool| {
        let patience = Instant::now() + Duration::from_secs(60);
        while !what() {
            assert!(Instant::now() < patience, "it never came");
            std::thread::sleep(Duration::from_millis(10));
        }
    };
    soon(&|| waiting().len() == 4);
    assert!(world.command("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let kept = std::fs::read(world.path("results/latest.json")).unwrap();
    let run: Value = serde_json::from_slice(&kept).unwrap();
    assert_eq!(
        (&run["results"]["complete"], &run["results"]["stats"]["successes"]),
        (&json!(false), &json!(6))
    );
    // Nobody is left behind, and nobody was started instead.
    let gone = |id: &String| {
        std::fs::read_to_string(format!("/proc/{}/stat", id.trim()))
            .map_or(true, |stat| stat.contains(") Z "))
    };
    soon(&|| waiting().iter().all(gone));
    assert_eq!(waiting().len(), 4);
}
