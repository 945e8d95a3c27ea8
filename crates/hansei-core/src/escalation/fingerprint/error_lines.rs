//! The lines of an output that say what went wrong, whatever printed them: typed exceptions, compilers' complaints, panics;
//! where there are none, plain `error:` lines; where there are none of those, the last line.

use super::normal::{normal, normal_path};

/// One error.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ErrorLine {
    /// Its type and what it says, normalised.
    pub(super) text: String,
    /// The file it stands in, from where the project begins.
    pub(super) file: Option<String>,
}

/// How much a line says about the cause; only the best of an output count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Strength {
    /// A shell or `make` says that something failed.
    Hint,
    /// `error:` and what.
    Plain,
    /// An exception, a panic, a compiler's complaint.
    Typed,
}

const LONGEST_LINE: usize = 2_000;

/// The errors of an output; where no line says one, its last line.
pub(super) fn error_lines(lines: &[String]) -> Vec<ErrorLine> {
    let found = known_errors(lines);
    if !found.is_empty() {
        return found;
    }
    let last = lines.iter().rev().map(|line| normal(line)).find(|line| line.chars().any(char::is_alphabetic));
    last.map(|text| ErrorLine { text, file: None }).into_iter().collect()
}

/// The lines that say what went wrong; none where none does.
pub(super) fn known_errors(lines: &[String]) -> Vec<ErrorLine> {
    let mut found: Vec<(Strength, ErrorLine)> = Vec::new();
    let mut frame: Option<String> = None;
    for (at, line) in lines.iter().enumerate() {
        let line = line.get(..line.floor_char_boundary(LONGEST_LINE)).unwrap_or_default();
        let line = without_time(without_worker(line.trim()));
        let line = without_level(line);
        if line.is_empty() || is_noise(line) {
            continue;
        }
        if let Some(file) = python_frame(line) {
            if !is_library(file) {
                frame = Some(normal_path(file));
            }
            continue;
        }
        if let Some(file) = stack_frame(line) {
            if let Some((_, last)) = found.last_mut()
                && last.file.is_none()
                && !is_library(file)
            {
                last.file = Some(normal_path(file));
            }
            continue;
        }
        if let Some(file) = rust_arrow(line) {
            if let Some((_, last)) = found.last_mut()
                && last.file.is_none()
            {
                last.file = Some(normal_path(file));
            }
            continue;
        }
        if let Some((strength, mut error)) = error_of(line, lines, at) {
            let typed_by_place = error.file.is_some() && is_type_alone(&error.text);
            if typed_by_place
                && let Some((_, last)) = found.last_mut()
                && last.text.starts_with(error.text.as_str())
            {
                // pytest says the type again beside the place.
                last.file = error.file.take().or(last.file.take());
                continue;
            }
            if error.file.is_none() {
                error.file = frame.take();
            }
            found.push((strength, error));
        }
    }
    let best = found.iter().map(|(strength, _)| *strength).max();
    found.into_iter().filter(|(strength, _)| Some(*strength) == best).map(|(_, error)| error).collect()
}

fn error_of(line: &str, lines: &[String], at: usize) -> Option<(Strength, ErrorLine)> {
    let error = |strength, text: &str, file: Option<&str>| {
        let text = normal(text);
        let file = file.map(normal_path);
        (!text.is_empty()).then_some((strength, ErrorLine { text, file }))
    };
    if let Some(place) =
        line.strip_prefix("thread ").and_then(|_| line.split_once(" panicked at ")).map(|(_, place)| place)
    {
        // Older versions say the message first, in quotes, and the place behind it.
        let quoted = place.strip_prefix('\'').and_then(|rest| rest.rsplit_once("', "));
        let next = || lines[at + 1..].iter().map(|line| line.trim()).find(|line| !line.is_empty());
        let (message, place) = quoted.unwrap_or_else(|| (next().unwrap_or_default(), place));
        return error(Strength::Typed, &format!("panicked: {message}"), place.split(':').next());
    }
    // pytest: `E   TypeError: …`, `E   assert 3 == 4`
    let raised = line.strip_prefix("E  ").map(str::trim);
    if let Some(raised) = raised {
        return match typed(raised) {
            Some(text) => error(Strength::Typed, text, None),
            None if raised.starts_with("assert ") => {
                error(Strength::Typed, &format!("AssertionError: {raised}"), None)
            }
            None => None,
        };
    }
    if let Some(reference) = line.find("undefined reference to ") {
        return error(Strength::Typed, &line[reference..], None);
    }
    if let Some((file, message)) = placed(line) {
        return complaint(message).and_then(|message| error(Strength::Typed, message, Some(file)));
    }
    if let Some(text) = typed(line) {
        return error(Strength::Typed, text, None);
    }
    if is_coded(line) {
        return error(Strength::Typed, line, None);
    }
    if let Some(message) = line.strip_prefix("panic: ") {
        return error(Strength::Typed, &format!("panic: {}", message.trim_end_matches(" [recovered]")), None);
    }
    let lower = line.to_ascii_lowercase();
    if let Some(text) = plain_error(line, &lower) {
        return error(Strength::Plain, text, None);
    }
    let hints = [
        "command not found",
        "not found",
        "no such file or directory",
        "permission denied",
        "segmentation fault",
        "killed",
        "connection refused",
        "no space left on device",
        "timed out",
        "aborted",
        "core dumped",
        "***",
    ];
    hints.iter().any(|hint| lower.contains(hint)).then(|| error(Strength::Hint, line, None))?
}

