//! The names in a rejection that may not return: those in back quotes that it is about, not those that it prefers, nor those
//! in its reasons.

use serde::Serialize;

use super::file_kind::holds;

/// Something that may not return: a name in code, a path, a package, a flag.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Name {
    /// As it was written, without quotes and the brackets of a call.
    pub text: String,
    /// Whether it stood in back quotes. One that did not is only looked for where packages are named.
    pub quoted: bool,
    /// Whether it was written as a call, with its brackets.
    #[serde(skip)]
    pub called: bool,
}

impl Name {
    /// A name in back quotes; none where it names nothing in particular.
    pub fn quoted(text: &str) -> Option<Self> {
        let text = text.trim().trim_end_matches([',', ';']).trim();
        let whole = text;
        let text = text.split_once('(').map_or(text, |(name, rest)| {
            // `eval()` and `requests.get(url)` name what is called.
            if rest.ends_with(')') && !name.is_empty() && !name.contains(' ') { name } else { text }
        });
        let called = text.len() < whole.len();
        let text = text.trim_end_matches('!');
        let generic = [
            "true", "false", "null", "none", "nil", "self", "this", "undefined", "void", "todo", "string",
            "int",
        ];
        let says = text.chars().any(char::is_alphabetic) && text.len() >= 2 && text.len() <= 200;
        (says && !generic.iter().any(|word| text.eq_ignore_ascii_case(word))).then(|| Self {
            text: text.to_owned(),
            quoted: true,
            called,
        })
    }

    /// A name that nobody quoted.
    pub(super) fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), quoted: false, called: false }
    }

    /// Whether it is an order to a tool, which is written in comments: `@ts-ignore`, `noqa`, `eslint-disable`.
    pub(super) fn is_directive(&self) -> bool {
        let text = self.text.trim_start_matches(['#', '/', '*', ' ', '@']);
        [
            "ts-ignore", "ts-nocheck", "ts-expect-error", "noqa", "nosec", "type: ignore", "pylint:",
            "eslint-disable", "nolint", "rubocop:", "istanbul ignore", "prettier-ignore", "pragma: no",
            "NOSONAR", "nocover", "fmt: off", "mypy:", "noinspection", "swiftlint:disable", "phpcs:ignore",
            "phpstan-ignore", "cspell:", "biome-ignore", "coverage:ignore",
        ]
        .iter()
        .any(|start| text.starts_with(start))
    }

    /// Whether it is a pattern of paths.
    pub(super) fn is_glob(&self) -> bool {
        self.text.contains('*') && !self.text.contains(' ') && self.text.contains(['/', '.'])
    }

    /// Whether it names a file or a folder.
    pub fn is_path(&self) -> bool {
        let text = &self.text;
        let last = text.rsplit('/').next().unwrap_or_default();
        let has_extension =
            last.rsplit_once('.').is_some_and(|(stem, kind)| !stem.is_empty() && holds(EXTENSIONS, kind));
        let host = text.split_once('/').is_some_and(|(first, _)| first.len() > 3 && first.contains('.'));
        let is_url = text.contains("://") || host;
        !text.contains(' ')
            && !text.starts_with('@')
            && !is_url
            && (text.ends_with('/')
                || text.starts_with("./")
                || has_extension
                || text.matches('/').count() >= 2)
    }
}

const EXTENSIONS: &str = "rs py js jsx ts tsx mjs cjs go java kt c h cc cpp hpp cs rb php sh sql yml yaml toml json xml html \
    css scss md swift scala lua ex exs cfg ini conf proto vue svelte tf gradle lock env bat ps1 \
    tex sty";

/// From here on a rejection gives its reasons, or says what it prefers.
const REASONS: &[&str] = &[
    " because", " since ", " as it ", " as they ", " due to", " given ", " so that", " which ", " that ",
    " when ", " while ", " instead of ", " rather than ", " in favour of", " in favor of", " favouring",
    " favoring", " over `", " — ", " – ", " - ", " -- ", ": ", "; ", ". ", " (", "? ", "! ", " → ", " -> ",
    " for being", ", use ", ", using ", ", prefer", ", we ", ", it ", ", they ", ", replaced",
    ", superseded", ", too ", ", see ", ", but ", ", so ", " conflicts", " breaks", " would ", " is ",
    " are ", " was ", " were ", " does ", " do ", " has ", " have ", " needs ", " leads ", " makes ",
    " cannot ", " can't ", " leaked", " leaks", " fails", " failed", " adds ", " caused", " causes",
    " pulls ", " drags ", " after ", " until ", " until", ", as ", " than ", " unlike ", " compared ",
];

/// Where a text begins to give reasons, or to say what it prefers.
pub(super) fn reasons_begin(text: &str) -> Option<usize> {
    let lower = text.to_lowercase();
    let first =
        REASONS.iter().filter(|reason| **reason != ", as ").filter_map(|reason| lower.find(reason)).min();
    first.filter(|_| lower.len() == text.len())
}

/// Words that take a list up again behind a reason.
const ALSO: &[&str] = &[
    "also", "and also", "likewise", "same for", "the same for", "nor", "and", "or", "neither", "as well as",
];

