//! Documents of ADR folders, as MADR, adr-tools and people write them: their status, what they chose, what they did not.

use super::adr_rejections::{Told, rejections};
use super::decision::{Decision, DecisionKind, Reason, SourceFile, Standing};
use super::reasons::without_reasons;
use super::tags;
use crate::model_text::one_line;

/// A document and what it takes the place of.
#[derive(Debug, Clone)]
pub(super) struct Document {
    pub(super) decision: Decision,
    /// Names of decisions: ids, numbers, files.
    pub(super) supersedes: Vec<String>,
    /// The lines that say what was decided, with their numbers.
    pub(super) decides: Vec<(u32, String)>,
}

/// Whether a path is a document of an ADR folder.
pub fn is_adr_path(path: &str) -> bool {
    let lower = path.to_ascii_lowercase();
    let mut parts: Vec<&str> = lower.split('/').collect();
    let Some(name) = parts.pop() else { return false };
    let in_folder = parts.iter().any(|part| {
        matches!(
            *part,
            "adr"
                | "adrs"
                | "decisions"
                | "decision-records"
                | "architecture-decisions"
                | "architecture_decisions"
                | "architecture-decision-records"
        )
    });
    let (stem, kind) = name.rsplit_once('.').unwrap_or((name, ""));
    let is_other = ["readme", "index", "template", "adr-template", "_template", "0000-template"]
        .contains(&stem)
        || stem.starts_with("template");
    let numbered = stem
        .strip_prefix("adr")
        .is_some_and(|rest| rest.trim_start_matches(['-', '_']).starts_with(|c: char| c.is_ascii_digit()));
    (in_folder || numbered) && matches!(kind, "md" | "markdown" | "adoc" | "rst") && !is_other
}

/// The standing that a status names.
pub(super) fn standing_of(text: &str) -> Option<Standing> {
    let lower = text.to_ascii_lowercase();
    let says = |word: &str| lower.contains(word);
    if says("superseded") || says("superceded") || says("replaced by") || says("obsolete") {
        Some(Standing::Superseded)
    } else if says("deprecated") || says("withdrawn") || says("retired") {
        Some(Standing::Deprecated)
    } else if says("rejected") || says("declined") {
        Some(Standing::Rejected)
    } else if says("accepted")
        || says("approved")
        || says("decided")
        || says("adopted")
        || says("implemented")
        || says("active")
    {
        Some(Standing::Accepted)
    } else if says("proposed") || says("draft") || says("pending") || says("open") || says("discussion") {
        Some(Standing::Proposed)
    } else {
        None
    }
}

/// What a section of a document is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Section {
    Status,
    Options,
    /// What the decision was taken against.
    Alternatives,
    Rejected,
    Decision,
    Rationale,
    /// What follows: it may forbid, but decides nothing.
    Consequences,
    Other,
}

fn section_of(heading: &str) -> Section {
    let lower = heading.to_ascii_lowercase();
    let says = |word: &str| lower.contains(word);
    if says("status") {
        Section::Status
    } else if says("reject")
        || says("not chosen")
        || says("discarded")
        || says("ruled out")
        || says("dismissed")
    {
        Section::Rejected
    } else if says("alternative") {
        Section::Alternatives
    } else if says("considered options")
        || says("options considered")
        || lower == "options"
        || says("option") && says("consider")
    {
        Section::Options
    } else if says("consequences") {
        Section::Consequences
    } else if says("pros and cons") {
        Section::Other
    } else if says("decision driver") || says("rationale") || says("context") {
        Section::Rationale
    } else if says("decision") || says("outcome") || says("resolution") {
        Section::Decision
    } else {
        Section::Other
    }
}

/// The decision of a document; none for a file that is no ADR.
pub(super) fn read(file: SourceFile<'_>) -> Option<Document> {
    if !is_adr_path(file.path) {
        return None;
    }
    let mut reading = Reading::default();
    let mut front = false;
    let mut fenced = false;
    let lines: Vec<&str> = file.text.lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let text = line.trim();
        let underline = lines.get(at + 1).and_then(|next| underlines(next));
        if let Some(level) =
            underline.filter(|_| !front && !fenced && text.starts_with(char::is_alphanumeric))
        {
            reading.line(number, line, &format!("{level} {text}"));
            continue;
        }
        if !front && at > 0 && underlines(line).is_some() && !lines[at - 1].trim().is_empty() {
            continue;
        }
        if text == "---" && (at == 0 || front) {
            front = at == 0;
        } else if text.starts_with("```") {
            fenced = !fenced;
        } else if front {
            reading.labelled(number, text);
        } else if !fenced && !text.is_empty() {
            reading.line(number, line, text);
        }
    }
    Some(reading.finish(file))
}

