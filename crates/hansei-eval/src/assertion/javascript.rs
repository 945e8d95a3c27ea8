//! Assertions that a script decides: with true or false, with a score, or with a grade of its own.

use serde_json::{Value, json};

use super::{Grade, Subject, quoted, verdict};
use crate::js_text;
use crate::script::{self, Outcome, ScriptError};
use crate::suite::Assertion;

/// The grade by a script. One that throws, or gives something that is no grade, fails either way.
pub fn grade(assertion: &Assertion, code: &Value, output: &Value, subject: &Subject<'_>) -> Grade {
    let code = js_text::text(code);
    let code = code.trim_end();
    let mut context = json!({
        "prompt": subject.prompt,
        "vars": subject.vars,
        "test": { "description": subject.case.description, "vars": subject.vars, "threshold": subject.case.threshold },
        "provider": { "id": subject.provider },
        "providerResponse": { "output": output },
    });
    if !assertion.config.is_null() {
        context["config"] = assertion.config.clone();
    }
    let arguments = [output.clone(), context];
    let outcome = match &assertion.script {
        Some(file) => script::call_file(file, &arguments),
        None => script::call_body(&body(code), &["output", "context", "process"], &arguments),
    };
    let written = if assertion.script.is_some() { "" } else { code };
    graded(outcome, assertion, written)
}

fn graded(outcome: Result<Outcome, ScriptError>, assertion: &Assertion, code: &str) -> Grade {
    let returned = |raw: bool| quoted(format!("Custom function returned {raw}\n{code}").trim_end());
    let inverse = assertion.inverse;
    match outcome {
        Err(error) => {
            verdict(false, || quoted(format!("Custom function threw error: {error}\n{code}").trim_end()))
        }
        Ok(Outcome::Bool(raw)) => verdict(raw != inverse, || returned(raw)),
        Ok(Outcome::Number(score)) => {
            let raw = assertion.threshold.map_or(score > 0.0, |threshold| score >= threshold);
            Grade { score, ..verdict(raw != inverse, || returned(raw)) }
        }
        Ok(Outcome::Json(value)) => {
            let (Some(raw), Some(score), Some(reason)) =
                (value["pass"].as_bool(), value["score"].as_f64(), value["reason"].as_str())
            else {
                return not_a_grade(&value.to_string());
            };
            let pass = raw != inverse;
            let named_scores = value["namedScores"].as_object().cloned().unwrap_or_default();
            if inverse {
                return Grade {
                    score,
                    named_scores,
                    ..verdict(pass, || format!("Custom function returned {raw}"))
                };
            }
            Grade { pass, score, reason: quoted(reason), named_scores, ..Grade::default() }
        }
        Ok(Outcome::Nothing(kind)) => not_a_grade(kind),
    }
}

fn not_a_grade(what: &str) -> Grade {
    verdict(false, || {
        quoted(&format!(
            "Custom function must return a boolean, number, or {{pass, score, reason}}. Got {what}"
        ))
    })
}

/// The body of a function from a script: itself on several lines, else an expression, which may follow declarations.
fn body(code: &str) -> String {
    if code.contains('\n') {
        return code.to_owned();
    }
    let code = code.trim().trim_end_matches(|c: char| c == ';' || c.is_whitespace());
    let declares = ["const", "let", "var"]
        .iter()
        .any(|word| code.strip_prefix(word).is_some_and(|rest| rest.starts_with(char::is_whitespace)));
    if !declares {
        return format!("return {code}");
    }
    match last_semicolon(code) {
        Some(at) if !code[at + 1..].trim().is_empty() => {
            format!("{} return {}", &code[..=at], code[at + 1..].trim())
        }
        _ => code.to_owned(),
    }
}

/// The last semicolon that stands in no string.
fn last_semicolon(code: &str) -> Option<usize> {
    let mut quote = None;
    let mut escaped = false;
    let mut last = None;
    for (at, c) in code.char_indices() {
        match quote {
            _ if escaped => escaped = false,
            _ if c == '\\' => escaped = true,
            Some(open) if c == open => quote = None,
            Some(_) => {}
            None if matches!(c, '\'' | '"' | '`') => quote = Some(c),
            None if c == ';' => last = Some(at),
            None => {}
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_is_made_of_an_expression() {
        for (code, expected) in [
            ("output === 'a'", "return output === 'a'"),
            ("output === 'a';  ", "return output === 'a'"),
            ("const s = 1; s > 0", "const s = 1; return s > 0"),
            ("let s = 'a;b'; s === 'a;b';", "let s = 'a;b'; return s === 'a;b'"),
            ("const s = 1;", "const s = 1"),
            ("constant > 1", "return constant > 1"),
            ("const a = 1;\nreturn a", "const a = 1;\nreturn a"),
        ] {
            assert_eq!(body(code), expected);
        }
    }
}
