//! How a line opens that says what this commit does to another: a verb, at its beginning or behind "this".

/// What a commit does to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::enum_variant_names, reason = "they all go back, each in its way")]
pub(super) enum Act {
    /// Undoes it.
    TakesBack,
    /// Goes back to how things were, in the words of those who run things.
    RollsBack,
    /// Does it again.
    BringsBack,
}

const VERBS: [(&str, Act); 27] = [
    ("reverts", Act::TakesBack),
    ("reverted", Act::TakesBack),
    ("reverting", Act::TakesBack),
    ("revert", Act::TakesBack),
    ("backs out", Act::TakesBack),
    ("backed out", Act::TakesBack),
    ("back out", Act::TakesBack),
    ("backout", Act::TakesBack),
    ("undoes", Act::TakesBack),
    ("undo", Act::TakesBack),
    ("rolls back", Act::RollsBack),
    ("rolled back", Act::RollsBack),
    ("rolling back", Act::RollsBack),
    ("roll back", Act::RollsBack),
    ("rollback", Act::RollsBack),
    ("reapplies", Act::BringsBack),
    ("re-applies", Act::BringsBack),
    ("reapply", Act::BringsBack),
    ("re-apply", Act::BringsBack),
    ("relands", Act::BringsBack),
    ("re-lands", Act::BringsBack),
    ("relanding", Act::BringsBack),
    ("reland", Act::BringsBack),
    ("re-land", Act::BringsBack),
    ("unrevert", Act::BringsBack),
    ("un-revert", Act::BringsBack),
    ("reinstate", Act::BringsBack),
];

/// Words that may stand between "this" and the verb, or before the verb.
const ADVERBS: [&str; 11] = [
    "partially", "partly", "partial", "temporarily", "manually", "effectively", "also", "fully", "basically",
    "essentially", "mostly",
];
/// What a message calls itself.
const ITSELF: [&str; 8] = ["commit", "change", "patch", "pr", "cl", "diff", "pull request", "changeset"];

/// What the line says is done, and what stands behind the verb.
pub(super) fn opening(line: &str) -> Option<(Act, &str)> {
    let line = without_bullet(line);
    verb_at(line).or_else(|| verb_at(behind_ticket(behind_prefixes(line)).1))
}

/// What stands behind the words that git itself writes, wherever they are: nobody else uses them.
pub(super) fn within(line: &str) -> Option<(Act, &str)> {
    const WORDS: &str = "this reverts commit";
    let start = line.to_ascii_lowercase().find(WORDS)?;
    // The words as well: that they say "commit" counts for what follows.
    Some((Act::TakesBack, line.get(start + "this reverts ".len()..)?))
}

/// The line without a list's bullet, quotes or emphasis around it.
fn without_bullet(line: &str) -> &str {
    let line = line.trim_start_matches([' ', '\t', '*', '-', '•', '+', '_', '#', '\u{feff}']);
    let digits = line.trim_start_matches(|character: char| character.is_ascii_digit());
    match digits.strip_prefix(". ") {
        Some(rest) if digits.len() < line.len() => rest.trim_start(),
        _ => line,
    }
}

/// The line behind tags in brackets and `scope:` prefixes.
pub(super) fn behind_prefixes(line: &str) -> &str {
    let mut rest = line.trim_start();
    for _ in 0..3 {
        let next = match rest.strip_prefix('[').and_then(|inner| inner.split_once(']')) {
            Some((_, behind)) => Some(behind),
            None => rest.split_once(": ").filter(|(scope, _)| is_scope(scope)).map(|(_, behind)| behind),
        };
        match next {
            Some(next) => rest = next.trim_start_matches([' ', ':', '-']),
            None => break,
        }
    }
    rest
}

/// Whether the line begins by closing a ticket, and what stands behind that: a ticket may ask for anything.
pub(super) fn behind_ticket(line: &str) -> (bool, &str) {
    let Some((verb, rest)) = line.split_once(' ') else { return (false, line) };
    // What a tracker calls its tickets stands before their numbers, and says nothing about them.
    if ["bug", "issue", "ticket"].contains(&verb.to_ascii_lowercase().as_str())
        && let Some((number, behind)) = rest.split_once(' ')
        && is_number(number)
    {
        return (false, behind.trim_start_matches(['-', ':', '–', '—', ' ']));
    }
    let closes = [
        "fix", "fixes", "fixed", "close", "closes", "closed", "resolve", "resolves", "resolved", "refs",
        "ref",
    ];
    if !closes.contains(&verb.to_ascii_lowercase().as_str()) || !rest.split(' ').next().is_some_and(is_ticket)
    {
        return (false, line);
    }
    let mut rest = rest;
    while let Some((word, behind)) = rest.split_once(' ')
        && (is_ticket(word) || matches!(word, "--" | "-" | "and" | "&" | "–" | "—"))
    {
        rest = behind;
    }
    (true, if is_ticket(rest) { "" } else { rest })
}

/// `12`, `#12`, `12:` or `12,`.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches('#').trim_end_matches([',', ':', '.', '-']);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `#12`, or `GH-12`.
fn is_ticket(word: &str) -> bool {
    let word = word.trim_end_matches([',', ':', '.']);
    let number =
        word.strip_prefix('#').or_else(|| word.strip_prefix("GH-")).or_else(|| word.strip_prefix("gh-"));
    number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}

/// A few characters without a space, other than the brackets of `fix(parser)`, or several of those with commas.
fn is_scope(text: &str) -> bool {
    let is_one = |scope: &str| !scope.is_empty() && !scope.contains(char::is_whitespace);
    (1..=40).contains(&text.len()) && text.split(", ").all(is_one) && !text.contains(['"', '\'', '`'])
}

fn verb_at(line: &str) -> Option<(Act, &str)> {
    let mut rest = line;
    if let Some(behind) = word(rest, "this") {
        rest = behind;
        rest = ITSELF.iter().find_map(|name| word(rest, name)).unwrap_or(rest);
    }
    rest = ADVERBS.iter().find_map(|adverb| word(rest, adverb)).unwrap_or(rest);
    VERBS.iter().find_map(|(verb, act)| {
        let behind = rest.get(..verb.len()).filter(|head| head.eq_ignore_ascii_case(verb))?;
        let behind = rest.get(behind.len()..)?;
        let ends = behind
            .chars()
            .next()
            .is_none_or(|next| !next.is_alphanumeric() && !matches!(next, '_' | '-' | '.' | '/'));
        ends.then_some((*act, behind.trim_start_matches([':', '-', ' ', '\t'])))
    })
}

/// What stands behind `wanted`, if that is the first word.
fn word<'a>(text: &'a str, wanted: &str) -> Option<&'a str> {
    let head = text.get(..wanted.len()).filter(|head| head.eq_ignore_ascii_case(wanted))?;
    text.get(head.len()..)?.strip_prefix(' ').map(str::trim_start)
}
