//! One connection to a PostgreSQL server.

use std::collections::{BTreeSet, HashMap};
use std::error::Error as _;
use std::fmt;
use std::time::Duration;

use bytes::BytesMut;
use tokio::runtime::Runtime;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Config, NoTls, Statement};

use super::tls;
use crate::fault::{Fault, FaultKind};
use crate::lines::Lines;
use crate::sql::{Dialect, Row, Sql, Value, place};

/// How long a server may take to take a connection, and to answer.
const CONNECT: Duration = Duration::from_secs(10);
const ANSWER: Duration = Duration::from_mins(2);

pub(crate) struct Link {
    runtime: Runtime,
    client: Client,
    prepared: HashMap<String, Statement>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Link")
    }
}

/// The server as it may be shown: its hosts and the database.
pub(crate) fn shown(config: &Config) -> String {
    let hosts = config.get_hosts().iter().map(|host| match host {
        Host::Tcp(name) => name.clone(),
        #[cfg(unix)]
        Host::Unix(path) => path.display().to_string(),
    });
    let hosts: Vec<String> = hosts.collect();
    format!("PostgreSQL at {}, database {}", hosts.join(", "), config.get_dbname().unwrap_or("of the user"))
}

/// Whether the server is reached without leaving this machine.
fn is_local(config: &Config) -> bool {
    config.get_hosts().iter().all(|host| match host {
        Host::Tcp(name) => {
            name == "localhost" || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => true,
    })
}

impl Link {
    pub fn new(config: &Config, schema: &str) -> Result<Self, Fault> {
        let cannot = |error: &dyn fmt::Display| Fault::new(FaultKind::CannotOpen, error);
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|e| cannot(&e))?;
        let mut config = config.clone();
        config.application_name("hansei");
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT);
        }
        // What leaves the machine is encrypted, unless the user's own address says otherwise.
        if config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(if is_local(&config) { SslMode::Disable } else { SslMode::Require });
        }
        let client = if config.get_ssl_mode() == SslMode::Disable {
            let connecting = runtime.block_on(async { timeout(CONNECT * 2, config.connect(NoTls)).await });
            let (client, connection) =
                connecting.map_err(|e| cannot(&e))?.map_err(|error| opening(&error))?;
            runtime.spawn(connection);
            client
        } else {
            let tls = tls::connector().map_err(|error| cannot(&error))?;
            let connecting = runtime.block_on(async { timeout(CONNECT * 2, config.connect(tls)).await });
            let (client, connection) =
                connecting.map_err(|e| cannot(&e))?.map_err(|error| opening(&error))?;
            runtime.spawn(connection);
            client
        };
        let mut link = Self { runtime, client, prepared: HashMap::new() };
        // An answer to a commit must mean that it is on the server's disk, whatever the server's own default is.
        link.script(&format!("SET search_path = {schema}; SET synchronous_commit = on"))?;
        Ok(link)
    }

    pub fn is_closed(&self) -> bool {
        self.client.is_closed()
    }

    fn prepare(&mut self, statement: &str) -> Result<Statement, Fault> {
        if let Some(prepared) = self.prepared.get(statement) {
            return Ok(prepared.clone());
        }
        let prepared = self.wait(self.client.prepare(&statement.replace('?', "$")))?;
        self.prepared.insert(statement.to_owned(), prepared.clone());
        Ok(prepared)
    }

    fn wait<T>(&self, work: impl Future<Output = Result<T, tokio_postgres::Error>>) -> Result<T, Fault> {
        match self.runtime.block_on(async { timeout(ANSWER, work).await }) {
            Ok(done) => done.map_err(|error| fault(&error)),
            Err(_) => Err(Fault::new(FaultKind::Gone, "it did not answer in time")),
        }
    }
}

fn opening(error: &tokio_postgres::Error) -> Fault {
    Fault { kind: FaultKind::CannotOpen, reason: reason(error) }
}

fn reason(error: &tokio_postgres::Error) -> String {
    match error.source() {
        Some(source) => format!("{error}: {source}"),
        None => error.to_string(),
    }
}

