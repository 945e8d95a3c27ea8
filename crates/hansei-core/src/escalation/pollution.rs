//! Whether a handoff carries the failed history that it must not. Told by structure alone: how long it is, turns of a
//! conversation, tool calls and outputs replayed, the same command or error again and again, attempts narrated one after
//! the other. What a text says about itself plays no part.

use std::collections::{BTreeMap, BTreeSet};

use super::attempt::Attempt;

/// What a part of a handoff is: a task may be long, the rest may not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// The original task or contract, in its author's words.
    Task,
    /// Everything else: what stands around the payload, forced context, an error signature.
    Context,
}

impl Part {
    fn longest(self) -> usize {
        match self {
            Self::Task => 48 * 1024,
            Self::Context => 6 * 1024,
        }
    }
}

/// What makes a handoff polluted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Pollution {
    /// More than the part may have.
    #[error("it has {bytes} bytes")]
    TooLong {
        /// How many.
        bytes: usize,
    },
    /// Turns of a conversation.
    #[error("it replays {turns} turns of a conversation")]
    Turns {
        /// How many.
        turns: usize,
    },
    /// Calls of tools and their outputs.
    #[error("it replays {calls} calls of tools or their outputs")]
    ToolCalls {
        /// How many.
        calls: usize,
    },
    /// One attempt after the other, told at length.
    #[error("it narrates {attempts} attempts")]
    Attempts {
        /// How many.
        attempts: usize,
    },
    /// The same command or error several times over.
    #[error("it says the same {times} times: {line}")]
    Replay {
        /// How often.
        times: usize,
        /// What, in a line.
        line: String,
    },
    /// Thinking that was left in.
    #[error("it holds a block of reasoning")]
    Reasoning,
}

/// What pollutes a part of a handoff, if something does.
pub fn pollution(part: Part, text: &str) -> Option<Pollution> {
    if text.len() > part.longest() {
        return Some(Pollution::TooLong { bytes: text.len() });
    }
    let lines: Vec<&str> = text.lines().collect();
    reasoning(text)
        .or_else(|| turns(&lines))
        .or_else(|| tool_calls(&lines))
        .or_else(|| attempts(&lines))
        .or_else(|| replays(part, &lines))
}

/// Who speaks in a transcript.
const SPEAKERS: &str = "user human assistant ai agent model coder developer system tool function bot claude gpt chatgpt \
    gemini codex junior reviewer llm me you opencode kilo copilot observation thought action";
/// Turns from which on it is a conversation and no quotation.
const FEWEST_TURNS: usize = 3;

fn turns(lines: &[&str]) -> Option<Pollution> {
    let speakers: Vec<String> = lines.iter().filter_map(|line| speaker(line)).collect();
    let different: BTreeSet<&String> = speakers.iter().collect();
    let changes = speakers.windows(2).filter(|pair| pair[0] != pair[1]).count() + 1;
    (speakers.len() >= FEWEST_TURNS && different.len() >= 2 && changes >= FEWEST_TURNS)
        .then_some(Pollution::Turns { turns: speakers.len() })
        .or_else(|| unnamed_turns(lines))
}

/// Who begins to speak in a line: `Assistant: …`, `### User`, `[12:01] <assistant> …`, `{"role": "assistant", …`.
fn speaker(line: &str) -> Option<String> {
    let line = line.trim();
    let lower: String = line.chars().take(160).collect::<String>().to_lowercase();
    if let Some(at) = lower.find("\"role\"") {
        let value = lower[at + 6..].trim_start_matches([':', ' ', '"']);
        return known_speaker(value.split('"').next().unwrap_or_default(), true);
    }
    if let Some(rest) = lower.strip_prefix("<|") {
        let name = rest.trim_start_matches("im_start|>").trim_start_matches("start_header_id|>");
        return known_speaker(name.split(['|', '\n', '<']).next().unwrap_or_default(), true);
    }
    // A time or a number of the turn may stand before the name.
    let mut rest = lower.as_str();
    if rest.starts_with('[') || rest.starts_with('(') {
        let end = rest.find([']', ')']).map_or(0, |at| at + 1);
        if rest[..end].bytes().any(|byte| byte.is_ascii_digit()) {
            rest = rest[end..].trim_start();
        }
    }
    let marked = rest.starts_with(['#', '*', '[', '<', '>', '_', '`']);
    let rest = rest.trim_start_matches(['#', '*', '[', '<', '>', '_', '`', ' ', '-']);
    let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let behind =
        behind.trim_start_matches(|c: char| c == ' ' || c.is_ascii_digit() || matches!(c, '#' | '(' | ')'));
    let speaks = behind.trim_start_matches(['*', '_', '`']).starts_with([':', '>', ']'])
        || (marked && behind.trim_matches(['*', '#', ' ', '_', ']', '>']).is_empty());
    if speaks { known_speaker(name, false) } else { None }
}

