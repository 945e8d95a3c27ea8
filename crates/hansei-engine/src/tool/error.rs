//! How a tool says no: a code that programs rely on, and a message that helps whoever reads it on.

use hansei_core::text_edit::Undecodable;
use hansei_workspace::beneath::Refusal;
use hansei_workspace::sandbox;
use serde::Serialize;

/// What kind of error it is. Codes are never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// A path begins at the root of the machine.
    AbsolutePath,
    /// A path has a `..` in it.
    ParentInPath,
    /// No file can have this path.
    BadPath,
    /// A link leads out of the workspace.
    OutsideWorkspace,
    /// Links lead in circles.
    TooManyLinks,
    /// It is not there.
    NotFound,
    /// It is there already.
    AlreadyExists,
    /// A file stands where a folder should.
    NotAFolder,
    /// A folder stands where a file should.
    IsAFolder,
    /// A pipe, a socket or a device.
    SpecialFile,
    /// The file has further names.
    HardLink,
    /// Nobody may write it.
    Protected,
    /// The user made it read-only.
    ReadOnly,
    /// More than is read or written at once.
    TooLarge,
    /// Not text.
    Binary,
    /// Text, but not UTF-8.
    Encoding,
    /// The anchor is not there.
    NoMatch,
    /// The anchor is there more than once.
    NotUnique,
    /// The edit would change nothing.
    NoChange,
    /// There is no such line.
    BeyondEnd,
    /// Somebody else changed the file meanwhile.
    ChangedMeanwhile,
    /// The input is not what the tool takes.
    BadInput,
    /// There is no such tool.
    UnknownTool,
    /// The command's time was over.
    TimedOut,
    /// The command wanted more memory than it may have.
    OutOfMemory,
    /// The command wanted more processes than it may have.
    TooManyProcesses,
    /// The command wanted the network, which is not there.
    NetworkBlocked,
    /// There is no sandbox here.
    NoSandbox,
    /// The system refused.
    System,
}

/// Why a tool did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ToolError {
    /// What kind of error it is.
    pub code: Code,
    /// What was wrong, and what would be right.
    pub message: String,
}

impl ToolError {
    /// An error with this code.
    pub fn new(code: Code, message: impl Into<String>) -> Self {
        Self { code, message: message.into() }
    }

    /// The input is not what the tool takes.
    pub(super) fn bad_input(message: impl Into<String>) -> Self {
        Self::new(Code::BadInput, message)
    }
}

impl From<Refusal> for ToolError {
    fn from(refusal: Refusal) -> Self {
        let code = match &refusal {
            Refusal::Absolute { .. } => Code::AbsolutePath,
            Refusal::Parent { .. } => Code::ParentInPath,
            Refusal::Malformed { .. } => Code::BadPath,
            Refusal::Outside { .. } => Code::OutsideWorkspace,
            Refusal::TooManyLinks { .. } => Code::TooManyLinks,
            Refusal::NotFound { .. } => Code::NotFound,
            Refusal::AlreadyExists { .. } => Code::AlreadyExists,
            Refusal::NotAFolder { .. } => Code::NotAFolder,
            Refusal::IsAFolder { .. } => Code::IsAFolder,
            Refusal::SpecialFile { .. } => Code::SpecialFile,
            Refusal::HardLink { .. } => Code::HardLink,
            Refusal::Protected { .. } => Code::Protected,
            Refusal::ReadOnly { .. } => Code::ReadOnly,
            Refusal::TooLarge { .. } => Code::TooLarge,
            Refusal::Changed { .. } => Code::ChangedMeanwhile,
            Refusal::System { .. } => Code::System,
        };
        Self::new(code, refusal.to_string())
    }
}

impl From<sandbox::Refusal> for ToolError {
    fn from(refusal: sandbox::Refusal) -> Self {
        match &refusal {
            sandbox::Refusal::NoSandbox { install, .. } => {
                Self::new(Code::NoSandbox, format!("{refusal}; {install}"))
            }
            sandbox::Refusal::BadRequest(_) => Self::bad_input(refusal.to_string()),
            sandbox::Refusal::Failed { .. } => Self::new(Code::System, refusal.to_string()),
        }
    }
}

/// An error about the content of the file at `path`.
pub(super) fn undecodable(path: &dyn std::fmt::Display, why: &Undecodable) -> ToolError {
    let code = match why {
        Undecodable::Binary { .. } => Code::Binary,
        Undecodable::Encoding { .. } => Code::Encoding,
    };
    let advice = "text in UTF-8 is read and edited here; for anything else use the shell";
    ToolError::new(code, format!("{path}: {why}; {advice}"))
}
