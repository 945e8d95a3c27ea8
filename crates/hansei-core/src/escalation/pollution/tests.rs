//! Shapes of failed history in every part, and their harmless twins.

use super::narration::LONG_STORY;
use super::{Part, pollution};

/// What a coder and its human said to each other, which is told in many forms below.
const TALK: [(&str, &str); 6] = [
    ("user", "fix the failing import test"),
    ("assistant", "I think the parser drops the last row. Let me change the bound."),
    ("user", "still red"),
    ("assistant", "Then I think it is the header that is skipped; changed skip to 0."),
    ("user", "still red"),
    ("assistant", "Now I think the loop ends early."),
];

fn told(form: impl Fn(usize, &str, &str) -> String) -> String {
    TALK.iter().enumerate().map(|(at, (who, said))| form(at, who, said)).collect::<Vec<_>>().join("\n")
}

fn title(who: &str) -> String {
    who[..1].to_uppercase() + &who[1..]
}

fn named<'a>(who: &str, user: &'a str, agent: &'a str) -> &'a str {
    if who == "user" { user } else { agent }
}

fn each(numbers: std::ops::Range<usize>, form: impl Fn(usize) -> String) -> String {
    numbers.map(form).collect()
}

fn long(text: &str) -> String {
    text.repeat(1 + LONG_STORY / text.len().max(1))
}

/// One conversation, as programs and people write it down.
fn conversations() -> Vec<(&'static str, String)> {
    let object = |who: &str, said: &str| serde_json::json!({ "role": who, "content": said }).to_string();
    let objects: Vec<String> = TALK.iter().map(|(who, said)| object(who, said)).collect();
    let session = |who: &str, said: &str| {
        serde_json::json!({
            "cwd": "/home/me/projects/importer", "gitBranch": "main", "isSidechain": false,
            "parentUuid": "0d7c2a0e-1111-2222-3333-444455556666", "sessionId": "9c7a3f5e-aaaa-bbbb-cccc-ddddeeeeffff",
            "uuid": "x", "version": "2.1.3", "zmessage": { "content": said, "role": who },
        })
        .to_string()
    };
    vec![
        ("lines of JSON", objects.join("\n")),
        ("an array on one line", format!("[{}]", objects.join(", "))),
        ("a request on one line", format!("{{\"model\": \"x\", \"messages\": [{}]}}", objects.join(","))),
        ("JSON in JSON", serde_json::json!({ "body": format!("[{}]", objects.join(",")) }).to_string()),
        ("a session's log", told(|_, who, said| session(who, said))),
        (
            "content before the role",
            told(|_, who, said| format!("{{\"content\": \"{}\", \"role\": \"{who}\"}}", said.repeat(4))),
        ),
        (
            "another language's objects",
            told(|_, who, said| format!("{{'role': '{who}', 'content': '{said}'}}")),
        ),
        ("YAML", told(|_, who, said| format!("- role: {who}\n  content: {said}"))),
        (
            "from and value",
            told(|_, who, said| {
                format!("{{\"from\": \"{}\", \"value\": \"{said}\"}}", named(who, "human", "gpt"))
            }),
        ),
        ("attributes", told(|_, who, said| format!("<turn role=\"{who}\">{said}</turn>"))),
        ("tags", told(|_, who, said| format!("<{who}>{said}</{who}>"))),
        ("a template", told(|_, who, said| format!("<|im_start|>{who}\n{said}<|im_end|>"))),
        ("names", told(|_, who, said| format!("{}: {said}", title(who)))),
        ("names with dashes", told(|_, who, said| format!("{} - {said}", who.to_uppercase()))),
        ("names with arrows", told(|_, who, said| format!("{who}> {said}"))),
        ("names in bold", told(|_, who, said| format!("**{}**\n\n{said}\n", named(who, "User", "Cursor")))),
        ("headings", told(|_, who, said| format!("## {} says\n\n{said}\n", title(who)))),
        ("rules with numbers", told(|at, who, said| format!("--- Turn {at} ({who}) ---\n{said}"))),
        ("times before", told(|at, who, said| format!("[10:3{at}] {who}: {said}"))),
        ("times behind", told(|at, who, said| format!("{who}  10:3{at} AM\n{said}"))),
        (
            "pictures and names",
            told(|_, who, said| format!("{} {}: {said}", named(who, "🧑", "🤖"), title(who))),
        ),
        ("pictures", told(|_, who, said| format!("{} {said}", named(who, "🧑", "🤖")))),
        ("letters", told(|_, who, said| format!("{}: {said}\n", named(who, "H", "A")))),
        ("questions and answers", told(|_, who, said| format!("{}: {said}\n", named(who, "Q", "A")))),
        ("people's names", told(|_, who, said| format!("{}: {said}", named(who, "Otto", "Ida")))),
        ("a person and an agent", told(|_, who, said| format!("{}: {said}", named(who, "Otto", "Claude")))),
        ("another language", told(|_, who, said| format!("{}: {said}", named(who, "Nutzer", "Assistent")))),
        ("one side of it", told(|_, _, said| format!("Assistant: {said}"))),
        (
            "marks of a template",
            told(
                |_, who, said| if who == "user" { format!("[INST] {said} [/INST]") } else { said.to_owned() },
            ),
        ),
        ("elements", told(|_, who, said| format!("<msg><role>{who}</role><content>{said}</content></msg>"))),
        (
            "names of classes",
            told(|_, who, said| format!("{}(content='{said}')", named(who, "HumanMessage", "AIMessage"))),
        ),
        ("columns", told(|_, who, said| format!("{who}\t{said}"))),
        ("parentheses", told(|_, who, said| format!("({who}) {said}"))),
        ("dates and times", told(|at, who, said| format!("2026-11-16 10:0{at}:00 [{who}] {said}"))),
        ("signs", told(|_, who, said| format!("{} {said}", named(who, "›", "•")))),
        ("a table", told(|_, who, said| format!("| {who} | {said} |"))),
        (
            "two words for a name",
            told(|_, who, said| format!("{}: {said}", named(who, "Human operator", "Claude Code"))),
        ),
    ]
}