/// What an error of PostgreSQL means for us.
fn fault(error: &tokio_postgres::Error) -> Fault {
    let kind = match error.code() {
        Some(code) if *code == SqlState::DISK_FULL || *code == SqlState::OUT_OF_MEMORY => FaultKind::Full,
        Some(code) if *code == SqlState::IO_ERROR => FaultKind::Full,
        Some(code) if *code == SqlState::T_R_DEADLOCK_DETECTED || *code == SqlState::LOCK_NOT_AVAILABLE => {
            FaultKind::Busy
        }
        // The classes of what a server says when it goes down.
        Some(code) if code.code().starts_with("57P") || code.code().starts_with("08") => FaultKind::Gone,
        // A file of the server's that may not grow any more has no code of its own.
        Some(_)
            if error
                .as_db_error()
                .is_some_and(|said| said.message().starts_with("could not extend file")) =>
        {
            FaultKind::Full
        }
        None if error.is_closed() => FaultKind::Gone,
        None if is_of_the_network(error) => FaultKind::Gone,
        _ => FaultKind::Other,
    };
    Fault { kind, reason: reason(error) }
}

fn is_of_the_network(error: &tokio_postgres::Error) -> bool {
    error.source().and_then(|source| source.downcast_ref::<std::io::Error>()).is_some()
}

impl ToSql for Value<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Int(number) => number.to_sql(kind, out),
            Self::Real(number) => number.to_sql(kind, out),
            Self::Text(text) => text.as_ref().to_sql(kind, out),
            Self::Bytes(bytes) => bytes.as_ref().to_sql(kind, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

fn references<'a>(values: &'a [Value<'a>]) -> Vec<&'a (dyn ToSql + Sync)> {
    values.iter().map(|value| value as &(dyn ToSql + Sync)).collect()
}

fn row(row: &tokio_postgres::Row) -> Result<Row, tokio_postgres::Error> {
    let value = |(place, column): (usize, &tokio_postgres::Column)| {
        Ok(match *column.type_() {
            Type::INT8 => row.try_get::<_, Option<i64>>(place)?.map_or(Value::Null, Value::Int),
            Type::INT4 => row.try_get::<_, Option<i32>>(place)?.map_or(Value::Null, |n| Value::Int(n.into())),
            Type::FLOAT8 => row.try_get::<_, Option<f64>>(place)?.map_or(Value::Null, Value::Real),
            Type::BYTEA => row
                .try_get::<_, Option<Vec<u8>>>(place)?
                .map_or(Value::Null, |bytes| Value::Bytes(bytes.into())),
            Type::VOID => Value::Null,
            _ => {
                row.try_get::<_, Option<String>>(place)?.map_or(Value::Null, |text| Value::Text(text.into()))
            }
        })
    };
    Ok(Row::new(row.columns().iter().enumerate().map(value).collect::<Result<_, tokio_postgres::Error>>()?))
}

impl Sql for Link {
    fn dialect(&self) -> Dialect {
        Dialect::Postgres
    }

    fn script(&mut self, statements: &str) -> Result<(), Fault> {
        self.wait(self.client.batch_execute(statements))
    }

    fn run(&mut self, statement: &str, values: &[Value<'_>]) -> Result<u64, Fault> {
        let statement = self.prepare(statement)?;
        self.wait(self.client.execute(&statement, &references(values)))
    }

    fn rows(&mut self, statement: &str, values: &[Value<'_>]) -> Result<Vec<Row>, Fault> {
        let statement = self.prepare(statement)?;
        let rows = self.wait(self.client.query(&statement, &references(values)))?;
        rows.iter().map(row).collect::<Result<_, _>>().map_err(|error| fault(&error))
    }

    fn insert_events(&mut self, stream: i64, events: &Lines) -> Result<(), Fault> {
        // All in one message: a round trip for each would be most of the time.
        let statement = self.prepare(
            "INSERT INTO events (id, time, kind, body) \
             SELECT * FROM unnest($1::bigint[], $2::text[], $3::text[], $4::bytea[])",
        )?;
        let places: Vec<i64> = events.iter().map(|line| place(stream, line.position)).collect();
        let times: Vec<Option<&str>> = events.iter().map(|line| line.time).collect();
        let kinds: Vec<Option<&str>> = events.iter().map(|line| line.kind).collect();
        let bodies: Vec<&[u8]> = events.iter().map(|line| line.body).collect();
        self.wait(self.client.execute(&statement, &[&places, &times, &kinds, &bodies]))?;
        Ok(())
    }

    fn known_keys(&mut self, stream: i64, keys: &[&str]) -> Result<BTreeSet<String>, Fault> {
        let statement = self
            .prepare("SELECT event_key FROM event_keys WHERE stream = $1 AND event_key = ANY($2::text[])")?;
        let rows = self.wait(self.client.query(&statement, &[&stream, &keys]))?;
        rows.iter().map(|row| row.try_get(0)).collect::<Result<_, _>>().map_err(|error| fault(&error))
    }
}
