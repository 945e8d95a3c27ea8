//! Documents of ADR folders, as MADR, adr-tools and people write them: their status, what they chose, what they did not.

use super::contradiction::decides_for;
use super::decision::{Decision, DecisionKind, Reason, Rejection, SourceFile, Standing};
use super::names::{Name, back_quoted, names_in};
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
    in_folder && matches!(kind, "md" | "markdown" | "adoc" | "rst") && !is_other
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
    } else if says("considered options")
        || says("options considered")
        || says("alternatives")
        || lower == "options"
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
    for (at, line) in file.text.lines().enumerate() {
        let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
        let text = line.trim();
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

#[derive(Debug, Default)]
struct Reading {
    title: String,
    section: Option<Section>,
    standing: Option<Standing>,
    supersedes: Vec<String>,
    options: Vec<(u32, String)>,
    rejected: Vec<(u32, String)>,
    chosen: Option<String>,
    decides: Vec<(u32, String)>,
    follows: Vec<(u32, String)>,
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
                self.rejected.push((number, value.trim_start_matches('*').trim().to_owned()));
                true
            }
            "title" => {
                self.title = one_line(value.trim().trim_matches('"'), 200);
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
            if self.title.is_empty() && level == 1 {
                self.title = one_line(heading, 200);
                self.decides.push((number, heading.to_owned()));
            } else if level <= 2 {
                self.section = Some(section_of(heading));
            } else if matches!(self.section, Some(Section::Rejected)) {
                self.rejected.push((number, heading.to_owned()));
            } else if matches!(self.section, Some(Section::Options)) {
                self.options.push((number, heading.to_owned()));
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
            let told = text[at + "chosen option".len()..]
                .trim_start_matches(['s', ':', '*', ' ', '"', '“', '\'', '_']);
            let cut = told
                .to_ascii_lowercase()
                .find(", because")
                .or_else(|| told.find(['"', '”']))
                .unwrap_or(told.len());
            self.chosen = Some(
                told[..cut]
                    .trim_matches(|c: char| matches!(c, '*' | '"' | '“' | '”' | '.' | ' ' | '_' | '\''))
                    .to_owned(),
            );
            self.decides.push((number, text.to_owned()));
            return;
        }
        let item = item_of(text).filter(|_| line.len() - line.trim_start().len() < 4);
        match self.section {
            Some(Section::Status) => self.standing = stronger(self.standing, standing_of(text)),
            Some(Section::Options) => self.options.extend(item.map(|item| (number, item.to_owned()))),
            Some(Section::Rejected) => self.rejected.push((number, item.unwrap_or(text).to_owned())),
            Some(Section::Decision) => self.decides.push((number, text.to_owned())),
            Some(Section::Consequences) => self.follows.push((number, text.to_owned())),
            Some(Section::Rationale) => {
                self.rationale.push(Reason { text: one_line(text, 400), line: number });
            }
            Some(Section::Other) | None => {}
        }
    }

    fn finish(mut self, file: SourceFile<'_>) -> Document {
        let standing = self.standing.unwrap_or(Standing::Accepted);
        let mut rejected: Vec<Rejection> = Vec::new();
        let mut reject = |line: u32, text: &str, names: Vec<Name>| {
            if !names.is_empty() {
                rejected.push(Rejection { text: one_line(text, 400), names, line });
            }
        };
        if standing == Standing::Rejected {
            let names = |text: &str| -> Vec<Name> {
                back_quoted(text).into_iter().filter_map(|(from, to)| Name::quoted(&text[from..to])).collect()
            };
            for (line, text) in &self.decides {
                let quoted = names(text);
                let plain = if quoted.is_empty() && *text == self.title {
                    plain_name(text).into_iter().collect()
                } else {
                    quoted
                };
                reject(*line, text, plain);
            }
        } else {
            for (line, text) in &self.rejected {
                reject(*line, text, option_names(text));
            }
            let by_words = || {
                let decided = |name: &Name| self.decides.iter().any(|(_, text)| decides_for(text, name));
                let names =
                    self.options.iter().filter_map(|(_, option)| option_names(option).into_iter().next());
                names.filter(|name| decided(name)).map(|name| name.text).next()
            };
            if let Some(chosen) = &self.chosen.clone().or_else(by_words) {
                for (line, text) in self.options.iter().filter(|(_, option)| !is_the_chosen(option, chosen)) {
                    reject(*line, text, option_names(text));
                }
            }
            for (line, text) in &self.options {
                let lower = text.to_ascii_lowercase();
                if self.chosen.is_none()
                    && ["rejected", "not chosen", "discarded", "ruled out"]
                        .iter()
                        .any(|word| lower.contains(word))
                {
                    reject(*line, text, option_names(text));
                }
            }
            for (line, text) in self.decides.iter().chain(&self.follows) {
                for sentence in text.split(['.', ';']).filter(|sentence| forbids(sentence)) {
                    reject(*line, sentence.trim(), names_in(behind_the_ban(sentence)));
                }
            }
        }
        let number: String = file
            .path
            .rsplit('/')
            .next()
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let stem = file.path.rsplit('/').next().unwrap_or_default();
        let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
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
        rejected.dedup_by(|one, other| one.names == other.names);
        let decision = Decision {
            id,
            kind: DecisionKind::AdrFile,
            title: if self.title.is_empty() { stem.to_owned() } else { self.title },
            standing,
            rationale: self.rationale,
            rejected,
            file: file.path.to_owned(),
            line: 1,
        };
        Document { decision, supersedes: self.supersedes, decides: self.decides }
    }
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

fn is_the_chosen(option: &str, chosen: &str) -> bool {
    let plain = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty() && !matches!(*word, "use" | "the" | "a" | "option"))
            .map(str::to_owned)
            .collect()
    };
    let (option_words, chosen_words) = (plain(option), plain(chosen));
    let marked = ["(chosen)", "(accepted)", "(selected)", "✅"]
        .iter()
        .any(|mark| option.to_lowercase().contains(mark));
    // An option may be explained behind its name; the choice repeats the name.
    let name_of =
        |text: &str| plain(text.split([':', '(']).next().unwrap_or(text).split(" - ").next().unwrap_or(text));
    let name = name_of(option);
    marked
        || option_words == chosen_words
        || (!name.is_empty()
            && (chosen_words.starts_with(&name) || option_words.starts_with(&chosen_words))
            && !chosen_words.is_empty())
}

