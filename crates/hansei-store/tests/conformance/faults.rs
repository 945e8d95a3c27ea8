//! No room, and servers that go away: what was refused is said, and what was acknowledged stays.

use std::path::Path;
use std::process::Command;
use std::sync::mpsc;

use hansei_record::redacted::Redacted;
use hansei_store::{NewEvent, PostgresStore, Refused, SqliteStore, Store, StoreError, StreamName};
use serde_json::json;

use crate::backend::{Backend, SERVER, event, schema, server, server_folder};

/// An event of about so many bytes that no database can pack.
fn large(key: &str, bytes: usize) -> NewEvent {
    let mut state = key
        .bytes()
        .fold(0x9e37_79b9_7f4a_7c15_u64, |state, byte| (state ^ u64::from(byte)).rotate_left(9) | 1);
    let text: String = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        char::from(b'!' + u8::try_from(state % 60).unwrap())
    })
    .filter(|c| *c != '"' && *c != '\\')
    .take(bytes)
    // Long words would be taken for secrets.
    .collect::<Vec<_>>()
    .chunks(6)
    .map(|word| word.iter().collect::<String>())
    .collect::<Vec<_>>()
    .join(" ");
    let line = json!({ "v": 1, "seq": 1, "time": "2026-11-15T10:40:00Z", "kind": "counted", "key": key, "text": text });
    NewEvent { key: key.to_owned(), line: Redacted::new(&line).unwrap() }
}

/// Appends until there is no room, and checks that it is said, that all before is there and nothing of the refused is.
fn fill(store: &mut dyn Store, bytes: usize) -> u64 {
    let stream = StreamName::new("w", "team");
    let mut acknowledged = 0;
    let refused = loop {
        let keys = [format!("{acknowledged}a"), format!("{acknowledged}b")];
        match store.append(stream.clone(), keys.iter().map(|key| large(key, bytes)).collect()) {
            Ok(_) => acknowledged += 2,
            Err(refused) => break refused,
        }
        assert!(acknowledged < 4000, "there is no end of the room");
    };
    let StoreError::Full { refused: weight, .. } = &refused else { panic!("{refused}") };
    assert_eq!(*weight, Refused { events: 2, others: 0 });
    assert!(refused.to_string().contains("2 events not written"), "{refused}");
    let all = store.events(&stream, 0, 10_000).unwrap();
    assert_eq!(all.len(), acknowledged);
    acknowledged as u64
}

#[test]
fn a_full_sqlite_loses_nothing_acknowledged_and_goes_on_when_there_is_room() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = SqliteStore::open(&folder.path().join("index.db")).unwrap();
    store.limit_pages(120).unwrap();
    let before = fill(&mut store, 5000);
    assert!(before > 10);
    store.limit_pages(100_000).unwrap();
    store.append(StreamName::new("w", "team"), vec![event("after")]).unwrap();
    assert_eq!(store.counts(None).unwrap().events, before + 1);
}

#[test]
#[ignore = "the process whose files may not grow; another test starts it"]
fn writer_without_room() {
    let file = std::env::var("HANSEI_TEST_STORE").unwrap();
    let mut store = SqliteStore::open(file.strip_prefix("sqlite ").unwrap().as_ref()).unwrap();
    println!("\nwrote {}", fill(&mut store, 5000));
}

/// The limit of the size of a file is the one way to a disk without room that needs no rights: the system refuses the
/// write itself, in the middle of a transaction, as a full disk does.
#[test]
fn a_file_that_may_not_grow_loses_nothing_acknowledged() {
    let backend = Backend::sqlite();
    let ran = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 1200; exec \"$@\"", "sh"])
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", "faults::writer_without_room", "--ignored", "--nocapture", "--test-threads=1"])
        .env("HANSEI_TEST_STORE", backend.address())
        .output()
        .unwrap();
    let told = String::from_utf8_lossy(&ran.stdout);
    assert!(ran.status.success(), "{told} {}", String::from_utf8_lossy(&ran.stderr));
    let wrote: u64 = told.lines().find_map(|line| line.strip_prefix("wrote ")).unwrap().parse().unwrap();
    assert!(wrote > 10);
    let mut store = backend.open();
    assert_eq!(store.counts(None).unwrap().events, wrote, "also after the process ended");
    store.append(StreamName::new("w", "team"), vec![event("after")]).unwrap();
}

fn postgres(arguments: &[&str], folder: &Path, limit: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/postgres");
    let ran = Command::new(script)
        .args(arguments)
        .arg(folder)
        .env("HANSEI_POSTGRES_FILE_LIMIT", limit)
        .output()
        .unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8_lossy(&ran.stdout).trim().to_owned()
}

