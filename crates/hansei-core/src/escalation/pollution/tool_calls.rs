//! Calls of tools and what came of them, as agents' programs write them: as messages, as tags, as labelled lines, as objects
//! with a name, an input and an output, and as terminals draw them.

use super::narration::tells_failure;
use super::speakers::{bare, in_line};
use super::{Part, Pollution};

/// Marks that stand in messages with calls and results.
const MARKS: [&str; 20] = [
    "\"tool_use\"", "\"tool_result\"", "\"tool_calls\"", "\"tool_call_id\"", "\"function_call\"",
    "\"tool_use_id\"", "<tool_call", "<tool_result", "<function_calls", "<function_results", "<invoke name",
    "<tool_response", "\"functioncall\"", "\"functionresponse\"", "<bash>", "<execute_command>",
    "<read_file>", "<write_to_file>", "<replace_in_file>", "<apply_diff>",
];

pub(super) fn replayed(part: Part, text: &str) -> Option<Pollution> {
    let lines: Vec<&str> = text.lines().collect();
    let calls: Vec<usize> = (0..lines.len()).filter(|at| is_call(lines[*at])).collect();
    // A task may show what calls look like; a session shows that they failed.
    let in_vain = calls.iter().filter(|at| {
        tells_failure(lines[**at])
            || lines.get(**at + 1).is_some_and(|next| !is_call(next) && tells_failure(next))
    });
    let is_replay = match part {
        Part::Task => calls.len() >= 4 && in_vain.count() >= 2,
        Part::Payload => calls.len() >= 3,
        Part::Context => calls.len() >= 2,
    };
    is_replay.then_some(Pollution::ToolCalls { calls: calls.len() })
}

fn is_call(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    MARKS.iter().any(|mark| lower.contains(mark))
        || is_drawn_call(line.trim())
        || is_labelled_call(line)
        || is_object_of_call(&lower)
}

/// Calls as terminals draw them: `⏺ Bash(cargo test)`, `⎿ output`, `● Edit(src/a.rs)`.
fn is_drawn_call(line: &str) -> bool {
    let Some(first) = line.chars().next() else { return false };
    let rest = line[first.len_utf8()..].trim_start();
    let name = rest.bytes().take_while(u8::is_ascii_alphanumeric).count();
    first == '⎿'
        || (matches!(first, '⏺' | '●' | '⏵' | '▶' | '→') && name > 0 && rest[name..].starts_with('('))
}

/// `Tool call: …`, `[tool result] …`, `Function output: …`.
fn is_labelled_call(line: &str) -> bool {
    in_line(line).is_some_and(|(speaker, _)| {
        let mut words = speaker.who.split(' ');
        matches!(words.next(), Some("tool" | "tools" | "function" | "action")) && words.next().is_some()
    })
}

/// An object that names a tool and what it was given: `{"tool": "bash", "input": …`, `{'name': 'bash', 'arguments': …`.
fn is_object_of_call(lower: &str) -> bool {
    let head = bare(lower);
    let is_object = lower.trim_start().starts_with(['{', '[']) || lower.trim_start().starts_with("data:");
    let has = |key: &str| ['"', '\''].iter().any(|quote| lower.contains(&format!("{quote}{key}{quote}:")));
    let given = || has("arguments") || has("args") || has("input") || has("parameters");
    let names_tool = || has("tool") || has("tool_name") || (has("name") && has("arguments"));
    is_object && !head.is_empty() && names_tool() && given()
}
