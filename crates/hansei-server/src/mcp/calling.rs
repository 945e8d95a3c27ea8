//! A tool call under way: a command of our program as a child, within its time, and only as long as somebody waits for it.

use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::time::{Duration, Instant};

use hansei_workspace::bounded_process::{Failure, Finished, run_while_wanted};
use tempfile::NamedTempFile;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// As many calls are under way at once.
const AT_ONCE: u32 = 4;

/// A command that a tool call stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    words: Vec<Word>,
    input: Vec<u8>,
}

/// One argument of a command.
#[derive(Debug, PartialEq, Eq)]
enum Word {
    Plain(String),
    /// A text that the command reads from a file: the option that names it, and the text.
    File(&'static str, String),
}

impl Asked {
    /// The command with these words.
    pub(super) fn command(words: &[&str]) -> Self {
        let words = words.iter().map(|word| Word::Plain((*word).to_owned())).collect();
        Self { words, input: Vec::new() }
    }

    /// An option with its value, in one word: a value that begins with a hyphen stays a value.
    pub(super) fn option(&mut self, name: &str, value: &str) {
        self.words.push(Word::Plain(format!("--{name}={value}")));
    }

    /// The same where there is a value.
    pub(super) fn option_if(&mut self, name: &str, value: Option<impl ToString>) {
        if let Some(value) = value {
            self.option(name, &value.to_string());
        }
    }

    /// A word of its own.
    pub(super) fn word(&mut self, word: &str) {
        self.words.push(Word::Plain(word.to_owned()));
    }

    /// An option that reads `text` from standard input.
    pub(super) fn reading(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.option(name, "-");
        self.input = text.into();
    }

    /// An option that names a file with `text` in it, if there is a text.
    pub(super) fn reading_file(&mut self, name: &'static str, text: Option<&str>) {
        if let Some(text) = text {
            self.words.push(Word::File(name, text.to_owned()));
        }
    }

    /// Runs it with `program` in `folder`.
    pub(super) fn run(
        &self,
        program: &Path,
        folder: &Path,
        limit: Duration,
        is_over: &dyn Fn() -> bool,
    ) -> Result<Finished, Failure> {
        let unwritten = |source| Failure::Lost { program: program.display().to_string(), source };
        // They are removed with the last of them, when the command is done.
        let mut files: Vec<NamedTempFile> = Vec::new();
        let mut words: Vec<OsString> = Vec::new();
        for word in &self.words {
            match word {
                Word::Plain(word) => words.push(word.into()),
                Word::File(name, text) => {
                    let mut file = NamedTempFile::with_prefix("hansei-").map_err(unwritten)?;
                    file.write_all(text.as_bytes()).map_err(unwritten)?;
                    let mut word = OsString::from(format!("--{name}="));
                    word.push(file.path());
                    words.push(word);
                    files.push(file);
                }
            }
        }
        let mut command = Command::new(program);
        command.args(words).current_dir(folder);
        run_while_wanted(&mut command, &self.input, Instant::now() + limit, is_over)
    }

    /// Its words, for tests.
    #[cfg(test)]
    pub(super) fn line(&self) -> String {
        let words = self.words.iter().map(|word| match word {
            Word::Plain(word) => word.clone(),
            Word::File(name, text) => format!("--{name}=<{text}>"),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// What it reads, for tests.
    #[cfg(test)]
    pub(super) fn input(&self) -> &[u8] {
        &self.input
    }
}

/// The calls that are under way.
#[derive(Debug, Clone)]
pub(super) struct Calls(Arc<Semaphore>);

impl Calls {
    pub(super) fn new() -> Self {
        Self(Arc::new(Semaphore::new(AT_ONCE as usize)))
    }

    /// A place for one more call, as soon as there is one.
    pub(super) async fn place(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0).acquire_owned().await.ok()
    }

    /// Waits until none is under way.
    pub(super) async fn all_ended(&self) {
        let _ = self.0.acquire_many(AT_ONCE).await;
    }
}

/// The folder that a call names, seen from the server's own.
pub(super) fn folder(own: &Path, named: Option<&str>) -> Result<PathBuf, String> {
    let folder = named.map_or_else(|| own.to_owned(), |named| own.join(named));
    if folder.is_dir() { Ok(folder) } else { Err(format!("workspace: {} is not a folder", folder.display())) }
}