/// `TypeError: …`, `java.lang.NullPointerException`, also behind `Caused by:` and the like.
fn typed(line: &str) -> Option<&str> {
    let mut rest = line;
    for before in [
        "Exception in thread ", "Caused by: ", "Uncaught ", "Unhandled ", "[error] ", "error: Uncaught ",
        "error: ", "● ",
    ] {
        if let Some(behind) = rest.strip_prefix(before) {
            rest = if before.ends_with("thread ") {
                behind.split_once("\" ").map_or(behind, |(_, behind)| behind)
            } else {
                behind
            };
        }
    }
    let end = rest
        .find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '$')))
        .unwrap_or(rest.len());
    let (name, behind) = rest.split_at(end);
    let simple = name.rsplit('.').next().unwrap_or_default();
    let is_type = TYPE_ENDINGS.iter().any(|ending| simple.ends_with(ending))
        && simple.starts_with(|c: char| c.is_ascii_uppercase())
        && simple != "Exception"
        || (simple == "Exception" && behind.starts_with(':'));
    let ends = behind.is_empty()
        || behind.starts_with(':')
        || behind.starts_with(" [")
        || behind.starts_with(" at ")
        || behind.starts_with('(');
    (is_type && ends).then_some(rest)
}

const TYPE_ENDINGS: &[&str] = &[
    "Error", "Exception", "Interrupt", "Exit", "Warning", "NotFound", "DoesNotExist", "StopIteration",
    "Fault", "Failure", "Invalid",
];

fn is_type_alone(text: &str) -> bool {
    !text.contains(' ') && typed(text).is_some()
}

/// `error[E0308]: …`, `error TS2322: …`, `error CS1002`
fn is_coded(line: &str) -> bool {
    let Some(rest) = line.strip_prefix("error") else { return false };
    rest.starts_with('[') || {
        let code = rest.trim_start().split(':').next().unwrap_or_default();
        rest.starts_with(' ')
            && code.len() >= 4
            && code.bytes().any(|b| b.is_ascii_digit())
            && code.bytes().all(|b| b.is_ascii_alphanumeric())
    }
}

/// The file and the rest of `a.c:3:5: …`, `A.java:[3,5] …`, `a.ts(3,5): …`.
fn placed(line: &str) -> Option<(&str, &str)> {
    let line = line.strip_prefix("vet: ").unwrap_or(line);
    let from = if line.get(1..3) == Some(":\\") || line.get(1..3) == Some(":/") { 2 } else { 0 };
    let cut = line[from..].find([':', '(']).map(|at| at + from)?;
    let (file, rest) = line.split_at(cut);
    let name = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_file = !file.contains(' ')
        && name.rsplit_once('.').is_some_and(|(stem, kind)| {
            !stem.is_empty()
                && (1..=6).contains(&kind.len())
                && kind.chars().all(|c| c.is_ascii_alphanumeric())
        });
    if !is_file {
        return None;
    }
    let rest = rest.trim_start_matches([':', '(', '[']);
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return None;
    }
    let end = rest
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, ':' | ',' | '-' | ')' | ']')))
        .unwrap_or(rest.len());
    Some((file, rest[end..].trim()))
}

/// What a place complains about, unless it only warns.
fn complaint(message: &str) -> Option<&str> {
    let lower = message.to_ascii_lowercase();
    let harmless = [
        "warning", "note:", "info", "help:", "in function", "hint", "required from", "debug", "passed",
        "error:\n",
    ];
    if message.is_empty() || harmless.iter().any(|word| lower.starts_with(word)) {
        return None;
    }
    let message = message.trim_start_matches("- ");
    Some(strip(message, &["fatal error: ", "error: ", "Error: "]))
}

fn strip<'a>(text: &'a str, before: &[&str]) -> &'a str {
    before.iter().find_map(|start| text.strip_prefix(start)).unwrap_or(text)
}

