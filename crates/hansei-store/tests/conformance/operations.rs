//! Appending, reading on, and writers that meet.

use hansei_store::{StoreError, StreamName};

use crate::backend::{Backend, dump, event};
use crate::files::{Files, WORKSPACE};

#[test]
fn events_are_appended_once_for_each_key_and_read_from_a_cursor() {
    for backend in Backend::both() {
        let mut store = backend.open();
        let stream = StreamName::new("w", "team");
        let appended = store.append(stream.clone(), ["a", "b", "c"].map(event).to_vec()).unwrap();
        assert_eq!(appended, (3, vec![]), "{}", backend.name());
        let again = store.append(stream.clone(), ["b", "d", "d"].map(event).to_vec()).unwrap();
        assert_eq!(again, (1, vec!["b".to_owned(), "d".to_owned()]), "{}", backend.name());
        let other = store.append(StreamName::new("w", "other"), vec![event("a")]).unwrap();
        assert_eq!(other, (1, vec![]), "a key belongs to its stream");
        let all = store.events(&stream, 0, 100).unwrap();
        assert_eq!(all.iter().map(|event| event.position).collect::<Vec<_>>(), [1, 2, 3, 4]);
        assert!(all.iter().all(|event| event.kind.as_deref() == Some("counted")), "an unknown kind is kept");
        assert_eq!(store.events(&stream, 2, 1).unwrap(), all[2..3]);
        assert_eq!(store.events(&stream, 4, 100).unwrap(), []);
        assert_eq!(store.events(&StreamName::new("w", "nobody"), 0, 9).unwrap(), []);
        drop(store);
        assert_eq!(backend.open().events(&stream, 0, 100).unwrap(), all, "also after opening it again");
    }
}

#[test]
fn a_stream_that_follows_a_file_is_extended_by_the_file_alone() {
    for backend in Backend::both() {
        let mut store = backend.open();
        let files = Files::filled();
        files.read(store.as_mut());
        let before = dump(store.as_mut());
        let refused = store.append(StreamName::new(WORKSPACE, "s1"), vec![event("a")]).unwrap_err();
        assert!(matches!(refused, StoreError::FollowsAFile { .. }), "{refused}");
        assert_eq!(dump(store.as_mut()), before);
    }
}

#[test]
fn writers_that_meet_lose_nothing_and_double_nothing() {
    const EACH: usize = 60;
    for backend in Backend::both() {
        // Two ways into one store, and two stores opened apart, as two processes have them. Each sends its own events and
        // ones that all others send too.
        let first = backend.open();
        let stores = [first.another().unwrap(), first, backend.open(), backend.open()];
        let writers: Vec<_> = stores
            .into_iter()
            .enumerate()
            .map(|(writer, mut store)| {
                std::thread::spawn(move || {
                    let mut new = 0;
                    for number in 0..EACH {
                        let events = [format!("{writer}-{number}"), format!("all-{number}")];
                        let events = events.iter().map(|key| event(key)).collect();
                        new += store.append(StreamName::new("w", "team"), events).unwrap().0;
                    }
                    new
                })
            })
            .collect();
        let new: u64 = writers.into_iter().map(|writer| writer.join().unwrap()).sum();
        let mut store = backend.open();
        let all = store.events(&StreamName::new("w", "team"), 0, 10_000).unwrap();
        assert_eq!(all.len(), 4 * EACH + EACH, "{}", backend.name());
        assert_eq!(new, all.len() as u64, "{}", backend.name());
        assert!(all.iter().zip(1..).all(|(event, position)| event.position == position));
        let bodies: std::collections::BTreeSet<_> = all.iter().map(|event| &event.body).collect();
        assert_eq!(bodies.len(), all.len());
        assert_eq!(store.counts(None).unwrap().events, all.len() as u64, "the fold met every event");
    }
}
