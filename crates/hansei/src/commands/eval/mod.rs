//! `hansei eval`: runs promptfoo's eval files, and compares two runs.

mod compare;
mod model;
mod providers;
mod report;
mod watch;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use hansei_eval::assertion::Graders;
use hansei_eval::compare::Rate;
use hansei_eval::result::{CaseResult, run_json};
use hansei_eval::run::{self, Asked, Plan};
use hansei_eval::suite::{OwnProviders, Suite};
use hansei_record::redacted::Redacted;
use hansei_record::{clock, eval_results};
use regex::Regex;
use serde_json::{Value, json};

use self::providers::Factory;
use crate::failure::{Answer, Failure};
use crate::terminal;

/// Run eval files in promptfoo's format.
///
/// Every case is asked of every provider: hansei, hansei:judge, hansei:stuck, hansei:nudge, hansei:agent, echo,
/// exec:COMMAND, or a model as provider/name. Without --provider, those that the file names. The results are also
/// written to results/latest.json beside the first file. Exit code 0: all passed, or at least the threshold.
///
/// Example: hansei eval evals/*.yaml --provider hansei --threshold 0.95
/// Example: hansei eval compare before.json evals/results/latest.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub struct Arguments {
    /// Eval files.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Who is asked, instead of those that the file names. May be given several times.
    #[arg(long = "provider", value_name = "P")]
    providers: Vec<String>,
    /// Who grades llm-rubric, instead of whom the file names.
    #[arg(long, value_name = "P")]
    grader: Option<String>,
    /// Ask each case so many times.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    repeat: Option<u32>,
    /// Only cases whose description (or vars, without one) this regular expression finds.
    #[arg(long, value_name = "RE")]
    filter: Option<Regex>,
    /// The share of results that must pass, such as 0.95 or 95%.
    #[arg(long, value_name = "X", value_parser = share)]
    threshold: Option<f64>,
    /// Let the files start the programs that they name with exec:.
    #[arg(long)]
    allow_exec: bool,
    /// Print the results as promptfoo writes them.
    #[arg(long)]
    json: bool,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Compare(compare::Arguments),
}

fn share(text: &str) -> Result<f64, String> {
    let (number, divisor) = text.strip_suffix('%').map_or((text, 1.0), |number| (number, 100.0));
    match number.trim().parse::<f64>().map(|number| number / divisor) {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err(format!("{text:?} is not a share such as 0.95 or 95%")),
    }
}

pub fn run(arguments: &Arguments) -> Answer {
    if let Some(Command::Compare(arguments)) = &arguments.command {
        return compare::run(arguments);
    }
    let current = std::env::current_dir()?;
    let plan = plan(arguments, &current)?;
    let all = run::size(&plan);
    if all == 0 {
        return Err(Failure::usage("no case is left to run").hint("look at --filter"));
    }
    let beside = folder_of(&arguments.files[0], &current);
    let started = Instant::now();
    let watch = watch::Watch::start(all, beside.clone(), started);
    let results = run::run(&plan, &|result| watch.done(result));
    watch.end();
    let results = results.map_err(|missing| Failure::environment(missing.to_string()).hint(MISSING))?;

    let record = record(&results, started.elapsed(), watch::Ending::Complete)?;
    if let Err(error) = eval_results::write(&beside, &record) {
        anstream::eprintln!("warning: the results cannot be written beside the eval file: {error}");
    }
    if arguments.json {
        terminal::print_json(record.value())?;
    } else {
        terminal::print(&report::table(&results));
    }
    let passed = Rate::of(results.iter().map(CaseResult::success));
    Ok(ExitCode::from(u8::from(passed.share() < arguments.threshold.unwrap_or(1.0))))
}

const MISSING: &str = "set the key, or ask somebody else with --provider or --grader";

/// The run as it is kept and printed.
fn record(results: &[CaseResult], took: Duration, ending: watch::Ending) -> Result<Redacted, Failure> {
    let mut run = run_json(results, took);
    run["results"]["timestamp"] = json!(clock::now());
    run["results"]["complete"] = (ending == watch::Ending::Complete).into();
    run["results"]["rates"] = report::rates(results);
    if let Some(pair) = report::pair(results) {
        run["results"]["comparison"] = pair;
    }
    Redacted::new(&run)
        .map_err(|error| Failure::environment(format!("the results cannot be written as JSON: {error}")))
}

fn folder_of(file: &Path, current: &Path) -> PathBuf {
    current.join(file).parent().map_or_else(|| current.to_owned(), Path::to_owned)
}

fn plan(arguments: &Arguments, current: &Path) -> Result<Plan, Failure> {
    let factory = Factory::new(arguments.allow_exec, current)?;
    let replaced = !arguments.providers.is_empty();
    let own = if replaced { OwnProviders::Replaced } else { OwnProviders::Wanted };
    let mut given = Vec::new();
    for name in &arguments.providers {
        let provider = factory.named(name)?;
        given.push(Asked { label: provider.name(), provider, transform: None });
    }
    let mut graders = Graders::default();
    if let Some(name) = &arguments.grader {
        graders.given = Some(factory.named(name)?);
    }
    let mut suites = Vec::new();
    for file in &arguments.files {
        let suite = Suite::load(file, current, own).map_err(|problem| Failure::usage(problem.to_string()))?;
        let asked = if replaced { given.clone() } else { own_providers(&suite, &factory)? };
        if graders.given.is_none() {
            let named = run::graders_named(&suite).map_err(|problem| Failure::usage(problem.to_string()))?;
            for (place, entry) in named {
                graders.named.insert(place, factory.entry(entry, &suite.folder)?);
            }
        }
        suites.push((suite, asked));
    }
    Ok(Plan { suites, graders, repeat: arguments.repeat, filter: arguments.filter.clone() })
}

fn own_providers(suite: &Suite, factory: &Factory) -> Result<Vec<Asked>, Failure> {
    if suite.providers.is_empty() {
        return Err(Failure::usage(format!("{} names no providers", suite.file)).hint("give --provider P"));
    }
    let mut asked = Vec::new();
    for entry in &suite.providers {
        let provider = factory.entry(entry, &suite.folder)?;
        let label = entry.label.clone().unwrap_or_else(|| provider.name());
        asked.push(Asked { provider, label, transform: entry.transform.clone() });
    }
    Ok(asked)
}

/// A file with results of a run, as JSON.
fn read_results(file: &Path) -> Result<Value, Failure> {
    const LARGEST: u64 = 256 << 20;
    let bytes = hansei_record::folder::read_named_by_user(file, LARGEST)
        .map_err(|error| Failure::environment(format!("{} cannot be read: {error}", file.display())))?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::usage(format!("{} is not JSON: {error}", file.display())))
}
