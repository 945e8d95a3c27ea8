//! The cases of an eval file: tests with the defaults merged in, and one for each value of a var that has several.

use serde_json::{Map, Value};

use super::assertion::{self, Check, Transform};
use super::csv_cases;
use super::keys;
use super::prompts::Prompt;
use super::provider_entry::{ProviderEntry, entry_of};
use crate::files::Files;
use crate::{Problem, yaml};

/// The most cases of one file: a few lists of values multiply quickly.
const MOST: usize = 20_000;

/// One case: vars and what must hold of the answer.
#[derive(Debug, Clone)]
pub struct Case {
    /// What it is about.
    pub description: Option<String>,
    /// The values for the prompt.
    pub vars: Map<String, Value>,
    /// What must hold.
    pub checks: Vec<Check>,
    /// The score from which it passes, instead of every single check.
    pub threshold: Option<f64>,
    /// What stands before the prompt.
    pub prefix: String,
    /// What stands after it.
    pub suffix: String,
    /// What is done to the answer first.
    pub transform: Option<Transform>,
    /// Who grades.
    pub grader: Option<ProviderEntry>,
    /// How the grader is asked.
    pub rubric_prompt: Option<String>,
    /// The labels of the prompts that it is asked with; none means all.
    pub prompts: Option<Vec<String>>,
    /// How often it is asked, where the test says so.
    pub repeat: Option<u32>,
}

/// A test as written, and where.
struct Test {
    map: Map<String, Value>,
    place: String,
}

/// The cases of a file.
pub fn list(
    written: &Map<String, Value>,
    prompts: &[Prompt],
    files: &Files,
    place: &str,
) -> Result<Vec<Case>, Problem> {
    let default = default_test(written.get("defaultTest"), files, place)?;
    let mut tests = Vec::new();
    match written.get("tests") {
        None | Some(Value::Null) => {}
        Some(entries) => gather(entries, files, &keys::at(place, "tests"), 0, &mut tests)?,
    }
    if tests.is_empty() {
        tests.push(Test { map: Map::new(), place: keys::at(place, "tests") });
    }
    let mut cases = Vec::new();
    for test in &tests {
        unfold(test, &default, prompts, files, &mut cases)?;
    }
    Ok(cases)
}

fn default_test(written: Option<&Value>, files: &Files, place: &str) -> Result<Test, Problem> {
    let place = keys::at(place, "defaultTest");
    let value = match written {
        None | Some(Value::Null) => Value::Object(Map::new()),
        Some(Value::String(reference)) if reference.starts_with("file://") => {
            yaml::parse(&files.read(reference, &place)?, &keys::at(&place, reference))?
        }
        Some(other) => other.clone(),
    };
    let Value::Object(map) = value else {
        return Err(Problem::new(place, "it is a map, or a file with one"));
    };
    keys::check(&map, keys::TEST, &place, "")?;
    Ok(Test { map, place })
}

/// The tests of a list, of a file, or of a list of files.
fn gather(
    written: &Value,
    files: &Files,
    place: &str,
    depth: usize,
    tests: &mut Vec<Test>,
) -> Result<(), Problem> {
    match written {
        Value::Array(entries) => {
            for (number, entry) in entries.iter().enumerate() {
                gather(entry, files, &format!("{place}[{number}]"), depth, tests)?;
            }
        }
        Value::Object(map) => {
            if tests.len() >= MOST {
                return Err(Problem::new(place, format!("more than {MOST} tests")));
            }
            keys::check(map, keys::TEST, place, "")?;
            tests.push(Test { map: map.clone(), place: place.to_owned() });
        }
        Value::String(reference) => {
            if depth > 3 {
                return Err(Problem::new(place, "files of tests name each other too deeply"));
            }
            let text = files.read(reference, place)?;
            let place = keys::at(place, reference);
            match reference.rsplit_once('.').map(|(_, extension)| extension) {
                Some("yaml" | "yml" | "json") => {
                    gather(&yaml::parse(&text, &place)?, files, &place, depth + 1, tests)?;
                }
                Some("jsonl") => {
                    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty())
                    {
                        let place = format!("{place}: line {}", number + 1);
                        let test = serde_json::from_str(line).map_err(|error| Problem::new(&place, error))?;
                        gather(&test, files, &place, depth + 1, tests)?;
                    }
                }
                Some("csv") => {
                    for (number, test) in csv_cases::read(&text, &place)?.into_iter().enumerate() {
                        tests.push(Test { map: test, place: format!("{place}: row {}", number + 1) });
                    }
                }
                _ => return Err(Problem::new(place, "tests are read from yaml, json, jsonl and csv")),
            }
        }
        _ => return Err(Problem::new(place, "a test is a map, or file:// and a name")),
    }
    Ok(())
}

