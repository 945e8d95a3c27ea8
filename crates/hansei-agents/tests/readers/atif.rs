//! Trajectories: what is exported is valid and comes back equal; others' are read.

use std::path::PathBuf;
use std::process::Command;

use hansei_agents::atif::{Whose, export, import};
use hansei_agents::transcript::Reading;
use hansei_core::session::{
    Action, AnswerEnd, Circumstances, Feeder, HumanVia, SessionEvent, Todo, TodoStatus, Usage, What,
};
use hansei_core::timestamp::Timestamp;
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use serde_json::{Value, json};

use super::atif_rules::problems;
use super::support::{fixture, found, read, show};

const WHOSE: Whose<'static> = Whose { agent: "codex", session: "s1" };

/// Every session among the fixtures.
fn recorded() -> Vec<(PathBuf, Vec<SessionEvent>)> {
    let mut sessions = Vec::new();
    for agent in ["codex", "gemini"] {
        for entry in std::fs::read_dir(fixture(agent)).unwrap() {
            let file = entry.unwrap().path();
            let (events, _) = read(&found(agent, "s", file.clone()));
            sessions.push((file, events));
        }
    }
    #[cfg(feature = "transcripts")]
    for (agent, name) in
        [("opencode", "work"), ("opencode", "compaction"), ("opencode", "abort"), ("kilo", "work")]
    {
        let (home, file) = super::opencode::home(agent, name);
        let (events, _) = read(&super::opencode::sessions(home.path(), agent)[0]);
        sessions.push((file, events));
    }
    assert!(sessions.len() > 10);
    sessions
}

#[test]
fn recorded_sessions_are_valid_trajectories_and_come_back_equal() {
    for (file, events) in recorded() {
        let exported = export(&events, WHOSE);
        assert_eq!(problems(&exported), [""; 0], "{}", file.display());
        assert_eq!(import(exported.to_string().as_bytes()).unwrap(), events, "{}", file.display());
    }
}

/// The reference validator is a Python package: `HANSEI_TEST_HARBOR` names a Python that can import it.
#[test]
fn the_reference_validator_accepts_what_is_exported() {
    let python =
        std::env::var_os("HANSEI_TEST_HARBOR").expect("run ./scripts/test, which installs the validator");
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (number, (_, events)) in recorded().into_iter().enumerate() {
        let file = folder.path().join(format!("{number}.json"));
        std::fs::write(&file, export(&events, WHOSE).to_string()).unwrap();
        files.push(file);
    }
    let empty = folder.path().join("empty.json");
    std::fs::write(&empty, export(&[], WHOSE).to_string()).unwrap();
    files.push(empty);
    let script = "import sys
from harbor.utils.trajectory_validator import TrajectoryValidator
validator = TrajectoryValidator()
for file in sys.argv[1:]:
    if not validator.validate(file):
        sys.exit(f'{file}: {validator.get_errors()}')";
    let output = Command::new(python).arg("-c").arg(script).args(&files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

fn text() -> impl Strategy<Value = String> {
    "[ -~äß⏎\n]{0,12}"
}

fn input() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (-1e12..1e12f64).prop_map(Value::from),
        text().prop_map(Value::from),
    ];
    leaf.prop_recursive(2, 8, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::btree_map("[a-z]{1,5}", inner, 0..3).prop_map(|fields| json!(fields)),
        ]
    })
}

fn action() -> impl Strategy<Value = Action> {
    let status = prop_oneof![Just(TodoStatus::Open), Just(TodoStatus::Doing), Just(TodoStatus::Dropped)];
    let todo = (text(), status).prop_map(|(text, status)| Todo { text, status });
    prop_oneof![
        (text(), any::<bool>()).prop_map(|(command, background)| Action::Run { command, background }),
        vec(text(), 0..3).prop_map(|paths| Action::Edit { paths }),
        vec(todo, 0..3).prop_map(|todos| Action::SetTodos { todos }),
        text().prop_map(|request| Action::Delegate { request }),
        text().prop_map(|question| Action::Ask { question }),
        Just(Action::Look),
        Just(Action::Plan),
        Just(Action::HandIn),
        Just(Action::Other),
    ]
}

fn circumstances() -> impl Strategy<Value = Circumstances> {
    (of(text()), of(text()), of(text()), of(text()), of(any::<bool>()), of(text())).prop_map(
        |(version, model, cwd, branch, attended, forked_from)| Circumstances {
            version,
            model,
            cwd,
            branch,
            attended,
            forked_from,
        },
    )
}

