//! Blocks of thinking: between tags, in a fence that is named for it, or as a part of a message. A tag that a sentence
//! merely names is none.

use super::{Part, Pollution};

/// What such blocks are called.
const NAMES: [&str; 7] =
    ["think", "thinking", "thought", "reasoning", "scratchpad", "reflection", "inner_monologue"];
/// So many words are a block, and not the name of a tag.
const FEWEST_WORDS: usize = 2;
/// So many are one in a task, which may show what has to be stripped.
const FEWEST_WORDS_OF_A_TASK: usize = 30;
/// A part of a message carries its text beside its type; so much is taken for it.
const WORDS_OF_A_MESSAGE: usize = 7;

pub(super) fn left_in(part: Part, text: &str) -> Option<Pollution> {
    let lower = text.to_ascii_lowercase();
    let fewest = if part == Part::Task { FEWEST_WORDS_OF_A_TASK } else { FEWEST_WORDS };
    let words = between_tags(&lower) + in_fences(&lower) + in_messages(&lower);
    (words >= fewest).then_some(Pollution::Reasoning)
}

fn words(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

/// How many words stand between an opening and a closing tag. A tag in back-quotes is only named.
fn between_tags(lower: &str) -> usize {
    NAMES.iter().map(|name| between(lower, &format!("<{name}>"), &format!("</{name}>"))).sum()
}

fn between(lower: &str, open: &str, close: &str) -> usize {
    let mut told = 0;
    let mut rest = lower;
    while let Some(at) = rest.find(open) {
        let begins_line =
            rest[..at].lines().last().unwrap_or_default().trim().is_empty() || rest[..at].ends_with('\n');
        let inside = &rest[at + open.len()..];
        let end = inside.find(close);
        // One that is never closed goes to the end, where it begins a line.
        let block = &inside[..end.unwrap_or(if begins_line { inside.len() } else { 0 })];
        if begins_line || is_block(block) {
            told += words(block);
        }
        rest = &inside[end.unwrap_or(0)..];
    }
    told
}

/// Whether what stands between two tags of a sentence is between them, and not about them.
fn is_block(text: &str) -> bool {
    let is_tight = !text.starts_with(char::is_whitespace) && !text.ends_with(char::is_whitespace);
    !text.starts_with('`') && !text.ends_with('`') && (is_tight || words(text) >= 8)
}

/// How many words stand in fences that are named for thinking.
fn in_fences(lower: &str) -> usize {
    let mut open = false;
    let mut told = 0;
    for line in lower.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```").or(line.trim_start().strip_prefix("~~~")) {
            open = !open && NAMES.contains(&info.trim());
        } else if open {
            told += words(line);
        }
    }
    told
}

/// How many words follow `"type": "thinking"` in messages.
fn in_messages(lower: &str) -> usize {
    let flat: String = lower.chars().filter(|c| !matches!(c, '\\' | ' ')).collect();
    let marks =
        ["\"type\":\"thinking\"", "\"type\":\"reasoning\"", "'type':'thinking'", "'type':'reasoning'"];
    let count: usize = marks.iter().map(|mark| flat.matches(mark).count()).sum();
    count * WORDS_OF_A_MESSAGE
}
