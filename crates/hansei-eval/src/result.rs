//! What came of a case, in the shape of promptfoo's results.

use std::time::Duration;

use serde_json::{Map, Value, json};

use crate::assertion::Grade;
use crate::provider::Answer;

/// What came of one case with one prompt and one provider.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseResult {
    /// The eval file.
    pub file: String,
    /// The case's place among those of its file, with repetitions.
    pub test: usize,
    /// The prompt's place in its file.
    pub prompt: usize,
    /// What the case is about.
    pub description: Option<String>,
    /// The vars as they were used.
    pub vars: Map<String, Value>,
    /// The prompt as it was asked.
    pub asked: String,
    /// What the prompt is called.
    pub prompt_label: String,
    /// Who was asked.
    pub provider: String,
    /// What came of it.
    pub outcome: Outcome,
    /// How long the answer took.
    pub latency: Duration,
}

/// What came of asking.
#[derive(Debug, Clone, PartialEq)]
pub enum Outcome {
    /// An answer and its grade.
    Graded {
        /// The answer.
        answer: Answer,
        /// The answer as it was graded.
        output: Value,
        /// Its grade.
        grade: Grade,
    },
    /// Neither: the prompt, the provider or an assertion is broken.
    Error {
        /// What happened.
        what: String,
        /// The answer, if there was one.
        answer: Option<Answer>,
    },
}

impl CaseResult {
    /// Whether the case passed.
    pub fn success(&self) -> bool {
        matches!(&self.outcome, Outcome::Graded { grade, .. } if grade.pass)
    }

    /// Whether it came to no grade.
    pub fn is_error(&self) -> bool {
        matches!(self.outcome, Outcome::Error { .. })
    }

    /// Why it did not pass; empty if it did.
    pub fn reason(&self) -> &str {
        match &self.outcome {
            Outcome::Graded { grade, .. } if grade.pass => "",
            Outcome::Graded { grade, .. } => &grade.reason,
            Outcome::Error { what, .. } => what,
        }
    }

    /// As promptfoo writes it.
    pub fn json(&self) -> Value {
        let mut value = json!({
            "success": self.success(),
            "score": 0.0,
            "description": self.description,
            "vars": self.vars,
            "prompt": { "raw": self.asked, "label": self.prompt_label },
            "promptIdx": self.prompt,
            "testIdx": self.test,
            "provider": { "id": self.provider },
            "latencyMs": u64::try_from(self.latency.as_millis()).unwrap_or(u64::MAX),
            "metadata": { "file": self.file },
        });
        let answer = match &self.outcome {
            Outcome::Graded { answer, output, grade } => {
                value["score"] = grade.score.into();
                value["failureReason"] = u8::from(!grade.pass).into();
                if !grade.pass {
                    value["error"] = grade.reason.clone().into();
                }
                value["gradingResult"] = grade_json(grade);
                value["namedScores"] = Value::Object(grade.named_scores.clone());
                value["response"] = json!({ "output": output });
                Some(answer)
            }
            Outcome::Error { what, answer } => {
                value["failureReason"] = 2.into();
                value["error"] = what.clone().into();
                value["gradingResult"] = Value::Null;
                value["response"] =
                    answer.as_ref().map_or(Value::Null, |answer| json!({ "output": answer.output }));
                answer.as_ref()
            }
        };
        if let Some((read, written)) = answer.and_then(|answer| answer.tokens) {
            value["response"]["tokenUsage"] =
                json!({ "prompt": read, "completion": written, "total": read + written });
        }
        if let Some(cost) = answer.and_then(|answer| answer.cost_usd) {
            value["cost"] = cost.into();
        }
        value
    }
}

fn grade_json(grade: &Grade) -> Value {
    let mut value = json!({ "pass": grade.pass, "score": grade.score, "reason": grade.reason });
    if !grade.named_scores.is_empty() {
        value["namedScores"] = Value::Object(grade.named_scores.clone());
    }
    if let Some(assertion) = &grade.assertion {
        value["assertion"] = assertion.clone();
    }
    if !grade.components.is_empty() {
        // A set is followed by what it is made of, on one level.
        let flat = grade.components.iter().flat_map(|part| {
            let inner = part.components.iter().map(grade_json);
            let mut part = grade_json(part);
            if let Some(part) = part.as_object_mut() {
                part.shift_remove("componentResults");
            }
            std::iter::once(part).chain(inner)
        });
        value["componentResults"] = flat.collect();
    }
    value
}

/// The whole of a run, as promptfoo writes it.
pub fn run_json(results: &[CaseResult], duration: Duration) -> Value {
    let count = |of: &dyn Fn(&CaseResult) -> bool| results.iter().filter(|one| of(one)).count();
    json!({
        "results": {
            "version": 3,
            "results": results.iter().map(CaseResult::json).collect::<Vec<_>>(),
            "stats": {
                "successes": count(&CaseResult::success),
                "failures": count(&|one| !one.success() && !one.is_error()),
                "errors": count(&CaseResult::is_error),
                "durationMs": u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
            },
        },
    })
}