fn what() -> impl Strategy<Value = What> {
    // Few ids, so that answers meet calls, twice too.
    let call = || "[ab]";
    let end = prop_oneof![Just(AnswerEnd::Done), Just(AnswerEnd::Failed), Just(AnswerEnd::Denied)];
    let via = prop_oneof![Just(HumanVia::Prompt), Just(HumanVia::Command)];
    let by = prop_oneof![Just(Feeder::StopHook), Just(Feeder::Agent)];
    let usage = (any::<u64>(), any::<u64>(), of(0.0..1e9f64));
    prop_oneof![
        circumstances().prop_map(What::Started),
        (text(), via).prop_map(|(text, via)| What::HumanSaid { text, via }),
        (text(), by).prop_map(|(text, by)| What::Fed { text, by }),
        text().prop_map(|text| What::Said { text }),
        text().prop_map(|text| What::Thought { text }),
        (call(), text(), input(), action()).prop_map(|(call, tool, input, action)| What::Called {
            call,
            tool,
            input,
            action
        }),
        (call(), text(), end, of(any::<i32>())).prop_map(|(call, output, end, exit_code)| What::Answered {
            call,
            output,
            end,
            exit_code
        }),
        (of(call()), text())
            .prop_map(|(call, text)| What::BySubAgent { call, what: Box::new(What::Said { text }) }),
        of(text()).prop_map(|summary| What::Compacted { summary }),
        (any::<bool>(), text()).prop_map(|(plan, name)| What::Permission { plan, name }),
        usage.prop_map(|(input_tokens, output_tokens, cost_usd)| {
            What::Used(Usage { input_tokens, output_tokens, cost_usd })
        }),
        Just(What::Aborted),
        text().prop_map(|error| What::Failed { error }),
        Just(What::Stopped),
        text().prop_map(|reason| What::Ended { reason }),
    ]
}

fn event() -> impl Strategy<Value = SessionEvent> {
    let at =
        (0..3u8).prop_map(|second| Timestamp::try_from(format!("2026-11-15T10:00:0{second}.5Z")).unwrap());
    (of(at), of("[x-z]"), what()).prop_map(|(at, id, what)| SessionEvent { at, id, what })
}

proptest! {
    #[test]
    fn any_events_are_a_valid_trajectory_and_come_back_equal(events in vec(event(), 0..24)) {
        let exported = export(&events, WHOSE);
        prop_assert_eq!(problems(&exported), Vec::<String>::new());
        prop_assert_eq!(import(exported.to_string().as_bytes()).unwrap(), events);
    }
}

