//! Much looking and planning and no acting, although the request asks for action.

use super::WORDS;
use crate::check::PlainCommand;
use crate::evidence::course::Course;
use crate::evidence::wishes::Clause;
use crate::evidence::{Findings, Kind, Place};
use crate::session::Action;
use crate::verdict::Severity;

/// So many looks without an act.
const MANY: usize = 15;

pub(in crate::evidence) fn detect(course: &Course<'_>, findings: &mut Findings) {
    let session = course.situation.session;
    if session.planning || !course.wishes.current().iter().any(asks_for_action) {
        return;
    }
    let range = course.situation.task_calls();
    let mut looks = 0;
    for at in range.clone() {
        match &session.calls[at].action {
            Action::Look | Action::SetTodos { .. } | Action::Plan => looks += 1,
            Action::Run { .. }
                if session.calls[at].checks.is_empty() && course.commands[at].iter().all(only_looks) =>
            {
                looks += 1;
            }
            Action::Run { .. } | Action::Edit { .. } | Action::Delegate { .. } | Action::Ask { .. } => return,
            Action::HandIn | Action::Other => {}
        }
    }
    if looks >= MANY {
        let text = format!(
            "{looks} calls looked or planned, and none changed or ran anything, although action was asked for"
        );
        findings.add(Kind::LoopNoAction, Severity::Medium, Place::Call(range.end - 1), text);
    }
}

fn only_looks(command: &PlainCommand) -> bool {
    let git = command.program() == "git" && WORDS.is(command.word(1), "git-looks");
    command.writes.iter().all(|path| path == "/dev/null") && (git || WORDS.is(command.program(), "looks"))
}

/// Whether a clause orders something done: a verb of doing at its beginning.
fn asks_for_action(clause: &Clause) -> bool {
    let verb = clause.words.iter().find(|word| !WORDS.is(&word.text, "polite"));
    !clause.is_negated() && verb.is_some_and(|word| !word.code && WORDS.is(&word.text, "acts"))
}

#[cfg(test)]
mod tests {
    use crate::evidence::Kind::LoopNoAction;
    use crate::evidence::shorthand::{Tale, assert_finds};
    use crate::session::TodoStatus;

    fn looks(request: &str, count: usize) -> Tale {
        (0..count).fold(Tale::of(request), |tale, n| tale.look(&format!("f{n}"), "text"))
    }

    #[test]
    fn looking_only() {
        let shell = (0..16).fold(Tale::of("Add a flag"), |t, n| t.run(&format!("cat f{n} | head"), 0, "x"));
        let plans =
            (0..16).fold(Tale::of("Add a flag"), |t, n| t.todos(&[(&format!("step {n}"), TodoStatus::Open)]));
        assert_finds(
            LoopNoAction,
            true,
            [
                ("reads", looks("Add a flag to the parser", 16)),
                ("politely asked", looks("Could you please fix the parser", 16)),
                ("by the shell", shell),
                ("plans", plans),
            ],
        );
        assert_finds(
            LoopNoAction,
            false,
            [
                ("a question", looks("How does the parser work?", 30)),
                ("an analysis", looks("Review the parser", 30)),
                ("few", looks("Add a flag", 14)),
                ("acted", looks("Add a flag", 20).edits("a.rs")),
                ("ran something", looks("Add a flag", 20).run("cargo build", 0, "")),
                ("may only plan", looks("Add a flag", 20).planning()),
                ("asked back", looks("Add a flag", 20).asks("Which name?")),
            ],
        );
    }
}
