//! Answers and their grades. The same assertions run through promptfoo in `scripts/compare-promptfoo`.

use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::{Grade, Graders, NoGrade, Subject, grade};
use crate::provider::{Answer, Provider, ProviderError};
use crate::suite::{OwnProviders, Suite};

/// The grade of `output` by `assertions` (YAML), in a case with the var `name` = `Ada`.
fn graded(assertions: &str, output: &str, graders: &Graders) -> Result<Grade, NoGrade> {
    graded_with(&format!("assert: {assertions}"), output, graders)
}

fn graded_with(test: &str, output: &str, graders: &Graders) -> Result<Grade, NoGrade> {
    let folder = tempfile::tempdir().unwrap();
    let file = format!("prompts: [p]\ntests:\n- vars: {{ name: Ada, n: 2 }}\n  {test}\n");
    std::fs::write(folder.path().join("e.yaml"), &file).unwrap();
    let suite = Suite::load("e.yaml".as_ref(), folder.path(), OwnProviders::Wanted);
    let suite = suite.unwrap_or_else(|problem| panic!("{problem}\n{file}"));
    let case = &suite.cases[0];
    let output = Value::from(output);
    let subject = Subject { output: &output, prompt: "the prompt", vars: &case.vars, provider: "echo", case };
    grade(&subject, graders)
}

