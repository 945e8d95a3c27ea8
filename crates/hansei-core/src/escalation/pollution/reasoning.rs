//! Blocks of thinking: between tags, in a fence that is named for it, or as a part of a message. A tag that a sentence
//! merely names is none.

use super::{Part, Pollution};

/// What such blocks are called.
const NAMES: [&str; 7] =
    ["think", "thinking", "thought", "reasoning", "scratchpad", "reflection", "inner_monologue"];
/// So many words are a block, and not the name of a tag.
const FEWEST_WORDS: usize = 2;
/// A task may show what has to be stripped; so many words, or so many blocks, are more than an example.
const FEWEST_WORDS_OF_A_TASK: usize = 30;
const FEWEST_BLOCKS_OF_A_TASK: usize = 3;
/// A part of a message carries its text beside its type; so much is taken for it.
const WORDS_OF_A_MESSAGE: usize = 7;

pub(super) fn left_in(part: Part, text: &str) -> Option<Pollution> {
    let lower = text.to_ascii_lowercase();
    let mut blocks = between_tags(&lower);
    blocks.extend(in_fences(&lower));
    blocks.extend(in_messages(&lower));
    blocks.retain(|words| *words >= FEWEST_WORDS);
    let words: usize = blocks.iter().sum();
    let is_left = match part {
        Part::Task => words >= FEWEST_WORDS_OF_A_TASK || blocks.len() >= FEWEST_BLOCKS_OF_A_TASK,
        Part::Payload | Part::Context => !blocks.is_empty(),
    };
    is_left.then_some(Pollution::Reasoning)
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

/// How many words stand in each block between an opening and a closing tag.
fn between_tags(lower: &str) -> Vec<usize> {
    NAMES.iter().flat_map(|name| between(lower, &format!("<{name}>"), &format!("</{name}>"))).collect()
}

fn between(lower: &str, open: &str, close: &str) -> Vec<usize> {
    let mut blocks = Vec::new();
    let mut rest = lower;
    while let Some(at) = rest.find(open) {
        let begins_line =
            rest[..at].trim_end_matches([' ', '\t']).ends_with('\n') || rest[..at].trim().is_empty();
        let inside = &rest[at + open.len()..];
        let end = inside.find(close);
        // One that is never closed goes to the end, where it begins a line.
        let block = &inside[..end.unwrap_or(if begins_line { inside.len() } else { 0 })];
        if begins_line || is_block(block) {
            blocks.push(words(block));
        }
        rest = &inside[end.unwrap_or(0)..];
    }
    blocks
}

/// Whether what stands between two tags of a sentence is between them, and not about them.
fn is_block(text: &str) -> bool {
    let is_tight = !text.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace);
    !text.starts_with('`') && !text.ends_with('`') && (is_tight || words(text) >= 8)
}

/// How many words stand in each fence that is named for thinking.
fn in_fences(lower: &str) -> Vec<usize> {
    let mut blocks: Vec<usize> = Vec::new();
    let mut open: Option<bool> = None;
    for line in lower.lines() {
        let line = line.trim_start();
        if let Some(info) = line.strip_prefix("```").or(line.strip_prefix("~~~")) {
            let opens = open.is_none().then(|| NAMES.contains(&info.trim()));
            open = opens;
            blocks.extend((opens == Some(true)).then_some(0));
        } else if open == Some(true)
            && let Some(last) = blocks.last_mut()
        {
            *last += words(line);
        }
    }
    blocks
}

/// The same of the parts of messages whose type it is.
fn in_messages(lower: &str) -> Vec<usize> {
    let flat: String = lower.chars().filter(|c| !matches!(c, '\\' | ' ')).collect();
    let marks =
        ["\"type\":\"thinking\"", "\"type\":\"reasoning\"", "'type':'thinking'", "'type':'reasoning'"];
    let count: usize = marks.iter().map(|mark| flat.matches(mark).count()).sum();
    vec![WORDS_OF_A_MESSAGE; count]
}
