//! A decision, what it rejects, and all decisions of a source state.

use std::collections::BTreeMap;

use serde::Serialize;

use super::adr;
use super::names::Name;
use super::tags;
use crate::model_text::one_line;

/// A file of a source state.
#[derive(Debug, Clone, Copy)]
pub struct SourceFile<'a> {
    /// From the root, with `/`.
    pub path: &'a str,
    /// What it says.
    pub text: &'a str,
}

impl<'a> SourceFile<'a> {
    /// Each of these texts, by its path.
    pub fn each(texts: &'a BTreeMap<String, String>) -> impl Iterator<Item = Self> {
        texts.iter().map(|(path, text)| Self { path, text })
    }
}

/// Where a decision is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecisionKind {
    /// A document of an ADR folder.
    AdrFile,
    /// A `[DEF:id:…]` block.
    Def,
    /// Tags in a comment.
    Tag,
}

/// Whether a decision binds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Standing {
    /// It does: accepted, or nothing else was said.
    Accepted,
    /// What it proposed was rejected: that may not come back.
    Rejected,
    /// Not decided yet.
    Proposed,
    /// Another took its place.
    Superseded,
    /// It holds no more.
    Deprecated,
}

impl Standing {
    /// Whether it binds whoever changes something.
    pub fn binds(self) -> bool {
        matches!(self, Self::Accepted | Self::Rejected)
    }
}

/// A path that was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejection {
    /// In its author's words.
    pub text: String,
    /// What may not return.
    pub names: Vec<Name>,
    /// Where it stands.
    pub line: u32,
}

/// A reason for a decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// In its author's words.
    pub text: String,
    /// Where it stands.
    pub line: u32,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// By what it is called.
    pub id: String,
    /// Where it is written down.
    pub kind: DecisionKind,
    /// In a line.
    pub title: String,
    /// Whether it binds.
    pub standing: Standing,
    /// Why it was made.
    pub rationale: Vec<Reason>,
    /// What it rejects.
    pub rejected: Vec<Rejection>,
    /// What a document says under its decision, or a block in words of its own.
    #[serde(skip)]
    pub decided: Vec<Reason>,
    /// The file.
    pub file: String,
    /// Its first line.
    pub line: u32,
}

impl Decision {
    /// Whether it is what somebody calls `name`: its id, its number, its file, in any case.
    pub fn is_called(&self, name: &str) -> bool {
        let name = name.trim().trim_start_matches("./");
        let plain = |text: &str| text.to_ascii_lowercase();
        let stem = self.file.rsplit('/').next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let number = |text: &str| {
            let lower = plain(text);
            let digits = lower.trim_start_matches("adr").trim_start_matches(['-', '_', ' ', '#']);
            digits.parse::<u32>().ok()
        };
        let is_file = self.kind == DecisionKind::AdrFile;
        let lower_stem = plain(stem);
        let numbered = lower_stem.trim_start_matches("adr").trim_start_matches(['-', '_']);
        let numbered: String = numbered.chars().take_while(char::is_ascii_digit).collect();
        plain(&self.id) == plain(name)
            || plain(&self.file) == plain(name)
            || (is_file && plain(stem) == plain(name))
            || (is_file && number(name).is_some() && numbered.parse::<u32>().ok() == number(name))
    }

    /// The decision in a line, for a prompt: which, and what it rejects.
    pub fn line_of_it(&self) -> String {
        let rejected: Vec<&str> = self.rejected.iter().map(|rejection| rejection.text.as_str()).collect();
        let told =
            if rejected.is_empty() { self.title.clone() } else { format!("rejects {}", rejected.join("; ")) };
        one_line(&format!("{}: {told}", self.id), 400)
    }
}

/// All decisions of a source state.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// In the order of their files.
    pub decisions: Vec<Decision>,
}

const MOST_DECISIONS: usize = 5_000;

impl Memory {
    /// The decisions in these files.
    pub fn of<'a>(files: impl IntoIterator<Item = SourceFile<'a>>) -> Self {
        let mut decisions: Vec<Decision> = Vec::new();
        let mut superseded: Vec<(String, String)> = Vec::new();
        for file in files {
            if decisions.len() >= MOST_DECISIONS {
                break;
            }
            if let Some(document) = adr::read(file) {
                if document.decision.standing.binds() {
                    superseded.extend(
                        document.supersedes.into_iter().map(|name| (document.decision.id.clone(), name)),
                    );
                }
                decisions.push(document.decision);
            } else {
                decisions.extend(tags::decisions(file));
            }
        }
        decisions.sort_by(|one, other| (&one.file, one.line).cmp(&(&other.file, other.line)));
        for (by, name) in superseded {
            for decision in &mut decisions {
                if decision.id != by && decision.is_called(&name) && decision.standing.binds() {
                    decision.standing = Standing::Superseded;
                }
            }
        }
        Self { decisions }
    }

    /// Those that bind.
    pub fn binding(&self) -> impl Iterator<Item = &Decision> {
        self.decisions.iter().filter(|decision| decision.standing.binds())
    }

    /// The decision that somebody calls `name`.
    pub fn called(&self, name: &str) -> Option<&Decision> {
        let exact = self.decisions.iter().find(|decision| decision.id == name);
        exact.or_else(|| self.decisions.iter().find(|decision| decision.is_called(name)))
    }
}

/// What a change or a plan does to a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ViolationKind {
    /// What was rejected is used again.
    Reintroduced,
    /// A decision or a tag is gone, or says less.
    TagRemoved,
    /// Somebody decides for what was rejected, without a revision.
    Contradicted,
}

/// A decision that is not kept.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Violation {
    /// Which.
    pub decision: String,
    /// How.
    pub kind: ViolationKind,
    /// In which file.
    pub file: String,
    /// On which line: of the new file, or for what is gone, of the old one.
    pub line: u32,
    /// The line itself.
    pub text: String,
}
