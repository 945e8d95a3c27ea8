//! Where the key of a provider comes from, as a section of the user's settings says.

use hansei_models::{KeyCommand, KeySource};

/// The source that `section` names: a variable, a command, or neither; both are one too many.
pub fn source(
    section: &str,
    variable: Option<&String>,
    command: Option<&Vec<String>>,
) -> Result<KeySource, String> {
    match (variable, command) {
        (Some(_), Some(_)) => {
            Err(format!("{section}.key_env and {section}.key_command are both set; keep one"))
        }
        (Some(name), None) => Ok(KeySource::Variable(name.clone())),
        (None, Some(words)) => Ok(KeySource::Command(KeyCommand(words.clone()))),
        (None, None) => Ok(KeySource::UsualVariables),
    }
}
