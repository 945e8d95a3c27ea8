//! What a line of a script or a Makefile says once the values of its variables are put in.
//!
//! Nothing is run: assignments, lists that a loop goes over, small functions, and commands that take one value out of a file of
//! the project (`cat`, `sed`, `grep`, `awk`, `cut`) are followed. What cannot be known stays marked as unknown.

use super::pattern::Pattern;
use super::script_files::{OWN_FOLDER, ROOT, Script, Scripts, UNKNOWN};
use super::tree::{Tree, join, parent};

/// The deepest that variables are followed, and the most readings of one line.
const DEEPEST: usize = 8;
const MOST_READINGS: usize = 24;
/// The longest that a text may become. Variables that hold each other many times over would fill all memory.
const LONGEST: usize = 16 << 10;

static PARENT_FOLDER: Pattern = Pattern::new(r"\$\{(?:0|BASH_SOURCE(?:\[0\])?)%/\*\}");
static KEY: Pattern = Pattern::new(r#"^\s*["']?([A-Za-z_][\w.-]*)["']?\s*[=:]\s*["']?([^"'\n#,;]*)"#);

/// Reads the lines of one script.
pub(super) struct Reader<'a> {
    scripts: &'a Scripts,
    tree: &'a Tree,
    script: &'a Script,
}

/// Every way to put one of the values behind each of the texts.
fn behind(texts: Vec<String>, values: &[String]) -> Vec<String> {
    if let [one] = values {
        return texts.into_iter().map(|text| text + one).collect();
    }
    let each = |text: &String| values.iter().map(|value| format!("{text}{value}")).collect::<Vec<_>>();
    texts.iter().flat_map(each).take(MOST_READINGS).collect()
}

/// The readings, unless one of them has grown beyond all measure.
fn limited(readings: Vec<String>) -> Vec<String> {
    if readings.iter().any(|text| text.len() > LONGEST) { unknown() } else { readings }
}

/// The text with `from` replaced, unless it would grow beyond all measure.
fn replaced(text: &str, from: &str, to: &str) -> String {
    let grown = text.len() + text.matches(from).count().saturating_mul(to.len());
    if from.is_empty() || grown > LONGEST { UNKNOWN.to_string() } else { text.replace(from, to) }
}

fn unknown() -> Vec<String> {
    vec![UNKNOWN.to_string()]
}

/// Where the bracket that is open at the beginning closes.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 1_usize;
    for (at, c) in text.char_indices() {
        if c == open {
            depth += 1;
        } else if c == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}

impl<'a> Reader<'a> {
    pub(super) fn new(scripts: &'a Scripts, tree: &'a Tree, script: &'a Script) -> Self {
        Self { scripts, tree, script }
    }

    /// Every way to read a text.
    pub(super) fn readings(&self, text: &str) -> Vec<String> {
        if self.script.is_make { self.make(text, 0) } else { self.shell(text, 0) }
    }

    /// The values of a variable: of the script itself, else of the only other one that has it.
    fn values(&self, name: &str, depth: usize) -> Option<Vec<String>> {
        if depth > DEEPEST {
            return None;
        }
        let key = (self.script.path.clone(), name.to_owned());
        if let Some(known) = self.scripts.known.borrow().get(&key) {
            return known.clone();
        }
        let found = self.read_values(name, depth);
        self.scripts.known.borrow_mut().insert(key, found.clone());
        found
    }

    fn read_values(&self, name: &str, depth: usize) -> Option<Vec<String>> {
        let own = |script: &Script| script.values.get(name).cloned();
        let (owner, raw) = if let Some(raw) = own(self.script) {
            (self.script, raw)
        } else {
            let same = |script: &&Script| script.is_make == self.script.is_make && own(script).is_some();
            let mut others = self.scripts.all.iter().filter(same);
            let other = others.next()?;
            let raw = own(other)?;
            if others.any(|another| own(another).as_ref() != Some(&raw)) {
                return None;
            }
            (other, raw)
        };
        let reader = Reader { scripts: self.scripts, tree: self.tree, script: owner };
        let mut all = Vec::new();
        for raw in raw {
            let (raw, is_list) = raw.strip_prefix('\u{3}').map_or((raw.as_str(), false), |raw| (raw, true));
            // What is put together from itself, as a class path is in a loop, begins empty.
            let mut raw = raw.to_owned();
            for own in
                [format!("${{{name}:+:}}"), format!("${{{name}}}"), format!("${name}"), format!("$({name})")]
            {
                raw = raw.replace(&own, " ");
            }
            let read =
                if owner.is_make { reader.make(&raw, depth + 1) } else { reader.shell(&raw, depth + 1) };
            for value in read {
                let value = value.trim().trim_matches('"').to_owned();
                if is_list {
                    all.extend(value.split_whitespace().map(|it| it.trim_matches(['"', '\'']).to_owned()));
                } else {
                    all.push(value);
                }
            }
        }
        all.dedup();
        // `CP=` before a loop that fills it says nothing.
        if all.len() > 1 {
            all.retain(|value| !value.is_empty());
        }
        all.truncate(MOST_READINGS);
        (!all.is_empty()).then_some(all)
    }

