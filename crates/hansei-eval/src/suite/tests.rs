//! Files and what is read out of them, or what is said to be wrong with them.

use serde_json::{Value, json};

use super::{Check, OwnProviders, Suite};

/// A folder with an eval file and others beside it.
fn load(file: &str, others: &[(&str, &str)]) -> Result<Suite, String> {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in others.iter().chain([&("eval.yaml", file)]) {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, content).unwrap();
    }
    Suite::load("eval.yaml".as_ref(), folder.path(), OwnProviders::Wanted)
        .map_err(|problem| problem.to_string())
}

fn vars(suite: &Suite) -> Vec<Value> {
    suite.cases.iter().map(|case| Value::Object(case.vars.clone())).collect()
}

#[test]
fn a_list_of_texts_makes_a_case_of_each() {
    let suite = load(
        "prompts: ['{{a}}{{b}}']\ntests:\n- vars: { a: [x, y], b: ['1', '2'], c: [1, 2], d: [] }\n- options: { disableVarExpansion: true }\n  vars: { a: [x, y] }\n",
        &[],
    )
    .unwrap();
    let c = |a: &str, b: &str| json!({ "a": a, "b": b, "c": [1, 2], "d": [] });
    assert_eq!(
        vars(&suite),
        [c("x", "1"), c("x", "2"), c("y", "1"), c("y", "2"), json!({ "a": ["x", "y"] })]
    );
}

#[test]
fn defaults_are_merged_as_promptfoo_does() {
    let suite = load(
        r"
prompts: [p]
defaultTest:
  vars: { a: default, b: default }
  threshold: 0.5
  options: { prefix: '<', suffix: '>', transform: output.trim() }
  assert: [{ type: contains, value: d }]
tests:
- description: own
  vars: { b: own }
  threshold: 0.9
  options: { prefix: '[' }
  assert: [{ type: equals, value: o }]
- options: { disableDefaultAsserts: true }
- {}
",
        &[],
    )
    .unwrap();
    assert_eq!(vars(&suite)[0], json!({ "a": "default", "b": "own" }));
    let kinds = |number: usize| -> Vec<Value> {
        let checks = &suite.cases[number].checks;
        checks
            .iter()
            .map(|check| match check {
                Check::One(assertion) => assertion.written["value"].clone(),
                Check::Set(_) => Value::Null,
            })
            .collect()
    };
    assert_eq!((kinds(0), kinds(1), kinds(2)), (vec![json!("d"), json!("o")], vec![], vec![json!("d")]));
    let thresholds: Vec<Option<f64>> = suite.cases.iter().map(|case| case.threshold).collect();
    assert_eq!(thresholds, [Some(0.9), Some(0.5), Some(0.5)]);
    let first = &suite.cases[0];
    assert_eq!((first.prefix.as_str(), first.suffix.as_str(), first.transform.is_some()), ("[", ">", true));
}

