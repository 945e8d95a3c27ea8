//! Which files of the clean source a second look is shown: those that the failure names, then those that they import. A
//! mind that sees none of them can only guess.

use std::collections::BTreeSet;

use super::handoff::Handoff;

const MOST: usize = 6;
const LONGEST: usize = 6_000;
/// Words with which lines begin that name other files, in most languages.
const IMPORTING: &[&str] =
    &["import", "from", "use", "mod", "#include", "require", "export", "const", "let", "var", "load"];

/// Pieces of the files that matter, each under its path. `all` are the paths of the source, `read` gives their text.
pub fn named_sources(
    handoff: &Handoff,
    all: &[String],
    read: &dyn Fn(&str) -> Option<String>,
) -> Vec<String> {
    let mut wanted: Vec<&str> = Vec::new();
    let mut pieces = Vec::new();
    let signature = handoff.signature.as_ref();
    let words = signature.iter().flat_map(|signature| signature.files.iter().chain(&signature.tests));
    let told = words.map(String::as_str).chain(handoff.command.as_deref());
    for word in
        told.flat_map(|text| text.split(|c: char| c.is_whitespace() || matches!(c, ':' | '"' | '\'' | '=')))
    {
        want(&mut wanted, all.iter().find(|path| is_named(path, word)));
    }
    let mut at = 0;
    while let Some(path) = wanted.get(at).copied().filter(|_| pieces.len() < MOST) {
        at += 1;
        let Some(text) = read(path) else { continue };
        for name in imported(&text) {
            want(&mut wanted, all.iter().find(|other| stem(other) == name && is_of_a_kind(other, path)));
        }
        pieces.push(format!("{path}:\n{}", &text[..text.floor_char_boundary(LONGEST)]));
    }
    pieces
}

fn want<'a>(wanted: &mut Vec<&'a str>, path: Option<&'a String>) {
    if let Some(path) = path.filter(|path| !wanted.contains(&path.as_str())) {
        wanted.push(path);
    }
}

/// Whether `word` is the path, or its end from some folder on.
fn is_named(path: &str, word: &str) -> bool {
    let word = word.trim_start_matches("./");
    let has_shape = word.contains('.') && !word.ends_with('.');
    has_shape && (path == word || path.strip_suffix(word).is_some_and(|before| before.ends_with('/')))
}

fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.split('.').next().unwrap_or(name)
}

fn is_of_a_kind(one: &str, other: &str) -> bool {
    let ending = |path: &str| path.rsplit_once('.').map(|(_, ending)| ending.chars().next());
    ending(one) == ending(other)
}

/// Names in lines that import something.
fn imported(text: &str) -> BTreeSet<&str> {
    let lines = text.lines().filter(|line| {
        let first =
            line.trim_start().split(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
        IMPORTING.contains(&first)
    });
    let words = lines
        .take(100)
        .flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-'))));
    words.filter(|word| word.len() > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::escalation::{Attempt, ErrorSignature, Escalation, Failure, Received, admit};

    #[test]
    fn files_that_a_failure_names_and_what_they_import_are_shown() {
        let source = [
            ("shop/rates.py", "def total(): ..."),
            ("shop/unrelated.py", "x = 1"),
            ("tests/test_rates.py", "from shop.rates import total\n\ndef test(): ..."),
            ("rates.md", "prose about rates"),
        ];
        let all: Vec<String> = source.iter().map(|(path, _)| (*path).to_owned()).collect();
        let read =
            |file: &str| source.iter().find(|(path, _)| *path == file).map(|(_, text)| (*text).to_owned());
        let output = "FAILED tests/test_rates.py::test - assert 1 == 2\n1 failed in 0.1s";
        let signature = ErrorSignature::of(&Failure { command: "pytest", exit_code: Some(1), output });
        let payload = Escalation::of(Attempt::new(4), "x").text();
        let received = Received {
            escalation: &payload,
            task: "make it pass",
            snapshot: "HEAD",
            signature: Some(&signature),
            ..Received::default()
        };
        let pieces = named_sources(&admit(&received).unwrap(), &all, &read);
        let shown: Vec<&str> = pieces.iter().filter_map(|piece| piece.split(":\n").next()).collect();
        assert_eq!(shown, ["tests/test_rates.py", "shop/rates.py"]);
        let without = Received { signature: None, command: Some("python shop/unrelated.py"), ..received };
        let pieces = named_sources(&admit(&without).unwrap(), &all, &read);
        assert_eq!(pieces, ["shop/unrelated.py:\nx = 1"]);
    }
}