fn known_speaker(name: &str, structured: bool) -> Option<String> {
    let name = name.trim().trim_matches(|c: char| !c.is_alphanumeric());
    let known =
        SPEAKERS.split_whitespace().any(|speaker| name == speaker || name.strip_suffix('s') == Some(speaker));
    let composed =
        name.split(['-', '_']).any(|part| SPEAKERS.split_whitespace().any(|speaker| speaker == part));
    (known || composed || (structured && !name.is_empty())).then(|| name.to_owned())
}

/// Turns of speakers that nobody knows: two or three labels that take turns, each with much to say.
fn unnamed_turns(lines: &[&str]) -> Option<Pollution> {
    let labelled = lines.iter().filter_map(|line| {
        let (label, said) = line.split_once(": ")?;
        let is_label = !label.is_empty()
            && label.len() <= 20
            && label.starts_with(|c: char| c.is_alphabetic())
            && label.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | ' '));
        (is_label && said.split_whitespace().count() >= 8).then_some(label)
    });
    let labels: Vec<&str> = labelled.collect();
    let different: BTreeSet<&&str> = labels.iter().collect();
    let changes = labels.windows(2).filter(|pair| pair[0] != pair[1]).count();
    (labels.len() >= 6 && (2..=3).contains(&different.len()) && changes >= 4)
        .then_some(Pollution::Turns { turns: labels.len() })
}

fn reasoning(text: &str) -> Option<Pollution> {
    let lower = text.to_ascii_lowercase();
    let blocks = [
        "<think",
        "<thinking",
        "<reasoning",
        "<scratchpad",
        "\"type\":\"thinking\"",
        "\"type\": \"thinking\"",
    ];
    blocks.iter().any(|block| lower.contains(block)).then_some(Pollution::Reasoning)
}

fn tool_calls(lines: &[&str]) -> Option<Pollution> {
    let marks = [
        "\"tool_use\"",
        "\"tool_result\"",
        "\"tool_calls\"",
        "\"tool_call_id\"",
        "\"function_call\"",
        "\"tool_use_id\"",
        "<tool_call",
        "<tool_result",
        "<function_calls",
        "<function_results",
        "<invoke name",
        "<tool_response",
        "\"functioncall\"",
        "\"functionresponse\"",
    ];
    let calls = lines
        .iter()
        .filter(|line| {
            let lower = line.to_ascii_lowercase();
            marks.iter().any(|mark| lower.contains(mark)) || is_drawn_call(line.trim())
        })
        .count();
    (calls >= 2).then_some(Pollution::ToolCalls { calls })
}

/// Calls as terminals draw them: `⏺ Bash(cargo test)`, `⎿ output`, `● Edit(src/a.rs)`.
fn is_drawn_call(line: &str) -> bool {
    let Some(first) = line.chars().next() else { return false };
    let rest = line[first.len_utf8()..].trim_start();
    let name = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    first == '⎿'
        || (matches!(first, '⏺' | '●' | '⏵' | '▶' | '→') && name > 0 && rest[name..].starts_with('('))
}

/// Words that number one try after the other.
const ROUNDS: &[&str] = &["attempt", "try", "iteration", "round", "retry", "pass", "turn", "trial"];
/// So much is said about the attempts before it is a narration: a list of them is no more than that.
const LONG_STORY: usize = 700;

