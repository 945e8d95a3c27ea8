//! `hansei redact`: the filter that everything we write goes through, from standard input to standard output.

use std::io::{Read as _, Write as _};
use std::process::ExitCode;

use hansei_record::redact;
use serde_json::json;

use crate::failure::{Answer, Failure};
use crate::terminal;

/// Take the secrets out of a text: standard input to standard output.
///
/// Tokens of known formats, private keys, passwords in connection strings and values of
/// secret-looking names become `[REDACTED:rule]`.
///
/// Example: env | hansei redact
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// Print {redacted, findings: [{rule, start, end}]} (byte offsets of the input) instead.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let mut input = Vec::new();
    std::io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| Failure::environment(format!("standard input cannot be read: {error}")))?;
    if arguments.json {
        let findings = redact::scan(&input);
        let clean = redact::redact_bytes(&input);
        terminal::print_json(&json!({ "redacted": String::from_utf8_lossy(&clean), "findings": findings }))?;
    } else {
        // A closed pipe is the reader's choice.
        let _ = std::io::stdout().lock().write_all(&redact::redact_bytes(&input));
    }
    Ok(ExitCode::SUCCESS)
}
