//! `[DEF:id:ADR]` blocks and `@RATIONALE` / `@REJECTED` tags, in the comments of any language and in Markdown.

use super::contradiction::is_labelled_otherwise;
use super::decision::{Decision, DecisionKind, Reason, Rejection, SourceFile, Standing};
use super::file_kind::{FileKind, kind_of};
use super::names::names_in;
use super::syntax::{ReadLine, read_lines};
use crate::model_text::one_line;

const LONGEST_TEXT: usize = 800;
const MOST_CONTINUED: usize = 8;

/// A tag, with its text.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Tag {
    Begin { id: String, kind: String, title: String },
    End,
    Rationale(String),
    Rejected(String),
    Status(String),
}

/// The decisions that a file holds in tags.
pub(super) fn decisions(file: SourceFile<'_>) -> Vec<Decision> {
    if kind_of(file.path) == FileKind::Generated
        || !["@R", "@r", "[DEF:"].iter().any(|mark| file.text.contains(mark))
    {
        return Vec::new();
    }
    let lines = contents(file);
    let mut found: Vec<Draft> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut last: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < lines.len() {
        let Some(tag) = lines[at].as_deref().and_then(tag_of) else {
            let said = lines[at].as_deref().map(plain).filter(|text| !text.is_empty());
            // Code or an empty line ends a comment, and with it what belongs together.
            if said.is_none() {
                last = None;
            }
            if let Some(draft) = open.last() {
                found[*draft].say(said, at);
            }
            at += 1;
            continue;
        };
        let line = number_of(at);
        let (tag, used) = continued(tag, &lines[at + 1..]);
        match tag {
            Tag::Begin { id, kind, title } => {
                open.push(found.len());
                found.push(Draft::new(Some((id, kind)), title, line));
            }
            Tag::End => {
                open.pop();
            }
            tag => {
                let here = open
                    .last()
                    .copied()
                    .or_else(|| last.filter(|(_, end)| *end == at).map(|(draft, _)| draft));
                let draft = here.unwrap_or_else(|| {
                    found.push(Draft::new(None, String::new(), line));
                    found.len() - 1
                });
                found[draft].take(tag, line);
                last = Some((draft, at + 1 + used));
            }
        }
        at += 1 + used;
    }
    found.into_iter().filter_map(|draft| draft.finish(file.path)).collect()
}

#[derive(Debug)]
struct Draft {
    def: Option<(String, String)>,
    title: String,
    line: u32,
    standing: Standing,
    rationale: Vec<Reason>,
    rejected: Vec<Rejection>,
    decided: Vec<Reason>,
    /// Whether what is said at the moment is about something else than what was decided.
    digresses: bool,
}

fn number_of(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

impl Draft {
    fn new(def: Option<(String, String)>, title: String, line: u32) -> Self {
        Self {
            def,
            title,
            line,
            standing: Standing::Accepted,
            rationale: Vec::new(),
            rejected: Vec::new(),
            decided: Vec::new(),
            digresses: false,
        }
    }

    fn is_adr(&self) -> bool {
        self.def.as_ref().is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("adr"))
    }

    /// Takes a line of the block that is no tag: its decision in words, or what a label says that it is.
    fn say(&mut self, text: Option<&str>, at: usize) {
        let Some(text) = text else {
            self.digresses = false;
            return;
        };
        let label = text.split_once(':').map(|(label, _)| label);
        if let Some(label) = label.filter(|label| label.split_whitespace().count() <= 3) {
            self.digresses = is_labelled_otherwise(label);
        }
        if self.is_adr() && !self.digresses {
            self.decided.push(Reason { text: one_line(text, 400), line: number_of(at) });
        }
    }

    fn take(&mut self, tag: Tag, line: u32) {
        match tag {
            Tag::Rationale(text) => self.rationale.push(Reason { text, line }),
            Tag::Rejected(text) => {
                let names = names_in(&text);
                self.rejected.push(Rejection { text, names, line });
            }
            Tag::Status(text) => self.standing = super::adr::standing_of(&text).unwrap_or(self.standing),
            Tag::Begin { .. } | Tag::End => {}
        }
    }

    fn finish(self, path: &str) -> Option<Decision> {
        let is_adr = self.is_adr();
        if !is_adr && self.rationale.is_empty() && self.rejected.is_empty() {
            return None;
        }
        let said = self.rejected.first().map(|rejection| &rejection.text);
        let said = said.or_else(|| self.rationale.first().map(|reason| &reason.text));
        let title = if self.title.is_empty() { said.cloned().unwrap_or_default() } else { self.title };
        Some(Decision {
            kind: match &self.def {
                Some(_) if is_adr => DecisionKind::Def,
                _ => DecisionKind::Tag,
            },
            id: self.def.map_or_else(|| format!("{path}:{}", self.line), |(id, _)| id),
            title: one_line(&title, 200),
            standing: self.standing,
            rationale: self.rationale,
            rejected: self.rejected,
            decided: self.decided,
            file: path.to_owned(),
            line: self.line,
        })
    }
}

