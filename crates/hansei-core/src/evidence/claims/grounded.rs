//! Claims that say what the change does, in whatever words: a sentence whose telling words stand in what the session wrote.
//!
//! No verb is needed, and no language: a name, a path or the words of the code itself tie the sentence to an edit.

use std::collections::BTreeSet;

use super::super::parts::{add_telling, telling};
use super::read::{self, Piece};
use super::vocabulary::is;
use super::world::{World, ended_well};
use super::{Claim, ClaimKind, Finding, Mark};
use crate::check;
use crate::evidence::speech::Speech;
use crate::prose::{Form, Sentence};
use crate::session::Action;

/// How many of the newest edits a sentence is looked for in.
const EDITS: usize = 200;

/// What one call wrote.
struct Written {
    call: usize,
    /// The text, the paths, the command that wrote.
    text: String,
    /// Whether it wrote a whole file.
    whole: bool,
}

/// The claims about the change that no verb of ours makes.
pub(super) fn claims(speech: &Speech, world: &World<'_, '_>, known: &[Claim]) -> Vec<Claim> {
    let written = written(world);
    if written.is_empty() {
        return Vec::new();
    }
    let mut words = BTreeSet::new();
    for wrote in &written {
        add_telling(&mut words, &wrote.text);
    }
    let of_change = |kind| {
        matches!(kind, ClaimKind::Created | ClaimKind::Changed | ClaimKind::Removed | ClaimKind::Fixed)
    };
    let of = |sentence: &Sentence| {
        let quote = super::short(&sentence.text);
        let own = || known.iter().filter(|claim| claim.quote == quote);
        if own().any(|claim| of_change(claim.kind)) {
            return None;
        }
        let plain = own().next().is_none() && speech.understood && !read::denied(&sentence.words);
        let wrote = read::pieces(sentence).iter().filter(|piece| states(piece)).find_map(|piece| {
            let named =
                piece.code.iter().filter(|code| !runs(world, code)).find_map(|code| find(&written, code));
            named.or_else(|| (plain && tells_of(piece, &words)).then(|| &written[0]))
        })?;
        let kind = if wrote.whole { ClaimKind::Created } else { ClaimKind::Changed };
        let found = Finding::new(Mark::Supported, "it is in what was written").at(wrote.call);
        Some(Claim::of(&sentence.text, kind, found))
    };
    let sentences = read::asserting(speech)
        .filter(|sentence| !matches!(sentence.form, Form::Heading | Form::Row))
        .filter(|sentence| !sentence.words.iter().take(3).any(|word| is(word, "explains")));
    sentences.filter_map(of).collect()
}

/// What the session's edits wrote, newest first.
fn written(world: &World<'_, '_>) -> Vec<Written> {
    let mut all: Vec<Written> = Vec::new();
    for change in world.course.changes.iter().rev().filter(|change| change.is_by_hand()) {
        let call = change.when.0;
        if all.last().is_some_and(|last| last.call == call) {
            continue;
        }
        let Some(called) = world.calls().get(call).filter(|call| ended_well(call)) else { continue };
        let mut text = match &called.action {
            Action::Edit { paths } => paths.join("\n"),
            Action::Run { command, .. } => command.clone(),
            _ => String::new(),
        };
        let wrote = called.wrote.as_ref();
        text.extend(wrote.iter().flat_map(|wrote| ["\n", &wrote.added]));
        all.push(Written { call, text: text.to_lowercase(), whole: wrote.is_some_and(|wrote| wrote.whole) });
        if all.len() == EDITS {
            break;
        }
    }
    all
}

/// Whether a clause says something of how things are, as far as its words show.
fn states(piece: &Piece<'_>) -> bool {
    // A finite verb in the past tells how it was before.
    let past = piece.words.iter().enumerate().any(|(at, word)| {
        let after = at.checked_sub(1).map_or("", |before| piece.words[before].as_str());
        matches!(word.as_str(), "was" | "were" | "had" | "did" | "used")
            || word.len() > 4
                && word.ends_with("ed")
                && at > 0
                && !is(after, "helpers")
                && !is(after, "articles")
                && after != "to"
    });
    !past
        && !read::supposed(piece.words)
        && !read::denied(piece.words)
        && !matches!(piece.before, "because" | "since" | "who" | "where" | "if" | "when" | "whereas")
        && !read::is_of_others(piece.words)
}

/// The newest edit that wrote what the code in a sentence names.
fn find<'w>(written: &'w [Written], code: &str) -> Option<&'w Written> {
    let name = code.trim_end_matches("()").to_lowercase();
    let name = name
        .rsplit(['.', ':', '#'])
        .find(|part| part.len() > 3)
        .filter(|_| !name.contains(['/', ' ']))
        .unwrap_or(&name);
    let name = name.split('(').next().unwrap_or(name);
    (name.chars().count() > 2).then(|| written.iter().find(|wrote| wrote.text.contains(name))).flatten()
}

/// Whether code in a sentence is a command.
fn runs(world: &World<'_, '_>, code: &str) -> bool {
    !check::read_command(code).checks.is_empty()
        || code.contains(' ')
            && world
                .calls()
                .iter()
                .any(|call| matches!(&call.action, Action::Run { command, .. } if command.contains(code)))
}

/// Whether the words of a clause are those of what was written.
fn tells_of(piece: &Piece<'_>, written: &BTreeSet<String>) -> bool {
    let own = telling(&piece.words.join(" "));
    let known = own.iter().filter(|word| written.contains(*word)).count();
    known >= 2 && known * 2 >= own.len()
}
