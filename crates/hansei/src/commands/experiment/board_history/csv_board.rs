//! Boards as CSV with a header: `id` and `completed_at`, and a column for each sign, or `event` and `at` in rows of their
//! own. The names that common exports give these columns are understood too.

use hansei_core::experiment::board_history::{Task, What};
use hansei_record::foreign_time;

use super::fields::happened;
use super::lines::{COLUMNS, Gathered, named};
use super::malformed::Malformed;

const IDS: [&str; 7] = ["id", "key", "issue_key", "number", "iid", "issue_id", "task"];
const COMPLETED: [&str; 7] =
    ["closed_at", "resolved", "resolved_at", "done_at", "completed", "closed_at_(utc)", "closed"];

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Column {
    Id,
    When(What),
    Event,
    At,
    Other,
}

pub fn tasks(text: &str) -> Result<Vec<Task>, Malformed> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.trim_start_matches('\u{feff}').as_bytes());
    let header = reader.headers().map_err(|error| unreadable(&error))?.clone();
    let columns: Vec<Column> = header.iter().map(column).collect();
    if !columns.contains(&Column::Id) {
        return Err(Malformed::at(1, "id", "the header names no such column"));
    }
    let tells = |column: &Column| matches!(column, Column::When(What::Completed) | Column::Event);
    if !columns.iter().any(tells) {
        return Err(Malformed::at(1, "completed_at", "the header names no such column"));
    }
    let mut tasks = Gathered::default();
    for record in reader.records() {
        let record = record.map_err(|error| unreadable(&error))?;
        let row = record.position().map_or(0, csv::Position::line);
        let (mut id, mut found, mut event, mut at) = (None, Vec::new(), None, None);
        for ((cell, column), name) in record.iter().zip(&columns).zip(header.iter()) {
            let cell = cell.trim();
            match column {
                _ if cell.is_empty() => {}
                Column::Id => id = id.or_else(|| Some(cell.to_owned())),
                Column::When(what) => found.push(happened(moment(row, name, cell)?, *what)),
                Column::Event => event = Some(named(row, name, cell)?),
                Column::At => at = Some(moment(row, name, cell)?),
                Column::Other => {}
            }
        }
        let id = id.ok_or_else(|| Malformed::at(row, "id", "a task needs an id"))?;
        match (event, at) {
            (Some(what), Some(at)) => found.push(happened(at, what)),
            (Some(_), None) => return Err(Malformed::at(row, "at", "an event needs a time")),
            (None, _) => {}
        }
        tasks.add(id, found);
    }
    Ok(tasks.tasks())
}

fn column(name: &str) -> Column {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    if IDS.contains(&name.as_str()) {
        return Column::Id;
    }
    if COMPLETED.contains(&name.as_str()) {
        return Column::When(What::Completed);
    }
    match name.as_str() {
        "event" | "signal" => Column::Event,
        "at" | "event_at" | "signal_at" => Column::At,
        _ => COLUMNS
            .into_iter()
            .find(|(known, _)| *known == name)
            .map_or(Column::Other, |(_, what)| Column::When(what)),
    }
}

fn moment(row: u64, column: &str, cell: &str) -> Result<i64, Malformed> {
    foreign_time::seconds(cell).ok_or_else(|| Malformed::at(row, column, format!("{cell:?} is not a time")))
}

fn unreadable(error: &csv::Error) -> Malformed {
    let row = error.position().map_or(1, csv::Position::line);
    match error.kind() {
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            let column = (*len).min(*expected_len) + 1;
            Malformed::at(
                row,
                column.to_string(),
                format!("{len} fields where the header has {expected_len}"),
            )
        }
        _ => Malformed::at(row, "1", error.to_string()),
    }
}
