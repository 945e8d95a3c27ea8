//! How a command fails: what was wrong, what to do next, and with which exit code.

use std::process::ExitCode;

/// A failed command.
#[derive(Debug)]
pub struct Failure {
    message: String,
    hint: Option<String>,
    code: u8,
}

impl Failure {
    /// The command was used wrongly.
    pub fn usage(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 2 }
    }

    /// Something outside that the command needs is missing or broken.
    pub fn environment(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 3 }
    }

    /// The answer is no.
    pub fn refused(message: impl Into<String>) -> Self {
        Self { message: message.into(), hint: None, code: 1 }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Says what it is about.
    #[must_use]
    pub fn about(mut self, what: &str) -> Self {
        self.message = format!("{what}: {}", self.message);
        self
    }

    /// What was wrong.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Tells the user, and gives the exit code.
    pub fn report(&self) -> ExitCode {
        anstream::eprintln!("error: {}", crate::terminal::visible(&self.message));
        if let Some(hint) = &self.hint {
            anstream::eprintln!("hint: {hint}");
        }
        ExitCode::from(self.code)
    }
}

impl From<hansei_workspace::git::GitError> for Failure {
    fn from(error: hansei_workspace::git::GitError) -> Self {
        use hansei_workspace::git::GitError;
        match error {
            GitError::NotFound(_) => Self::environment(error.to_string()).hint("install git and try again"),
            _ => Self::environment(error.to_string()),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self::environment(error.to_string())
    }
}

impl From<hansei_record::settings::SettingsError> for Failure {
    fn from(error: hansei_record::settings::SettingsError) -> Self {
        Self::usage(error.to_string())
    }
}

/// What a command answers: its exit code, or how it failed.
pub type Answer = Result<ExitCode, Failure>;
