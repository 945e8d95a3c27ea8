//! Whether the code gets along when a file that it opens is absent: it asks first, catches the failure, or expects it.

use std::ops::RangeInclusive;

use super::python_source::Line;
use super::source_text::{Language, bare};
use super::tokens::Dialect;

/// Ways to ask whether a file is there.
const ASKS: &[&str] = &[
    "exists", "isfile", "is_file", "os.Stat", "IsNotExist", "ErrNotExist", "isFile", "isReadable", "ENOENT",
    "NotFound", "NoSuchFile", "missing_ok", "access(", "accessSync",
];
/// What ends the program, the test or the request.
const STOPS: &[&str] = &[
    "raise", "throw", "panic", "Fatal", "exit(", "Exit(", "bail!", "Err(", "fail(", "abort", "Errorf",
    "t.Error", "reject(", "assert", "return err", "return nil, err", ", err", "errors.", "unwrap",
];
/// Who goes into another folder, or makes one, means what is there.
const ELSEWHERE: &[&str] = &[
    "chdir", "Chdir", "set_current_dir", "isolated_filesystem", "TemporaryDirectory", "mkdtemp", "TempDir",
    "tempdir", "createTempDirectory",
];
/// Tests that expect a failure.
const EXPECTS: &[&str] = &[
    "throws(", "rejects", "toThrow", "Raises", "raises(", "assertThrows", "should_panic", "is_err()",
    "expect_err", "unwrap_err",
];

/// Whether the line gets along without what it opens. `function` are the lines of the function around it, `python` those of
/// a file in Python.
pub(super) fn is_optional(
    text: &str,
    dialect: Dialect,
    line: usize,
    function: RangeInclusive<usize>,
    python_lines: &[Line],
) -> bool {
    let lines: Vec<&str> = text.lines().collect();
    let at = line.saturating_sub(1).min(lines.len().saturating_sub(1));
    let begin = function.start().saturating_sub(1).min(at);
    let is_function = *function.end() != usize::MAX;
    let elsewhere = |line: &&str| ELSEWHERE.iter().any(|word| line.contains(word));
    if is_function && lines[begin..at].iter().any(elsewhere) {
        return true;
    }
    if lines.is_empty() || expects_failure(&lines, at, dialect) || asks_before(&lines, at, &function) {
        return true;
    }
    match dialect {
        Dialect::Python => python(python_lines, &lines, line),
        Dialect::JavaScript | Dialect::Java => caught(text, line, dialect),
        Dialect::Go => go(&lines, at),
        Dialect::Rust => rust(&lines, at),
        Dialect::C => false,
    }
}

fn expects_failure(lines: &[&str], at: usize, dialect: Dialect) -> bool {
    let from = at.saturating_sub(usize::from(dialect != Dialect::Python));
    let to = (at + 2).min(lines.len());
    let near = &lines[from..to];
    let own = lines[at];
    EXPECTS.iter().any(|word| own.contains(word))
        || near.iter().any(|line| {
            ["toThrow", "rejects", "assertThrows(", ".throws("].iter().any(|it| line.contains(it))
        })
        || (dialect == Dialect::Rust
            && lines[at.saturating_sub(8)..at].iter().any(|line| line.contains("should_panic")))
}

/// Whether something asks for the file first, and goes another way where it is absent; or makes sure that it was made.
fn asks_before(lines: &[&str], at: usize, function: &RangeInclusive<usize>) -> bool {
    let from = function.start().saturating_sub(1).min(at).max(at.saturating_sub(8));
    let to = (at + 4).min(lines.len()).min(*function.end()).max(at + 1);
    (from..to).any(|place| {
        let line = lines[place];
        let asks = ASKS.iter().any(|word| line.contains(word));
        let after = &lines[place..(place + 3).min(lines.len())];
        let makes_sure = line.trim_start().starts_with("assert") || line.contains("expect(");
        asks && (makes_sure || !after.iter().any(|line| STOPS.iter().any(|word| line.contains(word))))
    })
}

