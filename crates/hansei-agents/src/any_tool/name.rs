//! The name of a tool as words: `mcp__fs__strReplace`, `Run-Command` and `todowrite` say what they say in any spelling.

use std::collections::HashMap;
use std::sync::LazyLock;

/// What a word says of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub(super) enum Class {
    Run = 1,
    Shell = 2,
    Edit = 4,
    Look = 8,
    Todo = 16,
    Delegate = 32,
    Manages = 64,
    Ask = 128,
    Human = 256,
    HandIn = 512,
    Handed = 1024,
    Elsewhere = 2048,
    Fill = 4096,
    Code = 8192,
    Checks = 16384,
}

/// The classes of each known word.
static WORDS: LazyLock<HashMap<&str, u16>> = LazyLock::new(|| {
    let mut words = HashMap::new();
    let lines = include_str!("words.txt").lines().filter(|line| !line.starts_with('#'));
    for (class, list) in lines.filter_map(|line| line.split_once(':')) {
        let class = match class {
            "run" => Class::Run,
            "shell" => Class::Shell,
            "edit" => Class::Edit,
            "look" => Class::Look,
            "todo" => Class::Todo,
            "delegate" => Class::Delegate,
            "manages" => Class::Manages,
            "ask" => Class::Ask,
            "human" => Class::Human,
            "hand_in" => Class::HandIn,
            "handed" => Class::Handed,
            "elsewhere" => Class::Elsewhere,
            "code" => Class::Code,
            "checks" => Class::Checks,
            _ => Class::Fill,
        };
        for word in list.split_whitespace() {
            *words.entry(word).or_default() |= class as u16;
        }
    }
    words
});

/// A tool's name.
#[derive(Debug)]
pub(super) struct Name {
    /// The words of the tool itself.
    own: Vec<String>,
    /// Those of what offers it: a server, a toolbox.
    offered_by: Vec<String>,
    /// Whether a server offers it.
    pub served: bool,
}

impl Name {
    pub(super) fn read(tool: &str) -> Self {
        let place = tool.rfind("__").map(|place| place + 2).into_iter();
        let place = place.chain(tool.rfind(['.', '/', ':']).map(|place| place + 1)).max();
        let (by, own) = tool.split_at(place.filter(|place| *place < tool.len()).unwrap_or_default());
        Self { own: words(own), offered_by: words(by), served: tool.starts_with("mcp_") }
    }

    /// The name with what an argument says the tool is to do, in its place.
    pub(super) fn doing(mut self, verb: &str) -> Self {
        self.offered_by.append(&mut self.own);
        Self { own: words(verb), ..self }
    }

    /// Whether a word of the tool itself is of one of these classes.
    pub(super) fn has(&self, classes: &[Class]) -> bool {
        self.own.iter().any(|word| is(word, classes))
    }

    /// The same, or where none of its own words says anything, whether one of its server's is.
    pub(super) fn tells(&self, classes: &[Class]) -> bool {
        let says = |word: &String| is(word, &[Class::Run, Class::Shell, Class::Edit, Class::Look]);
        self.has(classes)
            || !self.own.iter().any(says) && self.offered_by.iter().any(|word| is(word, classes))
    }

    /// Whether any word, of the tool or of what offers it, is of this class.
    pub(super) fn says(&self, class: Class) -> bool {
        self.own.iter().chain(&self.offered_by).any(|word| is(word, &[class]))
    }

    /// Whether every word of the tool itself is of one of these classes.
    pub(super) fn only(&self, classes: &[Class]) -> bool {
        self.own.iter().all(|word| is(word, classes))
    }

    /// Whether the tool, or what offers it, is called by one of these words.
    pub(super) fn is_of(&self, words: &[&str]) -> bool {
        self.word(words) || self.offered_by.iter().any(|word| words.contains(&word.as_str()))
    }

    /// Whether the tool itself is called by one of these words.
    pub(super) fn word(&self, words: &[&str]) -> bool {
        self.own.iter().any(|word| words.contains(&word.as_str()))
    }
}

