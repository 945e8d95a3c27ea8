//! Commands that run another command: `timeout 60 …`, `docker compose exec web …`, `uv run …`, `bash -c '…'`.
//!
//! They are data, in `wrappers.txt`: how they are called, which of their options take a value, and what becomes of the
//! command's exit code.

use std::sync::LazyLock;

use serde::Deserialize;

use super::recognise::program_name;
use super::shell_words::Word;
use super::step::is_assignment;
use super::{windows, words};
use crate::tables::{named, rows};

/// A wrapper.
struct Wrapper {
    /// The words it is called with, the program first.
    called: Vec<&'static str>,
    hands_on: HandsOn,
    /// Options that take the next word as their value; the one after which a command follows.
    options: Vec<&'static str>,
}

/// What becomes of the exit code of the command inside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HandsOn {
    /// It is the wrapper's.
    Runs,
    /// The same, and a word of the wrapper's own stands before the command.
    Behind,
    /// The same, with the options that containers are run with.
    Container,
    /// It is lost.
    Loses,
    /// It is the wrapper's, but only after an option does a command follow at all.
    After,
}

static WRAPPERS: LazyLock<Vec<Wrapper>> = LazyLock::new(|| {
    let read = |(called, is): (&'static str, &'static str)| {
        let mut is = is.split(' ');
        let hands_on = named(is.next()?)?;
        let of_container = if hands_on == HandsOn::Container { words::of("container-options") } else { &[] };
        let options = is.chain(of_container.iter().copied()).collect();
        Some(Wrapper { called: called.split(' ').collect(), hands_on, options })
    };
    rows(include_str!("wrappers.txt")).filter_map(read).collect()
});

/// What a wrapper holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Inside<'a> {
    /// The words of another command; whether its code is lost.
    Words { words: &'a [Word], code_lost: bool },
    /// A script, and the words among which options of the shell may stand.
    Script { text: String, options: &'a [Word] },
}

/// What `words` wrap, if they are a wrapper. Leading assignments must have been taken off.
pub(super) fn unwrap(words: &[Word]) -> Option<Inside<'_>> {
    let program = name(words.first()?);
    if words::is(program, "shells") {
        return shell(words);
    }
    match program {
        "cmd" => {
            let at =
                words.iter().position(|word| word.text.trim_start_matches('/').eq_ignore_ascii_case("c"))?;
            return Some(Inside::Script { text: windows::of_cmd(&joined(&words[at + 1..])), options: &[] });
        }
        "pwsh" | "powershell" => {
            let is = |word: &Word| ["-command", "-c"].contains(&&*word.text.to_lowercase());
            let at = words.iter().position(is)?;
            return Some(Inside::Script {
                text: windows::of_powershell(&joined(&words[at + 1..])),
                options: &[],
            });
        }
        "wsl" => return in_wsl(words),
        // `command -v pytest` only asks where it is.
        "command" if words.get(1).is_some_and(|word| matches!(word.text.as_str(), "-v" | "-V")) => {
            return None;
        }
        "eval" => return Some(Inside::Script { text: joined(&words[1..]), options: &[] }),
        "ssh" => return remote(words),
        "su" | "runuser" | "script" | "nix-shell" => {
            return script_after(words, &["-c", "--command", "--run"]);
        }
        "find" | "fd" => return found(words),
        _ => {}
    }
    WRAPPERS.iter().filter(|wrapper| wrapper.called[0] == program).find_map(|wrapper| held(wrapper, words))
}

/// The name of a program without its folder, so that `/usr/bin/timeout` is `timeout`.
pub(super) fn name(word: &Word) -> &str {
    let text = word.text.as_str();
    program_name(text.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(text))
}

/// `wsl -d Ubuntu -e cargo test`, `wsl bash -lc '…'`
fn in_wsl(words: &[Word]) -> Option<Inside<'_>> {
    let rest = &words[1..];
    let options = skipped_options(rest, &["-d", "--distribution", "-u", "--user", "--cd", "--shell-type"]);
    inner(&rest[options..], false)
}

