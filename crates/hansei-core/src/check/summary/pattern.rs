//! The patterns of `summaries.txt`: what a line must look like, and where in it numbers and names stand.

use std::sync::OnceLock;

use regex::bytes::Regex;
use serde::Deserialize;

use crate::tables::named;

/// What a number counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Slot {
    Passed,
    Failed,
    Skipped,
    /// Passed is what is left of it.
    All,
    /// The same, but the skipped are not among them.
    Ran,
    Errors,
    /// To be taken off the errors.
    Mended,
    /// A failure, but of no test that could be counted.
    Broken,
    /// A number without a meaning.
    N,
}

/// A pattern of a line. It is compiled when a line comes by that may fit.
#[derive(Debug)]
pub(super) struct Pattern {
    text: &'static str,
    /// Whether it is held against the line as it stands.
    whole_line: bool,
    /// The letters with which a line that fits may begin.
    firsts: u128,
    /// What stands in it: the letters of all that is plain text, and the longest piece of it.
    letters: u128,
    holds: &'static str,
    compiled: OnceLock<Option<(Regex, Vec<Part>)>>,
}

/// What a group of the expression is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Number(Slot),
    Name,
}

/// A line of an output.
#[derive(Debug, Clone, Copy)]
pub(super) struct Line<'a> {
    /// Without indentation and frames, and as it stands; each with the letter it begins with.
    read: [(&'a str, u128); 2],
    letters: u128,
}

/// The letters that stand in `text`, a bit each; all that are not ASCII have one.
fn letters(text: &str) -> u128 {
    text.bytes().fold(0, |letters, byte| letters | 1 << byte.min(127))
}

/// The letter that `text` begins with.
fn first(text: &str) -> u128 {
    text.as_bytes().first().map_or(0, |byte| 1 << (*byte).min(127))
}

impl<'a> Line<'a> {
    pub(super) fn of(line: &'a str) -> Self {
        let frame = |c: char| c.is_whitespace() || matches!(c, '=' | '│' | '╷' | '╵');
        let bare = line.trim_matches(frame);
        Self { read: [(bare, first(bare)), (line, first(line))], letters: letters(line) }
    }

    /// The letters that these lines begin with.
    pub(super) fn firsts(lines: &[Self]) -> u128 {
        lines.iter().fold(0, |all, line| all | line.read[0].1 | line.read[1].1)
    }

    /// The line as it stands.
    pub(super) fn whole(&self) -> &'a str {
        self.read[1].0
    }
}

impl Pattern {
    pub(super) fn read(text: &'static str) -> Self {
        let (text, whole_line) = text.strip_prefix('^').map_or((text, false), |text| (text, true));
        let mut depth = 0_usize;
        let plain: Vec<&str> = text
            .split(|c| {
                depth = if c == '{' { depth + 1 } else { depth - usize::from(c == '}') };
                matches!(c, '*' | '{' | '}' | '\\') || depth > 0
            })
            .collect();
        let firsts = firsts(text);
        let holds = plain.iter().copied().max_by_key(|part| part.len()).unwrap_or_default();
        let letters = letters(&plain.concat());
        Self { text, whole_line, firsts, letters, holds, compiled: OnceLock::new() }
    }

    /// Whether a line may fit that begins with one of these letters.
    pub(super) fn may_begin(&self, firsts: u128) -> bool {
        self.firsts & firsts != 0
    }

    /// The groups of the line, if it fits, each with what it is.
    pub(super) fn fit<'a>(&self, line: Line<'a>) -> Option<Vec<(Part, &'a str)>> {
        let (text, first) = line.read[usize::from(self.whole_line)];
        if first & self.firsts == 0
            || line.letters & self.letters != self.letters
            || !text.contains(self.holds)
        {
            return None;
        }
        let (regex, parts) = self.compiled()?;
        let groups = regex.captures(text.as_bytes())?;
        let of = |group: Option<regex::bytes::Match<'_>>| text.get(group?.range());
        Some(
            parts
                .iter()
                .zip(groups.iter().skip(1))
                .filter_map(|(part, group)| Some((*part, of(group)?)))
                .collect(),
        )
    }

    pub(super) fn compiled(&self) -> Option<&(Regex, Vec<Part>)> {
        let compiled = self.compiled.get_or_init(|| {
            let mut parts = Vec::new();
            let expression = format!("(?-u)^{}$", expression(self.text, &mut parts));
            Regex::new(&expression).ok().map(|regex| (regex, parts))
        });
        compiled.as_ref()
    }
}

/// The letters that a line may begin with.
fn firsts(pattern: &'static str) -> u128 {
    let inside = if pattern.starts_with('{') { braced(pattern) } else { "" };
    let beginnings = match alternatives(inside) {
        _ if inside.is_empty() => vec![pattern],
        _ if named::<Slot>(inside).is_some() => return letters("0123456789 \t"),
        beginnings => beginnings,
    };
    let open = |text: &&str| text.is_empty() || text.starts_with(['*', '{', '\\']);
    let all = beginnings.iter().fold(0, |all, text| all | first(text));
    if beginnings.iter().any(open) { u128::MAX } else { all }
}

/// The regular expression that a pattern is.
fn expression(pattern: &'static str, parts: &mut Vec<Part>) -> String {
    const NUMBER: &str = "[ \t]*[0-9][0-9,]*";
    let mut built = String::new();
    let mut rest = pattern;
    while let Some(c) = rest.chars().next() {
        let mut used = c.len_utf8();
        match c {
            '*' => built.push_str(".*?"),
            '\\' => {
                used += 1;
                built.push_str(r"\*");
            }
            '{' => {
                let inside = braced(rest);
                used += inside.len() + 1;
                if inside == "code" {
                    built.push_str("[A-Z]{1,5}[0-9]{2,5}");
                } else if inside == "n" {
                    built.push_str(NUMBER);
                } else if let Some(slot) = named(inside) {
                    parts.push(Part::Number(slot));
                    built.extend(["(", NUMBER, ")"]);
                } else if alternatives(inside).len() > 1 {
                    let either = alternatives(inside).into_iter().map(|text| expression(text, parts));
                    let either = either.collect::<Vec<_>>().join("|");
                    built.extend(["(?:", &either, ")"]);
                } else {
                    parts.push(Part::Name);
                    let begins = if inside.starts_with('*') { "[ \t]*([^ \t]" } else { "(" };
                    built.extend([begins, &expression(inside, parts), ")"]);
                }
            }
            c => built.push_str(&regex::escape(c.encode_utf8(&mut [0; 4]))),
        }
        rest = &rest[used..];
    }
    built
}

/// What stands in the braces that open at the beginning.
fn braced(text: &str) -> &str {
    let mut depth = 0_usize;
    let end = text.find(|c| {
        depth = if c == '{' { depth + 1 } else { depth - usize::from(c == '}') };
        depth == 0
    });
    &text[1..end.unwrap_or(text.len() - 1)]
}

/// The parts between `|`, those within braces left alone.
fn alternatives(text: &str) -> Vec<&str> {
    let mut depth = 0_usize;
    let parting = |c: char| {
        depth = if c == '{' { depth + 1 } else { depth - usize::from(c == '}') };
        c == '|' && depth == 0
    };
    text.split(parting).collect()
}
