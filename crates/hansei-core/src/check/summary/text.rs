//! The output of a command made ready for reading: its end, without colours, in lines.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::tables::rows;

/// Summaries stand at the end; what lies further back is not read.
const KEPT: usize = 200_000;

/// A command's output.
#[derive(Debug)]
pub(in crate::check) struct Text<'a> {
    lines: Vec<&'a str>,
    cut: bool,
}

/// The cleaned text, which [`Text`] borrows from.
pub(in crate::check) fn clean(output: &str) -> Cleaned<'_> {
    let start = output.ceil_char_boundary(output.len().saturating_sub(KEPT));
    let kept = &output[start..];
    let text =
        if kept.contains(['\u{1b}', '\r', '\u{8}']) { Cow::Owned(plain(kept)) } else { Cow::Borrowed(kept) };
    let text = if !text.is_ascii() && text.chars().any(|c| lookalike(c) != Some(c)) {
        Cow::Owned(text.chars().filter_map(lookalike).collect())
    } else {
        text
    };
    Cleaned { text, cut: start > 0 }
}

/// Output without colours.
#[derive(Debug)]
pub(in crate::check) struct Cleaned<'a> {
    text: Cow<'a, str>,
    cut: bool,
}

impl Cleaned<'_> {
    /// Its lines.
    pub(in crate::check) fn text(&self) -> Text<'_> {
        let lines: Vec<&str> = self.text.lines().map(str::trim_end).collect();
        let cut = self.cut || lines.iter().any(|line| tells_of_a_cut(line));
        Text { lines, cut }
    }
}

impl<'a> Text<'a> {
    pub(in crate::check) fn lines(&self) -> &[&'a str] {
        &self.lines
    }

    /// Whether part of the output is missing.
    pub(in crate::check) fn is_cut(&self) -> bool {
        self.cut
    }

    /// Whether its last lines say that somebody or a limit of time ended the run.
    pub(in crate::check) fn tells_of_an_end(&self) -> bool {
        let end = self.lines.iter().rev().filter(|line| !line.is_empty()).take(3);
        end.map(|line| line.to_lowercase()).any(|line| {
            [
                "timed out after", "timeout after", "keyboardinterrupt", "^c", "interrupted by",
                "was interrupted",
            ]
            .iter()
            .any(|sign| line.contains(sign))
                || ["terminated", "killed"].contains(&line.trim())
        })
    }

    /// The code that the line printed after `before`.
    pub(in crate::check) fn printed_code(&self, before: &str) -> Option<i32> {
        self.lines.iter().rev().find_map(|line| {
            let rest = line.trim_start().strip_prefix(before.trim_end())?.trim_start();
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            rest.get(..digits)?.parse().ok().filter(|code: &i32| *code < 256)
        })
    }

    /// Whether a shell says that the folder or the program is not there, and nothing else was said.
    pub(in crate::check) fn says_shell_could_not_start(&self) -> bool {
        let mut said = self.lines.iter().filter(|line| !line.is_empty());
        let first = said.next().copied().unwrap_or_default();
        said.next().is_none()
            && ((first.contains("cd: ") && first.contains("No such file or directory"))
                || first.ends_with(": command not found")
                || first.contains("command not found: "))
    }
}

/// The letter or digit that `c` is drawn like, so that a summary reads as a person sees it; nothing for what is not drawn.
fn lookalike(c: char) -> Option<char> {
    Some(match c {
        c if c.is_ascii() => c,
        '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2069}'
        | '\u{feff}'
        | '\u{300}'..='\u{36f}'
        | '\u{ad}' => return None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => ' ',
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        c => LOOKALIKES.get(&c).copied().unwrap_or(c),
    })
}

/// Letters of other scripts, each with the one of ours that it is drawn like.
static LOOKALIKES: LazyLock<BTreeMap<char, char>> = LazyLock::new(|| {
    let letters = |(ours, theirs): (&'static str, &'static str)| theirs.chars().zip(ours.chars().cycle());
    rows(include_str!("lookalikes.txt")).flat_map(letters).collect()
});

/// `… output truncated …`, `[120 lines omitted]`
fn tells_of_a_cut(line: &str) -> bool {
    if line.len() > 400 || !(line.contains("runcated") || line.contains("mitted") || line.contains("clipped"))
    {
        return false;
    }
    ["utput", "lines", "chars", "characters", "tokens", "bytes", "...", "…", "[", "<"]
        .iter()
        .any(|sign| line.contains(sign))
}

/// Without escape sequences; a carriage return ends a line, as progress bars use it.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' => match rest.next() {
                Some('[') => while rest.next().is_some_and(|c| !matches!(c, '@'..='~')) {},
                // A title or a link ends with BEL or with ESC and a backslash.
                Some(']') => while rest.next().is_some_and(|c| !matches!(c, '\u{7}' | '\\')) {},
                _ => {}
            },
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    plain.push('\n');
                }
            }
            '\u{8}' => {}
            _ => plain.push(c),
        }
    }
    plain
}