#[test]
fn trajectories_of_others_are_read() {
    let trajectory = json!({
        "schema_version": "ATIF-v1.6", "session_id": "s", "agent": {"name": "mini", "version": "1", "model_name": "m"},
        "steps": [
            {"step_id": 1, "source": "system", "message": "Be kind.", "timestamp": "2025-10-11T12:30:00+02:00"},
            {"step_id": 2, "source": "user", "message": [{"type": "text", "text": "fix it"}, {"type": "image", "source": {"media_type": "image/png", "path": "a.png"}}]},
            {"step_id": 3, "source": "agent", "message": "", "reasoning_content": "Hm.", "model_name": "n",
             "tool_calls": [{"tool_call_id": "1", "function_name": "bash", "arguments": {"command": "make"}}],
             "observation": {"results": [{"content": "<returncode>2</returncode>\n<output>x</output>"}]},
             "metrics": {"prompt_tokens": 5, "completion_tokens": 3, "cached_tokens": 2, "cost_usd": 0.5}},
            {"step_id": 4, "source": "agent", "message": "Look.",
             "tool_calls": [{"tool_call_id": "2", "function_name": "shell", "arguments": {"command": "make"}}, {"tool_call_id": "3", "function_name": "helper", "arguments": {"task": "count"}}],
             "observation": {"results": [
                 {"source_call_id": "2", "content": "ok", "extra": {"exit_code": 0}},
                 {"source_call_id": "3", "content": [{"type": "text", "text": "3"}], "subagent_trajectory_ref": [{"trajectory_path": "t.json"}]}]}},
            {"step_id": 5, "source": "agent", "message": "old", "is_copied_context": true},
            {"step_id": 6, "source": "agent", "message": "Done.", "timestamp": "2025-10-11T10:31:00"}
        ],
        "notes": "n", "extra": {"cwd": "/w"}
    });
    let events = import(trajectory.to_string().as_bytes()).unwrap();
    assert_eq!(events[0].at.as_ref().unwrap().as_str(), "2025-10-11T10:30:00Z");
    assert_eq!(events.last().unwrap().at.as_ref().unwrap().as_str(), "2025-10-11T10:31:00Z");
    insta::assert_snapshot!(show(&(events, Reading::default())), @r"
    started 1 m /w - - attended None
    fed by Agent: Be kind.
    human Prompt: fix it⏎[image: a.png]
    started 1 n /w - - attended None
    thought: Hm.
    called 1 bash = run make
    answered 1 Failed 2: <returncode>2</returncode>⏎<output>x</output>
    used 5 3 0.5 USD
    said: Look.
    called 2 shell = run make
    called 3 helper = delegate count
    answered 2 Done 0: ok
    answered 3 Done -: 3
    said: Done.
    0 lines, 0 unknown, torn: false
    ");
}

#[test]
fn trajectories_of_sub_agents_are_part_of_their_parents() {
    let ran = |id: &str, code: i32| {
        json!({
            "schema_version": "ATIF-v1.8", "trajectory_id": id, "agent": {"name": "sub", "version": "1"},
            "steps": [
                {"step_id": 1, "source": "user", "message": "test it"},
                {"step_id": 2, "source": "agent", "message": "Testing.",
                 "tool_calls": [{"tool_call_id": "1", "function_name": "bash", "arguments": {"command": "make test"}}],
                 "observation": {"results": [{"source_call_id": "1", "content": format!("[exit {code}]")}]}}
            ]
        })
    };
    let task = |id: &str| json!({"tool_call_id": id, "function_name": "Task", "arguments": {"prompt": id}});
    let trajectory = json!({
        "schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"},
        "steps": [
            {"step_id": 1, "source": "user", "message": "test it"},
            {"step_id": 2, "source": "agent", "message": "", "tool_calls": [task("1"), task("2"), task("3")],
             "observation": {"results": [
                 {"source_call_id": "1", "content": "ok", "subagent_trajectory_ref": [{"trajectory_id": "b"}]},
                 {"source_call_id": "2", "content": "ok"},
                 {"source_call_id": "3", "content": "ok"}]}}
        ],
        "subagent_trajectories": [ran("a", 1), ran("b", 0)]
    });
    let events = import(trajectory.to_string().as_bytes()).unwrap();
    let session = hansei_core::session::Session::fold(&events);
    let told: Vec<String> = session
        .calls
        .iter()
        .map(|call| {
            let code = call.end.as_ref().and_then(|end| end.exit_code);
            format!("{} unread {} by sub-agent {} {code:?}", call.tool, call.unread, call.by_sub_agent)
        })
        .collect();
    insta::assert_snapshot!(told.join("\n"), @r"
    Task unread false by sub-agent false None
    Task unread false by sub-agent false None
    Task unread true by sub-agent false None
    bash unread false by sub-agent true Some(0)
    bash unread false by sub-agent true Some(1)
    ");
}

#[test]
fn every_known_version_is_read_and_no_other() {
    for (version, known) in [
        ("ATIF-v1.0", true),
        ("ATIF-v1.4", true),
        ("ATIF-v1.8", true),
        ("ATIF-v1.9", false),
        ("ATIF-v2.0", false),
        ("1.0", false),
    ] {
        let steps = json!([{ "step_id": 1, "source": "user", "message": "hi" }]);
        let trajectory = json!({ "schema_version": version, "session_id": "s", "agent": { "name": "a", "version": "1" }, "steps": steps });
        assert_eq!(import(trajectory.to_string().as_bytes()).is_ok(), known, "{version}");
    }
    for text in ["", "{}", "[]", "null", r#"{"schema_version":"ATIF-v1.8","steps":3}"#] {
        assert!(
            import(text.as_bytes()).unwrap_err().to_string().contains("not an ATIF trajectory"),
            "{text}"
        );
    }
}

#[test]
fn a_damaged_residue_is_not_believed() {
    let event = SessionEvent {
        at: None,
        id: None,
        what: What::HumanSaid { text: "fix it".into(), via: HumanVia::Command },
    };
    let mut exported = export(&[event], WHOSE);
    exported["steps"][0]["extra"]["hansei"]["events"][0]["kind"] = json!("dreamt");
    let events = import(exported.to_string().as_bytes()).unwrap();
    let told = What::HumanSaid { text: "fix it".into(), via: HumanVia::Prompt };
    assert!(events.iter().any(|event| event.what == told));
}
