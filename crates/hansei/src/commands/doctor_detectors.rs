//! `hansei doctor --detectors`: what each detector may do, and the figures that its right rests on.

use std::fmt::Write as _;
use std::process::ExitCode;

use hansei_core::evidence::{Basis, Right, rights};
use hansei_core::interrupt::kind_name;
use hansei_core::verdict::Severity;
use serde_json::json;

use crate::failure::Answer;
use crate::terminal;

pub fn run(as_json: bool) -> Answer {
    let rows: Vec<&Right> = rights().collect();
    if as_json {
        terminal::print_json(&json!({ "detectors": rows }))?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut page = format!(
        "{:<24}{:<10}{:<12}{:<10}{:>12}{:>12}{:>12}{:>14}{:>10}{:>16}\n",
        "detector",
        "attended",
        "unattended",
        "basis",
        "right runs",
        "wrong runs",
        "accepted",
        "all stops",
        "upheld",
        "blind: due/not"
    );
    for right in rows {
        let figure = |at: usize| match (right.figures.get(at), right.figures.get(at + 1)) {
            (Some(fired), Some(of)) => format!("{fired}/{of}"),
            _ => "-".to_owned(),
        };
        // Of the readings the second figure is how many were upheld.
        let upheld = match (right.figures.get(8), right.figures.get(9)) {
            (Some(read), Some(upheld)) if *read > 0 => format!("{upheld}/{read}"),
            _ => "-".to_owned(),
        };
        let blind = match (right.figures.get(10), right.figures.get(11)) {
            (Some(due), Some(not)) => format!("{due}/{not}"),
            _ => "-".to_owned(),
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "{:<24}{:<10}{:<12}{:<10}{:>12}{:>12}{:>12}{:>14}{:>10}{:>16}",
            kind_name(right.kind),
            from(right.attended),
            from(right.unattended),
            match right.basis {
                Basis::Measured => "measured",
                Basis::Rare => "rare",
                Basis::Note => "note",
            },
            figure(0),
            figure(2),
            figure(4),
            figure(6),
            upheld,
            blind
        );
    }
    page += "\nA detector sends an agent back from the severity that is named on; where there is none it only stands in the notes.\n";
    terminal::print(&page);
    Ok(ExitCode::SUCCESS)
}

fn from(severity: Option<Severity>) -> &'static str {
    match severity {
        None => "never",
        Some(Severity::None | Severity::Low) => "low",
        Some(Severity::Medium) => "medium",
        Some(Severity::High | Severity::Blocker) => "high",
    }
}
