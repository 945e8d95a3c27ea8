//! A run as lines of JSON, for programs.

use hansei_engine::run::Watcher;
use serde_json::Value;

use crate::terminal;

/// Prints each line of the log with the run's name.
pub struct JsonLines {
    run: String,
}

impl JsonLines {
    pub fn of(run: &str) -> Self {
        Self { run: run.to_owned() }
    }
}

impl Watcher for JsonLines {
    fn line(&mut self, line: &Value) {
        terminal::print(&format!("{}\n", with_run(line, &self.run)));
    }

    fn words(&mut self, _: &str) {}

    fn doing(&mut self, _: &str) {}
}

/// A line of a log with the name of its run in it.
pub fn with_run(line: &Value, run: &str) -> Value {
    let mut line = line.clone();
    if let Value::Object(map) = &mut line {
        map.insert("run".to_owned(), run.into());
    }
    line
}