fn plain_error<'a>(line: &'a str, lower: &str) -> Option<&'a str> {
    for start in
        ["error: ", "fatal: ", "fatal error: ", "err! ", "npm err! ", "npm error ", "failed: ", "e: "]
    {
        if lower.starts_with(start) {
            return line.get(start.len()..);
        }
    }
    // `ld: error: …`, `collect2: fatal error: …`
    for mark in [": error: ", ": fatal error: ", ": fatal: "] {
        if let Some(at) = lower.find(mark)
            && !line[..at].contains(' ')
        {
            return line.get(at + mark.len()..);
        }
    }
    // pytest's summary, where nothing above it was kept.
    let summary = line.strip_prefix("FAILED ").or_else(|| line.strip_prefix("ERROR "));
    summary.and_then(|rest| rest.split_once(" - ")).map(|(_, error)| error)
}

/// `File "a.py", line 3, in f`
fn python_frame(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("File \"")?;
    let (file, behind) = rest.split_once('"')?;
    behind.starts_with(", line ").then_some(file)
}

/// The file of `at f (src/a.js:3:5)`, `at com.x.A.f(A.java:3)`.
fn stack_frame(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("at ")?;
    let inside = match rest.rfind('(') {
        Some(at) => rest[at + 1..].trim_end_matches(')'),
        None => rest.rsplit(' ').next().unwrap_or(rest),
    };
    let body = inside.trim_start_matches("file://");
    let from = if body.get(1..3) == Some(":\\") { 2 } else { 0 };
    let end = body[from..].find(':').map_or(body.len(), |at| at + from);
    // A frame of Java says the class before the file: its package tells libraries apart.
    let library = ["java.", "jdk.", "sun.", "org.junit.", "org.apache.", "node:"];
    if library.iter().any(|start| rest.starts_with(start) || inside.starts_with(start)) {
        return Some("node_modules/");
    }
    Some(&body[..end])
}

/// ` --> src/main.rs:3:5`
fn rust_arrow(line: &str) -> Option<&str> {
    line.strip_prefix("--> ").map(|rest| rest.split(':').next().unwrap_or(rest))
}

fn is_library(file: &str) -> bool {
    let parts = [
        "site-packages", "node_modules", "dist-packages", "/rustc/", "/lib/python", "node:", "<frozen",
        "<string>", "internal/",
    ];
    parts.iter().any(|part| file.contains(part)) || file == "<anonymous>" || file == "native"
}

/// Lines that look like errors and say nothing of this one.
fn is_noise(line: &str) -> bool {
    let noise = [
        "error: could not compile",
        "error: test failed",
        "error: aborting due to",
        "For more information about this error",
        "error: Recipe",
        "error Command failed",
        "npm ERR! A complete log",
        "npm error A complete log",
        "-> [Help",
        "Re-run Maven",
        "To see the full stack trace",
        "For more information about the errors",
        "DeprecationWarning",
        "warning:",
        "Warning:",
        "note:",
        "FAIL\t",
        "FAILED (",
        "error: process didn't exit",
    ];
    noise.iter().any(|start| line.starts_with(start))
        || (line.contains("Warning: ") && !line.starts_with("E  "))
}

/// A line without `[ERROR]` and the like before it.
fn without_level(line: &str) -> &str {
    let line = line.strip_prefix("[ERROR]").map_or(line, str::trim);
    line.strip_prefix("ERROR: ").unwrap_or(line)
}

/// A line without who printed it: `[gw0]`, `[3]`.
fn without_worker(line: &str) -> &str {
    let inside = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let is_worker = |name: &str| {
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        letters.len() < name.len() && letters.len() <= 6 && letters.chars().all(|c| c.is_ascii_alphabetic())
    };
    inside.filter(|(name, _)| is_worker(name)).map_or(line, |(_, rest)| rest.trim_start())
}

/// A line without a time before it: `[12:00:01]`, `2026-11-16T06:20:09Z`.
fn without_time(line: &str) -> &str {
    let mut rest = line;
    for _ in 0..2 {
        let word = rest.split_whitespace().next().unwrap_or_default();
        let bare = word.trim_matches(['[', ']', '(', ')', ',']);
        let digits = bare.bytes().filter(u8::is_ascii_digit).count();
        let marks = bare.bytes().filter(|b| matches!(b, b':' | b'-' | b'.')).count();
        let others = bare
            .bytes()
            .filter(|b| !b.is_ascii_digit() && !matches!(b, b':' | b'-' | b'.' | b'T' | b'Z' | b'+'))
            .count();
        if digits < 4 || marks < 2 || others > 0 || word.len() == rest.len() {
            break;
        }
        rest = rest[word.len()..].trim_start();
    }
    rest
}
