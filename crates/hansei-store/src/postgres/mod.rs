//! The store of a team: a PostgreSQL server, which is log and index in one.
//!
//! The trait is synchronous, so each store has a small runtime of its own that runs only while somebody waits.

mod link;
mod tls;

use std::collections::BTreeMap;

use tokio_postgres::Config;

use self::link::Link;
use crate::fault::{Fault, FaultKind, Refused, StoreError};
use crate::rows::{
    EventRow, OutcomeRow, RunRow, SessionRow, StreamHead, StreamName, VerdictRecordRow, VerdictRow,
};
use crate::schema;
use crate::sql::Sql as _;
use crate::store::{Change, Counts, Effect, Filter, FoundReflection, Known, Pending, Store, weight};
use crate::{dump, reading, writing};

/// The schema that our tables are in.
pub const SCHEMA: &str = "hansei";

/// A store on a server.
#[derive(Debug)]
pub struct PostgresStore {
    config: Config,
    schema: String,
    place: String,
    link: Option<Link>,
}

impl PostgresStore {
    /// Opens the store on the server at `url`, creating its tables where they are missing and bringing older ones forward.
    pub fn open(url: &str) -> Result<Self, StoreError> {
        Self::open_in(url, SCHEMA)
    }

    /// Opens the store whose tables are in `schema`, a plain name.
    pub fn open_in(url: &str, schema: &str) -> Result<Self, StoreError> {
        Self::open_at(url, schema, schema::NEWEST)
    }

    /// Opens the store as a Hansei would have whose newest schema was `version`.
    #[doc(hidden)]
    pub fn open_at(url: &str, schema: &str, version: i64) -> Result<Self, StoreError> {
        let cannot = |reason: String| {
            // The address may hold a password, also one that cannot be read as an address.
            StoreError::CannotOpen { place: "the PostgreSQL server of store.url".to_owned(), reason }
        };
        let config: Config =
            url.parse().map_err(|_| cannot("its address is not one of PostgreSQL".to_owned()))?;
        if !schema.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_') {
            return Err(cannot(format!("{schema:?} is not a plain name")));
        }
        let place = link::shown(&config);
        let mut store = Self { config, schema: schema.to_owned(), place, link: None };
        store.migrate(version).map_err(|fault| fault.at(&store.place, Refused::default()))?;
        Ok(store)
    }

    fn migrate(&mut self, version: i64) -> Result<(), Fault> {
        let schema = self.schema.clone();
        self.in_transaction(|link| {
            // Two that come first at once would both create the tables.
            link.run("SELECT pg_advisory_xact_lock(hashtext(?1))", &[schema.as_str().into()])?;
            link.script(&format!("CREATE SCHEMA IF NOT EXISTS {schema}"))?;
            schema::migrate(link, version)
        })
    }

    /// The connection, made anew if the one before is gone.
    fn link(&mut self) -> Result<&mut Link, Fault> {
        if self.link.as_ref().is_none_or(Link::is_closed) {
            self.link = None;
            self.link = Some(Link::new(&self.config, &self.schema)?);
        }
        self.link.as_mut().ok_or_else(|| Fault::new(FaultKind::Gone, "there is no connection"))
    }

    fn in_transaction<T>(&mut self, work: impl FnOnce(&mut Link) -> Result<T, Fault>) -> Result<T, Fault> {
        let link = self.link()?;
        let worked = link.script("BEGIN").and_then(|()| work(link)).and_then(|worked| {
            link.script("COMMIT")?;
            Ok(worked)
        });
        if worked.is_err() && link.script("ROLLBACK").is_err() {
            // Nobody knows in which state it is.
            self.link = None;
        }
        worked
    }

    fn ask<T>(&mut self, question: impl FnOnce(&mut Link) -> Result<T, Fault>) -> Result<T, StoreError> {
        let answered = self.link().and_then(question);
        answered.map_err(|fault| fault.at(&self.place, Refused::default()))
    }

    fn make(&mut self, changes: &[Change]) -> Result<Vec<Effect>, StoreError> {
        let made = self.in_transaction(|link| writing::make(link, changes));
        made.map_err(|fault| fault.at(&self.place, weight(changes)))
    }
}

impl Store for PostgresStore {
    fn place(&self) -> &str {
        &self.place
    }

    fn another(&self) -> Result<Box<dyn Store>, StoreError> {
        Ok(Box::new(Self {
            config: self.config.clone(),
            schema: self.schema.clone(),
            place: self.place.clone(),
            link: None,
        }))
    }

    fn send(&mut self, changes: Vec<Change>) -> Pending {
        Pending::Now(self.make(&changes))
    }

    fn streams(&mut self, workspace: &str) -> Result<BTreeMap<String, StreamHead>, StoreError> {
        self.ask(|link| reading::streams(link, workspace))
    }

    fn events(&mut self, stream: &StreamName, after: u64, most: u64) -> Result<Vec<EventRow>, StoreError> {
        self.ask(|link| reading::events(link, stream, after, most))
    }

    fn known_reflections(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError> {
        self.ask(|link| reading::known(link, "reflections", workspace))
    }

    fn known_verdict_records(&mut self, workspace: &str) -> Result<BTreeMap<String, Known>, StoreError> {
        self.ask(|link| reading::known(link, "verdict_records", workspace))
    }

    fn sessions(&mut self, filter: &Filter) -> Result<Vec<SessionRow>, StoreError> {
        self.ask(|link| reading::sessions(link, filter))
    }

    fn reflections(&mut self, filter: &Filter) -> Result<Vec<FoundReflection>, StoreError> {
        self.ask(|link| reading::reflections(link, filter))
    }

    fn verdicts(&mut self, filter: &Filter) -> Result<Vec<VerdictRow>, StoreError> {
        self.ask(|link| reading::verdicts(link, filter))
    }

    fn verdict_records(&mut self, filter: &Filter) -> Result<Vec<VerdictRecordRow>, StoreError> {
        self.ask(|link| reading::verdict_records(link, filter))
    }

    fn runs(&mut self, filter: &Filter) -> Result<Vec<RunRow>, StoreError> {
        self.ask(|link| reading::runs(link, filter))
    }

    fn outcomes(&mut self, filter: &Filter) -> Result<Vec<OutcomeRow>, StoreError> {
        self.ask(|link| reading::outcomes(link, filter))
    }

    fn counts(&mut self, workspace: Option<&str>) -> Result<Counts, StoreError> {
        self.ask(|link| reading::counts(link, workspace))
    }

    fn dump(&mut self, workspace: Option<&str>, take: &mut dyn FnMut(&str)) -> Result<(), StoreError> {
        self.ask(|link| dump::dump(link, workspace, take))
    }
}