fn option_names(text: &str) -> Vec<Name> {
    let quoted = names_in(text);
    if quoted.is_empty() { plain_name(text).into_iter().collect() } else { quoted }
}

/// The name of an option that nobody quoted, if it is one word: `Redis`, `Use Redis for the cache`, `**Redis**: fast`.
fn plain_name(text: &str) -> Option<Name> {
    let mut text = text
        .trim()
        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '[' | '*' | '_'));
    for verb in
        ["Use ", "Using ", "Adopt ", "Switch to ", "Move to ", "Migrate to ", "Introduce ", "use ", "Add "]
    {
        text = text.strip_prefix(verb).unwrap_or(text);
    }
    let mut end = text.len();
    for stop in [
        " - ", " – ", " — ", ": ", ":", "(", " for ", " as ", " with ", " in ", " to ", ",", "]", "**",
        " because", " was ", " is ", " instead", ".",
    ] {
        end = end.min(text.find(stop).unwrap_or(text.len()));
    }
    let name = text[..end].trim_matches(|c: char| matches!(c, '*' | '_' | '"' | '.' | ' ' | '[' | ']'));
    let generic = [
        "nothing",
        "none",
        "custom",
        "manual",
        "status",
        "no",
        "other",
        "build",
        "buy",
        "wait",
        "rewrite",
        "monolith",
        "microservices",
        "caching",
        "queue",
        "option",
        "file",
        "files",
        "database",
        "cache",
        "local",
        "inline",
        "cloud",
        "server",
        "client",
        "keep",
        "do",
    ];
    let fits = name.len() >= 3
        && !name.contains(' ')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@'))
        && !generic.contains(&name.to_ascii_lowercase().as_str());
    fits.then(|| Name { text: name.to_owned(), quoted: false })
}

const BANS: &[&str] = &[
    "will not use",
    "do not use",
    "don't use",
    "must not use",
    "never use",
    "not be used",
    "no longer use",
    "may not use",
    "shall not use",
    "we reject",
    "rejected",
    "forbid",
    "is banned",
    "are banned",
    "we ban",
    "avoid",
    "stop using",
    "not allowed",
    "ruled out",
    "decided against",
    "will not adopt",
    "not introduce",
    "not going to use",
    "won't use",
    "should not use",
    "not add",
];

fn forbids(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    BANS.iter().any(|ban| lower.contains(ban)) && sentence.contains('`')
}

/// Where a ban begins to name what it bans; the whole sentence where the ban stands behind it.
fn behind_the_ban(sentence: &str) -> &str {
    let lower = sentence.to_lowercase();
    let at = BANS.iter().filter_map(|ban| lower.find(ban).map(|at| at + ban.len())).min().unwrap_or_default();
    let behind = sentence.get(at..).unwrap_or(sentence);
    if behind.contains('`') { behind } else { sentence }
}
