//! Turns of a conversation: names that come back after others have spoken. Two names beside each other are settings or a
//! quotation; it is the return that makes them speakers.

use std::collections::{BTreeMap, BTreeSet};

use super::narration::Telling;
use super::speakers::{Kind, Speaker, in_line, in_messages};
use super::{Part, Pollution};

/// So much of a conversation with an agent is one whatever is said in it, also in a task.
const LONG_CONVERSATION: usize = 3_000;
/// So much of one between people that nobody knows.
const LONG_TALK: usize = 1_000;

/// One turn: who speaks, and what.
#[derive(Debug)]
struct Turn<'a> {
    speaker: Speaker,
    said: &'a str,
}

impl Turn<'_> {
    fn is_agent(&self) -> bool {
        self.speaker.kind == Kind::Agent
    }
}

pub(super) fn taken(part: Part, text: &str) -> Option<Pollution> {
    let messages = turns(text, in_messages(text));
    let mut at = 0;
    let mut named = Vec::new();
    for line in text.split_inclusive('\n') {
        if let Some((speaker, end)) = in_line(line) {
            named.push((speaker, at + end));
        }
        at += line.len();
    }
    let known = named.iter().filter(|(speaker, _)| speaker.kind != Kind::Unknown).cloned().collect();
    let known = turns(text, known);
    let found = [&messages, &known].into_iter().find(|turns| is_replayed(part, turns));
    if let Some(turns) = found {
        return Some(Pollution::Turns { turns: turns.len() });
    }
    let all = turns(text, named);
    is_talk(part, &all).then_some(Pollution::Turns { turns: all.len() })
}

/// What is said from one name to the next. Nobody says where the last turn ends; it is taken for no longer than the longest.
fn turns(text: &str, named: Vec<(Speaker, usize)>) -> Vec<Turn<'_>> {
    let ends: Vec<usize> = named.iter().skip(1).map(|(_, at)| *at).chain([text.len()]).collect();
    let mut longest = 200;
    let mut turns: Vec<Turn<'_>> = Vec::new();
    let last = named.len().saturating_sub(1);
    for (index, ((speaker, start), end)) in named.into_iter().zip(ends).enumerate() {
        let end = if index == last { text.floor_char_boundary(end.min(start + longest)) } else { end };
        longest = longest.max(end - start);
        turns.push(Turn { speaker, said: &text[start..end] });
    }
    turns
}

/// How often somebody speaks again after somebody else did.
fn returns(turns: &[Turn<'_>]) -> usize {
    let mut seen: BTreeSet<&str> = turns.first().map(|turn| turn.speaker.who.as_str()).into_iter().collect();
    let pairs = turns.windows(2).filter(|pair| pair[0].speaker.who != pair[1].speaker.who);
    pairs.filter(|pair| !seen.insert(&pair[1].speaker.who)).count()
}

/// How often the same agent speaks, where it says something each time.
fn monologue(turns: &[Turn<'_>]) -> usize {
    let mut by_name: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for turn in turns.iter().filter(|turn| turn.is_agent()) {
        let (count, words) = by_name.entry(&turn.speaker.who).or_default();
        *count += 1;
        *words += turn.said.split_whitespace().count();
    }
    by_name
        .into_values()
        .filter(|(count, words)| words / count >= 4)
        .map(|(count, _)| count)
        .max()
        .unwrap_or(0)
}

/// Whether known speakers take turns.
fn is_replayed(part: Part, turns: &[Turn<'_>]) -> bool {
    let (count, returns) = (turns.len(), returns(turns));
    match part {
        Part::Context => (count >= 3 && returns >= 1) || monologue(turns) >= 4,
        Part::Payload | Part::Task => {
            is_session(turns, (count >= 4 && returns >= 2) || monologue(turns) >= 6)
        }
    }
}

/// Whether turns are a failed session of an agent, and not an example of messages, a discussion or the labels of a list.
fn is_session(turns: &[Turn<'_>], are_turns: bool) -> bool {
    let agents = turns.iter().filter(|turn| turn.is_agent()).count();
    let telling = telling(turns);
    let bytes: usize = turns.iter().map(|turn| turn.said.len()).sum();
    let is_told = telling.attempts >= 1 && telling.outcomes >= 1;
    are_turns && agents >= 2 && (is_told || (agents >= 4 && bytes > LONG_CONVERSATION))
}

fn telling(turns: &[Turn<'_>]) -> Telling {
    Telling::of(&turns.iter().map(|turn| turn.said).collect::<Vec<_>>().join("\n"))
}

/// Whether names take turns of which nobody knows some: two or three of them, again and again, with attempts in what they say.
fn is_talk(part: Part, turns: &[Turn<'_>]) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for turn in turns {
        *counts.entry(&turn.speaker.who).or_default() += 1;
    }
    let again: Vec<usize> = counts.into_values().filter(|count| *count >= 2).collect();
    let spoken: usize = again.iter().sum();
    let is_small_circle = (2..=3).contains(&again.len()) && spoken * 5 >= turns.len() * 4;
    if !is_small_circle || returns(turns) < 2 {
        return false;
    }
    let telling = telling(turns);
    let words: usize = turns.iter().map(|turn| turn.said.split_whitespace().count()).sum();
    let bytes: usize = turns.iter().map(|turn| turn.said.len()).sum();
    let is_long = turns.len() >= 8 && again.len() == 2 && words >= 6 * turns.len() && bytes > LONG_TALK;
    match part {
        Part::Context => (telling.attempts >= 2 && telling.outcomes >= 1) || is_long,
        Part::Payload | Part::Task => turns.len() >= 6 && telling.attempts >= 3 && telling.outcomes >= 2,
    }
}
