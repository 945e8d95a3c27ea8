//! Calls that wait for something: asking again is what they are for.

use super::WORDS;
use crate::check::PlainCommand;
use crate::evidence::course::Course;
use crate::evidence::file_world::ending_of;

/// Whether the call at `at` waits for something that happens elsewhere.
pub(super) fn is_polling(course: &Course<'_>, at: usize) -> bool {
    let tool = course.situation.session.calls[at].tool.to_ascii_lowercase();
    ["output", "wait", "poll", "status", "monitor"].iter().any(|word| tool.contains(word))
        || course.commands[at].iter().any(waits)
}

fn waits(command: &PlainCommand) -> bool {
    let program = command.program();
    let any = |is: &dyn Fn(&str) -> bool| command.arguments().iter().any(|word| is(word));
    let is_log =
        |word: &str| word == "-f" || matches!(ending_of(word), "log" | "out") || word.contains("/logs/");
    let with = format!("waits {program}");
    WORDS.is(program, "waits")
        || WORDS.is(program, "reads-logs") && any(&is_log)
        || any(&|word| WORDS.is(word.split('-').next().unwrap_or_default(), &with))
}
