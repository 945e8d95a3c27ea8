//! Tests as rows of a table: a column is a var, and columns that begin with two underscores say what must hold.

use serde_json::{Map, Value, json};

use super::assertion::kind_of;
use crate::Problem;

/// The rows as tests.
pub fn read(text: &str, place: &str) -> Result<Vec<Map<String, Value>>, Problem> {
    let mut reader = csv::ReaderBuilder::new().from_reader(text.as_bytes());
    let headers = reader.headers().map_err(|error| Problem::new(place, error))?.clone();
    let mut tests = Vec::new();
    for (number, row) in reader.records().enumerate() {
        let row = row.map_err(|error| Problem::new(place, error))?;
        let place = format!("{place}: row {}", number + 1);
        tests.push(test(headers.iter().map(str::trim).zip(row.iter()), &place)?);
    }
    Ok(tests)
}

fn test<'a>(
    cells: impl Iterator<Item = (&'a str, &'a str)>,
    place: &str,
) -> Result<Map<String, Value>, Problem> {
    let mut test = Map::new();
    let mut vars = Map::new();
    let mut options = Map::new();
    let mut assertions: Vec<Value> = Vec::new();
    let mut metric = None;
    for (column, cell) in cells {
        match column {
            "__description" => drop(test.insert("description".to_owned(), cell.into())),
            "__prefix" => drop(options.insert("prefix".to_owned(), cell.into())),
            "__suffix" => drop(options.insert("suffix".to_owned(), cell.into())),
            "__metric" => metric = (!cell.is_empty()).then(|| cell.to_owned()),
            "__threshold" if cell.trim().is_empty() => {}
            "__threshold" => {
                let number: f64 =
                    cell.trim().parse().map_err(|_| Problem::new(place, "__threshold is a number"))?;
                test.insert("threshold".to_owned(), number.into());
            }
            _ if column.starts_with("__expected") => {
                if !cell.trim().is_empty() {
                    assertions.push(assertion(cell.trim(), place)?);
                }
            }
            _ if column.starts_with("__metadata:") => {}
            _ if column.starts_with("__") => {
                return Err(Problem::new(place, format!("the column {column:?} is not supported")));
            }
            _ => drop(vars.insert(column.to_owned(), cell.into())),
        }
    }
    if let Some(metric) = metric {
        for assertion in &mut assertions {
            assertion["metric"] = metric.clone().into();
        }
    }
    test.insert("vars".to_owned(), Value::Object(vars));
    test.insert("options".to_owned(), Value::Object(options));
    test.insert("assert".to_owned(), Value::Array(assertions));
    Ok(test)
}

/// `type:value`, `type(threshold):value`, or the text that the answer equals.
fn assertion(cell: &str, place: &str) -> Result<Value, Problem> {
    for (prefix, kind) in [
        ("javascript:", "javascript"),
        ("fn:", "javascript"),
        ("eval:", "javascript"),
        ("grade:", "llm-rubric"),
    ] {
        if let Some(value) = cell.strip_prefix(prefix) {
            return Ok(json!({ "type": kind, "value": value.trim() }));
        }
    }
    if cell.starts_with("file://") && [".js", ".cjs", ".mjs"].iter().any(|end| cell.ends_with(end)) {
        return Ok(json!({ "type": "javascript", "value": cell }));
    }
    let (head, value) = cell.split_once(':').map_or((cell, None), |(head, value)| (head, Some(value)));
    let (name, threshold) = match head.strip_suffix(')').and_then(|head| head.split_once('(')) {
        Some((name, threshold)) => match threshold.parse::<f64>() {
            Ok(threshold) => (name, Some(threshold)),
            Err(_) => (head, None),
        },
        None => (head, None),
    };
    if kind_of(name).is_some() {
        let mut assertion = json!({ "type": name });
        if let Some(value) = value {
            assertion["value"] = value.trim().into();
        }
        if let Some(threshold) = threshold {
            assertion["threshold"] = threshold.into();
        }
        return Ok(assertion);
    }
    if OTHER_KINDS.contains(&name.trim_start_matches("not-")) {
        return Err(Problem::new(place, format!("the assertion type {name:?} is not supported")));
    }
    Ok(json!({ "type": "equals", "value": cell }))
}

/// Types of promptfoo that we do not have: such a cell is no text to be equal to.
const OTHER_KINDS: &[&str] = &[
    "answer-relevance",
    "bleu",
    "classifier",
    "contains-html",
    "contains-sql",
    "contains-xml",
    "context-faithfulness",
    "context-recall",
    "context-relevance",
    "conversation-relevance",
    "cost",
    "factuality",
    "finish-reason",
    "g-eval",
    "gleu",
    "guardrails",
    "is-html",
    "is-refusal",
    "is-sql",
    "is-valid-function-call",
    "is-valid-openai-function-call",
    "is-valid-openai-tools-call",
    "is-xml",
    "latency",
    "levenshtein",
    "meteor",
    "model-graded-closedqa",
    "model-graded-factuality",
    "moderation",
    "perplexity",
    "perplexity-score",
    "pi",
    "python",
    "rouge-n",
    "ruby",
    "search-rubric",
    "similar",
    "webhook",
    "word-count",
];
