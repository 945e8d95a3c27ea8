//! Two runs of the same cases: how often each passes, and whether the difference is more than luck.

use std::collections::BTreeMap;

use hansei_stats::paired::Discordant;
use hansei_stats::proportion::{Interval, wilson};
use serde_json::{Value, json};

/// How many passed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Rate {
    /// Those that passed.
    pub passed: u32,
    /// All.
    pub all: u32,
}

impl Rate {
    /// Counts.
    pub fn of(passed: impl Iterator<Item = bool>) -> Self {
        passed.fold(Self::default(), |rate, pass| Self {
            passed: rate.passed + u32::from(pass),
            all: rate.all + 1,
        })
    }

    /// The share that passed.
    pub fn share(self) -> f64 {
        if self.all == 0 { 0.0 } else { f64::from(self.passed) / f64::from(self.all) }
    }

    /// Between which shares the truth lies, with 95 %.
    pub fn interval(self) -> Interval {
        wilson(self.passed, self.all)
    }

    /// As JSON.
    pub fn json(self) -> Value {
        let interval = self.interval();
        json!({ "passed": self.passed, "all": self.all, "share": self.share(), "low": interval.low, "high": interval.high })
    }
}

/// Two runs, case by case.
#[derive(Debug, Clone, PartialEq)]
pub struct Comparison {
    /// How the first did on the cases that both have.
    pub first: Rate,
    /// How the second did.
    pub second: Rate,
    /// The cases in which they differ, and whether the first passed.
    pub differing: Vec<(CaseKey, bool)>,
    /// How many results of either have no partner.
    pub unpaired: (usize, usize),
}

/// What makes two results the same case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct CaseKey {
    /// What it is about.
    pub description: String,
    /// Its vars, as JSON.
    pub vars: String,
}

impl Comparison {
    /// Compares results that stand in the same order of cases for each key.
    pub fn of(first: &[(CaseKey, bool)], second: &[(CaseKey, bool)]) -> Self {
        let mut waiting: BTreeMap<&CaseKey, std::collections::VecDeque<bool>> = BTreeMap::new();
        for (key, pass) in second {
            waiting.entry(key).or_default().push_back(*pass);
        }
        let mut pairs = Vec::new();
        for (key, pass) in first {
            if let Some(other) = waiting.get_mut(key).and_then(std::collections::VecDeque::pop_front) {
                pairs.push((key, *pass, other));
            }
        }
        Self {
            first: Rate::of(pairs.iter().map(|(_, first, _)| *first)),
            second: Rate::of(pairs.iter().map(|(_, _, second)| *second)),
            differing: pairs
                .iter()
                .filter(|(_, first, second)| first != second)
                .map(|(key, first, _)| ((*key).clone(), *first))
                .collect(),
            unpaired: (first.len() - pairs.len(), second.len() - pairs.len()),
        }
    }

    /// The cases that only one of them passed.
    pub fn discordant(&self) -> Discordant {
        let first = self.differing.iter().filter(|(_, first)| *first).count();
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Discordant { first: count(first), second: count(self.differing.len() - first) }
    }

    /// As JSON.
    pub fn json(&self) -> Value {
        let split = self.discordant();
        json!({
            "first": self.first.json(),
            "second": self.second.json(),
            "only_first": split.first,
            "only_second": split.second,
            "p": split.exact_p(),
            "mid_p": split.mid_p(),
            "unpaired": [self.unpaired.0, self.unpaired.1],
            "differing": self.differing.iter().map(|(key, first)| json!({
                "description": key.description, "vars": key.vars, "passed_in": if *first { "first" } else { "second" },
            })).collect::<Vec<_>>(),
        })
    }
}

/// The results of a file in promptfoo's shape, by case. None if it is no such file.
pub fn results_of(run: &Value) -> Option<Vec<(CaseKey, bool)>> {
    let results = run["results"]["results"].as_array().or_else(|| run["results"].as_array())?;
    results.iter().map(|result| Some((key(result), result["success"].as_bool()?))).collect()
}

fn key(result: &Value) -> CaseKey {
    let description =
        ["/description", "/testCase/description"].iter().find_map(|way| result.pointer(way)?.as_str());
    let mut vars: BTreeMap<&String, &Value> = BTreeMap::new();
    vars.extend(result["vars"].as_object().into_iter().flatten());
    CaseKey { description: description.unwrap_or_default().to_owned(), vars: json!(vars).to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_paired_by_case_and_in_order() {
        let run = |results: &[(&str, i32, bool)]| {
            let results: Vec<Value> = results
                .iter()
                .map(|(description, n, success)| json!({ "description": description, "vars": { "n": n }, "success": success }))
                .collect();
            results_of(&json!({ "results": { "results": results } })).unwrap()
        };
        let first =
            run(&[("a", 1, true), ("a", 1, false), ("b", 1, true), ("b", 2, true), ("only", 1, true)]);
        let second =
            run(&[("b", 2, false), ("a", 1, true), ("a", 1, true), ("b", 1, true), ("other", 1, false)]);
        let compared = Comparison::of(&first, &second);
        assert_eq!(
            (compared.first, compared.second),
            (Rate { passed: 3, all: 4 }, Rate { passed: 3, all: 4 })
        );
        assert_eq!(compared.discordant(), Discordant { first: 1, second: 1 });
        assert_eq!(compared.unpaired, (1, 1));
        let names: Vec<&str> = compared.differing.iter().map(|(key, _)| key.description.as_str()).collect();
        assert_eq!(names, ["a", "b"]);
        assert_eq!(results_of(&json!({ "no": 1 })), None);
    }
}