/// A server of its own, whose files may not grow past 24 MB: its log comes in files of 16 MB, so only tables meet the limit.
#[test]
fn a_full_server_loses_nothing_acknowledged() {
    struct Server(std::path::PathBuf);
    impl Drop for Server {
        fn drop(&mut self) {
            postgres(&["stop"], &self.0, "");
        }
    }
    let folder = server_folder().with_extension(format!("full-{}", std::process::id()));
    let address = postgres(&["start"], &folder, "49152");
    let _server = Server(folder);
    let mut store = PostgresStore::open(&address).unwrap();
    let before = fill(&mut store, 600_000);
    assert!(before > 10);
    store.append(StreamName::new("w", "team"), vec![event("small")]).unwrap();
    assert_eq!(store.counts(None).unwrap().events, before + 1);
}

#[test]
fn a_server_that_is_restarted_while_it_is_written_to_loses_nothing_acknowledged() {
    let _alone = SERVER.write().unwrap_or_else(std::sync::PoisonError::into_inner);
    let schema = schema();
    let stream = StreamName::new("w", "team");
    let (outbox, inbox) = mpsc::channel();
    let (stop, stopped) = mpsc::channel::<()>();
    let mut store = PostgresStore::open_in(&server(), &schema).unwrap();
    let writer = std::thread::spawn(move || {
        let (mut acknowledged, mut refusals) = (0, 0);
        while stopped.try_recv().is_err() {
            let keys: Vec<String> =
                (acknowledged..acknowledged + 3).map(|number| format!("k{number}")).collect();
            let events = keys.iter().map(|key| event(key)).collect();
            match store.append(StreamName::new("w", "team"), events) {
                Ok(_) => {
                    acknowledged += 3;
                    outbox.send(acknowledged).unwrap();
                }
                // The same keys again, until somebody answers: whether they arrived is not known.
                Err(StoreError::Gone { refused, .. }) => {
                    assert_eq!(refused.events, 3);
                    refusals += 1;
                }
                Err(StoreError::CannotOpen { .. }) => {
                    refusals += 1;
                    std::thread::sleep(std::time::Duration::from_millis(10));
                }
                Err(other) => panic!("{other}"),
            }
        }
        (acknowledged, refusals)
    });
    let mut restarts = 0;
    while restarts < 3 {
        // In the middle of its work: it has just said that it wrote, and goes on.
        for _ in 0..20 {
            inbox.recv().unwrap();
        }
        postgres(&["restart"], &server_folder(), "");
        restarts += 1;
    }
    for _ in 0..20 {
        inbox.recv().unwrap();
    }
    stop.send(()).unwrap();
    let (acknowledged, refusals) = writer.join().unwrap();
    assert!(refusals > 0, "the writer met the restarts");
    let mut store = PostgresStore::open_in(&server(), &schema).unwrap();
    let all = store.events(&stream, 0, 1_000_000).unwrap();
    let bodies: std::collections::BTreeSet<_> = all.iter().map(|event| &event.body).collect();
    assert_eq!((all.len(), bodies.len()), (acknowledged, acknowledged));
}

#[test]
fn a_server_that_is_not_there_is_named_without_its_password() {
    let url = "postgresql://me:fake-secret@127.0.0.1:1/team?connect_timeout=2";
    let refused = PostgresStore::open(url).unwrap_err();
    assert!(matches!(refused, StoreError::CannotOpen { .. }), "{refused}");
    let told = refused.to_string();
    assert!(told.contains("127.0.0.1") && told.contains("team") && !told.contains("fake-secret"), "{told}");
    let nonsense = PostgresStore::open("not an address with fake-secret").unwrap_err().to_string();
    assert!(!nonsense.contains("fake-secret"), "{nonsense}");
}

#[test]
fn a_file_that_is_no_database_is_called_damaged_and_a_link_is_not_followed() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("index.db");
    std::fs::write(&file, "not a database, and longer than the head of one would be ".repeat(20)).unwrap();
    let refused = SqliteStore::open(&file).unwrap_err();
    assert!(matches!(refused, StoreError::Damaged { .. }), "{refused}");
    std::fs::remove_file(&file).unwrap();
    let elsewhere = folder.path().join("elsewhere.db");
    std::os::unix::fs::symlink(&elsewhere, &file).unwrap();
    let refused = SqliteStore::open(&file).unwrap_err();
    assert!(matches!(refused, StoreError::CannotOpen { .. }), "{refused}");
    assert!(!elsewhere.exists());
}
