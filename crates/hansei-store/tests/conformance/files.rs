//! A workspace's files, as hooks leave them.

use std::io::Write as _;
use std::path::PathBuf;

use hansei_record::folder::Folder;
use hansei_store::catch_up::{CaughtUp, Sources, WhenGone, catch_up};
use hansei_store::{Store, StoreError};
use serde_json::json;

pub const WORKSPACE: &str = "w";

pub struct Files {
    folder: tempfile::TempDir,
}

impl Files {
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["log", "reflections", "verdicts"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        Self { folder }
    }

    /// Two sessions, a run, and the workspace's own log, with a torn line and kinds of the future among them.
    pub fn filled() -> Self {
        let files = Self::new();
        files.session("s1", "claude-code", "auth", false);
        files.session("s2", "codex", "docs", true);
        files.append("s1", b"{\"v\":1,\"seq\":5,\"ti\n");
        files.append("s1", b"\xff\x00not text\n");
        files.append("s1", line("2026-11-15T11:00:00Z", r#""kind":"dreamt","of":"sheep\u0000""#).as_bytes());
        let outcome = r#""kind":"outcome","subject":"s1","outcome":"wrong","source":"revert","why":"it broke","commits":["ab12"]"#;
        files.append("s1", line("2026-11-16T10:00:00Z", outcome).as_bytes());
        files.append("run-1", line("2026-11-15T12:00:00Z", r#""kind":"run_started""#).as_bytes());
        files.append(
            "run-1",
            line("2026-11-15T12:30:00Z", r#""kind":"run_ended","ending":"complete""#).as_bytes(),
        );
        files.append("~workspace", line("2026-11-15T09:00:00Z", r#""kind":"turned_on""#).as_bytes());
        files
    }

    /// A session with one judged stop.
    pub fn session(&self, session: &str, agent: &str, surface: &str, complete: bool) {
        let name = format!("{session}-1");
        let hour = if complete { 11 } else { 10 };
        let time = |minute: u32| format!("2026-11-15T{hour}:{minute:02}:00Z");
        self.append(session, line(&time(0), r#""kind":"task_started""#).as_bytes());
        self.append(
            session,
            line(&time(1), &format!(r#""kind":"captured","sidecar":"{name}.reflection.json","attempt":1"#))
                .as_bytes(),
        );
        let severity = if complete { "NONE" } else { "HIGH" };
        let judged = format!(
            r#""kind":"judged","stop":"{session}-stop","task":"t","epoch":0,"complete":{complete},"severity":"{severity}","decided_by":"executed","p_complete":0.25,"evidence":["check_failed"],"record":"{session}_1.json""#
        );
        self.append(session, line(&time(2), &judged).as_bytes());
        self.append(
            session,
            line(
                &time(3),
                r#""kind":"let_go","stop":"x","task":"t","epoch":0,"why":"complete","standing":"complete""#,
            )
            .as_bytes(),
        );
        let reflection = json!({
            "schema": "reflection.v1", "task_ref": "project@main", "agent": agent, "session_id": session,
            "timestamp": time(1), "repo": "project", "confidence": 0.75,
            "most_likely_wrong": { "surface": "auth", "description": "the refresh of Größe races" },
            "known_not_in_diff": null,
            "risk": { "needs_review": true, "score": 1.0, "surface": surface, "reason": format!("{surface} surface: src/login.rs") },
            "files_changed": ["src/login.rs"],
            "provenance": { "source": "stop-hook", "reflection_attempt": 1, "degraded": false, "reflection_mode": "solo" },
        });
        self.write("reflections", &format!("{name}.reflection.json"), &reflection.to_string());
        let verdict = json!({
            "schema": "verdict.v1", "session_id": session, "agent": agent, "timestamp": time(2), "complete": complete,
            "verdict": { "complete": complete, "severity": severity, "feedback": format!("pytest of {session} is red") },
            "action": "let_stop",
        });
        self.write("verdicts", &format!("{session}_1.json"), &verdict.to_string());
        self.write("verdicts", &format!("verdict_{session}.json"), &verdict.to_string());
    }

    pub fn log(&self, session: &str) -> PathBuf {
        self.folder.path().join(format!("log/{session}.jsonl"))
    }

    pub fn append(&self, session: &str, bytes: &[u8]) {
        let mut options = std::fs::OpenOptions::new();
        options.create(true).append(true).open(self.log(session)).unwrap().write_all(bytes).unwrap();
    }

    pub fn write(&self, folder: &str, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(folder).join(name), text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        std::fs::remove_file(self.folder.path().join(path)).unwrap();
    }

    pub fn path(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    pub fn read(&self, store: &mut dyn Store) -> CaughtUp {
        self.try_read(store, WhenGone::Forget).unwrap()
    }

    pub fn try_read(&self, store: &mut dyn Store, when_gone: WhenGone) -> Result<CaughtUp, StoreError> {
        read_folder(&self.path(), store, when_gone)
    }
}

/// Catches `store` up with the folders in `path`.
pub fn read_folder(
    path: &std::path::Path,
    store: &mut dyn Store,
    when_gone: WhenGone,
) -> Result<CaughtUp, StoreError> {
    let [log, reflections, verdicts] =
        ["log", "reflections", "verdicts"].map(|name| Folder::existing(&path.join(name)).unwrap());
    let sources = Sources {
        workspace: WORKSPACE,
        log: Some(&log),
        reflections: Some(&reflections),
        verdicts: Some(&verdicts),
    };
    catch_up(store, &sources, when_gone, &mut |_| ()).map_err(|error| match error {
        hansei_store::catch_up::CatchUpError::Store(error) => error,
        other @ hansei_store::catch_up::CatchUpError::File { .. } => panic!("{other}"),
    })
}

/// A line of a log.
pub fn line(time: &str, rest: &str) -> String {
    format!("{{\"v\":1,\"seq\":1,\"time\":\"{time}\",{rest}}}\n")
}
