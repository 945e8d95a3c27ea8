//! Families of runners: `summaries.txt`, read once, and what its patterns find in an output.

use std::sync::LazyLock;

use serde::Deserialize;

use super::Tally;
use super::numbers::{after, before, number};
use super::pattern::{Line, Part, Pattern, Slot};
use crate::tables::named;

/// The words of a family of runners.
#[derive(Debug, Default)]
pub(super) struct Family {
    pub(super) name: &'static str,
    /// Nothing counts unless a line fits one of these.
    needs: Vec<Pattern>,
    /// Nothing counts if a line fits one of these.
    unless: Vec<Pattern>,
    /// Which of several summaries counts.
    which: Which,
    rules: Vec<Rule>,
}

#[derive(Debug, Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Which {
    #[default]
    All,
    Last,
    Largest,
}

/// A pattern, and what a line says that fits it.
#[derive(Debug)]
struct Rule {
    pattern: Pattern,
    signs: Vec<Sign>,
    /// What the line itself counts as.
    one: Option<Slot>,
    /// Numbers anywhere in the line, with the words before and behind them.
    counts: Vec<(&'static str, Slot, &'static str)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Sign {
    Broken,
    Fine,
    Nothing,
    Complaint,
    Piecemeal,
}

pub(super) static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let mut families: Vec<Family> = Vec::new();
    for line in include_str!("summaries.txt").lines().filter(|line| !line.is_empty()) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            families.push(Family { name, ..Family::default() });
        } else if let Some(family) = families.last_mut() {
            family.take(line);
        }
    }
    families
});

impl Family {
    /// Takes a line of the table.
    fn take(&mut self, line: &'static str) {
        if let Some(pattern) = line.strip_prefix("needs ") {
            self.needs.push(Pattern::read(pattern));
        } else if let Some(pattern) = line.strip_prefix("unless ") {
            self.unless.push(Pattern::read(pattern));
        } else if let Some(which) = (!line.contains(' ')).then(|| named(line)).flatten() {
            self.which = which;
        } else {
            self.rules.push(Rule::read(line));
        }
    }

    /// Adds what an output says.
    pub(super) fn read(&self, lines: &[Line<'_>], tally: &mut Tally) {
        let any = |patterns: &[Pattern]| {
            lines.iter().any(|line| patterns.iter().any(|pattern| pattern.fit(*line).is_some()))
        };
        if !self.needs.is_empty() && !any(&self.needs) || any(&self.unless) {
            return;
        }
        // Most rules are for lines that begin like none of these.
        let firsts = Line::firsts(lines);
        let rules: Vec<&Rule> = self.rules.iter().filter(|rule| rule.pattern.may_begin(firsts)).collect();
        let (mut whole, mut pieces) = (Vec::new(), Vec::new());
        for line in lines {
            let fitting = rules.iter().find_map(|rule| Some((rule, rule.read_line(*line, tally)?)));
            let Some((rule, numbers)) = fitting else { continue };
            let kept = if rule.signs.contains(&Sign::Piecemeal) { &mut pieces } else { &mut whole };
            kept.extend(numbers.counted(tally));
        }
        let sum = |counts: &[u64; 3]| counts.iter().sum::<u64>();
        match self.which {
            Which::All => {}
            Which::Last => whole = whole.pop().into_iter().collect(),
            Which::Largest => whole = whole.into_iter().max_by_key(sum).into_iter().collect(),
        }
        pieces.retain(|counts| sum(counts) > 0);
        for [passed, failed, skipped] in if whole.is_empty() { pieces } else { whole } {
            tally.add(passed, failed, skipped);
        }
    }
}

impl Rule {
    fn read(line: &'static str) -> Self {
        let (pattern, says) = line.split_once(" →").unwrap_or((line, ""));
        let mut rule =
            Self { pattern: Pattern::read(pattern), signs: Vec::new(), one: None, counts: Vec::new() };
        for part in says.trim_start().split(", ") {
            if let Some((before, rest)) = part.split_once('{')
                && let Some((slot, behind)) = rest.split_once('}')
            {
                rule.counts.extend(named(slot).map(|slot| (before, slot, behind)));
            } else if let Some(slot) = part.strip_prefix("one ") {
                rule.one = named(slot);
            } else {
                rule.signs.extend(named::<Sign>(part));
            }
        }
        rule
    }