#[test]
fn a_conversation_is_seen_under_any_marker_in_every_part() {
    for (name, text) in conversations() {
        for part in [Part::Context, Part::Task, Part::Payload] {
            assert!(pollution(part, &text).is_some(), "{name} in {part:?}:\n{text}");
        }
    }
}

#[test]
fn failed_history_is_seen_by_its_shape() {
    let step = |word: &str, n: usize| {
        format!(
            "{word} {n}: I thought that the parser drops the last row, so I changed the bound of the loop and ran the whole suite again, and it was still red with the same assertion.\n"
        )
    };
    let story = "I first thought the parser drops the last row. I changed the bound and ran the tests. It failed. Then I thought the header was skipped. I set skip to 0 and ran the tests. It failed.\n";
    let patch = |n: usize| {
        format!(
            "--- a/m{n}.py\n+++ b/m{n}.py\n@@ -1 +1 @@\n-x\n+y\n\nFAILED tests/test_import.py::test_{n} - assert\n"
        )
    };
    let object = |n: usize| {
        format!("{{\"tool\":\"bash\",\"input\":{{\"command\":\"pytest\"}},\"output\":\"FAILED run {n}\"}}\n")
    };
    let labelled = "Tool call: bash(\"pytest -q\")\nTool result: FAILED tests/test_import.py\n";
    let thinking = "```thinking\nthe parser drops the last row, so that the bound is wrong and I have to change it\n```\n";
    for (name, text) in [
        ("steps", each(1..20, |n| step("Step", n))),
        ("moves", each(1..20, |n| step("Move", n))),
        ("a list by numbers", each(1..20, |n| step("", n).trim_start().replacen(':', ".", 1))),
        ("a story", story.repeat(8)),
        ("a long story", story.repeat(230)),
        ("patches of several files", each(0..4, patch)),
        ("objects of calls", each(0..5, object)),
        ("labelled calls", labelled.repeat(3)),
        ("fences of thinking", thinking.repeat(3)),
        (
            "tags of thinking",
            "<thinking>the parser drops the last row, so that I change it now</thinking>\n".repeat(4),
        ),
        (
            "second thoughts",
            "Wait, maybe it is the parser. Let me check. Hmm, no. Actually, let me reconsider. ".repeat(40),
        ),
    ] {
        for part in [Part::Context, Part::Task] {
            assert!(pollution(part, &text).is_some(), "{name} in {part:?}");
        }
    }
    for (name, text) in [
        ("react", "Thought: it may be x\nAction: run\nObservation: red\nThought: or y".to_owned()),
        ("few turns", "User: a\nAI: b\nUser: c".to_owned()),
        (
            "reviewers",
            "**Coder:** tried\n**Reviewer:** no\n**Coder:** tried again\n**Reviewer:** no".to_owned(),
        ),
        (
            "tool messages",
            "{\"type\": \"tool_use\", \"name\": \"bash\"}\n{\"type\": \"tool_result\"}".to_owned(),
        ),
        ("invocations", "<invoke name=\"bash\">\nx\n<invoke name=\"edit\">".to_owned()),
        ("drawn calls", "⏺ Bash(cargo test)\n  ⎿ error\n⏺ Edit(src/a.rs)".to_owned()),
        ("a thought", "<thinking>maybe the bound</thinking>".to_owned()),
        ("a thought without an end", "<think>\nmaybe the bound is wrong".to_owned()),
        (
            "reasons and results",
            each(0..6, |n| format!("Reasoning: maybe the bound is wrong in loop {n}\nResult: still red\n")),
        ),
        (
            "tries",
            each(1..4, |n| format!("Attempt {n}: {}\n", long("changed the bound, which did nothing. "))),
        ),
        ("tries without a name", format!("## First try\n{0}\n## Second try\n{0}", long("the cache again. "))),
        (
            "telegrams",
            each(1..5, |n| {
                format!(
                    "Pass {n}: changed the bound of the loop in load.py, {} and it is red.\n",
                    "ran everything ".repeat(12)
                )
            }),
        ),
        ("markers", format!("[ATTEMPT: 1] {0}\n[ATTEMPT: 2] {0}", long("the cache again. "))),
        ("a command again", "$ make\nred\nred\n$ make\nred\nred\n$ make\nred".to_owned()),
        ("an error again", "x: error: no such pool\na\nb\nc\n".repeat(3)),
        ("a patch again", "--- a/x.rs\n+++ b/x.rs\n+1\n".repeat(3)),
        ("too long", "a plain sentence. ".repeat(1_000)),
    ] {
        assert!(pollution(Part::Context, &text).is_some(), "{name}:\n{text}");
    }
    assert!(
        pollution(Part::Task, &"a plain sentence. ".repeat(2_000)).is_some(),
        "a task has its bound as well"
    );
}

