//! The human's latest word: whether it asks the agent to stop, to wait, or only to look.
//!
//! Whoever says so must not find the agent driven on. Where the words could be a task ("stop the server when it idles")
//! they are one: a command to the agent stands alone, at the beginning, or is followed by a pause in the sentence.

use serde::{Deserialize, Serialize};

/// What the human's latest word asks for, instead of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LatestWord {
    /// To stop.
    Stop,
    /// To wait.
    Wait,
    /// To look and say, and to change nothing.
    OnlyAnalyse,
}

/// Words that end the work when they are said to the agent.
const STOPS: [&str; 5] = ["stop", "halt", "enough", "abort", "cancel"];
/// Words that hold the work when they are said to the agent.
const WAITS: [&str; 4] = ["wait", "pause", "hold", "hang"];
/// What may follow such a word without making it a task.
const FOLLOWS: [&str; 24] = [
    "here", "now", "please", "there", "working", "everything", "for now", "for today", "for me", "for a",
    "a minute", "a moment", "a second", "a sec", "on", "off", "and wait", "and let me", "until", "till",
    "that's", "thanks", "it", "that",
];

/// Phrases that end or hold the work wherever they stand.
const PHRASES: [(&str, LatestWord); 14] = [
    ("that's enough for", LatestWord::Stop),
    ("that is enough for", LatestWord::Stop),
    ("let's stop here", LatestWord::Stop),
    ("please stop here", LatestWord::Stop),
    ("stop for today", LatestWord::Stop),
    ("stop for now", LatestWord::Stop),
    ("leave it for now", LatestWord::Stop),
    ("leave it there", LatestWord::Stop),
    ("please wait", LatestWord::Wait),
    ("wait for me", LatestWord::Wait),
    ("wait for my", LatestWord::Wait),
    ("don't continue", LatestWord::Wait),
    ("do not continue", LatestWord::Wait),
    ("continue tomorrow", LatestWord::Wait),
];

/// Verbs of looking that, with "only" or "just" before them, leave no work to do.
const LOOKS: [&str; 10] = [
    "analyse", "analyze", "look", "explain", "investigate", "inspect", "diagnose", "describe", "read", "tell",
];
/// What "change nothing" is said of: a task forbids some files, an analysis forbids all.
const NOTHING: [&str; 13] = [
    "anything", "any code", "any files", "any file", "the code", "the repo", "any of the code", "code",
    "files yet", "anything yet", "any changes", "changes", "it yet",
];
const FORBIDS: [&str; 16] = [
    "don't change ", "do not change ", "don't edit ", "do not edit ", "don't modify ", "do not modify ",
    "don't touch ", "do not touch ", "don't make ", "do not make ", "don't fix ", "do not fix ",
    "don't write ", "do not write ", "without changing ", "without editing ",
];

/// What `request` asks for instead of work, if it does.
pub fn latest_word(request: &str) -> Option<LatestWord> {
    let text = normalised(request);
    leading_word(&text)
        .or_else(|| PHRASES.into_iter().find(|(phrase, _)| text.contains(phrase)).map(|(_, word)| word))
        .or_else(|| only_analyse(&text).then_some(LatestWord::OnlyAnalyse))
}

/// Lower case, plain apostrophes, one space between words.
fn normalised(text: &str) -> String {
    let text = text.to_lowercase().replace(['\u{2019}', '`'], "'").replace("dont ", "don't ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A command to the agent at the beginning of the request.
fn leading_word(text: &str) -> Option<LatestWord> {
    let text = ["ok ", "ok, ", "okay, ", "okay ", "no, ", "no ", "please ", "hey, ", "hey "]
        .into_iter()
        .find_map(|opening| text.strip_prefix(opening))
        .unwrap_or(text);
    let end = text.find(|c: char| !c.is_alphanumeric()).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let said = if STOPS.contains(&word) {
        LatestWord::Stop
    } else if WAITS.contains(&word) {
        LatestWord::Wait
    } else {
        return None;
    };
    let Some(rest) = rest.strip_prefix(' ') else { return Some(said) };
    // "stop it" is a command; "stop it from crashing" is a task.
    let is_task =
        ["it from", "that from", "on error", "on the", "on exit"].iter().any(|words| rest.starts_with(words));
    let follows = FOLLOWS.iter().any(|words| {
        rest.strip_prefix(words).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
    });
    let stands_alone = rest.starts_with(['-', '\u{2013}', '\u{2014}', '(']);
    (stands_alone || follows && !is_task).then_some(said)
}

fn only_analyse(text: &str) -> bool {
    let looks = |only: &str| {
        text.match_indices(only).any(|(at, _)| {
            let after = &text[at + only.len()..];
            LOOKS.iter().any(|verb| {
                after.strip_prefix(verb).is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
            })
        })
    };
    let forbids = FORBIDS.iter().any(|forbid| {
        text.match_indices(forbid).any(|(at, _)| {
            let after = &text[at + forbid.len()..];
            NOTHING.iter().any(|nothing| {
                after.strip_prefix(nothing).is_some_and(|rest| {
                    rest.is_empty()
                        || rest.starts_with(|c: char| c.is_ascii_punctuation())
                        || rest.starts_with(" yet")
                })
            })
        })
    });
    let says = [
        "analysis only", "read-only", "read only", "no code changes", "no changes please", "nothing else yet",
    ];
    looks("only ") || looks("just ") || forbids || says.iter().any(|words| text.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_to_the_agent_are_told_from_tasks() {
        use LatestWord::{OnlyAnalyse, Stop, Wait};
        for (request, expected) in [
            ("stop", Some(Stop)),
            ("Stop.", Some(Stop)),
            ("stop, I'll review tomorrow", Some(Stop)),
            ("Stop here please", Some(Stop)),
            ("ok, stop for now", Some(Stop)),
            ("enough — I take it from here", Some(Stop)),
            ("That's enough for today, thanks!", Some(Stop)),
            ("STOP!!!", Some(Stop)),
            ("stop it", Some(Stop)),
            ("wait", Some(Wait)),
            ("Wait, let me look first", Some(Wait)),
            ("hold on a second", Some(Wait)),
            ("pause until I'm back", Some(Wait)),
            ("Let's continue tomorrow", Some(Wait)),
            ("Only analyse the failure", Some(OnlyAnalyse)),
            ("just explain why it fails", Some(OnlyAnalyse)),
            ("Look at the parser but don\u{2019}t change anything.", Some(OnlyAnalyse)),
            ("Find the cause; do not fix anything yet", Some(OnlyAnalyse)),
            ("Analysis only: where is the leak?", Some(OnlyAnalyse)),
            // Tasks that hold the same words.
            ("stop the server from leaking sockets", None),
            ("Stop it from crashing on empty input", None),
            ("wait for the lock in the writer, then retry", None),
            ("pause button does nothing, fix it", None),
            ("hold the mutex while writing", None),
            ("Fix the parser. Do not change the tests.", None),
            ("do not modify the public API, but make it faster", None),
            ("cancel button must be red", None),
            ("Add a stop button", None),
            ("make the tests pass", None),
            ("only the first page is rendered, fix it", None),
            ("it just reads zeros, repair it", None),
            ("", None),
        ] {
            assert_eq!(latest_word(request), expected, "{request:?}");
        }
    }
}
