//! The list of things to do, with items that are still open.

use super::reading::Reading;
use super::{Findings, Kind, Place, Situation};
use crate::session::TodoStatus;
use crate::verdict::Severity;

/// Finds open items.
pub(super) fn detect(situation: &Situation<'_>, _: &Reading, findings: &mut Findings) {
    let open: Vec<String> = situation
        .session
        .todos
        .iter()
        .filter(|todo| matches!(todo.status, TodoStatus::Open | TodoStatus::Doing))
        .map(|todo| todo.text.chars().take(100).collect())
        .collect();
    if let Some(first) = open.first() {
        let more = if open.len() > 1 { format!(" and {} more", open.len() - 1) } else { String::new() };
        let text = format!("your own list still has “{first}”{more} open");
        findings.add_about(Kind::OpenTodos, Severity::Medium, Place::Todos, text, open);
    }
}
