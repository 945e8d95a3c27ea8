//! What every probe stands on: the tree, the hints, the environment, the programs; and where it puts what it suspects.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

use hansei_core::escalation::{Finding, Probe};

use super::flow::{Source, Sources};
use super::hint::Hint;
use super::programs::Programs;
use super::python_world::World;
use super::script_files::Scripts;
use super::shell_lines::{ShellLine, shell_lines};
use super::tree::Tree;
use crate::git::Git;

/// The most places that the evidence of one finding names, and the most findings.
const MOST_PLACES: usize = 3;
const MOST_FINDINGS: usize = 40;
/// What an error that speaks of the thing adds.
const SPOKEN_OF: u32 = 100;

/// How sure a suspicion is by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Strength {
    /// Only worth saying when the command or the error speaks of it.
    Hinted = 10,
    /// True, and often not what fails.
    Possible = 40,
    /// True, and what depends on it fails.
    Likely = 60,
    /// Nothing that touches it can work.
    Certain = 80,
}

/// What a probe suspects.
#[derive(Debug)]
pub(super) struct Suspicion {
    pub(super) probe: Probe,
    pub(super) cause: String,
    pub(super) evidence: String,
    pub(super) fix: String,
    pub(super) strength: Strength,
    /// What an error would name if this were its cause.
    pub(super) names: Vec<String>,
}

/// What the probes look at.
#[derive(Debug)]
pub(super) struct Ground<'a> {
    pub(super) tree: Tree,
    pub(super) hint: Hint,
    pub(super) programs: Programs,
    pub(super) environment: BTreeMap<&'a str, &'a str>,
    /// Now, in seconds since 1970.
    pub(super) now: i64,
    pub(super) is_repository: bool,
    /// A crate as it was published: files that only its repository needs are left out.
    pub(super) is_published: bool,
    pub(super) deadline: Instant,
    tracked: RefCell<Option<BTreeSet<String>>>,
    lines: OnceCell<Vec<ShellLine>>,
    scripts: OnceCell<Scripts>,
    sources: OnceCell<Vec<Rc<Source>>>,
    python: OnceCell<World>,
    found: RefCell<Vec<Suspicion>>,
}

impl<'a> Ground<'a> {
    pub(super) fn new(
        tree: Tree,
        hint: Hint,
        programs: Programs,
        environment: BTreeMap<&'a str, &'a str>,
        deadline: Instant,
    ) -> Self {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        let is_repository = tree.root().join(".git").exists();
        let is_published = tree.has(&format!("{}.cargo_vcs_info.json", tree.scope()));
        Self {
            tree,
            hint,
            programs,
            environment,
            now: now.map_or(0, |since| i64::try_from(since.as_secs()).unwrap_or(i64::MAX)),
            is_repository,
            is_published,
            deadline,
            tracked: RefCell::default(),
            lines: OnceCell::new(),
            scripts: OnceCell::new(),
            sources: OnceCell::new(),
            python: OnceCell::new(),
            found: RefCell::default(),
        }
    }

    /// Suspects something. What is the same cause is one suspicion with several places.
    pub(super) fn suspect(&self, suspicion: Suspicion) {
        let mut found = self.found.borrow_mut();
        let same = |other: &&mut Suspicion| other.probe == suspicion.probe && other.cause == suspicion.cause;
        if let Some(known) = found.iter_mut().find(same) {
            let places = known.evidence.matches("; ").count() + 1;
            if places < MOST_PLACES && !known.evidence.contains(&suspicion.evidence) {
                known.evidence = format!("{}; {}", known.evidence, suspicion.evidence);
            }
            known.strength = known.strength.max(suspicion.strength);
        } else {
            found.push(suspicion);
        }
    }

    /// Every command line of the project.
    pub(super) fn shell_lines(&self) -> &[ShellLine] {
        self.lines.get_or_init(|| if self.is_published { Vec::new() } else { shell_lines(self) })
    }

