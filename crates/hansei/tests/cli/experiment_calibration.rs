//! P1 through the front door: `hansei experiment calibration`.

use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{HANSEI, Ran, World};

const CONDITION: &str =
    "P1 is killed if the 95 % interval of the AUC among answers with a confidence of 0.8 or more";

/// So many answers of one confidence, of which the first so many are right.
fn answers(counts: &[(f64, usize, usize)]) -> String {
    let of = |(confidence, right, wrong): &(f64, usize, usize)| {
        let row = |correct: bool| format!("{}\n", json!({ "confidence": confidence, "correct": correct }));
        row(true).repeat(*right) + &row(false).repeat(*wrong)
    };
    counts.iter().map(of).collect()
}

fn told(input: &str, arguments: &[&str]) -> Ran {
    let world = World::without_repository();
    let mut command = world.hansei();
    Ran::of(command.args(["experiment", "calibration", "-"]).args(arguments), input.as_bytes())
}

fn about(answer: &Value, field: &str, value: f64) {
    let found = answer[field].as_f64().unwrap_or(f64::NAN);
    assert!((found - value).abs() < 1e-9, "{field} is {found}: {answer:#}");
}

/// Whether the condition is printed while the data is still to come.
#[test]
fn the_condition_is_printed_before_data_is_read() {
    for (form, on_stdout) in [("text", true), ("markdown", true), ("json", false)] {
        let world = World::without_repository();
        let mut child = world
            .hansei()
            .args(["experiment", "calibration", "-", "--format", form])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let output: Box<dyn Read + Send> = if on_stdout {
            Box::new(child.stdout.take().unwrap())
        } else {
            Box::new(child.stderr.take().unwrap())
        };
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines() {
                let _ = send.send(line.unwrap());
            }
        });
        // Nothing was written yet, and the end of the input is not in sight.
        let mut seen = String::new();
        while !seen.contains(CONDITION) {
            seen += &lines.recv_timeout(Duration::from_mins(1)).unwrap_or_else(|_| panic!("{form}: {seen}"));
        }
        input.write_all(answers(&[(0.9, 20, 20)]).as_bytes()).unwrap();
        drop(input);
        assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1), "{form}");
    }
}

#[test]
fn the_interval_among_the_confident_decides() {
    for (name, rows, status, code) in [
        ("told apart", answers(&[(0.95, 40, 5), (0.85, 5, 40)]), "pass", 0),
        ("apart altogether", answers(&[(0.95, 10, 0), (0.85, 0, 10)]), "pass", 0),
        ("no skill", answers(&[(0.95, 40, 40), (0.85, 40, 40)]), "killed", 1),
        ("constant", answers(&[(0.9, 30, 20)]), "killed", 1),
        ("upside down", answers(&[(0.95, 5, 40), (0.85, 40, 5)]), "killed", 1),
        // What is told apart below 0.8 does not count.
        ("only below", answers(&[(0.9, 40, 40), (0.7, 90, 1), (0.1, 1, 90)]), "killed", 1),
        ("the edge counts", answers(&[(0.95, 20, 0), (0.8, 0, 20)]), "pass", 0),
        ("just under the edge", answers(&[(0.95, 20, 0), (0.799_999_999, 0, 20)]), "not_enough_data", 0),
        ("too few wrong", answers(&[(0.95, 100, 0), (0.85, 0, 9)]), "not_enough_data", 0),
        ("all right", answers(&[(0.95, 50, 0)]), "not_enough_data", 0),
        ("all wrong", answers(&[(0.95, 0, 50)]), "not_enough_data", 0),
        ("one", answers(&[(0.95, 1, 0)]), "not_enough_data", 0),
        ("empty", String::new(), "not_enough_data", 0),
        ("blank lines", "\n  \n\r\n".to_owned(), "not_enough_data", 0),
    ] {
        let ran = told(&rows, &["--json"]);
        let answer = ran.json();
        assert_eq!((answer["status"].as_str(), ran.code), (Some(status), code), "{name}: {answer:#}");
        assert_eq!(answer["experiment"], "calibration");
        assert!(ran.stderr.starts_with(CONDITION), "{}", ran.stderr);
        assert!(answer["kill_condition"].as_str().unwrap().starts_with(CONDITION));
        assert_eq!(answer["registration"]["as_registered"], true);
        assert_eq!(answer["registration_digest"].as_str().unwrap().len(), 64);
        assert_eq!(answer["figure"], answer["auc_high"], "{name}");
        assert_eq!(answer["interval"], answer["auc_high_interval"], "{name}");
        assert_eq!(answer["n"], rows.lines().filter(|line| !line.trim().is_empty()).count(), "{name}");
    }
}