/// A test as one case for each combination of its vars' values.
fn unfold(
    test: &Test,
    default: &Test,
    prompts: &[Prompt],
    files: &Files,
    cases: &mut Vec<Case>,
) -> Result<(), Problem> {
    let place = &test.place;
    let mut options = options_of(default)?;
    let own = options_of(test)?;
    let without_defaults = flag(&own, "disableDefaultAsserts", place)?;
    options.extend(own);
    keys::check(&options, keys::OPTIONS, place, "options")?;

    let mut checks = Vec::new();
    for (source, skipped) in [(default, without_defaults), (test, false)] {
        if let Some(written) = source.map.get("assert").filter(|written| !written.is_null() && !skipped) {
            checks.extend(assertion::list(written, files, &keys::at(&source.place, "assert"))?);
        }
    }
    let threshold = match assertion::number(&test.map, "threshold", place)? {
        None => assertion::number(&default.map, "threshold", &default.place)?,
        given => given,
    };
    let text = |key: &str| -> Result<String, Problem> {
        match options.get(key) {
            None | Some(Value::Null) => Ok(String::new()),
            Some(Value::String(text)) => Ok(text.clone()),
            Some(_) => Err(Problem::new(place, format!("options.{key} is a text"))),
        }
    };
    let transform = options.get("transform").or_else(|| options.get("postprocess"));
    let case = Case {
        description: test
            .map
            .get("description")
            .or_else(|| default.map.get("description"))
            .map(crate::js_text::text),
        vars: Map::new(),
        checks,
        threshold,
        prefix: text("prefix")?,
        suffix: text("suffix")?,
        transform: transform.map(|code| Transform::of(code, files, place)).transpose()?,
        grader: options
            .get("provider")
            .map(|entry| entry_of(entry, &keys::at(place, "options.provider")))
            .transpose()?,
        rubric_prompt: options
            .get("rubricPrompt")
            .map(|prompt| assertion::rubric(prompt, files, &keys::at(place, "options.rubricPrompt")))
            .transpose()?,
        prompts: prompts_of(test.map.get("prompts").or_else(|| default.map.get("prompts")), prompts, place)?,
        repeat: options.get("repeat").map(|value| count(value, place, "options.repeat")).transpose()?,
    };
    let mut vars = vars_of(default, files)?;
    vars.extend(vars_of(test, files)?);
    let combinations =
        if flag(&options, "disableVarExpansion", place)? { vec![vars] } else { combinations(&vars, place)? };
    if cases.len() + combinations.len() > MOST {
        return Err(Problem::new(place, format!("more than {MOST} cases")));
    }
    for mut vars in combinations {
        for (name, value) in &mut vars {
            if let Value::String(reference) = value
                && reference.starts_with("file://")
            {
                *value =
                    Value::String(var_file(reference, files, &keys::at(place, &format!("vars.{name}")))?);
            }
        }
        cases.push(Case { vars, ..case.clone() });
    }
    Ok(())
}

fn options_of(test: &Test) -> Result<Map<String, Value>, Problem> {
    match test.map.get("options") {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(options)) => Ok(options.clone()),
        Some(_) => Err(Problem::new(&test.place, "options is a map")),
    }
}