#[test]
fn clean_context_is_let_through() {
    for (name, text) in [
        ("nothing", String::new()),
        ("a signature", "$ cargo test\nerror[E0308]: mismatched types\n --> src/a.rs:3:5".to_owned()),
        ("a list of attempts", "what_was_tried:\n- attempt 1: pinned serde\n- attempt 2: cleared the cache".to_owned()),
        ("a checklist", "[CHECKLIST]\n- [ ] user: exists in the database\n- [ ] system: clock is right".to_owned()),
        ("settings", "user: deploy\nhost: staging\nport: 22\nsystem: linux".to_owned()),
        ("more settings", "user: deploy\nsystem: linux\nmodel: t3.micro\ntool: ansible".to_owned()),
        ("records", "- model: small\n  price: 3\n  user: all\n- model: large\n  price: 9\n  user: some\n".repeat(2)),
        ("what a compiler says", ["pool", "lock", "handle", "row"].map(|name| format!("error: {name} is not known\nnote: it is used here in the third line of it\nhelp: did you mean the other one, which is here\n")).concat()),
        ("paths of a program", "std::fs: I tried it\nstd::io: it failed\n".repeat(3)),
        ("one payload", "<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 4]\n</ESCALATION>".to_owned()),
        ("several errors", "a.c:3:5: error: x is not known\na.c:4:5: error: x is not known\na.c:5:5: error: x is not known".to_owned()),
        ("two speakers once", "The user: block of the config and the Assistant: block differ.".to_owned()),
        ("a tag that is named", "The <thinking> tag is stripped, and `</thinking>` as well.".to_owned()),
        ("steps", format!("{}{}", each(1..9, |n| format!("Step {n}: open the page and look at field {n}.\n")), "The fields are shown in a table. ".repeat(20))),
        ("facts", "[FORCED_CONTEXT]\n- we changed the driver in May; it failed in June\n- the schema is version 7\n".to_owned()),
        ("one patch", "--- a/x.rs\n+++ b/x.rs\n@@ -1 +1 @@\n-a\n+b\n--- a/error.rs\n+++ b/error.rs\n@@ -1 +1 @@\n return error\n-a\n+b\n".to_owned()),
    ] {
        assert_eq!(pollution(Part::Context, &text), None, "{name}:\n{text}");
    }
    let confession = "This is a long failed reasoning transcript of the junior agent's failed chat history.";
    assert_eq!(pollution(Part::Context, confession), None, "what it says about itself plays no part");
}

