//! Where environment variables are set: files that the project loads, files that nothing loads, code, scripts and settings.

use std::collections::{BTreeMap, BTreeSet};

use super::ground::Ground;
use super::hint::has_word;
use super::pattern::Pattern;
use super::tree::{base, is_test, parent, upwards};

static ASSIGNED: Pattern = Pattern::new(r"^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=");

/// Where variables are set.
#[derive(Debug)]
pub(super) struct Set {
    /// In files that the project loads, and in code, scripts and settings.
    loaded: BTreeSet<String>,
    /// In files that nothing loads: the name and the file.
    pub(super) unloaded: BTreeMap<String, String>,
    /// In examples of such files.
    pub(super) examples: BTreeMap<String, String>,
    /// The texts in which a name may be set in a way of their own, and whether they are of tests.
    setters: Vec<(std::rc::Rc<str>, bool)>,
}

impl Set {
    pub(super) fn of(ground: &Ground<'_>) -> Self {
        let tree = &ground.tree;
        let mut set = Self {
            loaded: BTreeSet::new(),
            unloaded: BTreeMap::new(),
            examples: BTreeMap::new(),
            setters: Vec::new(),
        };
        let loads = loads_dotenv(ground);
        for file in tree.files().iter().filter(|file| {
            file.path.starts_with(tree.scope())
                || upwards(tree.scope()).any(|folder| parent(&file.path) == folder)
        }) {
            let name = base(&file.path);
            let is_env = name == ".env"
                || name.starts_with(".env.")
                || name.ends_with(".env")
                || name == ".envrc"
                || name == ".flaskenv";
            let is_example = ["example", "sample", "template", "dist"].iter().any(|word| name.contains(word));
            if is_env {
                let Some(text) = tree.text(&file.path) else { continue };
                for key in keys(&text) {
                    if is_example {
                        set.examples.entry(key).or_insert_with(|| file.path.clone());
                    } else if loads || name == ".envrc" && ground.variable("DIRENV_DIR").is_some() {
                        set.loaded.insert(key);
                    } else {
                        set.unloaded.entry(key).or_insert_with(|| file.path.clone());
                    }
                }
            }
            let may_set = [
                ".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".sh", ".ini", ".toml", ".cfg", ".mk",
                ".rb", ".java",
            ]
            .iter()
            .any(|ending| name.ends_with(ending))
                || matches!(
                    name,
                    "Makefile" | "package.json" | "tox.ini" | "Dockerfile" | "justfile" | "Procfile"
                )
                || name.contains("compose.y")
                || [".yml", ".yaml"].iter().any(|ending| name.ends_with(ending))
                || (!name.contains('.') && file.size < 64 << 10);
            if may_set && let Some(text) = tree.text(&file.path) {
                set.setters.push((text, is_test(&file.path)));
            }
        }
        set
    }

