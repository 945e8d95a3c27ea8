//! A path as far as it is known: where it begins, its text, and what of it a caller fills in.

use super::tree::parent;

/// Where a path begins.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Base {
    /// As it is written: the working folder, unless something stands before it.
    Free,
    /// The working folder, which was asked for.
    Working,
    /// A folder of the project.
    Folder(String),
}

/// A piece of a path.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Piece {
    Text(String),
    /// What the function is given at this place.
    Parameter(usize),
    /// All that it is given from this place on.
    Rest(usize),
    Unknown,
}

/// A path, as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Value {
    pub(super) base: Base,
    pub(super) pieces: Vec<Piece>,
}

impl Value {
    pub(super) fn text(text: &str) -> Self {
        Self { base: Base::Free, pieces: vec![Piece::Text(text.to_owned())] }
    }

    pub(super) fn unknown() -> Self {
        Self { base: Base::Free, pieces: vec![Piece::Unknown] }
    }

    pub(super) fn folder(folder: &str) -> Self {
        Self { base: Base::Folder(folder.to_owned()), pieces: Vec::new() }
    }

    /// The text, where all of it is known.
    pub(super) fn known(&self) -> Option<String> {
        self.pieces
            .iter()
            .map(|piece| if let Piece::Text(text) = piece { Some(text.as_str()) } else { None })
            .collect()
    }

    /// Whether a caller fills something in, and all else is known.
    pub(super) fn is_open(&self) -> bool {
        !self.pieces.contains(&Piece::Unknown)
            && self.pieces.iter().any(|piece| !matches!(piece, Piece::Text(_)))
    }

    /// What follows this as text.
    pub(super) fn plus(mut self, other: &Self) -> Self {
        if other.base != Base::Free && !self.pieces.is_empty() {
            return other.clone();
        }
        if other.base != Base::Free {
            self.base = other.base.clone();
        }
        for piece in &other.pieces {
            match (self.pieces.last_mut(), piece) {
                (Some(Piece::Text(own)), Piece::Text(more)) => own.push_str(more),
                _ => self.pieces.push(piece.clone()),
            }
        }
        self
    }

    /// What follows this as the next part of a path.
    pub(super) fn joined(self, other: &Self) -> Self {
        let absolute = matches!(other.pieces.first(), Some(Piece::Text(text)) if text.starts_with('/'));
        if other.base != Base::Free || absolute {
            return other.clone();
        }
        let ends = match self.pieces.last() {
            Some(Piece::Text(text)) => text.is_empty() || text.ends_with('/'),
            Some(_) => false,
            None => true,
        };
        let middle = if ends { self } else { self.plus(&Self::text("/")) };
        middle.plus(other)
    }

    /// The same with another ending, which begins with its dot.
    pub(super) fn ending(mut self, ending: &Self) -> Self {
        if let Some(Piece::Text(text)) = self.pieces.last_mut() {
            let name = text.rfind('/').map_or(0, |at| at + 1);
            if let Some(dot) = text[name..].rfind('.').filter(|dot| *dot > 0) {
                text.truncate(name + dot);
            }
        }
        self.plus(ending)
    }

    /// The folder that a URL which is relative to this one begins in.
    pub(super) fn seen_from(&self) -> Self {
        let is_folder = match self.pieces.last() {
            Some(Piece::Text(text)) => text.ends_with('/') || text == "." || text.ends_with(".."),
            Some(_) => false,
            None => true,
        };
        if is_folder { self.clone() } else { self.parent() }
    }

    /// The folder of this.
    pub(super) fn parent(&self) -> Self {
        let mut value = self.clone();
        while matches!(value.pieces.last(), Some(Piece::Text(text)) if text.trim_matches('/').is_empty()) {
            value.pieces.pop();
        }
        match value.pieces.pop() {
            Some(Piece::Text(text)) => {
                if let Some((folder, _)) = text.trim_end_matches('/').rsplit_once('/') {
                    value.pieces.push(Piece::Text(folder.to_owned()));
                }
                value
            }
            Some(_) => Self::unknown(),
            None => match &value.base {
                Base::Folder(folder) if !folder.is_empty() => Self::folder(parent(folder)),
                _ => Self::unknown(),
            },
        }
    }
}
