//! What stands behind the verb: hashes, quoted titles, numbers of pull requests, in a list or alone.

use super::Named;

/// Words that may stand between the verb and what it is about.
const FILLERS: [&str; 30] = [
    "commit", "commits", "the", "following", "change", "changes", "made", "in", "from", "of", "pr", "prs",
    "pull", "request", "requests", "merge", "and", "also", "patch", "patches", "revision", "revisions",
    "changeset", "changesets", "part", "parts", "both", "with", "by", "mr",
];

/// How many of them.
const MOST_FILLERS: usize = 8;
/// How many commits one message may name.
const MOST_NAMED: usize = 200;

/// What a title is about: what it quotes, or what its words name. A title that was cut short goes on in the body.
pub(super) fn in_title(rest: &str, body: &str) -> Vec<Named> {
    let rest = rest.trim_start_matches(['`', '*']).trim_start();
    let quoted = quoted_titles(rest, body);
    if quoted.is_empty() { in_words(rest) } else { quoted }
}

/// The titles in quotes that `rest` begins with.
fn quoted_titles(rest: &str, body: &str) -> Vec<Named> {
    for (open, close) in [('"', '"'), ('“', '”'), ('\'', '\''), ('`', '`')] {
        let Some(inner) = rest.strip_prefix(open) else { continue };
        let titles = if let Some(end) = inner.rfind(close) {
            let inner = inner.get(..end).unwrap_or(inner);
            let pieces = inner.split("\" and \"").flat_map(|piece| piece.split("\", \""));
            pieces.map(str::to_owned).collect()
        } else {
            // GitHub cuts a long title with an ellipsis and begins the body with what it cut off.
            let head = inner.trim_end_matches(['…', '.', ' ']);
            let tail = body.lines().next().and_then(|line| line.trim().strip_prefix('…'));
            let tail = tail.map(|tail| tail.rsplit_once(close).map_or(tail, |(tail, _)| tail));
            vec![tail.map_or_else(|| format!("{head}…"), |tail| format!("{head}{tail}"))]
        };
        return titles
            .into_iter()
            .filter(|title: &String| !title.trim().is_empty())
            .map(Named::Title)
            .collect();
    }
    Vec::new()
}

/// The commits that a passage begins with: `commit abc1234`, `#12 and #13`, `the following commits:` and a list.
pub(super) fn in_words(passage: &str) -> Vec<Named> {
    let mut named = Vec::new();
    let mut fillers = 0;
    let mut said_commit = false;
    for raw in passage.split([' ', '\t', '\n', '\r', ',', ';']) {
        let word = raw.trim_matches(['(', ')', '[', ']', '<', '>', '`', '"', '\'', '.', ':', '*', '-', '&']);
        if word.is_empty() {
            continue;
        }
        if let Some(one) = revision(raw).or_else(|| reference(word, said_commit)) {
            // A list may go on, and its words with it.
            fillers = 0;
            named.push(one);
        } else if FILLERS.iter().any(|filler| filler.eq_ignore_ascii_case(word)) && fillers < MOST_FILLERS {
            said_commit |= word.to_ascii_lowercase().starts_with("commit");
            fillers += 1;
        } else {
            break;
        }
        if named.len() == MOST_NAMED {
            break;
        }
    }
    named
}

/// A hash, a number behind `#` or `!`, or the address of either.
pub(super) fn reference(word: &str, said_commit: bool) -> Option<Named> {
    if let Some((address, last)) = word.trim_end_matches('/').rsplit_once('/')
        && word.contains("://")
    {
        return match address.rsplit('/').next()? {
            "commit" if is_hash(last) => Some(Named::Hash(last.to_ascii_lowercase())),
            "pull" | "merge_requests" => last.parse().ok().map(Named::PullRequest),
            _ => None,
        };
    }
    // A full hash is one even where the next sentence was glued to it.
    if let Some(full) = [64, 40].into_iter().find_map(|length| {
        let (head, tail) = word.split_at_checked(length)?;
        (is_hash(head) && tail.chars().next().is_none_or(|next| !next.is_alphanumeric())).then_some(head)
    }) {
        return Some(Named::Hash(full.to_ascii_lowercase()));
    }
    // Seven digits are a number more often than a hash, unless the message says what they are.
    let like_a_hash = said_commit || word.len() >= 40 || word.bytes().any(|byte| byte.is_ascii_digit());
    let only_digits = word.bytes().all(|byte| byte.is_ascii_digit());
    if is_hash(word) && like_a_hash && (said_commit || !only_digits) {
        return Some(Named::Hash(word.to_ascii_lowercase()));
    }
    let (repository, number) = word
        .split_once('#')
        .or_else(|| word.split_once('!'))
        .or_else(|| word.split_once('-').filter(|(head, _)| head.eq_ignore_ascii_case("gh")))?;
    let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
    let rest = number.get(digits.len()..)?;
    let plausible = !repository.contains(char::is_whitespace) && !rest.starts_with(char::is_alphanumeric);
    digits.parse().ok().filter(|_| plausible).map(Named::PullRequest)
}

/// A number of Subversion: `r123`, or `[123]` as its trackers write it.
pub(super) fn revision(word: &str) -> Option<Named> {
    let word = word.trim_matches(['(', ')', '.', ':', '"', '\'', '`']);
    let bracketed = || word.strip_prefix('[').and_then(|word| word.split_once(']')).map(|(digits, _)| digits);
    let digits = word.strip_prefix('r').or_else(bracketed)?;
    let plausible = (2..=7).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit());
    digits.parse().ok().filter(|_| plausible).map(Named::Revision)
}

/// Seven to sixty-four hexadecimal digits.
pub(super) fn is_hash(word: &str) -> bool {
    (7..=64).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}
