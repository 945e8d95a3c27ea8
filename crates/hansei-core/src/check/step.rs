//! What a simple command means for the exit code of its line, when it is no check itself.

use super::shell_line::List;
use super::shell_words::Word;
use super::words;

/// The part of a simple command in the line's exit code.
#[derive(Debug, Clone, Default)]
pub(super) enum Step {
    /// Succeeds or fails; nobody knows.
    #[default]
    Any,
    /// The check with this number.
    Check(usize),
    /// Succeeds, for all practical purposes: `echo`, `cd`, `true`.
    Succeeds,
    /// `false`
    Fails,
    /// Assignments only: the code of the last substitution in them, else success.
    Assigns,
    /// `rc=$?`: keeps a code for later.
    Keeps(Code, String),
    /// `exit` or `return` with a code.
    Exits(Code),
    /// `[ $rc -eq 0 ]`: succeeds when the code is zero (`true`) or when it is not (`false`).
    Compares(Code, bool),
    /// `echo "exit: $?"`: prints a code after this text.
    Prints(Code, String),
    /// `set -e`, `set +o pipefail`: each option with its new value, where named.
    Options { errexit: Option<bool>, pipefail: Option<bool> },
    /// A script of its own: `bash -c '…'`, or a check behind wrappers.
    Script(List),
    /// The same, but its code is lost: `watch`, `docker run -d`.
    Swallows(List),
}

/// A code that a command refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Code {
    Zero,
    NonZero,
    /// `$?`
    Last,
    /// `${PIPESTATUS[0]}`
    FirstOfPipe,
    /// `$rc`, whatever was kept under that name.
    Kept(String),
}

impl Code {
    /// The code that `text` is, or stands for.
    fn read(text: &str) -> Option<Self> {
        match text {
            "0" => Some(Self::Zero),
            "$?" | "${?}" | "$LASTEXITCODE" => Some(Self::Last),
            "${PIPESTATUS[0]}" | "${PIPESTATUS}" | "$PIPESTATUS" | "${pipestatus[1]}" | "$pipestatus[1]" => {
                Some(Self::FirstOfPipe)
            }
            _ if text.parse::<u16>().is_ok() => Some(Self::NonZero),
            _ => {
                let name = text.strip_prefix('$')?;
                let name = name.strip_prefix('{').and_then(|name| name.strip_suffix('}')).unwrap_or(name);
                is_name(name).then(|| Self::Kept(name.to_owned()))
            }
        }
    }
}

/// The step of a simple command with these words, which hold no check.
pub(super) fn step_of(words: &[Word]) -> Step {
    let assignments = words.iter().take_while(|word| is_assignment(&word.text)).count();
    let Some(program) = words.get(assignments) else {
        return assignment(words.last());
    };
    let rest = &words[assignments + 1..];
    match program.text.as_str() {
        "exit" | "return" => Step::Exits(match rest.first() {
            None => Code::Last,
            Some(code) => Code::read(&code.text).unwrap_or(Code::Kept(String::new())),
        }),
        "set" => options(rest),
        "false" => Step::Fails,
        "echo" | "printf" => prints(rest).unwrap_or(Step::Succeeds),
        "[" | "[[" | "test" | "((" => compares(rest).unwrap_or(Step::Any),
        "export" | "local" | "declare" if rest.len() == 1 && rest[0].text.ends_with("=$?") => {
            assignment(rest.first())
        }
        // Standing at the end of a pipe they read it; with a file named they may fail to find it.
        name if words::is(name, "succeeds") => Step::Succeeds,
        _ => Step::Any,
    }
}

fn assignment(word: Option<&Word>) -> Step {
    let Some((name, value)) = word.and_then(|word| word.text.split_once('=')) else { return Step::Assigns };
    match Code::read(value) {
        Some(code @ (Code::Last | Code::FirstOfPipe)) => Step::Keeps(code, name.to_owned()),
        _ => Step::Assigns,
    }
}

fn options(words: &[Word]) -> Step {
    let (mut errexit, mut pipefail) = (None, None);
    let mut long = None;
    for word in words {
        let text = word.text.as_str();
        if let Some(value) = long.take() {
            match text {
                "pipefail" => pipefail = Some(value),
                "errexit" => errexit = Some(value),
                _ => {}
            }
            continue;
        }
        let value = text.starts_with('-');
        if !value && !text.starts_with('+') {
            continue;
        }
        if text.contains('e') {
            errexit = Some(value);
        }
        if text.ends_with('o') {
            long = Some(value);
        }
    }
    Step::Options { errexit, pipefail }
}

/// The options that `-euo pipefail` among the arguments of a shell sets.
pub(super) fn shell_options(words: &[Word]) -> Step {
    options(words)
}

fn prints(words: &[Word]) -> Option<Step> {
    let text = words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ");
    let at = text.find('$')?;
    let rest = &text[at..];
    let end = rest[1..]
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '{' | '}' | '[' | ']' | '?')))
        .map_or(rest.len(), |n| n + 1);
    let code = Code::read(rest[..end].trim_end_matches(']')).or_else(|| Code::read(&rest[..end]))?;
    let before = text[..at].trim_start_matches("-e ").trim_start_matches("-n ").rsplit(['\n']).next()?;
    let before = before.rsplit_once("\\n").map_or(before, |(_, after)| after);
    Some(Step::Prints(code, before.trim_start().to_owned()))
}

fn compares(words: &[Word]) -> Option<Step> {
    let [left, operator, right, ..] = words else { return None };
    let code = match Code::read(&left.text)? {
        Code::Zero | Code::NonZero => return None,
        code => code,
    };
    if right.text != "0" {
        return None;
    }
    match operator.text.as_str() {
        "-eq" | "=" | "==" => Some(Step::Compares(code, true)),
        "-ne" | "!=" | "-gt" => Some(Step::Compares(code, false)),
        _ => None,
    }
}

/// Whether `text` is `NAME=value`.
pub(super) fn is_assignment(text: &str) -> bool {
    text.split_once('=').is_some_and(|(name, _)| is_name(name.trim_end_matches('+')))
}

fn is_name(text: &str) -> bool {
    !text.is_empty()
        && !text.as_bytes()[0].is_ascii_digit()
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}