    fn shell(&self, text: &str, depth: usize) -> Vec<String> {
        let mut done = vec![String::new()];
        let mut rest = text;
        while let Some(at) = rest.find(['$', '`']) {
            done = limited(behind(done, &[rest[..at].to_owned()]));
            let after = &rest[at + 1..];
            if rest[at..].starts_with('`') {
                let Some(end) = after.find('`') else { return behind(done, &unknown()) };
                done = behind(done, &self.command(&after[..end], depth));
                rest = &after[end + 1..];
            } else if let Some(inner) = after.strip_prefix('(') {
                let Some(end) = closing(inner, '(', ')') else { return behind(done, &unknown()) };
                done = behind(done, &self.command(&inner[..end], depth));
                rest = &inner[end + 1..];
            } else if let Some(inner) = after.strip_prefix('{') {
                let Some(end) = closing(inner, '{', '}') else { return behind(done, &unknown()) };
                done = behind(done, &self.parameter(&inner[..end], depth));
                rest = &inner[end + 1..];
            } else {
                let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
                let values = self.values(&after[..end], depth).unwrap_or_else(unknown);
                done = behind(done, &values);
                rest = &after
                    [end.max(usize::from(end == 0 && !after.is_empty() && after.is_char_boundary(1)))..];
            }
        }
        limited(behind(done, &[rest.to_owned()]))
    }

    /// What `${…}` stands for.
    fn parameter(&self, inner: &str, depth: usize) -> Vec<String> {
        if PARENT_FOLDER.is_in(&format!("${{{inner}}}")) {
            return vec![rooted(parent(&self.script.path))];
        }
        let end = inner.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(inner.len());
        let (name, operator) = inner.split_at(end);
        let values = self.values(name, depth);
        match operator {
            "" | "[@]" | "[*]" => values.unwrap_or_else(unknown),
            _ => match operator.strip_prefix(":-").or_else(|| operator.strip_prefix('-')) {
                Some(default) => values.unwrap_or_else(|| self.shell(default.trim_matches('"'), depth + 1)),
                None => operator.strip_prefix(":+").map_or_else(unknown, |other| vec![other.to_owned()]),
            },
        }
    }

    /// What a command prints, where it only takes something out of a file or hangs on the script's own place.
    fn command(&self, command: &str, depth: usize) -> Vec<String> {
        if depth > DEEPEST {
            return unknown();
        }
        if let Some(hit) = OWN_FOLDER.first(command) {
            let folder = join(parent(&self.script.path), hit.group(1).trim_start_matches('/'));
            return folder.map_or_else(unknown, |folder| vec![rooted(&folder)]);
        }
        if command.contains("--show-toplevel") {
            return vec![ROOT.to_string()];
        }
        let words: Vec<&str> = command.split_whitespace().collect();
        let Some(first) = words.first() else { return unknown() };
        let body = self.scripts.all.iter().find_map(|script| script.functions.get(*first));
        if let Some(body) = body {
            let mut body = body.clone();
            for (at, word) in words.iter().enumerate().skip(1) {
                body = replaced(&body, &format!("${at}"), word.trim_matches('"'));
                body = replaced(&body, &format!("${{{at}}}"), word.trim_matches('"'));
            }
            return self.command(&body, depth + 1);
        }
        let reads = ["cat", "sed", "grep", "awk", "cut", "head", "tr", "<"];
        if !reads.contains(first) && !command.starts_with('<') {
            return match *first {
                "echo" | "printf" if !command.contains('|') => {
                    self.shell(&words[1..].join(" ").replace(['"', '\''], ""), depth + 1)
                }
                _ => unknown(),
            };
        }
        let command = self.shell(command, depth + 1).into_iter().next().unwrap_or_default();
        let words = command.split([' ', '\t', '<', '|', ';']).map(|it| it.trim_matches(['"', '\'']));
        let file = words.filter(|it| !it.is_empty()).find_map(|word| {
            let places = Scripts::places(self.tree, self.script, word);
            places.into_iter().find(|it| self.tree.file(it).is_some())
        });
        let Some(text) = file.and_then(|file| self.tree.text(&file)) else { return unknown() };
        let plain = command.replace('\\', "");
        let keys = KEY.all(&text);
        let named = keys.iter().filter(|hit| super::hint::has_word(&plain, hit.group(1)));
        if let Some(hit) = named.max_by_key(|hit| hit.group(1).len()) {
            return vec![hit.group(2).trim().to_owned()];
        }
        if matches!(*first, "cat" | "head" | "tr" | "<") || command.trim_start().starts_with('<') {
            return vec![text.split_whitespace().take(40).collect::<Vec<_>>().join(" ")];
        }
        unknown()
    }

