//! The one thread that writes. What several callers send meanwhile is committed together, and each is told only after
//! the commit is on disk.

use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::JoinHandle;

use rusqlite::Connection;

use super::connection::{Db, fault};
use crate::fault::{Fault, FaultKind, StoreError};
use crate::store::{Change, Effect, weight};
use crate::writing;

/// A commit holds no more events than this, unless one message alone does.
pub(crate) const MOST_IN_A_GROUP: u64 = 4096;

type Reply = Sender<Result<Vec<Effect>, StoreError>>;

enum Message {
    Changes { place: String, changes: Vec<Change>, reply: Reply },
    LimitPages(u32),
}

#[derive(Debug)]
pub(crate) struct Writer {
    outbox: Option<Sender<Message>>,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    pub fn start(connection: Connection) -> Result<Self, Fault> {
        let (outbox, inbox) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("hansei-index".to_owned())
            .spawn(move || serve(&connection, &inbox))
            .map_err(|error| Fault::new(FaultKind::CannotOpen, error))?;
        Ok(Self { outbox: Some(outbox), thread: Some(thread) })
    }

    pub fn send(&self, place: String, changes: Vec<Change>, reply: Reply) {
        // Without a thread the reply is dropped, and whoever waits for it is told so.
        let message = Message::Changes { place, changes, reply };
        let _ = self.outbox.as_ref().map(|outbox| outbox.send(message));
    }

    pub fn limit_pages(&self, pages: u32) {
        let _ = self.outbox.as_ref().map(|outbox| outbox.send(Message::LimitPages(pages)));
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.outbox = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

struct Job {
    place: String,
    changes: Vec<Change>,
    reply: Reply,
    result: Result<Vec<Effect>, Fault>,
}

fn serve(connection: &Connection, inbox: &Receiver<Message>) {
    let mut waiting = None;
    loop {
        let Some(first) = waiting.take().or_else(|| inbox.recv().ok()) else { return };
        let mut group = Vec::new();
        let mut events = 0;
        let mut next = Some(first);
        while let Some(message) = next.take() {
            match message {
                Message::LimitPages(pages) => {
                    let _ = connection.pragma_update(None, "max_page_count", pages);
                    break;
                }
                Message::Changes { place, changes, reply } => {
                    let more = weight(&changes).events;
                    if events > 0 && events + more > MOST_IN_A_GROUP {
                        waiting = Some(Message::Changes { place, changes, reply });
                        break;
                    }
                    events += more;
                    group.push(Job { place, changes, reply, result: Ok(Vec::new()) });
                    next = inbox.try_recv().ok();
                }
            }
        }
        commit(connection, &mut group);
        for job in group {
            let result = job.result.map_err(|fault| fault.at(&job.place, weight(&job.changes)));
            // Nobody may be waiting any more; the commit stands.
            let _ = job.reply.send(result);
        }
    }
}

/// Makes the changes of all jobs in one transaction. A job that fails is undone alone, if SQLite kept the rest.
fn commit(connection: &Connection, group: &mut [Job]) {
    if group.is_empty() {
        return;
    }
    if let Err(whole) = make_all(connection, group) {
        if !connection.is_autocommit() {
            let _ = connection.execute_batch("ROLLBACK");
        }
        for job in group.iter_mut().filter(|job| job.result.is_ok()) {
            job.result = Err(whole.clone());
        }
    }
}

fn make_all(connection: &Connection, group: &mut [Job]) -> Result<(), Fault> {
    let batch = |statement: &str| connection.execute_batch(statement).map_err(|error| fault(&error));
    batch("BEGIN IMMEDIATE")?;
    for job in group.iter_mut() {
        batch("SAVEPOINT job")?;
        job.result = writing::make(&mut Db(connection), &job.changes);
        if let Err(fault) = &job.result {
            // A full disk ends the whole transaction by itself.
            if connection.is_autocommit() {
                return Err(fault.clone());
            }
            batch("ROLLBACK TO job")?;
        }
        batch("RELEASE job")?;
    }
    batch("COMMIT")
}
