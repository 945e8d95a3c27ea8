//! The list of things to do, with items that are still open.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::session::TodoStatus;
use crate::verdict::Severity;

/// Finds open items.
pub(super) fn detect(situation: &Situation<'_>, reading: &Reading, findings: &mut Findings) {
    let open: Vec<String> = situation
        .session
        .todos
        .iter()
        .filter(|todo| matches!(todo.status, TodoStatus::Open | TodoStatus::Doing))
        .map(|todo| todo.text.chars().take(100).collect())
        .collect();
    let range = situation.task_calls();
    let sets = |calls: &[crate::session::Call]| {
        calls.iter().filter(|call| matches!(call.action, crate::session::Action::SetTodos { .. })).count()
    };
    // A list that was written once and never ticked, or before the human's latest word, says little about the work.
    let kept = sets(&situation.session.calls[range.clone()]) > 1
        || sets(&situation.session.calls[range]) == 1
            && situation.session.todos.iter().any(|todo| todo.status == TodoStatus::Done);
    let green = findings.all().iter().any(|evidence| evidence.kind == Kind::CheckPassed);
    let severity = if kept && situation.session.todos.iter().any(|todo| todo.status == TodoStatus::Open)
        || situation.session.todos.iter().any(|todo| todo.status == TodoStatus::Done)
            && !(green || reading.ran_after_edit)
    {
        Severity::Medium
    } else {
        Severity::Low
    };
    if let Some(first) = open.first() {
        let more = if open.len() > 1 { format!(" and {} more", open.len() - 1) } else { String::new() };
        let text = format!("your own list still has “{first}”{more} open");
        findings.add_about(Kind::OpenTodos, severity, Place::Todos, text, open);
    }
}
