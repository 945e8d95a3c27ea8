//! Assertions as a file writes them, read once: which kind, of what, with which weight.

use serde_json::{Map, Value};

use super::keys;
use super::provider_entry::{ProviderEntry, entry_of};
use crate::files::Files;
use crate::script::ScriptFile;
use crate::{Problem, template, yaml};

/// What must hold of an answer.
#[derive(Debug, Clone, PartialEq)]
pub enum Check {
    /// One thing.
    One(Box<Assertion>),
    /// Several, with a score of their own.
    Set(AssertionSet),
}

/// Several assertions with a score of their own.
#[derive(Debug, Clone, PartialEq)]
pub struct AssertionSet {
    /// What must hold.
    pub assertions: Vec<Assertion>,
    /// The score from which it passes, instead of every single one.
    pub threshold: Option<f64>,
    /// How much it counts.
    pub weight: f64,
    /// What its score is called.
    pub metric: Option<String>,
}

/// Whether capital letters matter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Letters {
    /// They do.
    Exact,
    /// They do not.
    AnyCase,
}

/// The kinds of assertions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// The answer is this.
    Equals,
    /// It contains this.
    Contains(Letters),
    /// It contains one of these.
    ContainsAny(Letters),
    /// It contains all of these.
    ContainsAll(Letters),
    /// It begins with this.
    StartsWith,
    /// A pattern matches in it.
    Regex,
    /// It is JSON, and of this schema.
    IsJson,
    /// JSON is in it, and of this schema.
    ContainsJson,
    /// A script says so.
    JavaScript,
    /// A model says so.
    LlmRubric,
}

const KINDS: &[(&str, Kind)] = &[
    ("equals", Kind::Equals),
    ("contains", Kind::Contains(Letters::Exact)),
    ("icontains", Kind::Contains(Letters::AnyCase)),
    ("contains-any", Kind::ContainsAny(Letters::Exact)),
    ("icontains-any", Kind::ContainsAny(Letters::AnyCase)),
    ("contains-all", Kind::ContainsAll(Letters::Exact)),
    ("icontains-all", Kind::ContainsAll(Letters::AnyCase)),
    ("starts-with", Kind::StartsWith),
    ("regex", Kind::Regex),
    ("is-json", Kind::IsJson),
    ("contains-json", Kind::ContainsJson),
    ("javascript", Kind::JavaScript),
    ("llm-rubric", Kind::LlmRubric),
];

/// One assertion.
#[derive(Debug, Clone, PartialEq)]
pub struct Assertion {
    /// Its kind.
    pub kind: Kind,
    /// Whether it must not hold.
    pub inverse: bool,
    /// What it compares with.
    pub value: Given,
    /// The file whose function decides.
    pub script: Option<ScriptFile>,
    /// The score from which it passes.
    pub threshold: Option<f64>,
    /// How much it counts; what counts nothing passes always.
    pub weight: f64,
    /// What its score is called.
    pub metric: Option<String>,
    /// What is done to the answer first.
    pub transform: Option<Transform>,
    /// Who grades.
    pub grader: Option<ProviderEntry>,
    /// How the grader is asked.
    pub rubric_prompt: Option<String>,
    /// What scripts read as `context.config`.
    pub config: Value,
    /// As it stands in the file.
    pub written: Value,
}

/// What an assertion compares with.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    /// A value as it stands; so is what a file holds.
    Literal(Value),
    /// A text with vars in it.
    Template(String),
    /// Several.
    List(Vec<Given>),
}

/// A script that makes something else of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transform {
    /// An expression, or the body of a function on several lines.
    Code(String),
    /// A file that exports a function.
    File(ScriptFile),
}

impl Transform {
    /// One that stands in the file itself.
    pub fn inline(written: &Value, place: &str) -> Result<Self, Problem> {
        match written {
            Value::String(code) if !code.starts_with("file://") => Ok(Self::Code(code.clone())),
            _ => Err(Problem::new(place, "transform is JavaScript, as a text")),
        }
    }

    /// One that may stand in a file of its own.
    pub fn of(written: &Value, files: &Files, place: &str) -> Result<Self, Problem> {
        match written.as_str().filter(|text| text.starts_with("file://")) {
            Some(reference) => script(reference, files, place).map(Self::File),
            None => Self::inline(written, place),
        }
    }
}

