//! `hansei eval compare`: two result files, case by case.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use hansei_eval::compare::{Comparison, results_of};

use super::{read_results, report};
use crate::failure::{Answer, Failure};
use crate::terminal;

/// Compare two result files of `hansei eval` or promptfoo, case by case.
///
/// Example: hansei eval compare before.json evals/results/latest.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub struct Arguments {
    /// The results of one run.
    first: PathBuf,
    /// The results of another.
    second: PathBuf,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Answer {
    let of = |file: &PathBuf| {
        results_of(&read_results(file)?)
            .ok_or_else(|| Failure::usage(format!("{} holds no results of evals", file.display())))
    };
    let compared = Comparison::of(&of(&arguments.first)?, &of(&arguments.second)?);
    if compared.first.all == 0 {
        return Err(Failure::usage("the two files have no case in common")
            .hint("cases are the same when their description and vars are"));
    }
    if arguments.json {
        terminal::print_json(&compared.json())?;
    } else {
        terminal::print(&in_words(arguments, &compared));
    }
    Ok(ExitCode::SUCCESS)
}

fn in_words(arguments: &Arguments, compared: &Comparison) -> String {
    let name = |file: &PathBuf| terminal::one_line(&file.display().to_string());
    let (first, second) = (name(&arguments.first), name(&arguments.second));
    let mut out = String::new();
    for (key, passed_in_first) in &compared.differing {
        let case = if key.description.is_empty() { &key.vars } else { &key.description };
        let (was, is) = if *passed_in_first { ("pass", "FAIL") } else { ("FAIL", "pass") };
        let _ = writeln!(out, "{was} -> {is}  {}", terminal::short(case, 100));
    }
    if compared.differing.is_empty() {
        out.push_str("every case came to the same\n");
    }
    let _ = writeln!(out, "\n{first}: {}", report::in_words(compared.first));
    let _ = writeln!(out, "{second}: {}", report::in_words(compared.second));
    out.push_str(&report::paired(&first, &second, compared));
    let (left, right) = compared.unpaired;
    if left + right > 0 {
        let _ = writeln!(out, "without a partner: {left} in {first}, {right} in {second}");
    }
    out
}