/// What of each line may hold a tag: its comment, or in prose the line itself; nothing for code.
fn contents(file: SourceFile<'_>) -> Vec<Option<String>> {
    if kind_of(file.path) == FileKind::Prose {
        let mut fenced = false;
        return file
            .text
            .lines()
            .map(|line| {
                let is_fence = line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~");
                fenced ^= is_fence;
                let inside = line.trim().trim_start_matches("<!--").trim_end_matches("-->");
                (!fenced && !is_fence).then(|| inside.to_owned())
            })
            .collect();
    }
    let read = read_lines(file.path, file.text.lines());
    read.iter().zip(file.text.lines()).map(|(read, line)| content(read, line)).collect()
}

fn content(read: &ReadLine, line: &str) -> Option<String> {
    if let Some(comment) = read.comment() {
        return Some(comment);
    }
    // Documentation that no comment marks (POD, heredocs) says its tags bare.
    let bare = line.trim_start();
    ["@REJECTED:", "@RATIONALE:", "[DEF:", "[/DEF:"]
        .iter()
        .any(|tag| bare.starts_with(tag))
        .then(|| bare.to_owned())
}

/// The text of a comment line without what draws the comment.
fn plain(text: &str) -> &str {
    text.trim().trim_start_matches(['*', '/', '!', '#', ';', '%', '>', '|', '-', '+', ' ', '\t']).trim()
}

fn tag_of(text: &str) -> Option<Tag> {
    let text = plain(text);
    if let Some(rest) = text.strip_prefix("[DEF:") {
        let (inside, behind) = rest.split_once(']')?;
        let (id, kind) = inside.split_once(':').unwrap_or((inside, ""));
        let id = id.trim();
        return (!id.is_empty() && id.len() <= 120).then(|| Tag::Begin {
            id: one_line(id, 120),
            kind: kind.split(':').next().unwrap_or_default().trim().to_owned(),
            title: one_line(behind.trim().trim_start_matches(['-', ':', '*', ' ']), 200),
        });
    }
    if text.starts_with("[/DEF") {
        return Some(Tag::End);
    }
    let word = text.strip_prefix('@')?;
    let end = word.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(word.len());
    let (name, rest) = word.split_at(end);
    // A tag ends with a colon; `@Rejected` alone may be somebody's annotation.
    let rest = rest.trim_start_matches(['*', '_', ' ', ']']);
    let said = rest.strip_prefix([':', '-', '–', '—', '='])?;
    let said = said.trim_start_matches(['*', '_']).trim();
    let said = said.trim_end_matches("*/").trim_end_matches("-->").trim().to_owned();
    match name.to_ascii_uppercase().as_str() {
        "RATIONALE" => Some(Tag::Rationale(said)),
        "REJECTED" => Some(Tag::Rejected(said)),
        "STATUS" => Some(Tag::Status(said)),
        _ => None,
    }
}