/// The assertions of a list; `place` is where it stands.
pub fn list(written: &Value, files: &Files, place: &str) -> Result<Vec<Check>, Problem> {
    let Value::Array(entries) = written else {
        return Err(Problem::new(place, "assert is a list"));
    };
    entries
        .iter()
        .enumerate()
        .map(|(number, entry)| {
            let place = format!("{place}[{number}]");
            match entry {
                Value::Object(map) if map.get("type").and_then(Value::as_str) == Some("assert-set") => {
                    set(map, files, &place).map(Check::Set)
                }
                other => one(other, files, &place).map(|assertion| Check::One(Box::new(assertion))),
            }
        })
        .collect()
}

fn set(map: &Map<String, Value>, files: &Files, place: &str) -> Result<AssertionSet, Problem> {
    keys::check(map, keys::ASSERTION_SET, place, "")?;
    let Some(Value::Array(entries)) = map.get("assert") else {
        return Err(Problem::new(place, "an assert-set has a list assert"));
    };
    let assertions = entries
        .iter()
        .enumerate()
        .map(|(number, entry)| one(entry, files, &format!("{place}.assert[{number}]")));
    Ok(AssertionSet {
        assertions: assertions.collect::<Result<_, _>>()?,
        threshold: number(map, "threshold", place)?,
        weight: number(map, "weight", place)?.unwrap_or(1.0),
        metric: metric(map, place)?,
    })
}

/// One assertion.
pub fn one(written: &Value, files: &Files, place: &str) -> Result<Assertion, Problem> {
    let Value::Object(map) = written else {
        return Err(Problem::new(place, "an assertion is a map with a type"));
    };
    let Some(name) = map.get("type").and_then(Value::as_str) else {
        return Err(Problem::new(place, "an assertion has a type"));
    };
    let (kind, inverse) = kind_of(name)
        .ok_or_else(|| Problem::new(place, format!("the assertion type {name:?} is not supported")))?;
    keys::check(map, keys::ASSERTION, place, "")?;
    let given = map.get("value").cloned().unwrap_or_default();
    let (value, script) = value_of(given, kind, files, place)?;
    let rubric_prompt = map.get("rubricPrompt").map(|prompt| rubric(prompt, files, place)).transpose()?;
    let grader =
        map.get("provider").map(|entry| entry_of(entry, &format!("{place}.provider"))).transpose()?;
    if kind != Kind::LlmRubric && (rubric_prompt.is_some() || grader.is_some()) {
        return Err(Problem::new(
            place,
            format!("{name} has no grader; provider and rubricPrompt are for llm-rubric"),
        ));
    }
    let assertion = Assertion {
        kind,
        inverse,
        value,
        script,
        threshold: number(map, "threshold", place)?,
        weight: number(map, "weight", place)?.unwrap_or(1.0),
        metric: metric(map, place)?,
        transform: map.get("transform").map(|code| Transform::of(code, files, place)).transpose()?,
        grader,
        rubric_prompt,
        config: map.get("config").cloned().unwrap_or_default(),
        written: written.clone(),
    };
    assertion.check_value(name, place)?;
    Ok(assertion)
}

/// The kind that a name means, and whether it is turned round.
pub fn kind_of(name: &str) -> Option<(Kind, bool)> {
    let (base, inverse) = name.strip_prefix("not-").map_or((name, false), |base| (base, true));
    KINDS.iter().find(|(known, _)| *known == base).map(|(_, kind)| (*kind, inverse))
}

impl Assertion {
    /// A value that could never be compared with is an error of the file, not of the answer.
    fn check_value(&self, name: &str, place: &str) -> Result<(), Problem> {
        let (text, list, number, object, none) = match &self.value {
            Given::Template(text) | Given::Literal(Value::String(text)) => {
                (!text.is_empty(), false, false, false, text.is_empty())
            }
            Given::List(_) | Given::Literal(Value::Array(_)) => (false, true, false, false, false),
            Given::Literal(Value::Number(_)) => (false, false, true, false, false),
            Given::Literal(Value::Object(_)) => (false, false, false, true, false),
            Given::Literal(Value::Null) => (false, false, false, false, true),
            Given::Literal(Value::Bool(_)) => (false, false, false, false, false),
        };
        let (fits, what) = match self.kind {
            Kind::Equals => (true, ""),
            Kind::Contains(_) => (text || number, "a text or a number"),
            Kind::ContainsAny(_) | Kind::ContainsAll(_) => (text || list, "a list, or a text with commas"),
            Kind::StartsWith | Kind::Regex => (text, "a text"),
            Kind::JavaScript => (text || self.script.is_some(), "JavaScript"),
            Kind::IsJson | Kind::ContainsJson => (text || object || none, "a JSON schema, or none"),
            Kind::LlmRubric => (text || object || self.rubric_prompt.is_some(), "a rubric"),
        };
        if fits { Ok(()) } else { Err(Problem::new(place, format!("{name} has a value: {what}"))) }
    }
}