/// The names that a rejection is about.
pub(super) fn names_in(text: &str) -> Vec<Name> {
    let spans = back_quoted(text);
    let Some(first) = spans.first() else { return Vec::new() };
    let mut taken: Vec<(usize, usize)> = vec![*first];
    let mut open = true;
    for pair in spans.windows(2) {
        let between = text[pair[0].1 + 1..pair[1].0 - 1].to_lowercase();
        let padded = format!("{between} `");
        if REASONS.iter().any(|reason| padded.contains(reason)) {
            open = false;
        }
        let clause = between.rsplit(['.', ';', '—', '–']).next().unwrap_or_default().trim();
        let resumed = between.contains(['.', ';'])
            && (ALSO.contains(&clause.trim_end_matches(':'))
                || clause.is_empty() && stands_alone(text, pair[1].1));
        if resumed {
            open = true;
        }
        if open {
            taken.push(pair[1]);
        }
    }
    let head = text[..first.0].to_lowercase();
    if taken.len() >= 2 {
        drop_what_stays(text, &head, &mut taken);
    }
    let mut names: Vec<Name> = Vec::new();
    for (start, end) in taken {
        let preferred = text[..start.saturating_sub(1)].to_lowercase();
        let preferred = preferred.trim_end();
        let prefers = [
            "in favour of", "in favor of", "instead use", "prefer", "replaced by", "superseded by", "we use",
            "we keep",
        ];
        if prefers.iter().any(|cue| preferred.ends_with(cue)) {
            continue;
        }
        if let Some(name) = Name::quoted(&text[start..end])
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
    names
}

/// Whether nothing but an end follows the name that ends at `end`.
fn stands_alone(text: &str, end: usize) -> bool {
    let behind = text[end + 1..].trim_start();
    behind.is_empty() || behind.starts_with([',', ';', '.'])
}

/// `replacing x with y` and `storing x in y` are about y.
fn drop_what_stays(text: &str, head: &str, taken: &mut Vec<(usize, usize)>) {
    const REPLACING: &[&str] =
        &["replac", "swap", "switch", "migrat", "mov", "port", "convert", "rewrit", "chang"];
    const PUTTING: &[&str] = &[
        "stor", "sav", "keep", "put", "pass", "cach", "send", "writ", "persist", "load", "read", "wrap",
        "fetch", "expos",
    ];
    let first_verb = head.split_whitespace().last().unwrap_or_default();
    let verbs: Vec<&str> = head.split_whitespace().rev().take(4).collect();
    let between = text[taken[0].1 + 1..taken[1].0 - 1].to_lowercase();
    let joined =
        |words: &[&str]| words.iter().any(|word| between.split_whitespace().any(|said| said == *word));
    let begins = |stems: &[&str]| verbs.iter().any(|verb| stems.iter().any(|stem| verb.starts_with(stem)));
    let replaced =
        (begins(REPLACING) || first_verb == "from") && joined(&["with", "by", "to", "for", "into"]);
    let put = begins(PUTTING) && joined(&["in", "into", "to", "through", "via", "on", "inside", "with"]);
    if replaced || put {
        taken.remove(0);
    }
}

/// Where back-quoted stretches stand, without their quotes.
pub(super) fn back_quoted(text: &str) -> Vec<(usize, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = text[from..].find('`').map(|at| at + from) {
        let ticks = text[open..].bytes().take_while(|byte| *byte == b'`').count();
        let start = open + ticks;
        let Some(length) = text[start..].find(&"`".repeat(ticks)) else { break };
        if length > 0 && ticks < 3 {
            found.push((start, start + length));
        }
        from = start + length + ticks;
        if found.len() >= 64 {
            break;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_rejection_is_about() {
        for (text, names) in [
            ("`redis`", &["redis"][..]),
            ("`redis` and `memcached`", &["redis", "memcached"]),
            ("`redis`, `memcached`: another thing to run", &["redis", "memcached"]),
            ("`redis` because it breaks `compose`", &["redis"]),
            ("`redis` - `sqlite` is enough", &["redis"]),
            ("`moment` in favour of `dayjs`", &["moment"]),
            ("`moment`, use `dayjs` instead", &["moment"]),
            ("`moment`; use `dayjs`", &["moment"]),
            ("`moment`. Also `moment-timezone`.", &["moment", "moment-timezone"]),
            ("`a_b`; `c_d`", &["a_b", "c_d"]),
            ("using `eval()` on input", &["eval"]),
            ("calling `requests.get(url)` in the loop", &["requests.get"]),
            ("replacing `sqlite` with `mongodb`", &["mongodb"]),
            ("storing `token` in `localStorage`", &["localStorage"]),
            ("a global `None` and `x`", &[]),
            ("global state", &[]),
            ("``double`` quotes", &["double"]),
            ("an open ` quote", &[]),
            ("`src/legacy/` and `src/old.py`", &["src/legacy/", "src/old.py"]),
            ("`git push --force`", &["git push --force"]),
        ] {
            let found: Vec<String> = names_in(text).into_iter().map(|name| name.text).collect();
            assert_eq!(found, names, "{text}");
        }
    }

    #[test]
    fn paths_are_told_from_packages() {
        for (text, path) in [
            ("src/legacy/", true),
            ("src/old.py", true),
            ("a.py", true),
            ("src/a/b", true),
            ("@types/node", false),
            ("lodash/merge", false),
            ("github.com/x/y", false),
            ("os.system", false),
            ("redis", false),
            ("SELECT * FROM a/b", false),
        ] {
            assert_eq!(Name::quoted(text).unwrap().is_path(), path, "{text}");
        }
    }
}
