//! Answers as they are read: kept at eight bytes each, and twice where they are also looked at in groups.

use std::collections::BTreeMap;
use std::io::{BufRead, IsTerminal as _, Read as _, Write as _};

use clap::ValueEnum;
use hansei_core::experiment::answer::Answer;
use hansei_stats::scores::Scores;
use serde::Serialize;

use crate::failure::Failure;

/// A line of more bytes than this is refused: no row is that long.
const LONGEST_LINE: u64 = 1 << 20;
/// How many refused rows are named.
const MOST_NAMED: usize = 20;
/// How many groups are kept apart.
const MOST_GROUPS: usize = 200;
/// How much of a group's name is kept.
const LONGEST_NAME: usize = 200;
/// After how many rows a terminal is told how far it is.
const ROWS_A_STEP: u64 = 1 << 18;

/// By what answers are looked at in groups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The part of the system that was changed.
    Surface,
    /// Who did the work.
    Agent,
    /// The model behind it.
    Model,
}

/// A row that was left out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RefusedRow {
    /// Its line, counted from 1.
    pub line: u64,
    /// What is wrong with it.
    pub why: String,
}

/// Rows that were left out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Refused {
    /// How many.
    pub count: u64,
    /// The first of them.
    pub first: Vec<RefusedRow>,
}

/// Answers that were read.
#[derive(Debug)]
pub struct Intake {
    /// By what they are grouped.
    pub by: Option<By>,
    /// All of them.
    pub all: Scores,
    /// Each group; those without a name are one.
    pub groups: BTreeMap<Option<String>, Scores>,
    /// How many belong to groups beyond those that are kept apart.
    pub in_no_group: u64,
    /// What was left out.
    pub refused: Refused,
    taken: u64,
}

impl Intake {
    /// Nothing yet.
    pub fn new(by: Option<By>) -> Self {
        Self {
            by,
            all: Scores::default(),
            groups: BTreeMap::new(),
            in_no_group: 0,
            refused: Refused::default(),
            taken: 0,
        }
    }

    /// Reads all of `input`, line by line.
    pub fn read(&mut self, mut input: impl BufRead) -> Result<(), Failure> {
        let progress = std::io::stderr().is_terminal();
        let mut line = Vec::new();
        for number in 1_u64.. {
            line.clear();
            let length = (&mut input).take(LONGEST_LINE).read_until(b'\n', &mut line)? as u64;
            if length == 0 {
                break;
            }
            if length == LONGEST_LINE && line.last() != Some(&b'\n') {
                input.skip_until(b'\n')?;
                self.refuse(number, "is longer than a mebibyte".to_owned());
                continue;
            }
            let text = if number == 1 { line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&line) } else { &line };
            if text.trim_ascii().is_empty() {
                continue;
            }
            match Answer::read(text) {
                Ok(answer) => self.take(&answer),
                Err(why) => self.refuse(number, why),
            }
            if progress && number.is_multiple_of(ROWS_A_STEP) {
                let _ = write!(std::io::stderr(), "\r{number} rows");
            }
        }
        if progress {
            let _ = write!(std::io::stderr(), "\r\x1b[K");
        }
        Ok(())
    }

    /// Takes one answer.
    pub fn take(&mut self, answer: &Answer<'_>) {
        if self.all.push(answer.confidence, answer.correct).is_err() {
            return self.refuse(self.taken + 1, "has a confidence that is not a number".to_owned());
        }
        self.taken += 1;
        let name = match self.by {
            None => return,
            Some(By::Surface) => &answer.surface,
            Some(By::Agent) => &answer.agent,
            Some(By::Model) => &answer.model,
        };
        let name: Option<String> = name.as_deref().map(|name| name.chars().take(LONGEST_NAME).collect());
        if !self.groups.contains_key(&name) && self.groups.len() >= MOST_GROUPS {
            self.in_no_group += 1;
            return;
        }
        // What is not a number was refused above.
        let _ = self.groups.entry(name).or_default().push(answer.confidence, answer.correct);
    }

    /// The first refused row, if there were rows and all were refused.
    pub fn all_refused(&self) -> Option<&RefusedRow> {
        if self.taken == 0 { self.refused.first.first() } else { None }
    }

    fn refuse(&mut self, line: u64, why: String) {
        self.refused.count += 1;
        if self.refused.first.len() < MOST_NAMED {
            self.refused.first.push(RefusedRow { line, why });
        }
    }
}
