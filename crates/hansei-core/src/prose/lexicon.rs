//! The words that matter: classes of words, and phrases by what they mean. They stand in `lexicon.txt`.

use std::sync::LazyLock;

use crate::tables::{Classes, named};

/// What a phrase means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Deserialize)]
pub enum Concept {
    /// A check passes.
    Passes,
    /// A check fails, or an error remains.
    Fails,
    /// Work is done.
    Done,
    /// Something was verified.
    Verified,
    /// Something was not run or not verified.
    Unverified,
    /// Something is left to do.
    Remains,
    /// The speaker will do something.
    Announces,
    /// The speaker asks to be allowed to go on.
    Permission,
    /// A courteous offer of more.
    Offer,
    /// Something is asked of the human: an answer, a choice, a piece of information.
    AsksInput,
    /// The human is to do something.
    Delegates,
    /// A thing that only a human can do or give.
    HumanOnly,
    /// A thing or a place that often is a human's alone.
    HumanPlace,
    /// Nobody but a human can do it, whatever it is.
    HumanAlone,
    /// A failure is waved away.
    Dismisses,
    /// It may or may not be so.
    Hedges,
    /// Something could not be done.
    Unable,
    /// Something is optional.
    Optional,
    /// Something stands in for the real thing.
    Placeholder,
    /// Something exists and is not connected.
    NotWired,
    /// Something still runs.
    Running,
    /// A plan is presented.
    Plans,
    /// What comes next.
    NextSteps,
    /// It is as the human wanted it.
    AsAsked,
}

impl Concept {
    /// Whether the phrases themselves hold a word of denial.
    pub(super) fn denies_itself(self) -> bool {
        matches!(
            self,
            Self::Unverified
                | Self::Unable
                | Self::Remains
                | Self::NotWired
                | Self::Fails
                | Self::Dismisses
                | Self::Delegates
                | Self::Permission
                | Self::Passes
                | Self::Offer
        )
    }

    /// Whether the phrases themselves hold a word of supposition.
    pub(super) fn supposes_itself(self) -> bool {
        !matches!(self, Self::Passes | Self::Fails | Self::Done | Self::Verified)
    }
}

/// A phrase as it is written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Phrase {
    pub(super) concept: Concept,
    /// Whether it is in another language than English.
    pub(super) abroad: bool,
    pub(super) pattern: &'static str,
}

const TEXT: &str = include_str!("lexicon.txt");

/// The classes, which stand first.
static CLASSES: LazyLock<Classes> =
    LazyLock::new(|| Classes::read(TEXT.split("\n[").next().unwrap_or_default()));

static PHRASES: LazyLock<Vec<Phrase>> = LazyLock::new(|| {
    let (mut section, mut phrases) = (None, Vec::new());
    for line in TEXT.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            let (name, abroad) = name.strip_suffix(" abroad").map_or((name, false), |name| (name, true));
            section = named(name).map(|concept| (concept, abroad));
        } else if let Some((concept, abroad)) = section {
            phrases.push(Phrase { concept, abroad, pattern: line });
        }
    }
    phrases
});

/// The words of a class, in order.
pub(crate) fn class(name: &str) -> &'static [&'static str] {
    let words = CLASSES.get(name);
    debug_assert!(words.is_some(), "no class {name}");
    words.unwrap_or_default()
}

/// Whether `word` is one of a class.
pub(crate) fn is(word: &str, name: &str) -> bool {
    class(name).binary_search(&word).is_ok()
}

/// Whether one of `words` is of a class.
pub(crate) fn any<S: AsRef<str>>(words: &[S], name: &str) -> bool {
    let class = class(name);
    words.iter().any(|word| class.binary_search(&word.as_ref()).is_ok())
}

/// Whether `word` begins with one of a class: other languages bend their words at the end.
pub(crate) fn begins_one(word: &str, name: &str) -> bool {
    class(name).iter().any(|start| word.starts_with(start))
}

/// Whether `text` holds one of a class: some languages write their words without blanks.
pub(crate) fn holds_one(text: &str, name: &str) -> bool {
    !text.is_ascii() && class(name).iter().any(|part| text.contains(part))
}

/// Every phrase.
pub(super) fn phrases() -> &'static [Phrase] {
    &PHRASES
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_order<'a>(name: &str, entries: impl IntoIterator<Item = &'a str>) {
        let mut before = "";
        for entry in entries {
            assert!(before < entry, "{name}: {entry} stands behind {before}");
            before = entry;
        }
    }

    #[test]
    fn every_entry_has_its_place_and_every_name_is_known() {
        for (name, words) in CLASSES.all() {
            in_order(name, words.iter().copied());
        }
        let mut section = None;
        for line in TEXT.lines().filter(|line| !line.is_empty()) {
            if let Some(name) = line.strip_prefix('[') {
                let name = name.trim_end_matches(']').trim_end_matches(" abroad");
                assert!(named::<Concept>(name).is_some(), "{name}");
                section = Some(line);
            } else if section.is_none() {
                assert!(line.starts_with(['#', '@', ' ']), "{line}");
            }
        }
        for concept in phrases().iter().map(|phrase| phrase.concept) {
            for abroad in [false, true] {
                let own =
                    phrases().iter().filter(|phrase| phrase.concept == concept && phrase.abroad == abroad);
                in_order(&format!("{concept:?}"), own.map(|phrase| phrase.pattern));
            }
        }
        let named = phrases().iter().flat_map(|phrase| phrase.pattern.split([' ', '|']));
        for name in named.filter_map(|part| part.strip_prefix('@')) {
            assert!(CLASSES.get(name.trim_end_matches('?')).is_some(), "@{name}");
        }
    }
}
