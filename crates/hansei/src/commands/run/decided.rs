//! The decisions of the repository, as one more check at the end of an attempt: no words of a model speak against it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

use hansei_core::decision_memory::Violation;
use hansei_core::verification::{CheckReport, Report, Source, Status, answer};
use hansei_workspace::broken_decisions::{Grown, NotLookedAt};
use hansei_workspace::changes::{self, Base};
use hansei_workspace::git::Git;

use crate::commands::decisions::violations_page;

/// What is run for it, should somebody ask.
const COMMAND: &str = "hansei decisions check";
/// A run waits, but not forever.
const PATIENCE: Duration = Duration::from_mins(2);

/// Holds what changed in `root` since `base` against the decisions of `base`, and adds to the report what it finds.
pub(super) fn held_against(root: &Path, base: Option<&str>, report: &mut Report) {
    let start = Instant::now();
    let Some(base) = base else { return };
    match violations(root, base) {
        Ok(found) if found.is_empty() => {}
        Ok(found) => {
            report.checks.push(CheckReport {
                command: COMMAND.to_owned(),
                folder: ".".to_owned(),
                source: Source::Detected,
                status: Status::Failed,
                exit_code: Some(1),
                failing_tests: found.iter().map(name).collect::<BTreeSet<_>>().into_iter().collect(),
                inherited: Vec::new(),
                output: violations_page(&found),
                why: "decisions are written down in this repository, and the work goes against them"
                    .to_owned(),
                install: None,
                milliseconds: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
            });
            (report.status, report.summary) = answer(&mut report.checks, &report.weakened);
        }
        Err(error) => report.notes.push(format!("the work was not held against the decisions here: {error}")),
    }
}

fn violations(root: &Path, base: &str) -> Result<Vec<Violation>, NotLookedAt> {
    let git = Git::new(root, Instant::now() + PATIENCE)?;
    let Some(base) = changes::resolve(&git, base)? else { return Ok(Vec::new()) };
    let mut changed = changes::since(&git, Base::Commit(&base))?.paths;
    changed.retain(|path| !path.starts_with(b".hansei/"));
    let grown = Grown { git: &git, root, base: &base, changed: &changed };
    grown.violations(&grown.decided_files(None)?)
}

fn name(violation: &Violation) -> String {
    format!("decision {} in {}:{}", violation.decision, violation.file, violation.line)
}