fn python(all: &[Line], lines: &[&str], line: usize) -> bool {
    let Some(own) = all.iter().find(|one| one.number == line) else { return false };
    let expected =
        own.around.conditions.iter().any(|one| one.contains("aises(") || one.contains("suppress("));
    let asked = own.around.conditions.iter().any(|one| one.contains("exists") || one.contains("is_file"));
    if expected || asked {
        return true;
    }
    if !own.around.catches(&["FileNotFoundError", "OSError", "IOError", "EnvironmentError"]) {
        return false;
    }
    // Who only tells the failure otherwise does not get along without the file.
    let indent = |line: &str| line.len() - line.trim_start().len();
    let header = (line..lines.len())
        .find(|at| lines[*at].trim_start().starts_with("except") && indent(lines[*at]) < own.indent);
    let Some(header) = header else { return true };
    let body = lines[header + 1..]
        .iter()
        .take_while(|line| line.trim().is_empty() || indent(line) > indent(lines[header]))
        .take(12);
    let mut stops = body.map(|line| ["raise", "exit(", "fail("].iter().any(|word| line.contains(word)));
    !stops.any(|stops| stops)
}

/// Whether a `try` around the line catches what is thrown and goes on.
fn caught(text: &str, line: usize, dialect: Dialect) -> bool {
    let language = if dialect == Dialect::Java { Language::C } else { Language::JavaScript };
    let plain = bare(text, language);
    let begin: usize = plain.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let own = plain[begin..].lines().next().unwrap_or_default();
    let statement: String = plain[begin..].lines().take(3).collect::<Vec<_>>().join("\n");
    if dialect == Dialect::JavaScript && statement.contains(".catch(") {
        return !STOPS.iter().any(|word| statement.contains(word));
    }
    let middle = begin + own.len() / 2;
    let mut found = false;
    for (at, _) in plain.match_indices("try") {
        if at > begin + own.len() {
            break;
        }
        let boundary = at == 0 || !plain.as_bytes()[at - 1].is_ascii_alphanumeric();
        // Resources may stand in brackets between the word and its block.
        let after = plain[at + 3..].trim_start();
        if !boundary || !after.starts_with(['{', '(']) {
            continue;
        }
        let Some(open) = block_behind(&plain, at + 3) else { continue };
        let Some(close) = block_end(&plain, open) else { continue };
        if !(at..close).contains(&middle) {
            continue;
        }
        let rest = plain[close + 1..].trim_start();
        if !rest.starts_with("catch") {
            continue;
        }
        let catch = plain.len() - rest.len();
        let Some(open) = plain[catch..].find('{').map(|found| catch + found) else { continue };
        let end = block_end(&plain, open).unwrap_or(plain.len());
        found |= !STOPS.iter().any(|word| plain[open..end].contains(word));
    }
    found
}

/// Where the block begins that stands here or behind brackets.
fn block_behind(text: &str, from: usize) -> Option<usize> {
    let mut depth = 0_i64;
    text[from..]
        .bytes()
        .position(|byte| {
            depth += i64::from(byte == b'(') - i64::from(byte == b')');
            depth == 0 && byte == b'{'
        })
        .map(|at| from + at)
}

fn block_end(text: &str, open: usize) -> Option<usize> {
    let mut depth = 0_i64;
    let end = text[open..].bytes().position(|byte| {
        depth += i64::from(byte == b'{') - i64::from(byte == b'}');
        depth == 0
    });
    end.map(|end| open + end)
}

fn go(lines: &[&str], at: usize) -> bool {
    let own = lines[at];
    let after = &lines[at..(at + 5).min(lines.len())];
    if own.contains(", _ =") || own.contains(", _ :=") {
        return true;
    }
    if after.iter().take(3).any(|line| line.contains("err == nil")) {
        return true;
    }
    let Some(check) = after.iter().take(3).position(|line| line.contains("err != nil")) else { return false };
    let block = &after[check..];
    !block.iter().any(|line| STOPS.iter().any(|word| line.contains(word)) || line.contains("err)"))
}

fn rust(lines: &[&str], at: usize) -> bool {
    let mut statement = String::new();
    for line in &lines[at..(at + 5).min(lines.len())] {
        statement.push_str(line);
        if line.trim_end().ends_with(';') || line.trim() == "}" {
            break;
        }
    }
    let own = lines[at];
    if statement.contains("panic!") {
        return false;
    }
    let before = at.checked_sub(1).map(|at| lines[at]).unwrap_or_default();
    [".ok()", "unwrap_or", "is_ok()", "map_or", ".is_err()", "unwrap_err", "expect_err"]
        .iter()
        .any(|word| statement.contains(word))
        || ["if let ", "while let ", "match ", "let Ok("].iter().any(|word| own.contains(word))
        || (before.contains("match ") && !before.trim_end().ends_with(';'))
}
