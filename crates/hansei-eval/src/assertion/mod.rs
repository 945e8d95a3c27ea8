//! Grades: whether what a case asks for holds of an answer, with which score, and why not.

mod braces;
mod javascript;
mod json;
mod rubric;
mod text;

pub use rubric::Graders;

use serde_json::{Map, Value, json};

use crate::provider::ProviderError;
use crate::suite::{Assertion, AssertionSet, Case, Check, Given, Kind, Transform};
use crate::{js_text, script, template};

/// A grade.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grade {
    /// Whether it holds.
    pub pass: bool,
    /// From 0 to 1, unless a script says otherwise.
    pub score: f64,
    /// Why, in words.
    pub reason: String,
    /// The grades that it is made of.
    pub components: Vec<Grade>,
    /// Scores that have a name.
    pub named_scores: Map<String, Value>,
    /// The assertion as it stands in the file, for a single one.
    pub assertion: Option<Value>,
}

/// Why there is no grade.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoGrade {
    /// This case cannot be graded.
    #[error("{0}")]
    Case(String),
    /// Nothing of the kind can be: the grader is missing something.
    #[error("{0}")]
    Missing(String),
}

impl From<ProviderError> for NoGrade {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::Missing(what) => Self::Missing(what),
            ProviderError::Failed(what) => Self::Case(what),
        }
    }
}

impl From<template::TemplateError> for NoGrade {
    fn from(error: template::TemplateError) -> Self {
        Self::Case(error.to_string())
    }
}

/// An answer, and what it answers.
#[derive(Debug, Clone, Copy)]
pub struct Subject<'a> {
    /// The answer, after the case's transform.
    pub output: &'a Value,
    /// The rendered prompt.
    pub prompt: &'a str,
    /// The vars as they were used.
    pub vars: &'a Map<String, Value>,
    /// Who answered.
    pub provider: &'a str,
    /// The case.
    pub case: &'a Case,
}

/// What `code` makes of an answer.
pub fn transformed(
    code: &Transform,
    output: &Value,
    prompt: &str,
    vars: &Map<String, Value>,
) -> Result<Value, NoGrade> {
    let arguments = [output.clone(), json!({ "vars": vars, "prompt": { "label": prompt, "raw": prompt } })];
    let outcome = match code {
        Transform::Code(code) => {
            let body = if code.contains('\n') { code.clone() } else { format!("return {code}") };
            script::call_body(&body, &["output", "context"], &arguments)
        }
        Transform::File(file) => script::call_file(file, &arguments),
    };
    match outcome.map_err(|error| NoGrade::Case(format!("transform: {error}")))? {
        script::Outcome::Bool(flag) => Ok(flag.into()),
        script::Outcome::Number(number) => Ok(js_text::number_value(number)),
        script::Outcome::Json(Value::Null) | script::Outcome::Nothing(_) => {
            Err(NoGrade::Case("transform: it returned nothing".to_owned()))
        }
        script::Outcome::Json(value) => Ok(value),
    }
}

/// The grade of an answer in its case.
pub fn grade(subject: &Subject<'_>, graders: &Graders) -> Result<Grade, NoGrade> {
    if subject.case.checks.is_empty() {
        return Ok(Grade { pass: true, score: 1.0, reason: "No assertions".to_owned(), ..Grade::default() });
    }
    let mut sum = Sum::default();
    for check in &subject.case.checks {
        match check {
            Check::One(assertion) => {
                sum.add(
                    grade_one(assertion, subject, graders)?,
                    assertion.weight,
                    assertion.metric.as_deref(),
                    subject,
                )?;
            }
            Check::Set(set) => {
                sum.add(grade_set(set, subject, graders)?, set.weight, set.metric.as_deref(), subject)?;
            }
        }
    }
    Ok(sum.grade(subject.case.threshold))
}

fn grade_set(set: &AssertionSet, subject: &Subject<'_>, graders: &Graders) -> Result<Grade, NoGrade> {
    let mut sum = Sum::default();
    for assertion in &set.assertions {
        sum.add(
            grade_one(assertion, subject, graders)?,
            assertion.weight,
            assertion.metric.as_deref(),
            subject,
        )?;
    }
    Ok(sum.grade(set.threshold))
}

/// Grades that are added up.
#[derive(Default)]
struct Sum {
    score: f64,
    weight: f64,
    failed: Option<String>,
    parts: Vec<Grade>,
    named: Vec<(String, f64, f64)>,
}

