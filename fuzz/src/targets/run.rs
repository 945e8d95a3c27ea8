//! A run's log, a model's plan and a team's template, whatever they say: a fold that asks for a step, a Spec that can be
//! written and read, and a team with an order.

use hansei_core::run::spec::{self, Spec};
use hansei_core::run::team::{BUILT_IN, Template, routed};
use hansei_core::run::{Run, RunLine, otlp, session_events};

use crate::{Target, corpus};

pub(crate) const LOG: Target = Target { name: "run_log", run: log, samples: corpus::none };
pub(crate) const SPEC: Target = Target { name: "run_spec", run: spec, samples: corpus::none };

pub(crate) const TEAM: Target = Target {
    name: "run_team",
    run: team,
    samples: || BUILT_IN.iter().map(|(_, text)| text.as_bytes().to_vec()).collect(),
};

fn log(bytes: &[u8]) {
    let lines: Vec<RunLine> =
        bytes.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    let Some(run) = Run::fold(lines.iter().map(|line| &line.event)) else { return };
    let _ = run.next(0);
    let _ = run.next(u64::MAX);
    // What is over asks for nothing more.
    if run.ended().is_some() {
        assert_eq!(run.next(0), hansei_core::run::Step::Nothing);
    }
    let _ = session_events(&lines);
    let _ = otlp(&lines);
    let written = serde_json::to_string(&run).unwrap();
    assert_eq!(serde_json::from_str::<Run>(&written).unwrap(), run);
}

fn spec(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Ok(read) = spec::read(&text) {
        assert!(!read.goal.is_empty() && !read.steps.is_empty());
        assert_eq!(spec::of_yaml(&read.yaml()), Ok(read), "what is written can be read");
    }
    assert!(!Spec::of_prose("task", &text).steps.is_empty());
}

fn team(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(routed) = routed(&text) {
        assert!(text.contains(routed.task));
    }
    if let Ok(template) = Template::of_yaml(&text) {
        let order = template.order().unwrap();
        assert_eq!(order.len(), template.roles.len());
        assert_eq!(template.clone().checked(), Ok(template));
    }
}
