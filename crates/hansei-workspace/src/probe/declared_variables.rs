//! Variables that a project declares to be required: in classes of settings, in schemas, in tags, in manifests of the tools
//! that read them. What code reads by itself is followed in `variable_flow`.

use super::ground::{Ground, Strength};
use super::pattern::Pattern;
use super::python_source;
use super::source_text::{Language, code};
use super::tagged_fields::{self, Way};
use super::tree::{is_test, parent};

static PYTHON_CALL: Pattern = Pattern::new(
    r#"\b(?:config|env|env\.str|env\.int|env\.bool|env\.url)\s*\(\s*['"]([A-Z][A-Z0-9_]+)['"]\s*(?:,\s*cast\s*=\s*\w+\s*)?\)"#,
);
static RUST_BUILD: Pattern = Pattern::new(r#"(?:^|[^\w_])env!\s*\(\s*"([A-Za-z_]\w*)""#);
static RUBY_FETCH: Pattern =
    Pattern::new(r#"\bENV\.fetch\s*\(?\s*['"]([A-Za-z_]\w*)['"]\s*\)?\s*($|[^,{\s]|\n)"#);
static SHELL_NEEDS: Pattern = Pattern::new(r"\$\{([A-Za-z_]\w*):?\?");
static SPRING: Pattern = Pattern::new(r"\$\{([A-Z][A-Z0-9_]+)\}");
static SETTINGS_CLASS: Pattern = Pattern::new(r"^class\s+\w+\s*\([^)]*BaseSettings[^)]*\)\s*:");
static FIELD: Pattern = Pattern::new(r"^    ([a-zA-Z_]\w*)\s*:\s*([^=\n#]+?)\s*(?:#.*)?$");
static PREFIX: Pattern = Pattern::new(r#"env_prefix\s*=\s*['"](\w*)['"]"#);
static ZOD: Pattern = Pattern::new(
    r"^\s*([A-Z][A-Z0-9_]+)\s*:\s*(z\.[^\n]*|str\(\)[^\n]*|num\(\)[^\n]*|url\(\)[^\n]*|port\(\)[^\n]*|bool\(\)[^\n]*)$",
);
/// A variable that is declared.
pub(super) struct Declared {
    pub(super) name: String,
    pub(super) path: String,
    pub(super) line: usize,
    pub(super) strength: Strength,
}

/// Takes a name, its line and how sure it is.
type Take<'a> = dyn FnMut(&str, usize, Strength) + 'a;

/// Every variable that the project declares.
pub(super) fn declared(ground: &Ground<'_>) -> Vec<Declared> {
    let endings = [
        ".py", ".js", ".ts", ".mjs", ".cjs", ".tsx", ".jsx", ".rs", ".go", ".rb", ".sh", ".bash",
        ".properties", "application.yml", "application.yaml",
    ];
    let mut all = Vec::new();
    let ways = tagged_fields::ways(ground);
    for file in ground.tree.examined(&endings) {
        // What only machines of the project run has what it needs there.
        let aside = parent(&file.path).split('/').any(|part| {
            matches!(part, ".github" | "ci" | "deploy" | "infra" | "terraform" | "e2e" | "bench")
        });
        let Some(text) = ground.tree.text(&file.path).filter(|_| !aside) else { continue };
        in_text(&file.path, &text, &ways, &mut |name, line, strength| {
            all.push(Declared { name: name.to_owned(), path: file.path.clone(), line, strength });
        });
    }
    all
}

fn in_text(path: &str, text: &str, ways: &[Way], take: &mut Take<'_>) {
    match path.rsplit('.').next() {
        Some("py") => python(text, take),
        Some("js" | "ts" | "mjs" | "cjs" | "tsx" | "jsx") => schema(text, take),
        Some("rs") => compiled_in(text, take),
        Some("go") if !is_test(path) => {
            tagged_fields::each(text, ways, |name, line| take(name, line, Strength::Likely));
        }
        Some("rb") => each(&RUBY_FETCH, &code(text, Language::Hash), take),
        Some("sh" | "bash") => each(&SHELL_NEEDS, &code(text, Language::Hash), take),
        Some("properties" | "yml" | "yaml") => each(&SPRING, text, take),
        _ => {}
    }
}

fn each(pattern: &'static Pattern, text: &str, take: &mut Take<'_>) {
    for hit in pattern.all(text) {
        take(hit.group(1), hit.line(), Strength::Likely);
    }
}

fn python(text: &str, take: &mut Take<'_>) {
    if ["decouple", "environ.Env", "from environs"].iter().any(|package| text.contains(package)) {
        for line in python_source::lines(text) {
            let strength = if line.around.in_function { Strength::Likely } else { Strength::Certain };
            for hit in PYTHON_CALL.all(&line.code) {
                take(hit.group(1), line.number, strength);
            }
        }
    }
    for class in SETTINGS_CLASS.all(text) {
        let body = || {
            let lines = text.lines().enumerate().skip(class.line());
            lines.take_while(|(_, line)| line.starts_with("    ") || line.trim().is_empty())
        };
        let prefix = body().find_map(|(_, line)| PREFIX.first(line)).or_else(|| PREFIX.first(text));
        let prefix = prefix.map(|hit| hit.group(1).to_uppercase()).unwrap_or_default();
        for (at, line) in body() {
            if let Some(hit) = FIELD.first(line)
                && !hit.group(2).contains("None")
                && !hit.group(2).contains("ClassVar")
                && hit.group(1) != "model_config"
            {
                take(&format!("{prefix}{}", hit.group(1).to_uppercase()), at + 1, Strength::Likely);
            }
        }
    }
}

/// A schema that the environment is held against.
fn schema(text: &str, take: &mut Take<'_>) {
    if !text.contains("process.env") {
        return;
    }
    let code = code(text, Language::JavaScript);
    let validates = code.contains(".parse(process.env)")
        || code.contains("cleanEnv(process.env")
        || code.contains("createEnv(");
    for hit in ZOD.all(&code).into_iter().filter(|_| validates) {
        let rule = hit.group(2);
        if !["default(", "optional()", "default:", "devDefault", "nullish()", "catch("]
            .iter()
            .any(|it| rule.contains(it))
        {
            take(hit.group(1), hit.line(), Strength::Certain);
        }
    }
}

/// What the compiler puts in, and does not compile without.
fn compiled_in(text: &str, take: &mut Take<'_>) {
    if !text.contains("env!") {
        return;
    }
    let code = code(text, Language::Rust);
    let lines: Vec<&str> = code.lines().collect();
    for hit in RUST_BUILD.all(&code) {
        let above = hit.line().saturating_sub(3)..hit.line();
        if !lines[above].iter().any(|line| line.contains("#[cfg(")) {
            take(hit.group(1), hit.line(), Strength::Certain);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_declared_to_be_required() {
        for (path, text, expected) in [
            ("a.py", "class S(BaseSettings):\n    url: str\n    key: str | None\n    port: int = 1\n", "URL"),
            (
                "a.py",
                "from decouple import config\nKEY = config('A_KEY')\nHOST = config('A_HOST', default='h')\n",
                "A_KEY",
            ),
            (
                "a.ts",
                "const e = z.object({\n  A_KEY: z.string(),\n  A_HOST: z.string().default('h'),\n}).parse(process.env)\n",
                "A_KEY",
            ),
            (
                "a.rs",
                "const V: &str = env!(\"A_KEY\");\nconst W: Option<&str> = option_env!(\"A_HOST\");\n",
                "A_KEY",
            ),
            ("a.rb", "key = ENV.fetch('A_KEY')\nhost = ENV.fetch('A_HOST', 'h')\n", "A_KEY"),
            ("a.sh", ": \"${A_KEY:?}\"\necho \"${A_HOST:-h}\"\n", "A_KEY"),
        ] {
            let mut seen = Vec::new();
            in_text(path, text, &[], &mut |name, _, _| seen.push(name.to_owned()));
            assert_eq!(seen.join(" "), expected, "{path}: {text}");
        }
    }
}