    fn make(&self, text: &str, depth: usize) -> Vec<String> {
        let mut done = vec![String::new()];
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            done = limited(behind(done, &[rest[..at].to_owned()]));
            let after = &rest[at + 1..];
            let brackets = [('(', ')'), ('{', '}')];
            if let Some((open, close)) = brackets.iter().find(|(open, _)| after.starts_with(*open)) {
                let Some(end) = closing(&after[1..], *open, *close) else { return behind(done, &unknown()) };
                done = behind(done, &self.call(&after[1..=end], depth));
                rest = &after[end + 2..];
            } else {
                // `$$` is the shell's, and the rest are the rule's own names.
                let next = after.chars().next().map_or(0, char::len_utf8);
                done = behind(done, &unknown());
                rest = &after[next..];
            }
        }
        limited(behind(done, &[rest.to_owned()]))
    }

    /// What `$(…)` stands for in a Makefile.
    fn call(&self, inner: &str, depth: usize) -> Vec<String> {
        if depth > DEEPEST {
            return unknown();
        }
        if inner == "CURDIR" {
            return vec![rooted(parent(&self.script.path))];
        }
        if let Some((name, change)) = inner.split_once(':')
            && let Some((from, to)) = change.split_once('=')
        {
            let Some(values) = self.values(name, depth) else { return unknown() };
            return values.iter().map(|list| changed(list, from, to)).collect();
        }
        let Some((function, rest)) = inner.split_once(' ') else {
            return self.values(inner, depth).unwrap_or_else(unknown);
        };
        let arguments: Vec<&str> = rest.splitn(3, ',').map(str::trim).collect();
        let one = |text: &str| self.make(text, depth + 1).into_iter().next().unwrap_or_default();
        match (function, arguments.as_slice()) {
            ("shell", _) => self.command(rest.trim(), depth + 1),
            ("addprefix", [prefix, list @ ..]) => {
                vec![each(&one(&list.join(",")), |word| format!("{}{word}", one(prefix)))]
            }
            ("addsuffix", [suffix, list @ ..]) => {
                vec![each(&one(&list.join(",")), |word| format!("{word}{}", one(suffix)))]
            }
            ("patsubst", [from, to, list]) => vec![changed(&one(list), from, to)],
            ("subst", [from, to, text]) => vec![replaced(&one(text), from, to)],
            ("strip" | "sort" | "abspath" | "realpath", _) => self.make(rest, depth + 1),
            ("foreach", [name, list, text]) => {
                let ways = [format!("$({name})"), format!("${{{name}}}")];
                vec![each(&one(list), |word| {
                    one(&ways.iter().fold((*text).to_owned(), |text, way| replaced(&text, way, word)))
                })]
            }
            _ => unknown(),
        }
    }
}

fn rooted(folder: &str) -> String {
    if folder.is_empty() { ROOT.to_string() } else { format!("{ROOT}/{folder}") }
}

fn each(list: &str, change: impl Fn(&str) -> String) -> String {
    let mut all = String::new();
    for word in list.split_whitespace().take(200) {
        if !all.is_empty() {
            all.push(' ');
        }
        all += &change(word);
        if all.len() > LONGEST {
            return UNKNOWN.to_string();
        }
    }
    all
}

/// `$(NAMES:.c=.o)` and `$(patsubst %.c,%.o,…)`.
fn changed(list: &str, from: &str, to: &str) -> String {
    let (before, after) = from.split_once('%').unwrap_or(("", from));
    each(list, |word| {
        let middle = word.strip_prefix(before).and_then(|it| it.strip_suffix(after));
        middle.map_or_else(
            || word.to_owned(),
            |middle| if to.contains('%') { replaced(to, "%", middle) } else { format!("{middle}{to}") },
        )
    })
}
