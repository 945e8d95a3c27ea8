//! Names that people write without quotes, in documents: `Celery or RQ`, `Apache Kafka`, `the Lombok library`.

use super::file_kind::holds;
use super::names::{Name, reasons_begin};

/// In front of a name.
const LEADING: &str = "use uses using adopt adopting switch switching move moving migrate migrating introduce introducing add adding to the a \
    an any our own hosted managed self-hosted plain either neither both new another other more full build write run store \
    keep keeping put putting deploy implement implementing choose pick with on option apache amazon aws google microsoft \
    azure oracle ibm hashicorp jetbrains facebook meta a. b. c. also e.g. like such as even further additional third-party \
    dedicated separate external of";
/// Behind a name, what kind of thing it is.
const KINDS: &str = "library libraries package packages framework database databases server servers cache service services api apis module \
    modules tool tools client clients queue queues broker brokers table tables cluster crate crates gem gems plugin plugins orm \
    driver drivers engine runtime bundler formatter linter compiler stack platform tasks jobs store backend itself alone only \
    directly entirely anymore again here schema endpoint endpoints container containers image images \
    instance hooks syntax language format protocol";
/// Words that are no name of anything in particular.
const GENERIC: &str = "nothing none custom manual status no other build buy wait rewrite caching queue option options file files database cache \
    local inline cloud server client keep do everything something this that it them these those such one two all own both \
    neither either same status quo polling events code tests json yaml xml csv http https rest sql api we they not use";
/// From here on somebody says what for, or where.
const BEHIND: &[&str] = &[
    " for ", " as ", " with ", " from ", " by ", " instead", " at ", " behind ", " when ", " if ",
    " unless ", " until ", " via ", " and use ", " but ", " that ", " which ", " because", " anywhere",
    " everywhere", " yet", " again", " any more", " anymore", " here",
];
/// What stands behind these is what the words are about: `counters in Redis`.
const WITHIN: &[&str] = &[" in ", " on ", " to ", " through ", " over ", " into ", " inside ", " of "];

/// The names in a stretch of words, up to where its reasons begin.
pub(super) fn names_in_words(text: &str) -> Vec<Name> {
    let text = without_markup(text);
    let text =
        text.trim().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' ' | '-'));
    let head = reasons_begin(text).map_or(text, |at| &text[..at]);
    let mut names: Vec<Name> = Vec::new();
    for part in
        head.split([',', ';', ':']).flat_map(|part| part.split(" or ")).flat_map(|part| part.split(" and "))
    {
        for part in part.split(" nor ").flat_map(|part| part.split(" / ")) {
            for name in names_of_part(part) {
                if !names.iter().any(|known| known.text.eq_ignore_ascii_case(&name)) {
                    names.push(Name::plain(&name));
                }
            }
        }
    }
    names
}

/// A text without links and emphasis: what people read.
pub(super) fn without_markup(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        plain.push_str(&rest[..at]);
        let end = rest[at..].find(')').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    plain.push_str(rest);
    plain.replace(['[', ']', '*', '"', '“', '”'], "").replace("__", "")
}

fn names_of_part(part: &str) -> Vec<String> {
    let padded = format!("{} ", part.trim());
    let mut text = padded.as_str();
    for stop in BEHIND {
        text = text.find(stop).map_or(text, |at| &text[..at]);
    }
    let inner = WITHIN.iter().filter_map(|word| text.rfind(word).map(|at| (at, at + word.len()))).max();
    if let Some((at, behind)) = inner {
        let within = words(&text[behind..]);
        let stated = words(&text[..at]);
        let is_named = within.iter().any(|word| word.starts_with(char::is_uppercase));
        if is_named || stated.is_empty() {
            return named(&within);
        }
        // `Sessions on disk` names nothing.
        return if stated.len() == 1 && is_marked(stated[0]) { named(&stated) } else { Vec::new() };
    }
    named(&words(text))
}

fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = text
        .split_whitespace()
        .map(|word| word.trim_matches(|c: char| matches!(c, '.' | '(' | ')' | '\'' | '!' | '?' | '_')))
        .filter(|word| !word.is_empty())
        .collect();
    while words
        .first()
        .is_some_and(|word| holds(LEADING, &word.to_lowercase()) || word.chars().all(|c| c.is_ascii_digit()))
    {
        words.remove(0);
    }
    while words.len() > 1 && words.last().is_some_and(|word| holds(KINDS, &word.to_lowercase())) {
        words.pop();
    }
    words
}

/// Whether a word is written as only names are: `GraphQL`, `RQ`, `log4j`, `async-std`.
fn is_marked(word: &str) -> bool {
    word.chars().skip(1).any(char::is_uppercase)
        || word.chars().any(|c| c.is_ascii_digit())
        || (word.contains(['-', '.', '_', '/', '@']) && !word.ends_with('.'))
}

/// What a product is for, in capitals: the second word of `Akka HTTP`.
fn is_acronym(word: &str) -> bool {
    word.len() >= 3 && word.chars().all(|c| c.is_ascii_uppercase())
}

fn named(words: &[&str]) -> Vec<String> {
    let fits = |word: &str| {
        let long_enough = word.len() >= 3 || (word.len() == 2 && word.chars().all(char::is_uppercase));
        long_enough
            && word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '@')
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@' | '+' | '#'))
            && !holds(GENERIC, &word.to_lowercase())
    };
    match words {
        [] => Vec::new(),
        [word] => fits(word).then(|| (*word).to_owned()).into_iter().collect(),
        // `Spring Boot`, `GitHub Actions`
        [first, second]
            if [first, second].iter().all(|word| word.starts_with(char::is_uppercase))
                && fits(first)
                && (fits(second) || is_acronym(second)) =>
        {
            vec![format!("{first}-{second}")]
        }
        several => several
            .iter()
            .filter(|word| fits(word) && is_marked(word) && !word.contains('-'))
            .map(|word| (*word).to_owned())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_among_words() {
        for (text, names) in [
            ("Celery or RQ.", &["Celery", "RQ"][..]),
            ("Redis", &["Redis"]),
            ("Use Redis for the cache", &["Redis"]),
            ("**Redis**: fast", &["Redis"]),
            ("[Webpack](https://x.example)", &["Webpack"]),
            ("Apache Kafka, because of its size", &["Kafka"]),
            ("Counters in Redis", &["Redis"]),
            ("the Lombok library", &["Lombok"]),
            ("Spring Boot", &["Spring-Boot"]),
            ("Akka HTTP", &["Akka-HTTP"]),
            ("Custom HTTP", &[]),
            ("PostgreSQL table", &["PostgreSQL"]),
            ("axios and request", &["axios", "request"]),
            ("Signed cookie", &[]),
            ("sessions on disk", &[]),
            ("a rewrite", &[]),
            ("do nothing", &[]),
            ("2. GraphQL", &["GraphQL"]),
        ] {
            let found: Vec<String> = names_in_words(text).into_iter().map(|name| name.text).collect();
            assert_eq!(found, names, "{text}");
        }
    }
}
