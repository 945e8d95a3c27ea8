//! A plan in its steps: lines that belong together, without those that say what is not to be done.

use super::check::decision_is_denied;
use super::decision::Decision;
use super::names::Name;
use super::taking_away::takes_memory_away;

/// A step of a plan: its lines with their numbers.
#[derive(Debug)]
pub(super) struct Step<'a> {
    lines: Vec<(u32, &'a str)>,
}

/// Headings under which a plan says what it is not about.
const LEFT_OUT: &[&str] = &[
    "out of scope", "non-goal", "non goal", "not doing", "won't", "will not", "rejected", "alternatives",
    "not in scope", "excluded", "do not", "don't", "ruled out", "what we avoid", "background", "history",
];

/// The steps of a plan.
pub(super) fn steps(plan: &str) -> Vec<Step<'_>> {
    let mut steps: Vec<Step<'_>> = Vec::new();
    let mut open = false;
    let mut fenced = false;
    let mut left_out = false;
    for (line, number) in plan.lines().zip(1_u32..) {
        let text = line.trim();
        if text.starts_with("```") || text.starts_with("~~~") {
            fenced = !fenced;
            open = false;
            continue;
        }
        if text.is_empty() {
            open = false;
            continue;
        }
        let item = text.starts_with(['-', '*', '+', '|', '>'])
            || text.trim_start_matches(|c: char| c.is_ascii_digit()).starts_with(['.', ')'])
                && text.starts_with(|c: char| c.is_ascii_digit());
        let heading =
            text.starts_with('#') || (text.ends_with(':') && !item && text.split_whitespace().count() <= 6);
        if heading && !fenced {
            let lower = text.to_lowercase();
            left_out = LEFT_OUT.iter().any(|word| lower.contains(word));
        } else if !item
            && !open
            && !text.starts_with(' ')
            && left_out
            && !line.starts_with([' ', '\t'])
            && !fenced
        {
            // A paragraph behind a list of what is left out is about something else, unless a heading opened it.
            left_out = steps_under_heading(plan, number);
        }
        if left_out {
            open = false;
            continue;
        }
        match steps.last_mut() {
            Some(step) if open && !item && !heading && !fenced => step.lines.push((number, line)),
            _ => steps.push(Step { lines: vec![(number, line)] }),
        }
        open = !heading && !fenced;
    }
    steps
}

/// Whether the nearest heading above a line is a real one, which holds until the next.
fn steps_under_heading(plan: &str, number: u32) -> bool {
    let above = plan.lines().take(number as usize - 1).collect::<Vec<_>>();
    let nearest =
        above.iter().rev().find(|line| line.trim_start().starts_with('#') || line.trim_end().ends_with(':'));
    nearest.is_some_and(|line| line.trim_start().starts_with('#'))
}

impl<'a> Step<'a> {
    /// The line of the step that goes against a decision.
    pub(super) fn goes_against(&self, decision: &Decision) -> Option<(u32, &'a str)> {
        let text = self.lines.iter().map(|(_, line)| line.trim()).collect::<Vec<_>>().join(" ");
        let names = || decision.rejected.iter().flat_map(|rejection| &rejection.names);
        let against = names().any(|name| is_path_of(&text, name))
            || decision_is_denied(decision, &text)
            || takes_memory_away(&text, decision);
        let holds_name = |line: &str| {
            let lower = line.to_lowercase();
            names().any(|name| lower.contains(&name.text.to_lowercase()))
        };
        let place = self.lines.iter().find(|(_, line)| holds_name(line));
        against.then(|| place.or_else(|| self.lines.first()).copied()).flatten()
    }
}

/// Whether a step is nothing but a path that was rejected: an element of a list of files.
fn is_path_of(step: &str, name: &Name) -> bool {
    let item = step.trim().trim_start_matches(['-', '*', '+', ' ']).trim_matches(['`', '"', '\'']);
    let path = name.text.trim_start_matches("./");
    name.is_path() && (item == path || (path.ends_with('/') && item.starts_with(path) && !item.contains(' ')))
}
