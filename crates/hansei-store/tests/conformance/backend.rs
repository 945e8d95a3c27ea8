//! The two stores that are tested, each empty for each test.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use hansei_record::redacted::Redacted;
use hansei_store::{NewEvent, PostgresStore, SqliteStore, Store};
use serde_json::json;

/// Held for reading by whoever needs the server, and for writing by whoever takes it down.
pub static SERVER: RwLock<()> = RwLock::new(());
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// The address of the server that `scripts/test` started.
pub fn server() -> String {
    std::env::var("HANSEI_TEST_POSTGRES").expect(
        "HANSEI_TEST_POSTGRES is not set: `scripts/test` starts a server, and `scripts/postgres start FOLDER` prints the \
         address of one",
    )
}

/// The server's folder, from its address.
pub fn server_folder() -> PathBuf {
    let address = server();
    let host =
        address.split(['?', '&']).find_map(|part| part.strip_prefix("host=")).expect("a socket's folder");
    PathBuf::from(host)
}

/// A place for one store.
#[allow(dead_code, reason = "the guard is held, and never looked at")]
pub enum Backend {
    Sqlite(tempfile::TempDir),
    Postgres(String, String, Option<RwLockReadGuard<'static, ()>>),
}

impl Backend {
    pub fn sqlite() -> Self {
        Self::Sqlite(tempfile::tempdir().unwrap())
    }

    pub fn postgres() -> Self {
        let guard = SERVER.read().unwrap_or_else(std::sync::PoisonError::into_inner);
        Self::Postgres(server(), schema(), Some(guard))
    }

    /// One of each.
    pub fn both() -> [Self; 2] {
        [Self::sqlite(), Self::postgres()]
    }

    pub fn name(&self) -> &'static str {
        match self {
            Self::Sqlite(_) => "SQLite",
            Self::Postgres(..) => "PostgreSQL",
        }
    }

    pub fn file(&self) -> Option<PathBuf> {
        match self {
            Self::Sqlite(folder) => Some(folder.path().join("index.db")),
            Self::Postgres(..) => None,
        }
    }

    pub fn open(&self) -> Box<dyn Store> {
        self.try_open().unwrap()
    }

    pub fn try_open(&self) -> Result<Box<dyn Store>, hansei_store::StoreError> {
        self.open_at(hansei_store::NEWEST_SCHEMA)
    }

    pub fn open_at(&self, version: i64) -> Result<Box<dyn Store>, hansei_store::StoreError> {
        Ok(match self {
            Self::Sqlite(folder) => Box::new(SqliteStore::open_at(&folder.path().join("index.db"), version)?),
            Self::Postgres(url, schema, _) => Box::new(PostgresStore::open_at(url, schema, version)?),
        })
    }

    /// What another process needs to open the same store.
    pub fn address(&self) -> String {
        match self {
            Self::Sqlite(folder) => format!("sqlite {}", folder.path().join("index.db").display()),
            Self::Postgres(url, schema, _) => format!("{url} {schema}"),
        }
    }

    /// Runs a statement behind the store's back.
    pub fn raw(&self, statements: &str) {
        match self {
            Self::Sqlite(folder) => {
                let file = folder.path().join("index.db");
                rusqlite::Connection::open(file).unwrap().execute_batch(statements).unwrap();
            }
            Self::Postgres(url, schema, _) => {
                let sent = format!("SET search_path = {schema}; {statements}");
                let ran = std::process::Command::new("psql")
                    .args(["--quiet", "--no-psqlrc", "--set=ON_ERROR_STOP=1", "--command", &sent, url])
                    .output()
                    .unwrap();
                assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
            }
        }
    }
}

/// A schema that no other test uses.
pub fn schema() -> String {
    format!("test_{}_{}", std::process::id(), NUMBER.fetch_add(1, Ordering::Relaxed))
}

/// Opens the store at an [`Backend::address`].
pub fn open_address(address: &str) -> Box<dyn Store> {
    let (first, second) = address.rsplit_once(' ').unwrap();
    match first {
        "sqlite" => Box::new(SqliteStore::open(second.as_ref()).unwrap()),
        url => Box::new(PostgresStore::open_in(url, second).unwrap()),
    }
}

/// An event of a kind that no version knows, with its key in it.
pub fn event(key: &str) -> NewEvent {
    let line = json!({ "v": 1, "seq": 1, "time": "2026-11-15T10:40:00Z", "kind": "counted", "key": key });
    NewEvent { key: key.to_owned(), line: Redacted::new(&line).unwrap() }
}

/// Everything in a store, as lines.
pub fn dump(store: &mut dyn Store) -> Vec<String> {
    let mut lines = Vec::new();
    store.dump(None, &mut |line| lines.push(line.to_owned())).unwrap();
    lines
}