impl Sum {
    fn add(
        &mut self,
        part: Grade,
        weight: f64,
        metric: Option<&str>,
        subject: &Subject<'_>,
    ) -> Result<(), NoGrade> {
        self.score += part.score * weight;
        self.weight += weight;
        if !part.pass && self.failed.is_none() {
            self.failed = Some(part.reason.clone());
        }
        if let Some(metric) = metric {
            self.name(template::render(metric, subject.vars)?, part.score, weight);
        }
        for (name, score) in &part.named_scores {
            self.name(name.clone(), score.as_f64().unwrap_or(f64::NAN), weight);
        }
        self.parts.push(part);
        Ok(())
    }

    fn name(&mut self, name: String, score: f64, weight: f64) {
        match self.named.iter_mut().find(|(known, ..)| *known == name) {
            Some((_, sum, weights)) => {
                *sum += score * weight;
                *weights += weight;
            }
            None => self.named.push((name, score * weight, weight)),
        }
    }

    fn grade(self, threshold: Option<f64>) -> Grade {
        let score = if self.weight > 0.0 { self.score / self.weight } else { 0.0 };
        let (pass, reason) = match (threshold, self.failed) {
            (Some(threshold), _) => {
                let pass = score >= threshold;
                let sign = if pass { "≥" } else { "<" };
                (pass, format!("Aggregate score {score:.2} {sign} {threshold} threshold"))
            }
            (None, Some(failed)) => (false, failed),
            (None, None) => (true, "All assertions passed".to_owned()),
        };
        let share = |sum: f64, weights: f64| if weights > 0.0 { sum / weights } else { 0.0 };
        let named_scores =
            self.named.into_iter().map(|(name, sum, weights)| (name, share(sum, weights).into())).collect();
        Grade { pass, score, reason, components: self.parts, named_scores, assertion: None }
    }
}

fn grade_one(assertion: &Assertion, subject: &Subject<'_>, graders: &Graders) -> Result<Grade, NoGrade> {
    let changed;
    let output = match &assertion.transform {
        None => subject.output,
        Some(code) => {
            changed = transformed(code, subject.output, subject.prompt, subject.vars)?;
            &changed
        }
    };
    let words = js_text::output_text(output);
    let value = rendered(&assertion.value, subject.vars)?;
    let mut grade = match assertion.kind {
        Kind::Equals => text::equals(&value, &words, assertion.inverse),
        Kind::Contains(letters) => text::contains(&value, &words, letters, assertion.inverse)?,
        Kind::ContainsAny(letters) => text::contains_any(&value, &words, letters, assertion.inverse)?,
        Kind::ContainsAll(letters) => text::contains_all(&value, &words, letters, assertion.inverse)?,
        Kind::StartsWith => text::starts_with(&value, &words, assertion.inverse)?,
        Kind::Regex => text::regex(&value, &words, assertion.inverse)?,
        Kind::IsJson => json::is_json(&value, &words, assertion.inverse)?,
        Kind::ContainsJson => json::contains_json(&value, &words, assertion.inverse)?,
        Kind::JavaScript => javascript::grade(assertion, &value, output, subject),
        Kind::LlmRubric => rubric::grade(assertion, &value, &words, subject, graders)?,
    };
    grade.assertion = Some(assertion.written.clone());
    if assertion.weight == 0.0 {
        grade.pass = true;
    }
    Ok(grade)
}

/// A value with its templates rendered.
fn rendered(given: &Given, vars: &Map<String, Value>) -> Result<Value, NoGrade> {
    Ok(match given {
        Given::Literal(value) => value.clone(),
        Given::Template(text) => template::render(text, vars)?.into(),
        Given::List(items) => {
            Value::Array(items.iter().map(|item| rendered(item, vars)).collect::<Result<_, _>>()?)
        }
    })
}

/// A grade of something that holds or does not.
fn verdict(pass: bool, otherwise: impl FnOnce() -> String) -> Grade {
    let reason = if pass { "Assertion passed".to_owned() } else { otherwise() };
    Grade { pass, score: f64::from(u8::from(pass)), reason, ..Grade::default() }
}

/// A long text as it is quoted in a reason.
fn quoted(text: &str) -> String {
    const MOST: usize = 400;
    if text.chars().count() <= MOST {
        return text.to_owned();
    }
    text.chars().take(MOST).chain(['…']).collect()
}

#[cfg(test)]
mod tests;