fn is(word: &str, classes: &[Class]) -> bool {
    WORDS.get(word).is_some_and(|known| classes.iter().any(|class| known & *class as u16 != 0))
}

/// Letters without their accents: names are often written without.
pub(super) fn plain_letters(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            'ä' | 'Ä' => plain.push_str("ae"),
            'ö' | 'Ö' => plain.push_str("oe"),
            'ü' | 'Ü' => plain.push_str("ue"),
            'à'..='å' | 'À'..='Å' => plain.push('a'),
            'è'..='ë' | 'È'..='Ë' | 'ę' => plain.push('e'),
            'ì'..='ï' => plain.push('i'),
            'ò'..='õ' => plain.push('o'),
            'ù'..='û' => plain.push('u'),
            'ç' | 'ć' => plain.push('c'),
            'ñ' | 'ń' => plain.push('n'),
            c => plain.push(c),
        }
    }
    plain
}

/// The words of a name, in lower case.
pub(super) fn words(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let name = plain_letters(name);
    for part in name.split(|c: char| !c.is_alphabetic()).filter(|part| !part.is_empty()) {
        if !part.is_ascii() {
            let part = part.to_lowercase();
            // Scripts that set no spaces, and languages that bend their words: what a known word stands in.
            let known = WORDS.keys().filter(|word| !word.is_ascii());
            let mut known: Vec<_> = known.filter_map(|word| Some((part.find(word)?, *word))).collect();
            known.sort_unstable();
            found.extend(known.into_iter().map(|(_, word)| word.to_owned()));
            continue;
        }
        let bytes = part.as_bytes();
        let mut start = 0;
        for at in 1..=bytes.len() {
            let ends = at == bytes.len()
                || bytes[at].is_ascii_uppercase()
                    && (bytes[at - 1].is_ascii_lowercase()
                        || bytes.get(at + 1).is_some_and(u8::is_ascii_lowercase));
            if ends {
                let word = part[start..at].to_ascii_lowercase();
                match parts_of(&word) {
                    Some(parts) => found.extend(parts),
                    // `oshell`, `xedit`: a family of tools often has a letter of its own.
                    None => match word.get(1..).filter(|rest| rest.len() > 3 && WORDS.contains_key(rest)) {
                        Some(rest) => found.push(rest.to_owned()),
                        None => found.push(word),
                    },
                }
                start = at;
            }
        }
    }
    found
}

/// The known words of which a longer one consists, the longest first: `runinterminal`.
fn parts_of(word: &str) -> Option<Vec<String>> {
    if word.len() > 40 || WORDS.contains_key(word) {
        return None;
    }
    // For each place, where the last word that ends there began.
    let mut from: Vec<Option<usize>> = vec![None; word.len() + 1];
    from[0] = Some(0);
    for end in 2..=word.len() {
        from[end] =
            (0..end - 1).find(|start| from[*start].is_some() && WORDS.contains_key(&word[*start..end]));
    }
    let mut parts = Vec::new();
    let mut end = word.len();
    while end > 0 {
        let start = from[end]?;
        parts.push(word[start..end].to_owned());
        end = start;
    }
    parts.reverse();
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_apart() {
        for (name, parts) in [
            ("executePwsh", "execute pwsh"),
            ("RunInTerminal", "run in terminal"),
            ("Run-Command", "run command"),
            ("multi_edit", "multi edit"),
            ("todowrite", "todo write"),
            ("LSPSymbols", "lsp symbols"),
            ("getHTTPStatus2", "get http status"),
            ("executebash", "execute bash"),
            ("bashful", "bashful"),
            ("oshell", "shell"),
            ("exécuter_commande", "executer commande"),
            ("コマンド実行", "コマンド 実行"),
            ("", ""),
        ] {
            assert_eq!(words(name).join(" "), parts, "{name}");
        }
        let name = Name::read("mcp__shell-tools__run");
        assert_eq!((name.own.join(" "), name.offered_by.join(" ")), ("run".into(), "mcp shell tools".into()));
    }
}
