//! Failures that were there before: what is red on the base commit too is not this work's.

use std::collections::BTreeMap;

use super::complaints::normal;
use super::judge::{Judged, Status};

/// Failures, set apart.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Inheritance {
    /// Those that the base commit does not have.
    pub new: Vec<String>,
    /// Those that it has too.
    pub inherited: Vec<String>,
    /// Whether nothing but inherited failures is left.
    pub is_all: bool,
}

/// Sets the failures of `now` apart by what the same check says on the base commit. Failures are compared by name, and as
/// often as they occur; where one side has none to compare, as when nothing could be built, nothing is excused.
pub fn inheritance(now: &Judged, base: &Judged) -> Inheritance {
    let comparable = |judged: &Judged| judged.status == Status::Failed && judged.comparable;
    if !comparable(now) || !comparable(base) {
        return Inheritance { new: now.failing.clone(), ..Inheritance::default() };
    }
    let mut before: BTreeMap<String, usize> = BTreeMap::new();
    for name in &base.failing {
        *before.entry(normal(name)).or_default() += 1;
    }
    let mut found = Inheritance::default();
    for name in &now.failing {
        match before.get_mut(&normal(name)).filter(|left| **left > 0) {
            Some(left) => {
                *left -= 1;
                found.inherited.push(name.clone());
            }
            None => found.new.push(name.clone()),
        }
    }
    found.is_all = now.all_named && found.new.is_empty() && !found.inherited.is_empty();
    found
}
