//! Environment variables that the code cannot do without, and that are set neither in the environment nor in a file that the
//! project loads. Names are told, never values.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::declared_variables::declared;
use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::set_variables::{Set, keys};
use super::settings_variables::wanted;
use super::tree::{base, is_test, parent, stem, under};
use super::variable_flow::demands;

/// Code of the languages that programs are written in.
pub(super) const CODE: &[&str] = &[".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".rb", ".java"];

/// What systems, shells and build services set.
const GIVEN: &[&str] = &[
    "HOME", "PATH", "USER", "SHELL", "PWD", "LANG", "TERM", "TMPDIR", "TEMP", "TMP", "CI", "HOSTNAME",
    "LOGNAME", "EDITOR", "DISPLAY", "NODE_ENV", "APPDATA", "LOCALAPPDATA", "USERPROFILE", "USERNAME",
    "PROGRAMFILES", "SYSTEMROOT", "WINDIR", "COMSPEC", "OUT_DIR", "TARGET", "HOST", "PROFILE", "OPT_LEVEL",
    "NUM_JOBS", "RUSTC", "CARGO", "DEBUG", "VIRTUAL_ENV", "PYTHONPATH", "JAVA_HOME", "GOPATH", "GOROOT",
    "XDG_RUNTIME_DIR", "COLUMNS", "LINES",
];
const GIVEN_PREFIXES: &[&str] = &[
    "CARGO_", "DEP_", "GITHUB_", "GITLAB_", "CI_", "npm_", "VERCEL_", "RUNNER_", "BUILD_", "XDG_", "DOCS_RS",
    "LC_", "SSH_", "RUSTC_", "INIT_CWD",
];

/// A variable that is needed.
struct Need {
    name: String,
    place: String,
    strength: Strength,
    /// The script beside the project that alone needs it.
    tool: Option<String>,
}

impl Need {
    fn file(&self) -> &str {
        self.place.rsplit_once(':').map_or(self.place.as_str(), |(file, _)| file)
    }
}

pub(super) fn probe(ground: &Ground<'_>) {
    let mut needs = Vec::new();
    for declared in declared(ground) {
        // A tool beside the project is run by whoever has what it needs, unless the project itself runs it.
        let tool = is_tool_aside(ground, &declared.path).then(|| declared.path.clone());
        let strength = if tool.is_some() { Strength::Hinted } else { declared.strength };
        let place = format!("{}:{}", declared.path, declared.line);
        needs.push(Need { name: declared.name, place, strength, tool });
    }
    for demand in demands(ground) {
        let place = format!("{}:{}", demand.path, demand.line);
        let tool = is_tool_aside(ground, &demand.path).then(|| demand.path.clone());
        let is_weak = demand.is_conditional || tool.is_some();
        let strength = if is_weak { Strength::Hinted } else { Strength::Likely };
        needs.push(Need { name: demand.name, place, strength, tool });
    }
    for wanted in wanted(ground) {
        let place = format!("{}:{}", wanted.path, wanted.line);
        let tool = is_tool_aside(ground, &wanted.path).then(|| wanted.path.clone());
        let strength = if tool.is_some() { Strength::Hinted } else { Strength::Likely };
        needs.push(Need { name: wanted.name, place, strength, tool });
    }
    if needs.is_empty() {
        examples(ground, &BTreeSet::new());
        return;
    }
    let set = Set::of(ground);
    let mut told = BTreeSet::new();
    // Files whose other variables are set where the command runs: what tests set for themselves is not meant there.
    let is_set = |name: &str| ground.environment.contains_key(name) || set.is_loaded(name);
    let furnished: BTreeSet<String> =
        needs.iter().filter(|need| is_set(&need.name)).map(|need| need.file().to_owned()).collect();
    for need in needs {
        let given = GIVEN.contains(&need.name.as_str())
            || GIVEN_PREFIXES.iter().any(|prefix| need.name.starts_with(prefix));
        if given
            || ground.environment.contains_key(need.name.as_str())
            || set.has(&need.name, !furnished.contains(need.file()))
        {
            continue;
        }
        told.insert(need.name.clone());
        suspect(ground, &set, &need);
    }
    examples(ground, &told);
}

fn suspect(ground: &Ground<'_>, set: &Set, need: &Need) {
    let in_unloaded = set.unloaded.get(&need.name);
    let in_example = set.examples.get(&need.name);
    let mut evidence = format!("{} reads it and has no default", need.place);
    let misspelt = set.names().find(|other| is_slip(other, &need.name));
    if let Some(other) = misspelt {
        evidence = format!("{evidence}; {other} is set, which is nearly that name");
    }
    let fix = if let Some(other) = misspelt {
        format!("write {} instead of {other} where it is set", need.name)
    } else if let Some(file) = in_unloaded {
        evidence = format!("{evidence}; {file} sets it, and nothing loads that file");
        format!("load it: set -a; . ./{file}; set +a")
    } else if let Some(file) = in_example {
        evidence = format!("{evidence}; {file} names it");
        let target = file.replace(".example", "").replace(".sample", "").replace(".template", "");
        if ground.tree.has(&target) {
            format!("add {0}=… to {target}, or export {0}=…", need.name)
        } else {
            format!("cp {file} {target} and fill in {}", need.name)
        }
    } else {
        format!("export {}=…", need.name)
    };
    ground.suspect(
        Suspicion::new(
            Probe::Config,
            format!("the environment variable {} is required and not set", need.name),
            evidence,
            fix,
        )
        .strength(need.strength)
        .naming([need.name.clone()].into_iter().chain(need.tool.clone())),
    );
}

/// Whether a file is a script of its own among scripts or tools, which no command line of the project and no other source
/// names.
fn is_tool_aside(ground: &Ground<'_>, path: &str) -> bool {
    let tree = &ground.tree;
    let below = path.strip_prefix(tree.scope()).unwrap_or(path);
    let among = parent(below).split('/').any(|part| {
        matches!(part, "scripts" | "script" | "tools" | "tool" | "dev" | "hack" | "contrib" | "util")
    });
    let (name, module) = (base(path), stem(path));
    let is_called = || {
        ground.shell_lines().iter().any(|line| has_word(&line.text, name))
            || tree
                .examined(CODE)
                .filter(|file| file.path != path)
                .filter_map(|file| tree.text(&file.path))
                .any(|text| has_word(&text, module))
    };
    // Where there is nothing but scripts, they are the project.
    let is_beside = || tree.examined(CODE).any(|file| parent(&file.path) != parent(path));
    // What only publishes is run where that is done.
    let publishes = ["release", "deploy", "publish"].iter().any(|word| name.contains(word));
    among && (publishes || !is_called()) && is_beside()
}

/// Whether one long name becomes the other by one letter more, less or other, or by two neighbours changing places.
fn is_slip(one: &str, other: &str) -> bool {
    let (one, other) = (one.as_bytes(), other.as_bytes());
    if one == other || one.len().min(other.len()) < 5 || one.len().abs_diff(other.len()) > 1 {
        return false;
    }
    let begin = one.iter().zip(other).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[begin..], &other[begin..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(a, b)| a == b).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    // `DB1` and `DB2` are two names.
    let is_letters = one.iter().chain(other).all(|byte| byte.is_ascii_alphabetic() || *byte == b'_');
    let swapped = matches!((one, other), ([a, b], [c, d]) if a == d && b == c);
    is_letters && (one.len() <= 1 && other.len() <= 1 || swapped)
}

/// Names that the example of `.env` has and `.env` lacks, where the code uses them.
fn examples(ground: &Ground<'_>, told: &BTreeSet<String>) {
    let tree = &ground.tree;
    for folder in [tree.scope().trim_end_matches('/')] {
        let own = under(folder, ".env");
        let Some(text) = tree.text(&own) else { continue };
        let example = ["example", "sample", "template", "dist"]
            .iter()
            .map(|word| under(folder, &format!(".env.{word}")))
            .find(|path| tree.has(path));
        let Some(example) = example else { continue };
        let has: BTreeSet<String> = keys(&text).into_iter().collect();
        for key in keys(&tree.text(&example).unwrap_or_default()) {
            if has.contains(&key) || told.contains(&key) || ground.environment.contains_key(key.as_str()) {
                continue;
            }
            let used = tree
                .examined(&[".py", ".js", ".ts", ".go", ".rs", ".rb", ".php", ".mjs", ".cjs", ".java"])
                .filter(|file| !is_test(&file.path))
                .find_map(|file| {
                    let text = tree.text(&file.path)?;
                    let at =
                        text.lines().position(|line| has_word(line, &key) && !has_default(line, &key))?;
                    Some(format!("{}:{}", file.path, at + 1))
                });
            if let Some(used) = used {
                ground.suspect(
                    Suspicion::new(
                        Probe::Config,
                        format!("{own} lacks {key}, which {example} names"),
                        format!("{used} uses it"),
                        format!("add {key}=… to {own}"),
                    )
                    .naming([key]),
                );
            }
        }
    }
}

fn has_default(line: &str, key: &str) -> bool {
    let after =
        line.split(key).nth(1).unwrap_or_default().trim_start_matches(['"', '\'', ']', ')']).trim_start();
    after.starts_with(',')
        || after.starts_with("||")
        || after.starts_with("??")
        || after.starts_with("or ")
        || after.contains("unwrap_or")
        || after.starts_with('?')
        || line.contains("default")
        || after.starts_with("||")
}