/// Right: 0.9, 0.8, 0.6. Wrong: 0.8, 0.3. Worked by hand.
#[test]
fn figures_of_five_answers() {
    let rows = answers(&[(0.9, 1, 0), (0.8, 1, 1), (0.6, 1, 0), (0.3, 0, 1)]);
    let answer = told(&rows, &["--format", "json"]).json();
    about(&answer, "auc", 4.5 / 6.0);
    about(&answer, "auc_high", 0.75);
    about(&answer, "lift", (2.0 / 3.0) / 0.6);
    about(&answer, "brier", (0.01 + 0.04 + 0.64 + 0.16 + 0.09) / 5.0);
    about(&answer, "ece", (0.1 + 0.6 + 0.4 + 0.3) / 5.0);
    about(&answer, "overconfidence", 3.4 / 5.0 - 0.6);
    assert_eq!((&answer["n"], &answer["n_high"], &answer["right_high"]), (&json!(5), &json!(3), &json!(2)));
    // One wrong answer among the confident has no variance.
    assert_eq!((&answer["auc_high_interval"], &answer["interval"]), (&Value::Null, &Value::Null));
    let bin = &answer["reliability"][8];
    assert_eq!((&bin["n"], &bin["share_right"]), (&json!(2), &json!(0.5)), "{bin:#}");
    let points = answer["risk_coverage"]["points"].as_array().unwrap();
    let curve: Vec<(f64, f64)> = points
        .iter()
        .map(|point| (point["coverage"].as_f64().unwrap(), point["risk"].as_f64().unwrap()))
        .collect();
    assert_eq!(curve, [(0.2, 0.0), (0.6, 1.0 / 3.0), (0.8, 0.25), (1.0, 0.4)]);
}

