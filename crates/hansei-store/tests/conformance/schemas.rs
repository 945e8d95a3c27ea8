//! Schemas of other versions: older ones are brought forward with what is in them, newer ones are refused as they are.

use hansei_store::{NEWEST_SCHEMA, StoreError};

use crate::backend::{Backend, dump};
use crate::files::Files;

#[test]
fn a_newer_schema_is_refused_and_left_alone() {
    for backend in Backend::both() {
        drop(backend.open());
        backend.raw(&format!("UPDATE schema_version SET version = {}", NEWEST_SCHEMA + 1));
        for _ in 0..2 {
            let Err(refused) = backend.try_open() else { panic!("{} opened it", backend.name()) };
            let StoreError::NewerSchema { found, known, .. } = refused else { panic!("{refused}") };
            assert_eq!((found, known), (NEWEST_SCHEMA + 1, NEWEST_SCHEMA));
        }
    }
}

/// What a Hansei with the first schema had in its index of [`Files::filled`]: events as they are, a reflection and the
/// record of a verdict, and neither words to search for nor runs.
fn rows_of_the_first_schema(backend: &Backend, files: &Files) -> String {
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().concat();
    let blob = |bytes: &[u8]| match backend {
        Backend::Sqlite(_) => format!("x'{}'", hex(bytes)),
        Backend::Postgres(..) => format!("'\\x{}'", hex(bytes)),
    };
    let mut rows = Vec::new();
    for (id, name) in [(1_i64, "run-1"), (2, "s1"), (3, "s2"), (4, "~workspace")] {
        let text = std::fs::read(files.log(name)).unwrap();
        rows.push(format!(
            "INSERT INTO streams (id, workspace, name, source, bytes, size, modified, mark, fold, summary)
             VALUES ({id}, 'w', '{name}', 'file', {0}, {0}, 7, 'of another time', 1, '{{}}');",
            text.len()
        ));
        for (body, place) in text.split(|byte| *byte == b'\n').filter(|body| !body.is_empty()).zip(1_i64..) {
            let place = (id << 32) + place;
            rows.push(format!("INSERT INTO events (id, body) VALUES ({place}, {});", blob(body)));
        }
    }
    for (table, columns, folder, ending) in [
        ("reflections", "task_ref, surface", "reflections", "-1.reflection.json"),
        ("verdict_records", "severity, action", "verdicts", "_1.json"),
    ] {
        for session in ["s1", "s2"] {
            let body = std::fs::read(files.path().join(folder).join(format!("{session}{ending}"))).unwrap();
            let name = format!("{session}{ending}").replace(".reflection.json", "");
            rows.push(format!(
                "INSERT INTO {table} (workspace, name, size, modified, fold, body, session, session_id, agent, {columns})
                 VALUES ('w', '{name}', 1, 7, 1, {}, '{session}', '{session}', '', '', '');",
                blob(&body)
            ));
        }
    }
    rows.concat()
}

#[test]
fn every_older_schema_is_brought_forward_with_what_is_in_it() {
    let files = Files::filled();
    let anew = Backend::sqlite();
    let mut fresh = anew.open();
    files.read(fresh.as_mut());
    let expected = dump(fresh.as_mut());
    for version in 1..NEWEST_SCHEMA {
        for backend in Backend::both() {
            drop(backend.open_at(1).unwrap());
            backend.raw(&rows_of_the_first_schema(&backend, &files));
            drop(backend.open_at(version).unwrap());
            let mut store = backend.open();
            // The files are gone: all that can be told comes from what the old index held.
            let empty = Files::new();
            empty.try_read(store.as_mut(), hansei_store::catch_up::WhenGone::Keep).unwrap();
            assert_eq!(dump(store.as_mut()), expected, "{} from schema {version}", backend.name());
            // And it goes on from there with the files.
            files.read(store.as_mut());
            assert_eq!(dump(store.as_mut()), expected, "{} from schema {version}", backend.name());
        }
    }
}
