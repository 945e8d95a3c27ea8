//! Reads an opinion from what a model answered, which may be anything.

use serde_json::{Map, Value};

use super::Opinion;
use crate::model_text::{objects_with, one_line};
use crate::verdict::Severity;

/// The most of an answer that is looked at.
const LONGEST_ANSWER: usize = 64 * 1024;
/// About 250 tokens: what reaches the agent is short.
const LONGEST_FEEDBACK: usize = 1_000;
const LONGEST_ITEM: usize = 240;
const MOST_ITEMS: usize = 10;

/// An answer that is no opinion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadAnswer {
    /// Nothing, or only punctuation.
    #[error("the model answered nothing")]
    Empty,
    /// It refused.
    #[error("the model refused to answer")]
    Refused,
    /// No object with a verdict in it.
    #[error("the model's answer holds no verdict in JSON")]
    NoVerdict,
    /// A field is missing or not what it should be.
    #[error("the model's answer has no usable {field:?}")]
    WrongField {
        /// The field.
        field: &'static str,
    },
    /// It says two things at once.
    #[error("the model's answer contradicts itself: {how}")]
    Contradictory {
        /// How.
        how: &'static str,
    },
}

/// Reads an opinion. The object may stand alone, in a code fence, in prose, or inside another object.
pub fn parse(answer: &str) -> Result<Opinion, BadAnswer> {
    let answer = &answer[..answer.floor_char_boundary(LONGEST_ANSWER)];
    if !answer.chars().any(char::is_alphanumeric) {
        return Err(BadAnswer::Empty);
    }
    let verdicts = objects_with(answer, "complete");
    let Some(last) = verdicts.last() else {
        return Err(if is_refusal(answer) { BadAnswer::Refused } else { BadAnswer::NoVerdict });
    };
    // A risk to security, data or production is heard, whatever stands beside it.
    if severity(last) == Some(Severity::Blocker) {
        return blocker(last.clone());
    }
    // A model that quotes a verdict from the session before giving its own would otherwise say both.
    if verdicts.iter().any(|verdict| verdict.get("complete") != last.get("complete")) {
        return Err(BadAnswer::Contradictory { how: "several verdicts that differ" });
    }
    let opinion = read(last)?;
    if opinion.complete && !opinion.missing.is_empty() {
        return Err(BadAnswer::Contradictory { how: "complete with something missing" });
    }
    Ok(opinion)
}

fn read(fields: &Map<String, Value>) -> Result<Opinion, BadAnswer> {
    let wrong = |field| BadAnswer::WrongField { field };
    let complete = fields.get("complete").and_then(Value::as_bool).ok_or(wrong("complete"))?;
    let requires_human_action = match fields.get("requires_human_action") {
        None | Some(Value::Null) => false,
        Some(value) => value.as_bool().ok_or(wrong("requires_human_action"))?,
    };
    let feedback = match fields.get("feedback") {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => one_line(text, LONGEST_FEEDBACK),
        Some(_) => return Err(wrong("feedback")),
    };
    let confidence = match fields.get("confidence") {
        None | Some(Value::Null) => 0.5,
        Some(value) => value.as_f64().filter(|sure| (0.0..=1.0).contains(sure)).ok_or(wrong("confidence"))?,
    };
    Ok(Opinion {
        complete,
        severity: severity(fields).ok_or(wrong("severity"))?,
        requires_human_action,
        feedback,
        missing: texts(fields, "missing")?,
        next_actions: texts(fields, "next_actions")?,
        confidence,
    })
}

fn severity(fields: &Map<String, Value>) -> Option<Severity> {
    let name = fields.get("severity")?.as_str()?;
    serde_json::from_value(Value::String(name.trim().to_ascii_uppercase())).ok()
}

/// A blocker is incomplete by what the word means. A field that cannot be used is left out, not the blocker.
fn blocker(mut fields: Map<String, Value>) -> Result<Opinion, BadAnswer> {
    fields.insert("complete".to_owned(), false.into());
    loop {
        match read(&fields) {
            Err(BadAnswer::WrongField { field }) if fields.remove(field).is_some() => {}
            read => return read,
        }
    }
}

fn texts(fields: &Map<String, Value>, field: &'static str) -> Result<Vec<String>, BadAnswer> {
    let items = match fields.get(field) {
        None | Some(Value::Null) => return Ok(Vec::new()),
        Some(Value::Array(items)) => items,
        Some(_) => return Err(BadAnswer::WrongField { field }),
    };
    let texts =
        items.iter().take(MOST_ITEMS).map(|item| item.as_str().map(|text| one_line(text, LONGEST_ITEM)));
    let texts: Option<Vec<String>> = texts.collect();
    let texts = texts.ok_or(BadAnswer::WrongField { field })?;
    Ok(texts.into_iter().filter(|text| !text.is_empty()).collect())
}

/// Whether prose without a verdict says no to the request itself. Only for the record: either way there is no opinion.
fn is_refusal(answer: &str) -> bool {
    let start: String =
        answer.trim_start().chars().take(160).collect::<String>().to_lowercase().replace('’', "'");
    let openings =
        ["i'm sorry", "i am sorry", "sorry,", "i can't", "i cannot", "i won't", "i'm unable", "i am unable"];
    openings.iter().any(|opening| start.starts_with(opening))
}

#[cfg(test)]
mod tests {
    use super::*;

    const NO: &str = r#"{"complete":false,"severity":"high","requires_human_action":false,"feedback":"Run the tests.","missing":["tests"],"next_actions":["cargo test"],"confidence":0.9}"#;

