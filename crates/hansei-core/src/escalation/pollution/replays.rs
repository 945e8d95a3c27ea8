//! The same again: a command, an error or a file's patch that comes back later, and patches that each end in a failure. A
//! human's task may hold a log in which a command is run three times; that replays nobody's reasoning.

use std::collections::BTreeMap;

use super::narration::tells_failure;
use super::{Part, Pollution};
use crate::model_text::one_line;

/// So often it is a replay.
const OFTEN: usize = 3;
/// So many commands are a session in a shell.
const MANY_COMMANDS: usize = 6;

pub(super) fn repeated(part: Part, text: &str) -> Option<Pollution> {
    let patches = patches_in_vain(text);
    if patches >= OFTEN {
        return Some(replay(patches, "a patch, and behind it a failure"));
    }
    if part != Part::Context {
        return None;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    commands(&lines).or_else(|| patches_again(&lines)).or_else(|| errors_again(&lines))
}

fn replay(times: usize, line: &str) -> Pollution {
    Pollution::Replay { times, line: one_line(line, 120) }
}

/// The file that a line of a patch names.
fn patched(line: &str) -> Option<&str> {
    ["+++ ", "*** Update File: ", "*** Add File: "]
        .iter()
        .find_map(|mark| line.strip_prefix(mark))
        .map(str::trim)
}

/// How many patches have a failure behind them.
fn patches_in_vain(text: &str) -> usize {
    let of_patches =
        ["+", "-", "@", " ", "diff ", "index ", "new ", "deleted ", "rename ", "similarity ", "***"];
    let (mut is_open, mut count) = (false, 0);
    for line in text.lines() {
        if patched(line).is_some() {
            is_open = true;
        } else if is_open && !of_patches.iter().any(|start| line.starts_with(start)) && tells_failure(line) {
            count += 1;
            is_open = false;
        }
    }
    count
}

fn most<'a>(of: impl Iterator<Item = &'a str>) -> Option<(usize, &'a str)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    of.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().map(|(one, count)| (count, one)).max()
}

fn commands(lines: &[&str]) -> Option<Pollution> {
    let prompts = ["$ ", "% ", "❯ ", ">>> ", "# $ "];
    let commands =
        lines.iter().filter_map(|line| prompts.iter().find_map(|prompt| line.strip_prefix(prompt)));
    let count = commands.clone().count();
    if count >= MANY_COMMANDS {
        return Some(replay(count, "a session in a shell"));
    }
    most(commands.map(str::trim))
        .filter(|(times, _)| *times >= OFTEN)
        .map(|(times, line)| replay(times, line))
}

fn patches_again(lines: &[&str]) -> Option<Pollution> {
    let files = lines.iter().filter_map(|line| patched(line));
    most(files).filter(|(times, _)| *times >= OFTEN).map(|(times, file)| replay(times, file))
}

/// An error that comes back. Lines of one output stand together; a replay comes back later.
fn errors_again(lines: &[&str]) -> Option<Pollution> {
    let mut errors: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let lower = line.to_ascii_lowercase();
        let names = ["error", "exception", "panicked", "failed", "traceback"];
        if line.len() >= 16 && names.iter().any(|word| lower.contains(word)) {
            let plain: String = lower.chars().filter(|c| !c.is_ascii_digit()).collect();
            let (count, last) = errors.entry(plain).or_insert((0, at));
            if *count == 0 || at - *last > 2 {
                *count += 1;
            }
            *last = at;
        }
    }
    let again = errors.into_iter().max_by_key(|(_, (count, _))| *count);
    again.filter(|(_, (times, _))| *times >= OFTEN).map(|(line, (times, _))| replay(times, &line))
}
