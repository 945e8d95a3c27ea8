//! Variables that scripts, Makefiles and settings demand: a list that a script goes through, a name that `set -u` will not leave
//! open, `ifndef` with an error, `${NAME}` in settings that the code fills in, a setting that names a variable.

use std::collections::BTreeSet;

use super::ground::Ground;
use super::hint::has_word;
use super::pattern::Pattern;
use super::source_text::{Language, code};
use super::tree::{base, is_test, join, parent};

/// A variable that is demanded at a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: usize,
}

static LOOP: Pattern = Pattern::new(r"^\s*for\s+(\w+)\s+in\s+([^;\n]+)(?:;|$)");
static STRICT: Pattern = Pattern::new(r"^\s*set\s+(?:-\w*u|-o\s+nounset|-\w+o\s+nounset)|^#!.*\s-\w*u");
static USED: Pattern = Pattern::new(r"\$(?:\{([A-Z][A-Z0-9_]{2,})\}|([A-Z][A-Z0-9_]{2,}))");
static ASSIGNED: Pattern = Pattern::new(
    r"(?:^|[;&|({\s])(?:export\s+|readonly\s+|local\s+|declare\s+(?:-\w+\s+)?)?([A-Za-z_]\w*)\+?=",
);
static READ_INTO: Pattern =
    Pattern::new(r"\bread\s+(?:-\w+\s+)*([A-Z][A-Z0-9_ ]+)|\bfor\s+([A-Z]\w*)\s+in|\bgetopts\s+\S+\s+(\w+)");
