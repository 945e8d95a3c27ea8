//! Runs the cases of eval files: every case with every prompt and every provider, a few at a time.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use regex::Regex;
use serde_json::Value;

use crate::Problem;
use crate::assertion::{Graders, NoGrade, Subject, grade, transformed};
use crate::provider::{Answer, Provider, ProviderError};
use crate::result::{CaseResult, Outcome};
use crate::suite::{Case, Check, Kind, Prompt, ProviderEntry, Suite, Transform};
use crate::template::{render_prompt, resolve};

/// How many are asked at a time.
const AT_A_TIME: usize = 4;

/// A provider, and what is done to its answers.
#[derive(Clone)]
pub struct Asked {
    /// Who is asked.
    pub provider: Arc<dyn Provider>,
    /// What it is called in results.
    pub label: String,
    /// What is done to its answers.
    pub transform: Option<Transform>,
}

/// What is to be run.
pub struct Plan {
    /// An eval file each, and who is asked in it.
    pub suites: Vec<(Suite, Vec<Asked>)>,
    /// Who grades.
    pub graders: Graders,
    /// How often each case is asked.
    pub repeat: Option<u32>,
    /// Which cases: those whose description or vars it finds.
    pub filter: Option<Regex>,
}

/// One thing to ask.
struct Step<'a> {
    suite: &'a Suite,
    case: &'a Case,
    prompt: (usize, &'a Prompt),
    asked: &'a Asked,
    test: usize,
}

/// Something that every case needs is missing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Missing(pub String);

/// The graders that a file names for its `llm-rubric`s, each once, and whether one has none.
pub fn graders_named(suite: &Suite) -> Result<BTreeMap<String, &ProviderEntry>, Problem> {
    let mut named = BTreeMap::new();
    for case in &suite.cases {
        let assertions = case.checks.iter().flat_map(|check| match check {
            Check::One(assertion) => std::slice::from_ref(&**assertion),
            Check::Set(set) => set.assertions.as_slice(),
        });
        for assertion in assertions.filter(|assertion| assertion.kind == Kind::LlmRubric) {
            match assertion.grader.as_ref().or(case.grader.as_ref()) {
                Some(entry) => drop(named.insert(entry.place.clone(), entry)),
                None => {
                    let case = case.description.as_deref().unwrap_or("a case");
                    let what = format!(
                        "{case:?} has an llm-rubric and nobody to grade it; give --grader P, or defaultTest.options.provider in the file"
                    );
                    return Err(Problem::new(&suite.file, what));
                }
            }
        }
    }
    Ok(named)
}

/// How many answers a plan asks for.
pub fn size(plan: &Plan) -> usize {
    steps(plan).len()
}

/// Runs a plan. `done` hears of each result as it comes, in any order; the results come in the order of the files. What
/// is missing for all ends the run.
pub fn run(plan: &Plan, done: &(dyn Fn(&CaseResult) + Sync)) -> Result<Vec<CaseResult>, Missing> {
    let steps = steps(plan);
    let next = AtomicUsize::new(0);
    let stopped = AtomicBool::new(false);
    let results: Mutex<Vec<(usize, CaseResult)>> = Mutex::new(Vec::with_capacity(steps.len()));
    let missing: Mutex<Option<Missing>> = Mutex::new(None);
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME.min(steps.len()) {
            scope.spawn(|| {
                while !stopped.load(Ordering::Relaxed) {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(step) = steps.get(number) else { break };
                    match step.take(&plan.graders) {
                        Ok(result) => {
                            done(&result);
                            results.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                        }
                        Err(what) => {
                            stopped.store(true, Ordering::Relaxed);
                            *missing.lock().unwrap_or_else(PoisonError::into_inner) = Some(what);
                        }
                    }
                }
            });
        }
    });
    if let Some(missing) = missing.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(missing);
    }
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(number, _)| *number);
    Ok(results.into_iter().map(|(_, result)| result).collect())
}

fn steps(plan: &Plan) -> Vec<Step<'_>> {
    let mut steps = Vec::new();
    for (suite, providers) in &plan.suites {
        let mut test = 0;
        for case in
            suite.cases.iter().filter(|case| plan.filter.as_ref().is_none_or(|filter| fits(case, filter)))
        {
            let repeat = plan.repeat.or(case.repeat).or(suite.repeat).unwrap_or(1);
            for _ in 0..repeat {
                for asked in providers {
                    for prompt in suite.prompts.iter().enumerate() {
                        if case.prompts.as_ref().is_none_or(|labels| labels.contains(&prompt.1.label)) {
                            steps.push(Step { suite, case, prompt, asked, test });
                        }
                    }
                }
                test += 1;
            }
        }
    }
    steps
}

/// Whether a filter finds a case: by its description, or by its vars where it has none.
fn fits(case: &Case, filter: &Regex) -> bool {
    match &case.description {
        Some(description) => filter.is_match(description),
        None => filter.is_match(&Value::Object(case.vars.clone()).to_string()),
    }
}

impl Step<'_> {
    fn take(&self, graders: &Graders) -> Result<CaseResult, Missing> {
        let (prompt_number, prompt) = self.prompt;
        let vars = resolve(&self.case.vars);
        let mut result = CaseResult {
            file: self.suite.file.clone(),
            test: self.test,
            prompt: prompt_number,
            description: self.case.description.clone(),
            asked: String::new(),
            prompt_label: prompt.label.clone(),
            provider: self.asked.label.clone(),
            outcome: Outcome::Error { what: String::new(), answer: None },
            latency: std::time::Duration::ZERO,
            vars,
        };
        let template = format!("{}{}{}", self.case.prefix, prompt.raw, self.case.suffix);
        match render_prompt(&template, &result.vars) {
            Ok(asked) => result.asked = asked,
            Err(error) => {
                let what = format!("prompt {:?}: {error}", prompt.label);
                result.outcome = Outcome::Error { what, answer: None };
                return Ok(result);
            }
        }
        let started = Instant::now();
        let answered = self.asked.provider.answer(&result.asked, &result.vars);
        result.latency = started.elapsed();
        let answer = match answered {
            Ok(answer) => answer,
            Err(ProviderError::Missing(what)) => return Err(Missing(what)),
            Err(ProviderError::Failed(what)) => {
                result.outcome = Outcome::Error { what, answer: None };
                return Ok(result);
            }
        };
        result.outcome = match self.graded(&answer, &result, graders) {
            Ok((output, grade)) => Outcome::Graded { answer, output, grade },
            Err(NoGrade::Missing(what)) => return Err(Missing(what)),
            Err(NoGrade::Case(what)) => Outcome::Error { what, answer: Some(answer) },
        };
        Ok(result)
    }

    fn graded(
        &self,
        answer: &Answer,
        result: &CaseResult,
        graders: &Graders,
    ) -> Result<(Value, crate::assertion::Grade), NoGrade> {
        let mut output = Value::String(answer.output.clone());
        for code in [&self.asked.transform, &self.case.transform].into_iter().flatten() {
            output = transformed(code, &output, &result.asked, &result.vars)?;
        }
        let subject = Subject {
            output: &output,
            prompt: &result.asked,
            vars: &result.vars,
            provider: &self.asked.label,
            case: self.case,
        };
        let grade = grade(&subject, graders)?;
        Ok((output, grade))
    }
}