/// A tag with the lines that continue it, and how many those are.
fn continued(tag: Tag, following: &[Option<String>]) -> (Tag, usize) {
    let (Tag::Rationale(first) | Tag::Rejected(first)) = &tag else { return (tag, 0) };
    let mut text = first.clone();
    let mut used = 0;
    for line in following.iter().take(MOST_CONTINUED) {
        let Some(line) = line else { break };
        let trimmed = line.trim().trim_start_matches(['*', '/', '!', '#', ';', '%', '>', '|']).trim();
        let begins_other =
            ["-", "+", "@", "[DEF", "[/DEF", "TODO", "FIXME", "NOTE", "XXX", "SAFETY", "## ", "```"];
        let other = begins_other.iter().any(|start| trimmed.starts_with(start))
            || line.trim_start().starts_with("# ") && text.is_empty();
        if trimmed.is_empty() || other {
            break;
        }
        text.push(' ');
        text.push_str(trimmed.trim_end_matches("*/").trim_end_matches("-->").trim());
        used += 1;
    }
    let text = one_line(&text, LONGEST_TEXT);
    let tag = if matches!(tag, Tag::Rationale(_)) { Tag::Rationale(text) } else { Tag::Rejected(text) };
    (tag, used)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(path: &str, text: &str) -> Vec<(String, Vec<String>)> {
        let names = |decision: &Decision| {
            decision
                .rejected
                .iter()
                .flat_map(|rejection| rejection.names.iter().map(|name| name.text.clone()))
                .collect()
        };
        decisions(SourceFile { path, text })
            .iter()
            .map(|decision| (decision.id.clone(), names(decision)))
            .collect()
    }

    #[test]
    fn tags_are_found_in_every_comment_style() {
        for (path, text) in [
            ("a.rs", "// @REJECTED: `redis`"),
            ("a.rs", "/// @REJECTED: `redis` because of `ops`"),
            ("a.js", "/* @REJECTED: `redis` */"),
            ("a.js", "/**\n * Says.\n * @REJECTED: `redis`\n */"),
            ("a.py", "# @REJECTED: `redis`"),
            ("a.py", "\"\"\"\n@REJECTED: `redis`\n\"\"\""),
            ("a.py", "def f():\n    '''Says.\n\n    @REJECTED: `redis`\n    '''"),
            ("a.sql", "-- @REJECTED: `redis`"),
            ("a.el", ";; @REJECTED: `redis`"),
            ("a.html", "<!-- @REJECTED: `redis` -->"),
            ("a.tex", "% @REJECTED: `redis`"),
            ("a.bat", "REM @REJECTED: `redis`"),
            ("a.bat", ":: @REJECTED: `redis`"),
            ("a.vb", "' @REJECTED: `redis`"),
            ("a.ml", "(* @REJECTED: `redis` *)"),
            ("a.hs", "{- @REJECTED: `redis` -}"),
            ("a.pl", "=pod\n\n@REJECTED: `redis`\n\n=cut"),
            ("Makefile", "# @REJECTED: `redis`"),
            ("a.yml", "cache: x # @REJECTED: `redis`"),
            ("a.md", "- **@REJECTED**: `redis`"),
            ("a.md", "<!-- @REJECTED: `redis` -->"),
            ("a.go", "// @REJECTED:\n//   `redis`, another thing to run"),
            ("a.ts", "const x = 1; // @rejected: `redis`"),
        ] {
            let found = read(path, text);
            assert_eq!(found.len(), 1, "{path}: {text}");
            assert_eq!(found[0].1, ["redis"], "{path}: {text}");
        }
    }

    #[test]
    fn what_is_no_tag_is_none() {
        for (path, text) in [
            ("a.rs", "let x = \"// @REJECTED: `redis`\";"),
            ("A.java", "@Rejected\nclass A {}"),
            ("a.md", "Write `@REJECTED: x` above it."),
            ("a.md", "```\n// @REJECTED: `redis`\n```"),
            ("a.py", "user@rejected.example"),
            ("a.lock", "# @REJECTED: `redis`"),
        ] {
            assert_eq!(read(path, text), [], "{path}: {text}");
        }
    }

    #[test]
    fn tags_belong_to_their_block() {
        let text = "\
# [DEF:cache-store:ADR] Where the cache lives
# @RATIONALE: one process less
# @REJECTED: `redis`,
#   `memcached`
# [/DEF:cache-store]

# [DEF:parse:Function]
# @REJECTED: `eval`
def parse(): ...
# [/DEF:parse]

# @RATIONALE: simple
# @REJECTED: `lxml`

# @REJECTED: `bs4`
# [DEF:unit:Module]
";
        let found = decisions(SourceFile { path: "a.py", text });
        let told: Vec<(&str, DecisionKind, usize, usize)> = found
            .iter()
            .map(|decision| {
                (
                    decision.id.as_str(),
                    decision.kind,
                    decision.rationale.len(),
                    decision.rejected.iter().map(|one| one.names.len()).sum(),
                )
            })
            .collect();
        assert_eq!(
            told,
            [
                ("cache-store", DecisionKind::Def, 1, 2),
                ("parse", DecisionKind::Tag, 0, 1),
                ("a.py:12", DecisionKind::Tag, 1, 1),
                ("a.py:15", DecisionKind::Tag, 0, 1),
            ]
        );
        assert_eq!(found[0].title, "Where the cache lives");
    }
}
