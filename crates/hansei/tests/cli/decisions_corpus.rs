//! `hansei decisions check` over a corpus of changes and plans, kept and not kept: how often it is right.
//!
//! `tests/decisions/*.cases` holds them. A case begins with `@case` and its name; `@base` and `@change` give files, `@delete`
//! takes one away, `@plan` gives a plan; each `@expect` names a kind of violation and the file it is found in. One without
//! `@expect` breaks nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::support::{Ran, World};

#[derive(Debug, Default)]
struct Case {
    name: String,
    base: BTreeMap<String, String>,
    /// None for a file that goes.
    change: BTreeMap<String, Option<String>>,
    plan: Option<String>,
    expected: BTreeSet<(String, String)>,
}

/// Where the lines of a case go.
enum Into {
    Nothing,
    Base(String),
    Change(String),
    Plan,
}

fn cases() -> Vec<Case> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/decisions");
    let mut files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| read(&std::fs::read_to_string(file).unwrap())).collect()
}

fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut into = Into::Nothing;
    for line in text.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        if word == "@case" {
            cases.push(Case { name: rest.to_owned(), ..Case::default() });
            into = Into::Nothing;
            continue;
        }
        let Some(case) = cases.last_mut() else { panic!("no case begins: {line}") };
        match word {
            "@base" => into = Into::Base(rest.to_owned()),
            "@change" => into = Into::Change(rest.to_owned()),
            "@plan" if rest.is_empty() => into = Into::Plan,
            "@delete" => {
                case.change.insert(rest.to_owned(), None);
                into = Into::Nothing;
            }
            "@expect" => {
                let (kind, file) = rest.split_once(' ').unwrap();
                case.expected.insert((kind.to_owned(), file.to_owned()));
                into = Into::Nothing;
            }
            _ => {
                let text = match &into {
                    Into::Nothing => continue,
                    Into::Base(file) => case.base.entry(file.clone()).or_default(),
                    Into::Change(file) => case
                        .change
                        .entry(file.clone())
                        .or_insert_with(|| Some(String::new()))
                        .as_mut()
                        .unwrap(),
                    Into::Plan => case.plan.get_or_insert_default(),
                };
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    cases
}

/// What is found, as pairs of a kind and a file.
fn found(case: &Case) -> BTreeSet<(String, String)> {
    let world = World::without_commit();
    for (file, text) in &case.base {
        world.write(file, text);
    }
    world.commit("Before");
    for (file, text) in &case.change {
        match text {
            Some(text) => drop(world.write(file, text)),
            None => std::fs::remove_file(world.path(file)).unwrap(),
        }
    }
    let mut command = world.hansei();
    command.args(["decisions", "check", "--json"]);
    let ran = match &case.plan {
        Some(plan) => Ran::of(command.args(["--plan", "-"]), plan.as_bytes()),
        None => Ran::of(&mut command, b""),
    };
    let report = ran.json();
    let violations = report["violations"].as_array().unwrap();
    assert_eq!(ran.code, i32::from(!violations.is_empty()), "{}: {report}", case.name);
    let pair = |one: &Value| {
        let file = if case.plan.is_some() { "plan" } else { one["file"].as_str().unwrap() };
        (one["kind"].as_str().unwrap().to_owned(), file.to_owned())
    };
    violations.iter().map(pair).collect()
}

#[test]
fn precision_and_recall_over_changes_and_plans() {
    let cases = cases();
    let broken = cases.iter().filter(|case| !case.expected.is_empty()).count();
    let kept = cases.len() - broken;
    assert!(broken >= 40 && kept >= 40, "{broken} that break a decision, {kept} that do not");
    let (mut right, mut false_alarms, mut missed) = (0.0, 0.0, 0.0);
    let mut wrong = Vec::new();
    let found = std::thread::scope(|scope| {
        let shares: Vec<_> = cases.chunks(cases.len().div_ceil(4)).collect();
        let looks: Vec<_> = shares
            .into_iter()
            .map(|share| scope.spawn(move || share.iter().map(found).collect::<Vec<_>>()))
            .collect();
        looks.into_iter().flat_map(|look| look.join().unwrap()).collect::<Vec<_>>()
    });
    for (case, found) in cases.iter().zip(found) {
        match (case.expected.is_empty(), found.is_empty()) {
            (false, false) => right += 1.0,
            (true, false) => false_alarms += 1.0,
            (false, true) => missed += 1.0,
            (true, true) => {}
        }
        if found != case.expected {
            wrong.push(format!("{}: expected {:?}, found {found:?}", case.name, case.expected));
        }
    }
    let (precision, recall) = (right / (right + false_alarms), right / (right + missed));
    let told = format!(
        "{broken} changes and plans that break a decision, {kept} that do not: precision {precision:.3}, recall {recall:.3}\n{}",
        wrong.join("\n")
    );
    println!("{told}");
    assert!(precision >= 0.9 && recall >= 0.9, "{told}");
}