/// The mark of the heading that a line of signs makes of the line above it.
fn underlines(line: &str) -> Option<&'static str> {
    let line = line.trim_end();
    let all = |sign: char| line.len() >= 3 && line.chars().all(|c| c == sign);
    if all('=') {
        Some("#")
    } else if all('-') || all('~') {
        Some("##")
    } else {
        None
    }
}

#[derive(Debug, Default)]
struct Reading {
    told: Told,
    section: Option<Section>,
    standing: Option<Standing>,
    supersedes: Vec<String>,
    rationale: Vec<Reason>,
}

impl Reading {
    /// `status: accepted`, `supersedes: 0003`, in front matter or in a list at the top.
    fn labelled(&mut self, number: u32, text: &str) -> bool {
        let plain = text.trim_start_matches(['*', '-', ' ', '_']);
        let Some((label, value)) = plain.split_once(':') else { return false };
        let label = label.trim_matches(|c: char| matches!(c, '*' | '_' | ' ' | '"')).to_ascii_lowercase();
        match label.as_str() {
            "status" | "state" => {
                self.standing = standing_of(value).or(self.standing);
                self.take_superseded(value);
                true
            }
            "supersedes" | "supercedes" | "replaces" | "revises" => {
                self.supersedes.extend(references(value));
                true
            }
            "superseded-by" | "superseded by" => {
                if !value.trim().is_empty() {
                    self.standing = Some(Standing::Superseded);
                }
                true
            }
            _ if label.starts_with("rejected") || label.starts_with("not chosen") => {
                self.told.rejected.push((number, value.trim_start_matches('*').trim().to_owned()));
                true
            }
            "decision" | "we decided" | "outcome" => {
                self.told.decides.push((number, value.trim_start_matches('*').trim().to_owned()));
                true
            }
            "alternatives" | "alternatives considered" | "considered alternatives" => {
                self.told.alternatives.push((number, value.trim_start_matches('*').trim().to_owned()));
                true
            }
            "title" => {
                self.told.title = one_line(value.trim().trim_matches('"'), 200);
                true
            }
            _ => false,
        }
    }

    fn take_superseded(&mut self, text: &str) {
        let lower = text.to_ascii_lowercase();
        for word in ["supersedes", "supercedes", "replaces", "revises", "overturns", "reverses"] {
            if let Some(at) = lower.find(word) {
                self.supersedes.extend(references(&text[at + word.len()..]));
            }
        }
    }

    fn line(&mut self, number: u32, line: &str, text: &str) {
        let level = text.bytes().take_while(|byte| matches!(byte, b'#' | b'=')).count();
        if level > 0 && text[level..].starts_with(' ') {
            let heading = text[level..].trim().trim_end_matches('#').trim();
            if self.told.title.is_empty() && level == 1 {
                self.told.title = one_line(heading, 200);
                self.told.decides.push((number, heading.to_owned()));
            } else if level <= 2 {
                self.section = Some(section_of(heading));
            } else if matches!(self.section, Some(Section::Rejected)) {
                self.told.rejected.push((number, heading.to_owned()));
            } else if matches!(self.section, Some(Section::Options)) {
                self.told.options.push((number, heading.to_owned()));
            } else if matches!(self.section, Some(Section::Alternatives)) {
                self.told.alternatives.push((number, heading.to_owned()));
            } else {
                let inner = section_of(heading);
                if inner != Section::Other {
                    self.section = Some(inner);
                }
            }
            return;
        }
        self.take_superseded(text);
        if self.labelled(number, text) {
            return;
        }
        let lower = text.to_ascii_lowercase();
        if let Some(at) = lower.find("chosen option") {
            let (chosen, behind) = choice(&text[at + "chosen option".len()..]);
            self.told.decides.push((number, format!("{}Chosen option: {chosen} {behind}", &text[..at])));
            self.told.chosen = Some(chosen);
            return;
        }
        if text.starts_with('|') {
            self.row(number, text);
            return;
        }
        let item = item_of(text).filter(|_| line.len() - line.trim_start().len() < 4);
        match self.section {
            Some(Section::Status) => self.standing = stronger(self.standing, standing_of(text)),
            Some(Section::Options) => self.told.options.extend(item.map(|item| (number, item.to_owned()))),
            Some(Section::Alternatives) => {
                self.told.alternatives.extend(item.map(|item| (number, item.to_owned())));
            }
            Some(Section::Rejected) => self.told.rejected.push((number, item.unwrap_or(text).to_owned())),
            Some(Section::Decision) => self.told.decides.push((number, text.to_owned())),
            Some(Section::Consequences) => self.told.follows.push((number, text.to_owned())),
            Some(Section::Rationale) => {
                self.rationale.push(Reason { text: one_line(text, 400), line: number });
            }
            Some(Section::Other) | None => {}
        }
    }

