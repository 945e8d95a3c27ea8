//! `hansei stats`: what sending agents back was worth.

use std::process::ExitCode;
use std::time::SystemTime;

use comfy_table::{CellAlignment, Table, presets};
use hansei_core::report::stats::{FOOTNOTE, Row, Stats, share};
use hansei_core::timestamp::Timestamp;
use hansei_record::redacted::Redacted;
use hansei_record::{clock, since};
use serde_json::json;

use crate::accounts::{self, Scope};
use crate::failure::Answer;
use crate::gate_override;
use crate::terminal;

/// Count what sending agents back was worth: how often, for how many tokens, and what came of it.
///
/// Example: hansei stats --since 30d
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Only sessions since then: 30d, 2026-11-01, 18:00 [default: all]
    #[arg(long, value_name = "WHEN", value_parser = since::moment)]
    since: Option<Timestamp>,
    #[command(flatten)]
    scope: Scope,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let (workspace, reach) = arguments.scope.reach()?;
    let oldest = arguments.since.as_ref().and_then(clock::system_time).unwrap_or(SystemTime::UNIX_EPOCH);
    let shares = accounts::each(&workspace, reach, oldest, |account, own_log| {
        let is_new = match (&arguments.since, account.last()) {
            (Some(since), Some(last)) => last.moment() >= since.moment(),
            (since, _) => since.is_none(),
        };
        share(account, own_log).filter(|_| is_new)
    });
    let stats = Stats::of(shares);
    if arguments.json {
        let shown =
            json!({ "rows": stats.rows, "total": stats.total, "counted": FOOTNOTE.replace('\n', " ") });
        let shown = gate_override::shown(Some(&workspace), shown);
        terminal::print_json(Redacted::new(&shown).map_err(std::io::Error::from)?.value())?;
    } else if stats.rows.is_empty() {
        terminal::print("no session was watched here: Hansei counts those that its hooks saw\n");
    } else {
        terminal::print(&format!("{}\n\n{FOOTNOTE}\n", table(&stats)));
    }
    if !arguments.json {
        terminal::print(&gate_override::line(Some(&workspace)));
    }
    Ok(ExitCode::SUCCESS)
}

fn table(stats: &Stats) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    table.set_header([
        "AGENT", "MODEL", "SESSIONS", "SENT BACK", "TOKENS", "OF ALL", "LED TO A PASS", "FALSE",
    ]);
    let total = (stats.rows.len() > 1).then_some(&stats.total);
    for row in stats.rows.iter().chain(total) {
        table.add_row(cells(row));
    }
    for column in 2..8 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

fn cells(row: &Row) -> [String; 8] {
    let unknown = if row.tokens_unknown > 0 { "+?" } else { "" };
    let percent = match row.tokens_of_sessions {
        0 => "-".to_owned(),
        all => format!("{}%", (u128::from(row.tokens) * 100 + u128::from(all) / 2) / u128::from(all)),
    };
    [
        terminal::short(&row.agent, 20),
        terminal::short(&row.model, 30),
        row.sessions.to_string(),
        row.send_backs.to_string(),
        format!("{}{unknown}", terminal::count(row.tokens)),
        percent,
        row.led_to_pass.to_string(),
        row.wrong.to_string(),
    ]
}
