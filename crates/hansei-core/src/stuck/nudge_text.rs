//! What a stuck agent is told: to go on, with what it left.

use crate::evidence::{Class, Evidence, Kind, Situation};
use crate::interrupt::MARK;

/// The most of the human's request that is repeated.
const REQUEST: usize = 160;

/// A word that fits what happened last.
pub(super) fn of(situation: &Situation<'_>, evidence: &[Evidence]) -> String {
    let found = |kind: Kind| evidence.iter().find(|found| found.kind == kind);
    let looped = evidence.iter().find(|found| found.kind.class() == Class::Loop);
    let text = if let Some(found) = looped {
        format!("You go round in circles: {}. Step back, say what you know, and try another way.", found.text)
    } else if let Some(found) = found(Kind::CheckFailed).or_else(|| found(Kind::CheckFailedHidden)) {
        format!("You stopped while a check fails: {}. Please go on.", found.text)
    } else if let Some(found) = found(Kind::WorkAnnounced).or_else(|| found(Kind::WorkRemaining)) {
        format!("Please continue: {}.", found.text)
    } else if let Some(found) = found(Kind::OpenTodos) {
        format!("Please continue with the open items: {}.", found.text)
    } else if let Some(found) = found(Kind::MessageCutOff) {
        format!("Please continue where you stopped; {}", found.text)
    } else {
        "Please continue where you stopped.".to_owned()
    };
    let request: String = situation.request().split_whitespace().collect::<Vec<_>>().join(" ");
    let mut request: String = request.chars().take(REQUEST).collect();
    if request.is_empty() {
        return format!("{MARK} {text}");
    }
    request.insert_str(0, " The task: ");
    format!("{MARK} {text}{request}")
}