    /// Every script and Makefile of the project.
    pub(super) fn scripts(&self) -> &Scripts {
        self.scripts.get_or_init(|| Scripts::of(&self.tree))
    }

    /// Every source of the project, taken apart.
    pub(super) fn sources(&self) -> &[Rc<Source>] {
        self.sources.get_or_init(|| Sources::taken_apart(&self.tree))
    }

    /// What Python finds here.
    pub(super) fn python(&self) -> &World {
        self.python.get_or_init(|| World::of(self))
    }

    /// Whether git has this path in its index.
    pub(super) fn is_tracked(&self, path: &str) -> bool {
        let mut tracked = self.tracked.borrow_mut();
        let tracked = tracked.get_or_insert_with(|| {
            let ask = || {
                let git = Git::new(self.tree.root(), self.deadline).ok()?;
                git.ask(&["ls-files", "-z", "--cached"]).ok()
            };
            let answer = if self.is_repository { ask().unwrap_or_default() } else { Vec::new() };
            answer.split(|byte| *byte == 0).map(|path| String::from_utf8_lossy(path).into_owned()).collect()
        });
        tracked.contains(path)
    }

    /// Whether git ignores this path.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        if !self.is_repository {
            return super::ignore_file::ignores(&self.tree, path);
        }
        let git = Git::new(self.tree.root(), self.deadline);
        git.is_ok_and(|git| {
            matches!(git.ask_maybe(&["check-ignore", "--quiet", "--no-index", "--", path]), Ok(Some(_)))
        })
    }

    /// How a file that is absent comes back, where git has it.
    pub(super) fn restored(&self, path: &str) -> Option<String> {
        self.is_tracked(path).then(|| format!("git restore {path}"))
    }

    /// A variable of the environment that is not empty.
    pub(super) fn variable(&self, name: &str) -> Option<&'a str> {
        self.environment.get(name).copied().filter(|value| !value.is_empty())
    }

    /// All that was found, strongest first.
    pub(super) fn findings(self) -> Vec<Finding> {
        let hint = &self.hint;
        let mut weighed: Vec<(u32, Suspicion)> = self
            .found
            .into_inner()
            .into_iter()
            .filter_map(|suspicion| {
                let spoken = suspicion.names.iter().any(|name| hint.speaks_of(name));
                let commanded = suspicion.names.iter().any(|name| hint.commands(name));
                if suspicion.strength == Strength::Hinted && !spoken && !commanded {
                    return None;
                }
                let weight = suspicion.strength as u32
                    + if spoken { SPOKEN_OF } else { 0 }
                    + if commanded { SPOKEN_OF / 4 } else { 0 };
                Some((weight, suspicion))
            })
            .collect();
        weighed.sort_by(|one, other| {
            other.0.cmp(&one.0).then(one.1.probe.cmp(&other.1.probe)).then(one.1.cause.cmp(&other.1.cause))
        });
        // Two probes may come upon one thing in two ways; the stronger one tells it.
        let mut told: BTreeSet<(Probe, String)> = BTreeSet::new();
        weighed.retain(|(_, it)| it.names.first().is_none_or(|name| told.insert((it.probe, name.clone()))));
        weighed
            .into_iter()
            .take(MOST_FINDINGS)
            .map(|(_, it)| Finding { probe: it.probe, cause: it.cause, evidence: it.evidence, fix: it.fix })
            .collect()
    }
}

impl Suspicion {
    /// A suspicion that is likely what fails.
    pub(super) fn new(
        probe: Probe,
        cause: impl Into<String>,
        evidence: impl Into<String>,
        fix: impl Into<String>,
    ) -> Self {
        Self {
            probe,
            cause: cause.into(),
            evidence: evidence.into(),
            fix: fix.into(),
            strength: Strength::Likely,
            names: Vec::new(),
        }
    }

    /// The same with another strength.
    pub(super) fn strength(self, strength: Strength) -> Self {
        Self { strength, ..self }
    }

    /// The same with what an error would name.
    pub(super) fn naming<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.names.extend(names.into_iter().map(Into::into));
        self
    }
}
