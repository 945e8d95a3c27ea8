//! The index of files: read on exactly once, and equal however it came about.

use hansei_store::catch_up::{CaughtUp, WhenGone};
use hansei_store::{Counts, Filter, StreamName};

use crate::backend::{Backend, dump};
use crate::files::{Files, WORKSPACE, line};

#[test]
fn what_is_there_is_read_and_counted() {
    let mut dumps = Vec::new();
    let files = Files::filled();
    for backend in Backend::both() {
        let mut store = backend.open();
        let read = files.read(store.as_mut());
        assert_eq!((read.logs, read.logs_read, read.events, read.malformed, read.records), (4, 4, 15, 2, 4));
        let counts = store.counts(Some(WORKSPACE)).unwrap();
        let expected = Counts {
            streams: 4,
            events: 15,
            malformed: 2,
            sessions: 2,
            reflections: 2,
            verdicts: 2,
            runs: 1,
            outcomes: 1,
        };
        assert_eq!(counts, expected, "{}", backend.name());
        assert_eq!(store.counts(Some("another")).unwrap(), Counts::default());
        let events = store.events(&StreamName::new(WORKSPACE, "s1"), 4, 9).unwrap();
        assert_eq!(events[1].body, b"\xff\x00not text", "a malformed line is kept to the byte");
        assert_eq!(events[1].kind, None);
        assert_eq!(events[2].kind.as_deref(), Some("dreamt"));
        let run = &store.runs(&Filter::default()).unwrap()[0];
        assert_eq!(run.summary.run.as_ref().unwrap().ending.as_deref(), Some("complete"));
        dumps.push(dump(store.as_mut()));
    }
    assert_eq!(dumps[0], dumps[1], "both databases hold the same");
    assert!(dumps[0].len() > 20);
}

#[test]
fn what_was_read_is_not_read_again_and_an_unfinished_line_waits() {
    for backend in Backend::both() {
        let mut store = backend.open();
        let files = Files::filled();
        files.read(store.as_mut());
        let nothing = CaughtUp { logs: 4, ..CaughtUp::default() };
        assert_eq!(files.read(store.as_mut()), nothing, "{}", backend.name());
        let whole = line("2026-11-15T13:00:00Z", r#""kind":"task_started""#);
        let (first, second) = whole.split_at(30);
        files.append("s2", first.as_bytes());
        assert_eq!(files.read(store.as_mut()).events, 0, "not yet a line");
        files.append("s2", second.as_bytes());
        assert_eq!(files.read(store.as_mut()).events, 1);
        assert_eq!(files.read(store.as_mut()), nothing);
        let sessions = store.sessions(&Filter { session: Some("s2".into()), ..Filter::default() }).unwrap();
        assert_eq!((sessions[0].summary.tasks, sessions[0].summary.lines), (2, 5));
    }
}

type Step = fn(&Files);

#[test]
fn an_index_that_grew_with_its_files_equals_one_that_is_built_anew() {
    for backend in Backend::both() {
        let mut store = backend.open();
        let files = Files::new();
        let mut forgotten = 0;
        let steps: [Step; 9] = [
            |files| files.session("s1", "codex", "auth", false),
            |files| files.session("s2", "codex", "auth", true),
            |files| files.append("s1", b"torn"),
            |files| files.append("s1", b"\n"),
            // Replaced by another of the same length, cut, gone, and back.
            |files| {
                let text = std::fs::read_to_string(files.log("s1")).unwrap();
                std::fs::write(files.log("s1"), text.replace("HIGH", "LOW!")).unwrap();
            },
            |files| {
                let only = line("2026-11-15T14:00:00Z", r#""kind":"task_started""#);
                std::fs::write(files.log("s2"), only).unwrap();
            },
            |files| {
                files.remove("log/s1.jsonl");
                files.remove("reflections/s1-1.reflection.json");
                files.remove("verdicts/s1_1.json");
            },
            |files| files.write("reflections", "s2-1.reflection.json", "{ no reflection"),
            |files| files.session("s1", "gemini-cli", "data", true),
        ];
        for (number, step) in steps.into_iter().enumerate() {
            step(&files);
            forgotten += files.read(store.as_mut()).forgotten;
            let anew = Backend::sqlite();
            let mut rebuilt = anew.open();
            files.read(rebuilt.as_mut());
            assert_eq!(
                dump(store.as_mut()),
                dump(rebuilt.as_mut()),
                "{} after step {number}",
                backend.name()
            );
        }
        assert_eq!(forgotten, 3);
    }
}

#[test]
fn a_deleted_index_is_rebuilt_equal() {
    let files = Files::filled();
    let backend = Backend::sqlite();
    let mut store = backend.open();
    files.read(store.as_mut());
    let before = dump(store.as_mut());
    drop(store);
    let file = backend.file().unwrap();
    assert!(!file.with_extension("db-wal").exists(), "closing leaves one file");
    std::fs::remove_file(file).unwrap();
    let mut store = backend.open();
    assert!(dump(store.as_mut()).is_empty());
    files.read(store.as_mut());
    assert_eq!(dump(store.as_mut()), before);
}

#[test]
fn a_team_keeps_what_a_machine_has_deleted() {
    for backend in Backend::both() {
        let mut store = backend.open();
        let files = Files::filled();
        files.read(store.as_mut());
        let before = dump(store.as_mut());
        for path in ["log/s1.jsonl", "reflections/s1-1.reflection.json", "verdicts/s1_1.json"] {
            files.remove(path);
        }
        files.try_read(store.as_mut(), WhenGone::Keep).unwrap();
        assert_eq!(dump(store.as_mut()), before, "{}", backend.name());
    }
}

#[test]
fn readers_that_meet_read_every_line_once() {
    for backend in Backend::both() {
        let files = Files::new();
        for session in 0..12 {
            for number in 0..700 {
                let rest = format!(r#""kind":"counted","number":{number}"#);
                files.append(&format!("s{session}"), line("2026-11-15T10:00:00Z", &rest).as_bytes());
            }
        }
        let first = backend.open();
        let stores = [first.another().unwrap(), first, backend.open(), backend.open()];
        let path = files.path();
        let readers: Vec<_> = stores
            .into_iter()
            .map(|mut store| {
                let path = path.clone();
                std::thread::spawn(move || {
                    crate::files::read_folder(&path, store.as_mut(), WhenGone::Forget).unwrap().events
                })
            })
            .collect();
        let read: u64 = readers.into_iter().map(|reader| reader.join().unwrap()).sum();
        assert_eq!(read, 12 * 700, "{}: each line is somebody's", backend.name());
        let anew = Backend::sqlite();
        let mut rebuilt = anew.open();
        files.read(rebuilt.as_mut());
        assert_eq!(dump(backend.open().as_mut()), dump(rebuilt.as_mut()), "{}", backend.name());
    }
}