#[test]
fn rows_that_cannot_be_read_are_left_out_and_named() {
    let bad = [
        ("{\"confidence\": NaN, \"correct\": true}", "NaN"),
        ("{\"confidence\": -Infinity, \"correct\": true}", "infinity"),
        ("{\"confidence\": 1.5, \"correct\": true}", "1.5, which is not from 0 to 1"),
        ("{\"confidence\": -0.1, \"correct\": true}", "-0.1, which is not from 0 to 1"),
        ("{\"confidence\": 85, \"correct\": true}", "85.0, which is not from 0 to 1"),
        (
            "{\"confidence\": \"high\", \"correct\": true}",
            "has a text as confidence, not a number from 0 to 1",
        ),
        ("{\"confidence\": null, \"correct\": true}", "has null as confidence, not"),
        ("{\"correct\": true}", "has no confidence"),
        ("{\"confidence\": 0.9}", "has no correct"),
        ("{\"confidence\": 0.9, \"correct\": \"yes\"}", "has a text as correct, not true or false"),
        ("{\"confidence\": 0.9, \"correct\": 2}", "has 2 as correct, not true or false"),
        ("{\"confidence\": 0.9, \"correct\": null}", "has null as correct, not true or false"),
        ("{\"confidence\": 0.9, \"correct\": true", "not valid JSON at column"),
        ("{\"confidence\": 1e999, \"correct\": true}", "not valid JSON at column"),
        ("[0.9, true]", "is not a JSON object"),
        ("confidence,correct", "is not a JSON object"),
        ("{\"confidence\": 0.9, \"correct\": true, \"confidence\": 0.1}", "duplicate field"),
        ("{\"confidence\": 0.9, \"correct\": true, \"model\": 7}", "has 7 as model, not a text"),
    ];
    for (row, why) in bad {
        let ran = told(&format!("\u{feff}{}{row}\n", answers(&[(0.9, 1, 0)])), &["--json"]);
        let answer = ran.json();
        assert_eq!((ran.code, &answer["n"], &answer["refused"]["count"]), (0, &json!(1), &json!(1)), "{row}");
        let first = &answer["refused"]["first"][0];
        assert_eq!(first["line"], 2, "{row}");
        assert!(first["why"].as_str().unwrap().contains(why), "{row}: {first}");
        assert!(answer["warnings"][0].as_str().unwrap().contains("1 row was left out: line 2"), "{answer:#}");
        // Alone it is no data at all.
        let alone = told(&format!("{row}\n"), &["--json"]);
        assert_eq!((alone.code, alone.stdout.as_str()), (2, ""), "{row}");
        assert!(alone.stderr.contains("no row could be read: line 1"), "{}", alone.stderr);
    }
    let all = bad.iter().map(|(row, _)| *row).chain([""]).collect::<Vec<_>>().join("\r\n");
    let answer = told(&(all.repeat(3) + &answers(&[(0.9, 15, 15)])), &["--json"]).json();
    assert_eq!((&answer["n"], &answer["refused"]["count"]), (&json!(30), &json!(3 * bad.len())));
    assert_eq!(answer["refused"]["first"].as_array().unwrap().len(), 20);
}

#[test]
fn rows_that_only_look_odd_are_read() {
    let rows = [
        "{\"confidence\": 0.9, \"correct\": 1}",
        "{\"confidence\": 1, \"correct\": 0}",
        "{\"confidence\": 0, \"correct\": 0.0}",
        "  {\"correct\": true, \"confidence\": 9e-1, \"other\": [{\"deep\": null}]}\r",
        "{\"confidence\": 0.5, \"correct\": false, \"surface\": null, \"model\": \"\\u0041\"}",
    ];
    let answer = told(&rows.join("\n"), &["--json"]).json();
    assert_eq!(
        (&answer["n"], &answer["right"], &answer["refused"]["count"]),
        (&json!(5), &json!(2), &json!(0))
    );
    let long = format!("{{\"confidence\": 0.9, \"correct\": true, \"note\": \"{}\"}}\n", "x".repeat(3 << 20));
    let answer = told(&(long + &answers(&[(0.9, 1, 0)])), &["--json"]).json();
    assert_eq!((&answer["n"], &answer["refused"]["first"][0]["line"]), (&json!(1), &json!(1)), "{answer:#}");
}

#[test]
fn what_weakens_the_figures_is_said() {
    let small = answers(&[(0.95, 12, 4), (0.9, 6, 8)]);
    let large = answers(&[(0.95, 1000, 300), (0.90, 300, 200), (0.85, 200, 500)]);
    for (name, rows, warning, said) in [
        ("few", &small, "few answers: 18 right and 12 wrong", true),
        ("many", &large, "few answers", false),
        ("ties", &large, "% of the pairs of a right and a wrong answer", true),
        ("constant", &answers(&[(0.9, 30, 20)]), "every answer has the same confidence", true),
        (
            "constant where high",
            &answers(&[(0.9, 30, 20), (0.1, 1, 1)]),
            "every confidence of 0.8 or more",
            true,
        ),
        ("one class", &answers(&[(0.9, 30, 0), (0.8, 3, 0)]), "every answer is right", true),
        ("other class", &answers(&[(0.9, 0, 30), (0.8, 0, 3)]), "every answer is wrong", true),
        ("apart", &answers(&[(0.95, 10, 0), (0.85, 0, 10)]), "the interval has no width", true),
        ("empty", &String::new(), "there are no answers", true),
    ] {
        let answer = told(rows, &["--json"]).json();
        let warnings = answer["warnings"].as_array().unwrap();
        let found = warnings.iter().any(|one| one.as_str().unwrap().contains(warning));
        assert_eq!(found, said, "{name}: {warnings:#?}");
    }
}

