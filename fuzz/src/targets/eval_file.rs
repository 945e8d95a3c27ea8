//! Eval files: read, and run with the provider that answers with the prompt.

use std::path::Path;
use std::sync::Arc;

use hansei_eval::assertion::Graders;
use hansei_eval::provider::Echo;
use hansei_eval::run::{Asked, Plan, run, size};
use hansei_eval::suite::{OwnProviders, Suite};

use crate::{Target, corpus, scratch};

pub(crate) const TARGET: Target = Target { name: "eval_file", run: check, samples: corpus::none };

/// A file may ask for more than a fuzzer waits for.
const MOST: usize = 40;
/// What may take its whole two seconds.
const SLOW: [&str; 3] = ["javascript", "regex", "transform"];

fn check(bytes: &[u8]) {
    let folder = scratch::folder("eval_file");
    let file = folder.join("eval.yaml");
    scratch::write(&file, bytes);
    let load = |own| Suite::load(Path::new("eval.yaml"), &folder, own);
    if let Err(problem) = load(OwnProviders::Wanted) {
        assert!(problem.place.starts_with("eval.yaml"), "{problem}");
    }
    let Ok(suite) = load(OwnProviders::Replaced) else { return };
    assert!(!suite.prompts.is_empty() && !suite.cases.is_empty());
    let text = String::from_utf8_lossy(bytes);
    if SLOW.iter().any(|word| text.contains(word)) {
        return;
    }
    let echo = Asked { provider: Arc::new(Echo), label: "echo".to_owned(), transform: None };
    let plan = Plan {
        suites: vec![(suite, vec![echo])],
        graders: Graders::default(),
        repeat: Some(1),
        filter: None,
    };
    if size(&plan) > MOST {
        return;
    }
    let Ok(results) = run(&plan, &|_| ()) else { return };
    assert_eq!(results.len(), size(&plan));
    for result in &results {
        assert_eq!(result.success(), result.reason().is_empty());
        assert_eq!(result.json()["success"], result.success());
    }
}
