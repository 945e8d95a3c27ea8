//! The index over our logs: what happened, as rows that can be asked for.
//!
//! The JSONL logs are the truth; the index is read from them and can be deleted at any time ([`catch_up`] builds an equal
//! one). For a team a PostgreSQL server is log and index in one. Both are behind one trait, [`Store`], and both run the
//! same statements (`writing`, `reading`). What events mean is decided in `hansei-core`; nothing here decides.

pub mod catch_up;
mod dump;
mod fault;
mod lines;
mod postgres;
mod projection;
mod reading;
mod rows;
mod schema;
mod sql;
mod sqlite;
mod store;
mod words;
mod writing;

pub use fault::{Refused, StoreError};
pub use lines::{Line, Lines};
pub use postgres::PostgresStore;
pub use rows::{
    EventRow, FileSeen, OutcomeRow, ReflectionRow, RunRow, SessionRow, Source, StreamHead, StreamName,
    VerdictRecordRow, VerdictRow,
};
pub use schema::NEWEST as NEWEST_SCHEMA;
pub use sqlite::SqliteStore;
pub use store::{
    Change, Counts, Effect, Extension, Filter, FoundReflection, Judged, Known, NewEvent, Pending, Store,
};
