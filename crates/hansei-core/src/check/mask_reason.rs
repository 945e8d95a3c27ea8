//! What hides a check's exit code, found in the structure of the line; for people, and for how far a green summary can be
//! trusted.

use super::shell_line::{Command, Item, Link, List, Pipeline};
use super::step::Step;
use super::wrapper;
use super::{MaskReason, View, words};

/// Why the code of the line is not that of the check, told from the inside outwards. `None` if the check is not in `list`.
pub(super) fn reason(list: &List, check: usize) -> Option<MaskReason> {
    search(list, check).map(|found| found.unwrap_or(MaskReason::FollowedBy))
}

/// `None`: not here. `Some(None)`: here, with nothing that hides its code so far.
type Search = Option<Option<MaskReason>>;

fn search(list: &List, check: usize) -> Search {
    list.0.iter().enumerate().find_map(|(number, item)| {
        let followed = (number + 1 < list.0.len()).then_some(MaskReason::FollowedBy);
        let here = if item.background { Some(MaskReason::Background) } else { followed };
        Some(in_chain(item, check)?.or(here))
    })
}

fn in_chain(item: &Item, check: usize) -> Search {
    item.chain.iter().enumerate().find_map(|(number, (link, pipeline))| {
        let fallback = item.chain[number + 1..].iter().any(|(link, _)| *link == Link::Or);
        let alternative = (*link == Link::Or).then_some(MaskReason::Alternative);
        let here = if fallback { Some(MaskReason::Fallback) } else { alternative };
        Some(in_pipeline(pipeline, check)?.or(here))
    })
}

fn in_pipeline(pipeline: &Pipeline, check: usize) -> Search {
    pipeline.stages.iter().enumerate().find_map(|(number, command)| {
        let negated = pipeline.negated.then_some(MaskReason::Negated);
        let seen = pipeline.stages[number + 1..].iter().map(view).max();
        Some(in_command(command, check)?.or(seen.map(MaskReason::Pipe).or(negated)))
    })
}

fn in_command(command: &Command, check: usize) -> Search {
    let with = |list: &List, reason: MaskReason| search(list, check).map(|found| found.or(Some(reason)));
    match command {
        Command::Simple(simple) => match &simple.step {
            Step::Check(number) if *number == check => Some(None),
            Step::Script(list) => search(list, check),
            Step::Swallows(list) => with(list, MaskReason::Wrapper),
            _ => simple.substitutions.iter().find_map(|list| with(list, MaskReason::Substitution)),
        },
        Command::Subshell(list) | Command::Group(list) => search(list, check),
        Command::If(arms, otherwise) => arms
            .iter()
            .find_map(|(condition, body)| {
                with(condition, MaskReason::Condition).or_else(|| with(body, MaskReason::Branch))
            })
            .or_else(|| otherwise.as_ref().and_then(|body| with(body, MaskReason::Branch))),
        Command::Loop(condition, body) => condition
            .as_ref()
            .and_then(|condition| with(condition, MaskReason::Condition))
            .or_else(|| with(body, MaskReason::Loop)),
        Command::Case(bodies) => bodies.iter().find_map(|body| with(body, MaskReason::Branch)),
        Command::Function(body) => with(body, MaskReason::Function),
    }
}

/// What a command that reads a check's output lets through.
fn view(command: &Command) -> View {
    let Command::Simple(simple) = command else { return View::Part };
    let Some((program, arguments)) = simple.words.split_first() else { return View::Part };
    let one = |is: &dyn Fn(&str) -> bool| arguments.iter().any(|word| is(&word.text));
    match wrapper::name(program) {
        name if words::is(name, "views-end") => View::End,
        "Select-Object" if one(&|word| word.eq_ignore_ascii_case("-last")) => View::End,
        "head" | "Select-Object" => View::Start,
        name if words::is(name, "views-matches") => {
            let flag = |flag: char| {
                one(&|word| word.starts_with('-') && !word.starts_with("--") && word.contains(flag))
            };
            let keeps = one(&|word| {
                let pattern = word.to_ascii_lowercase();
                ["fail", "error", "result", "summary", "tests:"].iter().any(|sign| pattern.contains(sign))
            });
            let counts = flag('q') || flag('c') || flag('l');
            if !counts && flag('v') != keeps { View::Failures } else { View::Part }
        }
        // Of what `sed` may do to a line only taking colours away and setting it in leave its words as they were.
        "sed"
            if arguments.iter().all(|word| {
                word.text.starts_with(['-', '$']) && !word.text.starts_with("-n")
                    || ["\\x1b", "\\033", "\\e[", "\u{1b}", "s/^/"]
                        .iter()
                        .any(|mark| word.text.contains(mark))
                        && word.text.matches('/').count() == 3
            }) =>
        {
            View::End
        }
        _ => View::Part,
    }
}