fn attempts(lines: &[&str]) -> Option<Pollution> {
    let mut numbers: BTreeSet<u32> = BTreeSet::new();
    let mut told = 0;
    let mut since: Option<usize> = None;
    for line in lines {
        if let Some(number) = numbered_round(line) {
            numbers.insert(number);
            since = Some(0);
        }
        if let Some(lines) = since {
            told += line.len();
            since = Some(lines + 1);
        }
    }
    (numbers.len() >= 2 && told > LONG_STORY).then_some(Pollution::Attempts { attempts: numbers.len() })
}

/// `[ATTEMPT: 2]`, `## Attempt 2`, `2nd try:`, `Attempt #2 -`.
fn numbered_round(line: &str) -> Option<u32> {
    if let Some(first) = Attempt::markers(line).first() {
        return Some(first.number());
    }
    let lower: String = line.chars().take(80).collect::<String>().to_lowercase();
    let head = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let mut words = head.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let (first, second) = (words.next()?, words.next()?);
    let number = |word: &str| {
        const SPELLED: [&[&str]; 6] = [
            &["one", "first"],
            &["two", "second"],
            &["three", "third"],
            &["four", "fourth"],
            &["five", "fifth"],
            &["six", "sixth"],
        ];
        let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
        digits.parse().ok().or_else(|| {
            let at = SPELLED.iter().position(|names| names.contains(&word))?;
            u32::try_from(at + 1).ok()
        })
    };
    if ROUNDS.contains(&first) {
        return number(second);
    }
    if ROUNDS.contains(&second) { number(first) } else { None }
}

