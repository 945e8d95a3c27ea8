//! Scripts and Makefiles of a project, taken apart: their lines, variables, functions and rules.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use super::pattern::Pattern;
use super::script_values::Reader;
use super::source_text::{Language, code};
use super::tree::{Tree, base, join, parent};

/// Stands for what is not known, and for the project's root at the beginning of a path.
pub(super) const UNKNOWN: char = '\u{1}';
pub(super) const ROOT: char = '\u{2}';
/// The most values of one variable, and the largest script.
const MOST_VALUES: usize = 24;
const LARGEST: u64 = 128 << 10;

static MAKE_ASSIGNED: Pattern =
    Pattern::new(r"^\s*(?:export\s+|override\s+)?([A-Za-z_][\w.-]*)\s*(\+=|::?=|\?=|=)[ \t]*(.*)$");
static ASSIGNED: Pattern = Pattern::new(
    r"(?:^|[;&|]|\bthen|\bdo|\belse)\s*(?:(?:export|local|readonly|declare|typeset)\s+(?:-\w+\s+)*)?([A-Za-z_]\w*)(\+?=)",
);
static DEFAULTED: Pattern = Pattern::new(r#":\s+"?\$\{([A-Za-z_]\w*):?=([^}]*)\}"#);
static LOOP: Pattern = Pattern::new(r"\bfor\s+([A-Za-z_]\w*)\s+in\s+([^;\n]+)");
static FUNCTION: Pattern = Pattern::new(r"(?:^|\n)[ \t]*(?:function\s+)?([A-Za-z_][\w-]*)\s*\(\)\s*\{");
pub(super) static OWN_FOLDER: Pattern = Pattern::new(
    r#"dirname\s+(?:--\s+)?"?\$\{?(?:0|BASH_SOURCE(?:\[0\])?)\}?"?\s*\)?"?((?:/\.\.|/[\w.-]+)*)"#,
);

/// A script or a Makefile.
#[derive(Debug)]
pub(super) struct Script {
    pub(super) path: String,
    pub(super) is_make: bool,
    /// Its lines with their numbers, without comments, continued lines put together.
    pub(super) lines: Vec<(usize, String)>,
    /// The rules of a Makefile.
    pub(super) rules: Vec<Rule>,
    pub(super) values: BTreeMap<String, Vec<String>>,
    pub(super) functions: BTreeMap<String, String>,
    /// The folder that it goes to first, below the root.
    pub(super) goes_to: Option<String>,
}

/// A rule of a Makefile, as written.
#[derive(Debug)]
pub(super) struct Rule {
    pub(super) targets: String,
    pub(super) needs: String,
    pub(super) recipe: Vec<(usize, String)>,
}

/// The values of a variable, where they are known.
type Values = Option<Vec<String>>;
/// Lines with their numbers.
pub(super) type Lines = Rc<Vec<(usize, String)>>;

/// All scripts and Makefiles of a project.
#[derive(Debug)]
pub(super) struct Scripts {
    pub(super) all: Vec<Script>,
    /// What was read once: values of variables by script and name, and lines by script.
    pub(super) known: RefCell<BTreeMap<(String, String), Values>>,
    lines: RefCell<BTreeMap<String, Lines>>,
}

impl Scripts {
    pub(super) fn of(tree: &Tree) -> Self {
        let mut all = Vec::new();
        for file in tree.files().iter().filter(|file| tree.is_examined(&file.path) && file.size < LARGEST) {
            let name = base(&file.path);
            let is_make =
                matches!(name, "Makefile" | "makefile" | "GNUmakefile" | "justfile") || name.ends_with(".mk");
            let by_name = name.ends_with(".sh") || name.ends_with(".bash");
            let may_be = by_name || !name.contains('.');
            if !is_make && !may_be {
                continue;
            }
            let Some(text) = tree.text(&file.path) else { continue };
            if is_make || by_name || is_shell(&text) {
                all.push(read(&file.path, is_make, &text));
            }
        }
        Self { all, known: RefCell::default(), lines: RefCell::default() }
    }

    /// What a text of the script says, in every way that its variables allow.
    pub(super) fn readings(&self, tree: &Tree, script: &Script, text: &str) -> Vec<String> {
        Reader::new(self, tree, script).readings(text)
    }

    /// Everything that a script says, line by line, in every reading.
    pub(super) fn said(&self, tree: &Tree, script: &Script) -> Lines {
        if let Some(known) = self.lines.borrow().get(&script.path) {
            return known.clone();
        }
        let mut all = Vec::new();
        for (number, line) in &script.lines {
            if !script.is_make || !line.starts_with('\t') {
                all.extend(self.readings(tree, script, line).into_iter().map(|it| (*number, it)));
            }
        }
        for rule in &script.rules {
            for (number, line) in &rule.recipe {
                all.extend(self.recipe(tree, script, rule, line).into_iter().map(|it| (*number, it)));
            }
        }
        let all = Rc::new(all);
        self.lines.borrow_mut().insert(script.path.clone(), all.clone());
        all
    }

    /// A recipe's line with the names of its rule put in.
    pub(super) fn recipe(&self, tree: &Tree, script: &Script, rule: &Rule, text: &str) -> Vec<String> {
        let first = rule.needs.split_whitespace().next().unwrap_or_default();
        let text = text.replace("$@", rule.targets.trim()).replace("$<", first).replace("$^", &rule.needs);
        self.readings(tree, script, &text)
    }

    /// The folders from which a script's relative paths may lead.
    pub(super) fn folders(tree: &Tree, script: &Script) -> Vec<String> {
        if let Some(folder) = &script.goes_to {
            return vec![folder.clone()];
        }
        let own = parent(&script.path).to_owned();
        if script.is_make && base(&script.path).to_lowercase().ends_with("makefile") {
            return vec![own];
        }
        let mut all = vec![own, String::new(), tree.scope().trim_end_matches('/').to_owned()];
        all.sort();
        all.dedup();
        all
    }

    /// Where a word of a reading may lead, below the root; nothing where that is not known.
    pub(super) fn places(tree: &Tree, script: &Script, word: &str) -> Vec<String> {
        if word.contains(UNKNOWN) || word.contains(['*', '?', '$', '`', '{']) || word.starts_with(['/', '~'])
        {
            return Vec::new();
        }
        if let Some(rest) = word.strip_prefix(ROOT) {
            return join("", rest.trim_start_matches('/')).into_iter().collect();
        }
        if word.contains(ROOT) {
            return Vec::new();
        }
        Self::folders(tree, script).iter().filter_map(|folder| join(folder, word)).collect()
    }
}

/// Whether the first line names a shell.
pub(super) fn is_shell(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.starts_with("#!")
        && ["sh", "bash", "dash", "zsh", "ksh"].iter().any(|it| first.trim_end().ends_with(it))
}

fn read(path: &str, is_make: bool, text: &str) -> Script {
    let plain = code(text, Language::Hash);
    let lines = logical(&plain);
    let lines = if is_make { unconditional(lines) } else { lines };
    let mut script = Script {
        path: path.to_owned(),
        is_make,
        rules: if is_make { rules(&lines) } else { Vec::new() },
        values: BTreeMap::new(),
        functions: BTreeMap::new(),
        goes_to: None,
        lines,
    };
    let mut values: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (_, line) in &script.lines {
        if is_make {
            if !line.starts_with('\t')
                && let Some(hit) = MAKE_ASSIGNED.first(line)
            {
                let entry = values.entry(hit.group(1).to_owned()).or_default();
                match (hit.group(2), entry.last_mut()) {
                    ("+=", Some(last)) => *last = format!("{last} {}", hit.group(3).trim()),
                    ("?=", Some(_)) => {}
                    _ => *entry = vec![hit.group(3).trim().to_owned()],
                }
            }
            continue;
        }
        for hit in ASSIGNED.all(line) {
            let value = value_at(&line[hit.end()..]);
            let entry = values.entry(hit.group(1).to_owned()).or_default();
            if let ("+=", Some(last)) = (hit.group(2), entry.last_mut()) {
                last.push_str(&value);
            } else if entry.len() < MOST_VALUES {
                entry.push(value);
            }
        }
        for hit in DEFAULTED.all(line) {
            values.entry(hit.group(1).to_owned()).or_default().push(hit.group(2).to_owned());
        }
        for hit in LOOP.all(line) {
            // A list of one name per turn: marked so that it is taken apart once it is known.
            values.entry(hit.group(1).to_owned()).or_default().push(format!("\u{3}{}", hit.group(2).trim()));
        }
    }
    script.values = values;
    for hit in FUNCTION.all(&plain) {
        let rest = &plain[hit.end()..];
        let end = rest.find("\n}").or_else(|| rest.find('}')).unwrap_or(rest.len());
        let line_end = rest.find('\n').unwrap_or(rest.len());
        // A body on one line ends there.
        let body = match rest[..line_end].rfind('}') {
            Some(at) => &rest[..at],
            None => &rest[..end],
        };
        script.functions.insert(hit.group(1).to_owned(), body.trim().trim_end_matches(';').to_owned());
    }
    script.goes_to = (!is_make).then(|| goes_to(&script)).flatten();
    script
}

/// The folder that a script goes to before anything else, where that hangs on its own place.
fn goes_to(script: &Script) -> Option<String> {
    let line = script.lines.iter().map(|(_, line)| line.trim()).find(|line| line.starts_with("cd "))?;
    if let Some(hit) = OWN_FOLDER.first(line) {
        return join(parent(&script.path), hit.group(1).trim_start_matches('/'));
    }
    let named =
        line.split_whitespace().nth(1)?.trim_matches('"').trim_start_matches('$').trim_matches(['{', '}']);
    let (name, tail) = named.split_once('/').unwrap_or((named, ""));
    let value = script.values.get(name.trim_end_matches('}'))?.first()?;
    let hit = OWN_FOLDER.first(value)?;
    let folder = join(parent(&script.path), hit.group(1).trim_start_matches('/'))?;
    join(&folder, tail)
}

/// The value that an assignment gives: up to the end of its word.
fn value_at(rest: &str) -> String {
    let bytes = rest.as_bytes();
    if bytes.first() == Some(&b'(') {
        return rest[1..].split(')').next().unwrap_or_default().to_owned();
    }
    let (mut quote, mut depth) = (None, 0_usize);
    for (at, byte) in bytes.iter().enumerate() {
        match (byte, quote) {
            (b'"' | b'\'', None) => quote = Some(*byte),
            (byte, Some(open)) if *byte == open && depth == 0 => quote = None,
            (b'(', _) => depth += 1,
            (b')', _) => depth = depth.saturating_sub(1),
            (b' ' | b'\t' | b';' | b'&' | b'|', None) if depth == 0 => return unquoted(&rest[..at]),
            _ => {}
        }
    }
    unquoted(rest)
}

fn unquoted(text: &str) -> String {
    let text = text.trim();
    let inner = ['"', '\''].iter().find_map(|quote| text.strip_prefix(*quote)?.strip_suffix(*quote));
    inner.unwrap_or(text).to_owned()
}

/// The lines that are not empty, with what continues them.
fn logical(text: &str) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, String)> = Vec::new();
    let mut is_open = false;
    let mut in_list = false;
    for (at, line) in text.lines().enumerate() {
        let (body, continues) = line.strip_suffix('\\').map_or((line, false), |body| (body, true));
        match all.last_mut().filter(|_| is_open || in_list) {
            Some((_, last)) => {
                last.push(' ');
                last.push_str(body.trim());
            }
            None if body.trim().is_empty() => {}
            None => all.push((at + 1, body.trim_end().to_owned())),
        }
        // `NAMES=(` may go over several lines.
        if in_list {
            in_list = !body.contains(')');
        } else if !is_open {
            in_list = body.trim_end().ends_with("=(") || body.contains("=(") && !body.contains(')');
        }
        is_open = continues;
    }
    all
}

