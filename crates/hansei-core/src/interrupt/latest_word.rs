//! The human's latest word: whether it asks the agent to stop, to wait, or only to look.
//!
//! Whoever says so must not find the agent driven on. Where the words could be a task ("stop the server when it idles")
//! they are one: a command to the agent stands alone, at the beginning, or is followed by a pause in the sentence.

use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use crate::tables::Classes;

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

static WORDS: LazyLock<Classes> = LazyLock::new(|| Classes::read(include_str!("latest_word.txt")));

/// What `request` asks for instead of work, if it does.
pub fn latest_word(request: &str) -> Option<LatestWord> {
    let text = normalised(request);
    let says = |class: &str| WORDS.of(class).iter().any(|phrase| text.contains(phrase));
    leading_word(&text)
        .or_else(|| says("says-stop").then_some(LatestWord::Stop))
        .or_else(|| says("says-wait").then_some(LatestWord::Wait))
        .or_else(|| (says("says-look") || only_looks(&text)).then_some(LatestWord::OnlyAnalyse))
}

/// Lower case, plain apostrophes, one space between words.
fn normalised(text: &str) -> String {
    let text = text.to_lowercase().replace(['\u{2019}', '`'], "'").replace("dont ", "don't ");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What follows one of the phrases of the class, if `text` begins with it and a word ends there.
fn behind<'a>(text: &'a str, class: &str) -> Option<&'a str> {
    let rests = WORDS.of(class).iter().filter_map(|phrase| text.strip_prefix(phrase));
    let ended = |rest: &&str| !rest.starts_with(|c: char| c.is_alphanumeric());
    rests.filter(ended).min_by_key(|rest| rest.len())
}

/// A command to the agent at the beginning of the request.
fn leading_word(text: &str) -> Option<LatestWord> {
    let text = behind(text, "opens").and_then(|rest| rest.strip_prefix(' ')).unwrap_or(text);
    let (rest, said) = match (behind(text, "stops"), behind(text, "waits")) {
        (Some(rest), _) => (rest, LatestWord::Stop),
        (None, Some(rest)) => (rest, LatestWord::Wait),
        (None, None) => return None,
    };
    let Some(rest) = rest.strip_prefix(' ') else { return Some(said) };
    let follows = behind(rest, "follows").is_some() && behind(rest, "task").is_none();
    let stands_alone = rest.starts_with(['-', '\u{2013}', '\u{2014}', '(']);
    (stands_alone || follows).then_some(said)
}

fn only_looks(text: &str) -> bool {
    let mut rests = text.char_indices().map(|(at, _)| &text[at..]);
    rests.any(|text| {
        let only = text.strip_prefix("only ").or_else(|| text.strip_prefix("just "));
        let forbids = behind(text, "forbids").and_then(|rest| behind(rest.strip_prefix(' ')?, "nothing"));
        let whole = |rest: &str| rest.is_empty() || rest.starts_with(|c: char| c.is_ascii_punctuation());
        only.is_some_and(|rest| behind(rest, "looks").is_some())
            || forbids.is_some_and(|rest| whole(rest) || rest.starts_with(" yet"))
    })
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