#[test]
fn a_task_may_quote_logs_discussions_and_examples() {
    let example = |messages: &[(&str, &str)]| {
        let lines: Vec<String> = messages
            .iter()
            .map(|(who, said)| format!("{{\"role\": \"{who}\", \"content\": \"{said}\"}}"))
            .collect();
        format!(
            "The endpoint must accept messages like\n\n```json\n{}\n```\n\nand return 200.\n",
            lines.join("\n")
        )
    };
    let tries = "I tried 2.1 and it failed. We then moved to 2.2, which is still red.";
    for (name, text) in [
        ("settings", "Make the deploy job pass.\n\n```yaml\nuser: deploy\nsystem: linux\nmodel: t3.micro\ntool: ansible\n```\n".to_owned()),
        ("an example of messages", example(&[("system", "a"), ("user", "b"), ("assistant", "c")])),
        ("a longer one", example(&[("user", "hello"), ("assistant", "hello there"), ("user", "who are you?"), ("assistant", "a model"), ("user", "good")])),
        ("an example of calls", "{\"type\": \"tool_use\", \"id\": \"1\"}\n{\"type\": \"tool_result\", \"is_error\": true}\n".repeat(3)),
        ("rounds", format!("# Tournament\n\nRound 1: each player meets one other.\nRound 2: winners meet.\nRound 3: final.\n{}", "The scores are kept in a table and shown. ".repeat(30))),
        ("rules for tries", format!("Attempt 1: wait a second.\nAttempt 2: wait two seconds.\nAttempt 3: wait four, then it has failed.\n{}", "The client says which it is. ".repeat(60))),
        ("people", "Function: load\nAgent: none\nUser: anybody\n".to_owned()),
        ("steps to reproduce", "Steps:\n$ make\n$ make\n$ make\n".to_owned()),
        ("a log", "cargo test fails, please fix.\n\n$ cargo test\nerror: test failed\n\nrerun:\n$ cargo test\nerror: test failed\n\nrerun:\n$ cargo test\nerror: test failed\n".to_owned()),
        ("a ticket", "Fix the parser. Discussion in the ticket:\nuser: the parser drops rows\nreviewer: only with CRLF\nuser: right, with CRLF\n".to_owned()),
        ("a longer ticket", "anna: the parser drops rows\nbert: only with CRLF\nanna: right\nbert: I tried the old one, and it fails as well\nanna: then please fix both\n".to_owned()),
        ("tags", "The <thinking> tag must be stripped from answers; `<thinking>some words</thinking>` becomes nothing.".to_owned()),
        ("what was tried", format!("Make the build pass. {tries} The lock file is in the repository.")),
        ("stories of users", "As a user I want to see why it failed. I added this page for it.\n".repeat(5)),
        ("questions", "Q: What if the file is missing?\nA: It fails with an error.\nQ: And if it is empty?\nA: Then nothing is read.\n".repeat(3)),
        ("a human who tried", "The upload test is red since Tuesday. I tried to raise the buffer, and it still failed. Then I moved back to 2.1, which failed as well. Please find out why. Do not touch the proxy.".to_owned()),
        ("what was decided", format!("We tried Redis. It failed under load. We moved to Postgres. That was slower, but did not lose data.\n\n{}We added a queue. Errors are counted by it.\n\n{0}We changed it in May. Nothing else was tested.\n", "The client writes each row, and every row is told to whoever asked for it.\n".repeat(9))),
        ("a chat's text", "System: You are a helper.\nUser: hello\nAssistant: hello, how may I help?\nUser: what is the weather?\nAssistant: It is sunny.\n".to_owned()),
        ("a support case", "Customer: the export fails\nAgent: I have passed it on\nCustomer: any news?\n\nPlease fix the export.\n".to_owned()),
        ("a review", "reviewer: this fails for empty input\nauthor: fixed\nreviewer: still fails for NUL\nauthor: I will look\nreviewer: thanks\n".to_owned()),
        ("a long log", each(0..12, |n| format!("$ step {n}\nrunning {n}\nerror: it failed in {n}\n"))),
        ("several patches", "diff --git a/errors.rs b/errors.rs\n--- a/errors.rs\n+++ b/errors.rs\n@@ -1 +1 @@\n return error\n-a\n+b\n".repeat(4)),
    ] {
        assert_eq!(pollution(Part::Task, &text), None, "{name}:\n{text}");
    }
    let specification = format!(
        "# Contract\n{}\n## Steps to reproduce\n$ make\n$ ./run\n$ curl localhost\n\n| role | may |\n|---|---|\n| user | read |\n| system | write |\n",
        "The pool shall close every handle, and say which could not be closed.\n".repeat(300),
    );
    assert_eq!(pollution(Part::Task, &specification), None, "a long task is a task");
    assert!(pollution(Part::Context, &specification).is_some());
}

#[test]
fn the_lists_of_a_payload_are_lists() {
    for (name, text) in [
        ("attempts", each(1..6, |n| format!("- Attempt {n}: {}\n", "changed the bound, which did nothing ".repeat(6)))),
        ("labels", "- model: the parser drops the last row\n- system: the reader skips the header\n- tool: the file is read as text\n".repeat(2)),
        ("one error", "- AssertionError: assert 3 == 4 in tests/test_import.py\n- x\n- y\n".repeat(3)),
        ("another marker", "attempt: [ATTEMPT: 4]\n- escalation payload received: [ATTEMPT: 9]\n".to_owned() + &"- plain\n".repeat(200)),
    ] {
        assert_eq!(pollution(Part::Payload, &text), None, "{name}");
    }
}