fn joined(words: &[Word]) -> String {
    words.iter().map(|word| word.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn held<'a>(wrapper: &Wrapper, words: &'a [Word]) -> Option<Inside<'a>> {
    let mut rest = &words[1..];
    for expected in &wrapper.called[1..] {
        rest = &rest[skipped_options(rest, &wrapper.options)..];
        rest = rest.split_first().filter(|(first, _)| first.text == *expected)?.1;
    }
    if wrapper.hands_on == HandsOn::After {
        let at = rest.iter().position(|word| wrapper.options.contains(&word.text.as_str()))?;
        return inner(&rest[at + 1..], false);
    }
    let options = skipped_options(rest, &wrapper.options);
    let behind = matches!(wrapper.hands_on, HandsOn::Behind | HandsOn::Container);
    let detached =
        behind && rest[..options].iter().any(|word| matches!(word.text.as_str(), "-d" | "--detach"));
    let mut rest = rest.get(options + usize::from(behind)..)?;
    if rest.first().is_some_and(|word| word.text == "--") {
        rest = &rest[1..];
    }
    inner(rest, detached || wrapper.hands_on == HandsOn::Loses)
}

fn inner(words: &[Word], code_lost: bool) -> Option<Inside<'_>> {
    let assignments = words.iter().take_while(|word| is_assignment(&word.text)).count();
    let words = &words[assignments..];
    (!words.is_empty()).then_some(Inside::Words { words, code_lost })
}

/// How many words at the beginning are options, their values, and assignments.
fn skipped_options(words: &[Word], valued: &[&str]) -> usize {
    let mut at = 0;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if text == "--" {
            return at + 1;
        }
        if !(text.starts_with('-') && text.len() > 1 || is_assignment(text) || text.starts_with('+')) {
            break;
        }
        at += if valued.contains(&text) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// `bash -euo pipefail -c '…'`
fn shell(words: &[Word]) -> Option<Inside<'_>> {
    let mut at = 1;
    while let Some(word) = words.get(at) {
        let text = word.text.as_str();
        if !text.starts_with(['-', '+']) {
            return None;
        }
        if !text.starts_with("--") && text.contains('c') {
            // `-o pipefail` may still stand between `-c` and the script only in theory.
            return Some(Inside::Script { text: words.get(at + 1)?.text.clone(), options: &words[1..=at] });
        }
        at += if text.ends_with('o') { 2 } else { 1 };
    }
    None
}

/// The machine that `ssh` names, if `words` are one.
pub(super) fn host(words: &[Word]) -> Option<&str> {
    (name(words.first()?) == "ssh")
        .then(|| words.get(host_at(words)).map(|word| word.text.as_str()))
        .flatten()
}

fn host_at(words: &[Word]) -> usize {
    1 + skipped_options(&words[1..], &["-p", "-i", "-l", "-o", "-F", "-J", "-L", "-R"])
}

fn remote(words: &[Word]) -> Option<Inside<'_>> {
    let rest = words.get(host_at(words) + 1..)?;
    (!rest.is_empty()).then(|| Inside::Script { text: joined(rest), options: &[] })
}

fn script_after<'a>(words: &'a [Word], options: &[&str]) -> Option<Inside<'a>> {
    let at = words.iter().position(|word| options.contains(&word.text.as_str()))?;
    Some(Inside::Script { text: words.get(at + 1)?.text.clone(), options: &[] })
}

/// `find … -exec check {} \;` succeeds whatever the check says; with `+` the code is handed on.
fn found(words: &[Word]) -> Option<Inside<'_>> {
    let at = words.iter().position(|word| matches!(word.text.as_str(), "-exec" | "-execdir" | "-x"))?;
    let rest = &words[at + 1..];
    let end = rest.iter().position(|word| matches!(word.text.as_str(), ";" | "+")).unwrap_or(rest.len());
    let code_lost = rest.get(end).is_some_and(|word| word.text == ";");
    inner(&rest[..end], code_lost)
}
