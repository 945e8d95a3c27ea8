//! Where a run is recorded: its log, or the log of the team that it is part of.

use std::time::Duration;

use hansei_core::run::{RunEvent, RunLine};
use hansei_record::log::LogError;
use hansei_record::run_log::RunLog;
use serde_json::Value;

/// Where a run is recorded.
pub trait Book {
    /// Writes an event down, and gives the line as it was written.
    fn append(&mut self, event: RunEvent) -> Result<RunLine, LogError>;
    /// Makes what was written survive a power cut.
    fn sync(&self) -> Result<(), LogError>;
    /// Lets others write.
    fn release(&mut self) -> Result<(), LogError>;
    /// Lets nobody else write any more, and gives what they wrote.
    fn retake(&mut self, patience: Duration) -> Result<Vec<Value>, LogError>;
}

impl Book for RunLog {
    fn append(&mut self, event: RunEvent) -> Result<RunLine, LogError> {
        Self::append(self, event)
    }

    fn sync(&self) -> Result<(), LogError> {
        Self::sync(self)
    }

    fn release(&mut self) -> Result<(), LogError> {
        Self::release(self)
    }

    fn retake(&mut self, patience: Duration) -> Result<Vec<Value>, LogError> {
        Self::retake(self, patience)
    }
}
