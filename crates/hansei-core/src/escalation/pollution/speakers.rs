//! Who begins to speak in a line, under whatever marker: `Assistant: …`, `### User`, `[12:01] <assistant> …`,
//! `--- Turn 3 (user) ---`, `🤖 …`; and who speaks in messages: `{"role": "user", …}`, `- role: user`, `<turn role="user">`.

/// Whoever speaks in transcripts of agents.
const AGENTS: &str = "assistant ai agent model coder bot claude gpt chatgpt gemini codex cursor aider devin junior llm \
    opencode kilo copilot windsurf cline thought thinking reasoning action reflection assistent asistente ассистент";
/// Whoever speaks with them.
const OTHERS: &str = "user human developer system tool function reviewer me you observation operator nutzer benutzer \
    mensch utilisateur usuario utente пользователь";
/// Words that stand beside a speaker's name and name nobody.
const BESIDE: &str = "turn message msg says said wrote replied reply answered response am pm";
/// Words that follow a speaker's name and tell its turns apart: `Tool call`, `Claude Code`.
const BEHIND: &str = "call calls result results output outputs use code agent";
/// Labels of records and of what programs print, which alternate and are no speakers.
const FIELDS: &str = "info warn warning error errors debug trace note help expected actual given when then got want \
    wanted file line path name title version description date status key value see todo example input type id http \
    https test tests command exit stdout stderr left right content text";

/// A name that begins a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Speaker {
    /// The name, in lower case.
    pub(super) who: String,
    /// Who that is.
    pub(super) kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An agent.
    Agent,
    /// Somebody or something that speaks with one.
    Other,
    /// A name that nobody knows.
    Unknown,
}

impl Speaker {
    /// Whom one word names, where it names a speaker that is known.
    fn known(word: &str) -> Option<Self> {
        known(word).map(|kind| Self { who: word.to_owned(), kind })
    }
}

/// A line without the marks that stand before its first word.
pub(super) fn bare(line: &str) -> &str {
    line.trim().trim_start_matches(|c: char| !c.is_alphanumeric())
}

/// Who begins to speak in a line, and how many bytes of the line name them.
pub(super) fn in_line(line: &str) -> Option<(Speaker, usize)> {
    let line = line.trim_end();
    let start = line.len() - without_time(bare(line)).len();
    let (head, said) = head_of(&line[start..], line.trim_start().starts_with('('));
    let is_marked = is_marked(line.trim_start());
    let speaker = named(head).filter(|speaker| match said {
        None => is_marked,
        Some(said) => is_speech(speaker, head, said, is_marked),
    });
    match speaker {
        Some(speaker) => Some((speaker, start + head.len())),
        None => glyph(line).map(|(who, end)| (Speaker { who, kind: Kind::Unknown }, end)),
    }
}

/// The words that may name somebody, and what stands behind them, with the sign that ends them.
fn head_of(rest: &str, in_parentheses: bool) -> (&str, Option<&str>) {
    let limit = rest.floor_char_boundary(48);
    let ends = [":", "：", ">", "]", " - ", " – ", " — ", "|", "\t", ",\""];
    let end =
        ends.iter().chain(in_parentheses.then_some(&")")).filter_map(|end| rest[..limit].find(end)).min();
    end.map_or((rest, None), |at| (&rest[..at], Some(&rest[at..])))
}

/// Whether what stands behind a name is said by somebody: `user: deploy` is a setting, and `a::b` or `c://` no name's end.
fn is_speech(speaker: &Speaker, head: &str, said: &str, is_marked: bool) -> bool {
    if ["::", "://", ":\\"].iter().any(|no| said.starts_with(no)) {
        return false;
    }
    let words = said.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    let is_setting = said.starts_with(':') && head.starts_with(char::is_lowercase) && words <= 1;
    is_marked || !(is_setting || (speaker.kind == Kind::Unknown && words == 0))
}

/// Whether a line is set apart by what stands before its first word, so that it needs no colon.
fn is_marked(line: &str) -> bool {
    line.starts_with(['#', '[', '<', '_', '`', '=', '('])
        || line.starts_with("**")
        || line.starts_with("--")
        || is_emoji(line)
}

fn is_emoji(line: &str) -> bool {
    line.starts_with(|c| ('\u{1f300}'..='\u{1faff}').contains(&c))
}

/// The sign that begins a line and is no letter, and how many bytes it takes: some programs mark their speakers so.
fn glyph(line: &str) -> Option<(String, usize)> {
    let first = line.trim_start().chars().next().filter(|c| !c.is_ascii() && !c.is_alphanumeric())?;
    let end = line.len() - line.trim_start().len() + first.len_utf8();
    (is_emoji(line.trim_start()) || line[end..].starts_with(' ')).then(|| (first.to_string(), end))
}