fn vars_of(test: &Test, files: &Files) -> Result<Map<String, Value>, Problem> {
    let place = keys::at(&test.place, "vars");
    match test.map.get("vars") {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(vars)) => Ok(vars.clone()),
        Some(Value::String(reference)) => vars_in(reference, files, &place),
        Some(Value::Array(references)) => {
            let mut vars = Map::new();
            for reference in references {
                let reference =
                    reference.as_str().ok_or_else(|| Problem::new(&place, "vars is a list of files"))?;
                vars.extend(vars_in(reference, files, &place)?);
            }
            Ok(vars)
        }
        Some(_) => Err(Problem::new(place, "vars is a map, or a file with one")),
    }
}

/// The vars of a file.
fn vars_in(reference: &str, files: &Files, place: &str) -> Result<Map<String, Value>, Problem> {
    match yaml::parse(&files.read(reference, place)?, &keys::at(place, reference))? {
        Value::Object(vars) => Ok(vars),
        _ => Err(Problem::new(place, format!("{reference} holds no map"))),
    }
}

/// The text of a file that a var names.
fn var_file(reference: &str, files: &Files, place: &str) -> Result<String, Problem> {
    match reference.rsplit_once('.').map(|(_, extension)| extension) {
        Some("txt" | "md" | "json" | "jsonl" | "csv" | "xml" | "html") => {
            Ok(files.read(reference, place)?.trim().to_owned())
        }
        Some("yaml" | "yml") => Ok(yaml::parse(&files.read(reference, place)?, place)?.to_string()),
        _ => Err(Problem::new(
            place,
            format!("{reference}: only files of text, JSON and YAML are read into vars"),
        )),
    }
}

/// Every combination of the values of vars that are lists of texts. A list of anything else is one value.
fn combinations(vars: &Map<String, Value>, place: &str) -> Result<Vec<Map<String, Value>>, Problem> {
    let mut combinations = vec![Map::new()];
    for (name, value) in vars {
        let values = match value {
            Value::Array(values) if values.first().is_some_and(Value::is_string) => values.as_slice(),
            other => std::slice::from_ref(other),
        };
        if combinations.len().saturating_mul(values.len()) > MOST {
            return Err(Problem::new(place, format!("its vars have more than {MOST} combinations")));
        }
        combinations = combinations
            .iter()
            .flat_map(|combination| {
                values.iter().map(move |value| {
                    let mut longer = combination.clone();
                    longer.insert(name.clone(), value.clone());
                    longer
                })
            })
            .collect();
    }
    Ok(combinations)
}

fn prompts_of(
    written: Option<&Value>,
    prompts: &[Prompt],
    place: &str,
) -> Result<Option<Vec<String>>, Problem> {
    let labels: Vec<String> = match written {
        None | Some(Value::Null) => return Ok(None),
        Some(Value::String(label)) => vec![label.clone()],
        Some(Value::Array(labels)) => labels.iter().map(crate::js_text::text).collect(),
        Some(_) => return Err(Problem::new(place, "prompts names prompts of this file by their label")),
    };
    match labels.iter().find(|label| !prompts.iter().any(|prompt| prompt.label == **label)) {
        Some(unknown) => Err(Problem::new(place, format!("prompts: no prompt has the label {unknown:?}"))),
        None => Ok(Some(labels)),
    }
}

fn flag(options: &Map<String, Value>, key: &str, place: &str) -> Result<bool, Problem> {
    match options.get(key) {
        None | Some(Value::Null) => Ok(false),
        Some(Value::Bool(flag)) => Ok(*flag),
        Some(_) => Err(Problem::new(place, format!("options.{key} is true or false"))),
    }
}

/// A number of times.
pub fn count(value: &Value, place: &str, key: &str) -> Result<u32, Problem> {
    match value.as_u64().and_then(|count| u32::try_from(count).ok()) {
        Some(count @ 1..=1000) => Ok(count),
        _ => Err(Problem::new(place, format!("{key} is a whole number from 1 to 1000"))),
    }
}
