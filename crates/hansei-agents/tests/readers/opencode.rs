//! OpenCode 1.18.33 and Kilo 7.7.7, whose databases have the same form.

use std::path::{Path, PathBuf};

use hansei_agents::transcript::{Found, Homes, Live};
use rusqlite::Connection;

use super::support::{fixture, read, show};

/// A home with the database of the fixture `name` of `agent`.
pub fn home(agent: &str, name: &str) -> (tempfile::TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join(".local/share").join(agent);
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join(format!("{agent}.db"));
    let sql = std::fs::read_to_string(fixture(&format!("{agent}/{name}.sql"))).unwrap();
    Connection::open(&file).unwrap().execute_batch(&sql).unwrap();
    (home, file)
}

pub fn sessions(home: &Path, agent: &str) -> Vec<Found> {
    hansei_agents::sessions(&Homes { home: home.into(), ..Homes::default() }, Some(agent))
}

fn events(agent: &str, name: &str) -> String {
    let (home, _) = home(agent, name);
    let sessions = sessions(home.path(), agent);
    assert_eq!(sessions.len(), 1, "a sub-agent's session is not one of its own");
    show(&read(&sessions[0]))
}

#[test]
fn work_with_a_sub_agent() {
    insta::assert_snapshot!(events("opencode", "work"), @r#"
    started 1.18.33 - /home/dev/w - - attended None
    human Prompt: make a.txt
    started 1.18.33 stub-model /home/dev/w - - attended None
    thought: let me look
    said: I will plan.
    called call_0_0 todowrite = todos ["Doing write it", "Open test it"]
    answered call_0_0 Done -: [⏎  {⏎    "content": "write it",⏎    "status": "in_progress",⏎    "priority": "high"⏎  },⏎  {⏎    "content": "…
    used 100 20
    called call_1_0 bash = run echo hi; exit 3
    answered call_1_0 Failed 3: hi⏎
    called call_1_1 bash = run echo fine
    answered call_1_1 Done 0: fine⏎
    used 100 20
    called call_2_0 write = edit ["a.txt"]
    answered call_2_0 Done -: Wrote file successfully.
    used 100 20
    called call_3_0 edit = edit ["a.txt"]
    answered call_3_0 Failed -: Could not find oldString in the file. It must match exactly, including whitespace, indentation, and line endin…
    used 100 20
    called call_4_0 task = delegate count the files
    answered call_4_0 Done -: <task id="ses_e20e2860affedaP1skVq1Gndm5" state="completed">⏎<task_result>⏎Done.⏎</task_result>⏎</task>
    used 100 20
    said: Done.
    used 100 20
    stopped
    30 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn what_a_sub_agent_did_follows_its_call() {
    for (agent, child) in
        [("opencode", "ses_e20e2860affedaP1skVq1Gndm5"), ("kilo", "ses_e20e20900ffei5h3mjfvksyEwd")]
    {
        let (home, file) = home(agent, "work");
        let ran = r#"{"type":"tool","tool":"bash","callID":"call_0_0","state":{"status":"completed","input":{"command":"cargo test"},"output":"red","metadata":{"exit":1},"time":{"start":1794744648839,"end":1794744648846}}}"#;
        let database = Connection::open(&file).unwrap();
        let message = r#"{"role":"assistant","time":{"created":1794744648830}}"#;
        database
            .execute("INSERT INTO message (id,session_id,time_created,time_updated,data) VALUES ('msg_zz',?1,1794744648830,1794744648830,?2)", [child, message])
            .unwrap();
        database
            .execute("INSERT INTO part (id,message_id,session_id,time_created,time_updated,data) VALUES ('prt_zz','msg_zz',?1,1794744648830,1794744648830,?2)", [child, ran])
            .unwrap();
        drop(database);
        let (events, _) = read(&sessions(home.path(), agent)[0]);
        let session = hansei_core::session::Session::fold(&events);
        let told: Vec<_> = session.calls.iter().filter(|call| call.by_sub_agent).collect();
        assert!(told.iter().any(|call| call.end.as_ref().unwrap().exit_code == Some(1)), "{agent}");
        assert!(session.calls.iter().all(|call| !call.unread), "{agent}");
        assert!(
            told.iter().all(|call| call.tool != "write"),
            "the parent's calls of the same names are its own"
        );
    }
}

#[test]
fn kilo_is_read_alike() {
    let (of_opencode, of_kilo) = (events("opencode", "work"), events("kilo", "work"));
    assert!(of_kilo.starts_with("started 7.7.7 - /home/dev/w"), "{of_kilo}");
    // Only the ids of the sub-agents' sessions differ.
    let steady = |told: &str| -> Vec<String> {
        told.lines().skip(3).filter(|line| !line.contains("<task id=")).map(ToOwned::to_owned).collect()
    };
    assert_eq!(steady(&of_kilo), steady(&of_opencode));
}

#[test]
fn a_compaction_is_not_the_agents_words() {
    insta::assert_snapshot!(events("opencode", "compaction"), @r#"
    started 1.18.33 - /home/dev/w - - attended None
    human Prompt: make a.txt
    started 1.18.33 stub-model /home/dev/w - - attended None
    said: one
    called call_0_0 bash = run echo 1
    answered call_0_0 Done 0: 1⏎
    used 195000 20
    compacted: SUMMARY: we made a.txt
    used 100 20
    fed by Agent: Continue if you have next steps, or stop and ask for clarification if you are unsure how to proceed.
    said: Done.
    used 100 20
    stopped
    19 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn an_aborted_session() {
    insta::assert_snapshot!(events("opencode", "abort"), @r"
    started 1.18.33 - /home/dev/w - - attended None
    human Prompt: make a.txt
    started 1.18.33 stub-model /home/dev/w - - attended None
    called call_0_0 bash = run sleep 50
    answered call_0_0 Interrupted -: (no output)⏎⏎<shell_metadata>⏎User aborted the command⏎</shell_metadata>
    aborted
    5 lines, 0 unknown, torn: false
    ");
}

#[test]
fn a_failed_turn() {
    insta::assert_snapshot!(events("opencode", "api-error"), @r#"
    started 1.18.33 - /home/dev/w - - attended None
    human Prompt: make a.txt
    started 1.18.33 stub-model /home/dev/w - - attended None
    failed: stub error
    3 lines, 0 unknown, torn: false
    "#);
}

#[test]
fn a_plugin_that_prompts_is_no_human() {
    let (home, file) = home("opencode", "abort");
    let database = Connection::open(&file).unwrap();
    let session = sessions(home.path(), "opencode")[0].id.clone();
    for (id, part) in [
        ("zz1", r#"{"type":"text","synthetic":true,"text":"cargo test fails"}"#),
        ("zz2", r#"{"type":"text","synthetic":true,"text":"Background task completed: x"}"#),
        ("zz3", r#"{"type":"dreamt"}"#),
        ("zz4", "not json"),
    ] {
        let message = r#"{"role":"user","time":{"created":1894745306200},"agent":"plan"}"#;
        let add = "INSERT INTO message VALUES (?1, ?2, 1894745306200, 1894745306200, ?3)";
        database.execute(add, [id, &session, message]).unwrap();
        let add = "INSERT INTO part VALUES (?1, ?1, ?2, 1894745306200, 1894745306200, ?3)";
        database.execute(add, [id, &session, part]).unwrap();
    }
    let told = show(&read(&sessions(home.path(), "opencode")[0]));
    let end: Vec<&str> = told.lines().skip_while(|line| *line != "aborted").collect();
    insta::assert_snapshot!(end.join("\n"), @r"
    aborted
    permission plan, plan true
    fed by StopHook: cargo test fails
    fed by Agent: Background task completed: x
    13 lines, 2 unknown, torn: false
    ");
}

#[test]
fn reading_leaves_no_trace() {
    let (home, file) = home("opencode", "work");
    let before = std::fs::read(&file).unwrap();
    let found = sessions(home.path(), "opencode");
    read(&found[0]);
    let names = |folder: &Path| -> Vec<_> {
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name()).collect()
    };
    assert_eq!(names(file.parent().unwrap()), ["opencode.db"]);
    assert_eq!(std::fs::read(&file).unwrap(), before);
    assert!(found[0].size > 1000);
}

#[test]
fn a_session_that_is_being_written_is_read() {
    let (home, file) = home("opencode", "work");
    let writer = Connection::open(&file).unwrap();
    writer.pragma_update(None, "journal_mode", "WAL").unwrap();
    let add = "INSERT INTO part SELECT 'zz', message_id, session_id, 1, 1, '{\"type\":\"text\",\"text\":\"Newest.\"}' \
               FROM part WHERE data LIKE '%Done.%' LIMIT 1";
    writer.execute(add, []).unwrap();
    let told = show(&read(&sessions(home.path(), "opencode")[0]));
    assert!(told.contains("said: Newest."), "{told}");
}

#[test]
fn what_is_no_database_has_no_sessions() {
    let home = tempfile::tempdir().unwrap();
    assert!(sessions(home.path(), "opencode").is_empty());
    let folder = home.path().join(".local/share/opencode");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("opencode.db"), "not a database, and long enough to look like a header")
        .unwrap();
    assert!(sessions(home.path(), "opencode").is_empty());
    Connection::open(folder.join("opencode.db")).ok();
    let found = super::support::found("opencode", "ses_x", folder.join("opencode.db"));
    assert!(hansei_agents::read(&found, &mut |_| {}).is_err());
}

#[test]
fn what_a_sub_agent_did_is_sent_along() {
    let asked = r#"{"info":{"id":"msg_1","role":"assistant","time":{"created":1794744648830}},"parts":[{"id":"prt_1","type":"tool","tool":"task","callID":"call_0","state":{"status":"completed","input":{"prompt":"test it"},"output":"I tried it.","metadata":{"sessionId":"ses_child"}}}]}"#;
    let ran = r#"{"by":"ses_child","info":{"id":"msg_2","role":"assistant","time":{"created":1794744648840}},"parts":[{"id":"prt_2","type":"tool","tool":"bash","callID":"call_0","state":{"status":"completed","input":{"command":"cargo test"},"output":"red","metadata":{"exit":1}}}]}"#;
    let others = ran.replace("ses_child", "ses_other");
    for agent in ["opencode", "kilo"] {
        let Live::Sent(read) = &hansei_agents::adapter_named(agent).unwrap().live else { panic!("{agent}") };
        for (messages, is_read) in [
            (format!("[{asked},{ran}]"), true),
            (format!("[{ran},{asked}]"), true),
            (format!("[{asked},{others}]"), false),
            (format!("[{asked}]"), false),
        ] {
            let mut events = Vec::new();
            let reading = read(&messages, &mut |event| events.push(event)).unwrap();
            assert_eq!(reading.unknown, 0, "{messages}");
            let session = hansei_core::session::Session::fold(&events);
            assert_eq!(session.calls[0].unread, !is_read, "{messages}");
            let codes: Vec<_> =
                session.calls[1..].iter().map(|call| call.end.as_ref().unwrap().exit_code).collect();
            assert_eq!(codes, if is_read { vec![Some(1)] } else { vec![] }, "{messages}");
            assert!(session.calls[1..].iter().all(|call| call.by_sub_agent), "{messages}");
        }
    }
}
