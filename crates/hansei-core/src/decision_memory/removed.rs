//! Decisions that a change takes away: a tag, a block or a document that is gone, says less, or no longer binds with nobody in
//! its place.

use std::collections::BTreeSet;

use super::adr;
use super::change::{Change, LineSide};
use super::check::violation;
use super::decision::{Decision, DecisionKind, Memory, Reason, Rejection, Violation, ViolationKind};
use super::firmness::says_less;

pub(super) fn removed(
    decision: &Decision,
    change: &Change,
    base: &Memory,
    head: &Memory,
    found: &mut BTreeSet<Violation>,
) {
    let Some(file) =
        change.files.iter().find(|file| file.old_path.as_deref() == Some(decision.file.as_str()))
    else {
        return;
    };
    if !file.lines.iter().any(|line| line.side == LineSide::Removed)
        && file.new_path.is_some()
        && file.lines.iter().all(|line| line.side == LineSide::Kept)
    {
        return;
    }
    let kind = ViolationKind::TagRemoved;
    let told = |line: u32| {
        file.lines
            .iter()
            .find(|known| known.old == line && known.side != LineSide::Added)
            .map(|known| known.text.clone())
    };
    let mut lost = |line: u32, text: &str| {
        let text = told(line).unwrap_or_else(|| text.to_owned());
        found.insert(violation(decision, kind, &decision.file, line, &text));
    };
    let is_successor = |other: &&Decision| {
        other.id == decision.id
            || (decision.kind == DecisionKind::AdrFile
                && (other.is_called(&decision.id)
                    || file.new_path.as_deref() == Some(other.file.as_str())
                    || retold(decision, other)))
            || (decision.kind == DecisionKind::Def
                && other.kind == DecisionKind::Def
                && moved_with(decision, other))
    };
    let successor = head.decisions.iter().find(is_successor);
    if let Some(successor) = successor
        && !successor.standing.binds()
    {
        // Taking its place is for another document, which the change or the base must hold.
        let by_another = base.decisions.iter().chain(&head.decisions).any(|other| {
            other.id != decision.id
                && other.kind != DecisionKind::Tag
                && other.standing.binds()
                && change_names(change, decision, other)
        });
        if !by_another {
            lost(decision.line, &decision.title);
        }
        return;
    }
    if successor.is_none() && decision.kind != DecisionKind::Tag {
        lost(decision.line, &decision.title);
        return;
    }
    for rejection in &decision.rejected {
        if !still_said(rejection, decision, successor, head) {
            lost(rejection.line, &rejection.text);
        }
    }
    // The context of a document may be told anew; a tag may not go.
    if decision.kind == DecisionKind::AdrFile {
        if let Some(first) = decision.decided.first()
            && successor.is_some_and(|successor| successor.decided.is_empty())
        {
            lost(first.line, &first.text);
        }
    } else {
        for reason in reasons_removed(decision, base, head) {
            lost(reason.line, &reason.text);
        }
    }
}

/// Whether somebody rejects afterwards what `rejection` did, and as firmly.
fn still_said(
    rejection: &Rejection,
    decision: &Decision,
    successor: Option<&Decision>,
    head: &Memory,
) -> bool {
    let others = head
        .decisions
        .iter()
        .filter(|other| other.standing.binds())
        .flat_map(|other| other.rejected.iter().map(move |kept| (other, kept)));
    let kept = others.filter(|(other, kept)| {
        let all = rejection.names.iter().all(|name| kept.names.iter().any(|kept| kept.text == name.text));
        same_words(&kept.text, &rejection.text)
            || (!rejection.names.is_empty() && all)
            || (rejection.names.is_empty() && other.id == decision.id && kept.names.is_empty())
    });
    let kept: Vec<&str> = kept.map(|(_, kept)| kept.text.as_str()).collect();
    // Several tags of a decision may share what one of them said.
    let spread = successor.is_some_and(|successor| {
        !rejection.names.is_empty()
            && rejection.names.iter().all(|name| {
                successor.rejected.iter().any(|kept| kept.names.iter().any(|kept| kept.text == name.text))
            })
    });
    if kept.is_empty() {
        spread
    } else {
        !kept.iter().all(|now| says_less(decision.kind, &rejection.text, now))
    }
}

/// The reasons of a decision that nobody gives any more.
fn reasons_removed<'a>(decision: &'a Decision, base: &Memory, head: &Memory) -> Vec<&'a Reason> {
    let left = head
        .decisions
        .iter()
        .filter(|other| other.id == decision.id || other.file == decision.file || moved_with(decision, other))
        .map(|other| other.rationale.len())
        .sum::<usize>();
    let before = base
        .decisions
        .iter()
        .filter(|other| other.file == decision.file && other.kind != DecisionKind::AdrFile)
        .map(|other| other.rationale.len())
        .sum::<usize>();
    let is_kept = |reason: &Reason| {
        let kept = head.decisions.iter().flat_map(|other| &other.rationale);
        left >= before.max(1) || kept.into_iter().any(|kept| same_words(&kept.text, &reason.text))
    };
    decision.rationale.iter().filter(|reason| !is_kept(reason)).collect()
}

/// Whether two texts have the same letters in the same order.
fn same_words(one: &str, other: &str) -> bool {
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    plain(one) == plain(other)
}

/// Whether a decision in another file is this one, moved with its code.
fn moved_with(decision: &Decision, other: &Decision) -> bool {
    !decision.rejected.is_empty()
        && decision.rejected.iter().all(|rejection| {
            other.rejected.iter().any(|kept| !kept.names.is_empty() && kept.names == rejection.names)
        })
}

/// Whether another document decides the same in the same words, whatever its number is.
fn retold(decision: &Decision, other: &Decision) -> bool {
    let words =
        |decision: &Decision| decision.decided.iter().map(|said| said.text.clone()).collect::<String>();
    other.kind == DecisionKind::AdrFile
        && !decision.decided.is_empty()
        && same_words(&words(decision), &words(other))
}

/// Whether the status that a decision has now names `other`.
fn change_names(change: &Change, decision: &Decision, other: &Decision) -> bool {
    let files = change.files.iter().filter(|file| file.old_path.as_deref() == Some(decision.file.as_str()));
    files.flat_map(|file| &file.lines).any(|line| {
        let lower = line.text.to_lowercase();
        line.side == LineSide::Added
            && ["superseded by", "superceded by", "replaced by", "superseded-by"]
                .iter()
                .any(|word| lower.contains(word))
            && adr::references(&line.text).iter().any(|name| other.is_called(name))
    })
}