/// Two models of opposite skill, and rows that name none.
fn of_two_models() -> String {
    let named = |model: &str, rows: String| rows.replace('}', &format!(",\"model\":\"{model}\"}}"));
    named("careful", answers(&[(0.95, 40, 5), (0.85, 5, 40)]))
        + &named("<b>&\\\"\\u001b", answers(&[(0.95, 5, 20), (0.85, 20, 5)]))
        + &answers(&[(0.9, 3, 2)])
}

#[test]
fn groups_are_measured_each_by_itself() {
    let answer = told(&of_two_models(), &["--by", "model", "--json"]).json();
    let groups = answer["groups"].as_array().unwrap();
    let told_of: Vec<(&Value, &Value)> = groups.iter().map(|group| (&group["name"], &group["n"])).collect();
    assert_eq!(
        told_of,
        [(&json!("careful"), &json!(90)), (&json!("<b>&\"\u{1b}"), &json!(50)), (&Value::Null, &json!(5))]
    );
    about(&groups[0], "auc_high", 1.0 - 5.0 / 45.0);
    about(&groups[1], "auc_high", 0.2);
    assert_eq!((&answer["by"], &answer["n"]), (&json!("model"), &json!(145)));
    let by_agent = told(&of_two_models(), &["--by", "agent", "--json"]).json();
    assert_eq!(by_agent["groups"].as_array().unwrap().len(), 1);
    let many: String =
        (0..250).map(|i| answers(&[(0.9, 1, 1)]).replace('}', &format!(",\"surface\":\"s{i}\"}}"))).collect();
    let answer = told(&many, &["--by", "surface", "--json"]).json();
    assert_eq!(answer["groups"].as_array().unwrap().len(), 200);
    assert!(
        answer["warnings"][0].as_str().unwrap().starts_with("100 answers belong to groups"),
        "{answer:#}"
    );
}

#[test]
fn people_read_text_or_markdown() {
    let text = told(&of_two_models(), &["--by", "model"]);
    assert_eq!(text.code, 0, "{}", text.stderr);
    for part in
        [CONDITION, "status  pass: the interval is above 0.5", "AUC OF THOSE", "0.9 to 1.0  █", "n 70"]
    {
        assert!(text.stdout.contains(part), "{part}: {}", text.stdout);
    }
    assert!(!text.stdout.contains('\u{1b}'), "{}", text.stdout);
    let markdown = told(&answers(&[(0.9, 15, 15)]), &["--format", "markdown"]);
    assert_eq!((markdown.code, markdown.stderr.as_str()), (1, ""));
    for part in
        ["# P1 calibration\n\n> P1 is killed if", "| figure | all | confident |", "```\n0.0 to 0.1  none"]
    {
        assert!(markdown.stdout.contains(part), "{part}: {}", markdown.stdout);
    }
}