    /// `| MongoDB | no transactions | rejected |`
    fn row(&mut self, number: u32, text: &str) {
        let cells: Vec<&str> = text.split('|').map(str::trim).filter(|cell| !cell.is_empty()).collect();
        let Some((name, verdicts)) = cells.split_first() else { return };
        let says = |words: &[&str]| {
            verdicts.iter().any(|cell| words.iter().any(|word| cell.to_lowercase().contains(word)))
        };
        if says(&["rejected", "discarded", "not chosen", "ruled out", "dismissed", "❌", "✗"]) {
            self.told.rejected.push((number, (*name).to_owned()));
        } else if says(&["chosen", "accepted", "selected", "✅", "✓"]) {
            self.told.chosen.get_or_insert_with(|| (*name).to_owned());
        }
    }

    fn finish(mut self, file: SourceFile<'_>) -> Document {
        let standing = self.standing.unwrap_or(Standing::Accepted);
        let mut rejected = rejections(&self.told, standing);
        let decided = self.told.decides.iter().filter(|(_, text)| *text != self.told.title);
        let decided = decided.map(|(line, text)| Reason { text: one_line(text, 400), line: *line }).collect();
        let stem = file.path.rsplit('/').next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
        let bare = stem.strip_prefix("adr").or_else(|| stem.strip_prefix("ADR")).unwrap_or(stem);
        let number: String =
            bare.trim_start_matches(['-', '_']).chars().take_while(char::is_ascii_digit).collect();
        let mut id = if number.is_empty() { stem.to_owned() } else { format!("ADR-{number}") };
        // Tags in the document are the document's.
        for tagged in tags::decisions(file) {
            if tagged.kind == DecisionKind::Def {
                id = tagged.id;
            }
            rejected.extend(tagged.rejected);
            self.rationale.extend(tagged.rationale);
        }
        rejected.sort_by_key(|rejection| rejection.line);
        rejected.dedup_by(|one, other| !one.names.is_empty() && one.names == other.names);
        let decision = Decision {
            id,
            kind: DecisionKind::AdrFile,
            title: if self.told.title.is_empty() { stem.to_owned() } else { self.told.title },
            standing,
            rationale: self.rationale,
            rejected,
            decided,
            file: file.path.to_owned(),
            line: 1,
        };
        Document { decision, supersedes: self.supersedes, decides: self.told.decides }
    }
}

/// The option that is chosen, and what follows: reasons and further sentences. Where it stands in quotes, the rest of its own
/// clause speaks of others.
fn choice(told: &str) -> (String, &str) {
    let told = told.trim_start_matches(['s', ':', '*', ' ', '_']);
    let clause = without_reasons(told).first().map_or(told.len(), |clause| clause.len());
    let end = told.find(". ").map_or(clause, |end| end.min(clause));
    let (head, behind) = told.split_at(end);
    let quoted: Vec<&str> = head.split(['"', '“', '”']).skip(1).step_by(2).collect();
    let chosen = if quoted.is_empty() { head.to_owned() } else { quoted.join(" ") };
    let is_mark = |c: char| matches!(c, '*' | '.' | ',' | ' ' | '_' | '\'');
    (chosen.trim_matches(is_mark).to_owned(), behind)
}

/// In a section that lists several, what ends a decision outweighs what began it.
fn stronger(known: Option<Standing>, said: Option<Standing>) -> Option<Standing> {
    match (known, said) {
        (Some(Standing::Superseded | Standing::Deprecated), _) | (_, None) => known,
        (_, said) => said,
    }
}

fn item_of(text: &str) -> Option<&str> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let item = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| text.strip_prefix(bullet));
    item.or_else(|| {
        (digits > 0)
            .then(|| text[digits..].strip_prefix(". ").or_else(|| text[digits..].strip_prefix(") ")))?
    })
    .map(str::trim)
}

/// What decisions a text refers to: targets of links, numbers, ids.
pub(super) fn references(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let is_mark = |c: char| {
        c.is_whitespace()
            || matches!(c, '[' | ']' | '(' | ')' | ',' | ';' | '"' | '`' | '*' | '\'' | '<' | '>')
    };
    let words: Vec<&str> = text
        .split(is_mark)
        .map(|word| word.trim_matches(['.', ':', '#']))
        .filter(|word| !word.is_empty())
        .take(40)
        .collect();
    for (at, word) in words.iter().enumerate() {
        let file = word.rsplit('/').next().unwrap_or(word);
        let stem = file.strip_suffix(".md").or_else(|| file.strip_suffix(".adoc")).unwrap_or(file);
        found.push(stem.to_owned());
        found.push((*word).to_owned());
        let digits: String = stem.chars().take_while(char::is_ascii_digit).collect();
        if stem != file && !digits.is_empty() {
            found.push(digits);
        }
        if word.eq_ignore_ascii_case("adr")
            && let Some(next) = words.get(at + 1)
        {
            found.push(format!("ADR-{next}"));
        }
    }
    found
}