    /// The names that files of variables set, loaded or not.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        self.loaded.iter().chain(self.unloaded.keys()).map(String::as_str)
    }

    /// Whether a file that the project loads sets it.
    pub(super) fn is_loaded(&self, name: &str) -> bool {
        self.loaded.contains(name)
    }

    /// Whether something of the project sets it, tests for themselves or not.
    pub(super) fn has(&self, name: &str, for_tests_too: bool) -> bool {
        if self.is_loaded(name) {
            return true;
        }
        let ways = [
            format!("environ[\"{name}\"] ="),
            format!("environ['{name}'] ="),
            format!("setdefault(\"{name}\""),
            format!("setdefault('{name}'"),
            format!("setenv(\"{name}\""),
            format!("setenv('{name}'"),
            format!("Setenv(\"{name}\""),
            format!("process.env.{name} ="),
            format!("process.env['{name}'] ="),
            format!("process.env.{name} ??="),
            format!("process.env.{name} ||="),
            format!("stubEnv('{name}'"),
            format!("stubEnv(\"{name}\""),
            format!("set_var(\"{name}\""),
            format!("rustc-env={name}"),
            format!("export {name}"),
            format!("\"{name}\":"),
            format!("'{name}':"),
            format!("{name}:="),
            format!("{name} ="),
            format!("{name}="),
            format!("{name} ?="),
            format!("{name}: "),
            format!("env(\"{name}\","),
            format!("ENV {name}"),
            format!("ENV['{name}'] ="),
            format!("ENV[\"{name}\"] ="),
        ];
        self.setters.iter().any(|(text, of_test)| {
            (for_tests_too || !of_test)
                && has_word(text, name)
                && text.lines().any(|line| {
                    let assigns = ways.iter().any(|way| line.contains(way.as_str()));
                    // `X = os.environ["X"]` names what it reads, and sets nothing for others.
                    let only_reads = [
                        "environ[", "getenv(", "environ.get", "process.env", "env::var", "Getenv(",
                        "LookupEnv(", "env!(", "ENV.fetch", "z.", "str()", "num()", "url()", "port()",
                        "bool()",
                    ]
                    .iter()
                    .any(|read| line.contains(read))
                        && !line.contains("Setenv(")
                        && !line.contains("setenv(")
                        && !line.contains(&format!("environ[\"{name}\"] ="))
                        && !line.contains(&format!("environ['{name}'] ="))
                        && !line.contains(&format!("process.env.{name} ="))
                        && !line.contains("setdefault(")
                        && !line.contains(&format!("process.env.{name} ??="))
                        && !line.contains(&format!("process.env.{name} ||="));
                    let typed = line.trim_start().starts_with(&format!("{name}:"))
                        && (line.contains("str") || line.contains("string") || line.contains("int"));
                    let own_name = [
                        format!("const {name} ="),
                        format!("let {name} ="),
                        format!("var {name} ="),
                        format!("{name} = config("),
                        format!("{name} = env("),
                        format!("{name} = get"),
                        format!("{name} = require"),
                        format!("{name} = must"),
                        format!("{name}: get"),
                        format!("{name}: require"),
                    ];
                    assigns
                        && !only_reads
                        && !typed
                        && !own_name.iter().any(|own| line.contains(own.as_str()))
                })
        })
    }
}

/// The names that a file of variables sets.
pub(super) fn keys(text: &str) -> Vec<String> {
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .filter_map(|line| Some(ASSIGNED.first(line)?.group(1).to_owned()))
        .collect()
}

/// Whether something in the project reads `.env`.
fn loads_dotenv(ground: &Ground<'_>) -> bool {
    let marks = [
        "load_dotenv", "dotenv_values", "dotenv.config", "dotenv/config", "--env-file", "env_file",
        "dotenvy", "dotenv::", "godotenv", "read_env(", "Dotenv", "from dotenv", "require('dotenv')",
        "require(\"dotenv\")", "from 'dotenv'", "from \"dotenv\"", "\"next\"", "\"vite\"", "\"nuxt\"",
        "\"react-scripts\"", "pytest-dotenv", "dotenv-cli", "env-cmd", "decouple", "environ.Env", "environs",
        ". ./.env", "source .env", ". .env", "source ./.env", "include .env", "cat .env", "dotenv-rails",
        "vlucas/phpdotenv", "set dotenv-load", "process.loadEnvFile", "@nestjs/config",
    ];
    let tree = &ground.tree;
    tree.files()
        .iter()
        .filter(|file| {
            let name = base(&file.path);
            [
                ".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".rb", ".php", ".sh", ".toml", ".txt",
                ".ini", ".json", ".mod",
            ]
            .iter()
            .any(|ending| name.ends_with(ending))
                || matches!(name, "Makefile" | "justfile" | "Gemfile" | "Procfile")
                || name.contains("compose.y")
        })
        .filter(|file| !file.path.contains("lock"))
        .filter_map(|file| tree.text(&file.path))
        .any(|text| marks.iter().any(|mark| text.contains(mark)) || reads_it_itself(&text))
}

/// Whether a source names the file `.env` as a text of its own: whoever does that reads it.
fn reads_it_itself(text: &str) -> bool {
    [".env\"", ".env'", ".env`"].iter().any(|mark| text.contains(mark))
}
