//! Keys: from a variable of the environment or from a command that the user configured. A key is never written, and
//! nothing here shows one.

use std::process::Command;
use std::time::Instant;

use hansei_workspace::bounded_process;
use hansei_workspace::program::{self, Workspace};

use crate::Unavailable;
use crate::provider::Provider;

/// The longest key; what is longer is something else.
const LONGEST: usize = 16 * 1024;

/// Where the key comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeySource {
    /// The variables that the provider's users keep it in.
    UsualVariables,
    /// A variable that the user named.
    Variable(String),
    /// What a command prints.
    Command(KeyCommand),
}

/// A command that prints a key: a program and its arguments. No shell is involved unless it is named as the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyCommand(pub Vec<String>);

/// A key. It has no way to be shown.
#[derive(Clone)]
pub(crate) struct Key(String);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// The key itself, for a request.
    pub(crate) fn value(&self) -> &str {
        &self.0
    }

    /// The key for `provider`, or none where none is needed. `deadline` ends a command that takes too long.
    pub(crate) fn of(
        provider: Provider,
        source: &KeySource,
        deadline: Instant,
    ) -> Result<Option<Self>, Unavailable> {
        match source {
            KeySource::Command(command) => from_command(command, deadline).map(Some),
            KeySource::Variable(name) => match from_variable(name)? {
                Some(key) => Ok(Some(key)),
                None => Err(Unavailable::Key(format!(
                    "{name} is not set, and key_env in your config.toml names it"
                ))),
            },
            KeySource::UsualVariables => {
                let variables = provider.key_variables();
                for name in variables {
                    if let Some(key) = from_variable(name)? {
                        return Ok(Some(key));
                    }
                }
                match variables.first() {
                    None => Ok(None),
                    Some(name) => Err(Unavailable::Key(format!(
                        "{} needs a key; set {name}, or key_env or key_command in your config.toml",
                        provider.name()
                    ))),
                }
            }
        }
    }
}

fn from_variable(name: &str) -> Result<Option<Key>, Unavailable> {
    match std::env::var_os(name).filter(|value| !value.is_empty()) {
        None => Ok(None),
        Some(value) => match value.into_string().ok().as_deref().and_then(usable) {
            Some(key) => Ok(Some(key)),
            None => Err(Unavailable::Key(format!("what {name} holds is no key"))),
        },
    }
}

fn from_command(command: &KeyCommand, deadline: Instant) -> Result<Key, Unavailable> {
    let failed = |how: &str| Unavailable::Key(format!("key_command {how}"));
    let Some((program, arguments)) = command.0.split_first() else {
        return Err(failed("is empty"));
    };
    // Neither its words nor its complaints nor its output are repeated: any may hold the key.
    let program = program::find(program, Workspace::Here).map_err(|error| {
        failed(if error.left_out().is_some() {
            "could not be started: the workspace or another user could have put that program on PATH"
        } else {
            "could not be started"
        })
    })?;
    let done = match bounded_process::run(Command::new(program).args(arguments), deadline) {
        Ok(done) => done,
        Err(bounded_process::Failure::NotStarted { .. }) => return Err(failed("could not be started")),
        Err(bounded_process::Failure::TimedOut { .. }) => return Err(failed("did not finish in time")),
        Err(_) => return Err(failed("could not be read")),
    };
    if !done.status.success() {
        return Err(failed("failed"));
    }
    let text = String::from_utf8(done.stdout).ok();
    text.as_deref().and_then(usable).ok_or_else(|| failed("printed no key"))
}

/// A key is one line of visible characters: anything else could not be sent in a header.
fn usable(text: &str) -> Option<Key> {
    let text = text.trim();
    let fits = !text.is_empty() && text.len() <= LONGEST && text.chars().all(|c| c.is_ascii_graphic());
    fits.then(|| Key(text.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn command(words: &[&str], limit: Duration) -> Result<Option<Key>, Unavailable> {
        let command = KeyCommand(words.iter().map(|word| (*word).to_owned()).collect());
        Key::of(Provider::OpenAi, &KeySource::Command(command), Instant::now() + limit)
    }

    #[test]
    fn a_command_gives_the_key_and_its_failures_do_not_show_one() {
        let patience = Duration::from_secs(20);
        assert_eq!(command(&["echo", "sk-fake-1"], patience).unwrap().unwrap().value(), "sk-fake-1");
        // Words are words: without a shell in the list, nothing is expanded.
        assert!(command(&["echo", "$HOME", ";", "id"], patience).is_err());
        for (words, part) in [
            (&["sh", "-c", "echo sk-fake-2; echo sk-fake-2 >&2; exit 1"][..], "failed"),
            (&["sh", "-c", "echo sk-fake-2 two words"], "printed no key"),
            (&["true"], "printed no key"),
            (&["/no/such/sk-fake-2"], "could not be started"),
            (&[], "is empty"),
        ] {
            let error = command(words, patience).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
            assert!(!format!("{error} {error:?}").contains("sk-fake-2"), "{error:?}");
        }
        let error = command(&["sleep", "600"], Duration::from_millis(200)).unwrap_err();
        assert!(error.to_string().contains("did not finish in time"), "{error}");
    }

    #[test]
    fn a_key_cannot_be_shown() {
        let key = usable(" sk-fake-3\n").unwrap();
        assert_eq!(key.value(), "sk-fake-3");
        assert!(!format!("{key:?} {:?}", Some(key.clone())).contains("sk-fake-3"));
        let none = |source| Key::of(Provider::Ollama, &source, Instant::now());
        assert!(none(KeySource::UsualVariables).unwrap().is_none());
        let error = none(KeySource::Variable("HANSEI_TEST_NO_SUCH_KEY".to_owned())).unwrap_err();
        assert!(error.to_string().contains("HANSEI_TEST_NO_SUCH_KEY is not set"), "{error}");
    }
}
