//! What a plain word of a hypothesis means: nothing, a denial, an end of a scale, one word for several, or itself.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Two ends of one thing. A scale of states says that something is so or is not, and a denial turns it round; on any other
/// scale a denial does not name the other end.
#[derive(Debug)]
pub(super) struct Scale {
    pub(super) name: &'static str,
    pub(super) is_state: bool,
    positive: &'static str,
    negative: &'static str,
}

impl Scale {
    /// The word by which one of its ends is counted: states are turned by denials, so both of theirs are one.
    pub(super) fn term(&self, is_positive: bool) -> String {
        match (self.is_state, is_positive) {
            (true, _) => self.name.to_owned(),
            (false, true) => format!("{}+", self.name),
            (false, false) => format!("{}-", self.name),
        }
    }
}

impl PartialEq for Scale {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Scale {}

impl PartialOrd for Scale {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Scale {
    fn cmp(&self, other: &Self) -> Ordering {
        self.name.cmp(other.name)
    }
}

/// What a word means.
#[derive(Debug)]
pub(super) enum Meaning {
    Nothing,
    Denial,
    /// One side stands before it, the other behind.
    Turn {
        is_forward: bool,
    },
    End {
        scale: &'static Scale,
        is_positive: bool,
    },
    Term(String),
}

const fn state(name: &'static str, positive: &'static str, negative: &'static str) -> Scale {
    Scale { name, is_state: true, positive, negative }
}

const fn direction(name: &'static str, positive: &'static str, negative: &'static str) -> Scale {
    Scale { name, is_state: false, positive, negative }
}

/// Every form of these words counts: they are compared by their stems.
static SCALES: &[Scale] = &[
    state(
        "<present>",
        "set defined exists present exported find found installed available given provided declared configured included contained \
         registered",
        "unset missing absent undefined lacking lacks without lost unavailable uninstalled gone nonexistent deleted removed \
         forgotten omitted",
    ),
    state(
        "<right>",
        "right correct valid proper accurate",
        "wrong incorrect invalid improper inaccurate mistaken corrupt broken",
    ),
    state("<fresh>", "fresh new newer newest current recent", "stale old older oldest outdated obsolete"),
    state(
        "<same>",
        "same equal identical matches agrees",
        "another different differs other unequal mismatched diverges disagrees",
    ),
    state(
        "<enabled>",
        "enabled active allowed permitted",
        "disabled inactive denied forbidden blocked deactivated",
    ),
    state("<running>", "running runs ran started alive", "stopped dead crashed"),
    direction("<late>", "late later", "early earlier soon sooner premature"),
    direction(
        "<large>",
        "high higher large larger big bigger long longer much many more greater maximum",
        "low lower small smaller short shorter few fewer little less tiny minimum",
    ),
    direction("<open>", "open", "closed shut"),
    direction("<up>", "up upwards ceiling increased", "down downwards floor decreased"),
    direction("<absolute>", "absolute", "relative"),
    direction("<writing>", "writes written", "reads"),
    direction("<outer>", "parent outer", "child inner"),
    direction("<first>", "first begins beginning", "last ends final"),
    direction("<client>", "client consumer receiver", "server producer sender"),
    direction("<input>", "input request left local", "output response remote"),
    direction("<encoding>", "encodes serializes compresses", "decodes deserializes decompresses"),
    direction("<inside>", "inside within internal", "outside external"),
    direction("<synchronous>", "sync synchronous", "async asynchronous"),
    direction("<once>", "once", "twice repeatedly"),
];

/// Words of one meaning, by the first of them.
const ALIKE: &[&str] = &[
    "folder directory directories dir",
    "occupied used use taken bound busy listens",
    "required needed expected must demanded",
    "environment env shell",
    "dependency dependencies package library libraries",
];

/// What is written apart and is one word.
const WRITTEN_APART: &[(&str, &str)] =
    &[("out of date", "outdated"), ("up to date", "current"), ("no longer", "not"), ("set up", "configured")];

/// A text in which every word is written as one.
pub(super) fn joined(text: &str) -> String {
    let mut text = text.to_owned();
    for (apart, one) in WRITTEN_APART {
        while let Some(at) = text.to_ascii_lowercase().find(apart) {
            text.replace_range(at..at + apart.len(), one);
        }
    }
    text
}

/// Words for the kind of a thing, which say nothing beside its name.
const KINDS: &str = "environment variable setting value file module function method class object option parameter field key \
    fixture column table flag version command script";

/// Words that say nothing about a cause.
const EMPTY: &str = "the a an is are was were be been being to of in on at for and or that this it its by with \
    as we i you they there probably maybe perhaps likely seems may might must should could can will would really actually just \
    simply now again still then therefore hypothesis try fix issue problem error cause caused causes root due think has have had does do \
    did too very already something somebody else own yet one work working when which";

const DENIALS: &str = "not never no nobody nothing none cannot neither nor hardly";

/// Whether a word denies what comes behind it.
pub(super) fn is_denial(word: &str) -> bool {
    is_one_of(DENIALS, word) || word.ends_with("n't")
}

/// Whether a word says nothing.
pub(super) fn is_empty(word: &str) -> bool {
    is_one_of(EMPTY, word)
}

/// Whether a term is a word for a kind of thing.
pub(super) fn is_kind(term: &str) -> bool {
    is_one_of(KINDS, term) || KINDS.split_whitespace().any(|kind| stem(kind) == term)
}

fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|known| known == word)
}

/// What a plain word, in lower case, means.
pub(super) fn meaning_of(word: &str) -> Meaning {
    match word {
        "after" => return Meaning::Turn { is_forward: false },
        "before" | "than" | "instead" | "until" => return Meaning::Turn { is_forward: true },
        _ => {}
    }
    let stem = stem(word);
    let known = KNOWN.get(word).or_else(|| KNOWN.get(stem.as_str()));
    match known {
        Some(Known::End { scale, is_positive }) => Meaning::End { scale, is_positive: *is_positive },
        Some(Known::Alike(first)) => Meaning::Term((*first).to_owned()),
        None => Meaning::Term(stem),
    }
}

enum Known {
    End { scale: &'static Scale, is_positive: bool },
    Alike(&'static str),
}

/// Every listed word and its stem. What is said first counts.
static KNOWN: LazyLock<BTreeMap<String, Known>> = LazyLock::new(|| {
    let mut known = BTreeMap::new();
    for scale in SCALES {
        for (list, is_positive) in [(scale.positive, true), (scale.negative, false)] {
            for word in list.split_whitespace() {
                for form in [word.to_owned(), stem(word)] {
                    known.entry(form).or_insert(Known::End { scale, is_positive });
                }
            }
        }
    }
    for list in ALIKE {
        let first = list.split_whitespace().next().unwrap_or_default();
        for word in list.split_whitespace() {
            for form in [word.to_owned(), stem(word)] {
                known.entry(form).or_insert(Known::Alike(first));
            }
        }
    }
    known
});

/// A word without its commonest endings, so that its forms are one.
pub(super) fn stem(word: &str) -> String {
    const ENDINGS: [&str; 14] = [
        "ations", "ation", "ingly", "ings", "ing", "edly", "able", "ible", "ed", "ies", "es", "ly", "s", "e",
    ];
    let mut stem = word;
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.chars().count() >= 3
        {
            stem = rest;
            break;
        }
    }
    let mut letters = stem.chars().rev();
    let (last, before) = (letters.next(), letters.next());
    // `pinned` and `pins`, `stopped` and `stop`.
    if last == before && stem.len() > 3 {
        stem = &stem[..stem.len() - last.map_or(0, char::len_utf8)];
    }
    stem.to_owned()
}