    #[test]
    fn opinions_are_found_where_models_put_them() {
        let expected = Opinion {
            complete: false,
            severity: Severity::High,
            requires_human_action: false,
            feedback: "Run the tests.".to_owned(),
            missing: vec!["tests".to_owned()],
            next_actions: vec!["cargo test".to_owned()],
            confidence: 0.9,
        };
        for answer in [
            NO.to_owned(),
            format!("\n\n  {NO}\n"),
            format!("```json\n{NO}\n```"),
            format!("Here is {{my}} verdict: {NO}. Good luck {{}}!"),
            format!(r#"{{"verdict": {NO}}}"#),
            format!("<think>is it {{complete}}?</think>{NO}"),
            format!("{NO}\n{NO}"),
        ] {
            assert_eq!(parse(&answer).as_ref(), Ok(&expected), "{answer}");
        }
        let short = parse(r#"{"complete": true, "severity": "NONE"}"#).unwrap();
        assert!(short.complete && short.missing.is_empty() && short.feedback.is_empty());
    }

    #[test]
    fn what_is_no_opinion_is_refused() {
        let wrong = |field| BadAnswer::WrongField { field };
        let differ = BadAnswer::Contradictory { how: "several verdicts that differ" };
        for (answer, expected) in [
            ("", BadAnswer::Empty),
            ("  \n", BadAnswer::Empty),
            (":", BadAnswer::Empty),
            ("{}", BadAnswer::Empty),
            ("I'm sorry, but I can't help with that.", BadAnswer::Refused),
            ("I cannot judge this session.", BadAnswer::Refused),
            ("The task is complete.", BadAnswer::NoVerdict),
            (r#"{"answer": 42}"#, BadAnswer::NoVerdict),
            (r#"{"complete": true, "severity""#, BadAnswer::NoVerdict),
            ("[true]", BadAnswer::NoVerdict),
            (r#"{"complete": "true", "severity": "NONE"}"#, wrong("complete")),
            (r#"{"complete": null, "severity": "NONE"}"#, wrong("complete")),
            (r#"{"complete": true}"#, wrong("severity")),
            (r#"{"complete": true, "severity": "FINE"}"#, wrong("severity")),
            (r#"{"complete": false, "severity": "LOW", "missing": "tests"}"#, wrong("missing")),
            (r#"{"complete": false, "severity": "LOW", "next_actions": [1]}"#, wrong("next_actions")),
            (r#"{"complete": false, "severity": "LOW", "feedback": []}"#, wrong("feedback")),
            (r#"{"complete": false, "severity": "LOW", "confidence": 90}"#, wrong("confidence")),
            (r#"{"complete": true, "severity": "NONE"} {"complete": false, "severity": "LOW"}"#, differ),
            (
                r#"{"complete": true, "severity": "LOW", "missing": ["docs"]}"#,
                BadAnswer::Contradictory { how: "complete with something missing" },
            ),
        ] {
            assert_eq!(parse(answer), Err(expected), "{answer}");
        }
    }

    #[test]
    fn a_blocker_is_incomplete_and_is_never_lost() {
        let asked = r#"{"complete":true,"severity":"NONE"}"#;
        for answer in [
            r#"{"complete": true, "severity": "BLOCKER", "feedback": "The key is in the file."}"#.to_owned(),
            r#"{"complete": false, "severity": "blocker", "feedback": "The key is in the file."}"#.to_owned(),
            r#"{"complete": "yes", "severity": "BLOCKER", "feedback": "The key is in the file.", "confidence": 95, "missing": "all"}"#.to_owned(),
            format!(r#"Not {asked} but {{"complete":true,"severity":"BLOCKER","feedback":"The key is in the file."}}"#),
        ] {
            let opinion = parse(&answer).unwrap();
            assert_eq!((opinion.complete, opinion.severity), (false, Severity::Blocker), "{answer}");
            assert_eq!(opinion.feedback, "The key is in the file.", "{answer}");
        }
        // A blocker that is only quoted, and no level at all, are as before.
        let quoted = format!(r#"{{"complete":false,"severity":"BLOCKER"}} is not so: {asked}"#);
        assert_eq!(parse(&quoted), Err(BadAnswer::Contradictory { how: "several verdicts that differ" }));
        assert!(parse(r#"{"complete": true, "severity": "HIGH"}"#).is_ok_and(|opinion| opinion.complete));
    }

    #[test]
    fn an_answer_of_any_size_stays_small() {
        let many = vec!["x".repeat(5_000); 50];
        let value = serde_json::json!({
            "complete": false, "severity": "LOW", "feedback": "a\u{1b}[31m b\n".repeat(300), "missing": many,
        });
        let opinion = parse(&value.to_string()[..]).map_err(|bad| bad.to_string());
        // Fifty items of that size are more than is read at all.
        assert_eq!(opinion, Err("the model's answer holds no verdict in JSON".to_owned()));
        let value = serde_json::json!({
            "complete": false, "severity": "LOW", "feedback": "a\u{1b}[31m b\n".repeat(300),
            "missing": vec!["x".repeat(500); 50],
        });
        let opinion = parse(&value.to_string()).unwrap();
        assert!(opinion.feedback.len() <= LONGEST_FEEDBACK && !opinion.feedback.contains(['\u{1b}', '\n']));
        assert!(
            opinion.missing.len() == MOST_ITEMS
                && opinion.missing.iter().all(|item| item.len() <= LONGEST_ITEM)
        );
        assert_eq!(parse(&"{".repeat(1_000_000)), Err(BadAnswer::Empty));
        assert_eq!(parse(&"{a".repeat(1_000_000)), Err(BadAnswer::NoVerdict));
    }
}
