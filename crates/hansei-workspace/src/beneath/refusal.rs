//! Why a path was not opened or not written.

use std::path::PathBuf;

/// Why a path was not opened or not written. Paths are as they were asked for.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// The path begins at the root of the machine.
    #[error("{path:?} is an absolute path; name it relative to the workspace, such as src/main.rs")]
    Absolute {
        /// The path.
        path: String,
    },
    /// The path has a `..` in it.
    #[error(
        "{path:?} has a `..` in it; name it from the root of the workspace down, even where it would stay inside"
    )]
    Parent {
        /// The path.
        path: String,
    },
    /// No file can have this path.
    #[error("{path:?} is no path: {reason}")]
    Malformed {
        /// The path.
        path: String,
        /// The reason.
        reason: &'static str,
    },
    /// A link on the way leads out.
    #[error("{path:?} leads out of the workspace, through the link {link:?}")]
    Outside {
        /// The path.
        path: PathBuf,
        /// The link, from the root of the workspace.
        link: PathBuf,
    },
    /// There are links on the way that lead in circles, or too many.
    #[error("{path:?} goes through too many links")]
    TooManyLinks {
        /// The path.
        path: PathBuf,
    },
    /// It is not there.
    #[error("there is no {missing:?} in the workspace")]
    NotFound {
        /// What is missing.
        missing: PathBuf,
    },
    /// It is there already.
    #[error("{path:?} is there already")]
    AlreadyExists {
        /// The path.
        path: PathBuf,
    },
    /// A file stands where a folder should.
    #[error("{path:?} is not a folder")]
    NotAFolder {
        /// The path.
        path: PathBuf,
    },
    /// A folder stands where a file should.
    #[error("{path:?} is a folder")]
    IsAFolder {
        /// The path.
        path: PathBuf,
    },
    /// It is a pipe, a socket or a device.
    #[error("{path:?} is neither a plain file nor a folder")]
    SpecialFile {
        /// The path.
        path: PathBuf,
    },
    /// The file has further names.
    #[error("{path:?} has {names} names (hard links), and the others may lie outside the workspace")]
    HardLink {
        /// The path.
        path: PathBuf,
        /// How many.
        names: u64,
    },
    /// Nobody may write it.
    #[error(
        "{path:?} is protected: no tool writes git's own files, Hansei's or agents' settings, or shell start-up files"
    )]
    Protected {
        /// The path.
        path: PathBuf,
    },
    /// The user made it read-only.
    #[error("{path:?} is read-only")]
    ReadOnly {
        /// The path.
        path: PathBuf,
    },
    /// It is larger than what is read or written at once.
    #[error("{path:?} has {size} bytes, and {most} are the most")]
    TooLarge {
        /// The path.
        path: PathBuf,
        /// How large it is.
        size: u64,
        /// How large it may be.
        most: u64,
    },
    /// Somebody else wrote it between reading and writing.
    #[error("{path:?} was changed by somebody else in the meantime; look at it again")]
    Changed {
        /// The path.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{path:?}: {source}")]
    System {
        /// The path.
        path: PathBuf,
        /// Its reason.
        source: std::io::Error,
    },
}
