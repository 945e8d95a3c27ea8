//! Lists of what is relied on: whether a line of one depends on a package, and whether a lock file follows.

use super::file_kind::holds;
use super::keeping_out::stands_in;
use super::place::Place;
use super::syntax::Stretch;

/// Keys whose values people read, or that speak of the package itself.
const TOLD: &str = "name description keywords homepage repository author authors classifiers readme documentation license bugs \
    maintainers categories title summary url";

/// Whether a line of a manifest depends on a package.
pub(super) fn depends(place: &Place<'_>, name: &str) -> bool {
    let line = place.line();
    let name = normal(name);
    let wanted = name.strip_prefix("dep:").unwrap_or(&name);
    if is_for_people(place) || line.contains("// indirect") {
        return false;
    }
    let whole = normal(line.trim());
    if place.path.ends_with("pom.xml") || whole.starts_with('<') {
        let artifact = wanted.rsplit(':').next().unwrap_or(wanted);
        let named =
            |text: &str| whole.contains(&format!(">{text}<")) || whole.contains(&format!("\"{text}\""));
        let group = wanted.split_once(':').map(|(group, _)| group);
        let grouped = group.is_none_or(|group| {
            place.above().iter().rev().take(3).any(|before| before.contains(group)) || line.contains(group)
        });
        return named(artifact) && grouped
            || group.is_none() && whole.contains(&format!("<groupid>{wanted}<"));
    }
    let code = place.read().code();
    let code = code.trim();
    let is_it = |text: &str| text.split_whitespace().count() <= 4 && is_package(text, wanted);
    let table = code.starts_with('[').then(|| code.trim_matches(['[', ']']).rsplit('.').next()).flatten();
    let key = key_of_table(code);
    place.read().of(Stretch::Text).any(is_it) || is_it(code) || table.into_iter().chain(key).any(is_it)
}

/// What a line of TOML asks for in more words than a version: `chrono = { workspace = true }`, `chrono.workspace = true`.
fn key_of_table(code: &str) -> Option<&str> {
    let (key, value) = code.split_once('=')?;
    let key = key.trim();
    let (first, field) = key.split_once('.').unwrap_or((key, ""));
    let asks = holds("workspace version features git path optional default-features", field);
    (value.trim_start().starts_with('{') || asks).then_some(first)
}

/// Whether a line of a manifest is for people.
pub(super) fn is_for_people(place: &Place<'_>) -> bool {
    let lower = place.line().to_lowercase();
    let key_of = |line: &str| {
        let line = line.trim().trim_start_matches('"');
        line.split(['"', ':', '=', ' ']).next().unwrap_or_default().to_owned()
    };
    holds(TOLD, &key_of(&lower))
        || stands_in(place, &|above| holds("keywords classifiers authors files", &key_of(above)))
}

fn normal(text: &str) -> String {
    text.to_lowercase().replace('_', "-")
}

/// Whether a text names the package `wanted` as a whole: with a version, an extra, a part of it, but not a longer name.
pub(super) fn is_package(text: &str, wanted: &str) -> bool {
    let in_word = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_');
    let text = normal(text);
    text.match_indices(wanted).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let next = text[at + wanted.len()..].chars().next();
        let scoped = before == Some('/') && !wanted.contains('/') && text.contains('@');
        // `lodash.merge` is another package than `lodash`.
        let dotted =
            next == Some('.') && text[at + wanted.len() + 1..].starts_with(|c: char| c.is_ascii_alphabetic());
        before.is_none_or(|c| !in_word(c) && c != '.' && c != '@')
            && !scoped
            && next.is_none_or(|c| !in_word(c))
            && !dotted
    })
}
