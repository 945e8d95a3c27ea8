//! A board that cannot be read, and where.

use serde_json::Value;

/// Where a board is not what its format says, and in what.
#[derive(Debug, thiserror::Error)]
#[error("row {row}, column {column}: {what}")]
pub struct Malformed {
    row: u64,
    column: String,
    what: String,
}

impl Malformed {
    /// In a named column of a row, both as the file counts them, from 1.
    pub fn at(row: u64, column: impl Into<String>, what: impl Into<String>) -> Self {
        Self { row, column: column.into(), what: what.into() }
    }

    /// Where JSON ends to be JSON.
    pub fn json(error: &serde_json::Error, rows_before: u64) -> Self {
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        Self { row: rows_before + error.line() as u64, column: error.column().to_string(), what }
    }

    /// A value of the wrong kind.
    pub fn value(row: u64, column: impl Into<String>, value: &Value, wanted: &str) -> Self {
        let mut shown = value.to_string();
        if shown.len() > 60 {
            shown = shown.chars().take(59).chain(['…']).collect();
        }
        Self::at(row, column, format!("{shown} is not {wanted}"))
    }
}
