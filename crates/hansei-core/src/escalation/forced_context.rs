//! `[FORCED_CONTEXT]` and `[CHECKLIST]`: what the parent insists on being looked at, as blocks of short items.

use serde::{Deserialize, Serialize};

use crate::model_text::one_line;

const LONGEST_ITEM: usize = 400;
const MOST_ITEMS: usize = 20;

/// What whoever works on it has to look at.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForcedContext {
    /// Facts and files of `[FORCED_CONTEXT]`.
    pub facts: Vec<String>,
    /// Items of `[CHECKLIST]`.
    pub checklist: Vec<ChecklistItem>,
}

/// One item of a checklist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChecklistItem {
    /// What to check.
    pub text: String,
    /// Whether it was.
    pub done: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    Facts,
    Checklist,
}

impl ForcedContext {
    /// Whether nothing is insisted on.
    pub fn is_empty(&self) -> bool {
        self.facts.is_empty() && self.checklist.is_empty()
    }

    /// The blocks of a text; whatever stands outside of them is not read.
    pub fn read(text: &str) -> Self {
        Self::take(text).0
    }

    /// The blocks of a text, and the text without them.
    pub fn take(text: &str) -> (Self, String) {
        let mut context = Self::default();
        let mut rest = String::new();
        let mut block: Option<Block> = None;
        let mut gap = false;
        for line in text.lines() {
            let bare = unmarked(line);
            if let Some((next, inline)) = opening(bare) {
                block = next;
                gap = false;
                if let Some(block) = block {
                    context.add(block, inline);
                }
                continue;
            }
            let Some(open) = block else {
                rest.push_str(line);
                rest.push('\n');
                continue;
            };
            let is_item = item(bare).is_some() || item(line.trim()).is_some();
            if bare.is_empty() || bare.starts_with("```") {
                gap = true;
            } else if bare.starts_with('<') || (gap && !is_item) {
                block = None;
                rest.push_str(line);
                rest.push('\n');
            } else {
                gap = false;
                context.add(open, item(line.trim()).or_else(|| item(bare)).unwrap_or(bare));
            }
        }
        (context, rest)
    }

    fn add(&mut self, block: Block, text: &str) {
        let (text, done) = ticked(text);
        let text = one_line(text, LONGEST_ITEM);
        if !super::payload::says_something(&text) {
            return;
        }
        match block {
            Block::Facts if self.facts.len() < MOST_ITEMS => self.facts.push(text),
            Block::Checklist if self.checklist.len() < MOST_ITEMS => {
                self.checklist.push(ChecklistItem { text, done });
            }
            _ => {}
        }
    }

    /// The blocks as they are written; nothing where nothing is insisted on.
    pub fn text(&self) -> String {
        let mut text = String::new();
        if !self.facts.is_empty() {
            text.push_str("[FORCED_CONTEXT]\n");
            self.facts.iter().for_each(|fact| text.extend(["- ", fact, "\n"]));
        }
        if !self.checklist.is_empty() {
            text.push_str("[CHECKLIST]\n");
            for item in &self.checklist {
                text.extend([if item.done { "- [x] " } else { "- [ ] " }, &item.text, "\n"]);
            }
        }
        text
    }
}

/// Whether a line opens or closes a block.
pub(super) fn is_mark(line: &str) -> bool {
    opening(unmarked(line)).is_some()
}

/// A line without what headings, quotations and bold put around it.
fn unmarked(line: &str) -> &str {
    line.trim().trim_start_matches(['#', '>', ' ', '*']).trim_end_matches('*').trim()
}

/// The block that a line opens (none for one that closes or opens another's), and what stands in the line already.
fn opening(line: &str) -> Option<(Option<Block>, &str)> {
    let inside = line.strip_prefix('[')?;
    let end = inside.find(']')?;
    let (tag, behind) = (&inside[..end], inside[end + 1..].trim_start_matches(':').trim());
    let (name, value) = tag.split_once(':').unwrap_or((tag, ""));
    let name = name.trim().to_ascii_uppercase().replace(['-', ' '], "_");
    let inline = if value.trim().is_empty() { behind } else { value.trim() };
    match name.as_str() {
        "FORCED_CONTEXT" => Some((Some(Block::Facts), inline)),
        "CHECKLIST" | "FORCED_CHECKLIST" => Some((Some(Block::Checklist), inline)),
        "/FORCED_CONTEXT" | "/CHECKLIST" | "/FORCED_CHECKLIST" => Some((None, "")),
        _ => None,
    }
}

fn item(line: &str) -> Option<&str> {
    ["- ", "* ", "• ", "+ "].iter().find_map(|bullet| line.strip_prefix(bullet)).map(str::trim).or_else(
        || {
            let digits = line.bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0)
                .then(|| line[digits..].strip_prefix(". ").or_else(|| line[digits..].strip_prefix(") ")))?
        },
    )
}

fn ticked(text: &str) -> (&str, bool) {
    let text = text.trim();
    for (mark, done) in
        [("[ ]", false), ("[]", false), ("[x]", true), ("[X]", true), ("☐", false), ("☑", true)]
    {
        if let Some(rest) = text.strip_prefix(mark) {
            return (rest.trim(), done);
        }
    }
    (text, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_come_back_and_are_read_as_people_write_them() {
        let item = |text: &str, done| ChecklistItem { text: text.to_owned(), done };
        let context = ForcedContext {
            facts: vec!["src/db.rs opens the pool".to_owned(), "[x] is a name".to_owned()],
            checklist: vec![item("DATABASE_URL is set", true), item("port 5432 answers", false)],
        };
        let mut plain = context.clone();
        plain.facts[1] = "is a name".to_owned();
        assert_eq!(ForcedContext::read(&plain.text()), plain);
        for text in [
            "[FORCED_CONTEXT]\nsrc/db.rs opens the pool\nis a name\n\n[CHECKLIST]\n1. [x] DATABASE_URL is set\n2. port 5432 answers\n\nWords outside.",
            "**[Forced-Context]**\n* src/db.rs opens the pool\n* is a name\n[/FORCED_CONTEXT]\nnot this\n### [CHECKLIST]\n- [X] DATABASE_URL is set\n- [] port 5432 answers\n<ESCALATION>\nstatus: blocked",
            "```\n[FORCED_CONTEXT]\n- src/db.rs opens the pool\n- is a name\n[CHECKLIST]\n- [x] DATABASE_URL is set\n- port 5432 answers\n```\nnot this",
            "[FORCED_CONTEXT: src/db.rs opens the pool]\n- is a name\n[CHECKLIST] [x] DATABASE_URL is set\n- [ ] port 5432 answers",
        ] {
            assert_eq!(ForcedContext::read(text), plain, "{text}");
        }
        assert!(ForcedContext::read("- [ ] an item of nobody\n[OTHER]\n- x").is_empty());
        let (_, rest) = ForcedContext::take("before\n[CHECKLIST]\n- a\n\nbehind\n");
        assert_eq!(rest, "before\nbehind\n");
    }

    #[test]
    fn blocks_stay_small() {
        let long = format!("[CHECKLIST]\n{}", format!("- {}\n", "x".repeat(1_000)).repeat(100));
        let read = ForcedContext::read(&long);
        assert!(read.checklist.len() == MOST_ITEMS && read.text().len() < 10_000);
    }
}