#[test]
fn files_are_read_into_prompts_vars_tests_and_values() {
    let suite = load(
        r"
prompts: [file://p/two.txt, file://p/chat.json, file://p/chat.yaml, 'plain {{a}}', { raw: 'labelled {{a}}', label: L }]
providers: [echo, { id: 'exec:cat', label: cat }, { 'openai:gpt-4o-mini': { config: { temperature: 0 } } }]
tests:
- vars: { a: file://v/a.txt, b: file://v/b.yaml }
  assert:
  - { type: javascript, value: 'file://check.js:good' }
  - { type: is-json, value: file://schema.json }
- file://more.yaml
- file://more.jsonl
- file://more.csv
defaultTest: file://default.yaml
x-anchors: &kept { k: v }
",
        &[
            ("p/two.txt", "one {{a}}\n---\ntwo {{a}}\n"),
            ("p/chat.json", "[ { \"role\": \"user\", \"content\": \"{{a}}\" } ]"),
            ("p/chat.yaml", "- role: user\n  content: '{{a}}'\n"),
            ("v/a.txt", "text\n\n"),
            ("v/b.yaml", "k: [1]\n"),
            ("check.js", "module.exports = { good: () => true }"),
            ("schema.json", "{\"type\": \"object\"}"),
            ("more.yaml", "- vars: { a: yaml }\n- vars: { a: yaml2 }\n"),
            ("more.jsonl", "{\"vars\":{\"a\":\"jsonl\"}}\n\n{\"vars\":{\"a\":\"jsonl2\"}}\n"),
            (
                "more.csv",
                "a,__expected,__expected2,__description,__threshold\ncsv,contains:x,\"not-contains-any:p,q\",row,0.5\ncsv2,plain text,,,\n",
            ),
            ("default.yaml", "vars: { z: 1 }\n"),
        ],
    )
    .unwrap();
    let prompts: Vec<(&str, &str)> =
        suite.prompts.iter().map(|prompt| (prompt.raw.as_str(), prompt.label.as_str())).collect();
    let chat = r#"[{"role":"user","content":"{{a}}"}]"#;
    assert_eq!(
        prompts,
        [
            ("one {{a}}", "p/two.txt: 1"),
            ("two {{a}}", "p/two.txt: 2"),
            (chat, "p/chat.json"),
            (chat, "p/chat.yaml"),
            ("plain {{a}}", "plain {{a}}"),
            ("labelled {{a}}", "L"),
        ]
    );
    let names: Vec<String> = suite.providers.iter().map(|entry| entry.name.to_string()).collect();
    assert_eq!(names, ["echo", "exec:cat", "openai/gpt-4o-mini"]);
    assert_eq!(vars(&suite)[0], json!({ "z": 1, "a": "text", "b": "{\"k\":[1]}" }));
    let a: Vec<Value> = suite.cases.iter().map(|case| case.vars["a"].clone()).collect();
    assert_eq!(a, ["text", "yaml", "yaml2", "jsonl", "jsonl2", "csv", "csv2"]);
    let row = &suite.cases[5];
    assert_eq!((row.description.as_deref(), row.threshold, row.checks.len()), (Some("row"), Some(0.5), 2));
    let Check::One(expected) = &suite.cases[6].checks[0] else { panic!() };
    assert_eq!(expected.written, json!({ "type": "equals", "value": "plain text" }));
}

#[test]
fn what_is_not_known_is_an_error_with_its_place() {
    let with = |test: &str| format!("prompts: ['p {{{{a}}}}']\ntests:\n- vars: {{ a: 1 }}\n- {test}\n");
    for (file, parts) in [
        (with("assert: [{ type: frobnicate, value: x }]"), &["tests[1]", "assert[0]", "\"frobnicate\""][..]),
        (with("assert: [{ type: not-frobnicate }]"), &["not-frobnicate"]),
        (with("assert: [{ type: python, value: 'True' }]"), &["python"]),
        (with("assert: [{ type: similar, value: x }]"), &["similar"]),
        (with("assert: [{ type: contains, value: x, colour: red }]"), &["assert[0]", "\"colour\""]),
        (with("assert: [{ type: contains, value: '{{ a | frob }}' }]"), &["assert[0]", "frob"]),
        (with("assert: [{ type: contains }]"), &["contains has a value"]),
        (with("assert: [{ type: regex, value: '' }]"), &["regex has a value"]),
        (with("assert: [{ type: assert-set, assert: [{ type: frob }] }]"), &["assert[0].assert[0]", "frob"]),
        (with("assert: [{ type: assert-set }]"), &["assert-set"]),
        (with("assert: [{ type: contains, value: x, weight: heavy }]"), &["weight is a number"]),
        (with("assert: { type: contains }"), &["assert is a list"]),
        (with("assert: [{ type: javascript, value: file://x.py }]"), &["only JavaScript"]),
        (
            with("assert: [{ type: is-json, value: file:///etc/hostname.json }]"),
            &["file:///etc/hostname.json"],
        ),
        (with("assertScoringFunction: file://x.js"), &["tests[1]", "assertScoringFunction"]),
        (with("options: { transformVars: x }"), &["options", "transformVars"]),
        (with("options: { storeOutputAs: x }"), &["storeOutputAs"]),
        (with("prompts: [other]"), &["no prompt has the label \"other\""]),
        (with("vars: { a: file://x.js }"), &["vars.a", "x.js"]),
        (with("file"), &["tests[1]"]),
        ("prompts: [p]\nscenarios: []\n".to_owned(), &["\"scenarios\" is not supported"]),
        ("prompts: [p]\nnunjucksFilters: {}\n".to_owned(), &["nunjucksFilters"]),
        ("prompts: [p]\nextensions: []\n".to_owned(), &["extensions"]),
        ("prompts: [p]\nenv: { A: b }\n".to_owned(), &["\"env\""]),
        (
            "prompts: [p]\nevaluateOptions: { generateSuggestions: true }\n".to_owned(),
            &["generateSuggestions"],
        ),
        ("prompts: [p]\nproviders: [python:x.py]\n".to_owned(), &["providers[0]", "python:x.py"]),
        ("prompts: [p]\nproviders: [{ id: echo, prompts: [a] }]\n".to_owned(), &["providers[0]", "prompts"]),
        ("prompts: ['{{ a | frob }}']\n".to_owned(), &["prompts[0]", "frob"]),
        ("prompts: ['{% frob %}']\n".to_owned(), &["prompts[0]", "frob"]),
        ("prompts: ['{{ env.SECRET }}']\n".to_owned(), &["prompts[0]", "env"]),
        ("prompts: ['look at a/b']\n".to_owned(), &["looks like a file"]),
        ("prompts: [file://none.txt]\n".to_owned(), &["file://none.txt cannot be read"]),
        ("prompts: [file://x.py]\n".to_owned(), &["x.py"]),
        ("prompts: []\n".to_owned(), &["no prompt"]),
        ("tests: []\n".to_owned(), &["no prompt"]),
        ("[]".to_owned(), &["map"]),
        ("prompts: [a\n".to_owned(), &["eval.yaml"]),
    ] {
        let problem = load(&file, &[]).unwrap_err();
        for part in parts.iter().chain([&"eval.yaml: "]) {
            assert!(problem.contains(part), "{part:?} is missing in {problem:?} for\n{file}");
        }
    }
}

#[test]
fn hostile_files_are_refused() {
    let list = format!("[{}]", vec!["x"; 200].join(", "));
    for file in [
        format!("prompts: [p]\ntests:\n- vars: {{ a: {list}, b: {list}, c: {list} }}\n"),
        "prompts: [p]\ntests: file://eval.yaml\n".to_owned(),
        "prompts: [p]\ntests: [file://self.yaml]\n".to_owned(),
    ] {
        assert!(load(&file, &[("self.yaml", "- file://self.yaml\n- file://self.yaml\n")]).is_err(), "{file}");
    }
}

#[test]
fn providers_that_are_replaced_need_not_be_known() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("e.yaml"),
        "prompts: [p]\nproviders: [file://own.py, { nonsense: 1 }]\n",
    )
    .unwrap();
    let load = |own| Suite::load("e.yaml".as_ref(), folder.path(), own);
    assert!(load(OwnProviders::Wanted).is_err());
    assert!(load(OwnProviders::Replaced).unwrap().providers.is_empty());
}
