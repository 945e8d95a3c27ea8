//! The review risk floor: what a mistake in this change would *cost*, judged by the paths it touches.
//!
//! It is a floor, a least demand for review, and subordinate to everything that was executed: consumers must treat
//! checks and CI as authoritative above it (checks and CI, then a human's merge, then a reviewer's verdict, then the
//! agent's own word). It says nothing about how *likely* a mistake is:
//! that is [`likelihood`]'s to say.
//!
//! A path belongs to the first surface with a pattern that matches it; the costliest surface among the paths decides.

mod floor_patterns;
pub mod likelihood;
mod stack_patterns;

use std::collections::BTreeMap;

use regex::Regex;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::reflection::UnitInterval;
use crate::surface::Surface;

/// The order in which surfaces are tried.
const PRECEDENCE: [Surface; 7] =
    [Surface::Auth, Surface::Data, Surface::Infra, Surface::Build, Surface::Ui, Surface::Test, Surface::Docs];

/// The score from which a change needs review, unless told otherwise.
pub const DEFAULT_THRESHOLD: f64 = 0.5;

/// How many files a reason names.
const NAMED: usize = 5;

/// Whether a change needs independent review, and why.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(inline)]
pub struct RiskVerdict {
    /// Whether the score reaches the threshold.
    pub needs_review: bool,
    /// The weight of the costliest surface touched.
    pub score: UnitInterval,
    /// That surface.
    pub surface: Surface,
    /// The files that belong to it.
    pub reason: String,
}

/// A user's own patterns for one surface.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SurfacePatterns {
    /// Patterns that take the place of the built-in ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replace: Option<Vec<String>>,
    /// Patterns in addition.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub extend: Vec<String>,
}

/// A pattern that is not a regular expression.
#[derive(Debug, thiserror::Error)]
#[error("risk.surfaces.{surface}: {pattern:?} is not a regular expression: {source}")]
pub struct BadPattern {
    surface: Surface,
    pattern: String,
    source: regex::Error,
}

/// Whether a built-in pattern of `surface` matches `path`, whatever other surface has a say about it: a test of the login
/// belongs to the tests too.
pub fn belongs_to(surface: Surface, path: &str) -> bool {
    floor_patterns::matches(surface, path)
        || stack_patterns::matches(surface, &stack_patterns::Subject::new(path))
}

/// The floor with its threshold and a user's patterns.
#[derive(Debug, Clone)]
pub struct Floor {
    threshold: f64,
    own: BTreeMap<Surface, Vec<Regex>>,
    replaced: Vec<Surface>,
}

impl Default for Floor {
    fn default() -> Self {
        Self { threshold: DEFAULT_THRESHOLD, own: BTreeMap::new(), replaced: Vec::new() }
    }
}

/// Whether a file is more than text for people, by its name alone.
pub(crate) fn is_more_than_documentation(path: &str) -> bool {
    Floor::default().surface_of(path.rsplit('/').next().unwrap_or(path)) != Surface::Docs
}

impl Floor {
    /// A floor with a user's threshold and patterns. A path is matched against the patterns as against a regular
    /// expression searched anywhere in it.
    pub fn new(
        threshold: UnitInterval,
        surfaces: &BTreeMap<Surface, SurfacePatterns>,
    ) -> Result<Self, BadPattern> {
        let mut floor = Self { threshold: threshold.get(), ..Self::default() };
        for (&surface, patterns) in surfaces {
            let compile = |pattern: &String| {
                Regex::new(pattern).map_err(|source| BadPattern { surface, pattern: pattern.clone(), source })
            };
            let own = patterns.replace.iter().flatten().chain(&patterns.extend);
            floor.own.insert(surface, own.map(compile).collect::<Result<_, _>>()?);
            if patterns.replace.is_some() {
                floor.replaced.push(surface);
            }
        }
        Ok(floor)
    }

    /// The surface that `path` belongs to.
    pub fn surface_of(&self, path: &str) -> Surface {
        let built_in = |surface: &Surface| !self.replaced.contains(surface);
        let own = |surface: Surface| {
            self.own
                .get(&surface)
                .is_some_and(|patterns| patterns.iter().any(|pattern| pattern.is_match(path)))
        };
        let specified = PRECEDENCE
            .into_iter()
            .find(|surface| own(*surface) || (built_in(surface) && floor_patterns::matches(*surface, path)));
        specified
            .or_else(|| {
                let path = stack_patterns::Subject::new(path);
                PRECEDENCE
                    .into_iter()
                    .find(|surface| built_in(surface) && stack_patterns::matches(*surface, &path))
            })
            .unwrap_or(Surface::None)
    }

    /// The verdict on a change of `files`.
    pub fn evaluate<P: AsRef<str>>(&self, files: &[P]) -> RiskVerdict {
        let placed: Vec<(Surface, &str)> =
            files.iter().map(|file| (self.surface_of(file.as_ref()), file.as_ref())).collect();
        let surface = placed
            .iter()
            .map(|(surface, _)| *surface)
            .max_by(|a, b| a.weight().total_cmp(&b.weight()))
            .unwrap_or(Surface::None);
        let score = surface.weight();
        RiskVerdict {
            needs_review: !files.is_empty() && score >= self.threshold,
            // A weight is within the interval by the table in `Surface::weight`.
            score: UnitInterval::try_from(score).unwrap_or(UnitInterval::ONE),
            surface,
            reason: reason(surface, &placed),
        }
    }
}

fn reason(surface: Surface, placed: &[(Surface, &str)]) -> String {
    let there: Vec<&str> = placed.iter().filter(|(at, _)| *at == surface).map(|(_, file)| *file).collect();
    match (surface, there.len()) {
        (_, 0) => "no files changed".to_owned(),
        (Surface::None, 1) => format!("no known surface: {}", there[0]),
        (Surface::None, count) => format!("no known surface among {count} files"),
        (_, count) if count <= NAMED => format!("{surface} surface: {}", there.join(", ")),
        (_, count) => format!("{surface} surface: {} and {} more", there[..NAMED].join(", "), count - NAMED),
    }
}

#[cfg(test)]
mod tests;
