//! Environment variables that the code cannot do without, and that are set neither in the environment nor in a file that the
//! project loads. Names are told, never values.

use std::collections::BTreeSet;

use hansei_core::escalation::Probe;

use super::ground::{Ground, Strength, Suspicion};
use super::hint::has_word;
use super::pattern::Pattern;
use super::python_source;
use super::set_variables::{Set, keys};
use super::settings_variables::wanted;
use super::source_text::{Language, code};
use super::tree::{base, is_test, parent, stem, under};
use super::variable_flow::demands;

static PYTHON_ITEM: Pattern =
    Pattern::new(r#"\b(?:os\.)?environ\s*\[\s*['"]([A-Za-z_]\w*)['"]\s*\](\s*=[^=])?"#);
static PYTHON_GET: Pattern = Pattern::new(
    r#"\b(?:os\.getenv|(?:os\.)?environ\.get|getenv)\s*\(\s*['"]([A-Za-z_]\w*)['"]\s*\)(\.\w+|\[)?"#,
);
static PYTHON_TYPED: Pattern = Pattern::new(
    r#"\b(?:int|float|json\.loads|Path|bool\(int)\s*\(\s*(?:os\.getenv|os\.environ\.get)\s*\(\s*['"]([A-Za-z_]\w*)['"]\s*\)\s*\)"#,
);
static PYTHON_CALL: Pattern = Pattern::new(
    r#"\b(?:config|env|env\.str|env\.int|env\.bool|env\.url)\s*\(\s*['"]([A-Z][A-Z0-9_]+)['"]\s*(?:,\s*cast\s*=\s*\w+\s*)?\)"#,
);
static JS_READ: Pattern =
    Pattern::new(r#"\bprocess\.env(?:\.([A-Za-z_]\w*)|\[\s*['"]([A-Za-z_]\w*)['"]\s*\])"#);
/// The end of a call that is handed a variable, alone or after its name.
static CHECKED_BY: Pattern = Pattern::new(r#"\b([A-Za-z_]\w*)\s*\(\s*(?:['"][^'"\n]*['"]\s*,\s*)?$"#);
static RUST_VAR: Pattern = Pattern::new(
    r#"\benv::var\s*\(\s*"([A-Za-z_]\w*)"\s*\)\s*(\.\s*(?:unwrap\(|expect\()|\?|\.\s*(?:context|with_context|map_err)\([^\n]*\)\s*\?)"#,
);
static RUST_BUILD: Pattern = Pattern::new(r#"(?:^|[^\w_])env!\s*\(\s*"([A-Za-z_]\w*)""#);
static GO_READ: Pattern = Pattern::new(
    r#"(?:(\w+)(?:\s*,\s*(\w+))?\s*(?::?=|:)\s*)?\bos\.(Getenv|LookupEnv)\s*\(\s*"([A-Za-z_]\w*)"\s*\)"#,
);
static JAVA_READ: Pattern = Pattern::new(r#"System\.getenv\s*\(\s*"([A-Za-z_]\w*)"\s*\)"#);
static RUBY_FETCH: Pattern =
    Pattern::new(r#"\bENV\.fetch\s*\(?\s*['"]([A-Za-z_]\w*)['"]\s*\)?\s*($|[^,{\s]|\n)"#);
static SHELL_NEEDS: Pattern = Pattern::new(r"\$\{([A-Za-z_]\w*):?\?");
static SPRING: Pattern = Pattern::new(r"\$\{([A-Z][A-Z0-9_]+)\}");
static SETTINGS_CLASS: Pattern = Pattern::new(r"^class\s+\w+\s*\([^)]*BaseSettings[^)]*\)\s*:");
static FIELD: Pattern = Pattern::new(r"^    ([a-zA-Z_]\w*)\s*:\s*([^=\n#]+?)\s*(?:#.*)?$");
static PREFIX: Pattern = Pattern::new(r#"env_prefix\s*=\s*['"](\w*)['"]"#);
/// A function whose parameter is the name of a variable, in the languages that matter.
static READER: Pattern = Pattern::new(
    r"(?:def|function|func|fn|const|let)\s+(\w+)\s*(?:=\s*)?(?:async\s*)?\(\s*(\w+)\s*(?::\s*[&\w]+|\s+string)?\s*\)",
);
static ZOD: Pattern = Pattern::new(
    r"^\s*([A-Z][A-Z0-9_]+)\s*:\s*(z\.[^\n]*|str\(\)[^\n]*|num\(\)[^\n]*|url\(\)[^\n]*|port\(\)[^\n]*|bool\(\)[^\n]*)$",
);

/// What systems, shells and build services set.
const GIVEN: &[&str] = &[
    "HOME",
    "PATH",
    "USER",
    "SHELL",
    "PWD",
    "LANG",
    "TERM",
    "TMPDIR",
    "TEMP",
    "TMP",
    "CI",
    "HOSTNAME",
    "LOGNAME",
    "EDITOR",
    "DISPLAY",
    "NODE_ENV",
    "APPDATA",
    "LOCALAPPDATA",
    "USERPROFILE",
    "USERNAME",
    "PROGRAMFILES",
    "SYSTEMROOT",
    "WINDIR",
    "COMSPEC",
    "OUT_DIR",
    "TARGET",
    "HOST",
    "PROFILE",
    "OPT_LEVEL",
    "NUM_JOBS",
    "RUSTC",
    "CARGO",
    "DEBUG",
    "VIRTUAL_ENV",
    "PYTHONPATH",
    "JAVA_HOME",
    "GOPATH",
    "GOROOT",
    "XDG_RUNTIME_DIR",
    "COLUMNS",
    "LINES",
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
    let endings = [
        ".py",
        ".js",
        ".ts",
        ".mjs",
        ".cjs",
        ".tsx",
        ".jsx",
        ".rs",
        ".go",
        ".java",
        ".kt",
        ".rb",
        ".sh",
        ".bash",
        ".properties",
        "application.yml",
        "application.yaml",
    ];
    for file in ground.tree.examined(&endings) {
        // What only machines of the project run has what it needs there.
        let aside = parent(&file.path).split('/').any(|part| {
            matches!(part, ".github" | "ci" | "deploy" | "infra" | "terraform" | "e2e" | "bench")
        });
        let Some(text) = ground.tree.text(&file.path).filter(|_| !aside) else { continue };
        let before = needs.len();
        needed(&file.path, &text, &mut needs);
        // A tool beside the project is run by whoever has what it needs, unless the project itself runs it.
        if needs.len() > before && is_tool_aside(ground, &file.path) {
            for need in &mut needs[before..] {
                need.strength = Strength::Hinted;
                need.tool = Some(file.path.clone());
            }
        }
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
                .examined(&[".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".rb", ".java"])
                .filter(|file| file.path != path)
                .filter_map(|file| tree.text(&file.path))
                .any(|text| has_word(&text, module))
    };
    // Where there is nothing but scripts, they are the project.
    let is_beside = || {
        tree.examined(&[".py", ".js", ".ts", ".mjs", ".cjs", ".go", ".rs", ".rb", ".java"])
            .any(|file| parent(&file.path) != parent(path))
    };
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

/// What a file cannot do without.
fn needed(path: &str, text: &str, needs: &mut Vec<Need>) {
    let mut add = |name: &str, line: usize, strength: Strength| {
        needs.push(Need { name: name.to_owned(), place: format!("{path}:{line}"), strength, tool: None });
    };
    match path.rsplit('.').next() {
        Some("py") => python(text, &mut add),
        Some("js" | "ts" | "mjs" | "cjs" | "tsx" | "jsx") => javascript(text, &mut add),
        Some("rs") => rust(text, &mut add),
        Some("go") => go(text, &mut add),
        Some("java" | "kt") => {
            let code = code(text, Language::C);
            for hit in JAVA_READ.all(&code) {
                let near = near(&code, hit.line(), 4);
                let needs = near.contains("requireNonNull")
                    || near.contains("throw new")
                    || code.get(hit.end()..).is_some_and(|rest| rest.starts_with('.'));
                if needs && !near.contains("getOrDefault") && !near.contains("Optional") {
                    add(hit.group(1), hit.line(), Strength::Likely);
                }
            }
        }
        Some("rb") => {
            for hit in RUBY_FETCH.all(&code(text, Language::Hash)) {
                add(hit.group(1), hit.line(), Strength::Likely);
            }
        }
        Some("sh" | "bash") => {
            for hit in SHELL_NEEDS.all(&code(text, Language::Hash)) {
                add(hit.group(1), hit.line(), Strength::Likely);
            }
        }
        Some("properties" | "yml" | "yaml") => {
            for hit in SPRING.all(text) {
                add(hit.group(1), hit.line(), Strength::Likely);
            }
        }
        _ => {}
    }
    readers(path, text, needs);
}

/// Some lines from this one on.
fn near(code: &str, line: usize, count: usize) -> String {
    code.lines().skip(line.saturating_sub(1)).take(count).collect::<Vec<_>>().join("\n")
}

fn python(text: &str, add: &mut dyn FnMut(&str, usize, Strength)) {
    if !["environ", "getenv", "BaseSettings", "decouple", "env("].iter().any(|it| text.contains(it)) {
        return;
    }
    let lines = python_source::lines(text);
    for (at, line) in lines.iter().enumerate() {
        let harmless = line.around.catches(&["KeyError", "LookupError"])
            || line.around.conditions.iter().any(|one| one.contains("environ") || one.contains("getenv"))
            || line.code.contains("del ")
            || line.code.contains("raises");
        let strength = if line.around.in_function { Strength::Likely } else { Strength::Certain };
        for hit in PYTHON_ITEM.all(&line.code) {
            let guarded = line.code.contains(" if ") || line.code.contains("in os.environ");
            if hit.group(2).is_empty() && !harmless && !guarded {
                add(hit.group(1), line.number, strength);
            }
        }
        for hit in PYTHON_TYPED.all(&line.code) {
            if !harmless && !line.around.catches(&["TypeError", "ValueError"]) && !line.code.contains(" or ")
            {
                add(hit.group(1), line.number, strength);
            }
        }
        for hit in PYTHON_GET.all(&line.code) {
            if harmless || line.code.contains(" or ") || line.code.contains(" if ") {
                continue;
            }
            let taken_apart = !hit.group(2).is_empty();
            let name = line.code.split('=').next().unwrap_or_default().trim();
            let name = name.split(':').next().unwrap_or_default().trim();
            let checked = lines[at + 1..].iter().take(4).enumerate().any(|(next, check)| {
                let asks = [format!("if not {name}"), format!("if {name} is None"), format!("assert {name}")]
                    .iter()
                    .any(|it| check.bare.trim_start().starts_with(it.as_str()));
                let ends = lines[at + 1 + next..].iter().take(2).any(|it| {
                    ["raise ", "sys.exit", "exit(", "assert "].iter().any(|word| it.bare.contains(word))
                });
                asks && ends && !name.is_empty()
            });
            if taken_apart
                || checked
                || line.bare.trim_start().starts_with("if not ")
                    && lines
                        .get(at + 1)
                        .is_some_and(|it| it.bare.contains("raise ") || it.bare.contains("exit("))
            {
                add(hit.group(1), line.number, strength);
            }
        }
        if (text.contains("decouple") || text.contains("environ.Env") || text.contains("from environs"))
            && !harmless
        {
            for hit in PYTHON_CALL.all(&line.code) {
                add(hit.group(1), line.number, strength);
            }
        }
    }
    let prefix = PREFIX.first(text).map(|hit| hit.group(1).to_uppercase()).unwrap_or_default();
    for class in SETTINGS_CLASS.all(text) {
        for (at, line) in text.lines().enumerate().skip(class.line()) {
            if !line.starts_with("    ") && !line.trim().is_empty() {
                break;
            }
            if let Some(hit) = FIELD.first(line)
                && !hit.group(2).contains("None")
                && !hit.group(2).contains("ClassVar")
                && hit.group(1) != "model_config"
            {
                add(&format!("{prefix}{}", hit.group(1).to_uppercase()), at + 1, Strength::Likely);
            }
        }
    }
}

fn javascript(text: &str, add: &mut dyn FnMut(&str, usize, Strength)) {
    if !text.contains("process.env") {
        return;
    }
    let code = code(text, Language::JavaScript);
    for hit in JS_READ.all(&code) {
        let name = hit.first_from(1);
        let after: String = code.get(hit.end()..).unwrap_or_default().chars().take(60).collect();
        let line_start = code[..hit.start()].rfind('\n').map_or(0, |at| at + 1);
        let before = &code[line_start..hit.start()];
        let rest = after.trim_start();
        let has_default = rest.starts_with("||")
            || rest.starts_with("??")
            || rest.starts_with("?.")
            || rest.starts_with("= ")
            || rest.starts_with("==")
            || rest.starts_with('?') && !rest.starts_with("?.");
        if has_default || before.contains("typeof") || before.contains("delete ") {
            continue;
        }
        let strength = if before.starts_with(' ') || before.starts_with('\t') {
            Strength::Likely
        } else {
            Strength::Certain
        };
        let method = rest.starts_with('.') || rest.starts_with("!.");
        let parsed =
            ["new URL(", "JSON.parse(", "Buffer.from("].iter().any(|it| before.trim_end().ends_with(it));
        let throws =
            |text: &str| text.contains("throw ") || text.contains("process.exit") || text.contains("reject(");
        let negated = before.trim_end().ends_with("if (!")
            || before.trim_end().ends_with("if(!")
            || before.trim_end().ends_with("|| !");
        let asserted =
            ["assert(", "assert.ok(", "invariant("].iter().any(|it| before.trim_end().ends_with(it));
        let name_of = before
            .trim()
            .trim_start_matches("const ")
            .trim_start_matches("let ")
            .trim_start_matches("var ")
            .split(['=', ':'])
            .next()
            .unwrap_or_default()
            .trim()
            .to_owned();
        let next = near(&code, hit.line() + 1, 4);
        let checked = !name_of.is_empty()
            && before.contains('=')
            && [
                format!("if (!{name_of})"),
                format!("if(!{name_of})"),
                format!("if (!{name_of} "),
                format!("if ({name_of} === undefined"),
                format!("assert({name_of}"),
                format!("if ({name_of} == null"),
            ]
            .iter()
            .any(|it| next.contains(it.as_str()))
            && (throws(&next) || next.contains("assert("));
        let handed = CHECKED_BY.first(before).is_some_and(|call| {
            let function = call.group(1);
            let lower = function.to_lowercase();
            let says_so =
                ["required", "require_", "requireenv", "must", "ensure", "nonempty", "assertdefined"]
                    .iter()
                    .any(|it| lower.contains(it));
            let defined = [format!("function {function}("), format!("const {function} = (")];
            let at = code.lines().position(|line| defined.iter().any(|it| line.contains(it.as_str())));
            let in_full = at.map(|at| near(&code, at + 1, 6));
            rest.starts_with([')', ','])
                && in_full.map_or(says_so, |body| throws(&body) && !body.contains("??"))
        });
        if method
            || handed
            || parsed
            || asserted
            || (negated && throws(&near(&code, hit.line(), 3)))
            || checked
        {
            add(name, hit.line(), strength);
        }
    }
    let validates = code.contains(".parse(process.env)")
        || code.contains("cleanEnv(process.env")
        || code.contains("createEnv(");
    if validates {
        for hit in ZOD.all(&code) {
            let rule = hit.group(2);
            if !["default(", "optional()", "default:", "devDefault", "nullish()", "catch("]
                .iter()
                .any(|it| rule.contains(it))
            {
                add(hit.group(1), hit.line(), Strength::Certain);
            }
        }
    }
}

fn rust(text: &str, add: &mut dyn FnMut(&str, usize, Strength)) {
    if !text.contains("env") {
        return;
    }
    let code = code(text, Language::Rust);
    let tests_begin = code.find("#[cfg(test)]").unwrap_or(code.len());
    for hit in RUST_BUILD.all(&code) {
        if !near(&code, hit.line().saturating_sub(2), 3).contains("#[cfg(") {
            add(hit.group(1), hit.line(), Strength::Certain);
        }
    }
    for hit in RUST_VAR.all(&code) {
        let guarded =
            near(&code, hit.line().saturating_sub(2), 3).contains("#[cfg(") || hit.start() > tests_begin;
        if !guarded {
            add(hit.group(1), hit.line(), Strength::Likely);
        }
    }
}

fn go(text: &str, add: &mut dyn FnMut(&str, usize, Strength)) {
    if !text.contains("os.Getenv") && !text.contains("os.LookupEnv") {
        return;
    }
    let code = code(text, Language::C);
    let lines: Vec<&str> = code.lines().collect();
    for hit in GO_READ.all(&code) {
        let (value, found) = (hit.group(1), hit.group(2));
        let at = hit.line() - 1;
        let asks = |line: &str| {
            if hit.group(3) == "LookupEnv" {
                !found.is_empty() && line.contains(&format!("!{found}"))
            } else {
                let empty = format!("{value} == \"\"");
                (!value.is_empty() && (line.contains(&empty) || line.contains(&format!("len({value}) == 0"))))
                    || line.contains(&format!("os.Getenv(\"{}\") == \"\"", hit.group(4)))
            }
        };
        // A literal of several fields may stand between the reading and the question.
        let asked = (at..(at + 12).min(lines.len())).find(|at| asks(lines[*at]));
        let Some(asked) = asked else { continue };
        let next = lines[asked..(asked + 3).min(lines.len())].join("\n");
        let ends =
            ["log.Fatal", "panic(", "os.Exit", "t.Fatal", "errors.New", "fmt.Errorf", ", Err", ", err"]
                .iter()
                .any(|it| next.contains(it));
        if ends && !next.contains("t.Skip") {
            add(hit.group(4), hit.line(), Strength::Likely);
        }
    }
}

/// Functions of the project that read a variable by a given name and fail without it, and who calls them.
fn readers(path: &str, text: &str, needs: &mut Vec<Need>) {
    let language = match path.rsplit('.').next() {
        Some("py") => Language::Python,
        Some("js" | "ts" | "mjs" | "cjs" | "tsx") => Language::JavaScript,
        Some("rs") => Language::Rust,
        Some("go") => Language::C,
        _ => return,
    };
    if !["environ", "process.env[", "env::var(", "os.Getenv(", "os.LookupEnv(", "getenv("]
        .iter()
        .any(|it| text.contains(it))
    {
        return;
    }
    let code = code(text, language);
    for hit in READER.all(&code) {
        let (function, parameter) = (hit.group(1), hit.group(2));
        let body = near(&code, hit.line(), 10);
        let reads = [
            "environ[",
            "environ.get(",
            "getenv(",
            "process.env[",
            "env::var(",
            "os.Getenv(",
            "os.LookupEnv(",
        ]
        .iter()
        .any(|read| {
            body.contains(&format!("{read}{parameter}")) || body.contains(&format!("{read}&{parameter}"))
        });
        let fails =
            ["raise ", "throw ", "panic", "Fatal", "exit(", "Exit(", "expect(", "unwrap()", "environ["]
                .iter()
                .any(|it| body.contains(it));
        let defaults = ["default", "fallback", "??", "||", "unwrap_or"].iter().any(|it| body.contains(it));
        // In Rust what fails must be the reading itself: `unwrap` stands for many things.
        let directly = [format!("{parameter}).unwrap()"), format!("{parameter}).expect(")];
        let fails =
            fails && (language != Language::Rust || directly.iter().any(|it| body.contains(it.as_str())));
        if !reads || !fails || defaults || function.len() < 3 {
            continue;
        }
        let call = format!("{function}(");
        for (at, line) in code.lines().enumerate() {
            for (place, _) in line.match_indices(&call) {
                let inside = &line[place + call.len()..];
                let quote = inside.chars().next().filter(|c| *c == '"' || *c == '\'');
                let Some(quote) = quote else { continue };
                let Some((name, rest)) = inside[1..].split_once(quote) else { continue };
                if rest.trim_start().starts_with(')')
                    && name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
                    && !name.is_empty()
                {
                    needs.push(Need {
                        name: name.to_owned(),
                        place: format!("{path}:{}", at + 1),
                        strength: Strength::Likely,
                        tool: None,
                    });
                }
            }
        }
    }
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
