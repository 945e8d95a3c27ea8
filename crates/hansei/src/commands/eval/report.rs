//! What came of a run, for a person: a table of cases and providers, why what failed did, and how sure the rates are.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use comfy_table::{Table, presets};
use hansei_eval::compare::{CaseKey, Comparison, Rate};
use hansei_eval::result::CaseResult;
use serde_json::{Value, json};

use crate::terminal;

/// The columns of the table, in the order of the run: a provider, and a prompt where there are several.
fn columns(results: &[CaseResult]) -> Vec<(String, usize)> {
    let mut columns: Vec<(String, usize)> = Vec::new();
    for result in results {
        let column = (result.provider.clone(), result.prompt);
        if !columns.contains(&column) {
            columns.push(column);
        }
    }
    columns
}

/// The report of a run.
pub fn table(results: &[CaseResult]) -> String {
    let columns = columns(results);
    let several_prompts = columns.iter().any(|(_, prompt)| *prompt > 0);
    let files: Vec<&str> = {
        let mut files: Vec<&str> = results.iter().map(|result| result.file.as_str()).collect();
        files.dedup();
        files
    };
    let mut out = String::new();
    for file in files {
        let of_file: Vec<&CaseResult> = results.iter().filter(|result| result.file == file).collect();
        let mut rows: BTreeMap<usize, Vec<&CaseResult>> = BTreeMap::new();
        for result in of_file {
            rows.entry(result.test).or_default().push(result);
        }
        let mut table = Table::new();
        table.load_style(presets::NOTHING);
        let mut header = vec![terminal::one_line(file)];
        header.extend(columns.iter().map(|(provider, prompt)| {
            let name = terminal::short(provider, 30);
            if several_prompts { format!("{name} #{}", prompt + 1) } else { name }
        }));
        table.set_header(header);
        for (number, row) in &rows {
            let mut cells = vec![format!("{} {}", number + 1, name(row[0]))];
            for (provider, prompt) in &columns {
                let here = row.iter().find(|result| result.provider == *provider && result.prompt == *prompt);
                cells.push(here.map_or("", |result| word(result)).to_owned());
            }
            table.add_row(cells);
        }
        let _ = writeln!(out, "{table}\n");
    }
    for result in results.iter().filter(|result| !result.success()) {
        let prompt = if several_prompts { format!(" #{}", result.prompt + 1) } else { String::new() };
        let _ = writeln!(
            out,
            "{} {} {} ({}{prompt}): {}",
            word(result),
            result.test + 1,
            name(result),
            terminal::short(&result.provider, 40),
            terminal::short(result.reason(), 300)
        );
    }
    if results.iter().any(|result| !result.success()) {
        out.push('\n');
    }
    for (provider, rate, errors) in by_provider(results) {
        let errors = if errors > 0 { format!(", {errors} of them errors") } else { String::new() };
        let failed = rate.all - rate.passed;
        let _ =
            writeln!(out, "{}: {}, {failed} failed{errors}", terminal::short(&provider, 60), in_words(rate));
    }
    if let Some((first, second, compared)) = compared(results) {
        out.push_str(&paired(&terminal::short(&first, 60), &terminal::short(&second, 60), &compared));
    }
    out
}

/// A rate with its interval.
pub fn in_words(rate: Rate) -> String {
    let interval = rate.interval();
    format!(
        "{} of {} passed ({:.1} %, 95 % interval {:.1}–{:.1} %)",
        rate.passed,
        rate.all,
        rate.share() * 100.0,
        interval.low * 100.0,
        interval.high * 100.0
    )
}

/// What McNemar's test says about two that answered the same cases.
pub fn paired(first: &str, second: &str, compared: &Comparison) -> String {
    let split = compared.discordant();
    format!(
        "only {first} passed {}, only {second} passed {}; McNemar p = {:.4} (exact, two-sided)\n",
        split.first,
        split.second,
        split.exact_p()
    )
}

fn word(result: &CaseResult) -> &'static str {
    match (result.success(), result.is_error()) {
        (true, _) => "pass",
        (false, true) => "ERROR",
        (false, false) => "FAIL",
    }
}

fn name(result: &CaseResult) -> String {
    match &result.description {
        Some(description) => terminal::short(description, 70),
        None => terminal::short(&Value::Object(result.vars.clone()).to_string(), 70),
    }
}

fn by_provider(results: &[CaseResult]) -> Vec<(String, Rate, usize)> {
    let mut providers: Vec<&str> = Vec::new();
    for result in results {
        if !providers.contains(&result.provider.as_str()) {
            providers.push(&result.provider);
        }
    }
    providers
        .into_iter()
        .map(|provider| {
            let own = || results.iter().filter(move |result| result.provider == provider);
            let errors = own().filter(|result| result.is_error()).count();
            (provider.to_owned(), Rate::of(own().map(CaseResult::success)), errors)
        })
        .collect()
}

/// The rates of all providers, as JSON.
pub fn rates(results: &[CaseResult]) -> Value {
    let rates = by_provider(results).into_iter().map(|(provider, rate, errors)| {
        let mut value = rate.json();
        value["provider"] = provider.into();
        value["errors"] = errors.into();
        value
    });
    rates.collect()
}

/// The comparison of two providers, as JSON, where there are two.
pub fn pair(results: &[CaseResult]) -> Option<Value> {
    let (first, second, compared) = compared(results)?;
    let mut value = compared.json();
    value["providers"] = json!([first, second]);
    Some(value)
}

fn compared(results: &[CaseResult]) -> Option<(String, String, Comparison)> {
    let providers = by_provider(results);
    let [(first, ..), (second, ..)] = providers.as_slice() else { return None };
    let of = |provider: &str| -> Vec<(CaseKey, bool)> {
        let own = results.iter().filter(|result| result.provider == provider);
        own.map(|result| {
            // The place in the run tells repetitions and equal cases apart.
            let place = format!("{} {} {}", result.file, result.test, result.prompt);
            (CaseKey { description: name(result), vars: place }, result.success())
        })
        .collect()
    };
    let compared = Comparison::of(&of(first), &of(second));
    Some((first.clone(), second.clone(), compared))
}