static ASKED: Pattern = Pattern::new(r#"(?:\[\[?|test)\s+-z\s+"?\$\{?([A-Z][A-Z0-9_]{2,})(?::?-)?\}?"?"#);
static ASKED_FOR: Pattern =
    Pattern::new(r#"(?:\[\[?|test)\s+-n\s+"?\$\{?([A-Z][A-Z0-9_]{2,})(?::?-)?\}?"?\s*\]?\]?\s*\|\|\s*(.*)$"#);
static SOURCED: Pattern = Pattern::new(r"(?:^|[;&]\s*)\s*(?:\.|source)\s+([^;|&<>\n]+)");
static NOT_DEFINED: Pattern = Pattern::new(r"^\s*ifndef\s+([A-Z][A-Z0-9_]+)\s*\n[^\n]*\$\((?:error|warning)");
static MADE_SURE: Pattern = Pattern::new(r"\$\(if\s+\$[({]([A-Z][A-Z0-9_]+)[)}]\s*,[^,]*,\s*\$\(error");
static PLACE: Pattern = Pattern::new(r"\$\{([A-Z][A-Z0-9_]{2,})\}");
static NAMES_ONE: Pattern = Pattern::new(
    r#"['"]?(\w*(?:_env|[-_]?env[-_]?var|EnvVar|[a-z]Env|from_env|fromEnv|env_key|envKey|env_name|envName))['"]?\s*[:=]\s*['"]?([A-Z][A-Z0-9]*_[A-Z0-9_]+)['"]?\s*(?:$|[,}#;\r])"#,
);
/// Calls that fill variables into a text.
const FILLS: &[&str] = &[
    "expandvars(", "ExpandEnv(", "os.Expand(", "envsubst", "shellexpand", "StringSubstitutor",
    "safe_substitute(", "substitute(os.environ", r"\$\{", r"\\$\\{",
];
/// Words of a shell that end the script.
const ENDS: &[&str] = &["exit", "die", "return 1", "fail", "abort", "false"];
const SETTINGS: &[&str] =
    &[".yml", ".yaml", ".toml", ".ini", ".json", ".conf", ".cfg", ".properties", ".xml", ".tmpl"];

/// Every variable that scripts and settings demand.
pub(super) fn wanted(ground: &Ground<'_>) -> Vec<Wanted> {
    let mut all = Vec::new();
    let tree = &ground.tree;
    let scripts = tree.files().iter().filter(|file| tree.is_examined(&file.path) && file.size < 256 << 10);
    for file in scripts {
        let name = base(&file.path);
        let is_shell = name.ends_with(".sh")
            || name.ends_with(".bash")
            || (!name.contains('.')
                && tree
                    .text(&file.path)
                    .is_some_and(|text| is_shell_line(text.lines().next().unwrap_or(""))));
        let is_make = name == "Makefile" || name == "GNUmakefile" || name.ends_with(".mk");
        if !is_shell && !is_make {
            continue;
        }
        let Some(text) = tree.text(&file.path) else { continue };
        let text = code(&text, Language::Hash);
        let found = if is_make { in_make(&text) } else { in_script(ground, &file.path, &text) };
        all.extend(found.into_iter().map(|(name, line)| Wanted { name, path: file.path.clone(), line }));
    }
    all.extend(in_settings(ground));
    all
}

fn is_shell_line(line: &str) -> bool {
    line.starts_with("#!")
        && ["/sh", "/bash", " bash", " sh", "/dash"].iter().any(|shell| line.contains(shell))
}

fn in_make(text: &str) -> Vec<(String, usize)> {
    let hits = NOT_DEFINED.all(text).into_iter().chain(MADE_SURE.all(text));
    hits.map(|hit| (hit.group(1).to_owned(), hit.line())).collect()
}

fn in_script(ground: &Ground<'_>, path: &str, text: &str) -> Vec<(String, usize)> {
    let mut found = Vec::new();
    let lines: Vec<&str> = text.lines().collect();
    let ends_within = |at: usize, count: usize| {
        lines[at..(at + count).min(lines.len())]
            .iter()
            .any(|line| ENDS.iter().any(|word| has_word(line, word)))
    };
    for hit in LOOP.all(text) {
        let (name, at) = (hit.group(1), hit.line() - 1);
        let body = lines[at..(at + 8).min(lines.len())].join("\n");
        let reads = [
            format!("${{!{name}"),
            format!("printenv \"${name}\""),
            format!("printenv ${name}"),
            format!("\\${name}"),
            format!("\\$${name}"),
        ];
        if reads.iter().any(|read| body.contains(read.as_str())) && ends_within(at, 14) {
            let words = listed(text, hit.group(2));
            found.extend(words.into_iter().map(|word| (word, hit.line())));
        }
    }
    for hit in ASKED.all(text) {
        if ends_within(hit.line() - 1, 4) {
            found.push((hit.group(1).to_owned(), hit.line()));
        }
    }
    for hit in ASKED_FOR.all(text) {
        if ENDS.iter().any(|word| has_word(hit.group(2), word)) {
            found.push((hit.group(1).to_owned(), hit.line()));
        }
    }
    if STRICT.is_in(text)
        && let Some(given) = given(ground, path, text, 0)
    {
        // What another condition guards, or what has a default, is not left open.
        let first = |name: &str| {
            USED.all(text).iter().find(|hit| hit.first_from(1) == name).map(super::pattern::Hit::line)
        };
        let used: BTreeSet<&str> = USED.all(text).iter().map(|hit| hit.first_from(1)).collect();
        for name in
            used.into_iter().filter(|name| !given.contains(*name) && !text.contains(&format!("${{{name}:")))
        {
            let is_guarded = text.contains(&format!("${{{name}-")) || text.contains(&format!("${{{name}+"));
            if let Some(line) = first(name).filter(|_| !is_guarded) {
                found.push((name.to_owned(), line));
            }
        }
    }
    found.retain(|(name, line)| !is_assigned_before(text, name, *line));
    found
}

/// Whether a script gives the variable something above a line.
fn is_assigned_before(text: &str, name: &str, line: usize) -> bool {
    ASSIGNED.all(text).iter().any(|hit| hit.group(1) == name && hit.line() <= line)
}

/// The words of a list, or of the variable that holds it.
fn listed(text: &str, list: &str) -> Vec<String> {
    let list = list.trim();
    let variable = list
        .trim_matches('"')
        .trim_start_matches("${")
        .trim_start_matches('$')
        .trim_end_matches('}')
        .trim_end_matches("[@]");
    let words = if list.trim_matches('"').starts_with('$') {
        let line = text.lines().find(|line| {
            let line = line.trim_start();
            line.strip_prefix(variable).is_some_and(|rest| rest.starts_with('='))
        });
        line.and_then(|line| line.split_once('=')).map_or("", |(_, value)| value)
    } else {
        list
    };
    words
        .split(|c: char| !c.is_ascii_alphanumeric() && c != '_')
        .filter(|word| word.len() > 2 && word.contains(|c: char| c.is_ascii_uppercase()))
        .filter(|word| word.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_'))
        .map(str::to_owned)
        .collect()
}

/// The path that a script reads in, seen from its own folder: `"$(dirname "$0")/x.sh"`, `"$here/../lib/x.sh"`, `./x.sh`.
fn sourced_file(written: &str) -> &str {
    let written = written.trim().trim_matches(['"', '\'']);
    let rest = written.rsplit(['}', ')', '"']).next().unwrap_or_default();
    let rest = rest
        .strip_prefix('$')
        .map_or(rest, |named| named.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'));
    rest.trim_start_matches('/')
}

/// The names that a script and what it reads in give something; nothing where that cannot be told.
fn given(ground: &Ground<'_>, path: &str, text: &str, depth: usize) -> Option<BTreeSet<String>> {
    let mut names: BTreeSet<String> = ASSIGNED.all(text).iter().map(|hit| hit.group(1).to_owned()).collect();
    for hit in READ_INTO.all(text) {
        names.extend(hit.first_from(1).split_whitespace().map(str::to_owned));
    }
    for hit in SOURCED.all(text) {
        let file = sourced_file(hit.group(1));
        let places = [join(parent(path), file), join(ground.tree.scope(), file), join("", file)];
        let file = places.into_iter().flatten().find(|place| ground.tree.has(place))?;
        let more = ground.tree.text(&file)?;
        if depth > 3 {
            return None;
        }
        names.extend(given(ground, &file, &code(&more, Language::Hash), depth + 1)?);
    }
    Some(names)
}

fn in_settings(ground: &Ground<'_>) -> Vec<Wanted> {
    let tree = &ground.tree;
    let sources = || {
        tree.examined(&[
            ".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".java", ".kt", ".sh", ".c", ".rb",
        ])
        .filter(|file| !is_test(&file.path))
    };
    let mut all = Vec::new();
    let mut fills = None;
    let mut reads = None;
    for file in tree.examined(SETTINGS).filter(|file| !is_test(&file.path) && !file.path.contains("lock")) {
        let Some(text) = tree.text(&file.path) else { continue };
        if !text.contains("${") && !NAMES_ONE.is_in(&text) {
            continue;
        }
        let name = base(&file.path);
        if parent(&file.path)
            .split('/')
            .any(|part| part.starts_with(".git") || part == "ci" || part == "deploy")
        {
            continue;
        }
        // Only a file that the code opens is filled in by it.
        let is_opened =
            || sources().filter_map(|file| tree.text(&file.path)).any(|text| has_word(&text, name));
        let text = code(&text, Language::Hash);
        let filled = || {
            sources()
                .filter_map(|file| tree.text(&file.path))
                .any(|text| FILLS.iter().any(|call| text.contains(call)))
        };
        if text.contains("${") && *fills.get_or_insert_with(filled) && is_opened() {
            all.extend(PLACE.all(&text).iter().map(|hit| Wanted {
                name: hit.group(1).to_owned(),
                path: file.path.clone(),
                line: hit.line(),
            }));
        }
        let asks = || {
            let marks = ["environ", "getenv", "process.env[", "env::var(", "Getenv(", "LookupEnv("];
            sources()
                .filter_map(|file| tree.text(&file.path))
                .any(|text| marks.iter().any(|mark| text.contains(mark)))
        };
        if *reads.get_or_insert_with(asks) && NAMES_ONE.is_in(&text) && is_opened() {
            all.extend(NAMES_ONE.all(&text).iter().map(|hit| Wanted {
                name: hit.group(2).to_owned(),
                path: file.path.clone(),
                line: hit.line(),
            }));
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_scripts_are_read() {
        assert_eq!(listed("NEEDED=\"A_KEY B_KEY\"\n", "$NEEDED"), ["A_KEY", "B_KEY"]);
        assert_eq!(listed("", "ONE_KEY two THREE"), ["ONE_KEY", "THREE"]);
        assert_eq!(listed("names=(A_KEY B_KEY)\n", "\"${names[@]}\""), ["A_KEY", "B_KEY"]);
    }

    #[test]
    fn what_is_read_in_is_seen_from_the_script() {
        for (written, file) in [
            ("\"$(dirname \"$0\")/common.sh\"", "common.sh"),
            ("\"$here/../lib/common.sh\"", "../lib/common.sh"),
            ("./x.sh", "./x.sh"),
            ("\"${BASE}/x.sh\"", "x.sh"),
        ] {
            assert_eq!(sourced_file(written), file, "{written}");
        }
    }

    #[test]
    fn makefiles_that_stop_are_understood() {
        let text = "ifndef SITE_KEY\n$(error no key)\nendif\nall:\n\techo $(OTHER)\n";
        assert_eq!(in_make(text), [("SITE_KEY".to_owned(), 1)]);
    }
}
