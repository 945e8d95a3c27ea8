//! A program as provider, called as promptfoo calls it: the prompt, the provider's options and the context as its last
//! three arguments; what it prints is the answer. No shell is involved.

use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};

use hansei_workspace::bounded_process::{self, Failure};
use hansei_workspace::program;
use serde_json::{Map, Value, json};

use super::{Answer, Provider, ProviderError};

/// The longest that a program may take to answer.
const TIME: Duration = Duration::from_mins(5);
/// The longest answer.
const LONGEST: usize = 4 << 20;

/// A program that answers.
#[derive(Debug, Clone)]
pub struct Exec {
    command: String,
    words: Vec<String>,
    /// Where it is started.
    folder: PathBuf,
    /// What the eval file says about it, for the program to read.
    config: Value,
}

impl Exec {
    /// The program that `command` names, with its first arguments, started in `folder`.
    pub fn new(command: &str, folder: PathBuf, config: Value) -> Self {
        Self { command: command.to_owned(), words: split(command), folder, config }
    }
}

impl Provider for Exec {
    fn name(&self) -> String {
        format!("exec:{}", self.command)
    }

    fn ready(&self) -> Result<(), ProviderError> {
        let missing = |what: String| Err(ProviderError::Missing(what));
        let Some(name) = self.words.first() else {
            return missing("exec: names no program".to_owned());
        };
        let found = if name.contains('/') {
            self.folder.join(name).is_file()
        } else {
            let path = std::env::var_os("PATH").unwrap_or_default();
            program::is_there(name, &path)
        };
        if found {
            Ok(())
        } else {
            missing(format!("there is no program {name}; install it, or name another"))
        }
    }

    fn answer(&self, prompt: &str, vars: &Map<String, Value>) -> Result<Answer, ProviderError> {
        let failed = |what: String| ProviderError::Failed(what);
        let Some((name, arguments)) = self.words.split_first() else {
            return Err(failed("exec: names no program".to_owned()));
        };
        let program = if name.contains('/') { self.folder.join(name) } else { PathBuf::from(name) };
        let context = json!({ "vars": vars, "prompt": { "raw": prompt, "label": prompt } });
        let mut command = Command::new(program);
        command
            .args(arguments)
            .arg(prompt)
            .arg(json!({ "config": self.config }).to_string())
            .arg(context.to_string())
            .current_dir(&self.folder);
        let done = match bounded_process::run(&mut command, Instant::now() + TIME) {
            Ok(done) => done,
            Err(Failure::TimedOut { .. }) => {
                return Err(failed(format!("{name} did not answer within {} s", TIME.as_secs())));
            }
            Err(other) => return Err(failed(other.to_string())),
        };
        if !done.status.success() {
            let complaint: String = done.stderr.chars().take(400).collect();
            return Err(failed(format!("{name} ended with {}: {complaint}", done.status)));
        }
        if done.stdout.len() > LONGEST {
            return Err(failed(format!("{name} printed more than {} MiB", LONGEST >> 20)));
        }
        let output = without_escapes(String::from_utf8_lossy(&done.stdout).trim());
        if output.is_empty() && !done.stderr.is_empty() {
            return Err(failed(done.stderr.chars().take(400).collect()));
        }
        Ok(Answer::of(output))
    }
}

/// The words of a command; quotes hold words together.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = command.trim_start();
    while let Some(first) = rest.chars().next() {
        let quoted = matches!(first, '"' | '\'').then(|| rest[1..].find(first)).flatten();
        let word = if let Some(end) = quoted {
            let word = &rest[1..=end];
            rest = &rest[end + 2..];
            word
        } else {
            let end = rest[1..]
                .find(|c: char| c.is_whitespace() || c == '"' || c == '\'')
                .map_or(rest.len(), |end| end + 1);
            let word = &rest[..end];
            rest = &rest[end..];
            word
        };
        words.push(word.to_owned());
        rest = rest.trim_start();
    }
    words
}

/// `text` without the codes that colour a terminal.
fn without_escapes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars().peekable();
    while let Some(c) = letters.next() {
        if c != '\u{1b}' {
            out.push(c);
        } else if letters.next_if_eq(&'[').is_some() {
            while letters.next_if(|c| ('\u{20}'..='\u{3f}').contains(c)).is_some() {}
            letters.next_if(|c| ('@'..='~').contains(c));
        } else {
            letters.next_if(|c| ('@'..='_').contains(c));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        for (command, words) in [
            ("node a.js", vec!["node", "a.js"]),
            ("  sh  -c 'echo \"x y\"' \"two words\" ", vec!["sh", "-c", "echo \"x y\"", "two words"]),
            ("it's", vec!["it", "'s"]),
            ("", vec![]),
        ] {
            assert_eq!(split(command), words, "{command}");
        }
        assert_eq!(without_escapes("\u{1b}[1;31mred\u{1b}[0m \u{1b}Mup"), "red up");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_gets_the_prompt_the_options_and_the_context() {
        let folder = tempfile::tempdir().unwrap();
        let ask = |command: &str, prompt: &str| {
            let exec = Exec::new(command, folder.path().to_owned(), json!({ "k": 1 }));
            exec.ready()?;
            let Value::Object(vars) = json!({ "v": "x" }) else { unreachable!() };
            exec.answer(prompt, &vars).map(|answer| answer.output)
        };
        assert_eq!(
            ask("sh -c 'printf \"%s|\" \"$@\"' sh first", "$(id) 'p'").unwrap(),
            r#"first|$(id) 'p'|{"config":{"k":1}}|{"vars":{"v":"x"},"prompt":{"raw":"$(id) 'p'","label":"$(id) 'p'"}}|"#
        );
        for (command, part) in [
            ("sh -c 'echo bad >&2; exit 3'", "bad"),
            ("sh -c 'echo only complaints >&2'", "only complaints"),
            ("no-such-program-at-all", "there is no program"),
            ("./none.sh", "there is no program"),
            ("", "names no program"),
        ] {
            let error = ask(command, "p").unwrap_err().to_string();
            assert!(error.contains(part), "{command}: {error}");
        }
    }
}