/// A line without the time or the number before its first name.
fn without_time(line: &str) -> &str {
    let end = line.find(|c: char| c.is_whitespace() || matches!(c, ']' | ')')).unwrap_or(line.len());
    let is_time = line.starts_with(|c: char| c.is_ascii_digit())
        && line[..end]
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, ':' | '.' | '-' | 'T' | 'Z' | '/' | ','));
    if is_time && end < line.len() { without_time(bare(&line[end..])) } else { line }
}

/// Whom these words name, if they name anybody: a speaker that is known, or a label of a word or two.
fn named(head: &str) -> Option<Speaker> {
    let lower = head.to_lowercase();
    let words = lower.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-')));
    let words: Vec<&str> = words
        .map(|word| word.trim_matches(['-', '_']))
        .filter(|word| {
            !word.is_empty() && !is_in(BESIDE, word) && !word.starts_with(|c: char| c.is_ascii_digit())
        })
        .collect();
    let who = words.join(" ");
    let known = |word: &str| word.split(['-', '_']).find_map(known);
    let kind = match words[..] {
        [one] => known(one),
        [one, other] if is_in(BEHIND, other) || known(other).is_some() => known(one),
        _ => None,
    };
    if let Some(kind) = kind {
        return Some(Speaker { who, kind });
    }
    let is_label =
        (1..=2).contains(&words.len()) && head.trim().len() <= 24 && head.starts_with(char::is_alphabetic);
    (is_label && !words.iter().any(|word| is_in(FIELDS, word)))
        .then_some(Speaker { who, kind: Kind::Unknown })
}

fn is_in(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

fn known(word: &str) -> Option<Kind> {
    let one = word.strip_suffix('s').unwrap_or(word);
    if is_in(AGENTS, word) || is_in(AGENTS, one) {
        Some(Kind::Agent)
    } else if is_in(OTHERS, word) || is_in(OTHERS, one) {
        Some(Kind::Other)
    } else {
        None
    }
}

/// Keys that say who speaks in a message, and whether any speaker may be their value; a `type` is often something else.
const ROLE_KEYS: [(&str, bool); 6] =
    [("role", true), ("speaker", true), ("author", true), ("sender", true), ("from", false), ("type", false)];

/// Who speaks in the messages of a text, and where each is named: as JSON, as another language prints such objects, as
/// YAML, as an attribute, on one line or on many; and in the marks of chat templates.
pub(super) fn in_messages(text: &str) -> Vec<(Speaker, usize)> {
    let lower = text.to_ascii_lowercase();
    let mut found: Vec<(Speaker, usize)> = Vec::new();
    for (key, any) in ROLE_KEYS {
        for (at, _) in lower.match_indices(key) {
            if let Some(speaker) = role_at(&lower, at, key).and_then(Speaker::known)
                && (any || ["user", "human", "assistant", "gpt", "ai"].contains(&speaker.who.as_str()))
            {
                found.push((speaker, at));
            }
        }
    }
    for mark in ["<|im_start|>", "<|start_header_id|>", "<|"] {
        let marks = lower.match_indices(mark).map(|(at, _)| (at, word_at(&lower[at + mark.len()..])));
        found.extend(marks.filter_map(|(at, who)| Some((Speaker::known(who)?, at))));
    }
    for (mark, who) in [("[inst]", "user"), ("[/inst]", "assistant")] {
        found.extend(lower.match_indices(mark).filter_map(|(at, _)| Some((Speaker::known(who)?, at))));
    }
    // `HumanMessage(content=…)`
    for (at, _) in lower.match_indices("message(") {
        let start = lower[..at].rfind(|c: char| !c.is_alphanumeric()).map_or(0, |before| before + 1);
        found.extend(lower.get(start..at).and_then(Speaker::known).map(|speaker| (speaker, start)));
    }
    found.sort_by_key(|(_, at)| *at);
    found.dedup_by_key(|(_, at)| *at);
    found
}

/// The value behind a key that stands at a place, where it is a key.
fn role_at<'a>(lower: &'a str, at: usize, key: &str) -> Option<&'a str> {
    let before = lower[..at].chars().next_back();
    if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')) {
        return None;
    }
    let quotes = ['"', '\'', '\\', ' '];
    let rest = lower[at + key.len()..].trim_start_matches(quotes);
    let value = rest.strip_prefix([':', '=', '>'])?.trim_start_matches(quotes);
    Some(word_at(value))
}

fn word_at(text: &str) -> &str {
    let end = text.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(text.len());
    &text[..end]
}