    /// The numbers of a line that fits, once its names and signs are taken.
    fn read_line(&self, line: Line<'_>, tally: &mut Tally) -> Option<Numbers> {
        let groups = self.pattern.fit(line)?;
        let mut numbers = Numbers::default();
        for (before_it, slot, behind) in &self.counts {
            let found = if before_it.is_empty() {
                before(line.whole(), behind)
            } else {
                after(line.whole(), before_it)
            };
            if let Some(found) = found {
                numbers.take(*slot, found);
            }
        }
        if !self.counts.is_empty() && numbers == Numbers::default() {
            return None;
        }
        if let Some(slot) = self.one {
            numbers.take(slot, 1);
        }
        for (part, group) in groups {
            match part {
                Part::Number(slot) => numbers.take(slot, number(group).unwrap_or_default()),
                Part::Name => tally.name(group),
            }
        }
        for sign in &self.signs {
            match sign {
                Sign::Broken => tally.broken = true,
                Sign::Fine => tally.fine = true,
                Sign::Nothing => tally.nothing = true,
                Sign::Complaint => tally.complaints += 1,
                Sign::Piecemeal => {}
            }
        }
        Some(numbers)
    }
}

/// The numbers of a line, by what they count.
#[derive(Debug, Default, PartialEq, Eq)]
struct Numbers([Option<u64>; 9]);

impl Numbers {
    fn take(&mut self, slot: Slot, number: u64) {
        let known = &mut self.0[slot as usize];
        // A line that names errors twice tells of the same ones.
        *known =
            Some(if slot == Slot::Errors { known.unwrap_or(number) } else { known.unwrap_or(0) + number });
    }

    /// What they come to as passed, failed and skipped.
    fn counted(&self, tally: &mut Tally) -> Option<[u64; 3]> {
        let known = |slot: Slot| self.0[slot as usize];
        let count = |slot: Slot| known(slot).unwrap_or(0);
        tally.broken |= count(Slot::Broken) > 0;
        let errors = known(Slot::Errors).map(|errors| errors.saturating_sub(count(Slot::Mended)));
        tally.fine |= errors == Some(0);
        let counts = [Slot::Passed, Slot::Failed, Slot::Skipped, Slot::All, Slot::Ran, Slot::N];
        if errors.unwrap_or(0) == 0 && counts.iter().all(|slot| known(*slot).is_none()) {
            return None;
        }
        let (failed, skipped) = (count(Slot::Failed) + errors.unwrap_or(0), count(Slot::Skipped));
        let left = count(Slot::All).saturating_sub(failed + skipped);
        let ran = count(Slot::Ran).saturating_sub(failed);
        Some([count(Slot::Passed) + left + ran, failed, skipped])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::summary::{BY_HAND, RUNNERS};

    #[test]
    fn every_line_of_the_tables_is_understood() {
        for family in FAMILIES.iter() {
            assert!(RUNNERS.values().any(|names| names.contains(&family.name)), "{}", family.name);
            let rules = family.rules.iter().map(|rule| &rule.pattern);
            for pattern in rules.chain(&family.needs).chain(&family.unless) {
                assert!(pattern.compiled().is_some(), "{pattern:?}");
            }
        }
        for name in RUNNERS.values().flatten() {
            let by_hand = BY_HAND.iter().any(|(known, _)| known == name);
            assert!(by_hand || FAMILIES.iter().any(|family| family.name == *name), "{name}");
        }
        let says = include_str!("summaries.txt").lines().filter(|line| !line.starts_with('#'));
        for part in says.filter_map(|line| line.split_once("→ ")).flat_map(|(_, says)| says.split(", ")) {
            let slot = part.split(['{', '}']).nth(1).or_else(|| part.strip_prefix("one "));
            assert!(
                slot.map_or(named::<Sign>(part).is_some(), |slot| named::<Slot>(slot).is_some()),
                "{part}"
            );
        }
    }
}
