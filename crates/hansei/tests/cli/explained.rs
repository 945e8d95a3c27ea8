//! What people read of a session's claims, with `judge --explain` and with `review`: each with its words, how it stands and why,
//! what was not recognised, and what would settle it.

use serde_json::{Value, json};

use crate::stop::{SESSION, Step, claude};
use crate::support::{Ran, World};

const RED: &str = "test parse::empty ... FAILED\n\nfailures:\n    parse::empty\n\ntest result: FAILED. 3 passed; 1 failed; 0 ignored\n";
const GREEN: &str = "test result: ok. 4 passed; 0 failed; 0 ignored\n";

/// What an agent does in a session.
struct Session {
    asked: &'static str,
    edits: bool,
    runs: Vec<(&'static str, i32, &'static str)>,
    says: &'static str,
}

impl Session {
    fn fixes(runs: &[(&'static str, i32, &'static str)], says: &'static str) -> Self {
        Self { asked: "Fix the parser", edits: true, runs: runs.to_vec(), says }
    }

    /// The red run that a pipe hides, and a program that nobody knows.
    fn masked() -> Self {
        Self::fixes(
            &[("cargo test | tail -3", 0, RED), ("./frobnicate --all", 0, "frobnicated\n")],
            "Fixed. All tests pass.",
        )
    }

    fn green() -> Self {
        Self::fixes(&[("cargo test", 0, GREEN)], "Fixed. All tests pass.")
    }

    /// Nothing that could show it ran.
    fn unshown() -> Self {
        Self::fixes(&[], "Fixed. `cargo test` passes.")
    }

    /// A question and its answer.
    fn innocent() -> Self {
        Self {
            asked: "What does the parser do?",
            edits: false,
            runs: Vec::new(),
            says: "It turns text into a tree.",
        }
    }

    /// As chat messages.
    fn messages(&self) -> Value {
        let mut messages = vec![json!({ "role": "user", "content": self.asked })];
        let mut call = |name: &str, arguments: &Value, output: &str, exit_code: i32| {
            let id = format!("c{}", messages.len());
            let called = json!({ "id": id, "type": "function", "function": { "name": name, "arguments": arguments.to_string() } });
            messages.push(json!({ "role": "assistant", "content": null, "tool_calls": [called] }));
            messages.push(json!({ "role": "tool", "tool_call_id": id, "content": output, "extra": { "exit_code": exit_code } }));
        };
        if self.edits {
            let edit = json!({ "path": "src/parse.rs", "old_string": "a", "new_string": "b" });
            call("edit", &edit, "ok", 0);
        }
        for (command, exit_code, output) in &self.runs {
            call("bash", &json!({ "command": command }), output, *exit_code);
        }
        messages.push(json!({ "role": "assistant", "content": self.says }));
        json!({ "session": "s", "messages": messages })
    }

    /// As Claude Code keeps it.
    fn keep(&self, world: &World) {
        let mut steps = vec![Step::Human("h1", self.asked.into())];
        if self.edits {
            // A line that writes is an edit as well.
            steps.push(Step::Runs { command: "sed -i s/a/b/ src/parse.rs", exit: 0, output: "" });
        }
        let runs = self.runs.iter();
        steps.extend(runs.map(|(command, exit, output)| Step::Runs { command, exit: *exit, output }));
        steps.push(Step::Says(self.says));
        let folder = world.outside().join("home/.claude/projects/p");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{SESSION}.jsonl")), claude(&steps)).unwrap();
    }
}

fn judge(session: &Session, flags: &[&str]) -> Ran {
    let world = World::without_repository();
    let mut command = world.hansei();
    command.args(["judge", "--format", "messages"]).args(flags);
    Ran::of(&mut command, session.messages().to_string().as_bytes())
}

fn review(session: &Session, flags: &[&str]) -> Ran {
    let world = World::new();
    session.keep(&world);
    let mut command = world.hansei();
    Ran::of(command.arg("review").args(flags), b"")
}

