//! What the change of a session does against the decisions of its repository, and to its checks. Nothing is looked at where nothing changed, and
//! which files hold decisions is searched for once a commit.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use hansei_core::decision_memory::{Change, Violation};
use hansei_core::evidence::may_bend;
use hansei_core::path_text;
use hansei_record::decided_files;
use hansei_workspace::broken_decisions::Grown;
use hansei_workspace::git::Git;
use hansei_workspace::layout::Layout;

use crate::capture::Changed;
use crate::judging::Bench;

/// An agent waits for this at its stop; what takes longer is left for a run, a commit or a person.
const PATIENCE: Duration = Duration::from_secs(1);

/// More changed files than a quick look at checks takes in.
const MOST: usize = 200;

/// What the change goes against, or why that is not known.
pub(crate) fn look(bench: &Bench<'_>, changed: &Changed) -> Result<Vec<Violation>, String> {
    let (Layout::WorkTree { root, .. }, Some(base)) = (&bench.session.layout, &changed.base) else {
        return Ok(Vec::new());
    };
    if changed.files.is_empty() {
        return Ok(Vec::new());
    }
    let paths: BTreeSet<Vec<u8>> = changed.files.iter().map(|path| path_text::decode(path)).collect();
    let until = bench.limit.git().min(Instant::now() + PATIENCE);
    let git = Git::new(root, until).map_err(|error| error.to_string())?;
    let grown = Grown { git: &git, root, base, changed: &paths };
    let own = bench.session.places.own().map_err(|error| error.to_string())?;
    let known = decided_files::read(&own);
    let decided = grown.decided_files(known.clone()).map_err(|error| error.to_string())?;
    if known.as_ref() != Some(&decided) {
        // It only spares the next search.
        let _ = decided_files::write(&own, &decided);
    }
    grown.violations(&decided).map_err(|error| error.to_string())
}

/// What the work tree's diff says of code, tests and checks; nothing where it cannot be seen in time.
pub(crate) fn changed_checks(bench: &Bench<'_>, changed: &Changed) -> Option<Change> {
    let (Layout::WorkTree { root, .. }, Some(base)) = (&bench.session.layout, &changed.base) else {
        return None;
    };
    let telling = changed.files.iter().filter(|path| may_bend(path));
    let paths: BTreeSet<Vec<u8>> = telling.map(|path| path_text::decode(path)).collect();
    if paths.is_empty() || paths.len() > MOST {
        return None;
    }
    let git = Git::new(root, bench.limit.git().min(Instant::now() + PATIENCE)).ok()?;
    Grown { git: &git, root, base, changed: &paths }.change().ok()
}
