//! The embedded store: one file, one writer thread, and readers that never wait for it.

mod connection;
mod writer;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};

use rusqlite::Connection;

use self::connection::{Db, open};
use self::writer::Writer;
use crate::fault::{Fault, FaultKind, Refused, StoreError};
use crate::rows::{
    EventRow, OutcomeRow, RunRow, SessionRow, StreamHead, StreamName, VerdictRecordRow, VerdictRow,
};
use crate::schema;
use crate::store::{Change, Counts, Filter, FoundReflection, Known, Pending, Store, weight};
use crate::{dump, reading};

/// A store in a file.
#[derive(Debug)]
pub struct SqliteStore {
    file: PathBuf,
    place: String,
    writer: Arc<Writer>,
    reader: Connection,
}

impl SqliteStore {
    /// Opens the store in `file`, creating it where it is missing and bringing an older one forward.
    pub fn open(file: &Path) -> Result<Self, StoreError> {
        Self::open_at(file, schema::NEWEST)
    }

    /// Opens the store as a Hansei would have whose newest schema was `version`.
    #[doc(hidden)]
    pub fn open_at(file: &Path, version: i64) -> Result<Self, StoreError> {
        let place = file.display().to_string();
        let opened = Self::connect(file, version);
        let (writer, reader) = opened.map_err(|fault| fault.at(&place, Refused::default()))?;
        Ok(Self { file: file.to_owned(), place, writer: Arc::new(writer), reader })
    }

    fn connect(file: &Path, version: i64) -> Result<(Writer, Connection), Fault> {
        // No link may lead a database of ours elsewhere: neither the file nor, once resolved, its folder is one.
        let name =
            file.file_name().ok_or_else(|| Fault::new(FaultKind::CannotOpen, "it has no file name"))?;
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let folder = folder.canonicalize().map_err(|error| Fault::new(FaultKind::CannotOpen, error))?;
        let file = folder.join(name);
        let mut connection = open(&file)?;
        connection::migrate(&mut connection, version)?;
        let reader = open(&file)?;
        reader.pragma_update(None, "query_only", true).map_err(|error| connection::fault(&error))?;
        Ok((Writer::start(connection)?, reader))
    }

    /// Limits how large the file may become, as a full disk would.
    #[doc(hidden)]
    pub fn limit_pages(&self, pages: u32) -> Result<(), StoreError> {
        self.writer.limit_pages(pages);
        Ok(())
    }

    fn ask<T>(&self, question: impl FnOnce(&mut Db<'_>) -> Result<T, Fault>) -> Result<T, StoreError> {
        question(&mut Db(&self.reader)).map_err(|fault| fault.at(&self.place, Refused::default()))
    }
}

impl Store for SqliteStore {
    fn place(&self) -> &str {
        &self.place
    }

    fn another(&self) -> Result<Box<dyn Store>, StoreError> {
        let reader = open(&self.file).map_err(|fault| fault.at(&self.place, Refused::default()))?;
        Ok(Box::new(Self {
            file: self.file.clone(),
            place: self.place.clone(),
            writer: Arc::clone(&self.writer),
            reader,
        }))
    }

    fn send(&mut self, changes: Vec<Change>) -> Pending {
        let lost = Fault::new(FaultKind::Other, "the writer is gone").at(&self.place, weight(&changes));
        let (reply, inbox) = mpsc::channel();
        self.writer.send(self.place.clone(), changes, reply);
        Pending::Later(inbox, Box::new(lost))
    }

    fn streams(&mut self, workspace: &str) -> Result<BTreeMap<String, StreamHead>, StoreError> {
        self.ask(|db| reading::streams(db, workspace))
    }

    fn events(&mut self, stream: &StreamName, after: u64, most: u64) -> Result<Vec<EventRow>, StoreError> {
        self.ask(|db| reading::events(db, stream, after, most))
    }

    fn known_reflections(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError> {
        self.ask(|db| reading::known(db, "reflections", workspace))
    }

    fn known_verdict_records(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError> {
        self.ask(|db| reading::known(db, "verdict_records", workspace))
    }

    fn sessions(&mut self, filter: &Filter) -> Result<Vec<SessionRow>, StoreError> {
        self.ask(|db| reading::sessions(db, filter))
    }

    fn reflections(&mut self, filter: &Filter) -> Result<Vec<FoundReflection>, StoreError> {
        self.ask(|db| reading::reflections(db, filter))
    }

    fn verdicts(&mut self, filter: &Filter) -> Result<Vec<VerdictRow>, StoreError> {
        self.ask(|db| reading::verdicts(db, filter))
    }

    fn verdict_records(&mut self, filter: &Filter) -> Result<Vec<VerdictRecordRow>, StoreError> {
        self.ask(|db| reading::verdict_records(db, filter))
    }

    fn runs(&mut self, filter: &Filter) -> Result<Vec<RunRow>, StoreError> {
        self.ask(|db| reading::runs(db, filter))
    }

    fn outcomes(&mut self, filter: &Filter) -> Result<Vec<OutcomeRow>, StoreError> {
        self.ask(|db| reading::outcomes(db, filter))
    }

    fn counts(&mut self, workspace: Option<&str>) -> Result<Counts, StoreError> {
        self.ask(|db| reading::counts(db, workspace))
    }

    fn dump(&mut self, workspace: Option<&str>, take: &mut dyn FnMut(&str)) -> Result<(), StoreError> {
        self.ask(|db| dump::dump(db, workspace, take))
    }
}
