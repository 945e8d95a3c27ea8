//! `hansei unblock`: which handoffs are clean, how tolerantly they are read, why one is refused, and what is handed up.

use serde_json::{Value, json};

use crate::support::{Ran, World};
use crate::unblock::{Clinic, ESCALATION, always, fix, when};

/// A failed session, as three programs write it down.
fn transcripts() -> [(&'static str, String); 5] {
    let talk = [
        ("user", "fix the failing import test"),
        ("assistant", "I think CANARY the parser drops the last row. Let me change the bound."),
        ("user", "still red"),
        ("assistant", "Then I think it is the header that is skipped."),
        ("user", "no"),
    ];
    let messages = talk.map(|(role, content)| json!({ "role": role, "content": content }));
    let yaml = talk.map(|(role, content)| format!("- role: {role}\n  content: {content}\n")).concat();
    let rules = talk.map(|(role, content)| format!("--- Turn ({role}) ---\n{content}\n")).concat();
    let step =
        "I thought CANARY that the parser drops the last row, so I changed the bound, and it was still red.";
    [
        ("one line", json!({ "model": "x", "messages": messages }).to_string()),
        ("yaml", yaml),
        ("rules", rules),
        ("steps", format!("Step 1: {step}\nStep 2: {step}\nStep 3: {step}\n").repeat(5)),
        ("calls", "Tool call: bash(\"pytest CANARY\")\nTool result: FAILED tests/test_import.py\n".repeat(3)),
    ]
}

#[test]
fn a_replayed_session_is_refused_in_every_part_and_reaches_nobody() {
    let clinic = Clinic::with(&[&always(&fix("the data file has three rows", "git checkout data.csv"))]);
    let context = clinic.world.outside().join("context.md").to_string_lossy().into_owned();
    for (name, text) in transcripts() {
        for part in ["task.md", "escalation.md", "context.md"] {
            clinic.put("task.md", "Make test_import pass.\n");
            clinic.put("escalation.md", ESCALATION);
            clinic.put("context.md", "[CHECKLIST]\n- [x] the file has four rows\n");
            let polluted =
                if part == "escalation.md" { format!("{text}\n{ESCALATION}") } else { text.clone() };
            clinic.put(part, &polluted);
            let (code, answer) = clinic.ask(&["--context", &context]);
            assert_eq!((code, &answer["target"]), (1, &json!("clean_handoff")), "{name} in {part}: {answer}");
            let reason = answer["reason"].as_str().unwrap();
            assert!(reason.starts_with("the handoff is not clean: "), "{name} in {part}: {reason}");
        }
    }
    assert_eq!(clinic.heard().len(), 0, "nobody is asked");
}

#[test]
fn what_is_too_large_is_no_clean_handoff() {
    let clinic = Clinic::with(&[]);
    let context = clinic.world.outside().join("context.md").to_string_lossy().into_owned();
    let facts =
        format!("{ESCALATION}[FORCED_CONTEXT]\n{}", "- a plain fact of some length here\n".repeat(3_000));
    let large = "plain words here. ".repeat(300_000);
    for (part, text) in [
        ("task.md", large.clone()),
        ("task.md", "plain words here. ".repeat(2_300)),
        ("escalation.md", format!("{ESCALATION}{large}")),
        ("escalation.md", format!("{large}{ESCALATION}")),
        ("escalation.md", facts),
        ("context.md", large.clone()),
    ] {
        clinic.put("task.md", "Make test_import pass.\n");
        clinic.put("escalation.md", ESCALATION);
        clinic.put("context.md", "");
        clinic.put(part, &text);
        let (code, answer) = clinic.ask(&["--context", &context]);
        assert_eq!((code, &answer["target"]), (1, &json!("clean_handoff")), "{part}: {}", answer["reason"]);
    }
}

#[test]
fn humans_quote_and_coders_list_without_being_refused() {
    let clinic = Clinic::with(&[]);
    let item = |text: &str| ESCALATION.replace("- the parser drops the last row\n", text);
    let listed = "- First try: the parser drops the last row because the loop ends one too early; changed the bound\n\
        - Attempt 2: the reader skips the header although the file has none; changed skip_header to False\n\
        - model: the file is read in text mode, so that a carriage return is taken for the end of a row\n\
        - system: the clock of the machine is behind, so that the rows of today are not there yet at all\n";
    for task in [
        "cargo test fails, please fix. The log:\n\n$ cargo test\nerror: test failed\n\n$ cargo test\nerror: test failed\n\n$ cargo test\nerror: test failed\n",
        "Fix the parser. From the ticket:\nuser: the parser drops rows\nreviewer: only with CRLF\nuser: right, with CRLF\n",
        "Accept messages like\n{\"role\": \"system\", \"content\": \"a\"}\n{\"role\": \"user\", \"content\": \"b\"}\n{\"role\": \"assistant\", \"content\": \"c\"}\n",
        "The <thinking> tag must be stripped from answers.\n",
        "Make the job pass.\n\nuser: deploy\nsystem: linux\nmodel: t3.micro\ntool: ansible\n",
    ] {
        clinic.put("task.md", task);
        let (_, answer) = clinic.ask(&[]);
        assert_eq!(answer["target"], "an unblocker model", "{task}: {answer}");
    }
    for escalation in [item(listed), item(&listed.repeat(2)), item("- Attempt 1: a\n- Attempt 2: b\n")] {
        clinic.put("escalation.md", &escalation);
        let (_, answer) = clinic.ask(&[]);
        assert_eq!(answer["target"], "an unblocker model", "{escalation}: {answer}");
    }
}

#[test]
fn a_payload_is_found_however_it_is_put_and_a_mention_is_none() {
    let clinic = Clinic::with(&[]);
    for (text, found) in [
        (format!("\u{feff}{ESCALATION}"), true),
        (format!("Here is my payload: {ESCALATION}"), true),
        (format!("\u{1b}[31m{ESCALATION}\u{1b}[0m"), true),
        (ESCALATION.replace("<ESCALATION>", "<ESCALATION id=\"3\">"), true),
        (ESCALATION.replace("blocked\n", "blocked  # really\n"), true),
        (ESCALATION.replace("attempt: [", "["), true),
        ("<ESCALATION>\n- status: blocked\n- attempt: [ATTEMPT: 4]\n</ESCALATION>\n".to_owned(), true),
        ("- `<ESCALATION>`\n- `status: blocked`\n- `attempt: [ATTEMPT: 4+]`\n".to_owned(), true),
        ("<ESCALATION> status: blocked attempt: [ATTEMPT: 4] </ESCALATION>".to_owned(), true),
        (
            "Write an <ESCALATION> with status: blocked and attempt: [ATTEMPT: 4] when you are.".to_owned(),
            false,
        ),
        ("<ESCALATION> is the tag.\nstatus: blocked\nattempt: [ATTEMPT: 4]\n".to_owned(), false),
    ] {
        clinic.put("escalation.md", &text);
        let (_, answer) = clinic.ask(&[]);
        let expected = if found { "an unblocker model" } else { "escalation_payload" };
        assert_eq!(answer["target"], expected, "{text}: {answer}");
    }
}

#[test]
fn blocks_inside_the_payload_are_told_and_held_against_decisions() {
    let clinic = Clinic::with(&[&always(&fix("the data file has three rows", "git checkout data.csv"))]);
    clinic
        .world
        .write("load.py", "# @REJECTED: `pandas`, because it guesses types\ndef load():\n    return [1]\n");
    clinic.world.commit("Decide");
    let with = |block: &str| ESCALATION.replace("</ESC", &format!("{block}\n</ESC"));
    clinic.put("escalation.md", &with("[FORCED_CONTEXT]\n- FACT-INSIDE\n[CHECKLIST]\n- [ ] CHECK-INSIDE"));
    assert_eq!(clinic.ask(&[]).0, 0);
    for block in
        ["[FORCED_CONTEXT]\n- Use `pandas` for every read", "[CHECKLIST]\n- [ ] Use `pandas` for every read"]
    {
        clinic.put("escalation.md", &with(block));
        let (code, answer) = clinic.ask(&[]);
        assert_eq!((code, &answer["kind"]), (1, &json!("coherence_check_failed")), "{block}: {answer}");
    }
    let heard = clinic.heard();
    assert_eq!(heard.len(), 1);
    assert!(heard[0].contains("- FACT-INSIDE") && heard[0].contains("- [ ] CHECK-INSIDE"), "{}", heard[0]);
    assert!(!heard[0].contains("still red [FORCED"), "the list before it stays whole: {}", heard[0]);
}

#[test]
fn a_refusal_says_why_beside_the_one_answer() {
    let clinic = Clinic::with(&[]);
    for (input, answer, why) in [
        ("", "[NEED_CONTEXT: escalation_payload]", "misrouted: there is no <ESCALATION> payload"),
        (
            &ESCALATION.replace("4]", "3]"),
            "[NEED_CONTEXT: escalation_payload]",
            "[ATTEMPT: 3] is below [ATTEMPT: 4]",
        ),
        (&ESCALATION.replace("blocked", "done"), "[NEED_CONTEXT: escalation_payload]", "not \"blocked\""),
        (ESCALATION, "[NEED_CONTEXT: original_task]", "the handoff has no original_task"),
    ] {
        let ran = clinic.hansei(&["--escalation", "-"], input);
        assert_eq!((ran.code, ran.stdout.trim_end()), (1, answer), "{}", ran.stderr);
        assert!(ran.stderr.starts_with("hansei: ") && ran.stderr.contains(why), "{}", ran.stderr);
        let told: Value = clinic.hansei(&["--escalation", "-", "--json"], input).json();
        assert!(told["reason"].as_str().unwrap().contains(why), "{told}");
    }
}

#[test]
fn a_model_that_cannot_be_reached_is_said_to_be_so() {
    let clinic = Clinic::with(&[]);
    let folder = clinic.world.outside().join("home/.config/hansei");
    std::fs::create_dir_all(&folder).unwrap();
    let settings = "[unblock]\nmodel = \"anthropic/claude-scripted\"\nbase_url = \"http://127.0.0.1:9\"\n";
    std::fs::write(folder.join("config.toml"), settings).unwrap();
    let (code, answer) = clinic.ask(&[]);
    assert_eq!((code, &answer["target"]), (1, &json!("an unblocker model that can be asked")), "{answer}");
    assert!(answer["reason"].as_str().unwrap().starts_with("the model could not be asked: "), "{answer}");
    assert_eq!(answer["refused"], Value::Null, "no answer came that could count");
}

#[test]
fn an_action_is_no_name_for_what_is_missing() {
    let unnamed =
        json!({ "kind": "need_context", "target": null, "action": "look at the proxy" }).to_string();
    let named = json!({ "kind": "need_context", "target": "the data file" }).to_string();
    let clinic = Clinic::with(&[&when("could not be used", &named), &always(&unnamed)]);
    let (_, answer) = clinic.ask(&[]);
    assert_eq!(answer["target"], "the data file", "{answer}");
    assert!(answer["refused"][0].as_str().unwrap().contains("target"), "{answer}");
}

#[test]
fn a_state_that_cannot_be_checked_out_is_missing_also_without_git() {
    let world = World::without_repository();
    let [escalation, task] = ["escalation.md", "task.md"].map(|name| world.outside().join(name));
    std::fs::write(&escalation, ESCALATION).unwrap();
    std::fs::write(&task, "Make test_import pass.\n").unwrap();
    for (more, target) in [(&[][..], "an unblocker model"), (&["--snapshot", "deadbeef"], "source_snapshot")]
    {
        let mut command = world.hansei();
        command
            .args(["unblock", "--json", "--escalation"])
            .arg(&escalation)
            .arg("--task")
            .arg(&task)
            .args(more);
        let told: Value = Ran::of(&mut command, b"").json();
        assert_eq!(told["target"], target, "{told}");
    }
}

#[test]
fn what_is_handed_up_keeps_to_its_contract_and_stays_as_it_is_when_it_comes_back() {
    let mock = fix("the mock returns three rows", "mend it").replace("\"environment\"", "\"test_harness\"");
    let path = fix("the path of the file differs", "look").replace("\"environment\"", "\"contract\"");
    let clinic = Clinic::with(&[&when("the mock returns three rows", &path), &always(&mock)]);
    assert_eq!((clinic.ask(&[]).0, clinic.ask(&["--attempt", "2"]).0), (0, 0));
    let handed_up =
        |attempt: &str| clinic.ask(&["--attempt", attempt]).1["escalation"].as_str().unwrap().to_owned();
    let first = handed_up("4");
    let expected = "suspected_failure_layer:\n- environment\n- architecture\nwhat_was_tried:\n- the mock returns three rows\n\
        - the path of the file differs\n- the coder's own: the parser drops the last row\nwhat_did_not_work:\n- test_import is still red\n";
    assert!(first.contains(expected), "{first}");
    assert!(first.contains("task_scope: reflection rescue summary: make the import pass\n"), "{first}");
    clinic.put("escalation.md", &first);
    assert_eq!(handed_up("4"), first, "nothing comes twice");
    assert_ne!(clinic.ask(&[]).1["target"], "clean_handoff", "Hansei's own payload is clean");
    // Of a handoff that is not admitted, everything that was given is named all the same.
    clinic.put("escalation.md", &ESCALATION.replace("4]", "3]"));
    let refused = handed_up("4");
    for part in [
        "reference: Make test_import pass.",
        "received: [ATTEMPT: 3], not admitted (misrouted",
        "test_import.py::test_import",
    ] {
        assert!(refused.contains(part), "{part}: {refused}");
    }
    assert!(!refused.contains("snapshot reference: not given"), "{refused}");
}
