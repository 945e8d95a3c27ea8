//! Why a figure does not exist.

/// Why a figure does not exist for the data given.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Undefined {
    /// There is no data.
    Empty,
    /// All of it is true, or none of it is.
    OneClass,
    /// A variance needs at least two of each class.
    FewerThanTwo,
    /// A score is not a number, and so neither above nor below another.
    NotANumber,
    /// A score is not from 0 to 1, and so no probability.
    NotAProbability(f64),
}

impl std::fmt::Display for Undefined {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Empty => f.write_str("there is no data"),
            Self::OneClass => f.write_str("all of it is of one class"),
            Self::FewerThanTwo => f.write_str("a class has fewer than two members"),
            Self::NotANumber => f.write_str("a score is not a number"),
            Self::NotAProbability(score) => write!(f, "{score} is not from 0 to 1"),
        }
    }
}

impl std::error::Error for Undefined {}