fn replays(part: Part, lines: &[&str]) -> Option<Pollution> {
    let mut commands: BTreeMap<&str, usize> = BTreeMap::new();
    let mut patches: BTreeMap<&str, usize> = BTreeMap::new();
    let mut errors: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (at, line) in lines.iter().enumerate() {
        let line = line.trim();
        let prompt = ["$ ", "% ", "❯ ", ">>> ", "# $ "].iter().find_map(|prompt| line.strip_prefix(prompt));
        if let Some(command) = prompt {
            *commands.entry(command.trim()).or_default() += 1;
        }
        if let Some(file) = line.strip_prefix("+++ ").or_else(|| line.strip_prefix("*** Update File: ")) {
            *patches.entry(file.trim()).or_default() += 1;
        }
        let lower = line.to_ascii_lowercase();
        let is_error = line.len() >= 16
            && ["error", "exception", "panicked", "failed", "traceback"]
                .iter()
                .any(|word| lower.contains(word));
        if is_error {
            let plain: String = lower.chars().filter(|c| !c.is_ascii_digit()).collect();
            let (count, last) = errors.entry(plain).or_insert((0, at));
            // Lines of one output stand together; a replay comes back later.
            if *count == 0 || at - *last > 2 {
                *count += 1;
            }
            *last = at;
        }
    }
    let prompts: usize = commands.values().sum();
    let replay =
        |times: usize, line: &str| Pollution::Replay { times, line: crate::model_text::one_line(line, 120) };
    if part == Part::Context && prompts >= 6 {
        return Some(replay(prompts, "a session in a shell"));
    }
    if let Some((command, times)) = commands.into_iter().max_by_key(|(_, count)| *count)
        && times >= 3
    {
        return Some(replay(times, command));
    }
    if let Some((file, times)) = patches.into_iter().max_by_key(|(_, count)| *count)
        && times >= 3
    {
        return Some(replay(times, file));
    }
    let again = errors.into_iter().max_by_key(|(_, (count, _))| *count);
    again.filter(|(_, (times, _))| *times >= 3).map(|(line, (times, _))| replay(times, &line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn long(text: &str) -> String {
        text.repeat(1 + LONG_STORY / text.len().max(1))
    }

    #[test]
    fn failed_history_is_seen_by_its_shape() {
        let steps = |n: usize| {
            format!("Attempt {n}: {}\n", long("changed the loop bound and ran it, which did nothing. "))
        };
        for (name, text) in [
            ("turns", "User: fix it\nAssistant: I will try\nUser: still red\nAssistant: again".to_owned()),
            ("turns with headings", "### Human\nfix it\n### Assistant\nsure\n### Human\nno".to_owned()),
            ("turns in bold", "**Coder:** tried\n**Reviewer:** no\n**Coder:** tried again\n**Reviewer:** no".to_owned()),
            ("turns with times", "[12:01] user: a\n[12:02] assistant: b\n[12:03] user: c".to_owned()),
            ("messages", "{\"role\": \"user\", \"content\": \"x\"}\n{\"role\": \"assistant\", \"content\": \"y\"}\n{\"role\":\"user\"}".to_owned()),
            ("template", "<|im_start|>user\na\n<|im_start|>assistant\nb\n<|im_start|>user\nc".to_owned()),
            ("react", "Thought: it may be x\nAction: run\nObservation: red\nThought: or y".to_owned()),
            ("unknown speakers", "otto: I changed the bound of the loop and it fails\nida: then please look at the caller of it\n".repeat(4)),
            ("tool calls", "{\"type\": \"tool_use\", \"name\": \"bash\"}\n{\"type\": \"tool_result\"}".to_owned()),
            ("tags", "<invoke name=\"bash\">\nx\n<invoke name=\"edit\">".to_owned()),
            ("drawn", "⏺ Bash(cargo test)\n  ⎿ error\n⏺ Edit(src/a.rs)".to_owned()),
            ("thinking", "<thinking>maybe the bound</thinking>".to_owned()),
            ("attempts", (1..4).map(steps).collect()),
            ("markers", format!("[ATTEMPT: 1] {0}\n[ATTEMPT: 2] {0}", long("the cache again. "))),
            ("headings", format!("## First try\n{0}\n## Second try\n{0}", long("the cache again. "))),
            ("a command again", "$ make\nred\nred\n$ make\nred\nred\n$ make\nred".to_owned()),
            ("an error again", "x: error: no such pool\na\nb\nc\n".repeat(3)),
            ("a patch again", "--- a/x.rs\n+++ b/x.rs\n+1\n".repeat(3)),
            ("too long", "a plain sentence. ".repeat(1_000)),
        ] {
            assert!(pollution(Part::Context, &text).is_some(), "{name}");
        }
    }

    #[test]
    fn a_clean_handoff_is_let_through() {
        for (name, text) in [
            ("nothing", String::new()),
            ("a signature", "$ cargo test\nerror[E0308]: mismatched types\n --> src/a.rs:3:5".to_owned()),
            ("a list of attempts", "what_was_tried:\n- attempt 1: pinned serde\n- attempt 2: cleared the cache".to_owned()),
            ("a checklist", "[CHECKLIST]\n- [ ] user: exists in the database\n- [ ] system: clock is right".to_owned()),
            ("settings", "user: deploy\nhost: staging\nport: 22\nsystem: linux".to_owned()),
            ("one payload", "<ESCALATION>\nstatus: blocked\nattempt: [ATTEMPT: 4]\n</ESCALATION>".to_owned()),
            ("several errors", "a.c:3:5: error: x is not known\na.c:4:5: error: x is not known\na.c:5:5: error: x is not known".to_owned()),
            ("two speakers once", "The user: block of the config and the Assistant: block differ.".to_owned()),
        ] {
            assert_eq!(pollution(Part::Context, &text), None, "{name}");
        }
        let specification = format!(
            "# Contract\n{}\n## Steps to reproduce\n$ make\n$ ./run\n$ curl localhost\n\n| role | may |\n|---|---|\n| user | read |\n| system | write |\n",
            "The pool shall close every handle, and say which could not be closed.\n".repeat(300),
        );
        assert_eq!(pollution(Part::Task, &specification), None, "a long task is a task");
        assert!(pollution(Part::Context, &specification).is_some());
    }

    #[test]
    fn the_wording_plays_no_part() {
        let confession =
            "This is a long failed reasoning transcript of the junior agent's failed chat history.";
        assert_eq!(pollution(Part::Context, confession), None);
    }
}