/// The value, with files read; a script is kept apart.
fn value_of(
    given: Value,
    kind: Kind,
    files: &Files,
    place: &str,
) -> Result<(Given, Option<ScriptFile>), Problem> {
    if let Value::String(text) = &given
        && text.starts_with("file://")
        && (kind == Kind::JavaScript || is_script(text))
    {
        if kind != Kind::JavaScript {
            return Err(Problem::new(place, format!("{text}: only javascript takes a script as its value")));
        }
        return Ok((Given::Literal(Value::Null), Some(script(text, files, place)?)));
    }
    given_of(given, files, place).map(|given| (given, None))
}

fn given_of(given: Value, files: &Files, place: &str) -> Result<Given, Problem> {
    match given {
        Value::String(text) if text.starts_with("file://") => {
            content(&text, files, place).map(Given::Literal)
        }
        Value::String(text) => {
            template::check(&text).map_err(|error| Problem::new(place, error))?;
            Ok(Given::Template(text))
        }
        Value::Array(items) if items.iter().any(Value::is_string) => {
            let items = items.into_iter().map(|item| match item {
                Value::String(_) => given_of(item, files, place),
                other => Ok(Given::Literal(other)),
            });
            items.collect::<Result<_, _>>().map(Given::List)
        }
        other => Ok(Given::Literal(other)),
    }
}

/// Whether a reference, with or without a function, names a script.
fn is_script(reference: &str) -> bool {
    let name = reference.trim_start_matches("file://");
    let name = name.rsplit_once(':').map_or(name, |(name, _)| name);
    [".js", ".cjs", ".mjs"].iter().any(|end| name.ends_with(end))
}

/// What a file holds: a value where it is JSON or YAML, else its text.
fn content(reference: &str, files: &Files, place: &str) -> Result<Value, Problem> {
    let text = files.read(reference, place)?;
    match reference.rsplit_once('.').map(|(_, extension)| extension) {
        Some("json") => {
            serde_json::from_str(&text).map_err(|error| Problem::new(place, format!("{reference}: {error}")))
        }
        Some("yaml" | "yml") => yaml::parse(&text, &keys::at(place, reference)),
        Some("txt") => Ok(Value::String(text.trim().to_owned())),
        _ => {
            Err(Problem::new(place, format!("{reference}: only js, json, yaml and txt are read as a value")))
        }
    }
}

/// The script that `file://name.js` or `file://name.js:function` names.
fn script(reference: &str, files: &Files, place: &str) -> Result<ScriptFile, Problem> {
    let name = reference.trim_start_matches("file://");
    let (name, function) = match name.rsplit_once(':') {
        Some((name, function)) => (name, Some(function.to_owned())),
        None => (name, None),
    };
    if !is_script(reference) {
        return Err(Problem::new(place, format!("{reference}: only JavaScript is run")));
    }
    Ok(ScriptFile { source: files.read(name, place)?, function })
}

/// How a grader is asked: a template, or messages.
pub fn rubric(written: &Value, files: &Files, place: &str) -> Result<String, Problem> {
    let text = match written {
        Value::String(text) if text.starts_with("file://") => match content(text, files, place)? {
            Value::String(text) => text,
            value => value.to_string(),
        },
        Value::String(text) => text.clone(),
        Value::Array(_) | Value::Object(_) => written.to_string(),
        _ => return Err(Problem::new(place, "rubricPrompt is a text or a list of messages")),
    };
    template::check_prompt(&text).map_err(|error| Problem::new(place, error))?;
    Ok(text)
}

fn metric(map: &Map<String, Value>, place: &str) -> Result<Option<String>, Problem> {
    match map.get("metric") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(name)) => {
            template::check(name).map_err(|error| Problem::new(place, error))?;
            Ok(Some(name.clone()))
        }
        Some(_) => Err(Problem::new(place, "metric is a name")),
    }
}

/// A number under `key`, if there is one.
pub fn number(map: &Map<String, Value>, key: &str, place: &str) -> Result<Option<f64>, Problem> {
    match map.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(value) => match value.as_f64() {
            Some(number) if number.is_finite() && number >= 0.0 => Ok(Some(number)),
            _ => Err(Problem::new(place, format!("{key} is a number, 0 or more"))),
        },
    }
}