#[test]
fn each_kind_holds_or_does_not_and_its_opposite_is_the_opposite() {
    for (kind, value, output, holds) in [
        ("equals", "abc", "abc", true),
        ("equals", "abc", "abcd", false),
        ("equals", "'{{ name }}!'", "Ada!", true),
        ("equals", "5", "5", true),
        ("equals", "1.0", "1", true),
        ("equals", "{ b: [1, 2], a: x }", r#"{"a":"x","b":[1.0,2]}"#, true),
        ("equals", "{ a: x }", r#"{"a":"x","b":1}"#, false),
        ("equals", "{ a: x }", "not json", false),
        ("contains", "bc", "abcd", true),
        ("contains", "BC", "abcd", false),
        ("contains", "42", "it is 42", true),
        ("contains", "'{{ name }}'", "I am Ada", true),
        ("icontains", "BC", "abcd", true),
        ("icontains", "straße", "STRASSE", false),
        ("contains-any", "[x, b]", "abc", true),
        ("contains-any", "[x, y]", "abc", false),
        ("contains-any", "'x, \"b, c\"'", "ab, cd", true),
        ("icontains-any", "[X, B]", "abc", true),
        ("contains-all", "[a, b]", "abc", true),
        ("contains-all", "[a, x]", "abc", false),
        ("contains-all", "['{{ name }}', 2]", "Ada 2", true),
        ("icontains-all", "'A, C'", "abc", true),
        ("starts-with", "ab", "abc", true),
        ("starts-with", "bc", "abc", false),
        ("regex", "'^a.c$'", "abc", true),
        ("regex", "'(?<!x)b'", "xb", false),
        ("regex", "'{{ name }}\\d+'", "Ada12", true),
        ("is-json", "", "{\"a\": 1}", true),
        ("is-json", "", "{a: 1}", false),
        ("is-json", "", "3", true),
        (
            "is-json",
            "{ type: object, required: [a], properties: { a: { type: string } } }",
            "{\"a\": \"x\"}",
            true,
        ),
        ("is-json", "{ type: object, required: [a] }", "{\"b\": 1}", false),
        ("is-json", "'{\"type\": \"array\"}'", "[]", true),
        ("is-json", "{ properties: { d: { format: date } } }", "{\"d\": \"soon\"}", false),
        ("contains-json", "", "so: {\"a\": 1}.", true),
        ("contains-json", "", "nothing", false),
        ("contains-json", "{ required: [b] }", "{\"a\": 1} {\"b\": 2}", true),
        ("contains-json", "{ required: [c] }", "{\"a\": 1} {\"b\": 2}", false),
        ("javascript", "output.length === 3", "abc", true),
        ("javascript", "'const n = context.vars.n; output.length > n'", "abc", true),
        ("javascript", "output.includes('{{ name }}')", "Ada", true),
        (
            "javascript",
            "\"if (output === 'x') {\\n return false\\n}\\nreturn context.prompt === 'the prompt'\"",
            "y",
            true,
        ),
        ("javascript", "output.length / 10", "abc", true),
        ("javascript", "'0'", "abc", false),
    ] {
        let value = if value.is_empty() { String::new() } else { format!(", value: {value}") };
        let check = |not: &str| {
            let assertions = if value.contains(": \"") || !value.contains("value: output") {
                format!("[{{ type: {not}{kind}{value} }}]")
            } else {
                // JavaScript has brackets and commas of its own.
                format!("[{{ type: {not}{kind}, value: \"{}\" }}]", &value[", value: ".len()..])
            };
            graded(&assertions, output, &Graders::default())
                .unwrap_or_else(|error| panic!("{kind} {value}: {error}"))
        };
        let (plain, inverse) = (check(""), check("not-"));
        assert_eq!(
            (plain.pass, inverse.pass),
            (holds, !holds),
            "{kind}{value} of {output}: {plain:?} {inverse:?}"
        );
        let failed = if holds { &inverse } else { &plain };
        assert!(!failed.reason.is_empty() && failed.reason != "Assertion passed");
    }
}

#[test]
fn scripts_give_scores_and_grades_of_their_own() {
    for (assertion, pass, score, reason) in [
        ("value: '0.4', threshold: 0.5", false, 0.4, "returned false"),
        ("value: '0.5', threshold: 0.5", true, 0.5, "All assertions passed"),
        ("value: \"({ pass: false, score: 0.2, reason: 'because' })\"", false, 0.2, "because"),
        ("value: \"({ pass: true, score: 0.9, reason: 'fine' })\"", true, 0.9, "All assertions passed"),
        ("value: \"({ pass: true })\"", false, 0.0, "must return"),
        ("value: \"'true'\"", false, 0.0, "must return"),
        ("value: 'undefined'", false, 0.0, "must return"),
        ("value: 'output.no.such'", false, 0.0, "threw error"),
        ("value: 'require(\"fs\")'", false, 0.0, "require is not defined"),
        ("value: 'context.config.x === 1', config: { x: 1 }", true, 1.0, "All assertions passed"),
        ("value: 'output === 3', transform: 'output.length'", true, 1.0, "All assertions passed"),
        ("value: 'Promise.resolve(true)'", true, 1.0, "All assertions passed"),
        ("value: 'NaN'", false, f64::NAN, "returned false"),
    ] {
        let grade =
            graded(&format!("[{{ type: javascript, {assertion} }}]"), "abc", &Graders::default()).unwrap();
        assert_eq!(grade.pass, pass, "{assertion}: {grade:?}");
        assert!(grade.reason.contains(reason), "{assertion}: {grade:?}");
        assert!(
            (grade.score - score).abs() < 1e-9 || (score.is_nan() && grade.score.is_nan()),
            "{assertion}"
        );
    }
    // A script that is broken fails, turned round or not.
    for code in ["output.no.such", "undefined", "while (true) {}"] {
        let grade =
            graded(&format!("[{{ type: not-javascript, value: '{code}' }}]"), "abc", &Graders::default());
        assert!(!grade.unwrap().pass, "{code}");
    }
}

#[test]
fn weights_thresholds_and_sets_make_one_grade() {
    let yes = "{ type: contains, value: a }";
    let no = "{ type: contains, value: x }";
    for (test, pass, score) in [
        (format!("assert: [{yes}, {no}]"), false, 0.5),
        (format!("threshold: 0.5\n  assert: [{yes}, {no}]"), true, 0.5),
        (format!("threshold: 0.6\n  assert: [{yes}, {no}]"), false, 0.5),
        (
            "assert: [{ type: contains, value: a, weight: 3 }, { type: contains, value: x }]".to_owned(),
            false,
            0.75,
        ),
        (
            "assert: [{ type: contains, value: a }, { type: contains, value: x, weight: 0 }]".to_owned(),
            true,
            1.0,
        ),
        (format!("assert: [{{ type: assert-set, threshold: 0.5, assert: [{yes}, {no}] }}]"), true, 0.5),
        (format!("assert: [{{ type: assert-set, assert: [{yes}, {no}] }}]"), false, 0.5),
        (
            format!(
                "assert: [{yes}, {{ type: assert-set, threshold: 0.5, weight: 3, assert: [{yes}, {no}] }}]"
            ),
            true,
            0.625,
        ),
        ("description: none".to_owned(), true, 1.0),
        ("assert: []".to_owned(), true, 1.0),
    ] {
        let grade = graded_with(&test, "abc", &Graders::default()).unwrap();
        assert!(grade.pass == pass && (grade.score - score).abs() < 1e-9, "{test}: {grade:?}");
    }
    let named = graded(
        "[{ type: contains, value: a, metric: 'm {{ name }}' }, { type: contains, value: x, metric: m Ada, weight: 3 }]",
        "abc",
        &Graders::default(),
    );
    assert_eq!(named.unwrap().named_scores, *json!({ "m Ada": 0.25 }).as_object().unwrap());
}

#[test]
fn what_cannot_be_graded_is_an_error_and_never_a_pass() {
    for (assertions, part) in [
        ("[{ type: contains, value: '{{ none }}' }]", "the value is empty"),
        ("[{ type: not-contains-any, value: '{{ none }}' }]", "the value is empty"),
        ("[{ type: contains, value: '{{ name.frob() }}' }]", "frob"),
        ("[{ type: is-json, value: { frobs: 1 } }]", "\"frobs\" is not known"),
        ("[{ type: is-json, value: { type: nonsense } }]", "cannot be used"),
        ("[{ type: is-json, value: { $ref: 'http://127.0.0.1/x' } }]", "cannot be used"),
        ("[{ type: contains, value: a, transform: 'output.no.such' }]", "transform"),
        ("[{ type: contains, value: a, transform: 'undefined' }]", "transform"),
    ] {
        let error = graded(assertions, "{}", &Graders::default()).unwrap_err();
        assert!(error.to_string().contains(part), "{assertions}: {error}");
    }
}

/// A grader that always says the same.
struct Says(Result<&'static str, ProviderError>);

impl Provider for Says {
    fn name(&self) -> String {
        "grader".to_owned()
    }

    fn answer(&self, prompt: &str, _: &Map<String, Value>) -> Result<Answer, ProviderError> {
        // The answer under test does not become a template, and cannot leave its place.
        assert!(prompt.contains("an {{ answer }}") && prompt.contains("Ada is polite"), "{prompt}");
        let messages: Value = serde_json::from_str(prompt).unwrap();
        assert_eq!(messages.as_array().unwrap().len(), 2);
        self.0.clone().map(|text| Answer::of(text.to_owned()))
    }
}

#[test]
fn a_rubric_is_graded_by_a_model_or_fails() {
    let failed = ProviderError::Failed("busy".to_owned());
    for (said, options, pass, score) in [
        (Ok(r#"{"pass": true, "score": 0.8, "reason": "r"}"#), "", true, 0.8),
        (Ok(r#"{"pass": true, "score": 0.8, "reason": "r"}"#), ", threshold: 0.9", false, 0.8),
        (Ok("I think: {\"pass\": false, \"score\": 0.1, \"reason\": \"r\"}"), "", false, 0.1),
        (Ok(r#"{"pass": "yes"}"#), "", true, 1.0),
        (Ok(r#"{"score": 0.7}"#), ", threshold: 0.5", true, 0.7),
        (Ok(r#"{"reason": "no idea"}"#), "", false, 0.0),
        (Ok("yes, it passes"), "", false, 0.0),
        (Err(failed.clone()), "", false, 0.0),
    ] {
        let graders = Graders { given: Some(Arc::new(Says(said.clone()))), ..Graders::default() };
        let check = |kind: &str| {
            graded(
                &format!("[{{ type: {kind}, value: '{{{{ name }}}} is polite'{options} }}]"),
                "an {{ answer }}",
                &graders,
            )
            .unwrap()
        };
        let grade = check("llm-rubric");
        assert!(grade.pass == pass && (grade.score - score).abs() < 1e-9, "{said:?}: {grade:?}");
        let a_grade = said.as_ref().is_ok_and(|said| said.contains("pass\"") || said.contains("score"));
        assert_eq!(check("not-llm-rubric").pass, a_grade && !pass, "{said:?}");
    }
    let missing = Graders {
        given: Some(Arc::new(Says(Err(ProviderError::Missing("no key".to_owned()))))),
        ..Graders::default()
    };
    let error = graded("[{ type: llm-rubric, value: Ada is polite }]", "an {{ answer }}", &missing);
    assert_eq!(error, Err(NoGrade::Missing("no key".to_owned())));
    let none = graded("[{ type: llm-rubric, value: x }]", "a", &Graders::default());
    assert!(matches!(none, Err(NoGrade::Missing(_))));
}