#[test]
fn a_chart_is_drawn_as_svg() {
    let world = World::without_repository();
    for (name, rows) in
        [("groups.svg", of_two_models()), ("empty.svg", String::new()), ("one.svg", answers(&[(1.0, 1, 0)]))]
    {
        let mut command = world.hansei();
        command.args(["experiment", "calibration", "-", "--by", "model", "--chart", name]);
        let ran = Ran::of(&mut command, rows.as_bytes());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{name}");
        let drawn = std::fs::read_to_string(world.path(name)).unwrap();
        let script =
            "import sys, xml.dom.minidom as m; print(len(m.parse(sys.argv[1]).getElementsByTagName('text')))";
        let read = Command::new("python3").args(["-c", script]).arg(world.path(name)).output().unwrap();
        assert!(read.status.success(), "{name}: {}\n{drawn}", String::from_utf8_lossy(&read.stderr));
        assert!(drawn.contains("Reliability, bins of equal width"), "{drawn}");
        let again = Ran::of(&mut command, rows.as_bytes());
        assert_eq!((again.code, std::fs::read_to_string(world.path(name)).unwrap()), (0, drawn), "{name}");
    }
    let drawn = std::fs::read_to_string(world.path("groups.svg")).unwrap();
    assert!(drawn.contains("&lt;b&gt;&amp;&quot;\\u{1b}"), "{drawn}");
    let ran = world.run(&["experiment", "calibration", "/dev/null", "--chart", "no/such/folder.svg"]);
    assert_eq!(ran.code, 3, "{}", ran.stderr);
}

#[test]
fn what_to_read_must_be_said_and_there() {
    let world = World::without_repository();
    for arguments in [
        &["experiment", "calibration"][..],
        &["experiment", "calibration", "none.jsonl"],
        &["experiment", "calibration", "-", "--from-store"],
        &["experiment", "calibration", "-", "--by", "weather"],
    ] {
        let ran = world.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stderr);
    }
    let ran = world.run(&["experiment", "calibration", "--from-store", "--json"]);
    assert_eq!((ran.code, &ran.json()["status"]), (0, &json!("not_enough_data")), "{}", ran.stderr);
}

/// What an agent said of its confidence beside what is believed to have come out: a person outranks what only looks like a
/// sign, of what people say the newest counts, and a session's outcome is that of its last reflection alone.
#[test]
fn own_records_are_answers_too() {
    let world = World::new();
    let stop = |session: &str, confidence: f64| {
        world.write(".hansei/reflection-input.json", json!({ "confidence": confidence }).to_string());
        world.hook_in(&world.repo, "stop", session);
    };
    let came = |session: &str, subject: &str, outcome: &str, source: &str, day: u32| {
        let path = world.path(&format!(".hansei/log/{session}.jsonl"));
        let mut text = std::fs::read_to_string(&path).unwrap();
        let seq = text.lines().count() + 1;
        let seen = format!("2026-01-{day:02}T00:00:00Z");
        let line = json!({ "v": 1, "seq": seq, "time": seen, "kind": "outcome", "subject": subject, "outcome": outcome,
            "source": source, "seen": seen });
        text += &line.to_string();
        text.push('\n');
        std::fs::write(&path, text).unwrap();
    };
    stop("one", 0.5);
    let first = world.sidecars();
    stop("one", 0.9);
    came("one", "one", "correct", "human", 1);
    came("one", "one", "wrong", "fix", 9);
    came("one", first[0].strip_suffix(".reflection.json").unwrap(), "wrong", "human", 3);
    stop("two", 0.8);
    came("two", "two", "correct", "human", 1);
    came("two", "two", "wrong", "human", 2);
    stop("three", 0.7);
    let answer = world.run(&["experiment", "calibration", "--from-store", "--by", "agent", "--json"]).json();
    assert_eq!(
        (&answer["n"], &answer["right"], &answer["n_high"]),
        (&json!(3), &json!(1), &json!(2)),
        "{answer:#}"
    );
    about(&answer, "auc", 1.0);
    assert_eq!(answer["groups"][0]["n"], 3, "{answer:#}");
}

/// The figures agree with scikit-learn, with numpy and with a published example, to six digits.
#[test]
fn figures_agree_with_independent_implementations() {
    let python =
        std::env::var_os("HANSEI_TEST_STATISTICS").expect("run ./scripts/test, which installs scikit-learn");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/statistics/compare.py");
    let world = World::without_repository();
    let output = world.command(python).arg(script).arg(HANSEI).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("20 corpora and 3 published examples agree"), "{said}");
}