/// The lines of a Makefile without settings that hang on a condition; a default for what is not set stays.
fn unconditional(lines: Vec<(usize, String)>) -> Vec<(usize, String)> {
    let mut open: Vec<bool> = Vec::new();
    let keeps = |(number, line): (usize, String)| {
        let first = line.split_whitespace().next().unwrap_or_default();
        match first {
            "ifdef" | "ifeq" | "ifneq" => open.push(true),
            "ifndef" => open.push(false),
            "endif" => {
                open.pop();
            }
            _ => {}
        }
        let is_kept = line.starts_with('\t') || !open.contains(&true) || !line.contains('=');
        is_kept.then_some((number, line))
    };
    lines.into_iter().filter_map(keeps).collect()
}

fn rules(lines: &[(usize, String)]) -> Vec<Rule> {
    static HEAD: Pattern = Pattern::new(r"^([^\s#:=][^#:=]*?)\s*::?(?:\s+([^=;]*)|)(?:;(.*))?$");
    let mut all: Vec<Rule> = Vec::new();
    let mut in_rule = false;
    for (number, line) in lines {
        if let Some(recipe) = line.strip_prefix('\t') {
            if let Some(rule) = all.last_mut().filter(|_| in_rule) {
                rule.recipe.push((*number, recipe.trim_start_matches(['@', '-', '+', ' ']).to_owned()));
            }
            continue;
        }
        let Some(hit) = HEAD.first(line).filter(|_| !line.starts_with(' ')) else {
            in_rule &= line.trim().is_empty();
            continue;
        };
        in_rule = true;
        let needs = hit.group(2).replace('|', " ");
        let recipe = Some(hit.group(3)).filter(|it| !it.is_empty()).map(|it| (*number, it.trim().to_owned()));
        all.push(Rule { targets: hit.group(1).to_owned(), needs, recipe: recipe.into_iter().collect() });
    }
    all
}
