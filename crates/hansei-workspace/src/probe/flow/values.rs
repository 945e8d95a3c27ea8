//! What an expression comes to: a text, put together of known parts and of what a function is handed.

use std::rc::Rc;

/// A text that is put together.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Made {
    parts: Vec<Part>,
    pub(super) is_upper: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Known(String),
    Open(Hole),
}

/// A part that is not known where the text stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Hole {
    /// What the function is handed, by its place.
    Given(usize),
    /// Each element of what the function is handed.
    EachOf(usize),
    /// Each of these.
    OneOf(Rc<Vec<Entry>>),
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) name: String,
    /// Whether a default stands beside it, or that it may be absent.
    pub(crate) is_lenient: bool,
    pub(crate) line: usize,
}

impl Made {
    /// A text that is known.
    pub(crate) fn known(text: &str) -> Self {
        Self { parts: vec![Part::Known(text.to_owned())], is_upper: false }
    }

    /// A text of which nothing is known.
    pub(crate) fn open(hole: Hole) -> Self {
        Self { parts: vec![Part::Open(hole)], is_upper: false }
    }

    /// The two texts as one.
    pub(super) fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self.is_upper |= other.is_upper;
        self
    }

    /// The only part that is not known.
    pub(crate) fn hole(&self) -> Option<&Hole> {
        let mut holes = self.parts.iter().filter_map(|part| match part {
            Part::Open(hole) => Some(hole),
            Part::Known(_) => None,
        });
        let first = holes.next()?;
        holes.next().is_none().then_some(first)
    }

    /// The whole text, where nothing is open.
    pub(crate) fn whole(&self) -> Option<String> {
        let known = self.parts.iter().map(|part| match part {
            Part::Known(text) => Some(text.as_str()),
            Part::Open(_) => None,
        });
        let text = known.collect::<Option<String>>()?;
        Some(if self.is_upper { text.to_uppercase() } else { text })
    }

    /// The same with the open part filled.
    pub(crate) fn filled(&self, with: &Self) -> Self {
        let mut filled = Self { parts: Vec::new(), is_upper: self.is_upper || with.is_upper };
        for part in &self.parts {
            match part {
                Part::Known(_) => filled.parts.push(part.clone()),
                Part::Open(_) => filled.parts.extend(with.parts.iter().cloned()),
            }
        }
        filled
    }

    /// Every text that this may be, with the element of the list that it is of.
    pub(crate) fn each(&self) -> Vec<(String, Option<Entry>)> {
        if let Some(Hole::OneOf(entries)) = self.hole() {
            let of =
                |entry: &Entry| Some((self.filled(&Self::known(&entry.name)).whole()?, Some(entry.clone())));
            return entries.iter().filter_map(of).collect();
        }
        self.whole().into_iter().map(|text| (text, None)).collect()
    }
}
