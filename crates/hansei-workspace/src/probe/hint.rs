//! What the failing command and its output say: they rank what was found, and turn a suspicion into a finding.

use super::pattern::Pattern;

/// The most of an error that is read.
const MOST_ERROR: usize = 256 << 10;

static MISSING_MODULE: Pattern = Pattern::new(
    r#"(?:No module named|Cannot find (?:module|package)|can't find crate for|unresolved (?:import|module or unlinked crate)|cannot find package|Could not resolve|Failed to resolve import|no required module provides package|LoadError: cannot load such file --|Could not find gem)[ `'"]*([A-Za-z0-9_@./-]+)"#,
);
static ABSENT_PROGRAM: Pattern = Pattern::new(
    r"(?:^|[\s:])([A-Za-z0-9_.+-]+): (?:command )?not found$|spawn ([A-Za-z0-9_.+-]+) ENOENT|command not found: ([A-Za-z0-9_.+-]+)|^(?:make: )?([A-Za-z0-9_.+-]+): No such file or directory$",
);

/// The failing command and what it printed; either may be empty.
#[derive(Debug, Default)]
pub(super) struct Hint {
    pub(super) command: String,
    pub(super) error: String,
}

impl Hint {
    pub(super) fn new(command: Option<&str>, error: Option<&str>) -> Self {
        let error = error.unwrap_or_default();
        // The end of an output tells more than its beginning.
        let mut from = error.len().saturating_sub(MOST_ERROR);
        while !error.is_char_boundary(from) {
            from += 1;
        }
        Self { command: command.unwrap_or_default().trim().to_owned(), error: error[from..].to_owned() }
    }

    /// Whether the error speaks of this name, as a word of its own.
    pub(super) fn speaks_of(&self, name: &str) -> bool {
        name.len() > 1 && has_word(&self.error, name)
    }

    /// Whether the command names this.
    pub(super) fn commands(&self, name: &str) -> bool {
        name.len() > 1 && has_word(&self.command, name)
    }

    /// Whether the error holds one of these texts, in any case.
    pub(super) fn says(&self, texts: &[&str]) -> bool {
        let error = self.error.to_lowercase();
        texts.iter().any(|text| error.contains(&text.to_lowercase()))
    }

    /// The modules and packages that the error misses.
    pub(super) fn missing_modules(&self) -> Vec<&str> {
        MISSING_MODULE
            .all(&self.error)
            .iter()
            .map(|hit| hit.group(1).trim_end_matches(['.', ';', ',']))
            .filter(|name| !name.is_empty())
            .collect()
    }

    /// The programs that the error misses.
    pub(super) fn absent_programs(&self) -> Vec<&str> {
        ABSENT_PROGRAM.all(&self.error).iter().map(|hit| hit.first_from(1)).collect()
    }
}

/// Whether `text` holds `word` with no letter, digit or underscore around it.
pub(super) fn has_word(text: &str, word: &str) -> bool {
    let part = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    let (bytes, ends) = (text.as_bytes(), word.as_bytes());
    let (first, last) = (part(ends.first()), part(ends.last()));
    text.match_indices(word).any(|(at, _)| {
        let before = at.checked_sub(1).and_then(|at| bytes.get(at));
        let joined_before = first && part(before);
        let joined_after = last && part(bytes.get(at + word.len()));
        !joined_before && !joined_after
    })
}