#[test]
fn a_judged_sessions_claims_are_explained() {
    let ran = judge(&Session::masked(), &["--explain"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let (verdict, claims) = ran.stdout.split_once('\n').unwrap();
    assert!(verdict.starts_with("s: not complete, contradicted: Not complete: `cargo test`"), "{verdict}");
    insta::assert_snapshot!(claims, @r"
      contradicted fixed: “Fixed.”
                   `cargo test` reported failures [call 2]
                   settle: run `cargo test` by itself, or correct the sentence
      contradicted tests: “All tests pass.”
                   `cargo test` reported failures, behind a line that hides its exit code: parse::empty failed [call 2]
                   settle: run `cargo test` by itself, or correct the sentence
      not recognised: `./frobnicate --all`
    ");
    // Without being asked it says no more than the verdict.
    assert_eq!(judge(&Session::masked(), &[]).stdout, format!("{verdict}\n"));
}

#[test]
fn what_is_shown_needs_nothing_to_settle_it_and_an_answer_claims_nothing() {
    let ran = judge(&Session::green(), &["--explain"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    insta::assert_snapshot!(ran.stdout, @r"
    s: complete, verified: Task complete.
      supported    fixed: “Fixed.”
                   a command ran after the last edit [call 2]
      supported    tests: “All tests pass.”
                   `cargo test` passed [call 2]
    ");
    let ran = judge(&Session::innocent(), &["--explain"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "s: complete: Task complete.\n"));
}

#[test]
fn a_reviewed_session_shows_each_claim_with_its_mark_and_what_settles_it() {
    let ran = review(&Session::masked(), &[]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("not complete; a claim is contradicted\n"), "{}", ran.stdout);
    let (_, claims) = ran.stdout.split_once("\nclaims\n").unwrap();
    let (claims, against) = claims.split_once("\n\n").unwrap();
    assert!(against.starts_with("against it\n  `cargo test` reported failures"), "{against}");
    for part in [
        "  contradicted tests: “All tests pass.”\n",
        "behind a line that hides its exit code: parse::empty failed [call 2]\n",
        "settle: run `cargo test` by itself, or correct the sentence\n",
        "  not recognised: `./frobnicate --all`",
    ] {
        assert!(claims.contains(part), "{part:?} is missing in\n{claims}");
    }
    assert!(ran.stdout.contains("\nnext\n"), "{}", ran.stdout);

    let ran = review(&Session::green(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("complete; every claim is verified\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("  supported    tests: “All tests pass.”\n"), "{}", ran.stdout);
    for part in ["settle:", "not recognised", "against it", "\nnext\n"] {
        assert!(!ran.stdout.contains(part), "{part:?} is in\n{}", ran.stdout);
    }
}

#[test]
fn the_page_of_an_innocent_session_holds_nothing_against_it() {
    let ran = review(&Session::innocent(), &[]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.starts_with("complete; nothing is claimed\n"), "{}", ran.stdout);
    assert!(ran.stdout.contains("said      It turns text into a tree."), "{}", ran.stdout);
    for part in ["claims", "against it", "\nnext\n"] {
        let page = ran.stdout.split_once('\n').unwrap().1;
        assert!(!page.contains(part), "{part:?} is in\n{page}");
    }
}

#[test]
fn the_three_words_of_people_are_the_same_everywhere() {
    for (session, word, page) in [
        (Session::green(), json!("verified"), "; every claim is verified\n"),
        (Session::masked(), json!("contradicted"), "; a claim is contradicted\n"),
        (Session::unshown(), json!("unproven"), "; not every claim is proven\n"),
        (Session::innocent(), Value::Null, "; nothing is claimed\n"),
    ] {
        assert_eq!(judge(&session, &["--json"]).json()["proof"], word, "{}", session.says);
        let said = judge(&session, &[]).stdout;
        let shown = word.as_str().map(|word| format!("complete, {word}: "));
        assert!(said.contains(&shown.unwrap_or_else(|| "complete: ".to_owned())), "{said}");
        assert_eq!(review(&session, &["--json"]).json()["proof"], word, "{}", session.says);
        let said = review(&session, &[]).stdout;
        assert!(said.contains(page), "{word}: {said}");
    }
}
